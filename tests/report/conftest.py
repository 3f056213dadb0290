"""A hand-made build tree: what configure, build and ctest would have left."""

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

DEVICE = {"name": "NVIDIA H200", "uuid": "GPU-1", "driver": 13000}


class BuildTree:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.run = root / "cudabench" / "candidates"
        self.cases: list[dict[str, Any]] = []

    def case(
        self,
        task: str = "softmax",
        scale: str = "tiny",
        *,
        domain: str = "deep_learning",
        candidate: str | None = None,
        model: str = "gpt",
        level: int = 3,
    ) -> dict[str, Any]:
        """Adds a case to the manifest, with its source on disk."""
        candidate = candidate or f"{model}/level{level}/{task}"
        source = self.root / "sources" / f"{candidate}.cu"
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(f"// {candidate}\n")
        identity = re.sub("[^A-Za-z0-9_]", "_", f"{candidate}_{scale}")
        entry = {
            "id": identity,
            "task": task,
            "domain": domain,
            "scale": scale,
            "candidate": {"name": candidate, "model": model, "level": level, "sample": 0, "source": str(source)},
            "task_hash": f"hash of {task}",
            "module": f"cudabench/candidates/modules/{candidate.replace('/', '_')}.so",
            "compile_record": f"cudabench/candidates/compile/{candidate.replace('/', '_')}.json",
            "result": f"cudabench/candidates/results/{identity}.json",
        }
        self.cases.append(entry)
        self.write(self.run / "manifest.json", {"schema": 1, "name": "candidates", "tasks": [], "cases": self.cases})
        return entry

    def compiled(self, case: dict[str, Any], status: str = "ok", **changes: Any) -> dict[str, Any]:
        record = {
            "schema": 1, "status": status, "stage": "compile", "rc": 0, "seconds": 1.5, "max_rss": 1e8,
            "command": ["nvcc"], "stderr": "", "source": case["candidate"]["source"],
            "source_sha256": sha256(case), "kernels": [],
        }  # fmt: skip
        record |= changes
        self.write(self.root / case["compile_record"], record)
        return record

    def result(self, case: dict[str, Any], verdict: str = "pass", /, **changes: Any) -> dict[str, Any]:
        """Writes a compile record and a result of the present source and task."""
        self.compiled(case)
        result = {
            "schema": 1, "case": case["id"], "task": case["task"], "domain": case["domain"], "scale": case["scale"],
            "candidate": case["candidate"] | {"source_sha256": sha256(case)}, "task_hash": case["task_hash"],
            "verdict": verdict, "stage": None, "message": "", "mismatches": None, "seed": "0x1234567890abcdef",
            "confinement": "full", "host_dependent": False, "recipe": {"operations": []},
            "device": DEVICE, "measurement": None,
            "work": None, "rates": None, "scores": None, "counters": "declared", "marks": [],
        }  # fmt: skip
        result |= changes
        self.write(self.root / case["result"], result)
        return result

    def passed(self, case: dict[str, Any], performance: float, speed_of_light: float, seconds: float = 1e-5) -> None:
        self.result(
            case,
            measurement={"seconds": seconds},
            scores={"performance": performance, "speed_of_light": speed_of_light, "attainable_seconds": 1e-6},
        )

    def failed(self, case: dict[str, Any], stage: str = "values", message: str = "3 of 4096 elements differ") -> None:
        self.result(case, "fail", stage=stage, message=message)

    @staticmethod
    def write(path: Path, content: Any) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content))


def sha256(case: dict[str, Any]) -> str:
    return hashlib.sha256(Path(case["candidate"]["source"]).read_bytes()).hexdigest()


@pytest.fixture
def build(tmp_path: Path) -> BuildTree:
    return BuildTree(tmp_path)
