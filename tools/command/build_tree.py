"""A CMake build tree: set up, configured, built. The commands are shown; they can as well be typed."""

import argparse
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from command.checkout import ROOT, python, shown
from command.child import run
from command.ending import CommandError, Exit

_NEEDED_BYTES = 256 << 20
_FULL_BYTES = 16 << 20


def set_up(to: TextIO) -> None:
    """Installs what is missing; quick when nothing is."""
    if run(["bash", ROOT / "tools" / "setup" / "setup.sh"], to=to):
        raise CommandError(Exit.FAULT, "the setup failed, see above; --no-setup skips it")


class BuildTree:
    def __init__(self, directory: Path, to: TextIO) -> None:
        """`to` receives the output of what is run. Raises CommandError if `directory` cannot be a build tree."""
        self.directory = directory.absolute()
        self._to = to
        if self.directory.resolve() == ROOT:
            raise CommandError(Exit.INPUT, f"{directory}: is the source tree; give another build directory")
        if self.directory.exists() and not self.directory.is_dir():
            raise CommandError(Exit.INPUT, f"{directory}: is not a directory")
        self._require_space(_NEEDED_BYTES)

    def configure(self, options: Mapping[str, str]) -> None:
        generator = [] if (self.directory / "CMakeCache.txt").exists() or not shutil.which("ninja") else ["-G", "Ninja"]
        definitions = [f"-D{name}={value}" for name, value in {"Python3_EXECUTABLE": str(python()), **options}.items()]
        command = ["cmake", "-S", ROOT, "-B", self.directory, *generator, "--log-level=WARNING", *definitions]
        if run(command, to=self._to):
            self.fault(f"CMake could not configure {shown(self.directory)}, see above")

    def build(self, jobs: int, *, targets: Sequence[str] = (), extra: Mapping[str, str] | None = None) -> None:
        """Everything that can be built is built, whatever fails. `targets`: only these."""
        keep_going = ["-k", "0"] if "Ninja" in self._generator() else ["-k"]
        only = ["--target", *targets] if targets else []
        command = ["cmake", "--build", self.directory, "-j", str(jobs), *only, "--", *keep_going]
        if run(command, to=self._to, extra=extra):
            self.fault("the harness or the reference of a task could not be built, see above")

    def ctest(self, arguments: list[str], *, extra: Mapping[str, str] | None = None) -> int:
        return run(["ctest", "--test-dir", self.directory, *arguments], to=self._to, extra=extra)

    def fault(self, message: str) -> NoReturn:
        """Raises the error, for a full disk with that cause."""
        self._require_space(_FULL_BYTES)
        raise CommandError(Exit.FAULT, message)

    def _require_space(self, needed: int) -> None:
        place = self.directory
        while not place.exists():
            place = place.parent
        disk = shutil.disk_usage(place)
        free = disk.free
        if disk.total and free < needed:  # /proc and its like have no size
            raise CommandError(
                Exit.FAULT,
                f"{shown(self.directory)}: the disk is full ({free >> 20} MiB free); make room and run again: "
                "what is graded already is kept",
            )

    def _generator(self) -> str:
        with (self.directory / "CMakeCache.txt").open(encoding="utf-8") as cache:
            return next((line for line in cache if line.startswith("CMAKE_GENERATOR:")), "")


def default_jobs() -> int:
    return len(os.sched_getaffinity(0))


def job_count(text: str) -> int:
    """Type of the argument --jobs."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no positive whole number")
    return int(text)
