"""Scores as tags that CTest takes out of a test's output and CDash draws over time."""

from collections.abc import Iterator, Sequence

from report.document import Run


def ctest_tags(runs: Sequence[Run]) -> str:
    return "".join(f"{line}\n" for run in runs for line in _run(run))


def _run(run: Run) -> Iterator[str]:
    total = run.score(run.outcomes)
    values = {
        "cudabench_score": total.performance,
        "speed_of_light_score": total.speed_of_light,
        "compiled_rate": total.compiled_rate,
        "correct_rate": total.correct_rate,
    }
    for name, value in values.items():
        if value is not None:
            yield f'<CTestMeasurement type="numeric/double" name="{name}">{value:.6g}</CTestMeasurement>'
