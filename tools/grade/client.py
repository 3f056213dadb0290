"""A client of `cudabench grade --serve`. Needs nothing but Python: the file can be copied.

with Grader() as grader:
    reply = grader.grade("softmax", source, scales=["tiny", "large"])
    print(reply.verdict, reply.message)
"""

from __future__ import annotations

import itertools
import json
import socket
import subprocess
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVE = ("./cudabench", "grade", "--serve")
LONGEST_LINE = 16 << 20  # bytes, of a request


class GradingFault(Exception):
    """Nothing is known of the candidate: no GPU, a fault of the grader, or its end. Never learn from it."""


class RequestRefused(ValueError):
    """The request makes no sense; the text names the field."""


@dataclass(frozen=True)
class Case:
    """One scale."""

    scale: str
    verdict: str
    message: str
    seconds: float | None  # of the candidate on the GPU, median
    performance: float | None  # the Performance-Score
    speed_of_light: float | None  # at most 1


@dataclass(frozen=True)
class Reply:
    verdict: str  # pass or fail
    stage: str | None  # where it failed
    message: str  # one line
    log: str  # of nvcc
    cases: tuple[Case, ...]
    json: dict[str, Any]  # all of it, as docs/grade.md says

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"


class Grader:
    """Starts a server and ends it, or connects to one that listens at `address`. Thread-safe."""

    def __init__(self, command: Sequence[str | Path] = SERVE, *, address: str | Path | None = None) -> None:
        self._process = None
        if address is None:
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            self._requests, self._replies = self._process.stdin, self._process.stdout
        else:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                try:
                    connection.connect(str(address))
                except OSError as error:
                    said = f"{error.strerror or error}; does a server listen there?"
                    raise type(error)(error.errno, said, str(address)) from None
                self._requests, self._replies = connection.makefile("wb"), connection.makefile("rb")
                self._connection = connection.dup()
        self._waiting: dict[int, Future[Reply]] = {}
        self._ids = itertools.count(1)
        self._ended = False
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def grade(self, task: str, source: str, **options: Any) -> Reply:
        """Waits for the reply. Raises GradingFault and RequestRefused. `options`: fields of a request."""
        return self.submit(task, source, **options).result()

    def submit(self, task: str, source: str, **options: Any) -> Future[Reply]:
        """The reply to come. Blocks while the server's queue is full."""
        future: Future[Reply] = Future()
        future.set_running_or_notify_cancel()  # what the server has read is graded
        number = next(self._ids)
        line = json.dumps({**options, "id": number, "task": task, "source": source}).encode() + b"\n"
        if len(line) > LONGEST_LINE:  # the server could not tell whose it is
            raise RequestRefused(f"source: is too long: a line of {len(line)} bytes, at most {LONGEST_LINE} are read")
        with self._lock:
            if self._ended:
                raise GradingFault("the server has ended")
            self._waiting[number] = future
        try:
            with self._writing:
                self._requests.write(line)
                self._requests.flush()
        except OSError:
            self._fail_all()
        return future

    def close(self) -> None:
        """Waits for the replies to come."""
        try:
            self._requests.close()
            if self._process is None:
                self._connection.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # it has ended already
        self._reader.join()
        self._replies.close()
        if self._process is None:
            self._connection.close()
        else:
            self._process.wait()

    def __enter__(self) -> Grader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        try:
            for line in self._replies:
                reply = json.loads(line)
                with self._lock:
                    future = self._waiting.pop(reply["id"], None)
                if future is not None:
                    _settle(future, reply)
        except (OSError, ValueError):
            pass  # the connection broke
        self._fail_all()

    def _fail_all(self) -> None:
        with self._lock:
            self._ended = True
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for future in waiting:
            future.set_exception(GradingFault("the server ended before it replied"))


def _settle(future: Future[Reply], reply: dict[str, Any]) -> None:
    if reply["verdict"] == "error":
        future.set_exception(RequestRefused(reply["message"]))
    elif reply["verdict"] in ("not_run", "fault"):
        future.set_exception(GradingFault(f"{reply['verdict']}: {reply['message']}"))
    else:
        future.set_result(_reply(reply))


def _reply(reply: dict[str, Any]) -> Reply:
    cases = []
    for case in reply["cases"]:
        scores = case["scores"] or {"performance": None, "speed_of_light": None}
        cases.append(
            Case(case["scale"], case["verdict"], case["message"], case["seconds"], scores["performance"],
                 scores["speed_of_light"])
        )  # fmt: skip
    log = reply["compile"]["log"] if reply["compile"] else ""
    return Reply(reply["verdict"], reply["stage"], reply["message"], log, tuple(cases), reply)
