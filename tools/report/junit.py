"""JUnit files, one a domain, for continuous integration services.

The form is what Jenkins, GitLab and others read: testsuites, testsuite, testcase with failure, error or skipped, and
properties of each case.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from report.document import GROUPS, Run, repeat_command
from report.files import write_atomically
from report.outcome import Outcome, Verdict
from report.score import group

LARGEST_FILE = 25 << 20  # bytes; GitLab takes 30 MB
LONGEST_TEXT = 4000  # characters of a message
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(folder: Path, runs: Sequence[Run]) -> list[Path]:
    """Writes <run>.<domain>.xml, and further ones where one would be too large; removes what an earlier report left of
    these runs. The files. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for run in runs:
        for domain, outcomes in group(run.outcomes, GROUPS["domain"]).items():
            for number, text in enumerate(_documents(run, domain, outcomes), start=1):
                path = folder / f"{run.manifest.name}.{domain}{f'.{number}' if number > 1 else ''}.xml"
                write_atomically(path, text)
                written.append(path)
        for path in set(folder.glob(f"{run.manifest.name}.*.xml")) - set(written):
            path.unlink()
    return written


def _documents(run: Run, domain: str, outcomes: Sequence[Outcome]) -> Iterator[str]:
    """The text of each file."""
    cases: list[tuple[Outcome, str]] = []
    size = 0
    for outcome in outcomes:
        text = ElementTree.tostring(_case(run, outcome), encoding="unicode")
        size += len(text.encode())
        if cases and size > LARGEST_FILE:
            yield _document(run, domain, cases)
            cases, size = [], len(text.encode())
        cases.append((outcome, text))
    yield _document(run, domain, cases)


def _document(run: Run, domain: str, cases: Sequence[tuple[Outcome, str]]) -> str:
    outcomes = [outcome for outcome, _ in cases]
    kinds = [_kind(outcome) for outcome in outcomes]
    counts = {
        "tests": str(len(cases)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "time": f"{sum(map(_seconds, outcomes)):.3f}",
    }
    suite = Element("testsuite", {"name": f"{run.manifest.name}.{domain}", **counts})
    suite.set("skipped", str(kinds.count("skipped")))
    _properties(suite, {"devices": ", ".join(run.devices), "build_root": str(run.manifest.build_root)})
    head = ElementTree.tostring(suite, encoding="unicode").removesuffix("</testsuite>")
    whole = ElementTree.tostring(Element("testsuites", counts), encoding="unicode").replace(" />", ">")
    body = "\n".join(text for _, text in cases)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{whole}\n{head}\n{body}\n</testsuite>\n</testsuites>\n'


def _case(run: Run, outcome: Outcome) -> Element:
    case = outcome.case
    element = Element(
        "testcase",
        {
            "classname": f"{run.manifest.name}.{case.domain}.{case.task}",
            "name": f"{case.id.removesuffix(f'_{case.scale}')}.{case.scale}",
            "time": f"{_seconds(outcome):.3f}",
        },
    )
    _properties(element, _values(outcome))
    if kind := _kind(outcome):
        found = SubElement(element, kind, {"message": _printable(outcome.headline)})
        if kind != "skipped":
            found.set("type", outcome.stage or str(outcome.verdict))
            found.text = _printable(f"{outcome.message}\n{repeat_command(outcome)}")
    return element


def _kind(outcome: Outcome) -> str | None:
    """The element that says what a case lacks to having passed."""
    if outcome.verdict is Verdict.PASS:
        return None
    if outcome.verdict is Verdict.FAIL:
        return "failure"
    return "skipped" if outcome.verdict is Verdict.NOT_RUN and outcome.stage != "fault" else "error"


def _values(outcome: Outcome) -> dict[str, object]:
    case, device = outcome.case, outcome.result.get("device") or {}
    return {
        "candidate": case.candidate.name,
        "model": case.candidate.model,
        "level": case.candidate.level,
        "sample": case.candidate.sample,
        "scale": case.scale,
        "stage": outcome.stage,
        "seconds": outcome.seconds,
        "performance": outcome.score("performance"),
        "speed_of_light": outcome.score("speed_of_light"),
        "counters": outcome.counted.counters if outcome.counted else None,
        "marks": " ".join(outcome.marks) or None,
        "device": device.get("name"),
        "seed": outcome.result.get("seed"),
    }


def _properties(parent: Element, values: dict[str, object]) -> None:
    """Those that are known."""
    properties = SubElement(parent, "properties")
    for name, value in values.items():
        if value is not None:
            SubElement(properties, "property", {"name": name, "value": _printable(str(value))})


def _seconds(outcome: Outcome) -> float:
    """What grading the case took."""
    return (outcome.result.get("seconds") or {}).get("total", 0.0)


def _printable(text: str) -> str:
    cut = text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + "…"
    return _NOT_XML.sub("?", cut)
