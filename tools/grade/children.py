"""Processes that the grader starts, and those that outlive them."""

from __future__ import annotations

import contextlib
import os
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_own: set[int] = set()
_lock = threading.Lock()


def start(command: Sequence[str | Path], **options: Any) -> subprocess.Popen[bytes]:
    """As Popen. forget() it when it has ended."""
    with _lock:
        process = subprocess.Popen(command, **options)
        _own.add(process.pid)
        return process


def forget(process: subprocess.Popen[bytes]) -> None:
    """Of a process whose end was waited for. What it left behind came to us, who obey signals (command/child.py):
    ended long ago but for the entry in the table of processes, which goes here."""
    with _lock:
        _own.discard(process.pid)
        for pid in _children() - _own:
            with contextlib.suppress(ChildProcessError):
                os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG)


def _children() -> set[int]:
    """Of all threads; empty where the kernel does not tell."""
    pids: set[int] = set()
    for thread in Path("/proc/self/task").iterdir():
        with contextlib.suppress(OSError):
            pids.update(map(int, (thread / "children").read_text().split()))
    return pids
