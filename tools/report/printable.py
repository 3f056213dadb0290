"""Text of candidates for readers: names and messages must steer neither the terminal nor the direction of writing."""

import re

# Control characters but newline and tab, the marks of direction of Unicode, and halves of surrogate pairs.
_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def printable(text: str) -> str:
    """The text with a question mark for each of them."""
    return _STEERING.sub("?", text)
