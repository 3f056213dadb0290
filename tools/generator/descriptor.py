"""A task as C++: the initialiser of a cudabench::Task (harness/case/task.h)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from .definition import Task

_JSON = json.JSONEncoder(ensure_ascii=False)


@cache
def environment() -> Environment:
    """The templates, compiled once; a name that a template does not get is an error."""
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters["cpp_text"] = cpp_text
    templates.filters["cpp_double"] = cpp_double
    templates.filters["cmake_text"] = cmake_text
    return templates


def cpp_text(text: str) -> str:
    """A C++ string literal; escapes are those of JSON but for \\u, which ASCII text has none of."""
    return _JSON.encode(text)


def cmake_text(text: object) -> str:
    """A CMake argument that is the text as it stands: in brackets that it cannot close, not even with their start."""
    content = str(text)
    fill = "=="
    while f"]{fill}" in content:
        fill += "="
    newline = "\n" if content.startswith("\n") else ""  # CMake drops the first
    return f"[{fill}[{newline}{content}]{fill}]"


def cpp_double(value: float) -> str:
    """A literal that gives the same double back."""
    return repr(float(value))


def cpp_task(task: Task) -> str:
    """An expression of type cudabench::Task."""
    return environment().get_template("task.cpp.j2").render(task=task).strip()
