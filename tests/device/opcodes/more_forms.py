"""Forms beside those that the tests of values know: compared with the GPU only."""

import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "executor_cpu"))
from forms import FORMS


@dataclass(frozen=True)
class Compared:
    """`text` computes from %a %b %c (of the kinds in `operands`) into %d, or into %d0 to %d3 if result is "v4".

    Predicates %p %q, words %x0 to %x23 and %h0, floats %f0 to %f7 and %g0 to %g7, doubles %w0 to %w15 and
    %z0 to %z3 are there to use; [%cell] and [%out] are 16 bytes of a thread's own, [%base] is data of all. `relative`, `absolute`: what the PTX ISA
    allows an approximation; 0 and 0: equal bits.
    """

    text: str
    result: str
    operands: tuple[str, ...]
    relative: float = 0
    absolute: float = 0


def saturates_nothing(text: str) -> bool:
    """cvt.sat to a type that holds every value of the source: the assembler refuses it."""
    words = text.split()[0].split(".")
    if words[:2] != ["cvt", "sat"]:
        return False
    (to, target), (source, given) = [(word[0], int(word[1:])) for word in words[2:4]]
    return (to == source and target >= given) or (to == "s" and source == "u" and target > given)


def plain() -> list[Compared]:
    """All but approximations, which have their own group and bounds."""
    exact = [form for form in FORMS if form.ulps == 0 and not saturates_nothing(form.text)]
    return [Compared(form.text, form.result, form.operands) for form in exact]


def comparisons() -> list[Compared]:
    forms = []
    select = "selp.b32 %d, 1, 0, %p"
    both = "selp.b32 %x0, 1, 0, %p; selp.b32 %x1, 2, 0, %q; or.b32 %d, %x0, %x1"
    ordered, unordered = "eq ne lt le gt ge", "equ neu ltu leu gtu geu num nan"
    for kind in ["u16", "s16", "u32", "s32", "u64", "s64"]:
        for relation in ordered.split():
            forms.append(Compared(f"setp.{relation}.{kind} %p, %a, %b; {select}", "b32", (kind, kind)))
    for relation in ["lo", "ls", "hi", "hs"]:
        forms.append(Compared(f"setp.{relation}.u32 %p, %a, %b; {select}", "b32", ("u32", "u32")))
    for kind in ("f32", "f64"):
        for relation in (ordered + " " + unordered).split():
            forms.append(Compared(f"setp.{relation}.{kind} %p, %a, %b; {select}", "b32", (kind, kind)))
            forms.append(Compared(f"set.{relation}.u32.{kind} %d, %a, %b", "b32", (kind, kind)))
            forms.append(Compared(f"set.{relation}.f32.{kind} %d, %a, %b", "b32", (kind, kind)))
    for relation in (ordered + " " + unordered).split():
        forms.append(Compared(f"setp.{relation}.ftz.f32 %p, %a, %b; {select}", "b32", ("f32", "f32")))
        forms.append(Compared(f"setp.{relation}.f16 %p, %a, %b; {select}", "b32", ("f16", "f16")))
        forms.append(Compared(f"setp.{relation}.bf16 %p, %a, %b; {select}", "b32", ("bf16", "bf16")))
        forms.append(Compared(f"setp.{relation}.f16x2 %p|%q, %a, %b; {both}", "b32", ("f16x2", "f16x2")))
        forms.append(Compared(f"set.{relation}.f16x2.f16x2 %d, %a, %b", "b32", ("f16x2", "f16x2")))
        forms.append(Compared(f"set.{relation}.u32.f16x2 %d, %a, %b", "b32", ("f16x2", "f16x2")))
    for combine in ("and", "or", "xor"):
        forms.append(
            Compared(f"setp.gt.s32 %q, %b, 0; setp.lt.{combine}.s32 %p|%q, %a, %b, %q; {both}", "b32", ("s32", "s32"))
        )
    for kind in ("b16", "b32", "b64"):
        forms.append(Compared(f"setp.ne.b32 %p, %c, 0; selp.{kind} %d, %a, %b, %p", kind, (kind, kind, "shift")))
        forms.append(Compared(f"slct.{kind.replace('b', 'u')}.s32 %d, %a, %b, %c", kind, (kind, kind, "s32")))
        forms.append(Compared(f"slct.{kind.replace('b', 'u')}.f32 %d, %a, %b, %c", kind, (kind, kind, "f32")))
    for kind in ("f32", "f64"):
        for what in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"]:
            forms.append(Compared(f"testp.{what}.{kind} %p, %a; {select}", "b32", (kind,)))
        forms.append(Compared(f"copysign.{kind} %d, %a, %b", kind, (kind, kind)))
        forms.append(Compared(f"abs.{kind} %d, %a", kind, (kind,)))
        forms.append(Compared(f"neg.{kind} %d, %a", kind, (kind,)))
    return forms


def integers() -> list[Compared]:
    forms = [
        Compared("bfi.b32 %d, %a, %b, %c, %x0", "b32", ("b32", "b32", "shift")),
        Compared("bmsk.clamp.b32 %d, %a, %b", "b32", ("shift", "shift")),
        Compared("bmsk.wrap.b32 %d, %a, %b", "b32", ("shift", "shift")),
        Compared("szext.clamp.u32 %d, %a, %b", "b32", ("b32", "shift")),
        Compared("szext.wrap.s32 %d, %a, %b", "b32", ("b32", "shift")),
        Compared("szext.clamp.s32 %d, %a, %b", "b32", ("b32", "shift")),
        Compared("bfind.shiftamt.u32 %d, %a", "b32", ("b32",)),
        Compared("bfind.shiftamt.s32 %d, %a", "b32", ("b32",)),
        Compared("mad24.lo.s32 %d, %a, %b, %c", "b32", ("b32",) * 3),
        Compared("mad24.hi.u32 %d, %a, %b, %c", "b32", ("b32",) * 3),
        Compared("mul24.hi.s32 %d, %a, %b", "b32", ("b32",) * 2),
        Compared("mad.hi.sat.s32 %d, %a, %b, %c", "b32", ("b32",) * 3),
        Compared("add.cc.u32 %x0, %a, %b; addc.u32 %d, %c, %a", "b32", ("b32",) * 3),
        Compared("sub.cc.u32 %x0, %a, %b; subc.u32 %d, %c, %a", "b32", ("b32",) * 3),
        Compared("mad.lo.cc.u32 %x0, %a, %b, %c; madc.hi.u32 %d, %a, %b, 0", "b32", ("b32",) * 3),
        Compared("mov.b64 {%x0, %x1}, %a; add.u32 %d, %x0, %x1", "b32", ("b64",)),
        Compared("mov.b64 %d, {%a, %b}", "b64", ("b32", "b32")),
        Compared("shf.l.wrap.b32 %d, %a, %a, %b", "b32", ("b32", "shift")),
    ]
    for low in ("lo", "hi"):
        for first in ("u32", "s32"):
            for second in ("u32", "s32"):
                forms.append(Compared(f"dp2a.{low}.{first}.{second} %d, %a, %b, %c", "b32", ("b32",) * 3))
    for mode in ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"]:
        forms.append(Compared(f"prmt.b32.{mode} %d, %a, %b, %c", "b32", ("b32",) * 3))
    for table in range(0, 256, 23):
        forms.append(Compared(f"lop3.b32 %d, %a, %b, %c, {table}", "b32", ("b32",) * 3))
    return forms


def floats() -> list[Compared]:
    forms = []
    for word in ("ftz.", "sat.", "ftz.sat."):
        for rounding in ("rn", "rz", "rm", "rp"):
            forms.append(Compared(f"add.{rounding}.{word}f32 %d, %a, %b", "f32", ("f32",) * 2))
            forms.append(Compared(f"sub.{rounding}.{word}f32 %d, %a, %b", "f32", ("f32",) * 2))
            forms.append(Compared(f"mul.{rounding}.{word}f32 %d, %a, %b", "f32", ("f32",) * 2))
            forms.append(Compared(f"fma.{rounding}.{word}f32 %d, %a, %b, %c", "f32", ("f32",) * 3))
    for opcode in ("min", "max"):
        for word in ("", "ftz.", "NaN.", "ftz.NaN.", "xorsign.abs.", "NaN.xorsign.abs."):
            forms.append(Compared(f"{opcode}.{word}f32 %d, %a, %b", "f32", ("f32",) * 2))
        for kind in ("f16", "f16x2", "bf16", "bf16x2"):
            for word in ("", "NaN."):
                forms.append(Compared(f"{opcode}.{word}{kind} %d, %a, %b", kind, (kind,) * 2))
    for kind in ("f16", "f16x2"):
        for word in ("sat.", "ftz.", "ftz.sat."):
            for opcode, n in (("add.rn", 2), ("sub.rn", 2), ("mul.rn", 2), ("fma.rn", 3)):
                forms.append(
                    Compared(f"{opcode}.{word}{kind} %d, " + ", ".join(("%a", "%b", "%c")[:n]), kind, (kind,) * n)
                )
        forms.append(Compared(f"fma.rn.relu.{kind} %d, %a, %b, %c", kind, (kind,) * 3))
    forms.append(Compared("fma.rn.relu.bf16x2 %d, %a, %b, %c", "bf16x2", ("bf16x2",) * 3))
    for kind in ("f16", "f16x2", "bf16", "bf16x2"):
        forms.append(Compared(f"abs.{kind} %d, %a", kind, (kind,)))
        forms.append(Compared(f"neg.{kind} %d, %a", kind, (kind,)))
    for source, target, words in (
        ("f32", "f16", ("rn.relu", "rn.sat", "rz.relu")), ("f32", "bf16", ("rn.relu", "rz.relu")),
        ("f32", "tf32", ("rna",)), ("f32", "f32", ("rni", "rzi", "rmi", "rpi", "rni.ftz", "sat")),
        ("f64", "f64", ("rni", "rzi", "rmi", "rpi")), ("f16", "f16", ("rni", "rzi", "rmi", "rpi")),
        ("f32", "u8", ("rni", "rzi")), ("f32", "s8", ("rni", "rzi")),
    ):  # fmt: skip
        kind = {"tf32": "b32", "u8": "b32", "s8": "b32"}.get(target, target)
        for word in words:
            forms.append(Compared(f"cvt.{word}.{target}.{source} %d, %a", kind, (source,)))
    for kind in ("f16x2", "bf16x2"):
        for word in ("rn", "rz", "rn.relu"):
            forms.append(Compared(f"cvt.{word}.{kind}.f32 %d, %a, %b", kind, ("f32", "f32")))
    for kind in ("u8", "s8", "u16", "s16"):
        forms.append(Compared(f"cvt.s32.{kind} %d, %a" if kind.endswith("8") else f"cvt.{kind}.s32 %x4, %a; cvt.s32.{kind} %d, %x4".replace("%x4", "%h0"), "b32", ("b32",)))  # fmt: skip
    return forms


def approximations() -> list[Compared]:
    """Errors as the PTX ISA states them, for each instruction."""
    forms = []
    for ftz in ("", "ftz."):
        forms += [
            Compared(f"rcp.approx.{ftz}f32 %d, %a", "f32", ("f32",), relative=2**-23, absolute=2**-149),
            Compared(f"sqrt.approx.{ftz}f32 %d, %a", "f32", ("f32",), relative=2**-23),
            Compared(f"rsqrt.approx.{ftz}f32 %d, %a", "f32", ("f32",), relative=2**-22.9),
            Compared(f"div.approx.{ftz}f32 %d, %a, %b", "f32", ("near", "near"), relative=2**-22),
            Compared(f"div.full.{ftz}f32 %d, %a, %b", "f32", ("near", "near"), relative=2**-22),
            Compared(f"lg2.approx.{ftz}f32 %d, %a", "f32", ("f32",), relative=2**-22, absolute=2**-22),
            Compared(f"ex2.approx.{ftz}f32 %d, %a", "f32", ("near",), relative=2**-22, absolute=2**-149),
            Compared(f"sin.approx.{ftz}f32 %d, %a", "f32", ("angle",), absolute=2**-20.4),
            Compared(f"cos.approx.{ftz}f32 %d, %a", "f32", ("angle",), absolute=2**-20.4),
        ]
    forms += [
        Compared("tanh.approx.f32 %d, %a", "f32", ("near",), relative=2**-10.9),
        Compared("tanh.approx.f16 %d, %a", "f16", ("f16",), absolute=2**-10.9, relative=2**-10),
        Compared("tanh.approx.bf16 %d, %a", "bf16", ("bf16",), absolute=2**-8, relative=2**-7),
        Compared("ex2.approx.f16 %d, %a", "f16", ("f16",), relative=2**-9.8, absolute=2**-24),
        Compared("ex2.approx.ftz.bf16 %d, %a", "bf16", ("bf16",), relative=2**-7),
        Compared("rcp.approx.ftz.f64 %d, %a", "f64", ("f64",), relative=2**-19),
        Compared("rsqrt.approx.ftz.f64 %d, %a", "f64", ("f64",), relative=2**-19),
        Compared("rsqrt.approx.f64 %d, %a", "f64", ("f64",), relative=2**-51),
    ]
    compared = {form.text for form in forms}
    if missing := [form.text for form in FORMS if form.ulps and form.text not in compared]:
        sys.exit(f"approximations that are not compared: {', '.join(missing)}")
    return forms


def together() -> list[Compared]:
    everyone = "0xffffffff"
    forms = [
        Compared(f"shfl.sync.{mode}.b32 %d|%p, %a, %b, %c, {everyone}; selp.b32 %x0, 7, 0, %p; add.u32 %d, %d, %x0", "b32", ("b32", "b32", "b32"))
        for mode in ("up", "down", "bfly", "idx")
    ]  # fmt: skip
    lowest = "and.b32 %x0, %a, 3;"
    forms += [Compared(f"redux.sync.{op} %d, %a, {everyone}", "b32", ("b32",))
              for op in ["add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"]]  # fmt: skip
    forms += [
        Compared(f"{lowest} match.any.sync.b32 %d, %x0, {everyone}", "b32", ("b32",)),
        Compared(f"{lowest} match.all.sync.b32 %d|%p, %x0, {everyone}", "b32", ("b32",)),
        Compared(f"setp.lt.s32 %p, %a, 0; vote.sync.ballot.b32 %d, %p, {everyone}", "b32", ("b32",)),
        Compared("activemask.b32 %d", "b32", ()),
        Compared(f"elect.sync %d|%p, {everyone}", "b32", ()),
    ]
    for how in ("all", "any", "uni"):
        forms.append(
            Compared(
                f"setp.lt.s32 %p, %a, 0; vote.sync.{how}.pred %q, %p, {everyone}; selp.b32 %d, 1, 0, %q",
                "b32",
                ("b32",),
            )
        )
    return forms


def atomics() -> list[Compared]:
    """Each thread on its own 16 bytes of the output, which hold %a first."""
    forms = []
    for space in ("global", "shared"):
        cell = "[%out]" if space == "global" else "[%cell]"
        for kind, ops in (
            ("u32", "add min max inc dec"), ("s32", "add min max"), ("b32", "and or xor exch"), ("u64", "add min max"),
            ("s64", "min max"), ("b64", "and or xor exch"), ("f32", "add"), ("f64", "add"),
        ):  # fmt: skip
            bits = "b" + kind[1:]
            for op in ops.split():
                forms.append(Compared(f"st.{space}.{bits} {cell}, %a; atom.{space}.{op}.{kind} %d, {cell}, %b; ld.{space}.{bits} %d, {cell}", bits if kind[0] != "f" else kind, (kind, kind)))  # fmt: skip
        for kind in ("b32", "b64"):
            forms.append(
                Compared(
                    f"st.{space}.{kind} {cell}, %a; atom.{space}.cas.{kind} %d, {cell}, %b, %c; ld.{space}.{kind} %d, {cell}",
                    kind,
                    (kind,) * 3,
                )
            )
        forms.append(
            Compared(f"st.{space}.b16 {cell}, %a; atom.{space}.cas.b16 %d, {cell}, %b, %c", "b16", ("b16",) * 3)
        )
        for kind, register in (("f16", "b16"), ("f16x2", "b32"), ("bf16", "b16"), ("bf16x2", "b32")):
            forms.append(
                Compared(
                    f"st.{space}.{register} {cell}, %a; atom.{space}.add.noftz.{kind} %d, {cell}, %b; ld.{space}.{register} %d, {cell}",
                    kind,
                    (kind,) * 2,
                )
            )
    return forms


def matrices() -> list[Compared]:
    """Small whole numbers, so that every order of summation gives the same; factors come from a hash of %a, %b and %c."""
    forms = []

    def factors(count: int, kind: str, first: int) -> str:
        """Registers %x<first>... of small numbers."""
        text = []
        for n in range(count):
            r = f"%x{first + n}"
            text.append(f"mul.lo.u32 {r}, %{'abc'[n % 3]}, {2654435761 + 2 * n + 16 * first}; shr.u32 {r}, {r}, 7;")
            if kind in ("f16", "bf16"):
                text.append(f"and.b32 {r}, {r}, {0x80008000 | 0x03000300:#x}; or.b32 {r}, {r}, {0x3C003C00 if kind == 'f16' else 0x3F803F80:#x};" if kind == "f16"
                            else f"and.b32 {r}, {r}, {0x80608060:#x}; or.b32 {r}, {r}, {0x3F803F80:#x};")  # fmt: skip
            elif kind == "tf32":
                text.append(f"and.b32 {r}, {r}, {0x80701FFF:#x}; or.b32 {r}, {r}, {0x3F800000:#x};")
            elif kind in ("e4m3", "e5m2"):
                text.append(
                    f"and.b32 {r}, {r}, {0x87878787 if kind == 'e4m3' else 0x83838383:#x}; or.b32 {r}, {r}, {0x38383838 if kind == 'e4m3' else 0x3C3C3C3C:#x};"
                )
        return " ".join(text)

    def product(name: str, a: int, b: int, c: int, kind: str, sums: str, other: str = "") -> None:
        setup = [factors(a, kind, 0), factors(b, other or kind, a)]
        names = [f"%x{n}" for n in range(a + b)]
        ends = [f"%k{n}" for n in range(c)]
        if sums == "f32":
            setup += [f"cvt.rn.f32.s32 %f{n}, %{'abc'[n % 3]}; mul.f32 %f{n}, %f{n}, 0f33800000; cvt.rni.f32.f32 %f{n}, %f{n};" for n in range(c)]  # fmt: skip
        elif sums == "f16":
            setup += [f"and.b32 %k{n}, %{'abc'[n % 3]}, 0x83008300; or.b32 %k{n}, %k{n}, 0x3C003C00;" for n in range(c)]
        else:
            setup += [f"mov.b32 %k{n}, %{'abc'[n % 3]};" for n in range(c)]

        def pack(registers: list[str]) -> str:
            return "{" + ", ".join(registers) + "}"

        d = [f"%d{n}" for n in range(c)]
        if sums == "f32":
            d, ends = [f"%g{n}" for n in range(c)], [f"%f{n}" for n in range(c)]
        text = " ".join(setup) + f" {name} {pack(d)}, {pack(names[:a])}, {pack(names[a:])}, {pack(ends)}"
        if sums == "f32":
            text += "; " + "; ".join(f"mov.b32 %d{n}, %g{n}" for n in range(c))
        forms.append(Compared(text, "v4", ("b32",) * 3))

    mma = "mma.sync.aligned"
    for kind in ("f16", "bf16"):
        product(f"{mma}.m16n8k8.row.col.f32.{kind}.{kind}.f32", 2, 1, 4, kind, "f32")
        product(f"{mma}.m16n8k16.row.col.f32.{kind}.{kind}.f32", 4, 2, 4, kind, "f32")
    product(f"{mma}.m16n8k8.row.col.f16.f16.f16.f16", 2, 1, 2, "f16", "f16")
    product(f"{mma}.m16n8k16.row.col.f16.f16.f16.f16", 4, 2, 2, "f16", "f16")
    product(f"{mma}.m16n8k4.row.col.f32.tf32.tf32.f32", 2, 1, 4, "tf32", "f32")
    product(f"{mma}.m16n8k8.row.col.f32.tf32.tf32.f32", 4, 2, 4, "tf32", "f32")
    for a, b in (("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
        product(f"{mma}.m16n8k32.row.col.f32.{a}.{b}.f32", 4, 2, 4, a, "f32", b)
    for a, b in (("s8", "s8"), ("u8", "s8"), ("s8", "u8"), ("u8", "u8")):
        for word in ("", ".satfinite"):
            product(f"{mma}.m8n8k16.row.col{word}.s32.{a}.{b}.s32", 1, 1, 2, a, "s32")
            product(f"{mma}.m16n8k16.row.col{word}.s32.{a}.{b}.s32", 2, 1, 4, a, "s32")
            product(f"{mma}.m16n8k32.row.col{word}.s32.{a}.{b}.s32", 4, 2, 4, a, "s32")
    for a, b in (("s4", "s4"), ("u4", "u4"), ("s4", "u4")):
        product(f"{mma}.m8n8k32.row.col.s32.{a}.{b}.s32", 1, 1, 2, a, "s32")
        product(f"{mma}.m16n8k32.row.col.s32.{a}.{b}.s32", 2, 1, 4, a, "s32")
        product(f"{mma}.m16n8k64.row.col.s32.{a}.{b}.s32", 4, 2, 4, a, "s32")
    product(f"{mma}.m8n8k128.row.col.s32.b1.b1.s32.and.popc", 1, 1, 2, "b1", "s32")
    product(f"{mma}.m16n8k128.row.col.s32.b1.b1.s32.and.popc", 2, 1, 4, "b1", "s32")
    product(f"{mma}.m16n8k256.row.col.s32.b1.b1.s32.and.popc", 4, 2, 4, "b1", "s32")
    for m, k, a, b, c in ((8, 4, 1, 1, 2), (16, 4, 2, 1, 4), (16, 8, 4, 2, 4), (16, 16, 8, 4, 4)):
        registers = [f"%w{n}" for n in range(a + b + c)]
        setup = " ".join(
            f"shr.u32 %x0, %{'abc'[n % 3]}, {n + 11}; cvt.rn.f64.s32 {r}, %x0;" for n, r in enumerate(registers)
        )
        d = ["%z0", "%z1", "%z2", "%z3"][:c]
        last = (
            "mov.b64 {%d0, %d1}, %z0; mov.b64 {%d2, %d3}, %z1"
            if c == 2
            else "mov.b64 {%d0, %d1}, %z1; mov.b64 {%d2, %d3}, %z2"
        )
        forms.append(Compared(f"{setup} {mma}.m{m}n8k{k}.row.col.f64.f64.f64.f64 {{{', '.join(d)}}}, {{{', '.join(registers[:a])}}}, "
                              f"{{{', '.join(registers[a:a + b])}}}, {{{', '.join(registers[a + b:])}}}; {last}", "v4", ("b32",) * 3))  # fmt: skip
    forms.append(Compared(f"{mma}.m8n8k4.row.col.f64.f64.f64.f64 {{%z0, %z1}}, {{%a}}, {{%b}}, {{%c, %a}}; "
                          "mov.b64 {%d0, %d1}, %z0; mov.b64 {%d2, %d3}, %z1", "v4", ("near64",) * 3))  # fmt: skip
    for number in (1, 2, 4):
        for trans in ("", ".trans"):
            registers = ", ".join(f"%d{n}" for n in range(number))
            fill = "st.shared.v2.b64 [%cell], {%a, %b};"
            forms.append(
                Compared(
                    f"{fill} bar.warp.sync 0xffffffff; ldmatrix.sync.aligned.m8n8.x{number}{trans}.shared.b16 {{{registers}}}, [%cell]",
                    "v4",
                    ("b64", "b64"),
                )
            )
            values = ", ".join(("%x0", "%x1", "%x2", "%x3")[:number])
            forms.append(Compared(f"mov.b64 {{%x0, %x1}}, %a; mov.b64 {{%x2, %x3}}, %b; {fill} bar.warp.sync 0xffffffff; stmatrix.sync.aligned.m8n8.x{number}{trans}.shared.b16 [%cell], {{{values}}}; "
                                  "bar.warp.sync 0xffffffff; ld.shared.v4.b32 {%d0, %d1, %d2, %d3}, [%cell]", "v4", ("b64", "b64")))  # fmt: skip
    forms.append(Compared("movmatrix.sync.aligned.m8n8.trans.b16 %d, %a", "b32", ("b32",)))
    return forms


def fragments() -> list[Compared]:
    """Registers of wmma, whose order PTX leaves open: equal all the same, since some kernels count on it."""
    forms = []
    for shape in ("m16n16k16", "m8n32k16", "m32n8k16"):
        for kind, a, b in (("f16", 8, 8), ("bf16", *{"m16n16k16": (4, 4), "m8n32k16": (2, 8), "m32n8k16": (8, 2)}[shape]),
                           ("s8", *{"m16n16k16": (2, 2), "m8n32k16": (1, 4), "m32n8k16": (4, 1)}[shape])):  # fmt: skip
            for role, count in (("a", a), ("b", b)):
                for layout in ("row", "col"):
                    forms += spread(f"wmma.load.{role}.sync.aligned.{layout}.{shape}.global.{kind}", count)
        for kind, count in (("f32", 8), ("f16", 4), ("s32", 8)):
            for layout in ("row", "col"):
                forms += spread(f"wmma.load.c.sync.aligned.{layout}.{shape}.global.{kind}", count)
    for role in ("a", "b"):
        for layout in ("row", "col"):
            forms += spread(f"wmma.load.{role}.sync.aligned.{layout}.m16n16k8.global.tf32", 4)
    return forms


def spread(load: str, count: int) -> list[Compared]:
    forms = []
    for first in range(0, count, 4):
        registers = ["%x15"] * count
        kept = list(range(first, min(first + 4, count)))
        registers = [f"%d{n - first}" if n in kept else f"%x{n}" for n in range(count)]
        if ".f32" in load:
            registers = [f"%f{n}" for n in range(count)]
        moves = "".join(f"; mov.b32 %d{n - first}, %f{n}" for n in kept) if ".f32" in load else ""
        forms.append(Compared(f"{load} {{{', '.join(registers)}}}, [%base], 64{moves}", "v4", ()))
    return forms


def wmma_products() -> list[Compared]:
    forms = []
    for shape in ("m16n16k16", "m8n32k16", "m32n8k16"):
        for kind, a, b in (
            ("f16", 8, 8),
            ("bf16", *{"m16n16k16": (4, 4), "m8n32k16": (2, 8), "m32n8k16": (8, 2)}[shape]),
        ):
            ra, rb = [f"%x{n}" for n in range(a)], [f"%x{n + 8}" for n in range(b)]
            d = [f"%g{n}" for n in range(8)]
            c = ["%f0"] * 8
            types = "f32.f32" if kind == "f16" else "f32.bf16.bf16.f32"
            forms.append(Compared(
                f"mov.f32 %f0, 0f3F800000; wmma.load.a.sync.aligned.row.{shape}.global.{kind} {{{', '.join(ra)}}}, [%tame_{kind}], 32; "
                f"wmma.load.b.sync.aligned.col.{shape}.global.{kind} {{{', '.join(rb)}}}, [%tame_{kind}], 32; "
                f"wmma.mma.sync.aligned.row.col.{shape}.{types} {{{', '.join(d)}}}, {{{', '.join(ra)}}}, {{{', '.join(rb)}}}, {{{', '.join(c)}}}; "
                "mov.b32 %d0, %g0; mov.b32 %d1, %g3; mov.b32 %d2, %g5; mov.b32 %d3, %g6", "v4", ()))  # fmt: skip
    return forms


ALL = {
    "plain": plain(),
    "comparisons": comparisons(),
    "integers": integers(),
    "floats": floats(),
    "approximations": approximations(),
    "together": together(),
    "atomics": atomics(),
    "matrices": matrices(),
    "fragments": fragments(),
    "wmma products": wmma_products(),
}
