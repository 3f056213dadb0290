"""What a reader sees, and what a machine reads, from the program as it is started."""

import errno
import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from report.__main__ import load_runs
from report.files import write_atomically
from report.outcome import Outcome
from report.schema import first_error
from report.table import format_time, render
from report.terminal import Terminal

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def run_report(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"PYTHONPATH": str(TOOLS)} | environment
    command = [sys.executable, "-m", "report", *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def small_run(build):
    build.passed(build.case("softmax", "tiny"), 0.71, 0.62, seconds=1.234e-5)
    build.failed(build.case("softmax", "huge"), "values", "3 of 4096 elements of output differ\nfirst: ...")


def text(build, width: int = 120) -> str:
    return render(load_runs([build.root])[0], Terminal(width, colour=False))


def test_cells_show_time_and_both_scores(build):
    small_run(build)
    assert "12.3 us 0.71/0.62" in text(build)


def test_narrow_terminal_keeps_both_scores_and_its_width(build):
    for scale in ("tiny", "small", "medium", "large", "huge"):
        build.passed(build.case("softmax", scale), 0.71, 0.62, seconds=1.234e-5)
    narrow = text(build, 80)
    assert "0.71/0.62" in narrow
    assert "12.3 us" not in narrow
    assert max(map(len, narrow.splitlines())) <= 80


def test_failure_shows_stage_message_and_a_command_that_repeats_it(build):
    small_run(build)
    shown = text(build)
    assert "values: gpt/level3/softmax, softmax, huge" in shown
    assert "3 of 4096 elements of output differ" in shown
    assert "first: ..." not in shown
    assert "CUDABENCH_SEED=0x1234567890abcdef ctest --test-dir" in shown
    assert "-R '^deep_learning\\.softmax\\.huge\\.gpt_level3_softmax$'" in shown


def test_a_contract_message_is_wrapped_and_names_files_from_the_candidates_directory(build):
    case = build.case("softmax", "tiny")
    source = case["candidate"]["source"]
    accepted = "accepted: void solve(const float* input, float* output, int rows, int cols)"
    message = f"{source}(3): solve has a type that softmax does not accept (see cudabench_actual); {accepted}"
    build.failed(case, "contract", message)
    lines = text(build, 60).splitlines()
    first = next(n for n, line in enumerate(lines) if "(3): solve has" in line)
    assert lines[first].startswith("    gpt/level3/softmax.cu(3): solve has")
    end = next(n for n, line in enumerate(lines) if "ctest --test-dir" in line)
    assert " ".join(line.strip() for line in lines[first:end]) == message.replace(source, "gpt/level3/softmax.cu")
    assert max(map(len, lines[first:end])) <= 60


def test_candidates_command_no_service_that_reads_the_log(build):
    """Also where a message is wrapped, and where a model's name begins a line."""
    message = f"{'x' * 55} ::error::a ##[add-mask]b ###[group]"
    build.failed(build.case("softmax", "tiny", model="::stop-commands::c"), "contract", message)
    shown = run_report(str(build.root), COLUMNS="60").stdout
    assert not re.search(r"^\s*::|##\[", shown, re.MULTILINE)
    assert "\n    : :error::a # #[add-mask]b ## #[group]" in shown
    assert "\n  : :stop-commands::c" in shown
    document = run_report(str(build.root), "--json").stdout
    assert "##[" not in document
    assert json.loads(document)["runs"][0]["cases"][0]["message"] == message


def test_a_long_contract_message_is_cut_after_four_lines(build):
    build.failed(build.case("softmax", "tiny"), "contract", "word " * 100)
    lines = [line for line in text(build, 60).splitlines() if line.startswith("    word")]
    assert len(lines) == 4
    assert lines[-1].endswith("…")


def test_total_shows_both_scores(build):
    small_run(build)
    assert "CUDABench-Score      0.355" in text(build)
    assert "Speed-of-light score 0.310" in text(build)


def test_intervals_are_shown_or_why_there_are_none(build):
    small_run(build)
    assert "no bootstrap interval: every domain has a single task" in text(build)
    build.failed(build.case("gelu", "tiny"))
    # means of two draws from softmax (0.71 of 2 cases) and gelu (0 of 1): 0.355, 0.71 / 3 or 0
    assert "CUDABench-Score      0.237 [0.000, 0.355]" in text(build)
    assert "95 % bootstrap intervals over tasks, seed 1" in text(build)


def test_null_score_gives_its_reason(build):
    small_run(build)
    build.result(build.case("softmax", "large"), "not_run", stage="not_run", message="needs a GPU: no driver")
    shown = text(build)
    assert "CUDABench-Score      null" in shown
    assert "No score: of 3 cases 1 did not run" in shown
    assert "1 case, not run: needs a GPU: no driver" in shown


def test_corrupt_file_is_named(build):
    small_run(build)
    broken = build.case("softmax", "large")
    build.result(broken)
    (build.root / broken["result"]).write_text("{")
    assert f"corrupt: {build.root / broken['result']}: not JSON" in text(build)


def test_missing_confinement_and_mixed_devices_are_warned_of(build):
    build.result(build.case("softmax", "tiny"), confinement="none")
    build.result(build.case("softmax", "huge"), device={"name": "NVIDIA A40"})
    shown = text(build)
    assert "warning: host code ran without confinement (--unsafe) in 1 of 2 cases" in shown
    assert "warning: results of different GPUs are mixed: NVIDIA A40, NVIDIA H200" in shown


def test_no_case_is_dropped_from_a_large_run(build):
    for index in range(201):
        build.passed(build.case("softmax", "tiny", candidate=f"gpt/level3/sample{index}"), 0.5, 0.5)
    build.failed(build.case("softmax", "tiny", candidate="gpt/level3/last"))
    assert "201/202" in text(build)
    assert len(json.loads(run_report(str(build.root), "--json").stdout)["runs"][0]["cases"]) == 202


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(1.5, "1.50 s"), (0.0123, "12.3 ms"), (9.996e-4, "1.00 ms"), (1.234e-4, "123 us"), (5e-8, "0.05 us")],
)
def test_times(seconds, shown):
    assert format_time(seconds) == shown


def test_json_is_the_written_file_and_of_its_schema(build):
    small_run(build)
    process = run_report(str(build.root), "--json")
    assert process.returncode == 0, process.stderr
    document = json.loads(process.stdout)
    assert first_error(document, "report") is None
    assert document == json.loads((build.run / "report.json").read_text())
    by_scale = {case["scale"]: case for case in document["runs"][0]["cases"]}
    assert by_scale["tiny"]["performance"] == 0.71
    assert by_scale["huge"]["stage"] == "values"


def test_a_manifest_and_its_folder_are_places_too(build):
    small_run(build)
    outputs = [run_report(str(p), "--json").stdout for p in (build.root, build.run, build.run / "manifest.json")]
    assert outputs[0] == outputs[1] == outputs[2] != ""


def test_bad_input_is_one_line_and_exit_code_2(build):
    process = run_report(str(build.root / "absent"))
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.count("\n") == 1
    assert "absent: no such file or directory" in process.stderr


def on_a_terminal(build, **environment: str) -> str:
    """What the program writes when its output is a terminal."""
    terminal, its_end = pty.openpty()
    keep = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    with subprocess.Popen(
        [sys.executable, "-m", "report", str(build.root)],
        env=keep | {"PYTHONPATH": str(TOOLS), "TERM": "xterm", "COLUMNS": "100"} | environment,
        stdout=its_end,
    ):
        os.close(its_end)
        written = b""
        try:
            while part := os.read(terminal, 65536):
                written += part
        except OSError as error:  # the other end is closed
            assert error.errno == errno.EIO
    os.close(terminal)
    return written.decode()


def test_colour_only_on_a_terminal_and_without_no_color(build):
    small_run(build)
    assert "\x1b[" in on_a_terminal(build)
    assert "\x1b[" not in on_a_terminal(build, NO_COLOR="1")
    assert "\x1b[" not in on_a_terminal(build, TERM="dumb")
    assert "\x1b[" not in run_report(str(build.root)).stdout


def test_full_disk_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "report.json"
    path.write_text("old")

    def full(self, target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]
    assert path.read_text() == "old"


def test_headline_of_an_empty_message(build):
    build.failed(build.case(), "values", "\n")
    outcome: Outcome = load_runs([build.root])[0].outcomes[0]
    assert outcome.headline == ""
