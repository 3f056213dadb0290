"""What is compiled of a candidate: its source, and the contract that calls it."""

from pathlib import Path

EARLIER_CUDA = "contracts/earlier_cuda.h"
"""What sources for earlier CUDA toolkits need, included before a candidate."""


def wrapper(source: Path, task: str) -> str:
    return "".join(f'#include "{header}"\n' for header in (EARLIER_CUDA, source, f"contracts/{task}.h"))
