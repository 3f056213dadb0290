"""Counts known kernels by the harness and by Nsight Compute and prints a table of both with their differences.

compare_with_ncu.py PROGRAM, which is count_works. Exit codes: 0 the same within 2 %, 1 not, 77 no GPU, no counters or
no ncu here.
"""

import csv
import json
import shutil
import subprocess
import sys

TOLERANCE = 0.02
SLACK_BYTES = 4e6  # mostly what earlier work left in the L2; matters of what moves little
SEVERAL_KERNELS = ("several", "graph")
THREADS = "smsp__sass_thread_inst_executed_op_"
METRICS = {
    "fp32": {f"{THREADS}fadd_pred_on.sum": 1, f"{THREADS}fmul_pred_on.sum": 1, f"{THREADS}ffma_pred_on.sum": 2},
    "fp64": {f"{THREADS}dadd_pred_on.sum": 1, f"{THREADS}dmul_pred_on.sum": 1, f"{THREADS}dfma_pred_on.sum": 2},
    "fp16": {f"{THREADS}hadd_pred_on.sum": 1, f"{THREADS}hmul_pred_on.sum": 1, f"{THREADS}hfma_pred_on.sum": 2},
    "tensor_tf32": {"sm__ops_path_tensor_src_tf32_dst_fp32.sum": 1},
    "tensor_half": {"sm__ops_path_tensor_src_fp16.sum": 1, "sm__ops_path_tensor_src_bf16_dst_fp32.sum": 1},
    "dram_bytes_read": {"dram__bytes_read.sum": 1},
    "dram_bytes_write": {"dram__bytes_write.sum": 1},
}


def counted_by_harness(program: str) -> dict:
    process = subprocess.run([program], capture_output=True, text=True, check=False)
    if process.returncode:
        print(process.stderr, end="", file=sys.stderr)
        sys.exit(77)
    return json.loads(process.stdout)


def counted_by_ncu(program: str, work: str) -> dict[str, float]:
    """Sums over the work's kernels. Of several kernels the later ones must find what the earlier ones left in the L2,
    so that the whole program is repeated, instead of each kernel with empty caches."""
    names = [name for weights in METRICS.values() for name in weights]
    command = ["ncu", "--csv", "--print-units", "base", "--clock-control", "none"]
    if work in SEVERAL_KERNELS:
        command += ["--replay-mode", "application", "--cache-control", "none"]
    else:
        command += ["--cache-control", "all"]
    command += ["--kernel-name", "regex:^counted_", "--metrics", ",".join(names), program, work]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = process.stdout.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID"')), None)
    if process.returncode or start is None:
        print(process.stdout, process.stderr, sep="\n", file=sys.stderr)
        sys.exit(f"ncu failed with {process.returncode}")
    sums = dict.fromkeys(names, 0.0)
    for row in csv.DictReader(lines[start:]):
        if row["Metric Name"] in sums:
            sums[row["Metric Name"]] += float(row["Metric Value"].replace(",", ""))
    return {
        quantity: sum(weight * sums[name] for name, weight in weights.items()) for quantity, weights in METRICS.items()
    }


def main() -> int:
    if shutil.which("ncu") is None:
        print("skipped: there is no ncu here", file=sys.stderr)
        return 77
    counted = counted_by_harness(sys.argv[1])
    print(f"set-up {counted['set_up_seconds']:.3f} s, {counted['passes']} passes a count")
    print(f"{'work':<14}{'quantity':<18}{'harness':>14}{'ncu':>14}{'difference':>12}{'seconds':>9}")
    different = 0
    for work, counts in counted["works"].items():
        for quantity, other in counted_by_ncu(sys.argv[1], work).items():
            own = counts[quantity]
            if not own and not other:
                continue
            slack = SLACK_BYTES if quantity.startswith("dram") else 0
            agree = abs(own - other) <= TOLERANCE * max(own, other) + slack
            different += not agree
            print(
                f"{work:<14}{quantity:<18}{own:>14.6g}{other:>14.6g}{(own - other) / max(own, other):>11.2%} "
                f"{counts['counting_seconds']:>8.3f}{'' if agree else '  differs'}"
            )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
