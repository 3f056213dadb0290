"""checks/<domain>/<task>.toml: reasons why something that looks wrong is right. Optional.

[null_models]
"input copied" = "the task is a copy"

[mutants]
"boundary 2" = "equivalent: no two candidates have the same index"

[work]
"read_bytes" = "the model is that of four passes of eight bits; the honest ones make more"
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from generator.definition import Task

_PARTS = ("null_models", "mutants", "work")


class ArguedError(Exception):
    """The file cannot be used; the text says why."""


@dataclass
class Argued:
    path: Path
    null_models: dict[str, str] = field(default_factory=dict)
    mutants: dict[str, str] = field(default_factory=dict)
    work: dict[str, str] = field(default_factory=dict)
    _used: set[tuple[str, str]] = field(default_factory=set)

    def null_model(self, name: str) -> str | None:
        return self._find("null_models", name)

    def mutant(self, name: str) -> str | None:
        return self._find("mutants", name)

    def of_work(self, quantity: str) -> str | None:
        return self._find("work", quantity)

    def unused(self) -> list[str]:
        """What is argued and need not be: stale reasons mislead."""
        return [
            f"{self.path}: {part}.{name!r} is argued, but need not be, or there is none"
            for part in _PARTS
            for name in getattr(self, part)
            if (part, name) not in self._used
        ]

    def _find(self, part: str, name: str) -> str | None:
        reason = getattr(self, part).get(name)
        if reason is not None:
            self._used.add((part, name))
        return reason


def read_argued(task: Task) -> Argued:
    """Raises ArguedError."""
    path = folder_of(task).with_suffix(".toml")
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Argued(path)
    except (OSError, ValueError) as error:
        raise ArguedError(f"{path}: {error}") from error
    for part, reasons in content.items():
        if part not in _PARTS:
            raise ArguedError(f"{path}: {part}: is unknown; there are {', '.join(_PARTS)}")
        for name, reason in reasons.items():
            if not isinstance(reason, str) or not reason.strip():
                raise ArguedError(f"{path}: {part}.{name}: must be a text that says why")
    return Argued(path, **content)


def folder_of(task: Task) -> Path:
    """checks/<domain>/<task> of the task set: with .toml reasons, with .json the result, as folder honest variants."""
    return task.path.parents[2] / "checks" / task.domain / task.name
