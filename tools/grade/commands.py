"""The commands that build a candidate, as the build tree ran them for its probe."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from .fault import GraderFault


@dataclass(frozen=True)
class BuildCommands:
    """Started in `directory`. The words are those of CMake's own commands but for the names of files."""

    directory: Path
    compile_words: tuple[str, ...]
    link_words: tuple[str, ...]

    @classmethod
    def of(cls, build: Path) -> BuildCommands:
        """Raises GraderFault if the probe of the build tree was never built."""
        path = build / "cudabench_tasks" / "compile" / "cudabench_probe.json"
        try:
            record = json.loads(path.read_text(encoding="utf-8"))
            return cls(build, tuple(record["command"]), tuple(record["link_command"]))
        except (OSError, ValueError, KeyError) as error:
            raise GraderFault(f"{path}: no record of the probe ({error}); remove the build tree") from error

    def compile(self, wrapper: Path, built: Path) -> list[str]:
        """To `built`.o, with the files that it depends on in `built`.o.d."""
        words = _replaced(self.compile_words, {"-c": wrapper, "-o": f"{built}.o", "-MF": f"{built}.o.d"})
        return _replaced(words, {"-MT": f"{built}.o"})

    def link(self, built: Path, module: Path) -> list[str]:
        """From `built`.o."""
        probe_object = self.compile_words[self.compile_words.index("-o") + 1]
        words = [f"{built}.o" if word == probe_object else word for word in self.link_words]
        return _replaced(words, {"-o": module})

    @property
    def text(self) -> str:
        """The same for the same commands."""
        return json.dumps([str(self.directory), self.compile_words, self.link_words])

    @property
    def compiler(self) -> Path:
        return Path(self.compile_words[0])


def _replaced(words: tuple[str, ...] | list[str], values: dict[str, object]) -> list[str]:
    """The words with another value after each of these options."""
    replaced = list(words)
    for option, value in values.items():
        replaced[replaced.index(option) + 1] = str(value)
    return replaced
