"""Strict reading and atomic writing of JSON files."""

import contextlib
import json
import math
import os
import re
import stat
from pathlib import Path
from typing import Any, NoReturn

from report.schema import first_error

LARGEST_SOURCE = 16 << 20  # as discovery and the compiler's launcher allow
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
    """The value with a question mark for every control character but newline and tab, and for halves of surrogate
    pairs: names and messages come from candidates and must not steer the terminal."""
    if isinstance(value, str):
        return _CONTROLS.sub("?", value)
    if isinstance(value, list):
        return [_printable(element) for element in value]
    if isinstance(value, dict):
        return {_printable(key): _printable(element) for key, element in value.items()}
    return value


_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_STRICT = {"parse_constant": _refuse, "parse_float": _finite, "parse_int": _whole}


def read_source(path: Path) -> bytes:
    """The bytes of a regular file of at most LARGEST_SOURCE; nothing is waited for. Raises OSError, and
    ValueError for anything else."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_SOURCE:
            raise ValueError(f"{path}: is no regular file of at most {LARGEST_SOURCE} bytes")
        return file.read(LARGEST_SOURCE)


def read_json(path: Path, schema: str) -> dict[str, Any]:
    """The content of `path`, made printable and checked against `schema`; raises FileNotFoundError or FileFault."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"), **_STRICT)
        value = _printable(value)
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
