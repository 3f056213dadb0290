"""The manifest: which cases a run consists of, whatever became of them."""

from dataclasses import dataclass
from pathlib import Path

from report.files import FileFault, read_json

UNKNOWN = "unknown"


class InputError(Exception):
    """What was asked for cannot be reported; the text names the file and the remedy."""


@dataclass(frozen=True)
class Candidate:
    name: str
    model: str  # UNKNOWN if the path does not tell
    level: str  # "1" to "3" or UNKNOWN
    sample: int
    source: Path


@dataclass(frozen=True)
class Case:
    """One task x scale x candidate. Paths are absolute."""

    id: str
    task: str
    domain: str
    scale: str
    candidate: Candidate
    task_hash: str
    build_root: Path
    compile_record: Path
    result: Path

    @property
    def counters(self) -> Path:
        """Of the counting pass."""
        return self.result.with_suffix(".counters.json")


@dataclass(frozen=True)
class Part:
    """The cases of one build tree."""

    path: Path  # of the manifest
    build_root: Path
    shard: int | None  # which of the run's shards, from 1; None: all cases


@dataclass(frozen=True)
class Manifest:
    name: str
    cases: tuple[Case, ...]
    parts: tuple[Part, ...]  # more than one of a run that several machines have graded
    shards_expected: int | None  # into how many shards the run was divided

    @property
    def path(self) -> Path:
        return self.parts[0].path

    @property
    def build_root(self) -> Path:
        return self.parts[0].build_root

    @property
    def shard_text(self) -> str:
        """Of a manifest that is no merged one."""
        return f"shard {self.parts[0].shard}/{self.shards_expected}" if self.shards_expected else "a whole run"


def find_manifests(place: Path) -> list[Path]:
    """The manifests of `place`: a build tree, the folder of one run in it, or a manifest itself."""
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise InputError(f"{place}: no such file or directory; run ./cudabench evaluate DIR first")
    if (place / "manifest.json").is_file():
        return [place / "manifest.json"]
    found = sorted(place.glob("cudabench/*/manifest.json"))
    if not found:
        raise InputError(
            f"{place}: holds no cudabench/<name>/manifest.json; run ./cudabench evaluate DIR first, or give another "
            "build tree"
        )
    return found


def load_manifest(path: Path) -> Manifest:
    """Reads `<build root>/cudabench/<name>/manifest.json`."""
    path = path.resolve()
    try:
        content = read_json(path, "manifest")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except FileFault as fault:
        raise InputError(f"{fault}; configure the build tree again to write it anew") from fault
    root = path.parents[2]
    cases = tuple(_case(entry, root) for entry in content["cases"])
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise InputError(f"{path}: case {case.id} occurs twice; configure the build tree again")
        seen.add(case.id)
    shard = content.get("shard") or {}
    return Manifest(content["name"], cases, (Part(path, root, shard.get("index")),), shard.get("count"))


def _case(entry: dict, root: Path) -> Case:
    candidate = entry["candidate"]
    return Case(
        id=entry["id"],
        task=entry["task"],
        domain=entry["domain"],
        scale=entry["scale"],
        candidate=Candidate(
            name=candidate["name"],
            model=candidate["model"] or UNKNOWN,
            level=str(candidate["level"] or UNKNOWN),
            sample=candidate["sample"] or 0,
            source=root / candidate["source"],
        ),
        task_hash=entry["task_hash"],
        build_root=root,
        compile_record=root / entry["compile_record"],
        result=root / entry["result"],
    )
