"""`cudabench grade --serve`: a request a line, a reply a line, in the order in which they are ready."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from . import reply
from .grader import Grader
from .replies import Replies
from .request import LONGEST_SOURCE, Request, RequestError, parse

LONGEST_LINE = 4 * LONGEST_SOURCE  # bytes; JSON may escape each


class Server:
    """Grades requests of one or many peers in `jobs` threads. No peer is read while `queue_length` requests wait, or as
    many replies for it alone: it feels that in its writes."""

    def __init__(
        self, grader: Grader, tasks: Mapping[str, str], command: tuple[str, ...], *, jobs: int, queue_length: int
    ) -> None:
        self._grader = grader
        self._tasks = tasks
        self._command = command
        self._queue: queue.Queue[_Job | None] = queue.Queue(queue_length)
        self._most_owed = queue_length + 2 * jobs  # a peer that reads never owes so much
        self._peers: set[Replies] = set()
        self._abandoned = False
        self._told_to_end = 0  # threads
        self._changed = threading.Condition()
        self._working = jobs  # threads that have not ended
        self._threads = [threading.Thread(target=self._work, name=f"job {i}") for i in range(jobs)]
        for thread in self._threads:
            thread.start()

    def open(self, descriptor: int) -> Replies:
        """To a peer that is written to by `descriptor`. close() them."""
        replies = Replies(descriptor, self._most_owed)
        with self._changed:
            self._peers.add(replies)
            if self._abandoned:
                replies.hurry()
        return replies

    def close(self, replies: Replies) -> None:
        with self._changed:
            self._peers.discard(replies)
        replies.close()

    def serve(self, requests: BinaryIO, replies: Replies) -> None:
        """Reads to the end of the stream, returns when all is answered. What cannot be written any more is dropped."""
        while line := self._read(requests, replies):
            if len(line) > LONGEST_LINE:
                while line and not line.endswith(b"\n"):
                    line = requests.readline(1 << 20)
                replies.send(reply.refused(None, None, f"a line is at most {LONGEST_LINE >> 20} MiB"))
            elif line.strip():
                self._accept(line, replies)
        replies.wait()

    def abandon(self) -> None:
        """From now on what waits is answered as not run; what is being graded is finished."""
        with self._changed:
            self._abandoned = True
            for replies in self._peers:
                replies.hurry()

    def finish(self) -> None:
        """Returns when all that was accepted is answered."""
        while self._told_to_end < len(self._threads):  # again, if a signal interrupted it
            self._queue.put(None)
            self._told_to_end += 1
        with self._changed:  # join() takes a thread for ended once a signal has interrupted it
            self._changed.wait_for(lambda: self._working == 0)
        for replies in list(self._peers):
            replies.wait()

    def _read(self, requests: BinaryIO, replies: Replies) -> bytes:
        replies.wait_for_room()
        line = requests.readline(LONGEST_LINE + 1)
        return b"" if self._abandoned and not line.endswith(b"\n") else line  # broken off

    def _accept(self, line: bytes, replies: Replies) -> None:
        try:
            request = parse(line, self._tasks, self._command)
        except RequestError as error:
            replies.send(reply.refused(error.request_id, error.field, str(error)))
            return
        since = time.monotonic()
        replies.expect()
        try:
            self._queue.put(_Job(request, replies, since))
        except BaseException:  # a signal while the queue was full
            replies.answer(_stopped(request, time.monotonic() - since))
            raise

    def _work(self) -> None:
        while job := self._queue.get():
            job.replies.answer(self._answer(job, time.monotonic() - job.since))
        with self._changed:
            self._working -= 1
            self._changed.notify_all()

    def _answer(self, job: _Job, waited: float) -> dict[str, Any]:
        if self._abandoned:
            return _stopped(job.request, waited)
        if job.replies.gone():
            return reply.not_graded(job.request, "not_run", "whoever asked has gone", {"queue": waited})
        try:
            return self._grader.grade(job.request, waited)
        except Exception as error:  # a mistake in the grader must not end the thread: others would wait for ever
            return reply.not_graded(job.request, "fault", f"{type(error).__name__}: {error}", {"queue": waited})


@dataclass(frozen=True)
class _Job:
    request: Request
    replies: Replies
    since: float


def _stopped(request: Request, waited: float) -> dict[str, Any]:
    return reply.not_graded(request, "not_run", "the grader was stopped", {"queue": waited})
