"""A small valid task set in a temporary folder, which tests spoil in one place each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

STATEMENT = """\
title = "Scaled rows"
domain = "examples"
aliases = ["scale"]
source = "own"

[dims]
rows = [1, 2, 3, 4, 5]
cols = [8, 16, 32, 64, 128]

[params]
alpha = { value = 0.1, type = "float" }

[[prototype]]
arguments = ["const float* input", "const int* shift", "float* output", "int rows", "int cols", "float alpha"]

[[prototype]]
arguments = ["const float* input", "const int* shift", "float* output", "int rows", "long long cols"]

[[input]]
name = "input"
dtype = "float32"
shape = ["rows", "cols"]
about = "matrix"
values = { kind = "normal", a = 0, b = 1, drift = true }
integers = { kind = "integer", a = -3, b = 3 }

[[input]]
name = "shift"
dtype = "int32"
shape = ["ceil(cols / 3)"]
about = "shifts"
values = { kind = "integer", a = 0, b = 9 }

[[output]]
name = "output"
dtype = "float32"
shape = ["rows * cols - 1"]
about = "result"
check = { kind = "bounded", terms = "2 ** rows", magnitude = "1", factor = 4, rms_factor = 0.5, ulps = 2 }

[work.floor]
read_bytes = "4 * rows * cols"
write_bytes = 0

[work.model]
fp32 = "rows * cols * log2(cols)"
read_bytes = "4 * rows * cols"
write_bytes = "4 * (rows * cols - 1)"

[[edge]]
rows = 1
cols = 3

[[edge]]
rows = 2
cols = 1

[[edge]]
rows = 7
cols = 31

[prompt]
level1 = "Guidance."
level2 = "Algorithm."
level3 = "Name."
rules = ["Rows are scaled."]
"""


class TaskSet:
    """A folder with tasks/examples/scaled_rows.toml, its reference and its oracle."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.tasks = root / "tasks"
        self.file = self.tasks / "examples" / "scaled_rows.toml"
        self.reference = root / "references" / "examples" / "scaled_rows.cu"
        self.oracle = root / "references" / "oracles" / "examples.py"
        for path, text in ((self.file, STATEMENT), (self.reference, "// CUDA\n"), (self.oracle, "# NumPy\n")):
            path.parent.mkdir(parents=True)
            path.write_text(text)

    def replace(self, old: str, new: str) -> Path:
        """Changes the one place where `old` stands."""
        text = self.file.read_text()
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times"
        self.file.write_text(text.replace(old, new))
        return self.file


@pytest.fixture
def task_set(tmp_path: Path) -> TaskSet:
    return TaskSet(tmp_path)


@pytest.fixture
def changed(task_set: TaskSet) -> Callable[[str, str], Path]:
    return task_set.replace
