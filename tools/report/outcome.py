"""What became of one case: its verdict from manifest, compile record, result file and the source on disk."""

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from report.counted import Counted, join
from report.diagnosis import diagnosis
from report.files import FileFault, read_json, read_source
from report.manifest import Case


class Verdict(StrEnum):
    PASS = "pass"
    FAIL = "fail"
    NOT_RUN = "not_run"  # nothing is known of the candidate: no result, no GPU, a fault of the grader
    STALE = "stale"  # a result of another source or another statement of the task
    CORRUPT = "corrupt"  # an unreadable file; counts as not run


# Stages of a result that say nothing of the candidate.
NOT_RUN_STAGES = {"not_built", "not_run", "fault"}


@dataclass(frozen=True)
class Outcome:
    case: Case
    verdict: Verdict
    stage: str | None = None
    message: str = ""
    result: dict[str, Any] = field(default_factory=dict)  # empty where no valid result counts
    counted: Counted | None = None  # of a case that passed

    @property
    def ran(self) -> bool:
        """Whether the candidate's own verdict is known."""
        return self.verdict in (Verdict.PASS, Verdict.FAIL)

    @property
    def correct(self) -> bool:
        return self.verdict is Verdict.PASS

    @property
    def headline(self) -> str:
        return self.message.strip().splitlines()[0].strip() if self.message.strip() else ""

    @property
    def seconds(self) -> float | None:
        """Median time of the recipe."""
        return (self.result.get("measurement") or {}).get("seconds")

    def score(self, kind: str) -> float | None:
        """`performance` or `speed_of_light`: 0 for a failed case, None where it is unknown."""
        if self.verdict is Verdict.FAIL:
            return 0.0
        if kind == "performance" and self.counted is not None:
            return self.counted.performance
        return (self.result.get("scores") or {}).get(kind) if self.correct else None

    @property
    def marks(self) -> tuple[str, ...]:
        """What a reader should know of the scores."""
        return self.counted.marks if self.counted is not None else tuple(self.result.get("marks", ()))


def grade(case: Case) -> Outcome:
    try:
        record = _optional(case.compile_record, "compile_record")
        result = _optional(case.result, "result")
        if result is not None:
            _same_case(case, result)
    except FileFault as fault:
        return Outcome(case, Verdict.CORRUPT, message=str(fault))
    source = source_hash(case.candidate.source)
    if record is not None and record["status"] != "ok":
        return _compile_failure(case, record, source)
    if result is None:
        if record is None:
            return Outcome(case, Verdict.NOT_RUN, "not_built", "no compile record: build the candidate")
        return Outcome(case, Verdict.NOT_RUN, "not_run", "no result: run the case")
    if result["stage"] in NOT_RUN_STAGES:
        return Outcome(case, Verdict.NOT_RUN, result["stage"], result["message"])
    if reason := _stale(case, record, result, source):
        return Outcome(case, Verdict.STALE, message=reason)
    verdict = Verdict.PASS if result["stage"] is None else Verdict.FAIL
    counted = join(result, case.counters) if verdict is Verdict.PASS else None
    return Outcome(case, verdict, result["stage"], result["message"], result, counted)


@cache
def source_hash(path: Path) -> str | None:
    """SHA-256 of a source, None if it is not here (a build tree may have moved to another machine); no hash but a text
    if what is here is no source."""
    try:
        return hashlib.sha256(read_source(path)).hexdigest()
    except OSError:
        return None
    except ValueError as error:
        return str(error)


def _optional(path: Path, schema: str) -> dict[str, Any] | None:
    try:
        return read_json(path, schema)
    except FileNotFoundError:
        return None


def _same_case(case: Case, result: dict[str, Any]) -> None:
    if result["case"] != case.id:
        raise FileFault(f"{case.result}: holds the result of another case, {result['case']}")
    stage = result["stage"]
    if result["verdict"] != ("pass" if stage is None else stage if stage in ("not_run", "fault") else "fail"):
        raise FileFault(f"{case.result}: verdict {result['verdict']} contradicts stage {stage}")
    if stage is None and (problem := _unbelievable(result)):
        raise FileFault(f"{case.result}: {problem}")


def _unbelievable(result: dict[str, Any]) -> str | None:
    """What a pass cannot be without. Its numbers are finite and not negative: the file was read that strictly."""
    measurement = result.get("measurement")
    if measurement is None:
        return "has scores but no measurement" if result.get("scores") is not None else None
    if measurement["seconds"] <= 0:
        return f"measurement.seconds is {measurement['seconds']}, expected more than 0"
    if not (result.get("device") or {}).get("uuid"):
        return "was measured but names no device.uuid"
    return None


def _compile_failure(case: Case, record: dict[str, Any], source: str | None) -> Outcome:
    if source not in (None, record["source_sha256"]):
        return Outcome(case, Verdict.STALE, message="the source changed after it was compiled; build and run again")
    if changed := _changed_input(record):
        return Outcome(case, Verdict.STALE, message=f"{changed} changed after the compilation; build and run again")
    stage = "contract" if record.get("stage") == "contract" else "compile"
    message = diagnosis(record.get("stderr", ""), stage) or f"compilation ended with {record['status']}"
    return Outcome(case, Verdict.FAIL, stage, message)


def _changed_input(record: dict[str, Any]) -> str | None:
    """A header that the candidate was compiled with and that is another one now."""
    entries = record.get("inputs", [])
    return next((e["path"] for e in entries if source_hash(Path(e["path"])) not in (None, e["sha256"])), None)


def _stale(case: Case, record: dict[str, Any] | None, result: dict[str, Any], source: str | None) -> str | None:
    graded = result["candidate"]["source_sha256"]
    if result["task_hash"] != case.task_hash:
        return "the task changed after it was graded; run again"
    if source not in (None, graded):
        return "the source changed after it was graded; build and run again"
    if record is not None and record["source_sha256"] != graded:
        return "the candidate was built anew after it was graded; run again"
    if record is not None and (changed := _changed_input(record)):
        return f"{changed} changed after the candidate was compiled with it; build and run again"
    return None
