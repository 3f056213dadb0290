"""Faults of the grader or the machine, which say nothing of a candidate."""


class GraderFault(Exception):
    """The text says what failed and what to do."""


class Stopped(Exception):
    """The grader was told to stop before the candidate was graded."""
