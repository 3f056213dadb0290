from collections.abc import Callable
from pathlib import Path

import pytest

from generator.definition import Task
from generator.task import load_tasks

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def tasks() -> dict[str, Task]:
    return load_tasks(ROOT / "tasks")


@pytest.fixture
def candidates(tmp_path: Path) -> Callable[..., Path]:
    """Makes a directory with the given files."""

    def make(*places: str) -> Path:
        folder = tmp_path / "candidates"
        folder.mkdir(exist_ok=True)
        for place in places:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(f"// {place}\n")
        return folder

    return make
