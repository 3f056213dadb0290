"""Discovery of candidates: which CUDA source is whose answer to which task."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import pairwise
from pathlib import Path, PurePosixPath

from .definition import SCALES, Task

LISTING = "candidates.json"
_STEM = re.compile(r"(?P<task>[^@]+?)(?:@(?P<scale>[^@.]+))?(?:\.s(?P<sample>[0-9]+))?")
_LEVEL = re.compile(r"level([1-3])")
_UNUSABLE = '"\\$<>'  # they mean something in an #include or in the files that CMake writes, whatever the quoting
_SPEAKABLE = re.compile(r"[\w /.@+,=~-]*")  # what make, ninja and CMake's lists all take in the name of a file
_LONGEST_ID = 120  # a file name with room for a scale and suffixes
_LONGEST_MODEL = 200
_LARGEST_SAMPLE = 999_999
_LARGEST_FILE = 16 << 20  # bytes, of a candidate and of a listing


class CandidateError(Exception):
    """Something in a directory of candidates is wrong; the text names the files and the remedy."""


@dataclass(frozen=True)
class Candidate:
    id: str  # [A-Za-z0-9_], unique in its set
    name: str  # as people see it: the path without its suffix
    source: Path
    task: str
    scales: tuple[str, ...]
    model: str  # empty if unknown
    level: int  # 1 to 3, 0 if unknown
    sample: int

    @property
    def needs_link(self) -> bool:
        """Whether build systems cannot take the source's path, such as one with a semicolon or an unmatched bracket."""
        return not _SPEAKABLE.fullmatch(str(self.source))

    @property
    def origin(self) -> object:
        """What, with task, sample and scale, must be unique: the model and level, or without them the folder."""
        return (self.model, self.level) if self.model else PurePosixPath(self.name).parent


def discover(directory: Path, tasks: Mapping[str, Task]) -> list[Candidate]:
    """All `**/<task>[@<scale>][.s<k>].cu` below a directory, in the order of their paths; raises CandidateError."""
    directory = Path(directory)
    if not directory.exists():
        raise CandidateError(f"{directory}: no such directory")
    if not directory.is_dir():
        raise CandidateError(f"{directory}: is not a directory; a single file is given by FILES or to cudabench grade")
    root = directory.resolve()
    files = sorted(path for path in root.rglob("*.cu") if not path.is_dir())
    if not files:
        raise CandidateError(f"{directory}: no candidate in it; candidates are files <task>[@<scale>][.s<k>].cu")
    return _collect(root, files, _read_listings(root), tasks, below=root)


def explicit(files: Iterable[Path], tasks: Mapping[str, Task], task: str | None = None) -> list[Candidate]:
    """The given files, all for one task if `task` says so; raises CandidateError."""
    paths = [Path(file).absolute() for file in files]
    if not paths:
        raise CandidateError("no candidate given")
    for path in paths:
        if not path.exists():
            raise CandidateError(f"{path}: no such file")
    if task is not None and task not in tasks:
        raise CandidateError(f"no task is called {task}{nearest(task, tasks)}")
    listing = {path: {"task": task} for path in paths} if task else {}
    return _collect(_common_folder(paths), sorted(set(paths)), listing, tasks)


def _common_folder(paths: list[Path]) -> Path:
    folder = paths[0].parent
    while not all(path.is_relative_to(folder) for path in paths):
        folder = folder.parent
    return folder


def _collect(
    root: Path, files: list[Path], listing: Mapping[Path, dict], tasks: Mapping[str, Task], below: Path = Path("/")
) -> list[Candidate]:
    names = {alias: task.name for task in tasks.values() for alias in task.aliases} | {name: name for name in tasks}
    found, wrong = [], []
    folders: dict[Path, Path] = {}
    for file in files:
        place = file.relative_to(root)
        try:
            found.append(_candidate(root, place, _real(place, file, below, folders), listing.get(file, {}), names))
        except CandidateError as error:
            wrong.append(str(error))
    if wrong:
        raise CandidateError("\n".join(wrong))
    _refuse_doubles(root, found)
    return _with_ids(found)


def _real(where: Path, file: Path, below: Path, folders: dict[Path, Path]) -> Path:
    """The regular file that is meant, links followed as far as `below` goes; raises CandidateError. `folders` are the
    real ones that are known already."""
    place = str(where)
    try:
        status = file.lstat()
        if stat.S_ISLNK(status.st_mode):
            real = file.resolve(strict=True)
            status = real.stat()
        else:
            real = _real_folder(file.parent, folders) / file.name
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of links
        raise CandidateError(f"{place!r}: cannot be read: {error}") from error
    for path in {str(file), str(real)}:
        if not _usable(path):
            unusable = f"{_UNUSABLE} or control characters"
            raise CandidateError(f"{place!r}: a path with {unusable} cannot be built; rename it")
    if not real.is_relative_to(below):
        raise CandidateError(f"{place}: leads out of {below}; candidates are files in it")
    if not stat.S_ISREG(status.st_mode):
        raise CandidateError(f"{place}: is no regular file")
    if status.st_size > _LARGEST_FILE:
        raise CandidateError(f"{place}: has {status.st_size} bytes; at most {_LARGEST_FILE} are allowed")
    return real


def _real_folder(folder: Path, known: dict[Path, Path]) -> Path:
    if folder not in known:
        known[folder] = folder.resolve(strict=True)
    return known[folder]


def _usable(text: str) -> bool:
    return text.isprintable() and not any(character in text for character in _UNUSABLE)


def _candidate(
    root: Path, place: Path, real: Path, listed: Mapping[str, object], names: Mapping[str, str]
) -> Candidate:
    parts = _STEM.fullmatch(place.stem)
    stem = parts["task"] if parts else place.stem
    wanted = str(listed.get("task", stem))
    if wanted not in names:
        raise CandidateError(f"{place}: no task is called {wanted}{nearest(wanted, names)}")
    scale = parts["scale"] if parts else None
    if scale is not None and scale not in SCALES:
        raise CandidateError(f"{place}: no scale is called {scale}; scales are {', '.join(SCALES)}")
    model, level = _model_and_level(root, place)
    model = str(listed.get("model", model))
    if not _usable(model) or len(model) > _LONGEST_MODEL:
        raise CandidateError(
            f"{place}: model {model[:_LONGEST_MODEL]!a}: must be at most {_LONGEST_MODEL} printable characters "
            f"without {_UNUSABLE}"
        )
    sample = int(str(listed.get("sample", (parts and parts["sample"]) or 0)))
    if sample > _LARGEST_SAMPLE:
        raise CandidateError(f"{place}: sample {sample}: must be at most {_LARGEST_SAMPLE}")
    return Candidate(
        id="",
        name=str(place.with_suffix("")),
        source=real,
        task=names[wanted],
        scales=(scale,) if scale else SCALES,
        model=model,
        level=int(str(listed.get("level", level))),
        sample=sample,
    )


def _model_and_level(root: Path, place: Path) -> tuple[str, int]:
    """From <model>/level<1-3>/...; the directory given may itself be the model's."""
    folders = [root.name, *place.parts[:-1]]
    for model, folder in pairwise(folders):
        if level := _LEVEL.fullmatch(folder):
            return model, int(level[1])
    return "", 0


def nearest(wrong: str, names: Iterable[str]) -> str:
    near = get_close_matches(wrong.lower(), list(names), n=3, cutoff=0.5)
    return f"; nearest: {', '.join(near)}" if near else "; `cudabench list` shows all tasks"


def _refuse_doubles(root: Path, candidates: list[Candidate]) -> None:
    seen: dict[object, Candidate] = {}
    for candidate in candidates:
        for scale in candidate.scales:
            other = seen.setdefault((candidate.origin, candidate.task, candidate.sample, scale), candidate)
            if other is not candidate:
                raise CandidateError(
                    f"{root}: {other.name}.cu and {candidate.name}.cu are both sample {candidate.sample} of "
                    f"{candidate.model or 'the same folder'} for {candidate.task} at scale {scale}; "
                    "tell samples apart by .s<k> in the file name"
                )


def _with_ids(candidates: list[Candidate]) -> list[Candidate]:
    """Ids are the names with other characters replaced. A hash of the name is added where that hid a difference: to
    unusual characters, to names that become equal (in any case: file systems may not tell) and to long ones."""
    users = Counter(_plain(candidate).lower() for candidate in candidates)
    return [replace(candidate, id=_id(candidate, users[_plain(candidate).lower()] > 1)) for candidate in candidates]


def _plain(candidate: Candidate) -> str:
    return re.sub(r"[^A-Za-z0-9_]", "_", candidate.name)


def _id(candidate: Candidate, collides: bool) -> str:
    plain = _plain(candidate)
    usual = re.fullmatch(r"[A-Za-z0-9_/.@-]+", candidate.name)
    if usual and not collides and len(plain) <= _LONGEST_ID:
        return plain
    return f"{plain[:_LONGEST_ID]}_{hashlib.sha256(candidate.name.encode()).hexdigest()[:8]}"


def listings(directory: Path) -> list[Path]:
    """The candidates.json files below a directory."""
    return sorted(Path(directory).rglob(LISTING))


def _read_listings(root: Path) -> dict[Path, dict]:
    """What the candidates.json files say, by the candidate's path. Each is a list of objects with `file` (relative to
    it) and any of `task`, `model`, `level` and `sample`, which replace what the path says."""
    listing: dict[Path, dict] = {}
    for path in listings(root):
        try:
            entries = json.loads(_listing_text(path))
        except (OSError, ValueError) as error:
            raise CandidateError(f"{path}: {error}") from error
        except RecursionError as error:
            raise CandidateError(f"{path}: is nested too deeply") from error
        if not isinstance(entries, list):
            raise CandidateError(f"{path}: must be a list of objects with file, task, model, level, sample")
        for number, entry in enumerate(entries):
            file = _checked_entry(path, f"entry {number}", entry)
            if file in listing:
                raise CandidateError(f"{path}: entry {number}: {entry['file']} is listed twice")
            listing[file] = {key: value for key, value in entry.items() if key != "file"}
    return listing


def _listing_text(path: Path) -> str:
    """Raises OSError and ValueError; never waits, as for a pipe that nobody writes to."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:  # noqa: PTH123
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST_FILE:
            raise ValueError(f"must be a regular file of at most {_LARGEST_FILE} bytes")
        return file.read(_LARGEST_FILE).decode()


def _checked_entry(path: Path, where: str, entry: object) -> Path:
    def refuse(why: str) -> CandidateError:
        return CandidateError(f"{path}: {where}: {why}")

    if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
        raise refuse("must be an object with a text `file`")
    kinds = {"file": str, "task": str, "model": str, "level": int, "sample": int}
    for key, value in entry.items():
        if key not in kinds:
            raise refuse(
                f"unknown key {key[:100] if key.isprintable() else ascii(key[:100])}; allowed are {', '.join(kinds)}"
            )
        if not isinstance(value, kinds[key]) or isinstance(value, bool):
            raise refuse(f"{key} must be a {'text' if kinds[key] is str else 'whole number'}")
        if isinstance(value, str) and not value.isprintable():
            raise refuse(f"{key} must be printable text")
    if not 1 <= entry.get("level", 1) <= 3:
        raise refuse(f"level {entry['level']}: must be 1, 2 or 3")
    if entry.get("sample", 0) < 0:
        raise refuse(f"sample {entry['sample']}: must not be negative")
    file = path.parent / entry["file"]
    if ".." in PurePosixPath(entry["file"]).parts or not file.is_relative_to(path.parent):
        raise refuse(f"{entry['file']}: must be below the folder of {LISTING}")
    try:
        exists = file.is_file()
    except OSError:  # a name too long
        exists = False
    if not exists or file.suffix != ".cu":
        raise refuse(f"{entry['file']}: no such .cu file")
    return file
