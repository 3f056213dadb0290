"""Prints the functions that the recording runtime does not implement: those that it defines weakly."""

import argparse
import re
import subprocess
import textwrap
from pathlib import Path


def unsupported_names(nm: str, runtime: Path) -> list[str]:
    """Without the names of --default-stream per-thread, which say no more than those that they stand for."""
    listing = subprocess.run(
        [nm, "--dynamic", "--defined-only", str(runtime)], check=True, capture_output=True, text=True
    ).stdout
    names = re.findall(r"^[0-9a-f]+ [WV] (\w+)$", listing, re.MULTILINE)
    return sorted(name for name in set(names) if not re.search(r"_pts[zd]|_ptds$", name))


def block(names: list[str]) -> str:
    """As docs/supported-api.md shows them."""
    return "\n".join(textwrap.wrap(" ".join(names), width=118, break_long_words=False)) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("runtime", type=Path, help="libcudabench_runtime.so")
    arguments = parser.parse_args()
    print(block(unsupported_names(arguments.nm, arguments.runtime)), end="")
