"""cudabench-compile as CMake calls it: from outside."""

import json
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

COMPILE = os.environ.get("CUDABENCH_COMPILE", "cudabench-compile")
NVCC = os.environ.get("CUDABENCH_NVCC", "nvcc")


@dataclass(frozen=True)
class Outcome:
    status: int
    output: str
    record: dict | None


class Launcher:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.record = folder / "record.json"
        self.candidate = folder / "candidate"  # nothing but the source in it
        self.build = folder / "build"
        self.candidate.mkdir()
        self.build.mkdir()

    def source(self, text: str) -> Path:
        path = self.candidate / "softmax.cu"
        path.write_text(text)
        return path

    @property
    def object(self) -> Path:
        return self.build / "softmax.o"

    def run(self, *words: str | Path, env: Mapping[str, str] | None = None) -> Outcome:
        finished = subprocess.run(
            [COMPILE, *words],
            cwd=self.build,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=120,
            check=False,
        )
        record = json.loads(self.record.read_text()) if self.record.exists() else None
        return Outcome(finished.returncode, finished.stdout, record)

    def compile(
        self, text: str, *options: str, flags: tuple[str, ...] = (), env: Mapping[str, str] | None = None
    ) -> Outcome:
        source = self.source(text)
        command = [
            NVCC,
            "-arch=sm_90",
            "-O3",
            "-Xcompiler=-fPIC",
            "-Xptxas=-v",
            *flags,
            "-c",
            source,
            "-o",
            self.object,
        ]
        return self.run("--record", self.record, "--source", source, *options, "--", *command, env=env)

    def link(self, *options: str) -> Outcome:
        module = self.build / "softmax.so"
        source = self.candidate / "softmax.cu"
        command = ["g++", "-shared", "-Wl,-z,defs", self.object, "-o", module]
        return self.run("--record", self.record, "--source", source, *options, "--link", "--", *command)


@pytest.fixture
def launcher(tmp_path: Path) -> Launcher:
    return Launcher(tmp_path)
