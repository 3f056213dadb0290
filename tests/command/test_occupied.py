"""One `evaluate` at a time on a build tree."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

HOLD = f"""
import sys
sys.path.insert(0, {str(ROOT / "tools")!r})
from pathlib import Path
from command.occupied import occupied

with occupied(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold(directory: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    return process


def test_a_second_evaluate_is_refused_and_says_who_holds_the_tree(cudabench, answers, tmp_path):
    tree = tmp_path / "tree"
    with hold(tree) as first:
        second = cudabench("evaluate", answers, "--no-setup", "--build-dir", tree)
        assert (second.returncode, second.stdout) == (2, "")
        expected = f"tree is in use by another evaluate (process {first.pid}); wait, or give --build-dir\n"
        assert second.stderr.endswith(expected)
        assert [path.name for path in tree.iterdir()] == ["evaluate.lock"]
        first.stdin.close()


def test_a_killed_evaluate_leaves_the_tree_free(tmp_path):
    with hold(tmp_path) as first:
        first.kill()
        first.wait()
    with hold(tmp_path) as next_one:
        next_one.stdin.close()
    assert next_one.returncode == 0
