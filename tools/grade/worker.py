"""Processes that grade: cudabench_worker, one line a case."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import children
from .fault import GraderFault, Stopped

_READY_LIMIT = 120.0  # seconds; another process may be timing on the GPU meanwhile
_STARTS = 2  # at once on a GPU: the driver makes contexts one after the other, and holds up all that work meanwhile
_CASE_LIMIT = 900.0  # seconds, of a case of the largest scale with every limit reached


class Worker:
    """One process. It starts by itself and is ready later, so that other work can be done meanwhile."""

    def __init__(
        self,
        program: Path,
        tasks: Path,
        gpu: str | None,
        gate: threading.Semaphore,
        *,
        one_stream: bool = False,
        use_gpu: bool = True,
    ) -> None:
        """`gpu`: for CUDA_VISIBLE_DEVICES; None leaves it as it is. It passes `gate` while it makes itself ready.
        `one_stream`: for candidates without streams that are not timed; the driver makes its context in less time."""
        self.gpu = gpu
        self.one_stream = one_stream
        self._command = [program, "--tasks", tasks, *([] if use_gpu else ["--no-gpu"])]
        self._gate = gate
        self._buffer = b""
        self._expected: dict[str, Any] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._fault: GraderFault | None = None
        self._killed = False
        self._lock = threading.Lock()
        self._starter = threading.Thread(target=self._start, daemon=True)
        self._starter.start()

    def wait_ready(self) -> None:
        """Raises GraderFault."""
        self._starter.join()
        if self._fault:
            raise self._fault

    def expect(self, case: dict[str, Any]) -> None:
        """What it will be asked to grade, as far as that decides what it can do meanwhile."""
        with self._lock:
            self._expected = case
            if self._process:
                self._prepare()

    @property
    def expected(self) -> dict[str, Any] | None:
        return self._expected

    def grade(self, case: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        """The result of one case, and whether the process can grade more. Raises GraderFault."""
        reply = self._ask(case)
        return reply["result"], reply["healthy"]

    def count(self, case: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        """What one case that has passed executes, and whether the process can go on. Raises GraderFault."""
        reply = self._ask(case | {"count": True})
        return reply["counted"], reply["healthy"]

    def _ask(self, case: dict[str, Any]) -> dict[str, Any]:
        self.wait_ready()
        self._tell(case)
        reply = self._read_line(_CASE_LIMIT)
        if "error" in reply:
            raise GraderFault(f"the worker refused a case: {reply['error']}")
        return reply

    def _prepare(self) -> None:
        self._tell(self._expected | {"prepare": True})

    def _tell(self, case: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(json.dumps(case).encode() + b"\n")
            self._process.stdin.flush()

    @property
    def ready(self) -> bool:
        """Or failed: nobody waits for it."""
        return not self._starter.is_alive()

    @property
    def ended(self) -> bool:
        return self._fault is not None or (self._process is not None and self._process.poll() is not None)

    def kill(self) -> None:
        """Ends what another thread waits for, which then close()s it."""
        with self._lock:
            self._killed = True
            if self._process:
                self._process.kill()

    def close(self) -> None:
        self.kill()
        self._starter.join()
        if self._process is None:
            return
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()
        children.forget(self._process)

    def _start(self) -> None:
        environment = dict(os.environ)
        if self.gpu is not None:
            environment["CUDA_VISIBLE_DEVICES"] = self.gpu
        if self.one_stream:
            environment["CUDA_DEVICE_MAX_CONNECTIONS"] = "1"
        try:
            with self._gate:
                with self._lock:
                    if self._killed:
                        raise GraderFault("the worker was ended before it was ready")
                    self._process = children.start(
                        self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
                    )
                    if self._expected:
                        self._prepare()
                self._read_line(_READY_LIMIT)
        except OSError as error:
            self._fault = GraderFault(f"{self._command[0]}: {error.strerror}; remove the build tree")
        except GraderFault as fault:
            self._fault = fault

    def _read_line(self, limit: float) -> dict[str, Any]:
        deadline = time.monotonic() + limit
        poll = select.poll()
        poll.register(self._process.stdout, select.POLLIN)
        while b"\n" not in self._buffer:
            if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise GraderFault(f"the worker did not answer within {limit:g} s")
            chunk = os.read(self._process.stdout.fileno(), 1 << 16)
            if not chunk:
                raise GraderFault(f"the worker ended ({_ending(self._process.wait())})")
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        try:
            return json.loads(line)
        except ValueError as error:
            raise GraderFault(f"the worker answered what is no JSON: {error}") from None


def _ending(code: int) -> str:
    return f"signal {-code}" if code < 0 else f"exit code {code}"


@dataclass
class Reservation:
    """A worker that will be wanted."""

    pool: WorkerPool
    one_stream: bool
    expected: dict[str, Any] | None = None  # what it will be asked first
    taken: Worker | None = None

    def allow_streams(self) -> None:
        """It turned out to need them; before a worker is taken."""
        self.pool._allow_streams(self)

    def worker(self) -> Worker:
        """Ready, and of this candidate alone: the same until drop(). Raises GraderFault and Stopped."""
        if self.taken is None:
            self.pool._take(self)
        self.taken.wait_ready()
        return self.taken

    def drop(self) -> None:
        """Ends the worker, which is lost or not needed any more."""
        if self.taken is not None:
            self.pool._close(self)


class WorkerPool:
    """Workers that are ready before they are wanted. Each grades one candidate and goes: what a candidate leaves in a
    context, another must not find. Those of one stream grade candidates of one, the others any. Thread-safe."""

    def __init__(self, program: Path, tasks: Path, gpus: Sequence[str | None], spares: int) -> None:
        """`spares`: how many wait while nothing is graded, of a kind that suits what was last reserved."""
        self._program = program
        self._tasks = tasks
        self._gates = {gpu: threading.Semaphore(_STARTS) for gpu in gpus}
        self._spares = spares
        self._one_stream = False
        self._reservations: list[Reservation] = []
        self._waiting: deque[Worker] = deque()
        self._busy: set[Worker] = set()
        self._closed = False
        self._lock = threading.Lock()
        self._writer: Worker | None = None  # see grade_without_gpu()
        self._writing = threading.Lock()
        self._fill()

    @contextlib.contextmanager
    def reserve(self, *, one_stream: bool = False, expected: dict[str, Any] | None = None) -> Iterator[Reservation]:
        """A worker starts now, and prepares for what is `expected` of it, to be taken when the candidate is
        compiled."""
        reservation = Reservation(self, one_stream, expected)
        with self._lock:
            self._one_stream = one_stream
            self._reservations.append(reservation)
            self._fill()
        try:
            yield reservation
        finally:
            reservation.drop()
            with self._lock:
                self._reservations = [one for one in self._reservations if one is not reservation]
                self._fill()
                for worker in self._surplus():
                    self._end_later(worker)

    def grade_without_gpu(self, case: dict[str, Any]) -> dict[str, Any]:
        """The result of a candidate of which nothing will run, since it did not compile; by one worker for all of
        them. Raises GraderFault and Stopped."""
        with self._writing:
            if self._closed:
                raise Stopped
            if self._writer and self._writer.ended:  # killed while it waited
                self._writer.close()
                self._writer = None
            if self._writer is None:
                self._writer = Worker(self._program, self._tasks, None, threading.Semaphore(), use_gpu=False)
            try:
                return self._writer.grade(case)[0]
            except GraderFault:
                self._writer.close()
                self._writer = None
                raise

    def close(self) -> None:
        """Ends all of them, also those that grade. They go in a moment, which nobody waits for."""
        with self._lock:
            self._closed = True
            for worker in self._busy:
                worker.kill()
            if self._writer:
                self._writer.kill()
            while self._waiting:
                self._end_later(self._waiting.popleft())

    def _fill(self) -> None:
        if self._closed:
            return
        wanted = max(self._untaken(one_stream=False), 0 if self._one_stream else self._spares)
        for _ in range(wanted - sum(not worker.one_stream for worker in self._waiting)):
            self._waiting.append(self._start(one_stream=False))
        wanted = max(self._untaken(one_stream=False) + self._untaken(one_stream=True), self._spares)
        for _ in range(wanted - len(self._waiting)):
            self._waiting.append(self._start(one_stream=True))
        self._announce()

    def _announce(self) -> None:
        """Tells those that wait what is expected of them."""
        told = [worker for worker in self._waiting if worker.expected]
        for reservation in self._reservations:
            if reservation.taken or not reservation.expected:
                continue
            fit = self._fit(one_stream=reservation.one_stream)
            known = next((one for one in told if one in fit and one.expected == reservation.expected), None)
            if known:
                told.remove(known)
            elif ignorant := next((one for one in fit if not one.expected), None):
                ignorant.expect(reservation.expected)

    def _untaken(self, *, one_stream: bool) -> int:
        """Reservations that have no worker yet."""
        return sum(one.taken is None and one.one_stream == one_stream for one in self._reservations)

    def _surplus(self) -> list[Worker]:
        """Taken out of those that wait. While there is work more of them may be wanted in a moment."""
        count = 0 if self._reservations else max(0, len(self._waiting) - self._spares)
        order = sorted(self._waiting, key=lambda worker: (worker.one_stream == self._one_stream, worker.ready))
        for worker in order[:count]:
            self._waiting.remove(worker)
        return order[:count]

    def _start(self, *, one_stream: bool) -> Worker:
        used = [worker.gpu for worker in (*self._waiting, *self._busy)]
        gpu = min(self._gates, key=used.count)
        return Worker(self._program, self._tasks, gpu, self._gates[gpu], one_stream=one_stream)

    def _allow_streams(self, reservation: Reservation) -> None:
        with self._lock:
            self._one_stream = reservation.one_stream = False
            self._fill()

    def _take(self, reservation: Reservation) -> None:
        with self._lock:
            if self._closed:
                raise Stopped
            for worker in [worker for worker in self._waiting if worker.ended]:  # killed while it waited
                self._waiting.remove(worker)
                self._end_later(worker)
            fit = self._fit(one_stream=reservation.one_stream)
            worker = min(fit, key=lambda one: (not one.ready, one.expected != reservation.expected), default=None)
            if worker is None:
                worker = self._start(one_stream=reservation.one_stream)
            else:
                self._waiting.remove(worker)
            self._busy.add(worker)
            reservation.taken = worker

    def _fit(self, *, one_stream: bool) -> list[Worker]:
        """Those that wait and can serve it, the best first. It is left to others what they alone can use."""
        of_any = [worker for worker in self._waiting if not worker.one_stream]
        if not one_stream:
            return of_any
        of_one = [worker for worker in self._waiting if worker.one_stream]
        return of_one + of_any[self._untaken(one_stream=False) :]

    def _close(self, reservation: Reservation) -> None:
        with self._lock:
            self._busy.discard(reservation.taken)
            self._end_later(reservation.taken)
            reservation.taken = None

    def _end_later(self, worker: Worker) -> None:
        """The driver takes its time to end a context, and a reply is due."""
        worker.kill()
        threading.Thread(target=worker.close, daemon=True).start()
