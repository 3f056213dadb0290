"""Grades requests: compile, then the cases, each by the function that ctest's programs use."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from . import reply
from .attempt import Attempt, expected
from .cache import Cache
from .commands import BuildCommands
from .compiler import Compiled, Compiler
from .fault import GraderFault, Stopped
from .request import Request
from .streams import keeps_to_one_stream, makes_streams
from .worker import WorkerPool


class Grader:
    """Thread-safe. close() it."""

    def __init__(self, build: Path, *, cache_bytes: int, gpus: list[str | None], spares: int) -> None:
        """`build`: a build tree whose tools are built. Raises GraderFault."""
        self._compiler = Compiler(BuildCommands.of(build), Cache(build / "grade_cache", cache_bytes))
        self._pool = WorkerPool(
            build / "bin" / "cudabench_worker", build / "cudabench_tasks" / "tasks.json", gpus, spares
        )
        self._stopped = False

    def grade(self, request: Request, waited: float = 0.0) -> dict[str, Any]:
        """The reply. `waited`: seconds that the request was in a queue."""
        start = time.monotonic()
        seconds = {"queue": waited}

        def total() -> dict[str, float]:
            return seconds | {"total": waited + time.monotonic() - start}

        try:
            reserved = self._pool.reserve(one_stream=keeps_to_one_stream(request), expected=expected(request))
            with reserved as reservation, self._compiled(request, seconds) as compiled:
                if reservation.one_stream and compiled.record["status"] == "ok" and makes_streams(compiled.module):
                    reservation.allow_streams()
                seed = secrets.randbits(64) if request.seed is None else request.seed
                attempt = Attempt(request, compiled, seed, self._pool, reservation, seconds)
                results = list(attempt.results())
                counted = attempt.counted(results)
                return reply.graded(request, seed, compiled.record, results, counted, total(), cached=compiled.cached)
        except Stopped:
            return self._not_run(request, total())
        except (GraderFault, OSError) as error:
            if self._stopped:
                return self._not_run(request, total())
            return reply.not_graded(request, "fault", str(error), total())

    def stop(self) -> None:
        """Ends what is being graded: the replies say that it was not run."""
        self._stopped = True
        self._compiler.stop()
        self._pool.close()

    def close(self) -> None:
        self._pool.close()

    def _not_run(self, request: Request, seconds: dict[str, float]) -> dict[str, Any]:
        return reply.not_graded(request, "not_run", "the grader was stopped", seconds)

    @contextmanager
    def _compiled(self, request: Request, seconds: dict[str, float]) -> Iterator[Compiled]:
        compiled = self._compiler.compile(request)
        seconds["compile"] = compiled.seconds
        try:
            yield compiled
        finally:
            compiled.close()
