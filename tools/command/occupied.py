"""A build tree belongs to one `evaluate` at a time: two would overwrite each other's build and results."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from command.checkout import shown
from command.ending import CommandError, Exit


@contextlib.contextmanager
def occupied(directory: Path) -> Iterator[None]:
    """Makes and holds the build tree. The kernel lets go of it with the process, however that ends. Raises CommandError
    if another process holds it."""
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / "evaluate.lock").open("a+", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            process = lock.read().strip() or "unknown"
            raise CommandError(
                Exit.INPUT,
                f"{shown(directory)} is in use by another evaluate (process {process}); wait, or give --build-dir",
            ) from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        yield
