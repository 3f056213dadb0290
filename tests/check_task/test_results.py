"""What is on file in checks/: of every task as it is, sound, and the same when found anew.

A part is found anew, of a sample of the tasks.
"""

import pytest
from conftest import ROOT
from sample import sample

from check_task.examiner import examiner
from check_task.mutants import FEWEST, FEWEST_KINDS, grade_mutants
from check_task.mutation.bundle import Bundles
from check_task.mutation.rules import mutations
from check_task.result import identity, path_of, read
from check_task.work import agrees

SAMPLE_OF_MUTANTS = 3
MUTANTS = 6


def test_every_task_has_a_result_of_its_present_state(tasks):
    stale = [task.name for task in tasks.values() if (read(task) or {}).get("hash") != identity(task)]
    assert stale == [], "run ./cudabench check-task --update with these names"


def test_no_result_is_left_over(tasks):
    files = {path for path in (ROOT / "checks").rglob("*") if path.is_file()}
    expected = {path_of(task).with_suffix(suffix) for task in tasks.values() for suffix in (".json", ".toml")}
    folders = {path_of(task).with_suffix("") for task in tasks.values()}
    assert [str(path) for path in files if path not in expected and path.parent not in folders] == []


def test_results_are_sound(tasks):
    for task in tasks.values():
        known = read(task)
        for name, model in known["null_models"].items():
            assert model["refused"] or model["because"], f"{task.name}: {name}"
        for mutant in known["mutants"]:
            assert mutant["refused"] or mutant["because"], f"{task.name}: {mutant['name']}"
        assert len(known["mutants"]) >= FEWEST
        assert len({mutant["name"].rsplit(" ", 1)[0] for mutant in known["mutants"]}) >= FEWEST_KINDS
        for quantity, work in known["work"].items():
            assert "because" in work or agrees(task, quantity, work["model"], work["counted"]), (
                f"{task.name}: {quantity}"
            )
        assert known["honest"]["seeds"] >= 20
        assert all(error <= 0.8 for error in known["honest"]["error"].values())


def test_a_sample_is_found_anew(quick_check):
    assert quick_check.returncode == 0, quick_check.stdout + quick_check.stderr
    told = [line.partition(":")[0] for line in quick_check.stdout.splitlines() if not line.startswith(" ")]
    assert told == quick_check.args[2 : 2 + len(told)]  # in the order asked for, whichever was ready first
    assert len(told) > 1


@pytest.fixture(scope="module")
def bundles(build_dir):
    return Bundles(build_dir)


@pytest.mark.usefixtures("quick_check")  # which builds the references
def test_mutants_of_a_sample_are_refused_anew(tasks, build_dir, bundles):
    with examiner(build_dir, use_gpu=False) as performer:
        for task in sample(tasks, SAMPLE_OF_MUTANTS):
            known = {mutant["name"]: mutant for mutant in read(task)["mutants"]}
            found = [m for m in mutations(task, task.reference_path.read_text()) if m.name in known]
            assert len(found) == len(known), f"{task.name}: the rules make other mutants; --update"
            some = found[:: len(found) // MUTANTS]
            graded = {one.mutation.name: bool(one.refused) for one in grade_mutants(task, performer, bundles, some)}
            assert graded == {name: bool(known[name]["refused"]) for name in graded}, task.name
