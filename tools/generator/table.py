"""A table of a TOML file that knows its file and its place, so that every complaint names both."""

from __future__ import annotations

import difflib
import sys
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NoReturn

from .errors import TaskError
from .expression import INT64_MAX, INT64_MIN


class Table:
    """Reads known keys, each with its type; finish() rejects the others."""

    def __init__(self, file: Path, place: str, content: dict[str, Any]) -> None:
        self.file = file
        self.place = place
        self._content = content
        self._known: set[str] = set()

    def has(self, key: str) -> bool:
        """Whether an optional key is there."""
        self._known.add(key)
        return key in self._content

    def fail(self, key: str, wrong: str, allowed: str = "") -> NoReturn:
        raise TaskError(self.file, self.path(key), wrong, allowed)

    def path(self, key: str) -> str:
        return ".".join(part for part in (self.place, key) if part)

    def names(self) -> list[str]:
        """The keys, where these are names that the file chooses."""
        return list(self._content)

    def text(self, key: str, default: str | None = None) -> str:
        return self._get(key, str, "a text", default)

    def flag(self, key: str, default: bool) -> bool:
        return self._get(key, bool, "true or false", default)

    def number(self, key: str, default: float | None = None) -> float:
        value = self._get(key, (int, float), "a number", default)
        if not -sys.float_info.max <= value <= sys.float_info.max:
            self.fail(key, f"is {value}", "must be a finite number of double precision")
        return value

    def whole(self, key: str) -> int:
        value = self._get(key, int, "a whole number", None)
        if not INT64_MIN <= value <= INT64_MAX:
            self.fail(key, f"is {value}", "must fit in 64 bits")
        return value

    def expression(self, key: str, default: str | None = None) -> str | float:
        return self._get(key, (str, int, float), 'an expression, e.g. "4 * N"', default)

    def choice(self, key: str, allowed: Collection[str], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in allowed:
            self.fail(key, f"{value!r} is unknown", f"allowed: {', '.join(allowed)}" + _nearest(value, allowed))
        return value

    def texts(self, key: str, default: list[str] | None = None) -> list[str]:
        return self._list(key, str, "a list of texts", default)

    def wholes(self, key: str) -> list[int]:
        return self._list(key, int, "a list of whole numbers", None)

    def expressions(self, key: str) -> list[str | int]:
        return self._list(key, (str, int), 'a list of expressions, e.g. ["rows", "cols"]', None)

    def table(self, key: str, optional: bool = False) -> Table:
        return Table(self.file, self.path(key), self._get(key, dict, "a table", {} if optional else None))

    def tables(self, key: str, fewest: int = 1) -> Iterator[Table]:
        rows = self._list(key, dict, "a list of tables ([[...]])", None if fewest else [])
        if len(rows) < fewest:
            self.fail(key, f"has {len(rows)} entries", f"at least {fewest}")
        return (Table(self.file, f"{self.path(key)}[{index}]", row) for index, row in enumerate(rows))

    def finish(self) -> None:
        for key in self._content:
            if key not in self._known:
                allowed = sorted(self._known)
                self.fail(key, "unknown key", f"allowed: {', '.join(allowed)}" + _nearest(key, allowed))

    def _get(self, key: str, kind: Any, what: str, default: Any) -> Any:
        self._known.add(key)
        if key not in self._content:
            if default is None:
                near = difflib.get_close_matches(key, self._content, n=1)
                hint = f" (is {near[0]!r} a misspelling?)" if near and near[0] not in self._known else ""
                self.fail(key, "is missing", f"must be {what}{hint}")
            return default
        value = self._content[key]
        if not _is(value, kind):
            self.fail(key, f"is {value!r}", f"must be {what}")
        return value

    def _list(self, key: str, kind: Any, what: str, default: Any) -> Any:
        value = self._get(key, list, what, default)
        for index, item in enumerate(value):
            if not _is(item, kind):
                self.fail(f"{key}[{index}]", f"is {item!r}", f"{key} must be {what}")
        return value


def read_toml(file: Path) -> Table:
    """The whole of a TOML file; raises TaskError with the line if it is broken."""
    try:
        return Table(file, "", tomllib.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise TaskError(file, "", f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TaskError(file, "", f"is not UTF-8: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise TaskError(file, "", f"is not TOML: {error}") from error


def _is(value: Any, kind: Any) -> bool:
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _nearest(name: str, allowed: Collection[str]) -> str:
    near = difflib.get_close_matches(name, allowed, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""
