"""C types of arguments, and the dtypes of what they point to."""

from __future__ import annotations

import re
from dataclasses import dataclass

DTYPES: dict[str, tuple[str, int]] = {  # C type of an element, and its bytes
    "float32": ("float", 4),
    "float64": ("double", 8),
    "int32": ("int", 4),
    "uint32": ("unsigned int", 4),
    "int64": ("long long", 8),
    "uint8": ("unsigned char", 1),
}
# Scalars, with the greatest value of each type.
DIM_TYPES = {"int": 2**31 - 1, "unsigned int": 2**32 - 1, "long long": 2**63 - 1}
PARAM_TYPES = {"float": 3.4028234663852886e38, "double": 1.7976931348623157e308, "int": 2**31 - 1}

_DECLARATION = re.compile(
    r"(?P<const>const\s+)?(?P<type>[a-z]+(?:\s+[a-z]+)*)\s*(?P<star>\*?)\s*\b(?P<name>[A-Za-z_]\w*)"
)


@dataclass(frozen=True)
class Argument:
    """One argument of a prototype, e.g. `const float* input`."""

    name: str
    type: str  # without const and star
    pointer: bool
    const: bool

    def __str__(self) -> str:
        return f"{'const ' if self.const else ''}{self.bare_type} {self.name}"

    @property
    def bare_type(self) -> str:
        """The type without const, by which prototypes are told apart."""
        return self.type + ("*" if self.pointer else "")


def parse_argument(text: str) -> Argument | None:
    """The argument that a C declaration declares; None if it is not one."""
    match = _DECLARATION.fullmatch(text.strip())
    if not match:
        return None
    type_name = " ".join(match["type"].split())
    return Argument(match["name"], type_name, bool(match["star"]), bool(match["const"]))
