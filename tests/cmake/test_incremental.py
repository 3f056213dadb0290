"""What is built again after a change, and what is not."""

import os
import re
import shutil
from pathlib import Path

import pytest
from conftest import GOOD, ROOT, Project

OTHER = GOOD.replace("input[i]", "input[i] * 1.0f")


class Suite:
    """Two candidates of an own task and two of softmax, built."""

    def __init__(self, project: Project, folder: Path) -> None:
        self.project = project
        self.task = folder / "own" / "tasks" / "deep_learning" / "own_softmax.toml"
        self.reference = folder / "own" / "references" / "deep_learning" / "own_softmax.cu"
        for path in (self.task, self.reference):
            path.parent.mkdir(parents=True)
        text = (ROOT / "tasks" / "deep_learning" / "softmax.toml").read_text()
        self.task.write_text(re.sub(r"^aliases = .*$", "aliases = []", text, flags=re.MULTILINE))
        shutil.copy(ROOT / "references" / "deep_learning" / "softmax.cu", self.reference)
        oracle = folder / "own" / "references" / "oracles" / "deep_learning.py"
        oracle.parent.mkdir()
        source = (ROOT / "references" / "oracles" / "deep_learning.py").read_text()
        oracle.write_text(source + "\n\nown_softmax = softmax\n")
        self.header = project.add("a/kernel.cuh")
        project.add("a/softmax.cu", '#include "kernel.cuh"\n')
        project.add("b/softmax.cu")
        project.add("a/own_softmax.cu")
        project.add("b/own_softmax.cu")
        self.set = folder / "own"
        self.configure()
        self.build()

    def configure(self) -> None:
        status, output = self.project.configure(
            "DIRECTORY", self.project.candidates, TASK_SETS=str(self.set), CUDABENCH_COMPILE_FAILURE="record"
        )
        assert status == 0, output

    def build(self) -> set[str]:
        """What was compiled and linked, by targets; names of objects and programs."""
        status, output = self.project.make("mine")
        assert status == 0, output
        return set(re.findall(r"Building (?:CUDA|CXX) object .*?/([\w.]+)\.dir/", output))


@pytest.fixture
def suite(ninja_project: Project, tmp_path: Path) -> Suite:
    return Suite(ninja_project, tmp_path)


CANDIDATES = {"mine_a_softmax", "mine_b_softmax", "mine_a_own_softmax", "mine_b_own_softmax"}


def test_only_what_a_change_concerns_is_built_again(suite: Suite) -> None:
    project = suite.project
    assert project.modules() == {name.removeprefix("mine_") for name in CANDIDATES}
    assert suite.build() == set(), "nothing changed"
    assert "no work to do" in project.make("mine")[1]

    (project.candidates / "b" / "softmax.cu").write_text(OTHER)
    assert suite.build() == {"mine_b_softmax"}, "a candidate"
    suite.header.write_text(OTHER)
    assert suite.build() == {"mine_a_softmax"}, "a header"

    project.add("c/softmax.cu")
    assert suite.build() == {"mine_c_softmax", "mine.softmax"}, "a new candidate, and the task's table of cases"
    (project.candidates / "c" / "softmax.cu").unlink()
    assert suite.build() == {"mine.softmax"}, "a removed candidate: the table"
    assert not any("c_softmax" in name for name in project.tests())

    suite.reference.write_text(suite.reference.read_text() + "\n// another remark\n")
    assert suite.build() == {"cudabench_reference_own_softmax", "mine.own_softmax"}, "a reference, and the task's hash"
    suite.task.write_text(suite.task.read_text() + "\n# another remark\n")
    changed = suite.build()
    assert "mine_a_softmax" not in changed, "a task: nothing of another"
    assert "mine.softmax" not in changed
    assert suite.build() == set()


def test_configuring_again_and_touched_files_build_nothing(suite: Suite) -> None:
    suite.configure()
    assert suite.build() == set()
    os.utime(suite.task)
    assert suite.build() == set(), "the generator writes only what changes"


def test_a_build_tree_can_move(suite: Suite, tmp_path: Path) -> None:
    project = suite.project
    moved = tmp_path / "elsewhere" / "tree"
    moved.parent.mkdir()
    project.build.rename(moved)
    project.build = moved
    assert len(project.tests()) == 20
    _, output = project.ctest("-V", "-R", r"\.large\.b_softmax")
    assert "case b_softmax_large module cudabench/mine/modules/b_softmax.so root 3" in output
