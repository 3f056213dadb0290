"""What cudabench_add_candidates() makes of a directory."""

import json
import shutil
from pathlib import Path

import pytest
from conftest import GOOD, ROOT, Project

from report.__main__ import load_runs

BROKEN = "int broken = ;\n"
WRONG = 'extern "C" void solve(const double* input, double* output, int rows, int cols) {}\n'
LIBRARY = """
extern "C" int cublasCreate_v2(void**);
extern "C" void solve(const float*, float*, int, int) { cublasCreate_v2(0); }
"""


def fill(project: Project) -> None:
    project.add("gpt-x/level2/softmax.s1.cu")
    project.add("with space [1]/softmax.cu")
    project.add("failing/softmax@tiny.cu")
    project.add("broken/softmax.cu", BROKEN)
    project.add("wrong/softmax.cu", WRONG)
    project.add("library/softmax.cu", LIBRARY)


def test_failures_stop_nothing_else(project: Project) -> None:
    fill(project)
    status, output = project.configure("DIRECTORY", project.candidates)
    assert status == 0, output
    status, output = project.make("mine")
    assert status != 0, "a candidate that does not compile fails the build"
    assert "expected an expression" in output
    modules = project.modules()
    assert {"gpt_x_level2_softmax_s1", "failing_softmax_tiny"} < modules
    assert len(modules) == 3
    assert project.record("gpt_x_level2_softmax_s1")["status"] == "ok"
    assert project.record("broken_softmax")["stage"] == "compile"
    assert project.record("wrong_softmax")["stage"] == "contract"
    assert (
        "void solve(const float* input, float* output, int rows, int cols)" in project.record("wrong_softmax")["stderr"]
    )
    assert "cublasCreate_v2" in project.record("library_softmax")["stderr"]
    assert (project.build / "cudabench_tasks" / "references" / "softmax.so").exists()

    status, output = project.ctest("-R", r"\.tiny\.")
    assert status == 8
    assert "1 tests failed out of 6" in output, "the others of the stand-in are skipped"


def test_record_mode(project: Project) -> None:
    fill(project)
    project.configure("DIRECTORY", project.candidates, CUDABENCH_COMPILE_FAILURE="record")
    status, output = project.make("mine")
    assert status == 0, output
    assert len(project.modules()) == 3
    assert {project.record(f"{name}_softmax")["status"] for name in ("broken", "wrong", "library")} == {"failed"}
    _, output = project.make("mine")
    assert "Building CUDA" not in output, "a recorded failure is not tried again"
    project.add("broken/softmax.cu")
    project.make("mine")
    assert project.record("broken_softmax")["status"] == "ok"


def test_names_and_labels(ninja_project: Project) -> None:
    project = ninja_project
    fill(project)
    project.configure("DIRECTORY", project.candidates)
    tests = project.tests()
    assert len(tests) == 5 * 5 + 1
    common = {"suite=mine", "domain=deep_learning", "task=softmax"}
    name = "deep_learning.softmax.large.gpt_x_level2_softmax_s1"
    assert tests[name] == {*common, "scale=large", "level=2", "model=gpt-x"}
    assert tests["deep_learning.softmax.tiny.broken_softmax"] == {*common, "scale=tiny"}
    assert len(project.tests("-L", "^scale=tiny$")) == 6
    assert len(project.tests("-L", "^model=gpt-x$", "-L", "^task=softmax$")) == 5
    one = Project(project.build / "cudabench/mine", "Ninja")
    one.build = one.build / "softmax"
    assert one.tests() == tests, "the directory of one task can be read alone"


def test_a_case_is_one_googletest_case(ninja_project: Project) -> None:
    project = ninja_project
    project.add("good/softmax.cu")
    project.configure("DIRECTORY", project.candidates)
    project.make("mine.softmax")
    assert not project.modules(), "the test program does not need its candidates"
    status, output = project.ctest("-V", "-R", "large")
    assert status == 0
    assert "case good_softmax_large module cudabench/mine/modules/good_softmax.so root 3" in output
    assert "***Skipped" in output


def test_a_candidate_called_as_its_task(project: Project) -> None:
    project.add("softmax.cu")
    status, output = project.configure("DIRECTORY", project.candidates)
    assert status == 0, output
    assert project.make()[0] == 0
    assert project.modules() == {"softmax"}


def test_files_that_come_and_go(project: Project) -> None:
    project.add("first/softmax.cu")
    project.configure("DIRECTORY", project.candidates)
    project.make()
    project.add("second/softmax.cu")
    project.make()
    assert project.modules() == {"first_softmax", "second_softmax"}
    assert len(project.tests()) == 10
    shutil.rmtree(project.candidates / "first")
    project.make()
    assert len(project.tests()) == 5


def test_a_changed_source_and_a_changed_header_are_compiled_again(ninja_project: Project) -> None:
    project = ninja_project
    header = project.add("good/kernel.cuh")
    project.add("good/softmax.cu", '#include "kernel.cuh"\n')
    project.configure("DIRECTORY", project.candidates)
    project.make()
    assert "no work to do" in project.make()[1]
    header.write_text(BROKEN)
    project.make()
    assert project.record("good_softmax")["status"] == "failed"


@pytest.mark.parametrize("build_type", ["", "Debug", "Checked"])
def test_flags_are_those_of_the_suite(ninja_project: Project, build_type: str) -> None:
    """Whatever the project has for its own code in this build type, also in one of its own making."""
    project = ninja_project
    project.add("good/softmax.cu", "#include <shared.h>\n#ifndef FLAG\n#error FLAG is missing\n#endif\n")
    shared = project.candidates.parent / "shared files"
    shared.mkdir()
    (shared / "shared.h").write_text(GOOD)
    project.configure(
        *("DIRECTORY", project.candidates, "INCLUDE_DIRECTORIES", shared, "COMPILE_OPTIONS", "-DFLAG"),
        CMAKE_BUILD_TYPE=build_type,
        CMAKE_CUDA_FLAGS_CHECKED="--no-such-option",
        CMAKE_MODULE_LINKER_FLAGS_CHECKED="-Wl,--no-such-option",
    )
    status, output = project.make("mine")
    assert status == 0, output
    command = project.record("good_softmax")["command"]
    assert "-O3" in command
    assert not {"-g", "-G", "-O2", "-O0"} & set(command)
    assert "--compress-mode=none" in command
    assert "--generate-code=arch=compute_90,code=[compute_90,sm_90]" in command
    linked = project.record("good_softmax")["link_command"]
    assert "-fno-lto" in linked, "the sections of an object could hold options for the assembler"


NAMES = [
    "two words",
    "[1]",
    "open[",
    "close]",
    "semi;colon",
    "co:lon",
    "-x",
    "Grüße 模型",
    "it's",
    "a&b|c*?#",
    "n" * 200,
]


def test_names_of_every_kind_work_from_directory_to_report(project: Project) -> None:
    """Also changed headers are seen, and a listing that changes."""
    for name in NAMES:
        project.add(f"{name}/level1/softmax.cu", '#include "kernel.cuh"\n')
        project.add(f"{name}/level1/kernel.cuh")
    project.add("listed/open[;.cu")
    listing = project.candidates / "listed" / "candidates.json"
    listing.write_text(json.dumps([{"file": "open[;.cu", "task": "softmax", "model": "a;b ["}]))
    status, output = project.configure("DIRECTORY", project.candidates, "SCALES", "tiny")
    assert status == 0, output
    status, output = project.make("mine")
    assert status == 0, output
    assert len(project.modules()) == len(NAMES) + 1
    assert len(project.tests()) == len(NAMES) + 1
    (run,) = load_runs([project.build])
    assert {outcome.case.candidate.name for outcome in run.outcomes} == {
        *(f"{name}/level1/softmax" for name in NAMES),
        "listed/open[;",
    }
    assert {outcome.case.candidate.model for outcome in run.outcomes} == {*NAMES, "a;b ["}

    _, output = project.make("mine")
    assert "Building" not in output
    (project.candidates / "semi;colon" / "level1" / "kernel.cuh").write_text(BROKEN)
    status, output = project.make("mine")
    assert status != 0
    assert "1 error detected" in output
    listing.write_text(json.dumps([{"file": "open[;.cu", "task": "softmax", "model": "other"}]))
    project.make("mine")
    assert "model=other" in {label for labels in project.tests().values() for label in labels}


@pytest.mark.parametrize("name", ["plain", "semi;colon"])
def test_a_contract_of_its_own_does_not_replace_the_tasks(ninja_project: Project, name: str) -> None:
    project = ninja_project
    accepts_all = 'extern "C" void cudabench_call(void* const*, const long long*, const double*) {}\n'
    refusal = 'static_assert(sizeof(int) == 0, "CUDABENCH_CONTRACT: solve has another type");\n'
    for place, text in {
        "softmax.h": accepts_all,
        "earlier_cuda.h": BROKEN,
        "end_of_source.h": BROKEN,
        "own.h": refusal,
    }.items():
        project.add(f"{name}/contracts/{place}", text)
    project.add(f"{name}/softmax.cu", WRONG)
    project.add(f"{name}/softmax.s1.cu", '#include "contracts/own.h"\n')
    project.configure("DIRECTORY", project.candidates)
    assert project.make("mine")[0] != 0
    records = map(json.loads, (file.read_text() for file in project.build.glob("cudabench/mine/compile/*.json")))
    assert {Path(record["source"]).name: record["stage"] for record in records} == {
        "softmax.cu": "contract",
        "softmax.s1.cu": "compile",
    }


def test_headers_in_folders_below_the_candidate(ninja_project: Project) -> None:
    project = ninja_project
    project.add("good/softmax.cu", '#include "detail/deep/kernel.cuh"\n')
    header = project.add("good/detail/deep/kernel.cuh")
    project.configure("DIRECTORY", project.candidates)
    assert project.make("mine_good_softmax")[0] == 0
    assert str(header) in {entry["path"] for entry in project.record("good_softmax")["inputs"]}
    header.write_text(BROKEN)
    assert project.make("mine_good_softmax")[0] != 0


def test_headers_of_other_candidates_cannot_be_read(ninja_project: Project) -> None:
    project = ninja_project
    project.add("good/softmax.cu", '#include "other/answer.cuh"\n')
    project.add("good/other/answer.cuh")
    project.add("good/other/softmax.s1.cu", '#include "answer.cuh"\n')
    project.configure("DIRECTORY", project.candidates)
    assert project.make("mine")[0] != 0
    assert project.modules() == {"good_other_softmax_s1"}
    assert "ermission denied" in project.record("good_softmax")["stderr"]


def test_tasks_of_a_set_of_ones_own(ninja_project: Project, message) -> None:
    project = ninja_project
    own = project.candidates.parent / "own"
    shutil.copytree(ROOT / "tests/package/installed/team", own)
    project.add("good/row_reversal.cu")
    status, output = project.configure("DIRECTORY", project.candidates, TASK_SETS=str(own))
    assert status == 0, output
    assert project.tests()["layout.row_reversal.tiny.good_row_reversal"] > {"domain=layout", "task=row_reversal"}
    assert project.make("mine_good_row_reversal", "cudabench_reference_row_reversal")[0] == 0
    assert "no work to do" in project.make("mine_good_row_reversal")[1]

    task = own / "tasks/layout/row_reversal.toml"
    task.write_text(task.read_text().replace('domain = "layout"', 'domain = "other"'))
    status, output = project.make("mine_good_row_reversal")
    assert status != 0
    assert "row_reversal.toml: domain: 'other' is unknown" in message(output), "CMake ran again"
    shutil.copytree(ROOT / "tests/package/installed/team/tasks/layout", own / "tasks/layout", dirs_exist_ok=True)
    shutil.copytree(own / "tasks", own.parent / "copy/tasks")
    shutil.copytree(own / "references", own.parent / "copy/references")
    status, output = project.configure("DIRECTORY", project.candidates, TASK_SETS=f"{own};{own.parent / 'copy'}")
    assert status != 0
    assert "is taken by" in message(output)


def test_selection_and_files(ninja_project: Project) -> None:
    project = ninja_project
    path = project.add("answer.cu")
    assert project.configure("FILES", path, "TASK", "softmax", "SCALES", "tiny", "small")[0] == 0
    assert set(project.tests()) == {f"deep_learning.softmax.{scale}.answer" for scale in ("tiny", "small")}


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["DIRECTORY", "{absent}"], "absent: no such directory"),
        (["DIRECTORY", "{empty}"], "no candidate in it"),
        (["DIRECTORY", "{unknown}"], "softmx.cu: no task is called softmx; nearest: softmax"),
        (["DIRECTORY", "{double}"], "are both sample 0"),
        (["DIRECTORY", "{good}", "TASKS", "softmix"], "no task is called softmix; nearest: softmax"),
        (["DIRECTORY", "{good}", "SCALES", "gigantic"], "no scale is called gigantic"),
        (["DIRECTORY", "{good}", "FILES", "{good}/softmax.cu"], "give either DIRECTORY or FILES"),
        ([], "give either DIRECTORY or FILES"),
        (["DIRECTORY", "{good}", "SCALE", "tiny"], "unknown argument"),
    ],
)
def test_wrong_input_ends_the_configuration_with_one_message(wrong_project, message, arguments, expected) -> None:
    project = wrong_project
    places = {name: project.candidates / name for name in ("good", "unknown", "double", "empty", "absent")}
    status, output = project.configure(*(word.format(**places) for word in arguments))
    assert status != 0
    assert expected in message(output)
    assert "Traceback" not in output


@pytest.fixture(scope="module")
def wrong_project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One for all wrong inputs: CMake looks for compilers only once in a build tree."""
    project = Project(tmp_path_factory.mktemp("wrong"), "Ninja")
    project.add("good/softmax.cu")
    project.add("unknown/softmx.cu")
    project.add("double/softmax.cu")
    project.add("double/softmax.s0.cu")
    (project.candidates / "empty").mkdir()
    return project
