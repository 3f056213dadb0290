"""`cudabench grade FILE`: one candidate at once; `cudabench grade --serve`: many, for programs."""

import argparse
import contextlib
import errno
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from command.build_tree import default_jobs, job_count
from command.checkout import ROOT, SCALES, TOOLS_DIR, add_tasks_dir, chosen, shown, task_sets
from command.child import at_signals, ignore_signals, obeying_soon
from command.ending import CommandError, Exit, Interrupted
from command.grading_tools import GradingTools
from command.option_types import names, seed
from grade.fault import GraderFault
from grade.grader import Grader
from grade.listener import UnixSocket
from grade.request import (
    FEEDBACK,
    STAGES,
    Limits,
    Request,
    RequestError,
    check_seconds,
    check_size,
    ordered_scales,
    read_source,
)
from grade.server import Server
from report.log import json_text
from report.printable import printable

_STEM = re.compile(r"(?P<task>[^@]+?)(?:@(?P<scale>[^@.]+))?(?:\.s\d+)?")
_QUEUE = 64
_MOST_JOBS = 8  # on one GPU: a case can need 8 GB of its memory
_OF_FILE = {"task": None, "scales": None, "stop_after": "plausible", "seed": None, "feedback": "full",
            "keep_going": False, "counters": False, "compile_limit": None, "host_limit": None,
            "device_limit": None}  # fmt: skip
_OF_SERVER = {"jobs": None, "queue": _QUEUE, "tasks": None}
_LONGEST_SOCKET = 107  # bytes that the system takes
_SPARES = 2  # workers a GPU that wait: a source that is compiled already is graded faster than one starts


def add_parser(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "grade",
        help="grade one candidate at once, or serve requests",
        description="Compiles one source, checks what it computes and measures it, as ctest would, without CMake. The "
        "tools are built on first use. --serve reads a JSON request a line and writes a JSON reply a line; "
        "docs/grade.md has both forms and a Python client.",
        epilog="exit codes: 0 correct, 1 the candidate's fault, 2 usage or input, 3 not run, 4 fault of grader or "
        "machine. --serve: 0 ended by the end of its input or a signal.",
    )
    parser.add_argument("file", nargs="?", metavar="FILE", help="CUDA source; - is standard input")
    parser.add_argument("--task", help="that the source is for; default: as the file's name says")
    parser.add_argument("--scales", type=names, metavar="SCALE,...", help="default: all")
    parser.add_argument("--stop-after", choices=STAGES, default="plausible", help="later stages are not tried")
    parser.add_argument("--seed", type=seed, metavar="N", help="of the inputs, decimal or 0x...; default: fresh")
    parser.add_argument("--feedback", choices=FEEDBACK, default="full", help="minimal: neither values nor shapes")
    parser.add_argument("--keep-going", action="store_true", help="go on with further scales after a failure")
    parser.add_argument("--counters", action="store_true", help="count what passed scales execute, for their scores")
    parser.add_argument("--json", action="store_true", help="print the reply as JSON, alone on standard output")
    for name, what in {"compile": "nvcc", "host": "host code", "device": "a recipe on the GPU"}.items():
        parser.add_argument(
            f"--{name}-limit", type=_seconds, metavar="SECONDS", help=f"that {what} may take; default: ctest's"
        )
    parser.add_argument("--build-dir", type=Path, default=TOOLS_DIR, metavar="DIR", help=f"default: {shown(TOOLS_DIR)}")
    parser.add_argument("--cache-size", type=job_count, default=1024, metavar="MIB", help="of builds; default: 1024")
    parser.add_argument("--gpus", type=names, metavar="GPU,...",
                        help="as for CUDA_VISIBLE_DEVICES, one a worker; default: the first")  # fmt: skip
    add_tasks_dir(parser)
    parser.add_argument("--unsafe", action="store_true", help="grade although host code cannot be confined here")
    parser.add_argument("--no-setup", action="store_true", help="do not look for missing packages")
    serve = parser.add_argument_group("to serve")
    serve.add_argument("--serve", action="store_true", help="requests from standard input, replies to standard output")
    serve.add_argument("--socket", type=Path, metavar="PATH", help="serve connections to this Unix socket instead")
    serve.add_argument("--jobs", "-j", type=job_count, metavar="N", help="requests at once; default: one a CPU, at "
                       f"most {_MOST_JOBS} a GPU")  # fmt: skip
    serve.add_argument("--queue", type=job_count, default=_QUEUE, metavar="N",
                       help=f"requests that may wait; default: {_QUEUE}")  # fmt: skip
    serve.add_argument("--tasks", type=names, metavar="TASK,...", help="build these only")
    parser.set_defaults(start=grade)


def grade(arguments: argparse.Namespace) -> int:
    if arguments.unsafe:
        os.environ["CUDABENCH_UNSAFE"] = "1"
    serving = arguments.serve or arguments.socket is not None
    if serving == (arguments.file is not None):
        raise CommandError(Exit.INPUT, "give a FILE to grade, or --serve")
    if serving:
        _refuse(arguments, _OF_FILE, "is for a FILE; with --serve each request says it")
    else:
        _refuse(arguments, _OF_SERVER, "is for --serve")
    tools = GradingTools(arguments.build_dir, task_sets())
    return _serve(arguments, tools) if serving else _grade_one(arguments, tools)


def _refuse(arguments: argparse.Namespace, unused: Mapping[str, object], reason: str) -> None:
    """What would be ignored: somebody relies on it."""
    for name, default in unused.items():
        if getattr(arguments, name) != default:
            raise CommandError(Exit.INPUT, f"--{name.replace('_', '-')} {reason}")


def _grade_one(arguments: argparse.Namespace, tools: GradingTools) -> int:
    request = _request(arguments, tools.task_names())
    tools.ensure([request.task], setup=not arguments.no_setup)
    with _grader(arguments, spares=0) as grader:
        reply = grader.grade(request)
    print(json_text(reply) if arguments.json else printable(_in_words(reply)))
    return reply["exit_code"]


def _serve(arguments: argparse.Namespace, tools: GradingTools) -> int:
    known = tools.task_names()
    if arguments.tasks:
        wanted = {known[name] for name in chosen(arguments.tasks, "task", known)}
        known = {alias: name for alias, name in known.items() if name in wanted}
    if arguments.socket:
        _check_socket(arguments.socket)
    tools.ensure(known.values(), setup=not arguments.no_setup)
    with obeying_soon(), _grader(arguments, spares=_SPARES) as grader:
        jobs = arguments.jobs or min(default_jobs(), _MOST_JOBS * len(arguments.gpus or [None]))
        server = Server(grader, known, _command(arguments), jobs=jobs, queue_length=arguments.queue)
        try:
            with contextlib.suppress(Interrupted):
                _listen(server, grader, arguments.socket)
        except BaseException:
            server.abandon()
            raise
        finally:
            _finish(server.finish, server, grader)
            ignore_signals()  # all is answered; what is left, workers that wait, goes in a moment
    return Exit.DONE


def _check_socket(path: Path) -> None:
    """Before the tools are built, which takes minutes."""
    if not path.absolute().parent.is_dir():
        raise CommandError(Exit.INPUT, f"--socket {path}: there is no directory {path.parent}; make it first")
    if len(os.fsencode(path)) > _LONGEST_SOCKET:
        raise CommandError(Exit.INPUT, f"--socket {path}: has more than {_LONGEST_SOCKET} bytes; give a shorter path, "
                           "such as one from the working directory")  # fmt: skip


def _listen(server: Server, grader: Grader, path: Path | None) -> None:
    """To the end of the input, or until a signal: then what waits is answered as not run."""
    if path is None:
        at_signals(lambda: _end_input(server, grader))
        server.serve(sys.stdin.buffer, server.open(sys.stdout.fileno()))
        return
    try:
        listening = UnixSocket(path)
    except OSError as error:
        taken = error.errno == errno.EADDRINUSE
        cause = (
            "another server listens there, or it is no socket; name another place" if taken else error.strerror or error
        )
        raise CommandError(Exit.INPUT, f"--socket {path}: {cause}") from error
    print(f"cudabench: serving at {shown(path)}", file=sys.stderr, flush=True)
    try:
        listening.serve(server)
    except Interrupted:
        server.abandon()
    finally:
        _finish(listening.close, server, grader)


def _end_input(server: Server, grader: Grader) -> None:
    """At a signal: whoever reads standard input finds its end, once the signal has interrupted that."""
    at_signals(lambda: _stop(server, grader))
    server.abandon()
    os.dup(sys.stdin.fileno())  # whoever writes to it is not told
    os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdin.fileno())


def _stop(server: Server, grader: Grader) -> None:
    ignore_signals()
    server.abandon()
    grader.stop()


def _finish(wait: Callable[[], None], server: Server, grader: Grader) -> None:
    """`wait`: for what is being graded. A further signal ends also that; those that come then change nothing."""
    at_signals(lambda: _stop(server, grader))
    wait()


@contextlib.contextmanager
def _grader(arguments: argparse.Namespace, spares: int) -> Iterator[Grader]:
    gpus = arguments.gpus or [_first_gpu()]
    try:
        grader = Grader(
            arguments.build_dir.absolute(),
            cache_bytes=arguments.cache_size << 20,
            gpus=gpus,
            spares=spares * len(gpus),
        )
    except GraderFault as error:
        raise CommandError(Exit.FAULT, str(error)) from error
    try:
        yield grader
    finally:
        grader.close()


def _first_gpu() -> str:
    """Of those that are visible. Workers see no other: to look at all of them takes the driver its time."""
    return os.environ.get("CUDA_VISIBLE_DEVICES", "0").partition(",")[0]


def _request(arguments: argparse.Namespace, known: dict[str, str]) -> Request:
    try:
        source, path = _source(arguments.file)
        stem = path and _STEM.fullmatch(Path(arguments.file).stem)
        name = arguments.task or (stem and stem["task"])
        if not arguments.task and name not in known:
            origin = f"the name of {arguments.file}" if path else "standard input"
            raise CommandError(Exit.INPUT, f"--task is missing: {origin} does not say what it is for")
        task = known[chosen([name], "task", known)[0]]
        scales = arguments.scales or ([stem["scale"]] if stem and stem["scale"] else list(SCALES))
        return Request(
            id=str(path.name if path else "-"),
            task=task,
            source=source,
            path=path,
            scales=ordered_scales(chosen(scales, "scale", SCALES)),
            stop_after=arguments.stop_after,
            seed=arguments.seed,
            feedback=arguments.feedback,
            keep_going=arguments.keep_going,
            counters=arguments.counters,
            limits=Limits(arguments.compile_limit, arguments.host_limit, arguments.device_limit),
            command=_command(arguments),
        )
    except RequestError as error:
        raise CommandError(Exit.INPUT, str(error)) from error


def _command(arguments: argparse.Namespace) -> tuple[str, ...]:
    """That repeats a grading, from whatever directory, but for what belongs to the request."""
    words = [str(ROOT / "cudabench"), "grade"]
    words += [word for directory in task_sets() for word in ("--tasks-dir", str(directory))]
    if arguments.build_dir != TOOLS_DIR:
        words += ["--build-dir", str(arguments.build_dir.absolute())]
    return (*words, *(["--unsafe"] if arguments.unsafe else []))


def _source(file: str) -> tuple[bytes, Path | None]:
    if file != "-":
        return read_source(Path(file))
    source = sys.stdin.buffer.read()
    check_size(source, "standard input")
    return source, None


def _seconds(text: str) -> float:
    try:
        value = float(text)
        check_seconds(value, "")
    except (ValueError, RequestError):
        raise argparse.ArgumentTypeError(f"{text} is no number of seconds above 0 and at most 86400") from None
    return value


def _in_words(reply: dict[str, Any]) -> str:
    head = f"{reply['verdict']}: {reply['task']}"
    head += f", stage {reply['stage']}" if reply["verdict"] == "fail" else ""
    devices = [case["device"] for case in reply["cases"] if case["device"]]
    lines = [f"{head}, on {devices[-1]}" if devices else head]
    lines += [f"  {reply['message']}"] if reply["message"] else []
    for case in reply["cases"]:
        line = f"  {case['scale']:<7} {case['verdict']}"
        if case["seconds"] is not None:
            line += f"  {case['seconds']:.6g} s"
        if case["scores"]:
            line += "  Performance-Score {performance:.3f}, speed of light {speed_of_light:.3f}".format(
                **case["scores"]
            )
        lines.append("  ".join([line, *case["marks"]]))
    for kernel in (reply["compile"] or {}).get("kernels", []):
        spills = kernel["spill_stores"] + kernel["spill_loads"]
        lines.append(f"  {kernel['name']}: {kernel['registers']} registers, {spills} bytes spilled")
    if reply["stage"] in ("compile", "contract"):
        lines += reply["compile"]["log"].rstrip().splitlines()
    if reply["seconds"]:
        lines.append("  " + ", ".join(f"{step} {value:.2f} s" for step, value in reply["seconds"].items()))
    return "\n".join([*lines, f"  again: {reply['command']}"])
