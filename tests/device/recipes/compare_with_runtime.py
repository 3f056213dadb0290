"""Calls functions recorded and performed, and by the real CUDA runtime, and compares what both leave in their output.

compare_with_runtime.py PERFORM_CALL CALL_DIRECTLY RECORDED REAL FUNCTION...: the two programs, and one source linked
against the recording runtime and against the real one. A function gets 4,096 floats to read and as many to write.
Prints a line a function. Exit codes: 0 all the same, 1 not, 77 no GPU.
"""

import array
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

ELEMENTS = 4096
SECONDS = 60


def written_call(folder: Path, module: str, function: str, kind: str) -> tuple[Path, Path]:
    """The file of a call, and of its output."""
    after = folder / f"{function}.{kind}"
    buffers = [
        {"writable": False, "before": str(folder / "input"), "after": str(folder / "unchanged")},
        {"writable": True, "before": str(folder / "output"), "after": str(after)},
    ]
    call = {"module": module, "function": function, "dims": [ELEMENTS], "seconds": SECONDS, "buffers": buffers}
    file = folder / f"{function}.{kind}.json"
    file.write_text(json.dumps(call), encoding="utf-8")
    return file, after


def difference(folder: Path, programs: dict[str, str], modules: dict[str, str], function: str) -> str:
    """What is not the same, or nothing."""
    outputs = {}
    for kind, program in programs.items():
        file, after = written_call(folder, modules[kind], function, kind)
        process = subprocess.run([program, file], capture_output=True, text=True, check=False, timeout=2 * SECONDS)
        if process.returncode == 77:
            print("skipped: there is no GPU", file=sys.stderr)
            sys.exit(77)
        if process.returncode:
            return f"{kind}: {process.stdout}{process.stderr}"
        outputs[kind] = after.read_bytes()
        for suffix in (".again", ".timed"):
            if (again := Path(f"{after}{suffix}")).exists():
                outputs[kind + suffix] = again.read_bytes()
    return ", ".join(kind for kind, output in outputs.items() if output != outputs["directly"])


def main() -> int:
    perform_call, call_directly, recorded, real, *functions = sys.argv[1:]
    programs = {"recorded": perform_call, "directly": call_directly}
    modules = {"recorded": recorded, "directly": real}
    different = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        generator = random.Random(1)
        values = array.array("f", (generator.uniform(-1, 1) for _ in range(ELEMENTS)))
        (folder / "input").write_bytes(values.tobytes())
        (folder / "output").write_bytes(b"\xff" * 4 * ELEMENTS)
        for function in functions:
            found = difference(folder, programs, modules, function)
            different += bool(found)
            print(f"{function:<28}{'differs: ' + found if found else 'the same'}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
