"""Whether the sizes of a task are what docs/task-authoring.md asks for, beyond what the schema refuses."""

from __future__ import annotations

from generator.definition import Shape, Task
from generator.devices import DEVICES, attainable_seconds
from generator.schema import CASE_BYTES

TINY_BYTES = 100_000
TINY_OPERATIONS = 2e7  # an interpreter does some 1e7 a second
HUGE_BYTES = 2**30
HUGE_SECONDS = 5e-3  # at the peaks of an H200; a good kernel reaches a tenth or so where work is irregular
EDGE_BYTES = 1_000_000


def check_sizes(task: Task) -> tuple[dict[str, dict[str, float]], list[str]]:
    """For the result file, and what is wrong. Schema: sizes grow strictly, a case fits in 8 GB."""
    tiny, huge = task.scales[0], task.scales[-1]
    wrong = []
    if task.bytes_in_and_out(tiny) >= TINY_BYTES:
        wrong.append(f"tiny has {task.bytes_in_and_out(tiny)} bytes; less than {TINY_BYTES} can be interpreted quickly")
    if _operations(tiny) > TINY_OPERATIONS:
        wrong.append(f"tiny has {_operations(tiny):.3g} operations; at most {TINY_OPERATIONS:.0e} can be interpreted")
    moved = huge.model.read_bytes + huge.model.write_bytes
    seconds = attainable_seconds(huge.model, DEVICES[0])
    if moved < HUGE_BYTES and seconds < HUGE_SECONDS:
        wrong.append(
            f"huge moves {moved:.3g} bytes and takes an H200 {seconds * 1e3:.2g} ms at least; "
            f"it must move {HUGE_BYTES} bytes or take {HUGE_SECONDS * 1e3:g} ms"
        )
    wrong += [
        f"{edge.name} has {task.bytes_in_and_out(edge)} bytes; edges have less than {EDGE_BYTES}"
        for edge in task.edges
        if task.bytes_in_and_out(edge) >= EDGE_BYTES
    ]
    if not any(1 in edge.dims for edge in task.edges):
        wrong.append("no edge has a size of 1")
    sizes = {
        shape.name: {
            "bytes": task.bytes_in_and_out(shape),
            "share_of_memory": round(task.bytes_of_case(shape) / CASE_BYTES, 3),
        }
        for shape in task.scales
    }
    return sizes, wrong


def _operations(shape: Shape) -> float:
    model = shape.model
    return model.fp32 + model.fp64 + model.tensor + model.sfu + model.int32
