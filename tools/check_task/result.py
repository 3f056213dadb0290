"""What check-task found: checks/<domain>/<task>.json of the task set, which CI compares."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.definition import Task

from .argued import folder_of
from .oracle import OracleError, source_of

SCHEMA = 1


@dataclass
class Result:
    task: Task
    hash: str
    parts: dict[str, Any] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def add(self, part: str, found: tuple[Any, list[str]]) -> None:
        self.parts[part], wrong = found
        self.wrong += wrong

    @property
    def document(self) -> dict[str, Any]:
        return {"schema": SCHEMA, "task": self.task.name, "hash": self.hash, **self.parts}

    @property
    def path(self) -> Path:
        return path_of(self.task)

    def in_words(self) -> str:
        lines = [f"{self.task.name}: {'sound' if not self.wrong else f'{len(self.wrong)} wrong'}"]
        lines += [f"  WRONG {line}" for line in self.wrong]
        if reference := self.parts.get("reference"):
            lines.append(f"  reference and oracle: {_largest(reference['error'])} of what is allowed, at worst")
        if models := self.parts.get("null_models"):
            refused = [model for model in models.values() if model["refused"]]
            lines.append(f"  null models: {len(refused)} of {len(models)} refused, {_argued(models)} argued")
        if mutants := self.parts.get("mutants"):
            refused = [mutant for mutant in mutants if mutant["refused"]]
            argued = [mutant for mutant in mutants if "because" in mutant]
            lines.append(f"  mutants: {len(refused)} of {len(mutants)} refused, {len(argued)} argued")
        if honest := self.parts.get("honest"):
            errors = ", ".join(f"{name} {error}" for name, error in honest["error"].items())
            lines.append(f"  honest, {honest['seeds']} seeds, of what is just accepted: {errors}")
            lines.append(f"  least of what is refused for its precision: {self._least_downgraded()}")
        for quantity, entry in self.parts.get("work", {}).items():
            lines.append(f"  {quantity}: {entry['model']:g}, counted {entry['counted']:g} ({entry['of']})")
        return "\n".join(lines)

    def _least_downgraded(self) -> str:
        models, mutants = self.parts["null_models"], self.parts["mutants"]
        found = {name: entry["error"] for name, entry in models.items() if " in " in name and entry["refused"]}
        found |= {mutant["name"]: mutant["error"] for mutant in mutants if "error" in mutant and mutant["refused"]}
        finite = {name: error for name, error in found.items() if error != "infinite"}
        if not finite:
            return "infinite" if found else "nothing"
        name = min(finite, key=finite.__getitem__)
        return f"{name} {finite[name]}"


def path_of(task: Task) -> Path:
    return folder_of(task).with_suffix(".json")


def identity(task: Task) -> str:
    """Changes with what is checked: the task file, its reference and its oracle, reasons and honest variants."""
    digest = hashlib.sha256()
    folder = folder_of(task)
    files = [task.path, task.reference_path, folder.with_suffix(".toml"), *sorted(folder.glob("*.cu"))]
    for file in files:
        if file.is_file():
            digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    with contextlib.suppress(OracleError):
        digest.update(source_of(task).encode())
    return digest.hexdigest()[:16]


def write(result: Result) -> None:
    result.path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(result.document, indent=1, ensure_ascii=False) + "\n"
    result.path.write_text(text, encoding="utf-8")


def read(task: Task) -> dict[str, Any] | None:
    """None if there is none."""
    try:
        return json.loads(path_of(task).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None


def differences(result: Result) -> list[str]:
    """Between what was found now, as far as it was looked for, and what is on file."""
    known = read(result.task)
    if known is None:
        return [f"{result.path}: is missing; --update writes it"]
    if known["hash"] != result.hash:
        return [f"{result.path}: is of an earlier state of the task; --update writes it anew"]
    found = []
    for part, now in result.parts.items():
        found += [f"{result.path}: {part}: {line}" for line in _COMPARE[part](known.get(part), now)]
    return found


def _compare_errors(known: dict[str, Any] | None, now: dict[str, Any]) -> list[str]:
    """Fewer seeds may be tried now than then."""
    if known is None or known["error"].keys() != now["error"].keys():
        return ["other names are on file"]
    return [
        f"{name}: the error is {error}, on file {known['error'][name]}"
        for name, error in now["error"].items()
        if _number(error) > 1.5 * _number(known["error"][name]) + 0.05
    ]


def _compare_null_models(known: dict[str, Any] | None, now: dict[str, Any]) -> list[str]:
    if known is None or known.keys() != now.keys():
        return ["other names are on file"]
    return [
        f"{name}: refused is {entry['refused']}, on file {known[name]['refused']}"
        for name, entry in now.items()
        if entry["refused"] != known[name]["refused"]
    ]


def _compare_mutants(known: list[dict[str, Any]] | None, now: list[dict[str, Any]]) -> list[str]:
    if known is None or [mutant["name"] for mutant in known] != [mutant["name"] for mutant in now]:
        return ["others are on file"]
    return [
        f"{one['name']}: is {_fate(one)}, on file {_fate(other)}"
        for one, other in zip(now, known, strict=True)
        if bool(one["refused"]) != bool(other["refused"])
    ]


def _fate(mutant: dict[str, Any]) -> str:
    return f"refused ({mutant['refused']})" if mutant["refused"] else "accepted"


def _compare_equal(known: Any, now: Any) -> list[str]:
    return [] if known == now else [f"is {now}, on file {known}"]


_COMPARE = {
    "sizes": _compare_equal,
    "reference": _compare_errors,
    "null_models": _compare_null_models,
    "mutants": _compare_mutants,
    "honest": _compare_errors,
    "work": _compare_equal,
}


def _number(error: float | str) -> float:
    return float("inf") if error == "infinite" else float(error)


def _argued(entries: dict[str, dict[str, Any]]) -> int:
    return sum("because" in entry for entry in entries.values())


def _largest(errors: dict[str, float | str]) -> float:
    return max(map(_number, errors.values()), default=0.0)
