"""Tests of the last CTest run that should have counted what cases execute, and failed.

No verdict depends on them, and candidates can cause it: users are told, and the run stands.
"""

import re
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from command.checkout import shown
from report.plural import plural
from report.printable import printable

_PREFIX = "counters."
_TEST = re.compile(r"\d+/\d+ Testing: (.*)")
_LONGEST_REASON = 200


@dataclass(frozen=True)
class FailedCounting:
    test: str
    reason: str


def failed_countings(directory: Path) -> list[FailedCounting]:
    """Of the build tree's last CTest run, which had failures."""
    logs = directory / "Testing" / "Temporary"
    try:
        failed = (logs / "LastTestsFailed.log").read_text(encoding="utf-8", errors="replace").splitlines()
        names = [name for line in failed if (name := line.partition(":")[2]).startswith(_PREFIX)]
        with (logs / "LastTest.log").open(encoding="utf-8", errors="replace") as log:
            said = _output(log, set(names)) if names else {}
    except OSError:
        return []
    return [FailedCounting(name, _reason(said.get(name, []))) for name in names]


def warn_of(failed: list[FailedCounting], directory: Path) -> None:
    """One line, with a command that shows more."""
    command = ["ctest", "--test-dir", shown(directory), "-L", "counters", "--rerun-failed", "--output-on-failure"]
    print(
        f"cudabench: warning: {plural(len(failed), 'test')} of counting failed, {failed[0].test}: {failed[0].reason}; "
        "where nothing was counted the work of the task's model stands. To count again and see more: "
        + shlex.join(command),
        file=sys.stderr,
    )


def _output(log: Iterable[str], wanted: set[str]) -> dict[str, list[str]]:
    """What each of the tests printed, by CTest's log of all."""
    said: dict[str, list[str]] = {}
    name, inside = "", False
    for line in map(str.rstrip, log):
        if start := _TEST.fullmatch(line):
            name, inside = start[1], False
        elif name in wanted and not inside:
            inside = line == "Output:"
        elif line == "<end of output>":
            name, inside = "", False
        elif inside:
            said.setdefault(name, []).append(line)
    return said


def _reason(lines: list[str]) -> str:
    """The first failure of which GoogleTest tells, else the last words."""
    told = iter(lines)
    for line in told:
        if line.endswith(": Failure"):
            return _cut(next((text for text in told if text.strip() and text != "Failed"), "no reason is known"))
    return _cut(next((line for line in reversed(lines) if line.strip(" -")), "it printed nothing"))


def _cut(text: str) -> str:
    text = printable(text.strip())
    return text if len(text) <= _LONGEST_REASON else text[: _LONGEST_REASON - 1] + "…"
