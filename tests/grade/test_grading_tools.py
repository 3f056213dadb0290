"""The build tree of the tools, which several processes may want at once."""

import fcntl
import subprocess
import sys
import threading

from conftest import ROOT
from test_grade import wait_for

from command.grading_tools import GradingTools


def test_who_waits_for_anothers_build_is_told(tmp_path, monkeypatch, capsys):
    built = []
    monkeypatch.setattr(GradingTools, "_built", lambda _: set())
    monkeypatch.setattr(GradingTools, "_build", lambda _, wanted, setup: built.append((wanted, setup)))
    tools = GradingTools(tmp_path)
    ensuring = threading.Thread(target=tools.ensure, args=(["softmax"],), kwargs={"setup": False})
    with (tmp_path / "grading_tools.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        ensuring.start()
        wait_for(lambda: f"waiting for who builds {tmp_path}" in capsys.readouterr().err)
        assert not built
    ensuring.join()
    assert built == [({"softmax"}, False)]


def test_a_build_tree_of_evaluate_can_grade_single_sources(tmp_path):
    """CMake takes AND and OR from left to right: candidates once kept away the targets that were asked for."""
    options = ["-DCUDABENCH_GRADING=ON", "-DCUDABENCH_BUILD_TESTS=OFF", "-DCUDABENCH_TASKS=softmax"]
    options += [f"-DCUDABENCH_CANDIDATES={ROOT / 'candidates' / 'examples'}", f"-DPython3_EXECUTABLE={sys.executable}"]
    subprocess.run(["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", *options], check=True)
    command = ["cmake", "--build", tmp_path, "--target", "help"]
    targets = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "\ncudabench_grading: phony\n" in targets
