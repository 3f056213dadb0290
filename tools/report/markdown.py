"""The report as Markdown: what GitHub shows as the summary of a step, of which it takes 1 MiB."""

import re
from collections.abc import Iterator, Sequence

from report.document import GROUPS, Run, repeat_command
from report.outcome import Outcome, Verdict
from report.plural import plural
from report.score import Score, group

LISTED = 50  # failures, and reasons why cases did not run
GROUP_ROWS = 100  # of a table
LONGEST = 300  # characters of a message


def markdown_text(runs: Sequence[Run]) -> str:
    return "\n".join("\n".join(_run(run)) for run in runs) + "\n"


def _run(run: Run) -> Iterator[str]:
    total = run.score(run.outcomes)
    yield f"## CUDABench: {_text(run.manifest.name)}"
    yield ""
    yield f"{plural(total.cases, 'case')} on {_text(', '.join(run.devices) or 'no GPU')}"
    yield ""
    for warning in [*run.warnings, *([f"no score: {total.reason}"] if total.reason else [])]:
        yield f"> **{_text(warning)}**"
        yield ""
    yield from _table("all", {"all": list(run.outcomes)}, run)
    for name in ("domain", "scale", "model", "level"):
        members = group(run.outcomes, GROUPS[name])
        if len(members) > 1:
            yield from _table(name, members, run)
    yield from _failures(run)
    yield from _not_run(run)


def _table(name: str, members: dict[str, list[Outcome]], run: Run) -> Iterator[str]:
    yield f"| {name} | cases | compiled | correct | CUDABench-Score | speed of light |"
    yield "|---|--:|--:|--:|--:|--:|"
    for value, outcomes in list(members.items())[:GROUP_ROWS]:
        yield _row(value, run.score(outcomes))
    if len(members) > GROUP_ROWS:
        yield f"| and {len(members) - GROUP_ROWS} more | | | | | |"
    yield ""


def _row(name: str, s: Score) -> str:
    shares = f"{s.compiled}/{s.built} | {s.correct}/{s.ran}"
    return f"| {_text(name)} | {s.cases} | {shares} | {_number(s.performance)} | {_number(s.speed_of_light)} |"


def _failures(run: Run) -> Iterator[str]:
    failed = [o for o in run.outcomes if o.verdict is Verdict.FAIL]
    if not failed:
        return
    yield f"<details><summary>{plural(len(failed), 'failure')}</summary>"
    yield ""
    yield "| candidate | task | scale | stage | message | again |"
    yield "|---|---|---|---|---|---|"
    for o in failed[:LISTED]:
        name, message = _text(o.case.candidate.name), _text(o.headline)
        yield f"| {name} | {o.case.task} | {o.case.scale} | {o.stage} | {message} | {_code(repeat_command(o))} |"
    yield ""
    if len(failed) > LISTED:
        yield f"and {len(failed) - LISTED} more"
        yield ""
    yield "</details>"
    yield ""


def _not_run(run: Run) -> Iterator[str]:
    reasons = group([o for o in run.outcomes if not o.ran], lambda o: f"{o.stage or o.verdict}: {o.headline}")
    for reason, outcomes in list(reasons.items())[:LISTED]:
        yield f"- {plural(len(outcomes), 'case')} not graded, {_text(reason)}"
    if len(reasons) > LISTED:
        yield f"- and {len(reasons) - LISTED} more reasons"


def _number(value: float | None) -> str:
    return "null" if value is None else f"{value:.3f}"


def _text(text: str) -> str:
    """Names and messages come from candidates: they are shown as they are and make no cell, link or element."""
    return _escaped(text if len(text) <= LONGEST else text[: LONGEST - 1] + "…")


def _code(text: str) -> str:
    """One line of code in a table, where it is read as Markdown all the same."""
    return f"<code>{_escaped(text)}</code>"


def _escaped(text: str) -> str:
    entities = text.replace("\n", " ").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = re.sub(r"([\\`*_\[\]|~!])", r"\\\1", entities)
    unlinked = re.sub(r"(?i)(www)\.", r"\1&#46;", escaped.replace("://", "&#58;//"))  # else GitHub makes them links
    return unlinked.replace("@", "@<!-- -->")
