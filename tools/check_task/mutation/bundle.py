"""Variants of a source compiled together: the compiler spends most of its time on headers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from generator.definition import Task
from grade.cache import Cache
from grade.commands import BuildCommands
from grade.compiler import Compiler
from grade.request import Request

from .rules import ROUNDED

_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*$", re.MULTILINE)
_LINKAGE = re.compile(r'\bextern\s+"C"\s+(?=[\w_])')
_CACHE_BYTES = 1 << 30

_PREAMBLE = f"""\
// The nearest value of eleven significant bits, as tf32 and fp16 have.
template <typename Value> __device__ Value {ROUNDED}(Value value) {{
    const unsigned int bits = __float_as_uint(static_cast<float>(value));
    return static_cast<Value>(__uint_as_float((bits + 0xFFFU + (bits >> 13 & 1U)) & ~0x1FFFU));
}}
"""


class CompileError(Exception):
    """What does not compile cannot be told; the text is the compiler's."""


def bundle(task: Task, source: str, variants: dict[str, str]) -> str:
    """One file of them all: cudabench_call_<name> calls a variant, in a namespace <name>. Names are identifiers."""
    parts = [source, _PREAMBLE]
    for name, variant in variants.items():
        text = _LINKAGE.sub("", _INCLUDE.sub("", variant))
        parts.append(f'namespace {name} {{\n#line 1 "{name}"\n{text}\n}} // namespace {name}\n')
    parts.append(f'#line 1 "calls"\n#include "contracts/{task.name}.h"\n')
    parts += [
        f'extern "C" __attribute__((visibility("default"))) void cudabench_call_{name}(void* const* buffers, '
        f"const long long* dims, const double* params) {{\n"
        f"    cudabench_contract::cudabench_invoke({name}::solve, buffers, dims, params);\n}}\n"
        for name in variants
    ]
    return "\n".join(parts)


class Bundles:
    """Compiles them as candidates are compiled."""

    def __init__(self, build: Path) -> None:
        self._compiler = Compiler(BuildCommands.of(build), Cache(build / "grade_cache", _CACHE_BYTES))

    @contextmanager
    def compiled(self, task: Task, source: str, variants: dict[str, str]) -> Iterator[tuple[Path, list[str]]]:
        """The shared object, and the names of the variants that compile. Raises CompileError."""
        left = dict(variants)
        while True:
            text = bundle(task, source, left)
            built = self._compiler.compile(Request(id="bundle", task=task.name, source=text.encode()))
            try:
                if built.record["status"] == "ok":
                    yield built.module, list(left)
                    return
                blamed = _blamed(built.record["stderr"], left)
                if not blamed:
                    raise CompileError(built.record["stderr"])
                left = {name: variant for name, variant in left.items() if name not in blamed}
            finally:
                built.close()

    @contextmanager
    def alone(self, task: Task, path: Path) -> Iterator[Path]:
        """The shared object of a candidate. Raises CompileError."""
        built = self._compiler.compile(Request(id="alone", task=task.name, source=path.read_bytes(), path=path))
        try:
            if built.record["status"] != "ok":
                raise CompileError(built.record["stderr"])
            yield built.module
        finally:
            built.close()


def _blamed(errors: str, names: dict[str, str]) -> set[str]:
    words = {word for line in errors.splitlines() if "error" in line for word in re.findall(r"\w+", line)}
    mangled = re.findall(r"_ZN?\d+(\w+)", errors)
    return {name for name in names if name in words or any(text.startswith(name) for text in mangled)}
