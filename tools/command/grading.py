"""Running the cases of a build tree by CTest, and going on after an interruption."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum, auto
from pathlib import Path

from command.build_tree import BuildTree
from command.gpus import Gpu, write_resource_spec
from report.document import Run
from report.plural import plural

RUN_NAME = "candidates"  # of the cudabench_add_candidates() in the root CMakeLists.txt


def manifest_of(directory: Path) -> Path:
    return directory / "cudabench" / RUN_NAME / "manifest.json"


class Which(Enum):
    """Which cases are run."""

    ALL = auto()
    FAILED = auto()  # those that have not passed, for whatever reason
    CHANGED = auto()  # those whose verdict is not known, or of another source or task
    NONE = auto()


class UnfinishedRun:
    """A file that exists while cases are run. If it is there before, the last run was interrupted: cases graded since
    it was written, with the same options, need not be graded again."""

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


def graded_since(run: Run, since: float) -> set[str]:
    """Ids of the cases whose verdict is known, and was found since then."""
    return {
        o.case.id for o in run.outcomes if o.ran and o.case.result.exists() and o.case.result.stat().st_mtime >= since
    }


def run_cases(
    tree: BuildTree,
    run: Run,
    jobs: int | None,
    gpus: Sequence[Gpu],
    options: Mapping[str, str],
    which: Which = Which.ALL,
) -> None:
    """Runs the cases of `run`, those of an interrupted run left out that are graded. Results are left in files. With
    several GPUs the cases are spread over them; `jobs` at a time, by default one on each."""
    unfinished = UnfinishedRun(tree.directory, {**options, "which": which.name})
    since = unfinished.begin()
    graded = graded_since(run, since) if since is not None else set()
    if graded:
        cases = plural(len(run.outcomes), "case")
        print(f"going on after an interruption: {len(graded)} of {cases} graded", file=sys.stderr)
    ids = _wanted(run, which) - graded
    jobs = jobs or max(1, len(gpus))
    if ids:
        spread = _spread(tree, gpus, jobs)
        selection = _select(tree, ids) if len(ids) < len(run.outcomes) else []
        status = tree.ctest(
            ["-j", str(jobs), "--progress", "--no-label-summary", "--no-tests=error", *selection, *spread],
            extra=options,
        )
        if status not in (0, 8):  # 8: tests failed
            tree.fault(f"ctest ended with {status}, see above")
    elif which is not Which.ALL:
        print(f"nothing to run: {_SETTLED[which]}", file=sys.stderr)
    unfinished.finish()


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


def _select(tree: BuildTree, ids: Iterable[str]) -> list[str]:
    """CTest takes numbers of tests in a file; their order is that of its listing."""
    listing = subprocess.run(
        ["ctest", "--test-dir", tree.directory, "--show-only=json-v1"], capture_output=True, check=False
    )
    if listing.returncode:
        tree.fault(f"ctest could not list the cases of {tree.directory}")
    wanted = set(ids)
    numbers = [
        str(number)
        for number, test in enumerate(json.loads(listing.stdout)["tests"], start=1)
        if wanted & {name.rpartition(".")[2] for word in test.get("command", []) for name in word.split(":")}
    ]
    path = manifest_of(tree.directory).with_name("remaining_tests")
    path.write_text(",".join(["0", "0", "0", *numbers]) + "\n", encoding="utf-8")
    return ["-I", str(path)]
