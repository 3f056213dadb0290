"""Scores of the candidates in waste/ at huge, by three rules."""


def waste_table(pairs: list[tuple[dict, dict]]) -> str:
    """The public rule looks at the kernel with the highest rate of fp32 operations alone. The decoy is what its variant
    executes beyond the plain one."""
    by_name = {
        result["candidate"]["name"].split("/")[0]: (result, counted)
        for result, counted in pairs
        if result["scale"] == "huge" and not result["candidate"]["name"].startswith("reference/")
    }
    lines = ["| variant | time, us | fp32 operations | bytes | public rule | Performance-Score | speed of light |"]
    lines += ["|---|---|---|---|---|---|---|"]
    amounts = {name: _amounts(result, counted) for name, (result, counted) in by_name.items()}
    for name, (result, counted) in by_name.items():
        kernels = [amounts[name]]
        if name == "decoy_kernel":
            plain = amounts["plain"]
            kernels = [plain, tuple(max(0.0, a - b) for a, b in zip(amounts[name], plain, strict=True))]
        chosen = max(kernels, key=lambda kernel: kernel[0] / kernel[2])
        fp32, moved, seconds = amounts[name]
        lines.append(
            f"| {name} | {1e6 * seconds:.1f} | {fp32:.4g} | {moved:.4g} "
            f"| {_public_rule(*chosen, result['device']['nominal']):.3f} "
            f"| {counted['attainable_seconds'] / seconds:.3f} | {result['scores']['speed_of_light']:.3f} |"
        )
    return "\n".join(lines)


def _public_rule(fp32: float, moved: float, seconds: float, peaks: dict) -> float:
    """F / min(P, (F / B) Bp) for rates F and B of a kernel, which is the larger of F / P and B / Bp."""
    return max(fp32 / seconds / peaks["fp32"], moved / seconds / peaks["bandwidth"])


def _amounts(result: dict, counted: dict) -> tuple[float, float, float]:
    """fp32 operations, bytes, seconds."""
    return counted["counts"]["fp32"], counted["work"]["bytes"], result["measurement"]["seconds"]
