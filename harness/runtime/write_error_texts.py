"""Writes the name and the text of every CUDA error, as the CUDA runtime library of the toolkit words them."""

import argparse
import ctypes
import json
from pathlib import Path

CODES = 10_000
"""More than the highest code (cudaErrorApiFailureBase)."""

UNKNOWN = "unrecognized error code"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--library", type=Path, required=True, help="libcudart.so")
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    runtime = ctypes.CDLL(str(arguments.library))
    runtime.cudaGetErrorName.restype = ctypes.c_char_p
    runtime.cudaGetErrorString.restype = ctypes.c_char_p
    rows = []
    for code in range(CODES + 1):
        name = runtime.cudaGetErrorName(code).decode()
        if name != UNKNOWN:
            text = runtime.cudaGetErrorString(code).decode()
            rows.append(f"{{{code}, {json.dumps(name)}, {json.dumps(text)}}},\n")
    arguments.output.write_text("".join(rows))


if __name__ == "__main__":
    main()
