"""Whether what a reference executed differs from its task's model, and the reason given for that."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from generator.expression import ExpressionError, Number, evaluate

QUANTITIES = ("bytes", "operations")
TOLERANCE = 0.05
KEPT_IN_L2 = 30e6  # the most bytes written last that an H200's L2 is taken to keep: 29.2 MB were seen


@dataclass(frozen=True)
class Amount:
    """Bytes or operations of a task at a scale. `kept` is what may stay in the L2 of the bytes written."""

    model: float
    counted: float
    kept: float = 0

    @property
    def ratio(self) -> float | None:
        return self.counted / self.model if self.model else None

    def differs(self) -> bool:
        return self.ratio is not None and abs(self.ratio - 1) > TOLERANCE

    def needs_reason(self) -> bool:
        """Differs by more than what may stay in the L2."""
        return self.differs() and not self.is_about(self.model)

    def is_about(self, amount: float) -> bool:
        return amount * (1 - TOLERANCE) - self.kept <= self.counted <= amount * (1 + TOLERANCE)


@dataclass(frozen=True)
class Reason:
    """`amount` is what the reason comes to, as an expression over the task's dims and params, or empty."""

    because: str
    amount: str = ""


def read_reasons(path: Path, tasks: set[str]) -> dict[tuple[str, str], Reason]:
    """By task and quantity; raises ValueError for what is neither, and OSError."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: {error}") from error
    reasons = {}
    for task, of_task in content.items():
        if task not in tasks:
            raise ValueError(f"{path}: there is no task {task!r}")
        for quantity, reason in of_task.items():
            if quantity not in QUANTITIES:
                raise ValueError(f"{path}, {task}: {quantity!r} is neither {' nor '.join(QUANTITIES)}")
            if "because" not in reason or not reason.keys() <= {"because", "amount"}:
                raise ValueError(f"{path}, {task}.{quantity}: must have `because` and may have `amount`")
            reasons[task, quantity] = Reason(**reason)
    return reasons


def faults(
    reason: Reason | None, amounts: Mapping[str, Amount], names: Mapping[str, Mapping[str, Number]]
) -> list[str]:
    """What is wrong with the reason for `amounts`, by scale. `names` are the task's dims and params, by scale."""
    unexplained = {scale: amount for scale, amount in amounts.items() if amount.needs_reason()}
    shown = unexplained or {scale: amount for scale, amount in amounts.items() if amount.model}
    ratios = ", ".join(f"{amount.ratio:.3f} at {scale}" for scale, amount in shown.items())
    if reason is None:
        return [f"no reason for {ratios}"] if unexplained else []
    if not unexplained:
        return [f"a reason, but no difference: {ratios}"]
    try:
        expected = {scale: evaluate(reason.amount, names[scale]) for scale in unexplained if reason.amount}
    except ExpressionError as error:
        return [str(error)]
    return [
        f"the reason comes to {amount:.4g} at {scale}, counted were {unexplained[scale].counted:.4g}"
        for scale, amount in expected.items()
        if not unexplained[scale].is_about(amount)
    ]
