"""report.json: everything that is known of a run, as docs/results.md lays it down."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

from report.bootstrap import LEVEL, REPLICATES, intervals
from report.manifest import Manifest, Part
from report.merge import lacking_shards
from report.outcome import Outcome, Verdict, grade, source_hash
from report.plural import plural
from report.score import KINDS, MacroMean, Score, group, macro_mean, score

GROUPS = {
    "model": lambda o: o.case.candidate.model,
    "level": lambda o: o.case.candidate.level,
    "domain": lambda o: o.case.domain,
    "scale": lambda o: o.case.scale,
    "task": lambda o: o.case.task,
}

_Mean = TypeVar("_Mean", Score, MacroMean)


@dataclass(frozen=True)
class Run:
    """One manifest with what became of each of its cases."""

    manifest: Manifest
    outcomes: tuple[Outcome, ...]
    bootstrap_seed: int

    @property
    def devices(self) -> list[str]:
        return sorted({name for o in self.outcomes if (name := (o.result.get("device") or {}).get("name"))})

    def devices_of(self, part: Part) -> list[str]:
        """The GPUs of one build tree: name and UUID."""
        found = (o.result.get("device") or {} for o in self.outcomes if o.case.build_root == part.build_root)
        return sorted({d["name"] + (f" ({d['uuid']})" if d.get("uuid") else "") for d in found if d.get("name")})

    @property
    def lacking(self) -> str | None:
        """Why these are not all cases of the run: no score can be given then."""
        return lacking_shards(self.manifest)

    def score(self, outcomes: Sequence[Outcome]) -> Score:
        """Of a group of the run's cases."""
        return self._null_if_lacking(score(outcomes))

    def macro_mean(self) -> MacroMean:
        return self._null_if_lacking(macro_mean(self.outcomes))

    def _null_if_lacking(self, s: _Mean) -> _Mean:
        reasons = "; ".join(reason for reason in (self.lacking, s.reason) if reason)
        return replace(s, performance=None, speed_of_light=None, reason=reasons) if self.lacking else s

    @property
    def warnings(self) -> list[str]:
        """What a reader must know before comparing the scores with others."""
        found = []
        if len(self.devices) > 1:
            found.append(f"results of different GPUs are mixed: {', '.join(self.devices)}")
        if unconfined := sum(o.result.get("confinement") == "none" for o in self.outcomes):
            found.append(
                f"host code ran without confinement (--unsafe) in {unconfined} of {plural(len(self.outcomes), 'case')}"
            )
        return found


def collect(manifest: Manifest, bootstrap_seed: int) -> Run:
    source_hash.cache_clear()  # a source may have changed since the last call
    return Run(manifest, tuple(grade(case) for case in manifest.cases), bootstrap_seed)


def document(runs: list[Run]) -> dict[str, Any]:
    return {"schema": 1, "runs": [_run(run) for run in runs]}


def test_name(outcome: Outcome) -> str:
    """The CTest name of a case, <domain>.<task>.<scale>.<id of the candidate>."""
    case = outcome.case
    return f"{case.domain}.{case.task}.{case.scale}.{case.id.removesuffix(f'_{case.scale}')}"


def repeat_command(outcome: Outcome) -> str:
    """A shell command that grades the case again, with the same inputs where it got that far."""
    pattern = "^" + test_name(outcome).replace(".", r"\.") + "$"
    seed = outcome.result.get("seed")
    command = ["ctest", "--test-dir", str(outcome.case.build_root), "-R", pattern, "--output-on-failure"]
    return (f"CUDABENCH_SEED={seed} " if seed else "") + shlex.join(command)


def _run(run: Run) -> dict[str, Any]:
    total = run.score(run.outcomes)
    return {
        "name": run.manifest.name,
        "build_root": str(run.manifest.build_root),
        "manifest": str(run.manifest.path),
        "parts": [
            {
                "build_root": str(part.build_root),
                "manifest": str(part.path),
                "shard": part.shard,
                "devices": run.devices_of(part),
            }
            for part in run.manifest.parts
        ],
        "devices": run.devices,
        "warnings": run.warnings,
        "bootstrap": {"seed": run.bootstrap_seed, "replicates": REPLICATES, "level": LEVEL},
        "total": _total(run.outcomes, total, run.bootstrap_seed),
        "macro_mean": _macro_mean(run),
        "by": {
            name: {
                value: _total(members, run.score(members), run.bootstrap_seed)
                if name == "model"
                else _score(run.score(members))
                for value, members in group(run.outcomes, key).items()
            }
            for name, key in GROUPS.items()
        },
        "cases": [_case(outcome) for outcome in run.outcomes],
    }


def _score(s: Score) -> dict[str, Any]:
    return asdict(s) | {"compiled_rate": s.compiled_rate, "correct_rate": s.correct_rate}


def _total(outcomes: tuple[Outcome, ...] | list[Outcome], s: Score, seed: int) -> dict[str, Any]:
    return _score(s) | {
        "intervals": None if s.reason else {kind: asdict(intervals(outcomes, kind, seed).mean) for kind in KINDS}
    }


def _macro_mean(run: Run) -> dict[str, Any]:
    mean, seed = run.macro_mean(), run.bootstrap_seed
    return asdict(mean) | {
        "intervals": None
        if mean.reason
        else {kind: asdict(intervals(run.outcomes, kind, seed).macro_mean) for kind in KINDS}
    }


def _case(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    candidate = asdict(case.candidate) | {"source": str(case.candidate.source)}
    return {
        "id": case.id,
        "task": case.task,
        "domain": case.domain,
        "scale": case.scale,
        "candidate": candidate,
        "verdict": str(outcome.verdict),
        "stage": outcome.stage,
        "message": outcome.message,
        "seconds": outcome.seconds,
        "performance": outcome.score("performance"),
        "speed_of_light": outcome.score("speed_of_light"),
        "counters": outcome.counted.counters if outcome.counted else None,
        "counters_reason": outcome.counted.reason if outcome.counted else None,
        "work": outcome.counted.work if outcome.counted else None,
        "marks": list(outcome.marks),
        "seed": outcome.result.get("seed"),
        "repeat": None if outcome.verdict is Verdict.PASS else repeat_command(outcome),
        "result": str(case.result),
        "compile_record": str(case.compile_record),
    }
