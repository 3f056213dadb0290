"""What passed cases executed against their tasks' models; with --waste the scores of the candidates in waste/.

work_table.py BUILD_DIR, a build tree in which cases were graded and counted. Prints Markdown.
"""

import argparse
import json
from pathlib import Path
from statistics import median


def load(build: Path) -> list[tuple[dict, dict]]:
    """Results and counters of the cases that passed and were counted."""
    pairs = []
    for manifest in build.glob("cudabench/*/manifest.json"):
        for case in json.loads(manifest.read_text(encoding="utf-8"))["cases"]:
            result = build / case["result"]
            counters = result.with_suffix(".counters.json")
            if result.exists() and counters.exists():
                pairs.append(tuple(json.loads(file.read_text(encoding="utf-8")) for file in (result, counters)))
    return [(result, counted) for result, counted in pairs if counted["counters"] == "measured"]


def against_model(pairs: list[tuple[dict, dict]]) -> None:
    """Operations of fp32 and fp64 together: a reference is not held to the pipe of the model."""
    print("| task | scale | operations, model | counted | | bytes, model | counted | | us | score | speed of light |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for result, counted in pairs:
        model, work, counts = result["work"], counted["work"], counted["counts"]
        seconds = result["measurement"]["seconds"]
        cells = [result["task"], result["scale"]]
        operations = (model["fp32"] + model["fp64"], counts["fp32"] + counts["fp64"])
        for expected, found in (operations, (model["bytes"], work["bytes"])):
            ratio = f"{found / expected:.3f}" if expected else "-"
            cells += [f"{expected:.4g}", f"{found:.4g}", ratio]
        cells += [f"{1e6 * seconds:.1f}", f"{counted['attainable_seconds'] / seconds:.3f}"]
        cells += [f"{result['scores']['speed_of_light']:.3f}"]
        print(f"| {' | '.join(cells)} |")


def public_rule(fp32: float, moved: float, seconds: float, peaks: dict) -> float:
    """F / min(P, (F / B) Bp) for rates F and B of a kernel, which is the larger of F / P and B / Bp."""
    return max(fp32 / seconds / peaks["fp32"], moved / seconds / peaks["bandwidth"])


def waste(pairs: list[tuple[dict, dict]]) -> None:
    """The public rule looks at the kernel with the highest rate of fp32 operations alone. The decoy is what its variant
    executes beyond the plain one."""
    by_name = {
        result["candidate"]["name"].split("/")[0]: (result, counted)
        for result, counted in pairs
        if result["scale"] == "huge" and not result["candidate"]["name"].startswith("reference/")
    }
    print("| variant | time, us | fp32 operations | bytes | public rule | Performance-Score | speed of light |")
    print("|---|---|---|---|---|---|---|")
    amounts = {name: _amounts(result, counted) for name, (result, counted) in by_name.items()}
    for name, (result, counted) in by_name.items():
        kernels = [amounts[name]]
        if name == "decoy_kernel":
            plain = amounts["plain"]
            kernels = [plain, tuple(max(0.0, a - b) for a, b in zip(amounts[name], plain, strict=True))]
        chosen = max(kernels, key=lambda kernel: kernel[0] / kernel[2])
        fp32, moved, seconds = amounts[name]
        print(
            f"| {name} | {1e6 * seconds:.1f} | {fp32:.4g} | {moved:.4g} "
            f"| {public_rule(*chosen, result['device']['nominal']):.3f} "
            f"| {counted['attainable_seconds'] / seconds:.3f} | {result['scores']['speed_of_light']:.3f} |"
        )


def _amounts(result: dict, counted: dict) -> tuple[float, float, float]:
    """fp32 operations, bytes, seconds."""
    return counted["counts"]["fp32"], counted["work"]["bytes"], result["measurement"]["seconds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--waste", action="store_true")
    arguments = parser.parse_args()
    pairs = load(arguments.build)
    (waste if arguments.waste else against_model)(pairs)
    costs = [counted["seconds"] for _, counted in pairs]
    if costs:
        print(f"\nCounting took {median(costs):.3f} s a case (median of {len(costs)}; most {max(costs):.3f} s).")


if __name__ == "__main__":
    main()
