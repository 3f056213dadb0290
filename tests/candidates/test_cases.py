"""What the generator writes for CMake, CTest, GoogleTest and the report."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

from generator.candidates import Candidate
from generator.cases import Case, Places, generate, main, parse, write_suite
from generator.files import Folder
from generator.task import load_tasks
from report.manifest import load_manifest

NAME = "mine"


class Generator:
    def __init__(self, build: Path, directory: Path) -> None:
        self.build = build
        self.output = build / "cudabench" / NAME
        self.directory = directory

    def words(self, *more: str) -> list[str]:
        return [
            *("--name", NAME, "--directory", str(self.directory), "--tasks", str(ROOT / "tasks")),
            *("--output", str(self.output), "--shared", str(self.build / "cudabench_tasks")),
            *("--build-root", str(self.build), "--recorder", str(self.build / "bin" / "cudabench_recorder"), *more),
        ]

    def run(self, *more: str) -> int:
        return generate(parse(self.words(*more)))

    def manifest(self) -> dict:
        return json.loads((self.output / "manifest.json").read_text())

    def files(self) -> dict[str, int]:
        """All files below the build folder with their times of change."""
        return {
            str(path.relative_to(self.build)): path.stat().st_mtime_ns
            for path in self.build.rglob("*")
            if path.is_file()
        }


@pytest.fixture
def generator(tmp_path, candidates) -> Generator:
    folder = candidates("m/level1/softmax.s1.cu", "naive/softmax.cu", "naive/matrix_multiplication@tiny.cu")
    return Generator(tmp_path / "build", folder)


def test_manifest_has_every_case(generator):
    assert generator.run() == 11
    manifest = generator.manifest()
    assert (manifest["schema"], manifest["name"]) == (1, NAME)
    assert manifest["tasks"] == ["matrix_multiplication", "softmax"]
    first = next(case for case in manifest["cases"] if case["id"] == "m_level1_softmax_s1_tiny")
    assert first["candidate"] == {
        "name": "m/level1/softmax.s1",
        "model": "m",
        "level": 1,
        "sample": 1,
        "source": str(generator.directory.resolve() / "m/level1/softmax.s1.cu"),
    }
    assert first["module"] == f"cudabench/{NAME}/modules/m_level1_softmax_s1.so"
    assert first["compile_record"] == f"cudabench/{NAME}/compile/m_level1_softmax_s1.json"
    assert first["result"] == f"cudabench/{NAME}/results/m_level1_softmax_s1_tiny.json"
    assert (first["task"], first["scale"]) == ("softmax", "tiny")
    ids = [case["id"] for case in manifest["cases"]]
    assert len(set(ids)) == 11


def test_the_report_reads_the_manifest(generator):
    generator.run()
    assert len(load_manifest(generator.output / "manifest.json").cases) == 11


def test_selection(generator):
    assert generator.run("--scales", "tiny", "huge") == 5
    assert generator.run("--task-filter", "softmax", "--scales", "small") == 2
    assert {case["task"] for case in generator.manifest()["cases"]} == {"softmax"}


def test_nothing_is_touched_that_does_not_change(generator):
    generator.run()
    before = generator.files()
    generator.run()
    assert generator.files() == before


def test_what_is_no_longer_made_is_removed_and_results_stay(generator):
    generator.run()
    (generator.output / "results").mkdir()
    (generator.output / "results" / "naive_softmax_tiny.json").write_text("{}")
    generator.run("--task-filter", "matrix_multiplication")
    files = generator.files()
    assert not any("softmax" in file for file in files if "results" not in file and "cudabench_tasks" not in file)
    assert f"cudabench/{NAME}/results/naive_softmax_tiny.json" in files
    assert not (generator.output / "targets" / "softmax").exists()


def test_a_suite_can_move(generator):
    """Only what the compiler must find is absolute: the sources."""
    generator.run()
    text = (generator.output / "cases" / "softmax.cpp").read_text()
    assert str(generator.build) not in text
    assert '.recorder = "bin/cudabench_recorder"' in text
    assert ".depth = 3" in text
    assert str(generator.build) not in (generator.output / "targets" / "softmax" / "tests.cmake").read_text()


def test_programs_compile(generator):
    generator.run()
    for program in sorted((generator.output / "cases").glob("*.cpp")):
        command = ["g++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", f"-I{ROOT}/harness", program]
        assert subprocess.run(command, capture_output=True, text=True, check=False).stderr == ""


def test_wrappers_include_source_and_contract(generator):
    generator.run()
    text = (generator.output / "targets" / "softmax" / "naive_softmax.cu").read_text()
    assert text.splitlines() == [
        '#include "contracts/earlier_cuda.h"',
        f'#include "{generator.directory.resolve()}/naive/softmax.cu"',
        '#include "contracts/end_of_source.h"',
        '#include "contracts/softmax.h"',
    ]
    contracts = generator.build / "cudabench_tasks/generated/contracts"
    assert "CUDABENCH_CONTRACT" in (contracts / "softmax.h").read_text()
    assert "cudaThreadSynchronize" in (contracts / "earlier_cuda.h").read_text()
    assert "after a candidate" in (contracts / "end_of_source.h").read_text()


def test_test_names_and_labels(generator):
    generator.run()
    text = (generator.output / "targets" / "softmax" / "tests.cmake").read_text()
    assert len(re.findall(r"^add_test\(\"deep_learning\.", text, re.MULTILINE)) == 10
    assert 'add_test("deep_learning.softmax.tiny.m_level1_softmax_s1" ' in text
    assert "[==[scale=tiny;level=1;model=m]==]" in text


def test_a_label_is_one_element_of_a_list():
    candidate = Candidate("a", "a", Path("/a"), "softmax", ("tiny",), "a;task=b [c", 0, 0)
    assert Case(candidate, None, "tiny").labels == "scale=tiny;model=a_task=b _c"


def test_a_test_runs_its_case(generator):
    generator.run()
    text = (generator.output / "targets" / "softmax" / "tests.cmake").read_text()
    assert '"--gtest_filter=softmax.m_level1_softmax_s1_tiny"' in text


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--scales", "gigantic"], "no scale is called gigantic"),
        (["--task-filter", "softmix"], "no task is called softmix; nearest: softmax"),
        (["--task-filter", "matrix_multiplication", "--scales", "huge"], "no candidate is for the selected tasks"),
    ],
)
def test_wrong_selection(generator, more, message, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["cases", *generator.words(*more)])
    assert main() == 2
    assert message in capsys.readouterr().err
    assert not generator.build.exists(), "nothing is written before all is checked"


def test_a_failed_write_leaves_the_old_file(generator):
    generator.run()
    manifest = generator.output / "manifest.json"
    before = manifest.read_text()
    folder = generator.output / f"manifest.json.{os.getpid()}"
    folder.mkdir()  # in the way of the unfinished file
    with pytest.raises(OSError):
        generator.run("--scales", "tiny")
    assert manifest.read_text() == before


def test_counting_follows_all_scales_of_a_candidate(generator):
    generator.run()
    text = (generator.output / "targets" / "softmax" / "tests.cmake").read_text()
    name = "counters.deep_learning.softmax.m_level1_softmax_s1"
    scales = ("tiny", "small", "medium", "large", "huge")
    cases = ":".join(f"softmax.m_level1_softmax_s1_{scale}" for scale in scales)
    assert f'add_test("{name}" "${{cudabench_program}}" --counters\n         "--gtest_filter={cases}")' in text
    timed = ";".join(f"deep_learning.softmax.{scale}.m_level1_softmax_s1" for scale in scales)
    properties = re.search(rf'set_tests_properties\("{re.escape(name)}" PROPERTIES ([^)]*)\)', text)[1]
    assert "SKIP_RETURN_CODE 77" in properties
    assert "LABELS counters" in properties
    assert f'DEPENDS "{timed}"' in properties


HOSTILE = [
    'x]==])\nfile(WRITE "{}" "")\nset(z [==[',
    'x"\n)\nfile(WRITE "{}" "")\nset(z "',
    'x)\nfile(WRITE [===[{}]===] "")\nset(z "',
    "]==",
    "]=",
    "\n\\ $ENV{HOME} ${CMAKE_VERSION} @CMAKE_VERSION@ $<1:x> #[[",
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_is_executed_by_cmake_or_ctest(tmp_path, text):
    """Whatever discovery lets through, it stays one argument of the generated files, unchanged."""
    executed = tmp_path / "executed"
    text = text.replace("{}", str(executed))
    task = load_tasks(ROOT / "tasks")["softmax"]
    candidate = Candidate("a", "a", Path(f"/{text}/softmax.cu"), "softmax", ("tiny",), text, 1, 0)
    output = tmp_path / "cudabench" / NAME
    places = Places(NAME, output, tmp_path / "shared", tmp_path, tmp_path / "recorder")
    write_suite(Folder(output), places, [Case(candidate, task, "tiny")])

    targets = output / "targets" / "softmax"
    (targets / "CTestTestfile.cmake").write_text(f'include("{targets}/tests.cmake")\n')
    listed = subprocess.run(["ctest", "-N", "--test-dir", targets], capture_output=True, text=True, check=True)
    assert "deep_learning.softmax.tiny.a" in listed.stdout
    assert "Total Tests: 2" in listed.stdout

    script = tmp_path / "script.cmake"
    functions = "\n".join(
        f"macro(_cudabench_{name})\nendmacro()"
        for name in ("candidate_directory", "module_options", "linked_candidate", "reference", "program")
    )
    script.write_text(
        f"{functions}\nfunction(_cudabench_candidate id source)\n"
        f'  file(WRITE "{tmp_path}/source" "${{source}}")\n'
        f'  file(WRITE "{tmp_path}/count" "${{ARGC}}")\nendfunction()\n'
        f'include("{targets}/CMakeLists.txt")\n'
    )
    subprocess.run(["cmake", "-P", script], capture_output=True, text=True, check=True)
    if candidate.needs_link:
        assert (output / "sources" / "a" / "candidate.cu").readlink() == candidate.source
        assert (targets / "a.cu").read_text().splitlines() == [
            f'#include "{tmp_path}/shared/generated/contracts/earlier_cuda.h"',
            f'#include "{output}/sources/a/candidate.cu"',
            f'#include "{tmp_path}/shared/generated/contracts/end_of_source.h"',
            f'#include "{tmp_path}/shared/generated/contracts/softmax.h"',
        ]
    else:
        assert (tmp_path / "source").read_text() == str(candidate.source)
        assert (tmp_path / "count").read_text() == "2"
    assert not executed.exists()
