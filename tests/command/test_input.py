"""Bad input: one message on standard error, nothing on standard output, exit code 2, nothing written."""

import json
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def refused(cudabench, tmp_path):
    def check(*arguments: object, says: str) -> None:
        before = sorted(tmp_path.rglob("*"))
        process = cudabench(*arguments)
        assert (process.returncode, process.stdout) == (2, "")
        assert says in process.stderr
        assert "Traceback" not in process.stderr
        assert sorted(tmp_path.rglob("*")) == before

    return check


def test_no_such_directory(refused, tmp_path):
    refused("evaluate", tmp_path / "absent", says=f"cudabench: {tmp_path}/absent: no such directory\n")


def test_names_give_no_commands_to_services_that_read_the_log(refused, tmp_path):
    refused("evaluate", tmp_path / "##[error]a", says=f"cudabench: {tmp_path}/# #[error]a: no such directory\n")


def test_a_file_instead_of_a_directory(refused, answers):
    file = answers / "softmax.cu"
    refused("evaluate", file, says="softmax.cu: is a file; give the directory that holds it")
    refused("evaluate", file, says=f"./cudabench grade {file} --task TASK")


def test_directory_without_a_candidate(refused, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing to compile")
    refused("evaluate", tmp_path, says="no candidate in it")


def test_files_that_match_no_task_are_listed_with_the_nearest(refused, tmp_path):
    for name in ("softmaxx", "prefix_sums", "softmax"):
        (tmp_path / f"{name}.cu").write_text("")
    refused("evaluate", tmp_path, says="softmaxx.cu: no task is called softmaxx; nearest: softmax")
    refused("evaluate", tmp_path, says="prefix_sums.cu: no task is called prefix_sums; nearest: prefix_sum")


def test_unknown_task_and_scale(refused, answers):
    refused("evaluate", answers, "--tasks", "softmax,softmx", says="no task is called softmx; did you mean softmax")
    refused("evaluate", answers, "--scales", "hug", says="no scale is called hug; did you mean huge?")
    refused("prompts", "softmx", says="no task is called softmx; did you mean softmax")


def test_no_candidate_for_the_selected_task(refused, tmp_path):
    (tmp_path / "softmax.cu").write_text("")
    refused("evaluate", tmp_path, "--tasks", "prefix_sum", says="no candidate for the selected tasks and scales")


@pytest.mark.parametrize("seed", ["abc", "-1", "0x", "18446744073709551616"])
def test_bad_seed(refused, seed, answers):
    refused("evaluate", answers, f"--seed={seed}", says=f"{seed} is no whole number from 0 to 2^64 - 1")


def test_bad_number_of_jobs(refused, answers):
    refused("evaluate", answers, "--jobs", "0", says="0 is no positive whole number")


def test_source_tree_as_build_tree(refused, answers):
    refused("evaluate", answers, "--no-setup", "--build-dir", ROOT, says="is the source tree")


def test_a_file_as_build_tree(refused, answers):
    refused("evaluate", answers, "--no-setup", "--build-dir", answers / "softmax.cu", says="is not a directory")


def test_report_without_a_run(refused, tmp_path):
    refused("report", tmp_path / "absent", says="absent: no such file or directory; run ./cudabench evaluate DIR first")
    refused("list", "cases", "--build-dir", tmp_path / "absent", says="run ./cudabench evaluate DIR first")
    refused("report", tmp_path, says="holds no cudabench/<name>/manifest.json")


def test_corrupt_manifest(refused, tmp_path):
    run = tmp_path / "cudabench" / "candidates"
    run.mkdir(parents=True)
    (run / "manifest.json").write_text('{"schema": 1, "cases": [')
    refused("report", tmp_path, says=f"{run}/manifest.json: not JSON")
    refused("list", "cases", "--build-dir", tmp_path, says="configure the build tree again")


def test_no_or_unknown_command(refused):
    refused(says="the following arguments are required: COMMAND")
    refused("evaluat", says="invalid choice: 'evaluat'")


def test_help_has_examples(cudabench):
    process = cudabench("--help")
    assert process.returncode == 0
    assert "./cudabench evaluate candidates/examples" in process.stdout
    for command in ("evaluate", "report", "list", "prompts", "test", "doctor"):
        assert cudabench(command, "--help").returncode == 0


def test_list_shows_every_task_file(cudabench):
    listed = {line.split()[0] for line in cudabench("list").stdout.splitlines()}
    assert listed == {path.stem for path in (ROOT / "tasks").glob("*/*.toml")}


def test_prompts(cudabench):
    process = cudabench("prompts", "softmax", "--level", 2)
    assert process.returncode == 0
    assert process.stdout == (ROOT / "generated/prompts/softmax/level2.md").read_text()
    lines = cudabench("prompts", "softmax").stdout.splitlines()
    assert [line for line in lines if line.startswith("level ")] == ["level 1", "level 2", "level 3"]
    everything = cudabench("prompts", "--level", 3).stdout.splitlines()
    assert [Path(line).name for line in everything] == ["level3.md"] * len(cudabench("list").stdout.splitlines())


def test_list_and_report_of_a_run(cudabench, tmp_path):
    tree = shutil.copytree(ROOT / "tests" / "command" / "ungraded", tmp_path / "tree")
    listed = cudabench("list", "cases", "--build-dir", tree)
    assert listed.stdout.split() == ["softmax_tiny", "softmax", "tiny", "softmax", "not_run"]
    report = json.loads(cudabench("report", tree, "--json").stdout)
    assert report["runs"][0]["total"]["reason"] == "of 1 case 1 did not run"
    assert "No score: of 1 case 1 did not run" in cudabench("report", tree).stdout
