"""The files of docs/ci: of the form that the services want, and every command in them works."""

import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import ROOT, Checkout

CI = ROOT / "docs" / "ci"


def load(name: str) -> dict:
    """YAML 1.1, in which `on` is true."""
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load((CI / name).read_text(encoding="utf-8"))


def test_github_workflow_is_one():
    workflow = load("github-actions.yml")
    assert set(workflow) == {"name", True, "jobs"}
    assert workflow[True] == ["push"]
    for job in workflow["jobs"].values():
        assert {"runs-on", "steps"} <= set(job) <= {"runs-on", "steps", "timeout-minutes"}
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), "a step runs commands or an action"
            assert set(step) <= {"name", "run", "uses", "with", "if"}
            if "uses" in step:
                assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])


def test_commands_of_the_github_workflow(checkout: Checkout):
    (job,) = load("github-actions.yml")["jobs"].values()
    summary = checkout.folder / "summary.md"
    for step in job["steps"]:
        if "run" in step:
            process = checkout.run(step["run"], GITHUB_STEP_SUMMARY=str(summary))
            assert process.returncode == 0, process.stderr
    assert summary.read_text().startswith("## CUDABench: candidates")
    for uploaded in job["steps"][-1]["with"]["path"].split():
        assert (checkout.folder / uploaded).exists(), uploaded


def test_gitlab_pipeline_is_one():
    pipeline = load("gitlab-ci.yml")
    stages = pipeline.pop("stages")
    known = {"stage", "tags", "parallel", "timeout", "variables", "script", "after_script", "artifacts", "when"}
    for name, job in pipeline.items():
        assert job["stage"] in stages
        assert "script" in job
        assert set(job) <= known | {"needs"}, name
        assert set(job.get("needs", [])) <= set(pipeline)
        assert set(job["artifacts"]) <= {"when", "paths", "reports"}


def test_commands_of_the_gitlab_pipeline(checkout: Checkout):
    pipeline = load("gitlab-ci.yml")
    grade = pipeline["grade"]
    for index in range(1, grade["parallel"] + 1):
        node = {"CI_NODE_INDEX": str(index), "CI_NODE_TOTAL": str(grade["parallel"])}
        for line in grade["script"] + grade["after_script"]:
            process = checkout.run(line, **node)
            assert process.returncode == 0, process.stderr
    assert list(checkout.folder.glob(grade["artifacts"]["reports"]["junit"]))
    for line in pipeline["report"]["script"]:
        process = checkout.run(line)
        assert process.returncode == 0, process.stderr
    assert "4 candidates, 4 cases" in process.stdout, "the shards are joined"
    assert (checkout.folder / "cudabench.csv").read_text().count("\n") == 5


def test_commands_of_the_jenkinsfile(checkout: Checkout):
    text = (CI / "Jenkinsfile").read_text(encoding="utf-8")
    assert text.count("{") == text.count("}")
    assert re.search(r"^pipeline \{$.*^\}$", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"\bsh '([^']+)'", text)
    assert len(lines) == 2
    for line in lines:
        process = checkout.run(line)
        assert process.returncode == 0, process.stderr
    (pattern,) = re.findall(r"\bjunit '([^']+)'", text)
    assert list(checkout.folder.glob(pattern))
    (artifacts,) = re.findall(r"artifacts: '([^']+)'", text)
    for artifact in artifacts.split(", "):
        assert (checkout.folder / artifact).exists(), artifact


PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(stand_in LANGUAGES NONE)
if(NOT CUDABENCH_CANDIDATES STREQUAL "answers" OR NOT CUDABENCH_COMPILE_FAILURE STREQUAL "record")
    message(FATAL_ERROR "options are missing")
endif()
enable_testing()
set(tag "<CTestMeasurement type=\\"numeric/double\\" name=\\"performance_score\\">0.5</CTestMeasurement>")
add_test(NAME deep_learning.softmax.tiny.good COMMAND "${CMAKE_COMMAND}" -E echo "seed 1\\n${tag}")
add_test(NAME deep_learning.softmax.tiny.bad COMMAND "${CMAKE_COMMAND}" -E false)
"""


@pytest.fixture
def dashboard(tmp_path: Path):
    """Runs docs/ci/cdash.cmake on a project that stands for CUDABench."""
    source = tmp_path / "source"
    source.mkdir()
    (source / "CMakeLists.txt").write_text(PROJECT)

    def run(**environment: str) -> subprocess.CompletedProcess[str]:
        places = {"CUDABENCH_SOURCE_DIR": str(source), "CUDABENCH_BUILD_DIR": str(tmp_path / "build")}
        return subprocess.run(
            ["ctest", "-S", CI / "cdash.cmake"],
            env=os.environ | places | {"CUDABENCH_CANDIDATES": "answers"} | environment,
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    return run


def test_dashboard_script_leaves_results_with_measurements(dashboard, tmp_path):
    process = dashboard()
    assert process.returncode == 0, process.stdout + process.stderr
    (file,) = (tmp_path / "build" / "Testing").glob("*/Test.xml")
    site = ElementTree.parse(file).getroot()
    assert site.tag == "Site"
    tests = {test.findtext("Name"): test for test in site.find("Testing").iter("Test") if "Status" in test.attrib}
    assert {name: test.get("Status") for name, test in tests.items()} == {
        "deep_learning.softmax.tiny.good": "passed",
        "deep_learning.softmax.tiny.bad": "failed",
    }
    measurements = {
        (m.get("name"), m.get("type")): m.findtext("Value")
        for m in tests["deep_learning.softmax.tiny.good"].iter("NamedMeasurement")
    }
    assert measurements["performance_score", "numeric/double"] == "0.5"


def test_dashboard_script_fails_where_nothing_can_be_graded(dashboard):
    process = dashboard(CUDABENCH_CANDIDATES="others")
    assert process.returncode != 0
    assert "CMake could not configure" in process.stdout + process.stderr


def test_dashboard_script_says_that_nothing_was_sent(dashboard):
    process = dashboard(CDASH_URL="http://127.0.0.1:9/submit.php?project=none")
    assert process.returncode != 0
    assert "nothing could be sent" in process.stdout + process.stderr
