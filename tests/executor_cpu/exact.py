"""Floating-point results by exact rational arithmetic: what IEEE 754 and the PTX ISA ask for, bit by bit."""

import struct
from dataclasses import dataclass
from fractions import Fraction
from math import floor, isqrt


@dataclass(frozen=True)
class Format:
    """A binary floating-point format."""

    bits: int
    fraction: int
    canonical_nan: int

    @property
    def bias(self) -> int:
        return (1 << (self.bits - 2 - self.fraction)) - 1

    @property
    def infinity(self) -> int:
        return ((1 << (self.bits - 1 - self.fraction)) - 1) << self.fraction

    @property
    def sign(self) -> int:
        return 1 << (self.bits - 1)


F16 = Format(16, 10, 0x7FFF)
BF16 = Format(16, 7, 0x7FFF)
F32 = Format(32, 23, 0x7FFFFFFF)
F64 = Format(64, 52, 0x7FF8000000000000)


def is_nan(bits: int, f: Format) -> bool:
    return bits & ~f.sign > f.infinity


def is_infinite(bits: int, f: Format) -> bool:
    return bits & ~f.sign == f.infinity


def value(bits: int, f: Format) -> Fraction:
    """Of a finite number."""
    exponent = (bits & f.infinity) >> f.fraction
    mantissa = bits & ((1 << f.fraction) - 1)
    magnitude = (
        Fraction(mantissa) * Fraction(2) ** (1 - f.bias - f.fraction)
        if exponent == 0
        else Fraction(mantissa + (1 << f.fraction)) * Fraction(2) ** (exponent - f.bias - f.fraction)
    )
    return -magnitude if bits & f.sign else magnitude


def encode(x: Fraction, f: Format, rounding: str = "rn", zero_sign: bool = False) -> int:
    """The number of the format that `x` rounds to; `zero_sign`: whether an exact zero is negative."""
    if x == 0:
        return f.sign if zero_sign else 0
    sign = f.sign if x < 0 else 0
    magnitude = abs(x)
    exponent = 1 - f.bias
    while magnitude >= Fraction(2) ** (exponent + 1):
        exponent += 1
    unit = Fraction(2) ** (exponent - f.fraction)
    whole = floor(magnitude / unit)
    rest = magnitude / unit - whole
    up = {
        "rn": rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1),
        "rz": False,
        "rm": rest > 0 and sign != 0,
        "rp": rest > 0 and sign == 0,
    }[rounding]
    whole += up
    if whole == 1 << (f.fraction + 1):
        whole >>= 1
        exponent += 1
    if whole < 1 << f.fraction:
        return sign | whole
    field = exponent + f.bias
    if field << f.fraction >= f.infinity:
        stays = rounding == "rz" or (rounding == "rm" and not sign) or (rounding == "rp" and sign)
        return sign | (f.infinity - 1 if stays else f.infinity)
    return sign | (field << f.fraction) | (whole - (1 << f.fraction))


def flushed(bits: int, f: Format) -> int:
    return bits & f.sign if bits & f.infinity == 0 else bits


def fma(a: int, b: int, c: int, f: Format, rounding: str = "rn") -> int:
    if any(is_nan(x, f) for x in (a, b, c)):
        return f.canonical_nan
    product_sign = (a ^ b) & f.sign
    if is_infinite(a, f) or is_infinite(b, f):
        zero = a & ~f.sign == 0 or b & ~f.sign == 0
        if zero or (is_infinite(c, f) and c & f.sign != product_sign):
            return f.canonical_nan
        return product_sign | f.infinity
    if is_infinite(c, f):
        return c
    exact = value(a, f) * value(b, f) + value(c, f)
    both_negative = bool(product_sign) and bool(c & f.sign)
    mixed = bool(product_sign) != bool(c & f.sign)
    return encode(exact, f, rounding, both_negative or (mixed and rounding == "rm"))


def add(a: int, b: int, f: Format, rounding: str = "rn") -> int:
    one = f.bias << f.fraction
    return fma(a, one, b, f, rounding)


def multiply(a: int, b: int, f: Format, rounding: str = "rn") -> int:
    if is_nan(a, f) or is_nan(b, f):
        return f.canonical_nan
    sign = (a ^ b) & f.sign
    if is_infinite(a, f) or is_infinite(b, f):
        return f.canonical_nan if a & ~f.sign == 0 or b & ~f.sign == 0 else sign | f.infinity
    return encode(value(a, f) * value(b, f), f, rounding, bool(sign))


def divide(a: int, b: int, f: Format, rounding: str = "rn") -> int:
    if is_nan(a, f) or is_nan(b, f):
        return f.canonical_nan
    sign = (a ^ b) & f.sign
    if is_infinite(a, f):
        return f.canonical_nan if is_infinite(b, f) else sign | f.infinity
    if is_infinite(b, f):
        return sign
    if b & ~f.sign == 0:
        return f.canonical_nan if a & ~f.sign == 0 else sign | f.infinity
    return encode(value(a, f) / value(b, f), f, rounding, bool(sign))


def square_root(a: int, f: Format, rounding: str = "rn") -> int:
    if is_nan(a, f) or (a & f.sign and a & ~f.sign):
        return f.canonical_nan
    if is_infinite(a, f) or a & ~f.sign == 0:
        return a
    x = value(a, f)
    shift = 4 * (f.fraction + f.bias)  # even; more digits than any rounding looks at
    scaled = x * Fraction(4) ** shift
    root = isqrt(int(scaled))
    exact = root * root == scaled
    # Not exact: anything between root and root + 1 rounds alike.
    return encode((Fraction(root) + (0 if exact else Fraction(1, 2))) / Fraction(2) ** shift, f, rounding)


def of_float(x: float) -> int:
    return struct.unpack("<I", struct.pack("<f", x))[0]
