"""GPUs that tasks are described for: nominal peaks, by the formulas of harness/roofline/peaks.h."""

from __future__ import annotations

from dataclasses import dataclass

from .definition import Work


@dataclass(frozen=True)
class Device:
    """Operations and bytes a second at maximum clocks; a multiply-add is two operations."""

    name: str
    fp32: float
    fp64: float
    tensor: float  # TF32, dense
    sfu: float
    int32: float
    bandwidth: float


def _device(name: str, multiprocessors: int, clock: float, rates: tuple[float, ...], bandwidth: float) -> Device:
    return Device(name, *(multiprocessors * clock * rate for rate in rates), bandwidth)


# Multiprocessors, maximum clock, operations a cycle of a multiprocessor (fp32, fp64, tensor, sfu, int32), and bytes a
# second: 2 x memory clock x bus width / 8.
DEVICES = (
    _device("H200", 132, 1.98e9, (256, 128, 2048, 16, 64), 2 * 3.201e9 * 6144 / 8),
    _device("A40", 84, 1.74e9, (256, 4, 512, 16, 64), 2 * 7.251e9 * 384 / 8),
    _device("RTX 4090", 128, 2.52e9, (256, 4, 512, 16, 64), 2 * 10.501e9 * 384 / 8),
)

PIPES = ("fp32", "fp64", "tensor", "sfu", "int32")


def limits(work: Work, device: Device) -> dict[str, float]:
    """Seconds that each resource alone needs."""
    seconds = {pipe: getattr(work, pipe) / getattr(device, pipe) for pipe in PIPES}
    return {**seconds, "bandwidth": (work.read_bytes + work.write_bytes) / device.bandwidth}


def attainable_seconds(work: Work, device: Device) -> float:
    return max(limits(work, device).values())


def limit(work: Work, device: Device) -> str:
    """The resource that bounds the work."""
    seconds = limits(work, device)
    return max(seconds, key=seconds.__getitem__)
