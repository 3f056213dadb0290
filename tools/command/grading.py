"""Running the cases of a build tree by CTest, and going on after an interruption."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from command.build_tree import BuildTree
from report.document import Run
from report.plural import plural

RUN_NAME = "candidates"  # of the cudabench_add_candidates() in the root CMakeLists.txt


def manifest_of(directory: Path) -> Path:
    return directory / "cudabench" / RUN_NAME / "manifest.json"


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


def run_cases(tree: BuildTree, run: Run, jobs: int, options: Mapping[str, str]) -> None:
    """Runs the cases of `run`, those of an interrupted run left out that are graded. Results are left in files."""
    unfinished = UnfinishedRun(tree.directory, options)
    since = unfinished.begin()
    graded = graded_since(run, since) if since is not None else set()
    selection = []
    if graded:
        print(
            f"going on after an interruption: {len(graded)} of {plural(len(run.outcomes), 'case')} graded",
            file=sys.stderr,
        )
        selection = _select(tree, {o.case.id for o in run.outcomes} - graded)
    if len(graded) < len(run.outcomes):
        status = tree.ctest(
            ["-j", str(jobs), "--progress", "--no-label-summary", "--no-tests=error", *selection], extra=options
        )
        if status not in (0, 8):  # 8: tests failed
            tree.fault(f"ctest ended with {status}, see above")
    unfinished.finish()


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
