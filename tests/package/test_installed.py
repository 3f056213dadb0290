"""find_package(cudabench): a team grades a task and forty kernels of its own, with its headers and flags."""

import re
from pathlib import Path

from conftest import Project, run

SOURCE = Path(__file__).parent / "installed"
KERNELS = 40
KERNEL = """
#include "detail/factor.cuh" // in a folder below that of the kernel
#include <team/row.h>      // of INCLUDE_DIRECTORIES

#ifdef TEAM_OWN_CODE
#error options of the team's own code reach candidates
#endif

__global__ void reverse(const float* input, float* output, int rows, int cols) {
    for (int i = blockIdx.x * TEAM_BLOCK + threadIdx.x; i < rows * cols; i += gridDim.x * TEAM_BLOCK)
        output[i] = factor() * input[i / cols * cols + mirrored(i % cols, cols)];
}

extern "C" void solve(const float* input, float* output, int rows, int cols) {
    reverse<<<8, TEAM_BLOCK>>>(input, output, rows, cols);
}
"""


def write_kernels(folder: Path) -> None:
    for number in range(KERNELS):
        place = folder / (f"v{number}" if number else "wrong")
        (place / "detail").mkdir(parents=True)
        (place / "row_reversal.cu").write_text(KERNEL)
        (place / "detail" / "factor.cuh").write_text(
            f"__device__ inline float factor() {{ return {number}.0f / {number or 1}.0f; }}\n"
        )


def test_a_team_grades_its_own_task(installation: Path, cmake: str, tmp_path: Path) -> None:
    write_kernels(tmp_path / "kernels")
    project = Project(cmake, SOURCE, tmp_path / "build")
    assert f"{KERNELS} cases in team_kernels" in project.configure(
        CMAKE_PREFIX_PATH=installation, KERNELS=tmp_path / "kernels"
    )
    project.make("team_kernels")
    assert "no work to do" in project.make("team_kernels")

    listed = project.ctest("-N", "-L", "^task=row_reversal$", "-L", "^domain=layout$", "-L", "^scale=tiny$").stdout
    assert f"Total Tests: {KERNELS}" in listed
    tested = project.ctest("-j", "2", "-L", "^scale=tiny$")
    assert f"1 tests failed out of {KERNELS}" in tested.stdout, tested.stdout
    outcomes = project.outcomes()
    assert len(outcomes) == KERNELS
    assert [name for name, outcome in outcomes.items() if not outcome.correct] == ["wrong/row_reversal"]
    assert outcomes["wrong/row_reversal"].stage in ("edge", "values")

    (tmp_path / "json.py").write_text("raise SystemExit('a module of the current directory was loaded')\n")
    report = run(installation / "bin" / "cudabench-report", project.build, cwd=tmp_path)
    assert re.search(r"row_reversal", report)


def test_public_headers_need_the_standard_library_only(installation: Path, tmp_path: Path) -> None:
    """Each compiles alone, and with neither fmt, nlohmann_json, GoogleTest nor CUDA to be found."""
    headers = sorted((installation / "include").rglob("*.h"))
    assert [str(header.relative_to(installation / "include" / "cudabench")) for header in headers] == [
        "case/case.h",
        "case/task.h",
    ]
    for header in headers:
        included = re.findall(r"#include ([<\"].*[>\"])", header.read_text())
        assert all(re.fullmatch(r'<[a-z]+>|"case/task\.h"', name) for name in included), included
        source = tmp_path / "alone.cpp"
        source.write_text(f'#include "{header}"\n#include "{header}"\n')
        flags = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        run("c++", *flags, f"-I{installation}/include/cudabench", source)


def test_the_package_holds_no_path_of_the_build(installation: Path) -> None:
    for file in (installation / "lib").rglob("*.cmake"):
        assert "first place" not in file.read_text(), file
