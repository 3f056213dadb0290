"""CSV, Markdown, JUnit and CTest tags, read back by other programs than those that wrote them."""

import csv
import html
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conftest import DEVICE
from test_table import run_report

from report.__main__ import load_runs
from report.csv_table import COLUMNS, csv_text
from report.ctest_tags import ctest_tags
from report.document import repeat_command
from report.junit import LARGEST_FILE, write_junit
from report.markdown import markdown_text

HOSTILE = "=cmd|' /C calc'!A0 </failure>]]> \ufffe | `x` [a](http://b) <script> & ![]()"


@pytest.fixture
def graded(build):
    """A pass, failures of two stages with hostile words, a case without a GPU, a fault, and one that is stale."""
    build.passed(build.case("softmax", "tiny"), 0.71, 0.62, seconds=1.234e-5)
    build.failed(build.case("softmax", "huge"), "values", HOSTILE + "\nsecond line")
    build.compiled(build.case("gelu", "tiny", candidate="bad"), "failed", stderr="x.cu(1): error: expected a ;")
    build.result(
        build.case("sobel", "tiny", domain="vision"), "not_run", stage="not_run", message="needs a GPU", device=None
    )
    build.result(build.case("sobel", "huge", domain="vision"), "fault", stage="fault", message="no memory left")
    stale = build.case("fir", "tiny", domain="signal_processing")
    build.result(stale, task_hash="of an earlier statement")
    return build


def runs(build):
    return load_runs([build.root])


def test_csv_has_a_row_a_case(graded):
    rows = list(csv.DictReader(csv_text(runs(graded)).splitlines()))
    assert len(rows) == 6
    assert set(rows[0]) == set(COLUMNS)
    assert rows[0] | {"source_sha256": ""} == {
        "run": "candidates", "case": "gpt_level3_softmax_tiny", "domain": "deep_learning", "task": "softmax",
        "scale": "tiny", "candidate": "gpt/level3/softmax", "model": "gpt", "level": "3", "sample": "0",
        "verdict": "pass", "stage": "", "message": "", "seconds": "1.234e-05", "performance": "0.71",
        "speed_of_light": "0.62", "counters": "declared", "marks": "", "device": DEVICE["name"],
        "device_uuid": DEVICE["uuid"], "seed": "0x1234567890abcdef", "source_sha256": "",
    }  # fmt: skip
    assert [row["verdict"] for row in rows] == ["pass", "fail", "fail", "not_run", "not_run", "stale"]


def test_no_cell_is_a_formula(graded):
    for row in csv.DictReader(csv_text(runs(graded)).splitlines()):
        assert not any(cell.startswith(("=", "+", "-", "@")) for cell in row.values())


def test_markdown_shows_scores_and_failures(graded):
    text = markdown_text(runs(graded))
    assert "| all | 6 | 3/4 | 1/3 | null | null |" in text
    assert "| vision | 2 |" in text
    assert "<details><summary>2 failures</summary>" in text
    assert "- 1 case not graded, not\\_run: needs a GPU" in text


def test_markdown_is_not_steered_by_candidates(graded):
    text = markdown_text(runs(graded))
    assert set(re.findall(r"</?([a-z]+)[ >]", text)) == {"details", "summary", "code"}
    (row,) = [line for line in text.splitlines() if "cmd" in line]
    assert len(re.findall(r"(?<!\\)\|", row)) == 7, "a message makes no cells"
    assert not re.search(r"(?<!\\)\[", row)


@pytest.mark.parametrize(
    "link", ["https://a.example/b", "ftp://a.example", "www.a.example", "WWW.a.example", "b@a.example"]
)
def test_markdown_has_no_links_of_candidates(build, link):
    """GitHub makes a link of whatever looks like one (GitHub Flavored Markdown, 6.9)."""
    build.failed(build.case(), message=f"see {link} @somebody")
    text = markdown_text(runs(build))
    assert "example" in text
    assert not re.search(r"://|www\.|@\w", text, re.IGNORECASE)


def test_markdown_shows_commands_as_they_are(build):
    build.failed(build.case(), message="no")
    (command,) = re.findall("<code>(.*)</code>", markdown_text(runs(build)))
    plain = html.unescape(re.sub(r"\\([\W_])", r"\1", command))
    (outcome,) = runs(build)[0].outcomes
    assert plain == repeat_command(outcome)


def test_markdown_of_many_failures_is_small(build):
    for number in range(400):
        build.failed(build.case("softmax", "tiny", candidate=f"model{number}/level1/softmax"), message="x" * 5000)
    assert len(markdown_text(runs(build)).encode()) < 1 << 18  # GitHub takes 1 MiB a step


def junit_files(build, tmp_path: Path) -> dict[str, ElementTree.Element]:
    written = write_junit(tmp_path / "junit", runs(build))
    assert sorted(written) == sorted((tmp_path / "junit").iterdir())
    return {path.name: ElementTree.parse(path).getroot() for path in written}


def test_junit_has_a_file_a_domain(graded, tmp_path):
    files = junit_files(graded, tmp_path)
    assert set(files) == {f"candidates.{d}.xml" for d in ("deep_learning", "vision", "signal_processing")}
    (suite,) = files["candidates.deep_learning.xml"]
    assert {k: suite.get(k) for k in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3", "failures": "2", "errors": "0", "skipped": "0",
    }  # fmt: skip
    (vision,) = files["candidates.vision.xml"]
    assert [vision.get(k) for k in ("tests", "failures", "errors", "skipped")] == ["2", "0", "1", "1"]
    (stale,) = files["candidates.signal_processing.xml"]
    assert stale.get("errors") == "1"


def test_junit_cases_have_properties_and_messages(graded, tmp_path):
    passed, failed, _ = junit_files(graded, tmp_path)["candidates.deep_learning.xml"].iter("testcase")
    assert (passed.get("classname"), passed.get("name")) == (
        "candidates.deep_learning.softmax",
        "gpt_level3_softmax.tiny",
    )
    properties = {p.get("name"): p.get("value") for p in passed.iter("property")}
    assert properties["performance"] == "0.71"
    assert properties["model"] == "gpt"
    assert properties["seed"] == "0x1234567890abcdef"
    assert "stage" not in properties
    failure = failed.find("failure")
    assert failure.get("type") == "values"
    assert failure.get("message") == HOSTILE.replace("\ufffe", "?")
    assert "second line" in failure.text
    assert "ctest --test-dir" in failure.text


def test_names_of_cases_are_unique_in_a_file(graded, tmp_path):
    for root in junit_files(graded, tmp_path).values():
        names = [(case.get("classname"), case.get("name")) for case in root.iter("testcase")]
        assert len(set(names)) == len(names), "GitLab ignores the second of two"


def test_junit_files_are_of_limited_size(build, tmp_path, monkeypatch):
    for number in range(60):
        build.failed(build.case("softmax", "tiny", candidate=f"model{number}/level1/softmax"), message="x" * 9000)
    monkeypatch.setattr("report.junit.LARGEST_FILE", 60_000)
    files = junit_files(build, tmp_path)
    assert len(files) > 3
    assert all(path.stat().st_size < 64_000 for path in (tmp_path / "junit").iterdir())
    cases = [case.get("name") for root in files.values() for case in root.iter("testcase")]
    assert len(set(cases)) == len(cases) == 60
    assert LARGEST_FILE < 30e6  # GitLab's limit


def test_files_of_an_earlier_report_go(graded, tmp_path):
    folder = tmp_path / "junit"
    folder.mkdir()
    (folder / "candidates.gone.xml").write_text("<testsuites/>")
    (folder / "another.vision.xml").write_text("<testsuites/>")
    write_junit(folder, runs(graded))
    assert not (folder / "candidates.gone.xml").exists()
    assert (folder / "another.vision.xml").exists()


def test_junit_is_read_by_junitparser(graded, tmp_path):
    junitparser = pytest.importorskip("junitparser")
    folder = tmp_path / "junit"
    write_junit(folder, runs(graded))
    total = junitparser.JUnitXml()
    for path in folder.iterdir():
        total += junitparser.JUnitXml.fromfile(str(path))
    total.update_statistics()
    assert (total.tests, total.failures, total.errors, total.skipped) == (6, 2, 2, 1)
    (suite,) = junitparser.JUnitXml.fromfile(str(folder / "candidates.deep_learning.xml"))
    kinds = [type(result).__name__ for case in suite for result in case.result]
    assert kinds == ["Failure", "Failure"]


def test_junit_is_of_the_form_that_services_read(graded, tmp_path):
    xmlschema = pytest.importorskip("xmlschema")
    schema = xmlschema.XMLSchema(Path(__file__).with_name("junit.xsd"))
    folder = tmp_path / "junit"
    for path in write_junit(folder, runs(graded)):
        schema.validate(path)
    broken = (
        (folder / "candidates.vision.xml").read_text().replace("<skipped", "<ignored").replace("</skipped", "</ignored")
    )
    assert not schema.is_valid(broken)


def test_ctest_tags(graded, build):
    assert ctest_tags(runs(graded)).splitlines() == [
        '<CTestMeasurement type="numeric/double" name="compiled_rate">0.75</CTestMeasurement>',
        '<CTestMeasurement type="numeric/double" name="correct_rate">0.333333</CTestMeasurement>',
    ]


def test_all_formats_at_once(graded, tmp_path):
    words = ["--csv", "all.csv", "--markdown", "all.md", "--junit", "all", "--ctest-tags"]
    words = [word if word.startswith("--") else str(tmp_path / word) for word in words]
    (tmp_path / "all.md").write_text("what was there before\n")
    process = run_report(str(graded.root), *words)
    assert process.returncode == 0, process.stderr
    assert "<CTestMeasurement" in process.stdout
    assert (tmp_path / "all.csv").read_text().startswith("run,case,")
    assert (tmp_path / "all.md").read_text().startswith("what was there before\n## CUDABench")
    assert len(list((tmp_path / "all").iterdir())) == 3


def test_a_format_that_cannot_be_written(graded, tmp_path):
    process = run_report(str(graded.root), "--csv", str(tmp_path / "absent" / "all.csv"))
    assert process.returncode == 4
    assert "cannot write the report" in process.stderr
