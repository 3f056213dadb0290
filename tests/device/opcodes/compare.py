"""compare.py <interpret> [--ptxas <ptxas>]: every form of an instruction on 10,000 sets of operands, by the GPU and by the CPU executor.

Prints what differs. Exit status 0: nothing, 1: something, 77: there is no GPU. --ptxas: that
the CPU executor knows every form and ptxas assembles it, instead.
"""

import argparse
import ctypes
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import more_forms
import numpy as np
from forms import BITS, bits, operand_bits
from more_forms import Compared

BLOCKS = 313  # of 32 threads
THREADS = BLOCKS * 32
HEAD = 16384  # bytes of small factors before the pools of operands
FLOATS = {"f16": ("u2", 10, 5), "f32": ("u4", 23, 8), "bf16": ("u2", 7, 8), "f64": ("u8", 52, 11)}
BITS |= {"near": 32, "angle": 32, "near64": 64}


def operand(kind: str, rng: random.Random) -> int:
    if kind == "near":
        return struct.unpack("<I", struct.pack("<f", rng.choice((-1, 1)) * 2 ** rng.uniform(-20, 20)))[0]
    if kind == "angle":
        return struct.unpack("<I", struct.pack("<f", rng.uniform(-6.28, 6.28)))[0]
    if kind == "near64":
        return struct.unpack(
            "<Q", struct.pack("<d", rng.choice((-1, 1)) * rng.uniform(1, 2) * 2 ** rng.randrange(-6, 6))
        )[0]
    return operand_bits(kind, rng)


class Pools:
    """Operands by kind and position, 8 bytes each."""

    def __init__(self) -> None:
        rng = random.Random(20)
        f16 = [rng.choice((0, 0x8000)) | 0x3C00 | rng.randrange(4) << 8 for _ in range(HEAD // 4)]
        bf16 = [rng.choice((0, 0x8000)) | 0x3F80 | rng.randrange(4) << 5 for _ in range(HEAD // 4)]
        self.data = bytearray(np.array(f16 + bf16, "<u2").tobytes())
        self.offsets: dict[tuple[str, int], int] = {}
        self.rng = rng

    def offset(self, kind: str, position: int) -> int:
        if (kind, position) not in self.offsets:
            self.offsets[kind, position] = len(self.data)
            self.data += np.array([operand(kind, self.rng) for _ in range(THREADS)], "<u8").tobytes()
        return self.offsets[kind, position]


def width(kind: str) -> int:
    return 32 if kind == "shift" else bits(kind)


def kernel(name: str, form: Compared, pools: Pools) -> str:
    loads = registers = ""
    for position, kind in enumerate(form.operands):
        register = f"%{'abc'[position]}"
        registers += f".reg .b{width(kind)} {register}; "
        loads += f"add.s64 %at, %offset, {pools.offset(kind, position)}; add.s64 %at, %at, %in; ld.global.b{width(kind)} {register}, [%at]; "
    if form.result != "v4":
        registers += f".reg .b{width(form.result)} %d; "
        store = f"st.global.b{width(form.result)} [%out], %d;"
    else:
        store = "st.global.v4.b32 [%out], {%d0, %d1, %d2, %d3};"
    return f"""
.visible .entry {name}(.param .u64 {name}_in, .param .u64 {name}_out)
{{
 .reg .b64 %in, %out, %offset, %at, %base, %tame_f16, %tame_bf16; .reg .b32 %t, %u, %cell, %d0, %d1, %d2, %d3; .reg .pred %p, %q;
 .reg .b32 %x<24>; .reg .b32 %k<8>; .reg .f32 %f<8>; .reg .f32 %g<8>; .reg .f64 %w<16>; .reg .f64 %z<4>; .reg .b16 %h0; {registers}
 .shared .align 16 .b8 cells_{name}[512];
 ld.param.u64 %in, [{name}_in]; ld.param.u64 %out, [{name}_out];
 mov.u32 %t, %tid.x; mov.u32 %u, %ctaid.x; mov.u32 %cell, cells_{name}; mad.lo.u32 %cell, %t, 16, %cell;
 mad.lo.u32 %t, %u, 32, %t; mul.wide.u32 %offset, %t, 16; add.s64 %out, %out, %offset; mul.wide.u32 %offset, %t, 8;
 add.s64 %base, %in, {HEAD}; mov.u64 %tame_f16, %in; add.s64 %tame_bf16, %in, {HEAD // 2};
 mov.u32 %d0, 0; mov.u32 %d1, 0; mov.u32 %d2, 0; mov.u32 %d3, 0; mov.u32 %x0, 0x12345678;
 {loads}
 {form.text};
 {store}
 ret;
}}
"""


class Gpu:
    def __init__(self) -> None:
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.check(self.cuda.cuInit(0))
        context = ctypes.c_void_p()
        self.check(self.cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0))
        self.check(self.cuda.cuCtxSetCurrent(context))

    @staticmethod
    def check(status: int) -> None:
        if status != 0:
            raise RuntimeError(f"CUDA error {status}")

    def run(self, text: str, names: list[str], data: bytes) -> dict[str, bytes]:
        module, source, target = ctypes.c_void_p(), ctypes.c_uint64(), ctypes.c_uint64()
        self.check(self.cuda.cuModuleLoadData(ctypes.byref(module), text.encode()))
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(source), ctypes.c_size_t(len(data))))
        self.check(self.cuda.cuMemAlloc_v2(ctypes.byref(target), ctypes.c_size_t(THREADS * 16)))
        self.check(self.cuda.cuMemcpyHtoD_v2(source, bytes(data), ctypes.c_size_t(len(data))))
        results = {}
        for name in names:
            function = ctypes.c_void_p()
            self.check(self.cuda.cuModuleGetFunction(ctypes.byref(function), module, name.encode()))
            self.check(self.cuda.cuMemsetD8_v2(target, 0, ctypes.c_size_t(THREADS * 16)))
            arguments = (ctypes.c_void_p * 2)(*(ctypes.addressof(x) for x in (source, target)))
            self.check(self.cuda.cuLaunchKernel(function, BLOCKS, 1, 1, 32, 1, 1, 0, None, arguments, None))
            out = ctypes.create_string_buffer(THREADS * 16)
            self.check(self.cuda.cuMemcpyDtoH_v2(out, target, ctypes.c_size_t(THREADS * 16)))
            results[name] = out.raw
        for place in (source, target):
            self.check(self.cuda.cuMemFree_v2(place))
        self.check(self.cuda.cuModuleUnload(module))
        return results


def run_on_cpu(interpret: Path, text: str, names: list[str], data: bytes) -> tuple[dict[str, bytes], str]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "text").write_text(text, encoding="utf-8")
        (place / "in").write_bytes(data)
        run = subprocess.run([interpret, place / "text", place / "in", place / "out", str(BLOCKS)],
                             capture_output=True, text=True, check=False)  # fmt: skip
        out = (place / "out").read_bytes()
    size = THREADS * 16
    return {name: out[n * size : (n + 1) * size] for n, name in enumerate(names)}, run.stderr


def as_float(words: np.ndarray, kind: str) -> np.ndarray:
    if kind == "bf16":
        return (words.astype("<u4") << 16).view("<f4").astype(np.float64)
    return words.view({"f16": "<f2", "f32": "<f4", "f64": "<f8"}[kind]).astype(np.float64)


def differing(form: Compared, gpu: bytes, cpu: bytes) -> np.ndarray:
    """By thread."""
    rows = [np.frombuffer(x, np.uint8).reshape(THREADS, 16) for x in (gpu, cpu)]
    size = 16 if form.result == "v4" else width(form.result) // 8
    a, b = (np.ascontiguousarray(x[:, :size]) for x in rows)
    wrong = (a != b).any(axis=1)
    if form.result in FLOATS and (form.result == "f64" or form.relative or form.absolute):
        x, y = (as_float(v.view("<" + FLOATS[form.result][0])[:, 0], form.result) for v in (a, b))
        with np.errstate(all="ignore"):
            near = np.abs(x - y) <= form.relative * np.abs(y) + form.absolute
        wrong &= ~(np.isnan(x) & np.isnan(y))
        wrong &= ~(near & np.isfinite(x) & np.isfinite(y) & bool(form.relative or form.absolute))
    return wrong


def show(form: Compared, thread: int, pools: Pools, gpu: bytes, cpu: bytes) -> str:
    operands = []
    for position, kind in enumerate(form.operands):
        at = pools.offset(kind, position) + 8 * thread
        operands.append(hex(int.from_bytes(pools.data[at : at + 8], "little") & ((1 << width(kind)) - 1)))
    size = 16 if form.result == "v4" else width(form.result) // 8
    a, b = (x[16 * thread :][:size][::-1].hex() for x in (gpu, cpu))
    return f"    thread {thread}: {' '.join(operands)} -> GPU {a} CPU {b}"


def assemble(ptxas: Path, group: str, text: str) -> bool:
    """Whether it is refused."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        run = subprocess.run([ptxas, "-arch=sm_90", "-O0", "-o", "/dev/null", file.name],
                             capture_output=True, text=True, check=False)  # fmt: skip
    print(f"{group}: {'refused' if run.returncode else 'assembled'}\n{run.stderr[:3000]}", end="", flush=True)
    return run.returncode != 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("interpret", type=Path)
    parser.add_argument("--ptxas", type=Path)
    options = parser.parse_args()
    gpu = None
    if not options.ptxas:
        try:
            gpu = Gpu()
        except (OSError, RuntimeError) as error:
            print(f"no GPU: {error}")
            return 77
    pools, failed, compared = Pools(), 0, 0
    for group, forms in more_forms.ALL.items():
        names = [f"k{n}" for n in range(len(forms))]
        text = ".version 8.5\n.target sm_90\n.address_size 64\n"
        text += "".join(kernel(name, form, pools) for name, form in zip(names, forms, strict=True))
        cpu, complaints = run_on_cpu(options.interpret, text, names, pools.data)
        if complaints:
            print(f"{group}: the CPU executor: {complaints}", flush=True)
            failed += len(forms)
        if gpu is None:
            failed += assemble(options.ptxas, group, text)
            continue
        try:
            results = gpu.run(text, names, pools.data)
        except RuntimeError as error:
            print(f"{group}: {error}", flush=True)
            failed += len(forms)
            continue
        for name, form in zip(names, forms, strict=True):
            wrong = differing(form, results[name], cpu[name])
            compared += 1
            if not wrong.any():
                continue
            failed += 1
            print(f"{group}: {form.text}: {wrong.sum()} of {THREADS} differ")
            for thread in np.flatnonzero(wrong)[:4]:
                print(show(form, int(thread), pools, results[name], cpu[name]))
        print(f"{group}: {len(forms)} forms compared", flush=True)
    if gpu is not None:
        print(f"{compared} forms on {THREADS} operand sets each, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
