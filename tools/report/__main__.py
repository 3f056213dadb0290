"""`python -m report [BUILD_DIR | MANIFEST ...] [--json]`; also what `cudabench report` runs."""

import argparse
import errno
import sys
from pathlib import Path

from report.csv_table import csv_text
from report.ctest_tags import ctest_tags
from report.document import Run, collect, document
from report.files import write_atomically
from report.junit import write_junit
from report.log import Log, json_text
from report.manifest import InputError, find_manifests, load_manifest
from report.markdown import markdown_text
from report.merge import merge_by_name
from report.table import render
from report.terminal import terminal_of

BOOTSTRAP_SEED = 1


def add_arguments(parser: argparse.ArgumentParser, default: Path) -> None:
    parser.add_argument(
        "places",
        nargs="*",
        type=Path,
        default=[default],
        metavar="BUILD_DIR",
        help=f"build tree, folder of a run in it, or manifest.json (default: {default}); several are joined where they "
        "hold parts of one run",
    )
    parser.add_argument("--json", action="store_true", help="print report.json instead of the tables")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="also write a row a case")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also append a summary, as GitHub's step summary")
    parser.add_argument("--junit", type=Path, metavar="DIR", help="also write a JUnit file a domain")
    parser.add_argument("--ctest-tags", action="store_true", help="also print the scores as CTest measurements")
    parser.add_argument("--bootstrap-seed", type=int, default=BOOTSTRAP_SEED, metavar="N", help="default: %(default)s")


def load_runs(places: list[Path], bootstrap_seed: int = BOOTSTRAP_SEED) -> list[Run]:
    """Places that hold parts of one run are joined. Raises InputError."""
    manifests = [[load_manifest(path) for path in find_manifests(place)] for place in places]
    return [collect(manifest, bootstrap_seed) for manifest in merge_by_name(manifests)]


def publish(runs: list[Run], as_json: bool) -> None:
    """Prints the report, then writes report.json beside the manifest of each run that lies in one place. Raises OSError
    if that cannot be written."""
    if as_json:
        print(json_text(document(runs), indent=1))
    else:
        print("\n".join(render(run, terminal_of(sys.stdout)) for run in runs), end="")
    sys.stdout.flush()
    for run in runs:
        if len(run.manifest.parts) > 1:
            continue
        path = run.manifest.path.with_name("report.json")
        write_atomically(path, json_text(document([run]), indent=1) + "\n")
        if not as_json:
            print(f"{path}")


def report(arguments: argparse.Namespace) -> None:
    """Raises InputError and OSError."""
    runs = load_runs(arguments.places, arguments.bootstrap_seed)
    publish(runs, arguments.json)
    if arguments.ctest_tags:
        print(ctest_tags(runs), end="", file=sys.stderr if arguments.json else sys.stdout)
    if arguments.csv:
        write_atomically(arguments.csv, csv_text(runs))
    if arguments.markdown:
        with arguments.markdown.open("a", encoding="utf-8") as file:
            file.write(markdown_text(runs))
    if arguments.junit:
        write_junit(arguments.junit, runs)


def main() -> int:
    """Exit codes: 0 reported, 2 usage or input, 4 the report could not be written."""
    sys.stdout, sys.stderr = Log(sys.stdout), Log(sys.stderr)
    parser = argparse.ArgumentParser(prog="cudabench-report", description="Scores of graded candidates.")
    add_arguments(parser, Path("build/grade"))
    arguments = parser.parse_args()
    try:
        report(arguments)
    except InputError as error:
        print(f"cudabench-report: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        if error.errno == errno.EPIPE:
            raise
        print(f"cudabench-report: cannot write the report: {error}", file=sys.stderr)
        return 4
    return 0


if __name__ == "__main__":
    sys.exit(main())
