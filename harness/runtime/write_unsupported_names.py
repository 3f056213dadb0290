"""Writes a weak definition of every function that the CUDA runtime library exports: it reports itself as unsupported.

The recording runtime's own definitions are strong and replace them, so that no name of the library can be missing.
"""

import argparse
import re
import subprocess
from pathlib import Path

HEAD = """// Written by write_unsupported_names.py from {library}.
#include "runtime/unsupported.h"

#pragma GCC visibility push(default)
extern "C" {{
"""
FUNCTION = """__attribute__((weak)) void {name}() {{ cudabench::runtime::unsupported("{name}"); }}
"""
TAIL = "}\n#pragma GCC visibility pop\n"


def exported_functions(nm: str, library: Path) -> list[str]:
    """The functions that the library exports, without their versions."""
    listing = subprocess.run(
        [nm, "--dynamic", "--defined-only", str(library)], check=True, capture_output=True, text=True
    ).stdout
    return sorted(set(re.findall(r"^[0-9a-f]+ [TW] (\w+)", listing, re.MULTILINE)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--library", type=Path, required=True, help="libcudart.so")
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    names = exported_functions(arguments.nm, arguments.library)
    if not names:
        raise SystemExit(f"{arguments.library}: exports no function; is it the CUDA runtime?")
    functions = "".join(FUNCTION.format(name=name) for name in names)
    arguments.output.write_text(HEAD.format(library=arguments.library.name) + functions + TAIL)


if __name__ == "__main__":
    main()
