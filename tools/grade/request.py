"""A request to grade one candidate, as a line of JSON or a command line states it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from generator.definition import SCALES

STAGES = ("compile", "launch", "edge", "values", "plausible")
FEEDBACK = ("full", "minimal")
LONGEST_SOURCE = 4 << 20  # bytes
_LONGEST_LIMIT = 86400.0
_LONGEST_MESSAGE = 1000
_LISTED = 8  # names in a message
_FIELDS = (
    "id", "task", "source", "path", "scales", "stop_after", "seed", "feedback", "keep_going", "counters", "limits"
)  # fmt: skip


class RequestError(Exception):
    """A request makes no sense; `field` is the name of what is wrong in it, if it is one field."""

    def __init__(self, message: str, field: str | None = None, request_id: str | int | None = None) -> None:
        super().__init__(_cut(message))
        self.field = field and _cut(field)
        self.request_id = request_id


def _cut(text: str) -> str:
    """What is wrong with a request need not repeat it whole."""
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}..."


@dataclass(frozen=True)
class Limits:
    """Seconds that a candidate may take; None: as ctest has it."""

    compile_seconds: float | None = None
    host_seconds: float | None = None
    device_seconds: float | None = None


@dataclass(frozen=True)
class Request:
    id: str | int
    task: str
    source: bytes
    path: Path | None = None  # where the source lies, so that it can include files of its folder
    scales: tuple[str, ...] = SCALES
    stop_after: str = "plausible"
    seed: int | None = None  # else a fresh one
    feedback: str = "full"
    keep_going: bool = False  # further scales after a failure
    counters: bool = False  # count what passed cases execute
    limits: Limits = field(default_factory=Limits)
    command: tuple[str, ...] = ("./cudabench", "grade")  # that serves it, with options that its repetition needs too

    @property
    def file_name(self) -> str:
        return self.path.name if self.path else "candidate.cu"


def parse(line: bytes, tasks: Mapping[str, str], command: tuple[str, ...] = Request.command) -> Request:
    """One line of JSON. `tasks`: the name of each task and alias. Raises RequestError."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"not JSON in one line: {error}") from None
    if not isinstance(fields, dict):
        raise RequestError("a request is a JSON object")
    request_id = fields.get("id")
    if isinstance(request_id, bool) or not isinstance(request_id, str | int):
        raise RequestError("must be a text or a whole number", "id")
    try:
        return replace(_request(request_id, fields, tasks), command=command)
    except RequestError as error:
        error.request_id = request_id
        raise


def _request(request_id: str | int, fields: dict[str, object], tasks: Mapping[str, str]) -> Request:
    for name in fields:
        if name not in _FIELDS:
            raise RequestError(f"is unknown; there are {', '.join(_FIELDS)}", name)
    source, path = _source(fields)
    return Request(
        id=request_id,
        task=tasks[_choice(fields, "task", tuple(tasks), None)],
        source=source,
        path=path,
        scales=_scales(fields),
        stop_after=_choice(fields, "stop_after", STAGES, "plausible"),
        seed=_seed(fields),
        feedback=_choice(fields, "feedback", FEEDBACK, "full"),
        keep_going=_flag(fields, "keep_going"),
        counters=_flag(fields, "counters"),
        limits=_limits(fields),
    )


def _source(fields: dict[str, object]) -> tuple[bytes, Path | None]:
    given = [name for name in ("source", "path") if name in fields]
    if len(given) != 1:
        raise RequestError("give either source, the text, or path, the file that holds it", "source")
    value = fields[given[0]]
    if not isinstance(value, str):
        raise RequestError("must be a text", given[0])
    if given == ["source"]:
        source = value.encode("utf-8", "surrogatepass")
        check_size(source, "source")
        return source, None
    return read_source(Path(value))


def read_source(path: Path) -> tuple[bytes, Path]:
    """Raises RequestError."""
    try:
        if path.is_dir():
            raise RequestError(f"{path}: is a directory; grade takes one source, evaluate a directory of them", "path")
        if not path.is_file():
            raise RequestError(f"{path}: no such file", "path")
        if '"' in str(path) or "\\" in str(path) or not str(path).isprintable():
            raise RequestError(f"{path}: cannot be included under this name; rename it", "path")
        with path.open("rb") as file:
            source = file.read(LONGEST_SOURCE + 1)
    except (OSError, ValueError) as error:
        raise RequestError(f"{path}: {getattr(error, 'strerror', None) or error}", "path") from None
    check_size(source, "path")
    return source, path.resolve()


def check_size(source: bytes, name: str) -> None:
    if len(source) > LONGEST_SOURCE:
        raise RequestError(f"a source is at most {LONGEST_SOURCE >> 20} MiB", name)


def _choice(fields: dict[str, object], name: str, known: tuple[str, ...], default: str | None) -> str:
    value = fields.get(name, default)
    if value is None:
        raise RequestError("is missing", name)
    if value not in known:
        near = get_close_matches(str(value)[:100], known, n=3, cutoff=0.5)
        more = " and others; ./cudabench list shows all" if len(known) > _LISTED else ""
        offer = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(known[:_LISTED])}{more}"
        raise RequestError(f"{value!r} is unknown; {offer}", name)
    return value


def _scales(fields: dict[str, object]) -> tuple[str, ...]:
    value = fields.get("scales", list(SCALES))
    if not isinstance(value, list) or not value:
        raise RequestError(f"must be a list of {', '.join(SCALES)}", "scales")
    return ordered_scales([_choice({"scales": scale}, "scales", SCALES, None) for scale in value])


def ordered_scales(names: list[str]) -> tuple[str, ...]:
    """From small to large, each once: the small ones find most faults at the least cost."""
    return tuple(scale for scale in SCALES if scale in names)


def _seed(fields: dict[str, object]) -> int | None:
    value = fields.get("seed")
    if isinstance(value, str):
        try:
            value = int(value, 16 if value.lower().startswith("0x") else 10)
        except ValueError:
            value = -1
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 64):
        raise RequestError("must be a whole number from 0 to 2^64 - 1, or such a text, decimal or after 0x", "seed")
    return value


def _flag(fields: dict[str, object], name: str) -> bool:
    value = fields.get(name, False)
    if not isinstance(value, bool):
        raise RequestError("must be true or false", name)
    return value


def _limits(fields: dict[str, object]) -> Limits:
    value = fields.get("limits", {})
    known = tuple(Limits.__dataclass_fields__)
    if not isinstance(value, dict):
        raise RequestError(f"must be an object with any of {', '.join(known)}", "limits")
    for name, seconds in value.items():
        if name not in known:
            raise RequestError(f"is unknown; there are {', '.join(known)}", f"limits.{name}")
        check_seconds(seconds, f"limits.{name}")
    return Limits(**value)


def check_seconds(value: object, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= _LONGEST_LIMIT:
        raise RequestError("must be a number of seconds above 0 and at most 86400", name)
