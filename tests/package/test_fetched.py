"""FetchContent: CUDABench is built with the project that uses it, and leaves that project's own settings alone."""

from pathlib import Path

from conftest import CMAKES, ROOT, Project

SOURCE = Path(__file__).parent / "fetched"


def test_sources_beside_those_of_the_project(cmake: str, tmp_path: Path) -> None:
    project = Project(cmake, SOURCE, tmp_path / "build")
    assert "1 cases in transposes" in project.configure(CUDABENCH_SOURCE=ROOT)
    cache = (project.build / "CMakeCache.txt").read_text()
    for option in ("CUDABENCH_BUILD_TESTS", "CUDABENCH_INSTALL", "CUDABENCH_WARNINGS_AS_ERRORS"):
        assert f"{option}:BOOL=OFF" in cache
    assert "CMAKE_BUILD_TYPE:STRING=\n" in cache, "the project chose none"
    assert "Total Tests: 2" in project.ctest("-N").stdout, "a case and a counting pass, and no test of CUDABench"
    if cmake != CMAKES[0]:
        return  # what is built is the same
    project.make("transposes")
    assert project.ctest("-L", "^scale=tiny$").returncode == 0
    (outcome,) = project.outcomes().values()
    assert outcome.correct
