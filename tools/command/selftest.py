"""`cudabench test`: the project's own tests."""

import argparse
import sys
from pathlib import Path

from command.build_tree import BuildTree, default_jobs, job_count, set_up
from command.checkout import TEST_DIR, shown
from command.ending import Exit


def add_parser(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "test",
        help="build and run the project's own tests",
        description="Configures, builds and runs the project's own tests. Those that need a GPU are skipped without "
        "one. Arguments after -- go to ctest.",
        epilog="exit codes: 0 all passed, 1 a test failed, 2 usage, 4 the tests could not be built",
    )
    parser.add_argument("--build-dir", type=Path, default=TEST_DIR, metavar="DIR", help=f"default: {shown(TEST_DIR)}")
    parser.add_argument(
        "--jobs", "-j", type=job_count, default=default_jobs(), metavar="N", help="default: %(default)s"
    )
    parser.add_argument("--no-setup", action="store_true", help="do not look for missing packages")
    parser.add_argument("ctest", nargs="*", metavar="-- CTEST_ARGUMENT", help="e.g. -- -L device")
    parser.set_defaults(start=test)


def test(arguments: argparse.Namespace) -> int:
    tree = BuildTree(arguments.build_dir, sys.stdout)
    if not arguments.no_setup:
        set_up(sys.stdout)
    tree.configure({"CUDABENCH_BUILD_TESTS": "ON", "CUDABENCH_CANDIDATES": ""})
    tree.build(arguments.jobs)
    status = tree.ctest(
        ["-j", str(arguments.jobs), "--output-on-failure", "--no-tests=error", *arguments.ctest],
    )
    return Exit.FAILED if status else Exit.DONE
