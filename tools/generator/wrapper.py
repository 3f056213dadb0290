"""What is compiled of a candidate: its source, and the contract that calls it."""

from pathlib import Path

EARLIER_CUDA = "contracts/earlier_cuda.h"
"""What sources for earlier CUDA toolkits need, included before a candidate."""

END_OF_SOURCE = "contracts/end_of_source.h"
"""What a source that ends within a declaration fails at, included after a candidate."""


def wrapper(source: Path, task: str, generated: Path = Path()) -> str:
    """`generated` holds the contracts; an include directory by default, which must come before any of a candidate's."""
    earlier, *later = (generated / header for header in contract_headers(task))
    return "".join(f'#include "{header}"\n' for header in (earlier, source, *later))


def contract_headers(task: str) -> tuple[str, str, str]:
    """Below the folder of generated files; the first is included before the source."""
    return EARLIER_CUDA, END_OF_SOURCE, f"contracts/{task}.h"
