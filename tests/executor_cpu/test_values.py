"""Every form of an arithmetic instruction on awkward and random operands, against Python's integers and fractions."""

import random
import subprocess
from pathlib import Path

import exact
import pytest
from exact import F64
from forms import FORMS, Form, bits, operand_bits, register

LANES = 32
ROUNDS = 3  # blocks of 32 operand sets


def kernel(index: int, form: Form) -> str:
    """Reads operand k of its thread at 24 x thread + 8 x k of its part of the input."""
    registers = "".join(f".reg .{register(kind)} %{name};" for name, kind in zip("abc", form.operands, strict=False))
    loads = "".join(
        f"ld.global.{register(kind)} %{name}, [%in+{index * ROUNDS * LANES * 24 + 8 * k}+0];".replace("+0]", "]")
        for k, (name, kind) in enumerate(zip("abc", form.operands, strict=False))
    )
    return f"""
.visible .entry k{index}(.param .u64 k{index}_in, .param .u64 k{index}_out)
{{
 .reg .b64 %in, %out, %offset; .reg .b32 %t; .reg .{register(form.result)} %d; {registers}
 ld.param.u64 %in, [k{index}_in]; ld.param.u64 %out, [k{index}_out];
 mov.u32 %t, %tid.x; mul.wide.u32 %offset, %t, 24; add.s64 %in, %in, %offset;
 mul.wide.u32 %offset, %t, 16; add.s64 %out, %out, %offset;
 {loads}
 {form.text};
 st.global.{register(form.result)} [%out], %d;
 ret;
}}
"""


@pytest.fixture(scope="module")
def results(interpret: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[tuple[int, ...], int]]]:
    """By text: operands and result of each lane. Every round of operands is a kernel of its own."""
    rng = random.Random(1)
    folder = tmp_path_factory.mktemp("values")
    operands = [[[operand_bits(kind, rng) for kind in form.operands] for _ in range(LANES * ROUNDS)] for form in FORMS]
    data = bytearray()
    for sets in operands:
        for one in sets:
            data += b"".join(x.to_bytes(8, "little") for x in [*one, 0, 0, 0][:3])
    text = [".version 9.0\n.target sm_90\n.address_size 64\n"]
    for i, form in enumerate(FORMS):
        base = kernel(i, form)
        for r in range(ROUNDS):
            shifted = base.replace(f"k{i}", f"k{i}_{r}").replace(
                "mul.wide.u32 %offset, %t, 24;",
                f"add.u32 %t, %t, {r * LANES}; mul.wide.u32 %offset, %t, 24; sub.u32 %t, %t, {r * LANES};",
            )
            text.append(shifted)
    (folder / "forms.ptx").write_text("".join(text), encoding="utf-8")
    (folder / "input").write_bytes(data)
    run = subprocess.run([interpret, folder / "forms.ptx", folder / "input", folder / "output"],
                         capture_output=True, text=True, check=False)  # fmt: skip
    assert run.returncode == 0, run.stderr[:2000]
    output = (folder / "output").read_bytes()
    found: dict[str, list[tuple[tuple[int, ...], int]]] = {}
    for i, form in enumerate(FORMS):
        size = bits(form.result) // 8
        found[form.text] = [
            (tuple(one), int.from_bytes(output[(i * ROUNDS * LANES + n) * 16 :][:size], "little"))
            for n, one in enumerate(operands[i])
        ]
    return found


def position(x: int, kind: str) -> int:
    """Of floating-point bits in the order of their numbers."""
    sign = 1 << (bits(kind) - 1)
    return -(x & ~sign) if x & sign else x


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.text.split()[0])
def test_form(results: dict[str, list[tuple[tuple[int, ...], int]]], form: Form) -> None:
    for operands, got in results[form.text]:
        expected = form.expected(*operands)
        if form.result == "f64" and exact.is_nan(expected, F64) and exact.is_nan(got, F64):
            continue  # payloads of f64 are left open
        source = form.operands[0]
        if source == "f64" and exact.is_nan(operands[0], F64) and form.result in ("f32", "f16"):
            assert exact.is_nan(got, exact.F32 if form.result == "f32" else exact.F16)
            continue  # what becomes of them too
        if form.ulps and abs(position(got, form.result) - position(expected, form.result)) <= form.ulps:
            continue
        assert f"{got:x}" == f"{expected:x}", f"{form.text} of {[hex(x) for x in operands]}"
