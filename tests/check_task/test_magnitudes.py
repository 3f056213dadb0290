"""What references compute as magnitudes is what their tasks say, computed again in NumPy.

It is seen by what is allowed: an element that is wrong is told in units of that.
"""

import numpy as np
import pytest
from bound import U, growth
from magnitudes import MAGNITUDES, magnitude_of
from sample import sample

from check_task.examiner import Trial, examiner

ELEMENTS = 5


def allowed(performer, task, opened, name, index):
    """For one element, by the answer that is wrong there alone."""
    answer = {output: values.copy() for output, values in opened.expected.items()}
    answer[name].flat[index] += 1 + abs(answer[name].flat[index])
    error = float(answer[name].flat[index]) - float(opened.expected[name].flat[index])
    return error / performer.judge(task, answer).ratio


def test_every_task_with_a_bound_has_one(tasks):
    assert [name for name, task in tasks.items() if task.bounded and name not in MAGNITUDES] == []


@pytest.mark.usefixtures("quick_check")  # which builds the references
def test_of_a_sample(tasks, build_dir):
    random = np.random.default_rng(5)
    with examiner(build_dir, use_gpu=False) as performer:
        for task in sample(tasks):
            if not task.bounded:
                continue
            scale = task.scales[0]
            opened = performer.open(task, Trial(scale, False))
            magnitude = magnitude_of(task, dict(zip(task.dims, scale.dims, strict=True)))(opened.inputs)
            for output, terms in zip(task.outputs, scale.output_terms, strict=True):
                if output.check.kind == "exact":
                    continue
                for index in random.integers(0, opened.expected[output.name].size, ELEMENTS):
                    size, value = magnitude.flat[index], opened.expected[output.name].flat[index]
                    expected = output.check.factor * U * growth(terms) * size + output.check.ulps * U * abs(value)
                    found = allowed(performer, task, opened, output.name, index)
                    assert found == pytest.approx(expected, rel=1e-4, abs=1e-37), f"{task.name}: {output.name}[{index}]"
