"""Strict reading and atomic writing of JSON files."""

import contextlib
import json
import os
from pathlib import Path
from typing import Any, NoReturn

from report.schema import first_error


class FileFault(Exception):
    """A file that cannot be read, is not JSON or not of its schema. The text names the file and the place."""


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def read_json(path: Path, schema: str) -> dict[str, Any]:
    """The content of `path`, checked against `schema`; raises FileNotFoundError or FileFault."""
    try:
        value = json.loads(path.read_text(encoding="utf-8"), parse_constant=_refuse)
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
