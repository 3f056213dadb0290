"""--tasks-dir: tasks of one's own, for all commands that name tasks."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEAM = ROOT / "tests" / "package" / "installed" / "team"


def test_its_tasks_are_listed_with_the_others(cudabench):
    own = cudabench("list", "--tasks-dir", TEAM).stdout.splitlines()
    others = cudabench("list").stdout.splitlines()
    assert len(own) == len(others) + 1
    assert any(line.split() == ["row_reversal", "layout", "Row", "reversal"] for line in own)


def test_its_prompts_are_printed(cudabench):
    prompt = cudabench("prompts", "row_reversal", "--level", "3", "--tasks-dir", TEAM).stdout
    assert "Write a CUDA kernel for row reversal." in prompt
    assert "void solve(const float* input, float* output, int rows, int cols)" in prompt
    assert cudabench("prompts", "--tasks-dir", TEAM).stdout.count("prompts row_reversal --level") == 3


def test_its_candidates_are_found(cudabench, tmp_path):
    (tmp_path / "row_reversal.cu").write_text("")
    process = cudabench("evaluate", tmp_path, "--tasks", "row_reversal,softmx", "--tasks-dir", TEAM)
    assert "no task is called softmx" in process.stderr, "the first is known"


def test_one_source_can_be_graded_for_its_tasks(cudabench, tmp_path):
    """Their names are known before anything is built."""
    source = tmp_path / "answer.cu"
    source.write_text("")
    words = ("grade", source, "--task", "row_reversl", "--build-dir", tmp_path / "absent")
    process = cudabench(*words, "--tasks-dir", TEAM)
    assert process.returncode == 2
    assert "did you mean row_reversal" in process.stderr
    assert "row_reversal" not in cudabench(*words).stderr


@pytest.mark.parametrize(
    ("directory", "message"), [("/", "/tasks: no such directory; a task set is"), (ROOT, "is taken by")]
)
def test_what_is_no_set_of_its_own_is_refused(cudabench, directory, message):
    process = cudabench("list", "--tasks-dir", directory)
    assert (process.returncode, process.stdout) == (2, "")
    assert message in process.stderr
