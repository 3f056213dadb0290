"""Programs that the command starts: shown before, ended with all that they started when the command is interrupted."""

import contextlib
import ctypes
import os
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TextIO

from command.checkout import ROOT, shown
from command.ending import CommandError, Exit, Interrupted

_PR_SET_CHILD_SUBREAPER = 36
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_LOOK = 0.2  # seconds
_PATIENCE = 10.0  # seconds that an interrupted build or test run has to end by itself
_at_signals: list[Callable[[], object]] = []


def obey_signals() -> None:
    """Interrupt, termination and hang-up end the children first. Orphans of children become ours, so none is missed."""

    def interrupt(number: int, _frame: object) -> None:
        if not _at_signals:
            raise Interrupted(number)
        _at_signals[-1]()

    for number in _SIGNALS:
        signal.signal(number, interrupt)
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def at_signals(do: Callable[[], object]) -> None:
    """From now on signals call `do` and interrupt nothing: what took a lock just then would keep it for ever."""
    _at_signals.append(do)


def ignore_signals() -> None:
    """From now on: the end is under way, and soon there."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextlib.contextmanager
def obeying_soon() -> Iterator[None]:
    """For who waits long: a signal that comes just before the main thread begins to wait is seen when the wait ends.
    Here it is interrupted a few times a second."""
    signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, _LOOK, _LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def run(command: Sequence[str | Path], *, to: TextIO, extra: Mapping[str, str] | None = None) -> int:
    """Shows and runs `command` in the checkout with `extra` environment; its output goes to `to`. The exit status."""
    words = [str(word) for word in command]
    settings = "".join(f"{name}={shlex.quote(value)} " for name, value in (extra or {}).items())
    print(f"+ {settings}{shlex.join(_short(words))}", file=sys.stderr, flush=True)
    try:
        process = subprocess.Popen(
            words, cwd=ROOT, env={**os.environ, **(extra or {})}, stdin=subprocess.DEVNULL, stdout=to
        )
    except FileNotFoundError:
        raise CommandError(
            Exit.FAULT, f"{words[0]} is not installed; `./cudabench doctor` tells what is missing"
        ) from None
    try:
        return process.wait()
    except Interrupted:
        _end(process)
        raise


def _short(words: list[str]) -> list[str]:
    """Absolute paths below the working directory as a person would type them."""
    here = f"{Path.cwd()}/"
    return [shown(Path(word)) if word.startswith(here) else word for word in words]


def _end(process: subprocess.Popen) -> None:
    ignore_signals()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.send_signal(signal.SIGINT)
        process.wait(_PATIENCE)
    while pids := descendants(os.getpid()):
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.01)


def descendants(ancestor: int) -> list[int]:
    """Living processes below `ancestor`, zombies left out."""
    children: dict[int, list[int]] = {}
    alive = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError):
                state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                children.setdefault(int(parent), []).append(int(entry.name))
                if state != "Z":
                    alive.add(int(entry.name))
    below, queue = [], [ancestor]
    while queue:
        for child in children.get(queue.pop(), []):
            queue.append(child)
            if child in alive:
                below.append(child)
    return below
