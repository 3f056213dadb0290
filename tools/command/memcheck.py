"""`cudabench memcheck`: the cases of a build tree again, under NVIDIA's compute-sanitizer."""

import argparse
import base64
import shutil
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from command.build_tree import BuildTree, job_count
from command.checkout import GRADE_DIR, shown
from command.child import run
from command.ending import CommandError, Exit
from command.gpus import visible_gpus
from command.grading import manifest_of
from command.occupied import occupied
from report.manifest import find_manifests
from report.plural import plural

_PLACES = "/usr/local/cuda/bin"
_SCRIPT = Path(__file__).with_name("memcheck.cmake")


@dataclass(frozen=True)
class Defective:
    """What the sanitizer says of one case."""

    test: str
    defects: int
    log: str


@dataclass(frozen=True)
class Analysis:
    cases: int
    defective: tuple[Defective, ...]


def add_parser(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "memcheck",
        help="run graded cases under compute-sanitizer",
        description="Runs cases of a build tree of `evaluate` by `ctest -T memcheck` with compute-sanitizer, which "
        "finds accesses within a page that grading does not. Verdicts, times and results of grading stay.",
        epilog="exit codes: 0 nothing was found, 1 something was, 2 usage or input, 3 there is no GPU or no "
        "compute-sanitizer, 4 fault",
    )
    parser.add_argument("--build-dir", type=Path, default=GRADE_DIR, metavar="DIR", help=f"default: {shown(GRADE_DIR)}")
    parser.add_argument(
        "--tests", default=r"\.tiny\.", metavar="REGEX", help=r"only CTest names that match (default: %(default)s)"
    )
    parser.add_argument("--jobs", "-j", type=job_count, default=1, metavar="N", help="default: %(default)s")
    parser.set_defaults(start=memcheck)


def memcheck(arguments: argparse.Namespace) -> int:
    find_manifests(arguments.build_dir)
    sanitizer = shutil.which("compute-sanitizer") or shutil.which("compute-sanitizer", path=_PLACES)
    if not sanitizer:
        raise CommandError(Exit.NOT_RUN, "compute-sanitizer is not installed: package cuda-sanitizer-13-0")
    if not visible_gpus():
        raise CommandError(Exit.NOT_RUN, "compute-sanitizer needs a GPU; `./cudabench doctor` tells what is missing")
    tree = BuildTree(arguments.build_dir, sys.stderr)
    with occupied(tree.directory):
        analysis = _run(tree.directory, sanitizer, arguments)
    for case in analysis.defective:
        print(f"{case.test}: {plural(case.defects, 'defect')}")
        print("\n".join(f"    {line}" for line in case.log.strip().splitlines()[:12]))
    print(f"{plural(analysis.cases, 'case')} checked, {len(analysis.defective)} with defects")
    return Exit.FAILED if analysis.defective else Exit.DONE


def _run(tree: Path, sanitizer: str, arguments: argparse.Namespace) -> Analysis:
    own = manifest_of(tree).with_name("memcheck")
    own.mkdir(parents=True, exist_ok=True)
    environment = {
        "MEMCHECK_BUILD_DIR": str(tree),
        "MEMCHECK_COMMAND": sanitizer,
        "MEMCHECK_JOBS": str(arguments.jobs),
        "MEMCHECK_TESTS": arguments.tests,
        "CUDABENCH_RESULTS": str(own),
        "CUDABENCH_STOP_AFTER": "values",  # times would be the sanitizer's
    }
    status = run(["ctest", "-S", _SCRIPT, "-V"], to=sys.stderr, extra=environment)
    file = _analysis(tree)
    if file is None:
        raise CommandError(Exit.FAULT, f"ctest ended with {status} and left no DynamicAnalysis.xml, see above")
    analysis = read_analysis(file)
    if not analysis.cases:
        raise CommandError(Exit.INPUT, f"no case matches {arguments.tests}")
    return analysis


def _analysis(tree: Path) -> Path | None:
    """The file of the last run, which Testing/TAG names."""
    try:
        tag = (tree / "Testing" / "TAG").read_text(encoding="utf-8").split()[0]
    except (OSError, IndexError):
        return None
    file = tree / "Testing" / tag / "DynamicAnalysis.xml"
    return file if file.exists() else None


def read_analysis(file: Path) -> Analysis:
    """CTest's DynamicAnalysis.xml: a list of all cases, then those with defects."""
    root = ElementTree.parse(file).getroot()
    listed = [test for names in root.iter("TestList") for test in names.iter("Test")]
    found = [test for test in root.iter("Test") if "Status" in test.attrib]
    defective = tuple(
        Defective(test.findtext("Name", ""), defects, _log(test.find("Log")))
        for test in found
        if (defects := sum(int(defect.text or 0) for defect in test.iter("Defect")))
    )
    return Analysis(len(listed), defective)


def _log(element: ElementTree.Element | None) -> str:
    if element is None or not element.text:
        return ""
    if element.get("encoding") != "base64":
        return element.text
    return zlib.decompress(base64.b64decode(element.text)).decode(errors="replace")
