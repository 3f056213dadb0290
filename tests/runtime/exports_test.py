"""The recording runtime must export every name of the CUDA runtime, and nothing else but what host code may
use of the driver and its session interface."""

import os
import re
import subprocess


def exported(variable: str) -> set[str]:
    """Names of the functions of a shared library, demangled, without versions."""
    command = [os.environ["CUDABENCH_NM"], "-D", "-C", "--defined-only", os.environ[variable]]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {match[1].split("@")[0] for match in re.finditer(r"^[0-9a-f]+ [TWV] (.+)$", listing, re.MULTILINE)}


def test_every_name_of_the_cuda_runtime_is_there() -> None:
    theirs = exported("CUDABENCH_CUDART")
    assert len(theirs) > 400
    assert theirs - exported("CUDABENCH_RUNTIME") == set()


def test_nothing_else_is_exported() -> None:
    more = exported("CUDABENCH_RUNTIME") - exported("CUDABENCH_CUDART")
    assert more == {"cuTensorMapEncodeTiled", "cudabench::runtime::begin(int)", "cudabench::runtime::finish()"}
