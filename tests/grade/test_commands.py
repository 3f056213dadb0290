"""Candidates are built by the commands that the build tool runs."""

import shlex
import shutil
import subprocess

import pytest

from grade.commands import BuildCommands


def test_commands_are_those_of_ninja(build_dir, tmp_path):
    """Compared with a reference: candidates have the same flags but one."""
    if not (build_dir / "build.ninja").exists() or not shutil.which("ninja"):
        pytest.skip("another build tool")
    listing = subprocess.run(
        ["ninja", "-C", build_dir, "-t", "commands", "cudabench_reference_softmax"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    compiled, linked = (_launched(line) for line in listing.splitlines() if "/compile/softmax.json" in line)
    commands = BuildCommands.of(build_dir)

    wrapper, built = value(compiled, "-c"), value(compiled, "-o").removesuffix(".o")
    own = commands.compile(wrapper, built)
    compiled.remove("-DCUDABENCH_REFERENCE")
    assert own == compiled

    own = commands.link(built, value(linked, "-o"))
    assert own == linked


def value(words: list[str], option: str) -> str:
    return words[words.index(option) + 1]


def _launched(line: str) -> list[str]:
    """The words after the launcher's own, without what the shell goes on with."""
    words = shlex.split(line.replace("\\$", "$"))
    words = words[words.index("--") + 1 :]
    return words[: words.index("&&")] if "&&" in words else words
