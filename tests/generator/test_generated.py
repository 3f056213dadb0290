"""The checked-in copy, and the command that refreshes and compares it."""

from pathlib import Path

import pytest

from generator.__main__ import differences, main
from generator.prompts import prompt
from generator.task import load_task, load_tasks

ROOT = Path(__file__).parents[2]


def test_generated_is_fresh():
    assert differences(load_tasks(ROOT / "tasks"), ROOT / "generated") == []


def test_update_then_check(task_set, capsys):
    output = task_set.root / "generated"
    arguments = ["--tasks", str(task_set.tasks), "--output", str(output)]
    assert main(["update", *arguments]) == 0
    assert main(["check", *arguments]) == 0
    written = {file: file.stat().st_mtime_ns for file in output.rglob("*") if file.is_file()}
    assert {file.relative_to(output).as_posix() for file in written} == {
        "catalogue.json",
        "contracts/scaled_rows.h",
        "domains/examples.md",
        *(f"prompts/scaled_rows/level{level}.md" for level in (1, 2, 3)),
    }
    assert "\n1 task. Times are" in (output / "domains" / "examples.md").read_text()
    assert main(["update", *arguments]) == 0
    assert {file: file.stat().st_mtime_ns for file in written} == written, "what is unchanged is not written"

    (output / "catalogue.json").unlink()
    (output / "contracts" / "scaled_rows.h").write_text("")
    (output / "contracts" / "gone.h").write_text("")
    capsys.readouterr()
    assert main(["check", *arguments]) == 1
    told = capsys.readouterr().err
    assert "catalogue.json: is missing" in told
    assert "scaled_rows.h: differs" in told
    assert "gone.h: belongs to no task" in told
    assert main(["update", *arguments]) == 0
    assert main(["check", *arguments]) == 0


def test_a_broken_task_leaves_what_was_generated(task_set, capsys):
    output = task_set.root / "generated"
    arguments = ["--tasks", str(task_set.tasks), "--output", str(output)]
    assert main(["update", *arguments]) == 0
    before = {file: file.read_bytes() for file in output.rglob("*") if file.is_file()}
    task_set.replace('dtype = "int32"', 'dtype = "int33"')
    assert main(["update", *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"{task_set.file}: input[1].dtype: ")
    assert {file: file.read_bytes() for file in output.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("level", [1, 2, 3])
def test_every_level_states_the_interface(task_set, level):
    text = prompt(load_task(task_set.file), level)
    assert ("Guidance." in text, "Algorithm." in text, "Name." in text) == (level == 1, level == 2, level == 3)
    assert (
        'extern "C" void solve(const float* input, const int* shift, float* output, int rows, int cols, float alpha)'
        in text
    )
    assert "`alpha`: float; always 0.1" in text
    assert "ceil(cols / 3) elements, int32 (int); values whole numbers from 0 to 9" in text
    assert "Rows are scaled." in text
    assert "each error at most 4 u g A + 2 u |value|" in text
    assert "g = sqrt(min(2 ** rows, 4096)) + log2(2 ** rows)" in text
    assert "| huge | rows = 5, cols = 128 |" in text
