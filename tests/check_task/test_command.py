"""`cudabench check-task` as authors start it, as far as nothing is built: mistakes in what it is given."""

import os
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

TEAM = ROOT / "tests" / "package" / "installed" / "team"


def check_task(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [ROOT / "cudabench", "check-task", "--no-setup", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["softmx"], "no task is called softmx; did you mean softmax?"),
        (["--tasks-dir", TEAM, "softmax"], "no task is called softmax"),
        (["--tasks-dir", "/"], "/tasks: no such directory"),
        (["--seeds", "0", "softmax"], "0 is no positive whole number"),
        (["--update", "--quick", "softmax"], "--quick: not allowed with argument --update"),
    ],
)
def test_mistakes_in_the_call(arguments, message):
    finished = check_task(*arguments)
    assert (finished.returncode, finished.stdout) == (2, "")
    assert message in finished.stderr


def test_a_mistake_in_the_task_file_is_told_at_once(tmp_path):
    shutil.copytree(TEAM, tmp_path / "team")
    (statement,) = (tmp_path / "team" / "tasks").glob("*/*.toml")
    statement.write_text(statement.read_text().replace('kind = "exact"', 'kind = "equal"'))
    finished = check_task("--tasks-dir", tmp_path / "team")
    assert finished.returncode == 2
    assert f"{statement}: output[0].check.kind: 'equal' is unknown; allowed: exact, bounded" in finished.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_build_tree_without_tools_is_a_fault(tmp_path, jobs):
    """Also where each task has a process of its own."""
    task = ROOT / "tasks" / "deep_learning" / "softmax.toml"
    command = [sys.executable, "-m", "check_task", task, task, "--build", tmp_path, "--jobs", str(jobs)]
    path = {"PYTHONPATH": str(ROOT / "tools"), "PYTHONDONTWRITEBYTECODE": "1"}
    finished = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | path)
    assert (finished.returncode, finished.stdout) == (4, "")
    assert "cudabench_examiner" in finished.stderr
    assert "Traceback" not in finished.stderr
