"""The mistakes that mutants make. Each rule finds places in the code of a reference and says what to write there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from generator.definition import Task

from .source import code_of, reachable

ROUNDED = "cudabench_rounded"  # a function of the file that mutants are compiled in: a float in eleven bits


@dataclass(frozen=True)
class Mutation:
    kind: str
    name: str  # the kind and the number of the place among all of its kind
    start: int
    end: int
    text: str  # in place of source[start:end]

    def apply(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]

    def line(self, source: str) -> int:
        return source.count("\n", 0, self.start) + 1

    def change(self, source: str) -> tuple[str, str]:
        """The line, or the lines, before and after."""
        first = source.rfind("\n", 0, self.start) + 1
        last = source.find("\n", self.end)
        last = len(source) if last < 0 else last
        after = source[first : self.start] + self.text + source[self.end : last]
        return " ".join(source[first:last].split()), " ".join(after.split())


@dataclass(frozen=True)
class Rule:
    """`pattern` is searched in the code; `replace` says what comes in place of its group `here`, None for nothing."""

    kind: str
    pattern: re.Pattern[str]
    replace: Callable[[re.Match[str]], str | None]


def _rule(kind: str, pattern: str, replace: str | dict[str, str] | Callable[[re.Match[str]], str | None]) -> Rule:
    if isinstance(replace, str):
        return Rule(kind, re.compile(pattern, re.MULTILINE), lambda _, text=replace: text)
    if isinstance(replace, dict):
        return Rule(kind, re.compile(pattern, re.MULTILINE), lambda found, table=replace: table.get(found["here"]))
    return Rule(kind, re.compile(pattern, re.MULTILINE), replace)


_TYPES = r"(?:double|float|int|unsigned int|unsigned|long long|unsigned long long|size_t|bool|std::\w+_t)"
_NUMBER = r"(?<![\w.])(?P<here>\d+\.\d*(?:[eE][+-]?\d+)?)(?=[fF]?(?![\w.]))"
_HEXADECIMAL = r"\b(?P<here>0[xX][0-9a-fA-F]+)(?=[uU]?[lL]*\b)"
_COMPARISON = r"(?<=[\w)\]]) (?P<here><=|>=|<|>) (?=[\w(\-])(?!0; \w+ /=)"
_ASSIGNMENT = r"^\s+(?P<here>[\w.\->\[\]* ]*[\w\]] (?:=|\+=|-=) [^;{}=]+;)$"
_NESTED = r"[^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*"  # parentheses in parentheses
_CAST = rf"(?P<here>static_cast<(?:float|double)>\({_NESTED}\));"


def _another_number(found: re.Match[str]) -> str:
    value = float(found["here"])
    return "1.0" if value == 0 else repr(value * 1.01)


def _dropped(found: re.Match[str]) -> str | None:
    """Nothing in place of an assignment; a declaration must stay."""
    words = found["here"].split()
    return ";" if words[1] in ("=", "+=", "-=") else None


def _rounded(found: re.Match[str]) -> str:
    return f"{ROUNDED}({found['here']})"


# In the order in which kinds take turns. Spaces around < and > tell comparisons from templates, as clang-format leaves
# them.
RULES = (
    _rule("boundary", _COMPARISON, {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}),
    _rule("off by one", r"\[[^\[\]]*(?P<here>\])", " + 1]"),
    _rule("off by one", r"(?<=[\w)\]]) (?P<here>[+-] 1)\b(?![.\w])", lambda found: f"{found['here'][0]} 2"),
    _rule("off by one", rf"\bfor \({_TYPES} \w+ = (?P<here>0);", "1"),
    _rule("barrier", r"(?P<here>\b__sync(?:threads|warp)\([^()]*\);)", ";"),
    _rule("initialisation", rf"^\s*{_TYPES} \w+ = (?P<here>0(?:\.0f?|U)?);", "1"),
    _rule("initialisation", rf"^\s*{_TYPES} \w+(?:\[\w+\])+ = (?P<here>\{{\}});", "{1}"),
    _rule("axis", r"\b(?:threadIdx|blockIdx)\.(?P<here>[xyz])\b", {"x": "y", "y": "x", "z": "y"}),
    _rule("axis", r"\bfor \([^;]*;[^;]*; \w+ \+= (?P<here>\w+)\)", lambda found: f"2 * {found['here']}"),
    _rule("axis", r"(?<=\w) (?P<here>\* \w+) \+ (?=\w)", lambda found: f"* ({found['here'][2:]} + 1)"),
    _rule("dropped term", r" (?P<here>\+=|-=|\*=) ", "="),
    _rule("dropped term", _ASSIGNMENT, _dropped),
    _rule("operator", r"(?<=[\w)\]]) (?P<here>[+\-*/]) (?=[\w(])", {"+": "-", "-": "+", "*": "+", "/": "*"}),
    _rule("operator", r"\bf?(?P<here>max|min)f?(?=\()", {"max": "min", "min": "max"}),
    _rule("operator", r" (?P<here>==|!=|&&|\|\|) ", {"==": "!=", "!=": "==", "&&": "||", "||": "&&"}),
    _rule("constant", _NUMBER, _another_number),
    _rule("constant", _HEXADECIMAL, lambda found: f"0x{int(found['here'], 16) ^ 1:X}"),
    _rule("rounding", _CAST, _rounded),
)


_DECLARATION = re.compile(rf"^\s*(?:(?:__shared__|const|static|extern|constexpr)\s+|{_TYPES}\s+\w+\[)")


def _is_possible(rule: Rule, line: str) -> bool:
    """Not where an array is declared, since a larger one changes nothing, and no loop that never ends."""
    if rule.kind == "off by one" and "[" in line and _DECLARATION.match(line) and " = " not in line:
        return False
    return not (rule.kind == "dropped term" and line.lstrip().startswith("for ("))


def mutations(task: Task, source: str) -> list[Mutation]:
    """All that the rules find in what `solve` reaches, in the order of their places, kind by kind."""
    code = code_of(source)
    parts = reachable(code)
    rules = (*RULES, *_of_sizes_and_constants(task), _rounded_loads(task))
    kinds = list(dict.fromkeys(rule.kind for rule in rules))
    return [
        Mutation(kind, f"{kind} {number}", start, end, text)
        for kind in kinds
        for number, (start, end, text) in enumerate(_places(code, parts, [r for r in rules if r.kind == kind]), start=1)
    ]


def _of_sizes_and_constants(task: Task) -> Iterator[Rule]:
    """A size of the task where another stands, not where it is declared or passed on under its own name; one less; a
    constant that is off by one in a hundred."""
    for one, other in zip(task.dims, (*task.dims[1:], *task.dims[:1]), strict=True):
        if one != other:
            yield _rule("axis", rf"(?<![\w.]){_before_use()}(?P<here>{one})\b(?= *(?:[;)*/%+\-<>\]]))(?!,)", other)
            yield _rule("constant", rf"(?<= < )(?P<here>{one})\b", f"{one} - 1")
    for param in task.params:
        yield _rule("constant", rf"[+\-*/] (?P<here>{param.name})\b", f"({param.name} * 1.01f)")


def _rounded_loads(task: Task) -> Rule:
    """Of anything where outputs are floats; else of inputs, since counts and indices are small."""
    real = any(output.dtype.startswith("float") for output in task.outputs)
    names = r"\w+" if real else "|".join(array.name for array in task.inputs)
    return _rule("rounding", rf"= (?P<here>(?:{names})\[[^;]+\]);", _rounded)


def _before_use() -> str:
    return r"(?<!int )(?<!long )(?<!unsigned )(?<!, )(?<!\()"


def _places(code: str, parts: list[tuple[int, int]], rules: list[Rule]) -> list[tuple[int, int, str]]:
    found = set()
    for rule in rules:
        for start, end in parts:
            for match in rule.pattern.finditer(code, start, end):
                text = rule.replace(match)
                line = code[code.rfind("\n", 0, match.start("here")) + 1 : code.find("\n", match.start("here"))]
                if not _is_possible(rule, line):
                    continue
                if text is not None and text != match["here"]:
                    found.add((*match.span("here"), text))
    return sorted(found)


def chosen(found: list[Mutation], count: int) -> Iterator[list[Mutation]]:
    """Batches of what to try: first `count`, kinds in turn and places spread over the source; then the rest, as what
    does not compile must be replaced."""
    queues = {kind: _spread([m for m in found if m.kind == kind]) for kind in dict.fromkeys(m.kind for m in found)}
    order = []
    while any(queues.values()):
        order += [queue.pop(0) for queue in queues.values() if queue]
    for first in range(0, len(order), count):
        yield order[first : first + count]


def _spread(items: list[Mutation]) -> list[Mutation]:
    """The middle first, then the middles of the halves."""
    if not items:
        return []
    order, queue = [], [(0, len(items))]
    while queue:
        low, high = queue.pop(0)
        if low < high:
            middle = (low + high) // 2
            order.append(items[middle])
            queue += [(low, middle), (middle + 1, high)]
    return order
