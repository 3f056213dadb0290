"""`python -m generator.presets update` writes the CTest presets that follow from the tasks: one for each domain and
scale; `check` says whether they are up to date."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from .definition import SCALES, Task
from .errors import TaskError
from .files import Folder
from .task import load_tasks


def _file(presets: Iterable[dict[str, Any]]) -> str:
    return json.dumps({"version": 6, "include": ["base.json"], "testPresets": list(presets)}, indent=2) + "\n"


def _preset(kind: str, name: str, display: str, **more: Any) -> dict[str, Any]:
    label = f"^{kind}={name}$"
    selection = {"filter": {"include": {"label": label}}}
    return {"name": f"{kind}-{name}", "inherits": "grade-base", "displayName": display, **more, **selection}


def documents(tasks: Iterable[Task]) -> dict[str, str]:
    """The texts by their names in ctest_presets/."""
    domains = sorted({task.domain for task in tasks})
    return {
        "domains.json": _file(
            # Of the other domains CTest need not even read the cases.
            _preset(
                "domain",
                domain,
                f"Cases of {domain.replace('_', ' ')}",
                environment={"CUDABENCH_CTEST_DOMAIN": domain},
            )
            for domain in domains
        ),
        "scales.json": _file(_preset("scale", scale, f"Cases of scale {scale}") for scale in SCALES),
    }


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m generator.presets", description=__doc__)
    parser.add_argument("action", choices=("update", "check"))
    parser.add_argument("--tasks", type=Path, required=True, metavar="DIR", help="the folder of <domain>/<task>.toml")
    parser.add_argument("--output", type=Path, required=True, metavar="DIR", help="ctest_presets/")
    chosen = parser.parse_args(words)
    try:
        texts = documents(load_tasks(chosen.tasks).values())
    except TaskError as error:
        print(error, file=sys.stderr)
        return 2
    if chosen.action == "update":
        folder = Folder(chosen.output)
        for name, text in texts.items():
            folder.write(name, text)
        return 0
    old = [
        path for name, text in texts.items() if not (path := chosen.output / name).is_file() or path.read_text() != text
    ]
    for path in old:
        print(
            f"{path}: differs from what the tasks say; cmake --build <build> --target update-generated", file=sys.stderr
        )
    return 1 if old else 0


if __name__ == "__main__":
    sys.exit(main())
