"""One compiled candidate on its way through its scales."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from report.counted import Counted, declared, judge

from .compiler import Compiled
from .fault import GraderFault
from .request import Request
from .worker import Reservation, WorkerPool

_EDGES_PASSED = ("measured", "plausible", "values")  # stages that come after the edge shapes
_T = TypeVar("_T")


def expected(request: Request) -> dict[str, Any] | None:
    """The first case that will be graded if the candidate compiles, as far as it decides what the reference is called
    with."""
    if request.stop_after in ("compile", "launch"):
        return None
    return {"task": request.task, "scale": request.scales[0], "stop_after": request.stop_after, "edges": True}


class Attempt:
    def __init__(
        self,
        request: Request,
        compiled: Compiled,
        seed: int,
        pool: WorkerPool,
        reservation: Reservation,
        seconds: dict[str, float],
    ) -> None:
        """`seconds`, by step, grow while it is graded."""
        self._request = request
        self._compiled = compiled
        self._seed = seed
        self._pool = pool
        self._reservation = reservation
        self._seconds = seconds

    def results(self) -> Iterator[dict[str, Any]]:
        """Of each scale that is tried, as docs/results.md lays them down. Raises GraderFault and Stopped."""
        request = self._request
        if self._compiled.record["status"] != "ok" or request.stop_after == "compile":
            case = self._case(request.scales[0]) | {"stop_after": request.stop_after}
            yield self._timed("grade", lambda: self._pool.grade_without_gpu(case))
            return
        edges = True
        for scale in request.scales:
            result = self._graded(scale, edges)
            yield result
            if result["verdict"] in ("fail", "fault") and not request.keep_going:
                return
            if result["verdict"] == "pass" or result["stage"] in _EDGES_PASSED:
                edges = False

    def counted(self, results: list[dict[str, Any]]) -> list[Counted | None]:
        """Of each result that passed, if counters are asked for. All are timed before: what comes after counters have
        counted may be slower."""
        return [
            self._counted(result)
            if self._request.counters and result["verdict"] == "pass" and result["measurement"]
            else None
            for result in results
        ]

    def _graded(self, scale: str, edges: bool) -> dict[str, Any]:
        worker = self._timed("worker", self._reservation.worker)
        last = scale == self._request.scales[-1] and not self._request.counters
        case = self._case(scale) | {"stop_after": self._request.stop_after, "edges": edges, "last": last}
        result, healthy = self._timed("grade", lambda: worker.grade(case))
        if not healthy:
            self._reservation.drop()
        return result

    def _counted(self, result: dict[str, Any]) -> Counted:
        case = self._case(result["scale"])
        case["source_sha256"] = result["candidate"]["source_sha256"]
        try:
            worker = self._timed("worker", self._reservation.worker)
            counts, healthy = self._timed("count", lambda: worker.count(case))
        except GraderFault as fault:  # it has passed all the same
            self._reservation.drop()
            return declared(result, f"was not counted: {fault}")
        if not healthy:
            self._reservation.drop()
        result["seconds"]["counting"] = counts["seconds"]
        return judge(result, counts)

    def _case(self, scale: str) -> dict[str, Any]:
        """For a worker."""
        return {
            "id": "candidate",
            "task": self._request.task,
            "scale": scale,
            "source": str(self._request.path or self._request.file_name),
            "module": str(self._compiled.module),
            "compile_record": str(self._compiled.record_path),
            "seed": f"{self._seed:#x}",
            "host_seconds": self._request.limits.host_seconds,
            "device_seconds": self._request.limits.device_seconds,
        }

    def _timed(self, step: str, do: Callable[[], _T]) -> _T:
        start = time.monotonic()
        try:
            return do()
        finally:
            self._seconds[step] = self._seconds.get(step, 0.0) + time.monotonic() - start
