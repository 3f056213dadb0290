"""Exit codes that no other test here produces, with scripts that stand for cmake and ctest."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
UNGRADED = ROOT / "tests" / "command" / "ungraded"

# Configures, by leaving the tree of an ungraded run, or builds; CMAKE_FAILS names what of the two fails.
CMAKE = """#!/bin/sh
case "$1" in
--build) what=build ;;
*) what=configure; while [ "$1" != -B ]; do shift; done; tree=$2 ;;
esac
[ "$what" = "$CMAKE_FAILS" ] && exit 1
[ "$what" = build ] && exit 0
mkdir -p "$tree" && echo "CMAKE_GENERATOR:INTERNAL=Ninja" >"$tree/CMakeCache.txt"
[ -e "$tree/cudabench" ] || cp -r "$UNGRADED/cudabench" "$tree"
"""
CTEST = '#!/bin/sh\nexit "${CTEST_STATUS:-0}"\n'


@pytest.fixture
def command(tmp_path):
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in {"cmake": CMAKE, "ctest": CTEST, "compute-sanitizer": "#!/bin/sh\n"}.items():
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)

    def start(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        """On a machine that has a GPU."""
        program = (
            f"import sys; sys.path.insert(0, {str(ROOT / 'tools')!r})\n"
            "from command import main, memcheck\n"
            "memcheck.visible_gpus = lambda: ('a GPU',)\n"
            "sys.exit(main.main())\n"
        )
        return subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments)],
            env=os.environ
            | {"PATH": f"{tools}:{os.environ['PATH']}", "UNGRADED": str(UNGRADED), "CMAKE_FAILS": ""}
            | environment,
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    return start


@pytest.mark.parametrize(
    ("environment", "code"),
    [({}, 0), ({"CTEST_STATUS": "8"}, 1), ({"CMAKE_FAILS": "configure"}, 4), ({"CMAKE_FAILS": "build"}, 4)],
)
def test_of_the_projects_own_tests(command, tmp_path, environment, code):
    process = command("test", "--no-setup", "--build-dir", tmp_path / "tree", **environment)
    assert process.returncode == code, process.stderr
    assert "Traceback" not in process.stderr


def test_of_their_usage(command):
    assert command("test", "--jobs", "none").returncode == 2


def test_of_building_alone(command, tmp_path, answers):
    words = ("evaluate", answers, "--no-setup", "--build-dir", tmp_path / "tree", "--build-only")
    process = command(*words)
    assert process.returncode == 4
    assert "no compile record of 1 case, see above" in process.stderr
    record = tmp_path / "tree" / "cudabench" / "candidates" / "compile" / "softmax.json"
    record.parent.mkdir()
    record.write_text(json.dumps({"schema": 1, "status": "ok", "source_sha256": "0" * 64}))
    process = command(*words)
    assert process.returncode == 0, process.stderr
    assert "1 of 1 candidate compiled; nothing was run" in process.stderr
    assert "ctest" not in process.stderr
    assert command(*words, CMAKE_FAILS="build").returncode == 4


def test_of_shards(command, tmp_path, answers):
    words = ("evaluate", answers, "--no-setup", "--build-dir", tmp_path / "tree")
    assert command(*words, "--shard", "0/2").returncode == 2
    process = command(*words, "--shard", "2/2")
    assert process.returncode == 2
    assert "shard 2/2 is empty: the candidates are only 1" in process.stderr
    assert command(*words, "--rerun-failed", "--only-changed").returncode == 2
    process = command(*words, "--shard", "1/1", "--architecture", "90a", "--build-only", CMAKE_FAILS="build")
    assert "-DCUDABENCH_SHARD=1/1" in process.stderr
    assert "-DCUDABENCH_ARCHITECTURE=90a" in process.stderr


def test_of_a_sanitizer_that_says_nothing(command, tmp_path):
    tree = shutil.copytree(UNGRADED, tmp_path / "tree")
    process = command("memcheck", "--build-dir", tree, CTEST_STATUS="7")
    assert process.returncode == 4
    assert "ctest ended with 7 and left no DynamicAnalysis.xml" in process.stderr


def test_of_lists_and_reports(command, tmp_path):
    tree = shutil.copytree(UNGRADED, tmp_path / "tree")
    assert command("list").returncode == 0
    assert command("prompts", "softmax").returncode == 0
    assert command("report", tree).returncode == 0
    assert command("report", tree, tree).returncode == 2
    assert command("report", tree, "--junit", tree / "cudabench" / "candidates" / "manifest.json").returncode == 4


DOCUMENTED = {
    "evaluate": {0, 1, 2, 3, 4, 130},
    "grade": {0, 1, 2, 3, 4},
    "report": {0, 2, 4},
    "check-task": {0, 1, 2, 4},
    "test": {0, 1, 2, 4},
    "memcheck": {0, 1, 2, 3, 4},
    "doctor": {0, 2, 3, 4},
}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_documented_codes_are_those_that_tests_produce(command, name):
    """A new code in a help text is to be produced by a test, and to be added above."""
    text = re.sub(r"\s+", " ", command(name, "--help").stdout)
    codes = text[text.index("exit codes:") :].partition("--serve")[0]
    assert {int(code) for code in re.findall(r"\b(\d+) ", codes)} == DOCUMENTED[name]


def test_an_interrupt_while_it_starts_shows_no_insides(tmp_path):
    """Here it waits for a module that it loads."""
    (tmp_path / "ctypes.py").write_text("import sys, time\nprint('loading', flush=True)\ntime.sleep(600)\n")
    process = subprocess.Popen(
        [ROOT / "cudabench", "doctor"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "loading\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == -signal.SIGINT
