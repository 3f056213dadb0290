"""Options that make device code relocatable become properties of the target: CMake adds its own, and a device link."""

import subprocess
from pathlib import Path

import pytest

MODULE = Path(__file__).resolve().parents[2] / "cmake" / "CudaBenchCandidateTargets.cmake"


@pytest.mark.parametrize(
    ("options", "left", "relocatable"),
    [
        ("", "", "OFF"),
        ("-lineinfo;-DA=1", "-lineinfo;-DA=1", "OFF"),
        ("-rdc=true", "", "ON"),
        ("-lineinfo;-rdc=true;-DA=1", "-lineinfo;-DA=1", "ON"),
        ("--relocatable-device-code=true;-dc", "", "ON"),
    ],
)
def test_are_taken_out_of_the_list(tmp_path: Path, options: str, left: str, relocatable: str) -> None:
    script = tmp_path / "script.cmake"
    script.write_text(
        f'include("{MODULE}")\n'
        f'set(words "{options}")\n'
        "_cudabench_take_relocatable(words relocatable)\n"
        'message(STATUS "${words}|${relocatable}")\n',
        encoding="utf-8",
    )
    process = subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    assert process.stdout.strip() == f"-- {left}|{relocatable}"
