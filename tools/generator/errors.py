"""The one kind of error that a user's files can cause."""

from __future__ import annotations

from pathlib import Path


class TaskError(Exception):
    """Something in a task set is wrong; the text names the file, the place, what is wrong and what is allowed."""

    def __init__(self, file: Path, place: str, wrong: str, allowed: str = "") -> None:
        where = f"{file}: {place}: " if place else f"{file}: "
        super().__init__(where + wrong + (f"; {allowed}" if allowed else ""))
