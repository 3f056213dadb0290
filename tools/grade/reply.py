"""The reply to a request: reply.schema.json."""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Mapping
from typing import Any

from report.counted import Counted, declared
from report.diagnosis import diagnosis

from .request import Limits, Request

SCHEMA = 1
EXIT_CODES = {"pass": 0, "fail": 1, "error": 2, "not_run": 3, "fault": 4}
_LIMIT_OPTIONS = {
    "compile_seconds": "--compile-limit",
    "host_seconds": "--host-limit",
    "device_seconds": "--device-limit",
}
_HIDDEN = {
    "edge": "wrong values at a small shape",
    "values": "wrong values",
    "measured": "wrong values in a timed repetition",
    "plausible": "faster than any correct kernel can be",
}
# Of host code, whose own words may be in all the rest.
_ENDINGS = (
    "host code crashed",
    "host code threw an uncaught exception",
    "host code called exit",
    "host code called std::terminate",
    "host code ran longer than its limit",
    "host code ran out of memory",
    "host code used more memory than its limit",
    "host code overflowed its stack",
    "host code printed more than its limit",
    "host code called CUDA before the recording began",
    "host code returned while",
    "cannot load the candidate",
    "forbidden system call",
    "recipe too long",
    "the recorder sent a broken message",
    "unsupported_api",
)
_NAMES = re.compile(r"; shape \w+ \(|[;,] kernel | interpret kernel |, in one of the kernels | \(kernel | `")
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|\d+(\.\d+)?([eE][+-]?\d+)?")
_KERNEL_FIELDS = ("name", "registers", "shared_bytes", "stack_bytes", "spill_stores", "spill_loads")


def graded(
    request: Request,
    seed: int,
    record: Mapping[str, Any],
    results: list[dict[str, Any]],
    counted: list[Counted | None],
    seconds: Mapping[str, float],
    *,
    cached: bool,
) -> dict[str, Any]:
    """Of a candidate that was graded. `results`: of each scale that was tried, as docs/results.md lays them down;
    `counted`: of each, None where nothing was to be counted."""
    results = [_compiled(result, record) for result in results]
    decisive = _decisive(results)
    built = record["status"] == "ok"
    reply = {
        **_head(request),
        **_outcome(decisive["verdict"], decisive["stage"], decisive["scale"], _message(request, decisive, built)),
        "mismatches": decisive["mismatches"] if request.feedback == "full" else None,
        "compile": {
            "seconds": round(float(record["seconds"]), 6),
            "cached": cached,
            "kernels": [{name: kernel[name] for name in _KERNEL_FIELDS} for kernel in record["kernels"]],
            "log": record["stderr"],
        },
        "cases": [_case(request, result, one, built) for result, one in zip(results, counted, strict=True)],
        "seed": f"{seed:#018x}",
    }
    return {**reply, "seconds": _rounded(seconds), "command": command(request, seed)}


def not_graded(request: Request, verdict: str, message: str, seconds: Mapping[str, float]) -> dict[str, Any]:
    """Of a request for which the grader failed or was stopped: the candidate's worth is unknown."""
    return {
        **_head(request),
        **_outcome(verdict, verdict, None, message),
        "mismatches": None,
        "compile": None,
        "cases": [],
        "seed": None,
        "seconds": _rounded(seconds),
        "command": command(request, request.seed),
    }


def refused(request_id: str | int | None, field: str | None, message: str) -> dict[str, Any]:
    """Of a request that makes no sense."""
    text = f"{field}: {message}" if field else message
    return {
        "schema": SCHEMA,
        "id": request_id,
        "task": None,
        "source_sha256": None,
        "verdict": "error",
        "exit_code": EXIT_CODES["error"],
        "stage": None,
        "scale": None,
        "message": text,
        "field": field,
        "mismatches": None,
        "compile": None,
        "cases": [],
        "seed": None,
        "seconds": {},
        "command": None,
    }


def command(request: Request, seed: int | None) -> str:
    """What repeats it; a source that has no file is read from standard input."""
    words = [*request.command, str(request.path or "-"), "--task", request.task]
    words += ["--scales", ",".join(request.scales)]
    if request.stop_after != "plausible":
        words += ["--stop-after", request.stop_after]
    if seed is not None:
        words += ["--seed", f"{seed:#x}"]
    words += ["--keep-going"] if request.keep_going else []
    words += ["--counters"] if request.counters else []
    for name in Limits.__dataclass_fields__:
        if (value := getattr(request.limits, name)) is not None:
            words += [_LIMIT_OPTIONS[name], f"{value:g}"]
    return shlex.join(words)


def _head(request: Request) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "id": request.id,
        "task": request.task,
        "source_sha256": hashlib.sha256(request.source).hexdigest(),
    }


def _outcome(verdict: str, stage: str | None, scale: str | None, message: str) -> dict[str, Any]:
    return {
        "verdict": verdict,
        "exit_code": EXIT_CODES[verdict],
        "stage": stage,
        "scale": scale,
        "message": message.split("\n", 1)[0],
        "field": None,
    }


def _decisive(results: list[dict[str, Any]]) -> dict[str, Any]:
    """A failure is the candidate's whatever else happened; a fault leaves open what would have been."""
    for verdict in ("fail", "fault", "not_run"):
        for result in results:
            if result["verdict"] == verdict:
                return result
    return {**results[-1], "scale": None}


def _compiled(result: dict[str, Any], record: Mapping[str, Any]) -> dict[str, Any]:
    """A refusal by the contract in its own words, as the report has it, before what the compiler wrote."""
    if record["status"] == "ok" or result["stage"] != "contract":
        return result
    first, line, rest = result["message"].partition("\n")
    return {**result, "message": (diagnosis(record["stderr"], "contract") or first) + line + rest}


def _case(request: Request, result: dict[str, Any], counted: Counted | None, built: bool) -> dict[str, Any]:
    measurement, scores = result["measurement"], result["scores"]
    full = request.feedback == "full"
    if counted is None and result["verdict"] == "pass" and measurement:
        counted = declared(result, "was not counted: counters were not asked for")
    case = {
        "scale": result["scale"],
        "verdict": result["verdict"],
        "stage": result["stage"],
        "message": _message(request, result, built),
        "seconds": measurement and measurement["seconds"],
        "interval": measurement and [measurement["low"], measurement["high"]],
        "scores": scores
        and {
            "performance": counted.performance if counted else scores["performance"],
            "speed_of_light": scores["speed_of_light"],
        },
        "marks": list(counted.marks) if counted else result["marks"],
        "counters": counted and counted.counters,
        "counters_reason": counted.reason if counted and full else None,
        "work": counted.work if counted and full else None,
        "host_dependent": result["host_dependent"],
        "device": result["device"]["name"] or None,
        "spent": _rounded(result["seconds"]),
    }
    return case | ({"printed": result["printed"]} if full else {})


def _message(request: Request, result: Mapping[str, Any], built: bool) -> str:
    """With minimal feedback neither values nor shapes, nor words and names that a candidate can choose by them. What
    the compiler says came before there were any."""
    stage, message = result["stage"], result["message"]
    if request.feedback == "full" or not built or stage is None:
        return message
    if stage in _HIDDEN:
        return _HIDDEN[stage]
    if stage == "contract":
        return next((ending for ending in _ENDINGS if message.startswith(ending)), "broke the contract")
    cause = _NAMES.split(message.split("\n", 1)[0])[0]
    return _NUMBER.sub("#", cause) if stage == "launch" else cause


def _rounded(seconds: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 6) for name, value in seconds.items()}
