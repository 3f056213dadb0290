"""Strict reading and atomic writing of JSON files."""

import contextlib
import json
import math
import os
import stat
from pathlib import Path
from typing import Any, NoReturn

from report.printable import printable
from report.schema import first_error

LARGEST_SOURCE = 16 << 20  # as discovery and the compiler's launcher allow
_LARGEST_JSON = 256 << 20  # manifests of many thousand cases
_LONGEST_WHOLE = 20  # digits and sign: 64 bits


class FileFault(Exception):
    """A file that cannot be read, is not JSON or not of its schema. The text names the file and the place."""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _finite(text: str) -> float:
    if not math.isfinite(value := float(text)):
        raise ValueError(f"{text[:20]} is too large")
    return value


def _whole(text: str) -> int:
    if len(text) > _LONGEST_WHOLE:
        raise ValueError(f"{text[:20]}... is too large")
    return int(text)


def _printable(value: Any) -> Any:
    """The value with all its texts made printable: names and messages come from candidates."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [_printable(element) for element in value]
    if isinstance(value, dict):
        return {_printable(key): _printable(element) for key, element in value.items()}
    return value


_STRICT = {"parse_constant": _refuse, "parse_float": _finite, "parse_int": _whole}


def read_source(path: Path) -> bytes:
    """The bytes of a regular file of at most LARGEST_SOURCE; nothing is waited for. Raises OSError, and
    ValueError for anything else."""
    if (content := _regular(path, LARGEST_SOURCE)) is None:
        raise ValueError(f"{path}: is no regular file of at most {LARGEST_SOURCE} bytes")
    return content


def _regular(path: Path, largest: int) -> bytes | None:
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
        status = os.fstat(file.fileno())
        return file.read(largest) if stat.S_ISREG(status.st_mode) and status.st_size <= largest else None


def read_json(path: Path, schema: str) -> dict[str, Any]:
    """The content of `path`, made printable and checked against `schema`; raises FileNotFoundError or FileFault."""
    try:
        content = _regular(path, _LARGEST_JSON)
        if content is None:
            raise FileFault(f"{path}: is no regular file of at most {_LARGEST_JSON} bytes")
        value = _printable(json.loads(content.decode(), **_STRICT))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise FileFault(f"{path}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise FileFault(f"{path}: not JSON: {error}") from error
    if problem := first_error(value, schema):
        raise FileFault(f"{path}: {problem}")
    return value


def write_atomically(path: Path, text: str) -> None:
    """A reader sees the old file or the whole new one, also when the disk is full. Raises OSError."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        error.filename = str(path)
        with contextlib.suppress(OSError):
            part.unlink()
        raise
