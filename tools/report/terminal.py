"""What the terminal can show: width and colour."""

import os
import shutil
import textwrap
from dataclasses import dataclass
from typing import TextIO

_CODES = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


@dataclass(frozen=True)
class Terminal:
    width: int
    colour: bool

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and style else text

    def cut(self, text: str, width: int) -> str:
        return text if len(text) <= width else text[: max(0, width - 1)] + "…"

    def wrap(self, text: str, width: int, most: int) -> list[str]:
        """At most `most` lines of `width` characters, the last one cut."""
        if most == 1:
            return [self.cut(text, width)]
        return textwrap.wrap(text, width, max_lines=most, placeholder="…", break_on_hyphens=False)


def terminal_of(stream: TextIO) -> Terminal:
    """Colour only on a terminal and without NO_COLOR (https://no-color.org)."""
    interactive = stream.isatty() and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size((120, 24)).columns
    return Terminal(max(60, width), interactive and not os.environ.get("NO_COLOR"))
