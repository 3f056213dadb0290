"""docs/slurm/evaluate.sbatch: as the job of an array, with the variables that Slurm sets."""

import os
import subprocess

from conftest import ROOT, Checkout

SCRIPT = ROOT / "docs" / "slurm" / "evaluate.sbatch"


def job(checkout: Checkout, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
    environment |= {"SLURM_SUBMIT_DIR": str(checkout.folder), "PYTHONDONTWRITEBYTECODE": "1"} | variables
    command = ["bash", SCRIPT, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_jobs_of_an_array_share_the_candidates(checkout: Checkout):
    for index in ("1", "2", "3"):
        process = job(
            checkout, "candidates/examples", "--scales", "tiny", SLURM_ARRAY_TASK_ID=index, SLURM_ARRAY_TASK_MAX="3"
        )
        assert process.returncode == 0, process.stderr
    assert checkout.calls()[1] == [
        "evaluate", "candidates/examples", "--scales", "tiny", "--shard", "2/3", "--build-dir", "build/shards/2",
    ]  # fmt: skip
    process = checkout.run("./cudabench report build/shards/*")
    assert "4 candidates, 4 cases" in process.stdout
    assert "not here" not in process.stdout


def test_a_part_can_be_run_again_alone(checkout: Checkout):
    variables = {"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MAX": "2", "CUDABENCH_SHARDS": "4"}
    assert job(checkout, "candidates/examples", **variables).returncode == 0
    assert "2/4" in checkout.calls()[0]


def test_outside_of_an_array_it_says_how_it_is_used(checkout: Checkout):
    process = job(checkout, "candidates/examples")
    assert process.returncode == 2
    assert "usage: sbatch --array=1-N docs/slurm/evaluate.sbatch" in process.stderr
    assert job(checkout, SLURM_ARRAY_TASK_ID="1", SLURM_ARRAY_TASK_MAX="1").returncode == 2
