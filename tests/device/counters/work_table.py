"""What references executed against the models of their tasks; with --waste the scores of the candidates in waste/.

work_table.py BUILD_DIR, a build tree in which cases were graded and counted (`./cudabench evaluate references`). Prints
Markdown. Exits with 1 where a difference of more than 5 % at large or huge has no reason in reasons.toml, or not the
reason that is there.
"""

import argparse
import json
import sys
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

from counted_results import passed_and_counted  # noqa: E402
from explained import KEPT_IN_L2, QUANTITIES, Amount, Reason, faults, read_reasons  # noqa: E402
from waste_table import waste_table  # noqa: E402

SCALES = ("medium", "large", "huge")
JUDGED = ("large", "huge")
IN_L2 = "the last of what is written stays in the L2"


def amounts_of(counted: dict, model: dict) -> dict[str, Amount]:
    """Operations of fp32 and fp64 together: a reference is not held to the pipe of the model."""
    kept = min(KEPT_IN_L2, model["write_bytes"])
    return {
        "bytes": Amount(model["read_bytes"] + model["write_bytes"], counted["work"]["bytes"], kept),
        "operations": Amount(*(work.get("fp32", 0) + work.get("fp64", 0) for work in (model, counted["counts"]))),
    }


def row(
    task: str,
    amounts: dict[str, dict[str, Amount]],
    seconds: float | None,
    reasons: dict[tuple[str, str], Reason],
) -> str:
    """`amounts` by scale and quantity; `seconds` at huge."""

    def ratio(scale: str, quantity: str) -> str:
        found = amounts[scale][quantity].ratio if scale in amounts else None
        return "-" if found is None else f"{found:.2f}" if found < 100 else f"{found:,.0f}"

    why = []
    for quantity in QUANTITIES:
        if (task, quantity) in reasons:
            why.append(f"{quantity}: {reasons[task, quantity].because}")
        elif any(amounts[scale][quantity].differs() for scale in JUDGED if scale in amounts):
            why.append(f"{quantity}: {IN_L2}")
    cells = [task, *(ratio(scale, "bytes") for scale in SCALES), ratio("large", "operations")]
    return f"| {' | '.join(cells)} | {'-' if seconds is None else f'{1e6 * seconds:,.0f}'} | {'; '.join(why)} |"


def work_table(pairs: list[tuple[dict, dict]], reasons_file: Path) -> tuple[str, list[str]]:
    """The table, and what is wrong with it."""
    catalogue = json.loads((ROOT / "generated" / "catalogue.json").read_text(encoding="utf-8"))["tasks"]
    try:
        reasons = read_reasons(reasons_file, {task["name"] for task in catalogue})
    except (OSError, ValueError) as error:
        return "", [str(error)]
    lines = ["| task | bytes: medium | large | huge | operations: large | us, huge | why |"]
    lines += ["|---|---|---|---|---|---|---|"]
    wrong = []
    for task in catalogue:
        name, scales = task["name"], task["scales"]
        of_task = {result["scale"]: (result, counted) for result, counted in pairs if result["task"] == name}
        if missing := [scale for scale in SCALES if scale not in of_task]:
            wrong.append(f"{name}: not counted at {', '.join(missing)}")
        amounts = {scale: amounts_of(counted, scales[scale]["model"]) for scale, (_, counted) in of_task.items()}
        seconds = of_task["huge"][0]["measurement"]["seconds"] if "huge" in of_task else None
        lines.append(row(name, amounts, seconds, reasons))
        names = {scale: scales[scale]["dims"] | task["params"] for scale in JUDGED}
        for quantity in QUANTITIES:
            judged = {scale: amounts[scale][quantity] for scale in JUDGED if scale in amounts}
            found = faults(reasons.get((name, quantity)), judged, names) if judged else []
            wrong += [f"{name}, {quantity}: {fault}" for fault in found]
    return "\n".join(lines), wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--waste", action="store_true")
    parser.add_argument("--reasons", type=Path, default=Path(__file__).with_name("reasons.toml"))
    arguments = parser.parse_args()
    pairs = passed_and_counted(arguments.build)
    table, wrong = (waste_table(pairs), []) if arguments.waste else work_table(pairs, arguments.reasons)
    for line in wrong:
        print(line, file=sys.stderr)
    if not table:
        return 1
    print(table)
    costs = [counted["seconds"] for _, counted in pairs]
    if costs:
        print(f"\nCounting took {median(costs):.3f} s a case (median of {len(costs)}; most {max(costs):.3f} s).")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
