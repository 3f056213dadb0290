"""The work behind a Performance-Score: what the counting pass says of a case, joined with the time of its result.

The attainable time of the counted work is computed where the roofline is known and stands in the counters file; here it
is only divided by the measured time. Where nothing usable was counted, the work of the task's model stands.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from report.files import FileFault, read_json

MEASURED = "measured"
DECLARED = "declared"


@dataclass(frozen=True)
class Counted:
    counters: str  # MEASURED, or DECLARED where the model's work stands
    reason: str | None  # why it is the model's
    work: dict[str, Any] | None  # operations by pipe and bytes; `source` is counters or model
    performance: float | None  # Performance-Score
    marks: tuple[str, ...]


@dataclass(frozen=True)
class Counting:
    """That the counting pass has been over a result."""

    failed: bool  # the counters could be read, though not of this case


def counting_of(result: dict[str, Any], counters_file: Path) -> Counting | None:
    """None if what passed has not been counted as it is now."""
    try:
        counted = read_json(counters_file, "counters")
    except (FileNotFoundError, FileFault):
        return None
    if _of_another(result, counted):
        return None
    return Counting(counted["counters"] == DECLARED and counted.get("passes", 0) > 0)


def join(result: dict[str, Any], counters_file: Path) -> Counted:
    """For a result that passed."""
    if result.get("measurement") is None:
        return declared(result, "was not timed")
    try:
        counted = read_json(counters_file, "counters")
    except FileNotFoundError:
        return declared(result, "was not counted: run the tests labelled counters")
    except FileFault as fault:
        return declared(result, str(fault))
    return judge(result, counted)


def judge(result: dict[str, Any], counted: dict[str, Any]) -> Counted:
    """For a result that passed, and what the counting pass says of it."""
    if reason := _of_another(result, counted) or counted["reason"]:
        return declared(result, reason)
    seconds = (result.get("measurement") or {}).get("seconds")
    attainable = counted["attainable_seconds"]
    if not seconds or attainable is None:
        return Counted(MEASURED, None, counted["work"], None, tuple(result.get("marks", ())))
    if attainable > seconds:
        return declared(
            result, f"what was counted takes at least {attainable:.3g} s, the case took {seconds:.3g} s", "implausible"
        )
    marks = [mark for mark in result.get("marks", ()) if mark != "launch_bound"]
    if attainable < result["measurement"].get("empty_recipe_seconds", 0):
        marks.append("launch_bound")
    return Counted(MEASURED, None, counted["work"], attainable / seconds, tuple(marks))


def declared(result: dict[str, Any], reason: str, *marks: str) -> Counted:
    """The work of the task's model stands."""
    performance = (result.get("scores") or {}).get("performance")
    return Counted(DECLARED, reason, result.get("work"), performance, (*result.get("marks", ()), *marks))


def _of_another(result: dict[str, Any], counted: dict[str, Any]) -> str | None:
    if counted["case"] != result["case"]:
        return f"was counted of another case, {counted['case']}"
    if counted["source_sha256"] != result["candidate"]["source_sha256"]:
        return "was counted of another source: count again"
    if counted["task_hash"] != result["task_hash"]:
        return "was counted of another statement of the task: count again"
    kind = counted["device"]["name"]
    if kind != (result["device"] or {}).get("name"):
        return f"was counted on another kind of GPU, {kind}: count again"
    return None
