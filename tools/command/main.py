"""The command line of cudabench."""

import argparse
import errno
import os
import sys
from pathlib import Path

from command import doctor, evaluate, listing, memcheck, selftest, single, task_check
from command.checkout import GRADE_DIR, shown
from command.child import obey_signals
from command.ending import CommandError, Exit, Interrupted
from report.__main__ import add_arguments, report
from report.log import Log
from report.manifest import InputError

EXAMPLES = """examples:
  ./cudabench evaluate candidates/examples            grade the examples
  ./cudabench evaluate my/answers --tasks softmax     only one task
  ./cudabench grade softmax.cu --scales tiny          one source at once
  ./cudabench report                                  show the last report again
  ./cudabench prompts softmax --level 2               the prompt to give to a model
  ./cudabench test                                    the project's own tests
"""


def main() -> int:
    """Runs the command; the exit code."""
    sys.stdout, sys.stderr = Log(sys.stdout), Log(sys.stderr)
    try:
        return _run()
    except CommandError as error:
        return _fail(error.code, str(error))
    except InputError as error:
        return _fail(Exit.INPUT, str(error))
    except Interrupted as interrupted:
        number = interrupted.args[0]
        return _fail(128 + number, "interrupted; what was built and graded is kept, run the same command to go on")
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.DONE
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        hint = "; make room and run again: what is graded already is kept" if full else ""
        return _fail(Exit.FAULT, f"{error.filename or 'file system'}: {error.strerror}{hint}")


def _run() -> int:
    arguments = _parser().parse_args()
    obey_signals()
    return arguments.start(arguments)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="cudabench",
        description="Grades CUDA kernels: whether they are right, and how close they come to the hardware's roofline.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    evaluate.add_parser(commands)
    single.add_parser(commands)
    reporting = commands.add_parser(
        "report",
        help="show the report of a build tree again, or of several machines' together",
        epilog="exit codes: 0 reported, 2 usage or input, 4 a file could not be written",
    )
    add_arguments(reporting, Path(shown(GRADE_DIR)))
    reporting.set_defaults(start=_report)
    listing.add_parsers(commands)
    task_check.add_parser(commands)
    selftest.add_parser(commands)
    memcheck.add_parser(commands)
    doctor.add_parser(commands)
    return parser


def _report(arguments: argparse.Namespace) -> int:
    report(arguments)
    return Exit.DONE


def _fail(code: int, message: str) -> int:
    sys.stdout.flush()
    print(f"cudabench: {message}", file=sys.stderr)
    return code
