"""Each mistake in a task file is told with the file, the place, what is wrong and what is allowed."""

import re

import pytest

from generator.errors import TaskError
from generator.task import load_task, load_tasks


def message(task_set):
    with pytest.raises(TaskError) as error:
        load_task(task_set.file)
    text = str(error.value)
    assert text.startswith(f"{task_set.file}: ")
    assert "\n" not in text
    return text.removeprefix(f"{task_set.file}: ")


CASES = [
    # unknown keys, with the nearest known one
    (
        'title = "Scaled rows"',
        'titel = "Scaled rows"',
        r"title: is missing; must be a text \(is 'titel' a misspelling\?\)",
    ),
    ('source = "own"', 'source = "own"\nalias = []', "alias: unknown key; allowed: aliases, .*did you mean 'aliases'"),
    ("drift = true", "drfit = true", r"input\[0\]\.values\.drfit: unknown key; .*did you mean 'drift'"),
    (
        "rms_factor = 0.5",
        "rms_fator = 0.5",
        r"output\[0\]\.check\.rms_factor: is missing; must be a number \(is 'rms_fator' a misspelling",
    ),
    ("[work.floor]", "[work.floor]\nfp16 = 1", r"work\.floor\.fp16: unknown key; allowed: fp32, .*did you mean 'fp64'"),
    ('level3 = "Name."', 'level3 = "Name."\nlevel4 = ""', r"prompt\.level4: unknown key; .*did you mean 'level"),
    ('about = "shifts"', 'about = "shifts"\ncheck = {}', r"input\[1\]\.check: unknown key"),
    # expressions
    (
        '"ceil(cols / 3)"',
        '"ceil(columns / 3)"',
        r"input\[1\]\.shape\[0\]: 'columns' is unknown \(known: alpha, cols, rows\)",
    ),
    (
        '"ceil(cols / 3)"',
        '"cols / 3"',
        r"input\[1\]\.shape\[0\]: 'cols / 3' is 2\.6+\d*, not a whole number.*for dims at scale tiny",
    ),
    ('"rows * cols - 1"', '"rows * cols -"', r"output\[0\]\.shape\[0\]: cannot read 'rows \* cols -'"),
    (
        '"rows * cols - 1"',
        '"rows * cols - 8"',
        r"output\[0\]\.shape\[0\]: .* is 0, but an extent is at least 1 \(for dims at scale tiny\)",
    ),
    (
        '"rows * cols - 1"',
        '"cols - 1"',
        r"output\[0\]\.shape\[0\]: .* is 0, but an extent is at least 1 \(for edge\[1\]\)",
    ),
    ('"2 ** rows"', '"2 ** (cols - 2)"', r"output\[0\]\.check\.terms: 2 \*\* 126 exceeds 64 bits .*at scale huge"),
    ('"2 ** rows"', '"rows - 1"', r"output\[0\]\.check\.terms: 'rows - 1' is 0, but must be at least 1"),
    (
        "write_bytes = 0",
        'write_bytes = "0 - rows"',
        r"work\.floor\.write_bytes: '0 - rows' is -1, but must be at least 0",
    ),
    (
        "write_bytes = 0",
        'write_bytes = "9999 * rows"',
        r"work\.floor\.write_bytes: is 9999, more than work\.model\.write_bytes, 28",
    ),
    ('["ceil(cols / 3)"]', '["2 ** 40", "2 ** 40"]', r"input\[1\]\.shape: shift has \d+ elements, more than 64 bits"),
    # types and choices
    (
        'dtype = "int32"',
        'dtype = "float16"',
        r"input\[1\]\.dtype: 'float16' is unknown; allowed: float32, float64, int32, uint32, int64, uint8",
    ),
    ('dtype = "int32"', "dtype = 32", r"input\[1\]\.dtype: is 32; must be a text"),
    (
        'kind = "normal"',
        'kind = "gauss"',
        r"input\[0\]\.values\.kind: 'gauss' is unknown; allowed: uniform, normal, integer, ascending",
    ),
    ('source = "own"', 'source = "mine"', "source: 'mine' is unknown; allowed: cudabench, cublas, vllm, aten, own"),
    ('domain = "examples"', 'domain = "example"', "domain: 'example' is unknown; allowed: examples"),
    (
        'value = 0.1, type = "float"',
        'value = 0.1, type = "int"',
        r"params\.alpha\.value: is 0\.1; must be a whole number",
    ),
    ('value = 0.1, type = "float"', 'value = true, type = "float"', r"params\.alpha\.value: is True; must be a number"),
    ("a = 0, b = 9", "a = 9, b = 0", r"input\[1\]\.values\.b: is 0, less than a, 9"),
    (
        "a = 0, b = 9",
        'a = 0, b = "cols - 9"',
        r"input\[1\]\.values\.b: 'cols - 9' is -1, less than a, 0; .*\(for dims at scale tiny\)",
    ),
    ("a = 0, b = 9", 'a = 0, b = "cols / 3"', r"input\[1\]\.values\.b: 'cols / 3' is 2\.\d+, not a whole number"),
    ("a = 0, b = 9", 'a = 0, b = "width"', r"input\[1\]\.values\.b: 'width' is unknown \(known: .*cols"),
    ("a = 0, b = 9", "a = 0, b = true", r"input\[1\]\.values\.b: is True; must be an expression"),
    (
        "a = 0, b = 9",
        'a = "0 - rows", b = "2 ** (27 + rows)"',
        r"input\[1\]\.values\.b: '2 \*\* \(27 \+ rows\)' is 2147483648, but int32 holds -2147483648 to 2147483647 "
        r"\(for dims at scale large\)",
    ),
    ('"integer", a = 0, b = 9', '"ascending", a = 9, b = 0', r"input\[1\]\.values\.b: is 0, less than a, 9"),
    (
        '"integer", a = 0, b = 9',
        '"ascending", a = 0, b = 9, drift = true',
        r"input\[1\]\.values\.drift: is true; whole numbers never drift",
    ),
    (
        '"integer", a = 0, b = 9',
        '"ascending", a = 0, b = 9, needle_probability = 0.5',
        r"input\[1\]\.values\.needle_probability: is 0\.5; needles would break the order",
    ),
    ("a = 0, b = 9", "a = 0.5, b = 9", r"input\[1\]\.values\.a: is 0\.5; must be a whole number"),
    ("a = 0, b = 9", "a = 0, b = 9, drift = true", r"input\[1\]\.values\.drift: is true; whole numbers never drift"),
    ("a = 0, b = 1", "a = 0, b = -1", r"input\[0\]\.values\.b: is -1; the standard deviation"),
    ("drift = true", "needle_probability = 2", r"input\[0\]\.values\.needle_probability: is 2; must lie in 0 to 1"),
    ("factor = 4,", "factor = 0,", r"output\[0\]\.check\.factor: is 0; must be above 0"),
    ("factor = 4,", "factor = nan,", r"output\[0\]\.check\.factor: is nan; must be a finite number"),
    ("a = 0, b = 1", "a = 0, b = inf", r"input\[0\]\.values\.b: is inf; must be a finite number"),
    ("a = 0, b = 9", "a = 0, b = 9223372036854775808", r"input\[1\]\.values\.b: is \d+; must fit in 64 bits"),
    ("value = 0.1,", "value = 1e39,", r"params\.alpha\.value: is 1e\+39; float holds at most 3\.4"),
    ('aliases = ["scale"]', 'aliases = ["a.b"]', r"aliases\[0\]: is 'a\.b'; allowed: a letter"),
    ('aliases = ["scale"]', 'aliases = "scale"', "aliases: is 'scale'; must be a list of texts"),
    # sizes
    ("rows = [1, 2, 3, 4, 5]", "rows = [1, 2, 3, 4]", r"dims\.rows: has 4 values; must have five, one a scale: tiny,"),
    ("rows = [1, 2, 3, 4, 5]", "rows = [0, 2, 3, 4, 5]", r"dims\.rows: has the value 0; sizes are at least 1"),
    (
        "rows = [1, 2, 3, 4, 5]",
        'rows = [1, 2, 3, 4, "x"]',
        r"dims\.rows\[4\]: is 'x'; rows must be a list of whole numbers",
    ),
    (
        "[8, 16, 32, 64, 128]",
        "[8, 16, 32, 24, 128]",
        r"dims: large \(\d+ bytes\) is not larger than medium \(\d+ bytes\); scales must grow",
    ),
    ("[8, 16, 32, 64, 128]", "[8, 16, 32, 64, 100000000]", r"dims: a case at huge needs \d+ bytes; at most 8000000000"),
    (
        "[8, 16, 32, 64, 128]",
        "[8, 16, 32, 64, 3000000000]",
        r"prototype\[0\]\.arguments\[4\]: int cannot hold cols = 3000000000",
    ),
    ("rows = 2\ncols = 1", "rows = 1\ncols = 3", r"edge\[1\]: is the same as edge\[0\]"),
    ("rows = 2\ncols = 1", "rows = 2", r"edge\[1\]\.cols: is missing; must be a whole number"),
    (
        "rows = 2\ncols = 1",
        "rows = 2\ncols = 3000000000",
        r"prototype\[0\]\.arguments\[4\]: int cannot hold cols = 3000000000",
    ),
    ("rows = 2\ncols = 1", "rows = 2\ncols = 0", r"edge\[1\]: has the size 0"),
    ("[[edge]]\nrows = 2\ncols = 1\n", "", "edge: has 2 entries; at least 3"),
    # names
    ('name = "shift"', 'name = "input"', "the name 'input' stands for two things"),
    ('name = "shift"', 'name = "sqrt"', "the name 'sqrt' is that of a function"),
    ('name = "shift"', 'name = "a-b"', "the name 'a-b' cannot be used; allowed: a letter"),
    # prototypes
    (
        '"const int* shift", "float* output", "int rows", "long long cols"',
        '"float* output", "int rows"',
        r"prototype\[1\]\.arguments: has 'shift' 0 times; every prototype has each array once",
    ),
    ('"long long cols"]', '"int rows"]', r"prototype\[1\]\.arguments: has 'rows' 2 times"),
    ('"long long cols"]', '"int cols", "float alpha"]', r"prototype\[1\]: has the same C\+\+ type as prototype\[0\]"),
    ('"long long cols"]', '"int64 cols"]', r"prototype\[1\]\.arguments\[4\]: 'int64 cols' is not an argument"),
    (
        '"long long cols"]',
        '"double cols"]',
        r"prototype\[1\]\.arguments\[4\]: 'double cols' does not fit a size; allowed types: int,",
    ),
    (
        '"long long cols"]',
        '"long long columns"]',
        r"prototype\[1\]\.arguments\[4\]: 'columns' is no input, output, dim or param",
    ),
    (
        '"int cols", "float alpha"]',
        '"int cols", "double alpha"]',
        r"prototype\[0\]\.arguments\[5\]: 'double alpha' does not fit .*must be float alpha",
    ),
    (
        '"int rows", "int cols", "float alpha"',
        '"int cols", "int rows", "float alpha"',
        "dims: are declared as rows, cols; the main prototype has the order cols, rows",
    ),
    (
        '"int rows", "int cols", "float alpha"',
        '"int rows", "float alpha"',
        r"prototype\[0\]\.arguments: has 'cols' 0 times",
    ),
]


def test_the_unspoilt_task_is_valid(task_set):
    assert load_task(task_set.file).name == "scaled_rows"


@pytest.mark.parametrize(("old", "new", "expected"), CASES)
def test_mistake(task_set, old, new, expected):
    task_set.replace(old, new)
    text = message(task_set)
    assert re.match(expected, text), text


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        (
            '"const int* shift", "float* output", "int rows", "int cols", "float alpha"',
            '"const float* shift", "float* output", "int rows", "int cols", "float alpha"',
            1,
        ),
        ('"float* output", "int rows", "int cols"', '"const float* output", "int rows", "int cols"', 2),
    ],
)
def test_pointer_of_the_wrong_type(task_set, old, new, place):
    task_set.replace(old, new)
    assert f"prototype[0].arguments[{place}]: " in message(task_set)


def test_broken_toml_names_the_line(task_set):
    task_set.replace("rows = [1, 2, 3, 4, 5]", "rows = [1, 2, 3")
    assert re.search(r"is not TOML: .*line \d+", message(task_set))


def test_whole_numbers_have_no_bound(task_set):
    task_set.replace('name = "output"\ndtype = "float32"', 'name = "output"\ndtype = "int32"')
    assert "output[0].check.kind: is 'bounded' for int32; whole numbers are checked by 'exact'" in message(task_set)


@pytest.mark.parametrize("what", ["reference", "oracle"])
def test_missing_companion(task_set, what):
    path = getattr(task_set, what)
    path.unlink()
    assert f"its {what} {path} cannot be read: No such file" in message(task_set)


def test_missing_file(task_set):
    task_set.file.unlink()
    assert "cannot be read: No such file or directory" in message(task_set)


def test_unusable_file_name(task_set):
    task_set.file = task_set.file.rename(task_set.file.with_name("Scaled-Rows.toml"))
    assert "the name 'Scaled-Rows' cannot be used" in message(task_set)


def test_no_such_directory(tmp_path):
    with pytest.raises(TaskError, match="is not a directory"):
        load_tasks(tmp_path / "absent")
    with pytest.raises(TaskError, match="has no task"):
        load_tasks(tmp_path)


def test_alias_that_is_taken(task_set):
    other = task_set.file.with_name("scale.toml")
    other.write_text(task_set.file.read_text().replace('aliases = ["scale"]', ""))
    (task_set.reference.with_name("scale.cu")).write_text("// CUDA\n")
    with pytest.raises(TaskError, match=r"scaled_rows\.toml: the name or alias 'scale' is taken by .*scale\.toml"):
        load_tasks(task_set.tasks)
