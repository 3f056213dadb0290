"""The text of a CUDA source: what of it is code, and which definitions `solve` can reach."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NOT_CODE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)+'|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*",
    re.DOTALL | re.MULTILINE,
)
_IDENTIFIER = re.compile(r"\b[A-Za-z_]\w*\b")
_NAMESPACE = re.compile(r"\bnamespace\b[^{;]*\Z")
_LINKAGE = re.compile(r"\bextern\s+\Z")


@dataclass(frozen=True)
class Definition:
    start: int
    end: int
    name: str


def code_of(source: str) -> str:
    """The source with comments, texts and preprocessor lines blanked, each character in its place."""
    return _NOT_CODE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), source)


def reachable(code: str, entry: str = "solve") -> list[tuple[int, int]]:
    """The parts of `code` that `entry` can reach by the names that it mentions, in order."""
    definitions = _definitions(code)
    wanted, queue = set(), [entry]
    while queue:
        name = queue.pop()
        for index, definition in enumerate(definitions):
            if definition.name == name and index not in wanted:
                wanted.add(index)
                queue += _IDENTIFIER.findall(code[definition.start : definition.end])
    return [(definitions[index].start, definitions[index].end) for index in sorted(wanted)]


def _definitions(code: str) -> list[Definition]:
    """Of functions, types and variables in namespaces, however deep those are nested."""
    found = []
    depth, start, opened = 0, 0, 0  # depth: of braces inside a definition
    for place, character in enumerate(code):
        if character == "{":
            head = code[start:place]
            if depth == 0 and (_NAMESPACE.search(head) or _LINKAGE.search(head.rstrip() + " ")):
                start = place + 1
                continue
            if depth == 0:
                opened = place
            depth += 1
        elif character == "}":
            if depth == 0:  # of a namespace
                start = place + 1
                continue
            depth -= 1
            if depth == 0 and not code[place + 1 :].lstrip().startswith((";", ",")):
                found.append(Definition(start, place + 1, _name(code[start:opened])))
                start = place + 1
        elif character == ";" and depth == 0:
            text = code[start:place]
            if text.strip():
                found.append(Definition(start, place + 1, _name(text.split("{", 1)[0])))
            start = place + 1
    return found


def _name(head: str) -> str:
    """Of `template <...> __global__ void f(...)`, `struct S`, `constexpr int c = 1`."""
    head = re.sub(r"template\s*<[^{]*?>\s*(?=[\w:]|__)", " ", head) if "template" in head else head
    if kind := re.search(r"\b(?:struct|class|enum|union)\s+(?:class\s+)?(\w+)", head):
        return kind[1]
    if alias := re.search(r"\busing\s+(\w+)\s*=", head):
        return alias[1]
    head = head.split("=", 1)[0]
    called = re.sub(r"__launch_bounds__\s*\([^)]*\)", " ", head)
    if "(" in called:
        names = _IDENTIFIER.findall(called.split("(", 1)[0])
    else:
        names = _IDENTIFIER.findall(re.sub(r"\[[^\]]*\]", " ", called))
    return names[-1] if names else ""
