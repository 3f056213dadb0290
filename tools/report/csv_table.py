"""A row a case, for spreadsheets and data frames."""

import csv
import io
from collections.abc import Sequence

from report.document import Run
from report.outcome import Outcome

COLUMNS = (
    "run", "case", "domain", "task", "scale", "candidate", "model", "level", "sample", "verdict", "stage", "message",
    "seconds", "performance", "speed_of_light", "counters", "marks", "device", "device_uuid", "seed", "source_sha256",
)  # fmt: skip
_FORMULA = ("=", "+", "-", "@")  # what makes a spreadsheet compute a cell


def csv_text(runs: Sequence[Run]) -> str:
    """RFC 4180, but for the line ends, with the names of the columns first. What is not known is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for run in runs:
        for outcome in run.outcomes:
            writer.writerow(_row(run, outcome))
    return text.getvalue()


def _row(run: Run, outcome: Outcome) -> list[object]:
    case, candidate, device = outcome.case, outcome.case.candidate, outcome.result.get("device") or {}
    return [
        run.manifest.name, case.id, case.domain, case.task, case.scale, _cell(candidate.name), _cell(candidate.model),
        candidate.level, candidate.sample, outcome.verdict, outcome.stage, _cell(outcome.headline),
        outcome.seconds, outcome.score("performance"), outcome.score("speed_of_light"),
        outcome.counted.counters if outcome.counted else None, " ".join(outcome.marks), device.get("name"),
        device.get("uuid"), outcome.result.get("seed"), (outcome.result.get("candidate") or {}).get("source_sha256"),
    ]  # fmt: skip


def _cell(text: str) -> str:
    """Names and messages come from candidates: none is a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
