"""Running the cases of a build tree by CTest, and going on after an interruption."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from command.build_tree import BuildTree
from command.failed_counting import failed_countings, warn_of
from command.gpus import Gpu, write_resource_spec
from report.counted import counting_of
from report.document import Run
from report.outcome import Outcome
from report.plural import plural

RUN_NAME = "candidates"  # of the cudabench_add_candidates() in the root CMakeLists.txt


def manifest_of(directory: Path) -> Path:
    return directory / "cudabench" / RUN_NAME / "manifest.json"


class Which(Enum):
    """Which cases are run. Counting belongs to them."""

    ALL = auto()
    FAILED = auto()  # those that have not passed, for whatever reason; counting that has failed too
    CHANGED = auto()  # those whose verdict or counting is not known, or of another source or task
    NONE = auto()


class UnfinishedRun:
    """A file that exists while cases are run. If it is there before, the last run was interrupted: what was graded and
    counted since it was written, with the same options, need not be again."""

    def __init__(self, directory: Path, options: Mapping[str, str]) -> None:
        self._path = manifest_of(directory).with_name("unfinished.json")
        self._options = json.dumps(options, sort_keys=True)

    def begin(self) -> float | None:
        """When the interrupted run began (seconds since the epoch), None if there is none."""
        try:
            if self._path.read_text(encoding="utf-8") == self._options:
                return self._path.stat().st_mtime
        except (OSError, ValueError):
            pass
        self._path.write_text(self._options, encoding="utf-8")
        return None

    def finish(self) -> None:
        self._path.unlink(missing_ok=True)


@dataclass(frozen=True)
class Work:
    """What is to be done, as ids of cases."""

    grade: set[str]
    count: set[str]  # besides those that are graded: what they execute is counted afterwards anyway


def work_of(run: Run, which: Which, since: float | None) -> Work:
    """`since`: when the interrupted run began that is gone on with; nothing that it did is done again."""
    graded = {o.case.id for o in run.outcomes if o.ran and _written_since(o.case.result, since)}
    timed = [o for o in run.outcomes if o.correct and o.result.get("measurement")]
    uncounted = {o.case.id for o in timed if not _is_counted(o, which, since if o.case.id in graded else None)}
    return Work(_wanted(run, which) - graded, uncounted)


def _is_counted(outcome: Outcome, which: Which, since: float | None) -> bool:
    counting = counting_of(outcome.result, outcome.case.counters)
    if counting is None or (which is Which.FAILED and counting.failed):
        return False
    return since is None or _written_since(outcome.case.counters, since)


def _written_since(path: Path, since: float | None) -> bool:
    return since is not None and path.exists() and path.stat().st_mtime >= since


def run_cases(
    tree: BuildTree,
    run: Run,
    jobs: int | None,
    gpus: Sequence[Gpu],
    options: Mapping[str, str],
    which: Which = Which.ALL,
) -> None:
    """Runs the cases of `run` and counts what they execute; what an interrupted run has done is not done again. Results
    are left in files. With several GPUs the cases are spread over them; `jobs` at a time, by default one on each."""
    unfinished = UnfinishedRun(tree.directory, {**options, "which": which.name})
    since = unfinished.begin()
    work = work_of(run, which, since)
    if since is not None:
        _say_what_is_left(run, work, since)
    everything = len(work.grade) == len(run.outcomes)
    tests = [] if everything else _tests_of(tree, work)
    jobs = jobs or max(1, len(gpus))
    if everything or tests:
        spread = _spread(tree, gpus, jobs)
        selection = _select(tree, tests) if tests else []
        status = tree.ctest(
            ["-j", str(jobs), "--progress", "--no-label-summary", "--no-tests=error", *selection, *spread],
            extra=options,
        )
        if status not in (0, 8):  # 8: tests failed
            tree.fault(f"ctest ended with {status}, see above")
        if status == 8 and (failed := failed_countings(tree.directory)):
            warn_of(failed, tree.directory)
    elif which is not Which.ALL:
        print(f"nothing to run: {_SETTLED[which]}", file=sys.stderr)
    unfinished.finish()


def _say_what_is_left(run: Run, work: Work, since: float) -> None:
    graded = sum(o.ran and _written_since(o.case.result, since) for o in run.outcomes)
    if graded:
        cases = plural(len(run.outcomes), "case")
        counting = f", {len(work.count)} of them not counted" if work.count and not work.grade else ""
        print(f"going on after an interruption: {graded} of {cases} graded{counting}", file=sys.stderr)


_SETTLED = {Which.FAILED: "all cases have passed", Which.CHANGED: "every case has a verdict of what is there now"}


def _wanted(run: Run, which: Which) -> set[str]:
    outcomes = run.outcomes
    if which is Which.FAILED:
        return {o.case.id for o in outcomes if not o.correct}
    if which is Which.CHANGED:
        return {o.case.id for o in outcomes if not o.ran}
    return {o.case.id for o in outcomes}


def _spread(tree: BuildTree, gpus: Sequence[Gpu], jobs: int) -> list[str]:
    """CTest hands each case a GPU where there are several."""
    if len(gpus) < 2:
        return []
    path = manifest_of(tree.directory).with_name("resources.json")
    write_resource_spec(path, gpus, slots=-(-jobs // len(gpus)))
    return ["--resource-spec-file", str(path)]


def _tests_of(tree: BuildTree, work: Work) -> list[int]:
    """Numbers of the tests in CTest's listing that do the work. What a candidate executes is counted by one test."""
    listing = subprocess.run(
        ["ctest", "--test-dir", tree.directory, "--show-only=json-v1"], capture_output=True, check=False
    )
    if listing.returncode:
        tree.fault(f"ctest could not list the cases of {tree.directory}")
    numbers = []
    for number, test in enumerate(json.loads(listing.stdout)["tests"], start=1):
        command = test.get("command", [])
        wanted = work.grade | work.count if "--counters" in command else work.grade
        if wanted & {name.rpartition(".")[2] for word in command for name in word.split(":")}:
            numbers.append(number)
    return numbers


def _select(tree: BuildTree, tests: Sequence[int]) -> list[str]:
    """CTest takes numbers of tests in a file."""
    path = manifest_of(tree.directory).with_name("remaining_tests")
    path.write_text(",".join(["0", "0", "0", *map(str, tests)]) + "\n", encoding="utf-8")
    return ["-I", str(path)]
