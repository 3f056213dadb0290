"""Results of a build tree's cases together with what the GPU counted of them."""

import json
from pathlib import Path


def passed_and_counted(build: Path) -> list[tuple[dict, dict]]:
    """Results and counters, by pairs."""
    pairs = []
    for manifest in sorted(build.glob("cudabench/*/manifest.json")):
        for case in json.loads(manifest.read_text(encoding="utf-8"))["cases"]:
            result = build / case["result"]
            counters = result.with_suffix(".counters.json")
            if result.exists() and counters.exists():
                pairs.append(tuple(json.loads(file.read_text(encoding="utf-8")) for file in (result, counters)))
    return [
        (result, counted)
        for result, counted in pairs
        if result["verdict"] == "pass" and counted["counters"] == "measured"
    ]
