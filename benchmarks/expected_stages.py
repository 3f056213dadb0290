#!/usr/bin/env python3
"""Whether each case of a build tree of `cudabench evaluate` ended in the stage that a file expects of its candidate.

    benchmarks/expected_stages.py build/grade candidates/examples/expected.json

The file gives by candidate "pass" or a stage, or these by scale. Exit code: 0, or 1 if a case ended otherwise, did not
run, or is of a candidate that the file does not name.
"""

import json
import sys
from pathlib import Path

from repeatability import result_files, stage


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    tree, file = map(Path, sys.argv[1:])
    expected = json.loads(file.read_text(encoding="utf-8"))
    results = [json.loads(result.read_text(encoding="utf-8")) for result in sorted(result_files(tree))]
    missing = set(expected) - {result["candidate"]["name"] for result in results}
    wrong = [line for result in results if (line := differing(result, expected))]
    print(f"{len(results)} cases, {len(wrong)} not as expected, {len(missing)} candidates without a case")
    for line in [*wrong, *(f"{name}: no case" for name in sorted(missing))]:
        print(f"  {line}")
    return 1 if wrong or missing or not results else 0


def differing(result: dict, expected: dict) -> str | None:
    stages = expected.get(result["candidate"]["name"], "not named")
    wanted = stages if isinstance(stages, str) else stages.get(result["scale"], "not named")
    found = stage(result)
    return None if found == wanted else f"{result['case']}: expected {wanted}, got {found}: {result['message'][:200]}"


if __name__ == "__main__":
    sys.exit(main())
