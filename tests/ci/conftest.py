"""A folder that looks like the checkout to the commands of docs/ci and docs/slurm."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Stands for ./cudabench: arguments are checked by the real command; `evaluate` leaves what grading would have left,
# everything else is done.
STAND_IN = """
import json, os, shutil, sys
from pathlib import Path
sys.path.insert(0, {tools!r})
from command import checkout
checkout.GRADE_DIR = Path("build/grade").absolute()
from command import main
from generator.shard import Shard

arguments = main._parser().parse_args()
with open("calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
if sys.argv[1] != "evaluate":
    sys.exit(main.main())
tree = arguments.build_dir
shutil.copytree({ungraded!r}, tree, dirs_exist_ok=True)
path = tree / "cudabench/candidates/manifest.json"
manifest = json.loads(path.read_text())
if arguments.shard:
    own = arguments.shard.of(case["candidate"]["name"] for case in manifest["cases"])
    manifest["cases"] = [case for case in manifest["cases"] if case["candidate"]["name"] in own]
    manifest["shard"] = {{"index": arguments.shard.index, "count": arguments.shard.count}}
path.write_text(json.dumps(manifest))
"""


class Checkout:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "candidates" / "examples").mkdir(parents=True)
        script = folder / "stand_in.py"
        script.write_text(STAND_IN.format(tools=str(ROOT / "tools"), ungraded=str(folder / "ungraded")))
        self._write_ungraded(folder / "ungraded")
        command = folder / "cudabench"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{script}" "$@"\n')
        command.chmod(0o755)

    def run(self, script: str, **environment: str) -> subprocess.CompletedProcess[str]:
        """As a service does: by bash, which stops at the first failure."""
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=self.folder,
            env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"} | environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def calls(self) -> list[list[str]]:
        return [json.loads(line) for line in (self.folder / "calls").read_text().splitlines()]

    def _write_ungraded(self, tree: Path) -> None:
        """The manifest of a run of four candidates."""
        shutil.copytree(ROOT / "tests" / "command" / "ungraded", tree)
        path = tree / "cudabench" / "candidates" / "manifest.json"
        manifest = json.loads(path.read_text())
        case = manifest["cases"][0]
        names = ("first", "second", "third", "fourth")
        manifest["cases"] = [
            case | {"id": name, "candidate": case["candidate"] | {"name": name}, "result": f"{name}.json"}
            for name in names
        ]
        path.write_text(json.dumps(manifest))


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)
