"""How the command ends."""

from enum import IntEnum


class Exit(IntEnum):
    DONE = 0  # grading completed
    FAILED = 1  # a case failed and --strict was given; a test of the project failed
    INPUT = 2  # usage or input
    NOT_RUN = 3  # cases did not run, e.g. without a GPU
    FAULT = 4  # of the grader or the machine


class CommandError(Exception):
    """Ends the command with one message and an exit code."""

    def __init__(self, code: Exit, message: str) -> None:
        super().__init__(message)
        self.code = code


class Interrupted(Exception):
    """A signal asked for the end; its number is the argument."""
