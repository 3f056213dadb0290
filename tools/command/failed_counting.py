"""Tests of the last CTest run that should have counted what cases execute, and failed.

No verdict depends on them, and candidates can cause it: users are told, and the run stands. Why one failed is told by
what it printed alone, in which a candidate can have a hand: it is not repeated here as the word of CUDABench.
"""

import shlex
import sys
from pathlib import Path

from command.checkout import shown
from report.plural import plural

_PREFIX = "counters."


def _logs(directory: Path) -> Path:
    return directory / "Testing" / "Temporary"


def failed_countings(directory: Path) -> list[str]:
    """The tests, of the build tree's last CTest run, which had failures."""
    try:
        failed = (_logs(directory) / "LastTestsFailed.log").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return []
    return [name for line in failed.splitlines() if (name := line.partition(":")[2]).startswith(_PREFIX)]


def warn_of(failed: list[str], directory: Path) -> None:
    """One line, with the file that tells why and a command that counts again."""
    command = ["ctest", "--test-dir", shown(directory), "-L", "counters", "--rerun-failed", "--output-on-failure"]
    print(
        f"cudabench: warning: {plural(len(failed), 'test')} of counting failed, the first {failed[0]}; where "
        f"nothing was counted the work of the task's model stands. {shown(_logs(directory) / 'LastTest.log')} has what "
        f"each printed; to count again: {shlex.join(command)}",
        file=sys.stderr,
    )
