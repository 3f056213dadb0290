"""`cudabench grade FILE`: each exit code, JSON alone on standard output."""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import COMMAND, EXAMPLES, ROOT, SOURCES, descendants

from command import single
from grade import reply
from report.schema import first_error_of

SCHEMA = json.loads((Path(reply.__file__).parent / "reply.schema.json").read_text(encoding="utf-8"))
EXPECTED = json.loads((EXAMPLES / "expected.json").read_text(encoding="utf-8"))
GOOD = EXAMPLES / "naive" / "softmax.cu"


def test_a_correct_candidate(grade, has_gpu):
    code, answer = grade(GOOD, "--scales", "small,tiny")
    assert first_error_of(answer, SCHEMA) is None
    if has_gpu:
        assert (code, answer["verdict"], answer["stage"]) == (0, "pass", None)
        assert all(case["scores"]["performance"] > 0 for case in answer["cases"])
    else:
        assert (code, answer["verdict"], answer["scale"]) == (3, "not_run", "small")
        assert answer["cases"][0]["verdict"] == "pass", "the CPU grades what is tiny"
    assert [case["scale"] for case in answer["cases"]] == ["tiny", "small"]
    assert answer["compile"]["kernels"][0]["registers"] > 8
    assert answer["task"] == "softmax", "as the file is called"


def test_a_correct_candidate_without_a_gpu(grade):
    """The values of the smallest scale need none."""
    code, answer = grade(GOOD, "--scales", "tiny", env=os.environ | {"CUDABENCH_EXECUTOR": "cpu"})
    assert (code, answer["verdict"]) == (0, "pass")
    assert (answer["cases"][0]["seconds"], answer["cases"][0]["scores"]) == (None, None)
    assert answer["cases"][0]["device"].startswith("CPU")


def test_libraries_in_the_current_directory_are_not_loaded(grade, tmp_path):
    """By nothing that runs before a candidate is confined: a repository of candidates can hold them."""
    for library in ("libcudabench_runtime.so", "libstdc++.so.6", "libgcc_s.so.1", "libm.so.6", "libc.so.6"):
        (tmp_path / library).write_text("no library")
    code, answer = grade(GOOD, "--scales", "tiny", env=os.environ | {"CUDABENCH_EXECUTOR": "cpu"})
    assert (code, answer["verdict"]) == (0, "pass"), answer["message"]


def test_what_needs_a_gpu_is_not_run_without(grade):
    code, answer = grade(GOOD, "--scales", "small", "--counters", env=os.environ | {"CUDABENCH_EXECUTOR": "cpu"})
    assert first_error_of(answer, SCHEMA) is None
    assert (code, answer["verdict"], answer["stage"], answer["scale"]) == (3, "not_run", "not_run", "small")
    assert answer["cases"][0]["counters"] is None


def test_counters(grade, has_gpu):
    if not has_gpu:
        pytest.skip("needs a GPU")
    code, answer = grade(GOOD, "--scales", "tiny,large", "--counters")
    assert first_error_of(answer, SCHEMA) is None
    assert (code, len(answer["cases"])) == (0, 2)
    assert answer["command"].endswith("--counters")
    for case in answer["cases"]:
        if case["counters"] == "declared":  # no permission, or no CUPTI: the reason says so
            assert (len(case["counters_reason"]) > 10, case["work"]["source"]) == (True, "model")
        else:
            assert (case["counters_reason"], case["work"]["source"]) == (None, "counters")
            assert case["work"]["fp32"] > 0
            assert answer["seconds"]["count"] > case["spent"]["counting"] > 0


def without_numbers_of_the_grader(answer: dict) -> dict:
    """Among so many digits anything can be found by chance."""
    left = {
        name: value for name, value in answer.items() if name not in ("seconds", "seed", "command", "source_sha256")
    }
    left["compile"] = {name: value for name, value in answer["compile"].items() if name != "seconds"}
    left["cases"] = [{name: value for name, value in case.items() if name != "spent"} for case in answer["cases"]]
    return left


def test_minimal_feedback(grade):
    """Of a wrong result, and of host code that puts a value where it hopes that it can be read."""
    _, answer = grade("-", "--task", "softmax", "--scales", "tiny", "--feedback", "minimal",
                      input=SOURCES["wrong"].encode())  # fmt: skip
    assert first_error_of(answer, SCHEMA) is None
    assert (answer["verdict"], answer["stage"]) == ("fail", "edge")
    assert (answer["message"], answer["mismatches"]) == ("wrong values at a small shape", None)
    _, full = grade("-", "--task", "softmax", "--scales", "tiny", "--seed", answer["seed"],
                    input=SOURCES["wrong"].encode())  # fmt: skip
    assert full["mismatches"]["first"], "so that there is something to hide"
    shown = json.dumps(without_numbers_of_the_grader(answer))
    for value in full["mismatches"]["first"]:
        assert str(value["expected"]) not in shown
        assert str(value["got"]) not in shown

    assert [case["verdict"] for case in full["cases"]] == ["fail"]


@pytest.mark.parametrize(
    ("telling", "kept", "full"),
    [
        ("std::exit(100 + rows % 100)", "host code called exit", r"exit\(1\d\d\).*rows = \d+"),
        ("throw std::runtime_error(std::string(rows, 'r'))", "host code threw an uncaught exception", r": r+; .*rows"),
    ],
)
def test_minimal_feedback_of_a_candidate_that_tells_what_it_sees(grade, telling, kept, full):
    """By how it ends, and on its output."""
    source = """#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    std::printf("4711 rows: %d\\n", rows);
    std::fflush(stdout);
    TELLING;
}
""".replace("TELLING", telling)
    options = ["-", "--task", "softmax", "--scales", "tiny"]
    code, answer = grade(*options, "--feedback", "minimal", input=source.encode())
    assert (code, answer["stage"]) == (1, "contract")
    assert answer["message"] == answer["cases"][0]["message"] == kept
    assert "4711" not in json.dumps(without_numbers_of_the_grader(answer))
    _, answer = grade(*options, input=source.encode())
    assert "4711 rows: " in answer["cases"][0]["printed"]
    assert re.search(full, answer["message"])


def test_stopping_after_the_compilation(grade):
    code, answer = grade(GOOD, "--stop-after", "compile")
    assert (code, answer["verdict"], answer["exit_code"], answer["message"]) == (0, "pass", 0, "")


@pytest.mark.parametrize(
    ("name", "stage", "says"),
    [
        ("not_compiling/softmax", "compile", 'softmax.cu(3): error: identifier "softmax_kernel" is undefined'),
        ("wrong_signature/softmax", "contract", "const float* input, float* output, int rows, int cols"),
        ("host_crash/softmax", "contract", "SIGSEGV"),
        ("opens_driver_and_reference/softmax", "edge", "never written"),
    ],
)
def test_the_candidates_fault(grade, name, stage, says):
    code, answer = grade(EXAMPLES / f"{name}.cu", "--scales", "tiny")
    assert first_error_of(answer, SCHEMA) is None
    assert (code, answer["verdict"], answer["stage"], answer["scale"]) == (1, "fail", stage, "tiny")
    assert says in answer["message"] + answer["compile"]["log"]
    assert "build/" not in answer["message"], "where the grader's own files are says nothing to a candidate"
    assert EXPECTED[name] == stage


def test_a_launch_that_is_refused_is_told(grade):
    """Host code that does not look at its error writes nothing, and would not be told why."""
    refused = (EXAMPLES / "naive" / "softmax.cu").read_bytes().replace(b"127) / 128, 128>>>", b"127) / 128, 4096>>>")
    arguments = ("-", "--task", "softmax", "--scales", "tiny", "--stop-after", "values")
    code, answer = grade(*arguments, input=refused)
    assert (code, answer["stage"]) == (1, "edge")
    assert answer["message"].startswith("output was never written: ")
    assert "; of its host code: cudaErrorInvalidConfiguration: launch of " in answer["message"]
    assert "4096" in answer["message"]
    _, answer = grade(*arguments, "--feedback", "minimal", input=refused)
    assert "cuda" not in json.dumps(answer["message"])


def test_a_time_limit(grade):
    source = EXAMPLES / "host_endless" / "softmax@tiny.cu"
    start = time.monotonic()
    code, answer = grade(source, "--host-limit", "0.3")
    assert (code, answer["stage"], answer["scale"]) == (1, "contract", "tiny")
    assert "longer than its limit" in answer["message"]
    assert time.monotonic() - start < 60
    assert answer["seconds"]["grade"] < 5


def test_a_short_limit_is_not_for_the_reference(grade):
    """It ended gradings as a fault where host code was done sooner than the reference is interpreted."""
    source = """#include <cmath>
#include <vector>
extern "C" void solve(const float* input, float* output, int rows, int cols) {
    const std::size_t count = static_cast<std::size_t>(rows) * cols;
    std::vector<float> x(count);
    cudaMemcpy(x.data(), input, count * 4, cudaMemcpyDeviceToHost);
    for (std::size_t row = 0; row < count; row += cols) {
        float most = x[row], sum = 0;
        for (int i = 0; i < cols; ++i)
            most = std::fmax(most, x[row + i]);
        for (int i = 0; i < cols; ++i)
            sum += x[row + i] = std::exp(x[row + i] - most);
        for (int i = 0; i < cols; ++i)
            x[row + i] /= sum;
    }
    cudaMemcpy(output, x.data(), count * 4, cudaMemcpyHostToDevice);
}
"""
    options = ["--task", "softmax", "--scales", "tiny", "--stop-after", "values", "--device-limit", "0.02"]
    _, answer = grade("-", *options, input=source.encode(), env=os.environ | {"CUDABENCH_EXECUTOR": "cpu"})
    assert answer["verdict"] != "fault", answer["message"]  # on a slow machine it may itself exceed the limit


def test_standard_input(grade):
    source = SOURCES["not_compiling"].encode()
    code, answer = grade("-", "--task", "row_softmax", input=source)
    assert (code, answer["task"], answer["id"]) == (1, "softmax", "-")
    assert answer["message"].startswith("candidate.cu(3)")


def test_the_command_repeats_it(grade, tmp_path):
    _, answer = grade(EXAMPLES / "host_crash" / "softmax.cu", "--scales", "tiny", "--stop-after", "edge")
    process = subprocess.run([*shlex.split(answer["command"]), "--json"], cwd=tmp_path, stdout=subprocess.PIPE)
    again = json.loads(process.stdout)
    assert {**again, "seconds": 0, "cases": 0, "compile": 0} == {**answer, "seconds": 0, "cases": 0, "compile": 0}
    assert again["compile"]["cached"]


def test_the_command_names_the_sets_of_tasks_and_the_build_tree(tmp_path, monkeypatch):
    """Without them nobody finds the task again."""
    monkeypatch.setattr("command.checkout._task_sets", [])
    source, own = tmp_path / "row_reversal.cu", ROOT / "tests" / "package" / "installed" / "team"
    source.write_text("")
    options = ["--tasks-dir", str(own), "--build-dir", str(tmp_path), "--unsafe"]
    parser = argparse.ArgumentParser()
    single.add_parser(parser.add_subparsers())
    request = single._request(parser.parse_args(["grade", str(source), *options]), {"row_reversal": "row_reversal"})
    assert shlex.split(reply.command(request, 1))[:8] == [str(ROOT / "cudabench"), "grade", *options, str(source)]


def test_a_header_beside_the_source(grade, tmp_path):
    """It is part of what is compiled, so that changing it builds anew."""
    (tmp_path / "softmax.cu").write_text('#include "kernel.h"\n')
    code, answer = grade("softmax.cu", "--stop-after", "compile")
    assert (code, answer["stage"]) == (1, "compile"), answer
    header = tmp_path / "kernel.h"
    header.write_text(SOURCES["good"])
    code, answer = grade("softmax.cu", "--stop-after", "compile")
    assert (code, answer["compile"]["cached"]) == (0, False)
    assert grade("softmax.cu", "--stop-after", "compile")[1]["compile"]["cached"]
    header.write_text(f"{SOURCES['good']}// edited\n")
    assert not grade("softmax.cu", "--stop-after", "compile")[1]["compile"]["cached"]
    assert grade("softmax.cu", "--stop-after", "compile")[1]["compile"]["cached"], "in place of what was"
    header.write_text(SOURCES["not_compiling"])
    assert grade("softmax.cu", "--stop-after", "compile")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["absent.cu", "--task", "softmax"], "absent.cu: no such file"),
        ([ROOT / "docs", "--task", "softmax"], "docs: is a directory; grade takes one source, evaluate"),
        ([EXAMPLES / "README.md"], "--task is missing: the name of "),
        ([GOOD, "--task", "softmx"], "no task is called softmx; did you mean softmax"),
        ([GOOD, "--scales", "hug"], "no scale is called hug; did you mean huge?"),
        ([GOOD, "--stop-after", "measured"], "invalid choice: 'measured'"),
        ([GOOD, "--seed", "-1"], "-1 is no whole number from 0 to 2^64 - 1"),
        ([GOOD, "--host-limit", "0"], "0 is no number of seconds"),
        (["-"], "--task is missing"),
        ([], "give a FILE to grade, or --serve"),
        ([GOOD, "--serve"], "give a FILE to grade, or --serve"),
        (["--serve", "--feedback", "minimal"], "--feedback is for a FILE; with --serve each request says it"),
        (["--serve", "--host-limit", "1"], "--host-limit is for a FILE"),
        ([GOOD, "--tasks", "softmax"], "--tasks is for --serve"),
        (["--socket", "/absent/socket"], "--socket /absent/socket: there is no directory /absent; make it first"),
        (["--socket", "a" * 200], "has more than 107 bytes; give a shorter path"),
    ],
)
def test_wrong_usage(grade, capfd, arguments, says):
    code, answer = grade(*arguments, stdin=subprocess.DEVNULL)
    assert (code, answer) == (2, None)
    error = capfd.readouterr().err
    assert says in error
    assert "Traceback" not in error


def broken(build: Path, folder: Path) -> Path:
    """A build tree like `build`, whose worker ends at once."""
    (folder / "bin").mkdir()
    for name in ("lib", "cudabench_tasks"):
        (folder / name).symlink_to(build / name)
    for name in ("cudabench-compile", "cudabench_recorder"):
        shutil.copy2(build / "bin" / name, folder / "bin" / name)
    worker = folder / "bin" / "cudabench_worker"
    worker.write_text("#!/bin/sh\nexit 9\n")
    worker.chmod(0o755)
    return folder


def test_the_graders_own_fault(grade, build_dir, tmp_path):
    code, answer = grade(GOOD, build=broken(build_dir, tmp_path))
    assert first_error_of(answer, SCHEMA) is None
    assert (code, answer["verdict"], answer["cases"]) == (4, "fault", [])
    assert "the worker ended (exit code 9)" in answer["message"]


@pytest.mark.parametrize("header", ["contracts/softmax.h", "contracts/end_of_source.h", "contracts/earlier_cuda.h"])
def test_a_part_of_the_contract_that_is_gone_is_not_the_candidates_fault(grade, build_dir, tmp_path, header):
    tree = broken(build_dir, tmp_path)
    (tree / "cudabench_tasks").unlink()
    (tree / "cudabench_tasks").mkdir()
    for part in (build_dir / "cudabench_tasks").iterdir():
        (tree / "cudabench_tasks" / part.name).symlink_to(part)
    generated = tree / "cudabench_tasks" / "generated"
    generated.unlink()
    shutil.copytree(build_dir / "cudabench_tasks" / "generated", generated)
    (generated / header).unlink()
    code, answer = grade(GOOD, "--stop-after", "compile", build=tree)
    assert (code, answer["verdict"]) == (4, "fault")
    assert answer["message"] == f"{generated / header}: No such file or directory; remove the build tree"


def test_tools_that_are_built_anew_meanwhile_are_not_the_candidates_fault(grade, build_dir, tmp_path):
    """The linker finds no runtime, or half of one."""
    tree = broken(build_dir, tmp_path)
    (tree / "lib").unlink()
    shutil.copytree(build_dir / "lib", tree / "lib")
    launcher = tree / "bin" / "cudabench-compile"
    launcher.rename(tree / "bin" / "launcher")
    launcher.write_text('#!/bin/sh\n: > lib/libcudabench_runtime.so\nexec bin/launcher "$@"\n')
    launcher.chmod(0o755)
    code, answer = grade(GOOD, "--stop-after", "compile", build=tree)
    assert (code, answer["verdict"]) == (4, "fault")
    assert f"{tree} was built anew during the compilation" in answer["message"]


@pytest.mark.parametrize("size", ["8k", "400k"])
def test_a_full_disk_is_not_the_candidates_fault(build_dir, tmp_path, size):
    """The cache on a file system of its own, which nvcc fills: it then says many things, but seldom why."""
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    cache = build_dir / "grade_cache"
    mount = f"mount -t tmpfs -o size={size} none {shlex.quote(str(cache))}"
    if subprocess.run([*alone, "sh", "-c", mount], capture_output=True, check=False).returncode:
        pytest.skip("needs a mount namespace")
    (tmp_path / "softmax.cu").write_text(f"{SOURCES['good']}\n// {time.time_ns()}\n")
    command = shlex.join([*COMMAND, "softmax.cu", "--json", "--scales", "tiny", "--build-dir", str(build_dir)])
    process = subprocess.run(
        [*alone, "sh", "-c", f"{mount} && exec {command}"], cwd=tmp_path, stdout=subprocess.PIPE, check=False
    )
    answer = json.loads(process.stdout)
    assert (process.returncode, answer["verdict"]) == (4, "fault")
    full = rf"{re.escape(str(cache))}\S*: the disk is full \(0 MiB free\)|No space left"
    assert re.search(full, answer["message"]), answer["message"]


@pytest.mark.parametrize(
    ("name", "stage", "says"),
    [
        ("not_compiling", "compile", "softmax_kernel"),
        ("wrong_signature", "contract", "cudabench_actual=void (const double *, double *, int, int)"),
    ],
)
def test_for_people(build_dir, name, stage, says):
    command = [*COMMAND, EXAMPLES / name / "softmax.cu", "--build-dir", build_dir]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert process.returncode == 1
    assert process.stdout.startswith(f"fail: softmax, stage {stage}\n")
    assert says in process.stdout
    assert re.search(r"again: \S+/cudabench grade (--build-dir \S+ )?\S+/softmax.cu --task softmax", process.stdout)


def test_an_interruption_leaves_nothing(build_dir):
    hanging = EXAMPLES / "host_endless" / "softmax@tiny.cu"
    before = set((build_dir / "grade_cache").iterdir())
    process = subprocess.Popen([*COMMAND, hanging, "--build-dir", build_dir, "--json"], stdout=subprocess.PIPE)
    wait_for(lambda: any(name_of(pid) == "cudabench_worke" for pid in descendants(process.pid)))
    below = descendants(process.pid)
    process.send_signal(signal.SIGTERM)
    output, _ = process.communicate(timeout=30)
    assert (process.returncode, output) == (128 + signal.SIGTERM, b"")
    wait_for(lambda: not any(map(alive, below)))
    left = set((build_dir / "grade_cache").iterdir()) - before
    assert not [path for path in left if path.name.startswith("unfinished")]


def name_of(pid: int) -> str:
    """Its first 15 characters; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_for(condition) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize("name", ["good/softmax", "host_exit/softmax", "writes_input/softmax", "good/prefix_sum"])
def test_verdicts_are_those_of_ctest(grade, has_gpu, name):
    """Both come from one function; ctest's are compared with the same expectations."""
    _, answer = grade(EXAMPLES / f"{name}.cu", "--keep-going", "--scales", "tiny,small")
    stage = EXPECTED[name]
    small = stage if has_gpu or stage in ("compile", "contract") else "not_run"
    assert [case["stage"] or case["verdict"] for case in answer["cases"]] == [stage, small]


def test_tools_are_built_on_first_use_only(build_dir, tmp_path):
    process = subprocess.run(
        [sys.executable, "-c", "import sys; from pathlib import Path; from command.grading_tools import GradingTools\n"
         "GradingTools(Path(sys.argv[1])).ensure(['softmax'], setup=False)", build_dir],
        env=os.environ | {"PYTHONPATH": str(ROOT / "tools"), "PATH": str(tmp_path)},  # no cmake there
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (process.returncode, process.stderr) == (0, "")
