"""The forms of arithmetic instructions, with what they give by Python's integers and fractions; and awkward operands."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import exact
from exact import BF16, F16, F32, F64


@dataclass(frozen=True)
class Form:
    """`text` has %d for the result, %a %b %c for the operands; `expected` maps their bits to those of the result."""

    text: str
    result: str
    operands: tuple[str, ...]
    expected: Callable[..., int]
    ulps: int = 0  # that the result may lie beside it


BITS = {"b16": 16, "u16": 16, "s16": 16, "b32": 32, "u32": 32, "s32": 32, "b64": 64, "u64": 64, "s64": 64,
        "f16": 16, "bf16": 16, "f16x2": 32, "bf16x2": 32, "f32": 32, "f64": 64}  # fmt: skip


def bits(kind: str) -> int:
    return BITS[kind]


def signed(x: int, width: int) -> int:
    return x - (1 << width) if x >> (width - 1) else x


def number(x: int, kind: str) -> int:
    return signed(x, bits(kind)) if kind[0] == "s" else x


def integer_forms() -> list[Form]:
    forms: list[Form] = []

    def each(text: str, kinds: str, operands: int, function: Callable[..., int], **shape: str) -> None:
        for kind in kinds.split():
            width = bits(shape.get("result", kind))

            def expected(*xs: int, kind: str = kind, width: int = width) -> int:
                return function(*[number(x, kind) for x in xs], bits(kind)) % (1 << width)

            forms.append(Form(text.format(kind), shape.get("result", kind), (kind,) * operands, expected))

    every = "u16 s16 u32 s32 u64 s64"
    each("add.{} %d, %a, %b", every, 2, lambda a, b, w: a + b)
    each("sub.{} %d, %a, %b", every, 2, lambda a, b, w: a - b)
    each("mul.lo.{} %d, %a, %b", every, 2, lambda a, b, w: a * b)
    each("mul.hi.{} %d, %a, %b", every, 2, lambda a, b, w: (a * b) >> w)
    each("mad.lo.{} %d, %a, %b, %c", every, 3, lambda a, b, c, w: a * b + c)
    each("mad.hi.{} %d, %a, %b, %c", every, 3, lambda a, b, c, w: ((a * b) >> w) + c)
    each("sad.{} %d, %a, %b, %c", every, 3, lambda a, b, c, w: c + abs(a - b))
    each("div.{} %d, %a, %b", every, 2, lambda a, b, w: -1 if b == 0 else (abs(a) // abs(b)) * (1 if a * b > 0 else -1))
    each("rem.{} %d, %a, %b", every, 2, lambda a, b, w: -1 if b == 0 else (abs(a) % abs(b)) * (1 if a > 0 else -1))
    each("min.{} %d, %a, %b", every, 2, lambda a, b, w: min(a, b))
    each("max.{} %d, %a, %b", every, 2, lambda a, b, w: max(a, b))
    each("abs.{} %d, %a", "s16 s32 s64", 1, lambda a, w: abs(a))
    each("neg.{} %d, %a", "s16 s32 s64", 1, lambda a, w: -a)
    each("and.{} %d, %a, %b", "b16 b32 b64", 2, lambda a, b, w: a & b)
    each("or.{} %d, %a, %b", "b16 b32 b64", 2, lambda a, b, w: a | b)
    each("xor.{} %d, %a, %b", "b16 b32 b64", 2, lambda a, b, w: a ^ b)
    each("not.{} %d, %a", "b16 b32 b64", 1, lambda a, w: ~a)
    each("cnot.{} %d, %a", "b16 b32 b64", 1, lambda a, w: int(a == 0))
    each("popc.{} %d, %a", "b32 b64", 1, lambda a, w: a.bit_count(), result="u32")
    each("clz.{} %d, %a", "b32 b64", 1, lambda a, w: w - a.bit_length(), result="u32")
    each("bfind.{} %d, %a", "u32 s32 u64 s64", 1, lambda a, w: (a if a >= 0 else ~a).bit_length() - 1, result="u32")
    each("brev.{} %d, %a", "b32 b64", 1, lambda a, w: int(f"{a:0{w}b}"[::-1], 2))
    each("mul24.lo.{} %d, %a, %b", "u32", 2, lambda a, b, w: (a & 0xFFFFFF) * (b & 0xFFFFFF))
    each("mul24.lo.{} %d, %a, %b", "s32", 2, lambda a, b, w: signed(a & 0xFFFFFF, 24) * signed(b & 0xFFFFFF, 24))

    for kind, wide in (("u16", "u32"), ("s16", "s32"), ("u32", "u64"), ("s32", "s64")):

        def product(a: int, b: int, c: int = 0, kind: str = kind, wide: str = wide) -> int:
            return (number(a, kind) * number(b, kind) + c) % (1 << bits(wide))

        forms.append(Form(f"mul.wide.{kind} %d, %a, %b", wide, (kind, kind), product))
        forms.append(Form(f"mad.wide.{kind} %d, %a, %b, %c", wide, (kind, kind, wide), product))

    def clamp(x: int, width: int) -> int:
        return max(-(1 << (width - 1)), min((1 << (width - 1)) - 1, x)) % (1 << width)

    s32 = ("s32", "s32")
    forms.append(Form("add.sat.s32 %d, %a, %b", "s32", s32, lambda a, b: clamp(signed(a, 32) + signed(b, 32), 32)))
    forms.append(Form("sub.sat.s32 %d, %a, %b", "s32", s32, lambda a, b: clamp(signed(a, 32) - signed(b, 32), 32)))

    for kind in ("u16", "s16", "u32", "s32", "u64", "s64"):
        left = "shl.b" + kind[1:]
        width = bits(kind)
        if kind[0] == "u":
            forms.append(Form(left + " %d, %a, %b", kind, (kind, "shift"),
                              lambda a, n, w=width: (a << n) % (1 << w) if n < w else 0))  # fmt: skip
        forms.append(Form(f"shr.{kind} %d, %a, %b", kind, (kind, "shift"),
                          lambda a, n, k=kind, w=width: (number(a, k) >> min(n, w)) % (1 << w)))  # fmt: skip
    for mode, count in (("wrap", lambda n: n & 31), ("clamp", lambda n: min(n, 32))):
        words = ("b32", "b32", "shift")
        forms.append(Form(f"shf.l.{mode}.b32 %d, %a, %b, %c", "b32", words,
                          lambda a, b, n, count=count: (((b << 32 | a) << count(n)) >> 32) & 0xFFFFFFFF))  # fmt: skip
        forms.append(Form(f"shf.r.{mode}.b32 %d, %a, %b, %c", "b32", words,
                          lambda a, b, n, count=count: ((b << 32 | a) >> count(n)) & 0xFFFFFFFF))  # fmt: skip

    def field(a: int, position: int, length: int, kind: str) -> int:
        """The pseudocode of bfe."""
        width = bits(kind)
        top = width - 1
        position, length = position & 0xFF, length & 0xFF
        negative = kind[0] == "s" and length != 0 and (a >> min(position + length - 1, top)) & 1
        d = [negative] * width
        for i in range(width):
            if i < length and position + i <= top:
                d[i] = (a >> (position + i)) & 1
        return sum(int(bit) << i for i, bit in enumerate(d))

    for kind in ("u32", "s32", "u64", "s64"):
        forms.append(Form(f"bfe.{kind} %d, %a, %b, %c", kind, (kind, "shift", "shift"),
                          lambda a, p, n, k=kind: field(a, p, n, k)))  # fmt: skip

    def permuted(a: int, b: int, selector: int) -> int:
        pool = (b << 32 | a).to_bytes(8, "little")
        out = 0
        for i in range(4):
            pick = selector >> (4 * i) & 15
            byte = pool[pick & 7]
            out |= (0xFF * (byte >> 7) if pick & 8 else byte) << (8 * i)
        return out

    forms.append(Form("prmt.b32 %d, %a, %b, %c", "b32", ("b32",) * 3, permuted))
    for table in (0x96, 0xE8, 0xCA, 0x01, 0xFE):
        forms.append(Form(f"lop3.b32 %d, %a, %b, %c, {table}", "b32", ("b32",) * 3,
                          lambda a, b, c, t=table: sum((t >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i
                                                       for i in range(32))))  # fmt: skip

    def dot(a: int, b: int, c: int, kinds: tuple[str, str]) -> int:
        def part(x: int, i: int, kind: str) -> int:
            byte = x >> (8 * i) & 0xFF
            return signed(byte, 8) if kind == "s32" else byte

        return (c + sum(part(a, i, kinds[0]) * part(b, i, kinds[1]) for i in range(4))) % (1 << 32)

    for kinds in (("u32", "u32"), ("s32", "s32"), ("s32", "u32"), ("u32", "s32")):
        forms.append(Form(f"dp4a.{kinds[0]}.{kinds[1]} %d, %a, %b, %c", "b32", ("b32",) * 3,
                          lambda a, b, c, k=kinds: dot(a, b, c, k)))  # fmt: skip
    return forms


def packed_forms() -> list[Form]:
    """Of 32-bit registers that hold two or four integers."""
    words, forms = ("b32", "b32"), []

    def parts(x: int, width: int, kind: str) -> list[int]:
        fields = [x >> low & (1 << width) - 1 for low in range(0, 32, width)]
        return [signed(field, width) for field in fields] if kind == "s" else fields

    def each(text: str, kind: str, width: int, function: Callable[[int, int], int]) -> Form:
        def expected(a: int, b: int) -> int:
            results = map(function, parts(a, width, kind), parts(b, width, kind))
            return sum(result % (1 << width) << (width * i) for i, result in enumerate(results))

        return Form(text, "b32", words, expected)

    def total(a: int, b: int, c: int, width: int) -> int:
        return (c + sum(abs(x - y) for x, y in zip(parts(a, width, "u"), parts(b, width, "u"), strict=True))) % (
            1 << 32
        )

    for kind in "us":
        forms.append(each(f"add.{kind}16x2 %d, %a, %b", kind, 16, lambda x, y: x + y))
        forms.append(each(f"min.{kind}16x2 %d, %a, %b", kind, 16, min))
        forms.append(each(f"max.{kind}16x2 %d, %a, %b", kind, 16, max))
    forms.append(each("min.s16x2.relu %d, %a, %b", "s", 16, lambda x, y: max(min(x, y), 0)))
    forms.append(each("max.s16x2.relu %d, %a, %b", "s", 16, lambda x, y: max(x, y, 0)))
    for count, width in ((2, 16), (4, 8)):
        name = f"vabsdiff{count}.u32.u32.u32"
        apart = each("", "u", width, lambda x, y: abs(x - y)).expected
        forms.append(Form(f"{name} %d, %a, %b, %c", "b32", ("b32",) * 3, lambda a, b, c, apart=apart: apart(a, b)))
        forms.append(Form(f"{name}.add %d, %a, %b, %c", "b32", ("b32",) * 3,
                          lambda a, b, c, w=width: total(a, b, c, w)))  # fmt: skip
    return forms


def float_forms() -> list[Form]:
    forms = []
    for kind, f in (("f32", F32), ("f64", F64)):
        for rounding in ("rn", "rz", "rm", "rp"):
            two, three = (kind,) * 2, (kind,) * 3
            forms += [
                Form(f"add.{rounding}.{kind} %d, %a, %b", kind, two, lambda a, b, f=f, r=rounding: exact.add(a, b, f, r)),
                Form(f"sub.{rounding}.{kind} %d, %a, %b", kind, two,
                     lambda a, b, f=f, r=rounding: exact.add(a, b ^ f.sign, f, r)),
                Form(f"mul.{rounding}.{kind} %d, %a, %b", kind, two,
                     lambda a, b, f=f, r=rounding: exact.multiply(a, b, f, r)),
                Form(f"div.{rounding}.{kind} %d, %a, %b", kind, two,
                     lambda a, b, f=f, r=rounding: exact.divide(a, b, f, r)),
                Form(f"fma.{rounding}.{kind} %d, %a, %b, %c", kind, three,
                     lambda a, b, c, f=f, r=rounding: exact.fma(a, b, c, f, r)),
                Form(f"rcp.{rounding}.{kind} %d, %a", kind, (kind,),
                     lambda a, f=f, r=rounding: exact.divide(f.bias << f.fraction, a, f, r)),
                Form(f"sqrt.{rounding}.{kind} %d, %a", kind, (kind,),
                     lambda a, f=f, r=rounding: exact.square_root(a, f, r)),
            ]  # fmt: skip
        for name, picks in (("min", min), ("max", max)):

            def extreme(a: int, b: int, f: exact.Format = f, picks: Callable = picks) -> int:
                if exact.is_nan(a, f):
                    return f.canonical_nan if exact.is_nan(b, f) else b
                if exact.is_nan(b, f):
                    return a
                # Order of the numbers: that of their bits as sign and magnitude.
                return picks(a, b, key=lambda x: -(x & ~f.sign) - 1 if x & f.sign else x)

            forms.append(Form(f"{name}.{kind} %d, %a, %b", kind, (kind,) * 2, extreme))

    def ftz(function: Callable[..., int]) -> Callable[..., int]:
        return lambda *xs: exact.flushed(function(*[exact.flushed(x, F32) for x in xs]), F32)

    two, three = ("f32",) * 2, ("f32",) * 3
    forms += [
        Form("add.ftz.f32 %d, %a, %b", "f32", two, ftz(lambda a, b: exact.add(a, b, F32))),
        Form("mul.ftz.f32 %d, %a, %b", "f32", two, ftz(lambda a, b: exact.multiply(a, b, F32))),
        Form("fma.rn.ftz.f32 %d, %a, %b, %c", "f32", three, ftz(lambda a, b, c: exact.fma(a, b, c, F32))),
    ]

    def saturated(x: int) -> int:
        if exact.is_nan(x, F32) or x & F32.sign:
            return 0
        return min(x, F32.bias << F32.fraction)

    forms += [
        Form("add.sat.f32 %d, %a, %b", "f32", two, lambda a, b: saturated(exact.add(a, b, F32))),
        Form("fma.rn.sat.f32 %d, %a, %b, %c", "f32", three, lambda a, b, c: saturated(exact.fma(a, b, c, F32))),
    ]
    for kind, f in (("f16", F16), ("bf16", BF16)):
        for pair in (False, True):
            name = kind + ("x2" if pair else "")

            def halves(function: Callable[..., int], pair: bool = pair) -> Callable[..., int]:
                if not pair:
                    return function
                return lambda *xs: function(*[x & 0xFFFF for x in xs]) | function(*[x >> 16 for x in xs]) << 16

            two, three = (name,) * 2, (name,) * 3
            forms += [
                Form(f"add.{name} %d, %a, %b", name, two, halves(lambda a, b, f=f: exact.add(a, b, f))),
                Form(f"sub.{name} %d, %a, %b", name, two, halves(lambda a, b, f=f: exact.add(a, b ^ f.sign, f))),
                Form(f"mul.{name} %d, %a, %b", name, two, halves(lambda a, b, f=f: exact.multiply(a, b, f))),
                Form(f"fma.rn.{name} %d, %a, %b, %c", name, three, halves(lambda a, b, c, f=f: exact.fma(a, b, c, f))),
            ]
    return forms


def conversion_forms() -> list[Form]:
    forms = []
    floats = {"f16": F16, "bf16": BF16, "f32": F32, "f64": F64}
    whole = ("u16", "s16", "u32", "s32", "u64", "s64")
    roundings = {"rni": "rn", "rzi": "rz", "rmi": "rm", "rpi": "rp"}

    def rounded(x, rounding: str) -> int:
        below = x.numerator // x.denominator
        rest = x - below
        if rounding == "rzi":
            return below + (1 if x < 0 and rest else 0)
        if rounding == "rpi":
            return below + (1 if rest else 0)
        if rounding == "rni":
            return round(x)
        return below

    def to_whole(a: int, source: str, target: str, rounding: str) -> int:
        f, width = floats[source], bits(target)
        least, most = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if target[0] == "s" else (0, (1 << width) - 1)
        if exact.is_nan(a, f):
            return 1 << (width - 1) if source == "f64" or width == 64 else 0
        if exact.is_infinite(a, f):
            return (least if a & f.sign else most) % (1 << width)
        return max(least, min(most, rounded(exact.value(a, f), rounding))) % (1 << width)

    def to_float(x: int, source: str, target: str, rounding: str) -> int:
        g = floats[target]
        if source not in floats:
            return exact.encode(exact.Fraction(number(x, source)), g, rounding)
        f = floats[source]
        if exact.is_nan(x, f):
            return x << 16 if (source, target) == ("bf16", "f32") else g.canonical_nan
        sign = g.sign if x & f.sign else 0
        if exact.is_infinite(x, f):
            return sign | g.infinity
        return exact.encode(exact.value(x, f), g, rounding, bool(sign))

    for source in floats:
        for target in whole:
            for rounding in roundings:
                forms.append(Form(f"cvt.{rounding}.{target}.{source} %d, %a", target, (source,),
                                  lambda a, s=source, t=target, r=rounding: to_whole(a, s, t, r)))  # fmt: skip
    for source in whole:
        for target in floats:
            for rounding in ("rn", "rz", "rm", "rp"):
                forms.append(Form(f"cvt.{rounding}.{target}.{source} %d, %a", target, (source,),
                                  lambda a, s=source, t=target, r=rounding: to_float(a, s, t, r)))  # fmt: skip
        for target in whole:
            forms.append(Form(f"cvt.{target}.{source} %d, %a", target, (source,),
                              lambda a, s=source, t=target: number(a, s) % (1 << bits(t))))  # fmt: skip

            def clamped(a: int, s: str = source, t: str = target) -> int:
                w = bits(t)
                least, most = (-(1 << (w - 1)), (1 << (w - 1)) - 1) if t[0] == "s" else (0, (1 << w) - 1)
                return max(least, min(most, number(a, s))) % (1 << w)

            forms.append(Form(f"cvt.sat.{target}.{source} %d, %a", target, (source,), clamped))
    for source, target, words in (
        ("f32", "f64", ("",)), ("f64", "f32", ("rn.", "rz.", "rm.", "rp.")), ("f16", "f32", ("",)), ("bf16", "f32", ("",)),
        ("f32", "f16", ("rn.", "rz.")), ("f32", "bf16", ("rn.", "rz.")), ("f16", "f64", ("",)), ("f64", "f16", ("rn.", "rz.")),
    ):  # fmt: skip
        for word in words:
            forms.append(Form(f"cvt.{word}{target}.{source} %d, %a", target, (source,),
                              lambda a, s=source, t=target, r=word[:2] or "rn": to_float(a, s, t, r)))  # fmt: skip
    forms.append(Form("cvt.rn.f16x2.f32 %d, %a, %b", "f16x2", ("f32", "f32"),
                      lambda a, b: to_float(a, "f32", "f16", "rn") << 16 | to_float(b, "f32", "f16", "rn")))  # fmt: skip
    return forms


def approximate_forms() -> list[Form]:
    """Against double precision, or exact roots: within one unit in the last place, which is less than PTX asks for."""
    forms = []

    def each(text: str, kind: str, f: exact.Format, function: Callable[[float], float], flush: bool = False) -> None:
        def expected(a: int) -> int:
            a = exact.flushed(a, f) if flush else a
            if exact.is_nan(a, f):
                return f.canonical_nan
            x = math.inf if exact.is_infinite(a, f) else abs(float(exact.value(a, f)))
            try:
                y = function(-x if a & f.sign else x)
            except OverflowError:
                y = math.inf
            except ValueError:  # of what has no result
                return f.canonical_nan
            sign = f.sign if math.copysign(1, y) < 0 else 0
            if math.isinf(y):
                return f.infinity | sign
            result = exact.encode(Fraction(y), f, zero_sign=sign != 0)
            return exact.flushed(result, f) if flush else result

        forms.append(Form(f"{text} %d, %a", kind, (kind,), expected, ulps=1))

    def reciprocal(x: float) -> float:
        return math.copysign(math.inf, x) if x == 0 else 1 / x

    def power_of_two(x: float) -> float:
        return math.pow(2, x)

    for ftz in ("", ".ftz"):
        flush = ftz != ""
        each(f"sin.approx{ftz}.f32", "f32", F32, math.sin, flush)
        each(f"cos.approx{ftz}.f32", "f32", F32, math.cos, flush)
        each(f"lg2.approx{ftz}.f32", "f32", F32, lambda x: -math.inf if x == 0 else math.log2(x), flush)
        each(f"ex2.approx{ftz}.f32", "f32", F32, power_of_two, flush)
        each(f"rcp.approx{ftz}.f32", "f32", F32, reciprocal, flush)
        each(f"sqrt.approx{ftz}.f32", "f32", F32, math.sqrt, flush)
        each(f"rsqrt.approx{ftz}.f32", "f32", F32, lambda x: reciprocal(math.sqrt(x)), flush)
    each("tanh.approx.f32", "f32", F32, math.tanh)
    each("tanh.approx.f16", "f16", F16, math.tanh)
    each("tanh.approx.bf16", "bf16", BF16, math.tanh)
    each("ex2.approx.f16", "f16", F16, power_of_two)
    each("ex2.approx.ftz.bf16", "bf16", BF16, power_of_two, True)

    def reciprocal_square_root(a: int) -> int:
        if exact.is_nan(a, F64) or (a & F64.sign and a != F64.sign):
            return F64.canonical_nan
        if a & ~F64.sign == 0:
            return a | F64.infinity
        if exact.is_infinite(a, F64):
            return 0
        shift = 700  # more digits than the roots of the smallest and largest numbers need
        return exact.encode(Fraction(math.isqrt(int(Fraction(4) ** shift / exact.value(a, F64))), 2**shift), F64)

    forms.append(Form("rsqrt.approx.f64 %d, %a", "f64", ("f64",), reciprocal_square_root, ulps=1))
    return forms


FORMS = integer_forms() + packed_forms() + float_forms() + conversion_forms() + approximate_forms()
AWKWARD = {
    16: [0, 1, 2, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x3C00, 0xBC00, 0x7C00, 0xFC00, 0x7C01, 0x03FF, 0x0400, 0x7BFF, 0x3F80,
         0x7F80, 0xFF80, 0x7F7F, 0x0080, 0x007F],
    32: [0, 1, 2, 31, 32, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000,
         0x7F800001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x4B800001, 0x33800000, 0x477FF000, 0x4EFFFFFF, 0x4F000000],
    64: [0, 1, 2, 63, 64, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 64) - 1, 0x3FF0000000000000, 0xBFF0000000000000,
         0x7FF0000000000000, 0xFFF0000000000000, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x7FEFFFFFFFFFFFFF,
         0x41DFFFFFFFC00000, 0x43E0000000000000, 0x40F0000000000001, 0x3CA0000000000000],
}  # fmt: skip


def operand_bits(kind: str, rng: random.Random) -> int:
    if kind == "shift":
        return rng.choice([0, 1, 5, 15, 16, 31, 32, 33, 63, 64, 65, 100, 255, rng.randrange(70)])
    width = bits(kind)
    pick = rng.random()
    if pick < 0.3:
        return rng.choice(AWKWARD[width])
    if pick < 0.5:
        return rng.randrange(1 << rng.randrange(1, width + 1))
    if pick < 0.7 and kind in ("f32", "f64"):  # of like size, so that sums cancel and quotients round
        f = F32 if kind == "f32" else F64
        return (
            rng.randrange(2) << (width - 1)
            | (f.bias + rng.randrange(-3, 30)) << f.fraction
            | rng.randrange(1 << f.fraction)
        )
    return rng.randrange(1 << width)


def register(kind: str) -> str:
    return f"b{32 if kind == 'shift' else bits(kind)}"
