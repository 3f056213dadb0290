"""Replies to one peer, written by a thread of their own: a peer that does not read holds up nobody but itself."""

from __future__ import annotations

import json
import os
import select
import threading
from collections import deque
from typing import Any

_PATIENCE = 10.0  # seconds without progress, when the server ends
_CHUNK = select.PIPE_BUF  # bytes, that do not block once the descriptor can be written to
_LOOK = 200  # milliseconds, after which a writer looks whether it is closed


class Replies:
    """Thread-safe. close() it before the descriptor is closed."""

    def __init__(self, descriptor: int, limit: int) -> None:
        """`limit`: of requests that are not answered and replies that are not written; see wait_for_room()."""
        self._descriptor = descriptor
        self._limit = limit
        self._lines: deque[bytes] = deque()  # the first may be written in part
        self._owed = 0
        self._written = 0
        self._broken = False
        self._hurried = False
        self._closed = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._write_all, daemon=True)
        self._thread.start()

    def wait_for_room(self) -> None:
        """Until a further request may be read: what waits for the peer is bounded."""
        with self._changed:
            self._changed.wait_for(lambda: self._hurried or self._owed + len(self._lines) < self._limit)

    def expect(self) -> None:
        """One more answer will be given."""
        with self._changed:
            self._owed += 1

    def answer(self, answer: dict[str, Any]) -> None:
        """One that was expected."""
        self._add(answer, owed=1)

    def send(self, answer: dict[str, Any]) -> None:
        """One that was not."""
        self._add(answer, owed=0)

    def gone(self) -> bool:
        """Whether nobody can read any more what is written."""
        if self._broken:
            return True
        poll = select.poll()
        poll.register(self._descriptor, 0)
        return any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))

    def hurry(self) -> None:
        """From now on a peer that does not read is not waited for much longer."""
        with self._changed:
            self._hurried = True
            self._changed.notify_all()

    def wait(self) -> None:
        """Until all that is expected is answered and written, or the peer is given up."""
        with self._changed:
            self._changed.wait_for(lambda: self._owed == 0)
            while self._lines:
                before = self._written
                self._changed.wait_for(lambda: not self._lines, _PATIENCE)
                if self._hurried and self._written == before:
                    return

    def close(self) -> None:
        """What is not written is dropped."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join()

    def _add(self, answer: dict[str, Any], owed: int) -> None:
        line = json.dumps(answer).encode() + b"\n"
        with self._changed:
            self._owed -= owed
            if not self._broken:
                self._lines.append(line)
            self._changed.notify_all()

    def _write_all(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._lines)
                if self._closed:
                    return
                line = self._lines[0]
            try:
                self._write(memoryview(line))
            except OSError:
                self._broken = True
            with self._changed:
                self._lines.popleft()
                if self._broken:
                    self._lines.clear()
                self._changed.notify_all()

    def _write(self, line: memoryview) -> None:
        poll = select.poll()
        poll.register(self._descriptor, select.POLLOUT)
        while line:
            while not poll.poll(_LOOK):
                if self._closed:
                    return
            count = os.write(self._descriptor, line[:_CHUNK])
            line = line[count:]
            self._written += count
