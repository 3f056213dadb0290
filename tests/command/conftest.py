"""The command as people start it: a process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from made_tree import Tree

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cudabench(tmp_path):
    """Runs what ./cudabench starts, in an empty folder; without setup, which may install packages."""

    def start(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, ROOT / "tools" / "command", *map(str, arguments)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT / "tools")} | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    return start


@pytest.fixture
def answers(tmp_path) -> Path:
    """A directory with one candidate."""
    folder = tmp_path / "answers"
    folder.mkdir()
    (folder / "softmax.cu").write_text("")
    return folder


@pytest.fixture
def tree(tmp_path) -> Tree:
    return Tree(tmp_path)
