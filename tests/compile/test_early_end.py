"""A source that ends within a declaration is told so, and not what the contract after it makes of that."""

from pathlib import Path

import pytest
from conftest import NVCC, Launcher, Outcome

SOLVE = 'extern "C" void solve(const float* input, float* output, int rows, int cols)'
END_OF_SOURCE = Path(__file__).resolve().parents[2] / "tools" / "generator" / "templates" / "end_of_source.h"


def compiled_to_its_end(launcher: Launcher, text: str) -> Outcome:
    """As in a wrapper, which includes what finds that a source has no end."""
    generated = launcher.folder / "generated"
    (generated / "contracts").mkdir(parents=True)
    (generated / "contracts" / "end_of_source.h").write_text(END_OF_SOURCE.read_text())
    wrapper = launcher.build / "wrapper.cu"
    source = launcher.source(text)
    wrapper.write_text(f'#include "{source}"\n#include "contracts/end_of_source.h"\n')
    command = [NVCC, "-c", f"-I{generated}", wrapper, "-o", launcher.object]
    return launcher.run("--record", launcher.record, "--source", source, "--", *command)


@pytest.mark.parametrize(
    "text",
    [
        SOLVE,
        SOLVE[:60],
        SOLVE + " {\n    if (rows) {\n    }",
        "namespace mine {\n" + SOLVE + " {}",
        'extern "C" {\nvoid solve() {}',
        "struct Shape { int rows; }",
        "struct Shape {\n    int rows;",
        "int rows = 1 +",
        "template <typename T>",
    ],
)
def test_a_source_that_ends_early_is_told_so(launcher: Launcher, text: str) -> None:
    first = "// A source\n\n"
    outcome = compiled_to_its_end(launcher, first + text + "\n\n")
    source = launcher.candidate / "softmax.cu"
    last_line = (first + text).count("\n") + 1
    assert outcome.output.splitlines()[0].startswith(f"{source}({last_line}): error: the source ends within a declarat")
    assert outcome.record["stderr"] == outcome.output
    assert (outcome.record["status"], outcome.record["stage"]) == ("failed", "compile")


@pytest.mark.parametrize("text", ["int broken = ;", "int broken = ;\n" + SOLVE, "#error no", "#include <absent>"])
def test_the_first_error_of_a_source_is_its_own(launcher: Launcher, text: str) -> None:
    outcome = compiled_to_its_end(launcher, text)
    assert outcome.record["status"] == "failed"
    assert "the source ends" not in outcome.output


def test_a_source_that_ends_where_it_should(launcher: Launcher) -> None:
    outcome = compiled_to_its_end(launcher, SOLVE + " {}\n")
    assert (outcome.output, outcome.record["status"]) == ("", "ok")
