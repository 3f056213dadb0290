"""The table of what references executed against the models of their tasks, from build trees made by hand."""

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from generator.expression import evaluate

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests" / "device" / "counters"
TASKS = {task["name"]: task for task in json.loads((ROOT / "generated" / "catalogue.json").read_text())["tasks"]}
REASONS = tomllib.loads((FOLDER / "reasons.toml").read_text())


class Counted:
    """A build tree in which all references were counted, and did as the models of their tasks if not told otherwise."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.reasons = root / "reasons.toml"
        self.reasons.write_text("")
        results = root / "cudabench" / "candidates" / "results"
        results.mkdir(parents=True)
        cases = []
        for task in TASKS.values():
            for scale in ("medium", "large", "huge"):
                model = task["scales"][scale]["model"]
                file = results / f"{task['name']}_{scale}.json"
                result = {"task": task["name"], "scale": scale, "verdict": "pass", "measurement": {"seconds": 1.25e-3}}
                counts = {pipe: model.get(pipe, 0) for pipe in ("fp32", "fp64")}
                work = {"bytes": model["read_bytes"] + model["write_bytes"]}
                file.write_text(json.dumps(result))
                counted = {"counters": "measured", "seconds": 0.1, "counts": counts, "work": work}
                file.with_suffix(".counters.json").write_text(json.dumps(counted))
                cases.append({"result": str(file.relative_to(root))})
        (root / "cudabench" / "candidates" / "manifest.json").write_text(json.dumps({"cases": cases}))

    def file(self, task: str, scale: str, suffix: str = ".counters.json") -> Path:
        return self.root / "cudabench" / "candidates" / "results" / f"{task}_{scale}{suffix}"

    def change(self, task: str, scale: str, *, bytes_: float | None = None, operations: float | None = None) -> None:
        counted = json.loads(self.file(task, scale).read_text())
        if bytes_ is not None:
            counted["work"]["bytes"] = bytes_
        if operations is not None:
            counted["counts"] = {"fp32": 0, "fp64": operations}
        self.file(task, scale).write_text(json.dumps(counted))

    def table(self) -> tuple[int, dict[str, list[str]], str]:
        """Exit code, cells by task, and what was said of faults."""
        command = [sys.executable, FOLDER / "work_table.py", self.root, "--reasons", self.reasons]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, rows(done.stdout), done.stderr


def rows(text: str) -> dict[str, list[str]]:
    """Cells after the first one, by it."""
    lines = [re.split(r" *\| *", line.strip(" |")) for line in text.splitlines() if line.startswith("| ")]
    names = [line[0] for line in lines]
    assert len(names) == len(set(names))
    return {line[0]: [*line[1:], *[""] * (7 - len(line))] for line in lines if line[0] != "task"}


def moved(task: str, scale: str) -> float:
    model = TASKS[task]["scales"][scale]["model"]
    return model["read_bytes"] + model["write_bytes"]


@pytest.fixture
def counted(tmp_path: Path) -> Counted:
    return Counted(tmp_path)


def test_work_as_in_the_models_needs_no_reason(counted):
    code, cells, said = counted.table()
    assert (code, said) == (0, "")
    assert cells.keys() == TASKS.keys()
    assert cells["prefix_sum"] == ["1.00", "1.00", "1.00", "1.00", "1,250", ""]
    assert cells["matrix_copy"][3] == "-"  # no operations


@pytest.mark.parametrize("scale", ["large", "huge"])
@pytest.mark.parametrize("factor", [0.9, 1.1])
def test_a_difference_without_a_reason_is_refused(counted, scale, factor):
    counted.change("dot_product", scale, bytes_=factor * moved("dot_product", scale))
    code, _, said = counted.table()
    assert code == 1
    assert said == f"dot_product, bytes: no reason for {factor:.3f} at {scale}\n"


def test_differences_at_medium_are_shown_alone(counted):
    counted.change("dot_product", "medium", bytes_=3 * moved("dot_product", "medium"))
    code, cells, _ = counted.table()
    assert code == 0
    assert cells["dot_product"][:3] == ["3.00", "1.00", "1.00"]


def test_a_reason_is_shown_beside_the_difference(counted):
    counted.change("dot_product", "huge", operations=2.004 * TASKS["dot_product"]["scales"]["huge"]["model"]["fp32"])
    counted.reasons.write_text('[dot_product.operations]\nbecause = "squares"\namount = "4 * N"\n')
    code, cells, said = counted.table()
    assert (code, said) == (0, "")
    assert cells["dot_product"][-1] == "operations: squares"


def test_a_reason_must_come_to_what_was_counted(counted):
    counted.change("dot_product", "huge", operations=3 * TASKS["dot_product"]["scales"]["huge"]["model"]["fp32"])
    counted.reasons.write_text('[dot_product.operations]\nbecause = "squares"\namount = "4 * N"\n')
    code, _, said = counted.table()
    assert code == 1
    assert said == "dot_product, operations: the reason comes to 5.37e+08 at huge, counted were 8.055e+08\n"


def test_a_reason_without_a_difference_is_refused(counted):
    counted.reasons.write_text('[dot_product.bytes]\nbecause = "none"\n')
    code, _, said = counted.table()
    assert code == 1
    assert said == "dot_product, bytes: a reason, but no difference: 1.000 at large, 1.000 at huge\n"


def test_writes_may_stay_in_the_l2(counted):
    counted.change("matrix_copy", "large", bytes_=moved("matrix_copy", "large") - 25e6)
    code, cells, _ = counted.table()
    assert code == 0
    assert cells["matrix_copy"][-1] == "bytes: the last of what is written stays in the L2"


def test_no_more_stays_in_the_l2_than_fits_there_or_is_written(counted):
    counted.change("matrix_copy", "large", bytes_=moved("matrix_copy", "large") - 60e6)
    counted.change("reduction", "large", bytes_=moved("reduction", "large") - 25e6)  # writes four bytes
    code, _, said = counted.table()
    assert code == 1
    assert sorted(line.split(":")[0] for line in said.splitlines()) == ["matrix_copy, bytes", "reduction, bytes"]


def test_every_task_must_have_passed_and_been_counted(counted):
    counted.file("softmax", "huge").unlink()
    failed = counted.file("softmax", "large", ".json")
    failed.write_text(json.dumps(json.loads(failed.read_text()) | {"verdict": "fail"}))
    code, cells, said = counted.table()
    assert code == 1
    assert said == "softmax: not counted at large, huge\n"
    assert cells["softmax"][:5] == ["1.00", "-", "-", "-", "-"]


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ('[no_such_task.bytes]\nbecause = "x"\n', "there is no task 'no_such_task'"),
        ('[softmax.time]\nbecause = "x"\n', "softmax: 'time' is neither bytes nor operations"),
        ('[softmax.bytes]\namount = "4"\n', "softmax.bytes: must have `because` and may have `amount`"),
        ("[softmax.bytes\n", "reasons.toml: Expected"),
    ],
    ids=["no task", "no quantity", "no words", "no TOML"],
)
def test_reasons_that_cannot_be_read_are_refused(counted, reasons, said):
    counted.reasons.write_text(reasons)
    code, _, message = counted.table()
    assert code == 1
    assert said in message


def test_an_amount_that_has_no_value_is_refused(counted):
    counted.change("dot_product", "huge", bytes_=2 * moved("dot_product", "huge"))
    counted.reasons.write_text('[dot_product.bytes]\nbecause = "x"\namount = "4 * M"\n')
    code, _, said = counted.table()
    assert code == 1
    assert "'4 * M'" in said


def test_given_reasons_are_of_tasks_and_come_to_amounts(counted):
    for task, of_task in REASONS.items():
        for quantity, reason in of_task.items():
            for scale in ("large", "huge"):
                counted.change(task, scale, **amount_of(task, quantity, reason, scale))
    counted.reasons.write_text((FOLDER / "reasons.toml").read_text())
    code, _, said = counted.table()
    assert (code, said) == (0, "")


def amount_of(task: str, quantity: str, reason: dict[str, str], scale: str) -> dict[str, Any]:
    """What the reason comes to, or if it does not say, twice the model's amount."""
    at_scale = TASKS[task]["scales"][scale]
    if "amount" in reason:
        amount = evaluate(reason["amount"], at_scale["dims"] | TASKS[task]["params"])
    else:
        amount = 2 * (moved(task, scale) if quantity == "bytes" else at_scale["model"]["fp32"])
    return {"bytes_" if quantity == "bytes" else quantity: amount}


def test_the_documented_table_has_tasks_and_their_given_reasons():
    cells = rows((ROOT / "docs" / "measured-work.md").read_text())
    assert REASONS.keys() <= cells.keys() <= TASKS.keys()  # who adds a task may have no GPU
    assert len(cells) >= 73
    for task, of_task in cells.items():
        for quantity in ("bytes", "operations"):
            reason = REASONS.get(task, {}).get(quantity)
            if reason is not None:
                assert f"{quantity}: {reason['because']}" in of_task[-1]
            else:
                assert not re.search(rf"(^|; ){quantity}: (?!the last of what is written)", of_task[-1]), task
