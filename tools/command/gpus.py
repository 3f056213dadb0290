"""The GPUs of this machine, asked of the driver itself, and how CTest spreads cases over them."""

import ctypes
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PAGEABLE_MEMORY_ACCESS = 88  # CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS


@dataclass(frozen=True)
class Gpu:
    name: str
    uuid: str  # as nvidia-smi writes it: GPU-8-4-4-4-12
    memory_bytes: int
    reaches_host_memory: bool = False  # all that a process has, not only what it shared with the GPU

    @property
    def resource_id(self) -> str:
        """The UUID as CTest allows it as an id: test programs find the GPU by it, whatever is visible."""
        return self.uuid.lower().replace("-", "_")


@dataclass(frozen=True)
class Driver:
    version: str  # of CUDA, e.g. 13.0
    gpus: tuple[Gpu, ...]  # those that CUDA_VISIBLE_DEVICES leaves visible


def ask_driver() -> Driver:
    """Raises OSError, saying why there is no usable GPU. Makes no context."""
    driver = ctypes.CDLL("libcuda.so.1")
    if status := driver.cuInit(0):
        raise OSError(f"cuInit ends with error {status}, no usable GPU")
    version, count = ctypes.c_int(), ctypes.c_int()
    driver.cuDriverGetVersion(ctypes.byref(version))
    if driver.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
        raise OSError("the driver knows no GPU")
    gpus = tuple(_gpu(driver, index) for index in range(count.value))
    return Driver(f"{version.value // 1000}.{version.value % 1000 // 10}", gpus)


def visible_gpus() -> tuple[Gpu, ...]:
    """None without a driver."""
    try:
        return ask_driver().gpus
    except OSError:
        return ()


def _gpu(driver: ctypes.CDLL, index: int) -> Gpu:
    device, memory, pageable = ctypes.c_int(), ctypes.c_size_t(), ctypes.c_int()
    name, uuid = ctypes.create_string_buffer(256), ctypes.create_string_buffer(16)
    if (
        driver.cuDeviceGet(ctypes.byref(device), index)
        or driver.cuDeviceGetName(name, len(name), device)
        or driver.cuDeviceGetUuid(uuid, device)
        or driver.cuDeviceTotalMem_v2(ctypes.byref(memory), device)
        or driver.cuDeviceGetAttribute(ctypes.byref(pageable), _PAGEABLE_MEMORY_ACCESS, device)
    ):
        raise OSError(f"the driver tells nothing of GPU {index}")
    digits = uuid.raw.hex()
    parts = (digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])
    return Gpu(name.value.decode(), f"GPU-{'-'.join(parts)}", memory.value, pageable.value != 0)


def resource_spec(gpus: Sequence[Gpu], slots: int) -> dict[str, Any]:
    """CTest's resource specification: `slots` cases at a time on each GPU."""
    entries = [{"id": gpu.resource_id, "slots": slots} for gpu in gpus]
    return {"version": {"major": 1, "minor": 0}, "local": [{"gpus": entries}]}


def write_resource_spec(path: Path, gpus: Sequence[Gpu], slots: int) -> None:
    path.write_text(json.dumps(resource_spec(gpus, slots), indent=1) + "\n", encoding="utf-8")
