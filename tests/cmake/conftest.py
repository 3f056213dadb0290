"""Projects that use cudabench_add_candidates(), configured and built from outside."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CMAKE = os.environ.get("CUDABENCH_CMAKE", "cmake")
CTEST = str(Path(CMAKE).with_name("ctest")) if "/" in CMAKE else "ctest"
SUITE = Path(__file__).parent / "suite"

GOOD = """
__global__ void copy(const float* input, float* output, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        output[i] = input[i];
}
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    copy<<<(rows * cols + 255) / 256, 256>>>(input, output, rows * cols);
}
"""


class Project:
    def __init__(self, folder: Path, generator: str) -> None:
        self.candidates = folder / "candidates"
        self.build = folder / "build"
        self.generator = generator

    def add(self, place: str, text: str = GOOD) -> Path:
        path = self.candidates / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def configure(self, *arguments: str | Path, **variables: str) -> tuple[int, str]:
        """`arguments` are those of cudabench_add_candidates()."""
        definitions = {
            "CUDABENCH_ROOT": ROOT,
            "CUDABENCH_BUILD": os.environ["CUDABENCH_BUILD"],
            "CUDABENCH_RUNTIME": os.environ["CUDABENCH_RUNTIME"],
            "Python3_EXECUTABLE": sys.executable,
            "ARGUMENTS": ";".join(map(str, arguments)),
            **variables,
        }
        command = [CMAKE, "-S", SUITE, "-B", self.build, "-G", self.generator]
        return _run([*command, *(f"-D{name}={value}" for name, value in definitions.items())])

    def make(self, *targets: str) -> tuple[int, str]:
        keep_going = ["-k", "0"] if self.generator == "Ninja" else ["-k"]
        command = [CMAKE, "--build", self.build, "-j", "2"]
        if targets:
            command += ["--target", *targets]
        return _run([*command, "--", *keep_going])

    def ctest(self, *words: str) -> tuple[int, str]:
        return _run([CTEST, "--test-dir", self.build, *words])

    def tests(self, *words: str) -> dict[str, set[str]]:
        """Names of the timed cases with their labels; each candidate has a counting pass besides."""
        _, listing = self.ctest("--show-only=json-v1", *words)
        found = {}
        for test in json.loads(listing[listing.index("{") :])["tests"]:
            properties = {item["name"]: item["value"] for item in test["properties"]}
            if "counters" not in properties["LABELS"]:
                found[test["name"]] = set(properties["LABELS"])
        return found

    def record(self, candidate: str) -> dict:
        return json.loads((self.build / "cudabench" / "mine" / "compile" / f"{candidate}.json").read_text())

    def modules(self) -> set[str]:
        """Candidates that were built."""
        folder = self.build / "cudabench" / "mine" / "modules"
        return {path.stem for path in folder.glob("*.so") if path.stat().st_size}


def _run(command: list[str | Path]) -> tuple[int, str]:
    finished = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600, check=False
    )
    return finished.returncode, finished.stdout


@pytest.fixture(params=["Ninja", "Unix Makefiles"])
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Project:
    return Project(tmp_path, request.param)


@pytest.fixture
def ninja_project(tmp_path: Path) -> Project:
    return Project(tmp_path, "Ninja")


@pytest.fixture
def message() -> Callable[[str], str]:
    """CMake's messages are wrapped: this undoes it."""
    return lambda text: re.sub(r"\s+", " ", text)


if not shutil.which("ninja"):
    raise RuntimeError("the tests need ninja: apt-get install ninja-build")
