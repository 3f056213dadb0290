"""Runs test_distributions.py on the program given, or ends with 77 where NumPy, SciPy or pytest is missing."""

import importlib.util
import os
import sys
from pathlib import Path

if __name__ == "__main__":
    missing = [name for name in ("numpy", "scipy", "pytest") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {', '.join(missing)}", file=sys.stderr)
        sys.exit(77)
    import pytest

    os.environ["CUDABENCH_INPUTS_SAMPLE"] = sys.argv[1]
    sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", str(Path(__file__).with_name("test_distributions.py"))]))
