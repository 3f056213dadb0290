"""The report as text for a terminal."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from report.bootstrap import Interval, intervals
from report.counted import DECLARED
from report.document import GROUPS, Run, repeat_command
from report.outcome import Outcome, Verdict
from report.plural import plural
from report.score import SCALES, MacroMean, Score, group, score
from report.terminal import Terminal

CANDIDATE_ROWS = 200  # a run of more candidates is shown by task
LISTED_FAILURES = 40
DIAGNOSIS_LINES = 4

_COLOURS = {
    Verdict.PASS: "green",
    Verdict.FAIL: "red",
    Verdict.NOT_RUN: "yellow",
    Verdict.STALE: "yellow",
    Verdict.CORRUPT: "yellow",
}
_Cell = tuple[str, str]  # text and colour


def render(run: Run, terminal: Terminal) -> str:
    parts = [_heading(run, terminal), _tasks(run, terminal), _failures(run, terminal), _not_run(run, terminal)]
    parts += [_groups(run, terminal), _totals(run, terminal)]
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part))) + "\n"


def _heading(run: Run, terminal: Terminal) -> Iterator[str]:
    devices = ", ".join(run.devices) or "no GPU"
    count = len({o.case.candidate.name for o in run.outcomes})
    title = f"CUDABench: {plural(count, 'candidate')}, {plural(len(run.outcomes), 'case')}, {devices}"
    yield terminal.paint(title, "bold")
    if len(run.manifest.parts) > 1:
        for part in run.manifest.parts:
            shard = f"shard {part.shard}, " if part.shard else ""
            yield terminal.cut(
                f"  {part.build_root}: {shard}{', '.join(run.devices_of(part)) or 'no GPU'}", terminal.width
            )
    if peaks := _peaks(run):
        yield peaks
    for warning in run.warnings:
        yield terminal.paint(f"warning: {warning}", "yellow")


def _peaks(run: Run) -> str:
    """Nominal peaks with, in brackets, what the GPU sustains; of the first result that knows them."""
    device = next((d for o in run.outcomes if (d := o.result.get("device")) and d.get("nominal")), None)
    if device is None:
        return ""
    nominal, sustained = device["nominal"], device.get("sustained") or {}
    texts = []
    for name, label, unit in _RATES:
        if nominal[name]:
            reached = f" ({sustained[name] / unit[1]:.3g})" if sustained.get(name) else ""
            texts.append(f"{label} {nominal[name] / unit[1]:.3g}{reached} {unit[0]}")
    return f"peaks, nominal (sustained): {', '.join(texts)}"


_TERA_BYTES, _TERA_FLOPS = ("TB/s", 1e12), ("TFLOP/s", 1e12)
_RATES = (
    ("bandwidth", "DRAM", _TERA_BYTES),
    ("fp32", "fp32", _TERA_FLOPS),
    ("fp64", "fp64", _TERA_FLOPS),
    ("tensor_tf32", "tensor TF32", _TERA_FLOPS),
)


def _counters(run: Run) -> str:
    """Of how many scores the work was counted, and why not of the others; empty if nothing was timed."""
    counted = [o.counted for o in run.outcomes if o.counted and o.seconds is not None]
    reasons = Counter(c.reason for c in counted if c.counters == DECLARED)
    if not counted:
        return ""
    text = f"work counted in {len(counted) - reasons.total()} of {plural(len(counted), 'timed case')}"
    if not reasons:
        return text
    return f"{text}, else of the task's model: {reasons.most_common(1)[0][0]}"


def _tasks(run: Run, terminal: Terminal) -> Iterator[str]:
    """A row a candidate and task, a column a scale; of large runs a row a task."""
    scales = list(group(run.outcomes, GROUPS["scale"]))
    rows = group(run.outcomes, lambda o: f"{o.case.task}\n{o.case.candidate.name}\n{o.case.candidate.sample}")
    by_task = len(rows) > CANDIDATE_ROWS
    if by_task:
        rows = group(run.outcomes, GROUPS["task"])
    cell, width = _cell_form(by_task, len(scales), terminal.width)
    name_width = max(16, min(48, terminal.width - len(scales) * width))
    yield terminal.paint("time, Performance-Score/speed-of-light score" if width > 12 else _SCORES_ONLY, "dim")
    yield "".ljust(name_width) + "".join(scale.rjust(width) for scale in scales)
    previous = None
    for members in rows.values():
        task = members[0].case.task
        if not by_task and task != previous:
            yield terminal.paint(terminal.cut(task, terminal.width), "bold")
            previous = task
        name = task if by_task else "  " + members[0].case.candidate.name
        cells = [cell([o for o in members if o.case.scale == scale]) for scale in scales]
        yield terminal.cut(name, name_width - 1).ljust(name_width) + "".join(
            terminal.paint(text.rjust(width), colour) for text, colour in cells
        )


_SCORES_ONLY = "Performance-Score/speed-of-light score"


def _cell_form(by_task: bool, scales: int, width: int) -> tuple[Callable[[Sequence[Outcome]], _Cell], int]:
    """How a cell is written, and its width: with times where there is room."""
    wide = 20 * scales + 28 <= width
    if by_task:
        return (_summary_cell, 20) if wide else (_count_cell, 11)
    return (_timed_cell, 20) if wide else (_score_cell, 11)


def _score_cell(outcomes: Sequence[Outcome]) -> _Cell:
    if not outcomes:
        return "-", "dim"
    (outcome,) = outcomes
    if outcome.verdict is Verdict.PASS:
        text = _scores(outcome.score("performance"), outcome.score("speed_of_light"))
    else:
        text = outcome.stage or str(outcome.verdict)
    return text.replace("_", " "), _COLOURS[outcome.verdict]


def _timed_cell(outcomes: Sequence[Outcome]) -> _Cell:
    text, colour = _score_cell(outcomes)
    if outcomes and outcomes[0].correct and outcomes[0].seconds is not None:
        text = f"{format_time(outcomes[0].seconds)} {text}"
    return text, colour


def _count_cell(outcomes: Sequence[Outcome]) -> _Cell:
    if not outcomes:
        return "-", "dim"
    s = score(outcomes)
    colour = "yellow" if s.ran < s.cases else "green" if s.correct == s.cases else "red"
    return f"{s.correct}/{s.cases}", colour


def _summary_cell(outcomes: Sequence[Outcome]) -> _Cell:
    text, colour = _count_cell(outcomes)
    if outcomes:
        s = score(outcomes)
        text = f"{text} {_scores(s.performance, s.speed_of_light)}"
    return text, colour


def _failures(run: Run, terminal: Terminal) -> Iterator[str]:
    """Failures of one candidate that differ only in scale are one entry."""
    failed = [o for o in run.outcomes if o.verdict is Verdict.FAIL]
    if not failed:
        return
    entries: dict[tuple[str, ...], list[Outcome]] = {}
    for o in failed:
        key = (o.case.task, o.case.candidate.name, str(o.case.candidate.sample), o.stage or "")
        entries.setdefault(key, []).append(o)
    yield terminal.paint(f"Failures ({plural(len(failed), 'case')})", "bold")
    for members in list(entries.values())[:LISTED_FAILURES]:
        first = members[0]
        scales = "all scales" if len(members) == len(SCALES) else ", ".join(o.case.scale for o in members)
        head = f"{first.stage}: {first.case.candidate.name}, {first.case.task}, {scales}"
        yield "  " + terminal.paint(terminal.cut(head, terminal.width - 2), "red")
        yield from ("    " + line for line in _message(first, terminal))
        yield "    " + terminal.paint(repeat_command(first), "dim")  # never cut: it is there to be copied
    if len(entries) > LISTED_FAILURES:
        yield f"  and {len(entries) - LISTED_FAILURES} more; report.json has all"


def _message(outcome: Outcome, terminal: Terminal) -> list[str]:
    """What compiler and contract say ends with what matters, so it is not cut. Paths are as short as names."""
    source, name = str(outcome.case.candidate.source), f"{outcome.case.candidate.name}.cu"
    directory = source.removesuffix(name)
    text = outcome.headline.replace(directory, "") if directory.endswith("/") else outcome.headline
    return terminal.wrap(text, terminal.width - 4, DIAGNOSIS_LINES if outcome.stage in ("compile", "contract") else 1)


def _not_run(run: Run, terminal: Terminal) -> Iterator[str]:
    """By reason, since a missing GPU stops all cases for one reason."""
    reasons: dict[str, list[Outcome]] = {}
    for o in run.outcomes:
        if not o.ran:
            label = o.stage if o.stage == "fault" else str(o.verdict).replace("_", " ")
            reasons.setdefault(f"{label}: {o.headline}", []).append(o)
    if not reasons:
        return
    yield terminal.paint(f"Not graded ({plural(sum(map(len, reasons.values())), 'case')})", "bold")
    for reason, members in list(reasons.items())[:LISTED_FAILURES]:
        yield "  " + terminal.paint(f"{plural(len(members), 'case')}, {reason}", "yellow")
    if len(reasons) > LISTED_FAILURES:
        yield f"  and {len(reasons) - LISTED_FAILURES} more reasons; report.json has all"


def _groups(run: Run, terminal: Terminal) -> Iterator[str]:
    tables = [(name, group(run.outcomes, GROUPS[name])) for name in ("model", "level", "domain", "scale")]
    tables = [(name, members) for name, members in tables if len(members) > 1]
    if not tables:
        return
    yield terminal.paint(_row("", "cases", "compiled", "correct", "CUDABench", "speed of light", ""), "bold")
    for name, members in tables:
        for value, outcomes in members.items():
            yield _score_row(f"{name} {value}", run.score(outcomes), terminal)


def _totals(run: Run, terminal: Terminal) -> Iterator[str]:
    total, macro = run.score(run.outcomes), run.macro_mean()
    yield (
        f"{plural(total.cases, 'case')}: {total.ran} graded, {_share(total.compiled, total.built)} compiled, "
        f"{_share(total.correct, total.ran)} correct"
    )
    yield _total_line("CUDABench-Score", run, total, macro, "performance", terminal)
    yield _total_line("Speed-of-light score", run, total, macro, "speed_of_light", terminal)
    if counters := _counters(run):
        yield terminal.paint(terminal.cut(counters, terminal.width), "dim")
    if total.reason:
        yield terminal.paint(f"No score: {total.reason}", "yellow")
    else:
        yield terminal.paint(_interval_note(run), "dim")


def _interval_note(run: Run) -> str:
    interval = intervals(run.outcomes, "performance", run.bootstrap_seed).mean
    if interval.reason:
        return f"no bootstrap interval: {interval.reason}"
    return f"95 % bootstrap intervals over tasks, seed {run.bootstrap_seed}"


def _total_line(name: str, run: Run, total: Score, macro: MacroMean, kind: str, terminal: Terminal) -> str:
    mean, domain_mean = getattr(total, kind), getattr(macro, kind)
    both = None if total.reason else intervals(run.outcomes, kind, run.bootstrap_seed)
    mean_text = _number(mean) + (_interval(both.mean) if both else "")
    macro_text = _number(domain_mean) + (_interval(both.macro_mean) if both else "")
    by_domain = f"   mean over {macro.domains} domains {macro_text}" if macro.domains > 1 else ""
    return terminal.paint(f"{name:<21}{mean_text}", "bold") + by_domain


def _score_row(name: str, s: Score, terminal: Terminal) -> str:
    row = _row(
        terminal.cut(name, 25),
        str(s.cases),
        _share(s.compiled, s.built),
        _share(s.correct, s.ran),
        _number(s.performance),
        _number(s.speed_of_light),
        s.reason or "",
    )
    return terminal.cut(row, terminal.width)


def _row(name: str, cases: str, compiled: str, correct: str, performance: str, light: str, reason: str) -> str:
    return f"{name:<26}{cases:>6}{compiled:>10}{correct:>10}{performance:>11}{light:>16}  {reason}".rstrip()


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole}"


def _number(value: float | None) -> str:
    return "null" if value is None else f"{value:.3f}"


def _interval(interval: Interval) -> str:
    return "" if interval.reason else f" [{interval.low:.3f}, {interval.high:.3f}]"


def _scores(performance: float | None, speed_of_light: float | None) -> str:
    texts = ["-" if value is None else f"{value:.2f}" for value in (performance, speed_of_light)]
    return "/".join(texts)


def format_time(seconds: float) -> str:
    """Three digits and a unit, e.g. 12.3 us."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        value = float(f"{seconds * factor:.3g}")
        if value >= 1 or unit == "us":
            break
    digits = 0 if value >= 100 else 1 if value >= 10 else 2
    return f"{value:.{digits}f} {unit}"
