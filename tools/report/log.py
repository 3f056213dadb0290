"""What is printed, which a CI service may read as it comes: candidates must not command it.

Commands are lines that begin with `::` (GitHub) and `##[...]`, `##vso[...]` or the like anywhere in a line (GitHub and
others). A space breaks them, as it does in what programs of the harness print: harness/outcome/shown_text.h.
"""

import json
import re
from typing import Any, TextIO

# Services skip spaces, also those of Unicode: what is beyond ASCII is taken for such.
_COMMAND = re.compile(r"^[^!-~\n]*:(?=:)|#(?=#[A-Za-z0-9_]*\[)", re.MULTILINE)


class Log:
    """A stream of text whose lines command nobody."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(_COMMAND.sub(r"\g<0> ", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def json_text(value: object, indent: int | None = None) -> str:
    """JSON that such a stream leaves as it is."""
    return json.dumps(value, indent=indent).replace("##", r"#\u0023")
