"""What the terminal can show: width and colour."""

import os
import shutil
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


def terminal_of(stream: TextIO) -> Terminal:
    """Colour only on a terminal and without NO_COLOR (https://no-color.org)."""
    interactive = stream.isatty() and os.environ.get("TERM") != "dumb"
    width = shutil.get_terminal_size((120, 24)).columns
    return Terminal(max(60, width), interactive and not os.environ.get("NO_COLOR"))
