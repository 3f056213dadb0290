"""What a compiler's output says in one line."""

import re

# As g++, nvcc, ptxas and nvlink begin it. The word alone may be of a path; what is indented is the source.
_ERROR = re.compile(r"^(?! ).*(?:(?:error|fatal)(?: #[\w-]+)? *:|undefined reference)")
_CONTRACT = re.compile(r'CUDABENCH_CONTRACT: ([^"\n]+)')
_ACTUAL = re.compile(r"\[with cudabench_actual=([^\]\n]+)\]")
_SEE = " (see cudabench_actual)"


def diagnosis(text: str, stage: str) -> str:
    """The contract's own words, with the type that `solve` has in place of where to find it; else the first error."""
    if stage == "contract" and (contract := _CONTRACT.search(text)):
        actual = _ACTUAL.search(text)
        return contract[1].strip().replace(_SEE, f": {actual[1]}" if actual else _SEE)
    lines = [line for line in text.splitlines() if line.strip()]
    return next(filter(_ERROR.search, lines), lines[0] if lines else "").strip()
