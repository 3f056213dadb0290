"""`cudabench grade --serve`: a request a line, a reply a line, in the order in which they are ready."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from . import reply
from .grader import Grader
from .request import LONGEST_SOURCE, Request, RequestError, parse

LONGEST_LINE = 4 * LONGEST_SOURCE  # bytes; JSON may escape each


class Server:
    """Grades requests of one or many streams in `jobs` threads. No stream is read while `queue_length` requests wait:
    its peer feels that in its writes."""

    def __init__(self, grader: Grader, tasks: Mapping[str, str], *, jobs: int, queue_length: int) -> None:
        self._grader = grader
        self._tasks = tasks
        self._queue: queue.Queue[_Job | None] = queue.Queue(queue_length)
        self._abandoned = False
        self._threads = [threading.Thread(target=self._work, name=f"job {i}") for i in range(jobs)]
        for thread in self._threads:
            thread.start()

    def serve(self, requests: BinaryIO, write: Callable[[bytes], object]) -> None:
        """Reads to the end of the stream, returns when all is answered. What cannot be written any more is dropped."""
        replies = _Replies(write)
        while line := requests.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                while line and not line.endswith(b"\n"):
                    line = requests.readline(LONGEST_LINE)
                replies.send(reply.refused(None, None, f"a line is at most {LONGEST_LINE >> 20} MiB"))
            elif line.strip():
                self._accept(line, replies)
        replies.wait()

    def abandon(self) -> None:
        """From now on what waits is answered as not run; what is being graded is finished."""
        self._abandoned = True

    def finish(self) -> None:
        """Returns when all that was accepted is answered."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _accept(self, line: bytes, replies: _Replies) -> None:
        try:
            request = parse(line, self._tasks)
        except RequestError as error:
            replies.send(reply.refused(error.request_id, error.field, str(error)))
        else:
            replies.expect()
            self._queue.put(_Job(request, replies, time.monotonic()))

    def _work(self) -> None:
        while job := self._queue.get():
            job.replies.answer(self._answer(job.request, time.monotonic() - job.since))

    def _answer(self, request: Request, waited: float) -> dict[str, Any]:
        if self._abandoned:
            return reply.not_graded(request, "not_run", "the grader was stopped", {"queue": waited})
        try:
            return self._grader.grade(request, waited)
        except Exception as error:  # a mistake in the grader must not end the thread: others would wait for ever
            return reply.not_graded(request, "fault", f"{type(error).__name__}: {error}", {"queue": waited})


class _Replies:
    """To one stream. Thread-safe."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self._write = write
        self._expected = 0
        self._changed = threading.Condition()

    def send(self, answer: dict[str, Any]) -> None:
        with self._changed, contextlib.suppress(OSError):
            self._write(json.dumps(answer).encode() + b"\n")

    def expect(self) -> None:
        """One more answer will be given."""
        with self._changed:
            self._expected += 1

    def answer(self, answer: dict[str, Any]) -> None:
        self.send(answer)
        with self._changed:
            self._expected -= 1
            self._changed.notify_all()

    def wait(self) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._expected == 0)


@dataclass(frozen=True)
class _Job:
    request: Request
    replies: _Replies
    since: float


class UnixSocket:
    """Listens at a path, for this user only. Each connection is served in a thread of its own."""

    def __init__(self, path: Path) -> None:
        """Raises OSError. A socket that nobody listens at any more is replaced."""
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connections: set[socket.socket] = set()
        self._threads: set[threading.Thread] = set()
        self._lock = threading.Lock()
        _remove_dead(path)
        mask = os.umask(0o177)
        try:
            self._socket.bind(str(path))
        finally:
            os.umask(mask)
        self._socket.listen()

    def serve(self, server: Server) -> None:
        """Until it is interrupted by an exception."""
        while True:
            connection, _ = self._socket.accept()
            thread = threading.Thread(target=self._serve, args=(server, connection))
            with self._lock:
                self._connections.add(connection)
                self._threads.add(thread)
            thread.start()

    def close(self) -> None:
        """Accepts and reads no more; replies can still be sent."""
        self._socket.close()
        with contextlib.suppress(OSError):
            self._path.unlink()
        with self._lock:
            connections, threads = list(self._connections), list(self._threads)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RD)
        for thread in threads:
            thread.join()

    def _serve(self, server: Server, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as requests, contextlib.suppress(OSError):
            server.serve(requests, connection.sendall)
        with self._lock:
            self._connections.discard(connection)
            self._threads.discard(threading.current_thread())


def _remove_dead(path: Path) -> None:
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
