"""mma, wmma, ldmatrix and the like against sums of products, with the fragments as the PTX ISA lays them out."""

import random
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import exact
import pytest
from exact import Fraction

LANES = 32
HEAD = ".version 8.5\n.target sm_90\n.address_size 64\n"


def run(interpret: Path, folder: Path, text: str, data: bytes, blocks: int = 1) -> bytes:
    (folder / "text.ptx").write_text(HEAD + text, encoding="utf-8")
    (folder / "input").write_bytes(data)
    command = [interpret, folder / "text.ptx", folder / "input", folder / "output", str(blocks)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (folder / "output").read_bytes()


E4M3, E5M2, TF32 = exact.Format(8, 3, 0x7F), exact.Format(8, 2, 0x7F), exact.F32
FORMATS = {"f16": exact.F16, "bf16": exact.BF16, "tf32": TF32, "e4m3": E4M3, "e5m2": E5M2, "f64": exact.F64}
BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}


def random_bits(kind: str, rng: random.Random) -> int:
    """Of whole numbers, where sums are exact in every order; of integers anything."""
    if kind not in FORMATS:
        return rng.randrange(1 << BITS[kind])
    bits = exact.encode(Fraction(rng.randrange(-8, 9)), FORMATS[kind])
    return bits | rng.randrange(1 << 13) if kind == "tf32" else bits  # bits that are to be ignored


def number(bits: int, kind: str) -> int:
    if kind in FORMATS:
        return int(exact.value(bits & ~0x1FFF if kind == "tf32" else bits, FORMATS[kind]))
    return bits - (1 << BITS[kind]) if kind[0] == "s" and bits >> (BITS[kind] - 1) else bits


Place = Callable[[int, int, int], tuple[int, int]]  # group, thread of the group, element -> row, column


@dataclass(frozen=True)
class Product:
    """One mma: where the elements of its fragments are, by the tables of the PTX ISA."""

    shape: tuple[int, int, int]
    kinds: tuple[str, str]
    sums: str
    a: Place
    b: Place
    words: str = ""

    @property
    def name(self) -> str:
        m, n, k = self.shape
        types = f"{self.sums}.{self.kinds[0]}.{self.kinds[1]}.{self.sums}"
        saturate, operation = (self.words, "") if "sat" in self.words else ("", self.words)
        return f"mma.sync.aligned.m{m}n{n}k{k}.row.col{saturate}.{types}{operation}"


def c_place(g: int, t: int, i: int) -> tuple[int, int]:
    return g + 8 * (i >= 2), t * 2 + i % 2


def products() -> list[Product]:
    found = []
    for kind in ("f16", "bf16"):
        half = [
            Product((16, 8, 16), (kind, kind), "f32",
                    lambda g, t, i: (g if i < 2 or 4 <= i < 6 else g + 8, t * 2 + i % 2 + (0 if i < 4 else 8)),
                    lambda g, t, i: (t * 2 + i % 2 + (0 if i < 2 else 8), g)),
            Product((16, 8, 8), (kind, kind), "f32",
                    lambda g, t, i: (g if i < 2 else g + 8, t * 2 + i % 2), lambda g, t, i: (t * 2 + i, g)),
        ]  # fmt: skip
        found += half
        if kind == "f16":
            found += [Product(p.shape, p.kinds, "f16", p.a, p.b) for p in half]
    found += [
        Product((16, 8, 4), ("tf32", "tf32"), "f32", lambda g, t, i: (g if i == 0 else g + 8, t), lambda g, t, i: (t, g)),
        Product((16, 8, 8), ("tf32", "tf32"), "f32",
                lambda g, t, i: (g if i in (0, 2) else g + 8, t if i < 2 else t + 4), lambda g, t, i: (t + 4 * i, g)),
        Product((8, 8, 4), ("f64", "f64"), "f64", lambda g, t, i: (g, t), lambda g, t, i: (t, g)),
    ]  # fmt: skip

    def bytes_32(kinds: tuple[str, str], sums: str, words: str = "") -> Product:
        return Product((16, 8, 32), kinds, sums,
                       lambda g, t, i: (g if i < 4 or 8 <= i < 12 else g + 8, t * 4 + i % 4 + (0 if i < 8 else 16)),
                       lambda g, t, i: (t * 4 + i % 4 + (0 if i < 4 else 16), g), words)  # fmt: skip

    for kinds in (("s8", "s8"), ("u8", "s8"), ("s8", "u8"), ("u8", "u8")):
        found += [
            Product((8, 8, 16), kinds, "s32", lambda g, t, i: (g, t * 4 + i), lambda g, t, i: (t * 4 + i, g)),
            Product((16, 8, 16), kinds, "s32",
                    lambda g, t, i: (g if i < 4 else g + 8, t * 4 + i % 4), lambda g, t, i: (t * 4 + i, g)),
            bytes_32(kinds, "s32"),
            bytes_32(kinds, "s32", ".satfinite"),
        ]  # fmt: skip
    found += [bytes_32(kinds, "f32") for kinds in (("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e5m2", "e5m2"))]
    for kinds in (("s4", "s4"), ("u4", "s4")):
        found += [
            Product((8, 8, 32), kinds, "s32", lambda g, t, i: (g, t * 8 + i), lambda g, t, i: (t * 8 + i, g)),
            Product((16, 8, 64), kinds, "s32",
                    lambda g, t, i: (g if i < 8 or 16 <= i < 24 else g + 8, t * 8 + i % 8 + (0 if i < 16 else 32)),
                    lambda g, t, i: (t * 8 + i % 8 + (0 if i < 8 else 32), g)),
        ]  # fmt: skip
    for words in (".and.popc", ".xor.popc"):
        found.append(Product((16, 8, 256), ("b1", "b1"), "s32",
                             lambda g, t, i: (g if i < 32 or 64 <= i < 96 else g + 8, t * 32 + i % 32 + (0 if i < 64 else 128)),
                             lambda g, t, i: (t * 32 + i % 32 + (0 if i < 32 else 128), g), words))  # fmt: skip
    return found


SUM_BITS = {"f32": 32, "f16": 16, "f64": 64, "s32": 32}
SUM_FORMATS = {"f32": exact.F32, "f16": exact.F16, "f64": exact.F64}


def packed(matrix: Sequence[Sequence[int]], place: Place, elements: int, bits: int) -> list[list[int]]:
    """Registers of each lane."""
    size = max(32, bits)
    lanes = []
    for lane in range(LANES):
        whole = 0
        for i in range(elements):
            row, column = place(lane // 4, lane % 4, i)
            whole |= matrix[row][column] << (i * bits)
        lanes.append([whole >> n & ((1 << size) - 1) for n in range(0, elements * bits, size)])
    return lanes


@pytest.mark.parametrize("product", products(), ids=lambda product: product.name)
def test_mma(interpret: Path, tmp_path: Path, product: Product) -> None:
    rng = random.Random(product.name)
    m, n, k = product.shape
    kind_a, kind_b = product.kinds
    a = [[random_bits(kind_a, rng) for _ in range(k)] for _ in range(m)]
    b = [[random_bits(kind_b, rng) for _ in range(n)] for _ in range(k)]
    limit = (1 << 31) - 1 if product.sums == "s32" else 100
    c = [[rng.choice((rng.randrange(-limit, limit), limit, -limit)) for _ in range(n)] for _ in range(m)]
    sums = product.sums

    def sum_bits(x: int) -> int:
        return x % (1 << 32) if sums == "s32" else exact.encode(Fraction(x), SUM_FORMATS[sums])

    width, wide = SUM_BITS[sums], product.kinds[0] == "f64"
    per_lane = m * n // LANES
    registers = [packed(a, product.a, m * k // LANES, BITS[kind_a]), packed(b, product.b, k * n // LANES, BITS[kind_b]),
                 packed([[sum_bits(x) for x in row] for row in c], c_place, per_lane, width)]  # fmt: skip
    size = 8 if wide else 4
    data, text, names, offset = b"", "", [], 0
    for lanes in registers:
        names.append([f"%r{offset // size + i}" for i in range(len(lanes[0]))])
        offset += size * len(lanes[0])
    for lane in range(LANES):
        data += b"".join(x.to_bytes(size, "little") for lanes in registers for x in lanes[lane])
    word = f"b{8 * size}"
    for i in range(offset // size):
        text += f" ld.global.{word} %r{i}, [%in+{i * size}];\n"
    results = [f"%d{i}" for i in range(len(names[2]))]
    for i, result in enumerate(results):
        text += (
            ""
            if i
            else f" {product.name} {{{', '.join(results)}}}, {', '.join('{' + ', '.join(x) + '}' for x in names)};\n"
        )
        text = text + f" st.global.{word} [%out+{i * size}], {result};\n"
    output = run(interpret, tmp_path, f"""
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{{
 .reg .b64 %in, %out, %offset; .reg .b32 %t; .reg .{word} %r<16>; .reg .{word} %d<4>;
 ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; mov.u32 %t, %tid.x;
 mul.wide.u32 %offset, %t, {offset}; add.s64 %in, %in, %offset; mul.wide.u32 %offset, %t, 16; add.s64 %out, %out, %offset;
{text} ret;
}}
""", data)  # fmt: skip
    for lane in range(LANES):
        whole = int.from_bytes(output[16 * lane : 16 * lane + 16], "little")
        for i in range(per_lane):
            row, column = c_place(lane // 4, lane % 4, i)
            terms = [(number(a[row][j], kind_a), number(b[j][column], kind_b)) for j in range(k)]
            total = c[row][column] + sum(x ^ y if "xor" in product.words else x * y for x, y in terms)
            if "sat" in product.words:
                total = max(-(1 << 31), min((1 << 31) - 1, total))
            assert whole >> (i * width) & ((1 << width) - 1) == sum_bits(total), (row, column)


@pytest.mark.parametrize("number_of", [1, 2, 4])
@pytest.mark.parametrize("transposed", [False, True])
def test_rows_to_registers_and_back(interpret: Path, tmp_path: Path, number_of: int, transposed: bool) -> None:
    """ldmatrix of matrices whose rows lie in no order, then stmatrix to another place."""
    rng = random.Random(number_of)
    data = bytes(rng.randrange(256) for _ in range(512))
    rows = [rng.sample(range(32), 32)[:8] for _ in range(number_of)]
    trans = ".trans" if transposed else ""
    registers = ", ".join(f"%r{i}" for i in range(number_of))
    table = [rows[lane // 8][lane % 8] if lane < 8 * number_of else 0 for lane in range(LANES)]
    body = f"ldmatrix.sync.aligned.m8n8.x{number_of}{trans}.shared.b16 {{{registers}}}, [%source];"
    loaded = run(interpret, tmp_path, rows_kernel(f"{body} " + " ".join(f"st.global.b32 [%out+{4 * i}], %r{i};" for i in range(number_of))),
                 data + struct.pack("<32I", *table))  # fmt: skip

    def element(matrix: int, row: int, column: int) -> int:
        return int.from_bytes(data[16 * rows[matrix][row] + 2 * column :][:2], "little")

    for lane in range(LANES):
        for i in range(number_of):
            pairs = [(lane // 4, lane % 4 * 2), (lane // 4, lane % 4 * 2 + 1)]
            low, high = [element(i, y, x) if transposed else element(i, x, y) for x, y in pairs]
            assert struct.unpack_from("<I", loaded, 16 * lane + 4 * i)[0] == high << 16 | low
    # Back, each matrix in order: the rows as they were.
    stored = run(interpret, tmp_path, rows_kernel(
        f"{body} bar.warp.sync 0xffffffff; stmatrix.sync.aligned.m8n8.x{number_of}{trans}.shared.b16 [%own], {{{registers}}}; bar.warp.sync 0xffffffff; "
        "ld.shared.v4.b32 {%r0, %r1, %r2, %r3}, [%own]; st.global.v4.b32 [%out], {%r0, %r1, %r2, %r3};"), data + struct.pack("<32I", *table))  # fmt: skip
    for lane in range(8 * number_of):
        assert stored[16 * lane : 16 * lane + 16] == data[16 * table[lane] : 16 * table[lane] + 16]


def rows_kernel(body: str) -> str:
    return f"""
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{{
 .reg .b64 %in, %out, %offset, %at; .reg .b32 %t, %own, %source; .reg .b32 %r<4>;
 .shared .align 16 .b8 rows[512];
 ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; mov.u32 %t, %tid.x;
 mul.wide.u32 %offset, %t, 16; add.s64 %at, %in, %offset; add.s64 %out, %out, %offset;
 ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%at]; mov.u32 %own, rows; mov.u32 %source, rows; mad.lo.u32 %own, %t, 16, %own;
 st.shared.v4.b32 [%own], {{%r0, %r1, %r2, %r3}}; bar.sync 0;
 mul.wide.u32 %offset, %t, 4; add.s64 %at, %in, %offset; ld.global.b32 %r0, [%at+512]; mad.lo.u32 %source, %r0, 16, %source;
 {body}
 ret;
}}
"""


@pytest.mark.parametrize("shape", [(16, 16, 16), (8, 32, 16), (32, 8, 16), (16, 16, 8)])
@pytest.mark.parametrize("layouts", [("row", "col", "row"), ("col", "row", "col")])
@pytest.mark.parametrize("kind", ["f16", "bf16", "s8", "tf32"])
def test_wmma(
    interpret: Path, tmp_path: Path, shape: tuple[int, int, int], layouts: tuple[str, str, str], kind: str
) -> None:
    """Load, multiply, store, with rows (or columns) further apart than they are long."""
    m, n, k = shape
    if (kind == "tf32") != (k == 8):
        pytest.skip("no such shape")
    rng = random.Random(repr((shape, layouts, kind)))
    bits, sums = BITS[kind], "s32" if kind == "s8" else "f32"
    stride = 48
    a = [[random_bits(kind, rng) for _ in range(k)] for _ in range(m)]
    b = [[random_bits(kind, rng) for _ in range(n)] for _ in range(k)]

    def stored(matrix: list[list[int]], layout: str) -> bytes:
        lines = matrix if layout == "row" else [list(line) for line in zip(*matrix, strict=True)]
        return b"".join(
            b"".join(x.to_bytes(bits // 8, "little") for x in line + [0] * (stride - len(line))) for line in lines
        )

    count_a, count_b = (8, 8) if kind == "f16" else (m * k * bits // 1024, k * n * bits // 1024)
    ra, rb = [f"%a{i}" for i in range(count_a)], [f"%b{i}" for i in range(count_b)]
    word = "f32" if sums == "f32" else "b32"
    d = [f"%d{i}" for i in range(8)]
    name = f"m{m}n{n}k{k}"
    types = "f32.f32" if kind == "f16" else f"{sums}.{kind}.{kind}.{sums}"
    first = stored(a, layouts[0])
    zero = "0f00000000" if sums == "f32" else "0"
    output = run(interpret, tmp_path, f"""
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{{
 .reg .b64 %in, %out, %second; .reg .b32 %a<8>; .reg .b32 %b<8>; .reg .{word} %d<8>; .reg .{word} %zero;
 ld.param.u64 %in, [k_in]; ld.param.u64 %out, [k_out]; add.s64 %second, %in, {len(first)}; mov.{word} %zero, {zero};
 wmma.load.a.sync.aligned.{layouts[0]}.{name}.global.{kind} {{{", ".join(ra)}}}, [%in], {stride};
 wmma.load.b.sync.aligned.{layouts[1]}.{name}.global.{kind} {{{", ".join(rb)}}}, [%second], {stride};
 wmma.mma.sync.aligned.{layouts[0]}.{layouts[1]}.{name}.{types} {{{", ".join(d)}}}, {{{", ".join(ra)}}}, {{{", ".join(rb)}}}, {{{", ".join(["%zero"] * 8)}}};
 wmma.store.d.sync.aligned.{layouts[2]}.{name}.global.{sums} [%out], {{{", ".join(d)}}};
 ret;
}}
""", first + stored(b, layouts[1]), blocks=2)  # fmt: skip
    for i in range(m):
        for j in range(n):
            at = 4 * (i * n + j if layouts[2] == "row" else j * m + i)
            expected = sum(number(a[i][x], kind) * number(b[x][j], kind) for x in range(k))
            (got,) = struct.unpack_from("<f" if sums == "f32" else "<i", output, at)
            assert got == expected, (i, j)


def test_unknown_shapes_are_refused(interpret: Path, tmp_path: Path) -> None:
    text = """
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{
 .reg .b32 %r<8>;
 mma.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%r0, %r1, %r2, %r3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%r0, %r1, %r2, %r3};
 ret;
}
"""
    (tmp_path / "text.ptx").write_text(HEAD + text, encoding="utf-8")
    (tmp_path / "input").write_bytes(b"\0")
    done = subprocess.run([interpret, tmp_path / "text.ptx", tmp_path / "input", tmp_path / "output"],
                          capture_output=True, text=True, check=False)  # fmt: skip
    assert done.returncode == 1
    assert "unsupported_instruction: mma.sync.aligned.m16n8k32" in done.stderr
