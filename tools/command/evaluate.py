"""`cudabench evaluate DIR`: set up, configure, build, run the cases, report."""

import argparse
import shlex
import sys
from pathlib import Path

from command.build_tree import BuildTree, default_jobs, job_count, set_up
from command.checkout import GRADE_DIR, SCALES, add_tasks_dir, chosen, shown, task_sets, tasks
from command.ending import CommandError, Exit
from command.gpus import visible_gpus
from command.grading import Which, manifest_of, run_cases
from command.occupied import occupied
from command.option_types import names, seed
from generator.candidates import CandidateError, discover
from generator.shard import Shard, ShardError
from report.__main__ import load_runs, publish
from report.document import Run
from report.plural import plural


def add_parser(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "evaluate",
        help="grade a directory of candidates",
        description="Builds each candidate of DIR, checks what it computes, measures it, and prints CUDABench-Score. "
        "Candidates are files <task>[@<scale>][.s<k>].cu, anywhere below DIR; <model>/level<1-3>/ in the path tells "
        "model and prompt level.",
        epilog="exit codes: 0 grading completed, 1 a case failed (with --strict), 2 usage or input, 3 cases not run, "
        "4 fault of grader or machine, 130 interrupted (run again to go on)",
    )
    parser.add_argument("directory", type=Path, metavar="DIR", help="directory of candidates")
    parser.add_argument("--build-dir", type=Path, default=GRADE_DIR, metavar="DIR", help=f"default: {shown(GRADE_DIR)}")
    parser.add_argument("--tasks", type=names, default=[], metavar="TASK,...", help="only these tasks")
    parser.add_argument(
        "--scales", type=names, default=[], metavar="SCALE,...", help=f"only these of {', '.join(SCALES)}"
    )
    parser.add_argument("--shard", type=_shard, metavar="I/N", help="only the I-th of N parts of the candidates, for a "
                        "machine each; `report` takes the build trees of all")  # fmt: skip
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--rerun-failed", dest="which", action="store_const", const=Which.FAILED, default=Which.ALL,
                       help="run only the cases that have not passed")  # fmt: skip
    which.add_argument("--only-changed", dest="which", action="store_const", const=Which.CHANGED,
                       help="run only the cases without a verdict of what is there now")  # fmt: skip
    which.add_argument("--build-only", dest="which", action="store_const", const=Which.NONE,
                       help="compile the candidates and run nothing: needs no GPU")  # fmt: skip
    add_tasks_dir(parser)
    parser.add_argument("--strict", action="store_true", help="exit code 1 if a case failed")
    parser.add_argument("--unsafe", action="store_true", help="grade although host code cannot be confined here")
    parser.add_argument("--seed", type=seed, metavar="N", help="inputs of this seed, decimal or 0x...; default: fresh")
    parser.add_argument("--jobs", "-j", type=job_count, metavar="N", help="parallel builds and cases; default: a build "
                        "a CPU, one case at a time on each GPU")  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print report.json on standard output instead of tables")
    parser.add_argument("--architecture", metavar="ARCH", help="GPU architecture to compile for, e.g. 90a; default: of "
                        "the GPU here, else 90")  # fmt: skip
    parser.add_argument("--no-setup", action="store_true", help="do not look for missing packages")
    parser.set_defaults(start=evaluate)


def evaluate(arguments: argparse.Namespace) -> int:
    directory = _checked(arguments)
    tree = BuildTree(arguments.build_dir, sys.stderr)
    with occupied(tree.directory):
        return _grade(arguments, directory, tree)


def _grade(arguments: argparse.Namespace, directory: Path, tree: BuildTree) -> Exit:
    options = _options(arguments)
    if not arguments.no_setup:
        set_up(sys.stderr)
    tree.configure(
        {
            "CUDABENCH_CANDIDATES": str(directory),
            "CUDABENCH_TASKS": ";".join(arguments.tasks),
            "CUDABENCH_SCALES": ";".join(arguments.scales),
            "CUDABENCH_TASK_SETS": ";".join(map(str, task_sets())),
            "CUDABENCH_SHARD": str(arguments.shard or ""),
            # A candidate that does not compile fails its cases; what fails the build is the harness.
            "CUDABENCH_COMPILE_FAILURE": "record",
            **({"CUDABENCH_ARCHITECTURE": arguments.architecture} if arguments.architecture else {}),
        }
    )
    tree.build(arguments.jobs or default_jobs(), extra=options)
    if arguments.which is Which.NONE:
        return _built(_load(tree))
    run_cases(tree, _load(tree), arguments.jobs, visible_gpus(), options, arguments.which)
    run = _load(tree)
    publish([run], arguments.json)
    return _verdict(run, arguments.strict)


def _built(run: Run) -> Exit:
    """What there is to say before any case has run."""
    compiled = {o.case.compile_record for o in run.outcomes if o.stage not in ("compile", "contract", "not_built")}
    candidates = {o.case.compile_record for o in run.outcomes}
    if missing := sum(o.stage == "not_built" for o in run.outcomes):
        raise CommandError(Exit.FAULT, f"no compile record of {plural(missing, 'case')}, see above")
    print(
        f"{len(compiled)} of {plural(len(candidates), 'candidate')} compiled; nothing was run. The same command "
        "without --build-only runs the cases",
        file=sys.stderr,
    )
    return Exit.DONE


def _shard(text: str) -> Shard:
    try:
        return Shard.parse(text)
    except ShardError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _options(arguments: argparse.Namespace) -> dict[str, str]:
    options = {}
    if arguments.seed is not None:
        options["CUDABENCH_SEED"] = f"{arguments.seed:#x}"
    if arguments.unsafe:
        options["CUDABENCH_UNSAFE"] = "1"
    return options


def _checked(arguments: argparse.Namespace) -> Path:
    """The directory, made sure to hold candidates of the wanted tasks before anything is built."""
    arguments.tasks = chosen(arguments.tasks, "task", tasks())
    arguments.scales = chosen(arguments.scales, "scale", SCALES)
    if arguments.directory.is_file():
        raise CommandError(Exit.INPUT, _one_file(arguments.directory))
    try:
        candidates = discover(arguments.directory, tasks())
    except CandidateError as error:
        raise CommandError(Exit.INPUT, str(error)) from error
    wanted_tasks, wanted_scales = set(arguments.tasks or tasks()), set(arguments.scales or SCALES)
    wanted = [c for c in candidates if c.task in wanted_tasks and wanted_scales & set(c.scales)]
    if not wanted:
        raise CommandError(Exit.INPUT, f"{arguments.directory}: no candidate for the selected tasks and scales")
    try:
        if arguments.shard:
            arguments.shard.of(wanted)
    except ShardError as error:
        raise CommandError(Exit.INPUT, f"{arguments.directory}: {error}") from error
    return arguments.directory.resolve()


def _one_file(file: Path) -> str:
    return (
        f"{file}: is a file; give the directory that holds it, or grade it alone: "
        f"./cudabench grade {shlex.quote(str(file))} --task TASK"
    )


def _load(tree: BuildTree) -> Run:
    return load_runs([manifest_of(tree.directory)])[0]


def _verdict(run: Run, strict: bool) -> Exit:
    cases = plural(len(run.outcomes), "case")
    faults = [o for o in run.outcomes if o.stage == "fault"]
    not_run = sum(not o.ran for o in run.outcomes)
    failed = sum(o.ran and not o.correct for o in run.outcomes)
    if faults:
        raise CommandError(
            Exit.FAULT, f"the grader or the machine failed in {plural(len(faults), 'case')}: {faults[0].headline}"
        )
    if not_run:
        raise CommandError(Exit.NOT_RUN, f"{not_run} of {cases} {'was' if not_run == 1 else 'were'} not run")
    if strict and failed:
        raise CommandError(Exit.FAILED, f"{failed} of {cases} failed")
    return Exit.DONE
