"""What passed cases executed against the work of their tasks' models; with --waste the scores of the wasteful variants.

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
            result, counters = (build / case["result"]).with_suffix(".json"), build / case["result"]
            counters = counters.with_suffix(".counters.json")
            if result.exists() and counters.exists():
                pairs.append(tuple(json.loads(file.read_text(encoding="utf-8")) for file in (result, counters)))
    return [(result, counted) for result, counted in pairs if counted["counters"] == "measured"]


def against_model(pairs: list[tuple[dict, dict]]) -> None:
    print("| task | scale | fp32, model | counted | | bytes, model | counted | | time, us | score | speed of light |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for result, counted in pairs:
        model, work = result["work"], counted["work"]
        seconds = result["measurement"]["seconds"]
        cells = [result["task"], result["scale"]]
        for pipe in ("fp32", "bytes"):
            ratio = f"{work[pipe] / model[pipe]:.3f}" if model[pipe] else "-"
            cells += [f"{model[pipe]:.4g}", f"{work[pipe]:.4g}", ratio]
        cells += [f"{1e6 * seconds:.1f}", f"{counted['attainable_seconds'] / seconds:.3f}"]
        cells += [f"{result['scores']['speed_of_light']:.3f}"]
        print(f"| {' | '.join(cells)} |")


def public_rule(fp32: float, moved: float, seconds: float, peaks: dict) -> float:
    """F / min(P, (F / B) Bp) for rates F and B of a kernel, which is the larger of F / P and B / Bp."""
    return max(fp32 / seconds / peaks["fp32"], moved / seconds / peaks["bandwidth"])


def waste(pairs: list[tuple[dict, dict]]) -> None:
    """The public rule looks at the kernel with the highest rate of fp32 operations alone. The decoy is what its variant
    executes beyond the plain one."""
    by_name = {result["candidate"]["name"].split("/")[0]: (result, counted) for result, counted in pairs}
    plain = by_name["plain"][1]["counts"]
    print("| variant | time, us | fp32 operations | bytes | public rule | Performance-Score | speed of light |")
    print("|---|---|---|---|---|---|---|")
    for name, (result, counted) in by_name.items():
        peaks, counts = result["device"]["nominal"], counted["counts"]
        kernels = [(counts["fp32"], counted["work"]["bytes"], counts["seconds"])]
        if name == "decoy_kernel":
            whole, first = kernels[0], (plain["fp32"], by_name["plain"][1]["work"]["bytes"], plain["seconds"])
            kernels = [first, tuple(max(0.0, a - b) for a, b in zip(whole, first, strict=True))]
        chosen = max(kernels, key=lambda kernel: kernel[0] / kernel[2])
        seconds = result["measurement"]["seconds"]
        print(
            f"| {name} | {1e6 * seconds:.1f} | {counts['fp32']:.4g} | {counted['work']['bytes']:.4g} "
            f"| {public_rule(*chosen, peaks):.3f} | {counted['attainable_seconds'] / seconds:.3f} "
            f"| {result['scores']['speed_of_light']:.3f} |"
        )


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
