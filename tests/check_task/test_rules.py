"""Which mutants are made of a source."""

import pytest

from check_task.mutation.rules import Mutation, chosen, mutations

SOURCE = """\
__global__ void add(const float* input, float* output, int rows, int cols, float alpha) {
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ float partial[32 + 1];
    double sum = 0;
    for (int i = 0; i < cols; ++i) {
        sum += static_cast<double>(input[index]) * alpha;
    }
    __syncthreads();
    if (index < rows) {
        output[index + 1] = static_cast<float>(sum * 0.5);
    }
}

extern "C" void solve(const float* input, float* output, int rows, int cols, float alpha) {
    add<<<1, 32>>>(input, output, rows, cols, alpha);
}

extern "C" void magnitude(const float* input, float* output, int rows, int cols, float alpha) {
    if (rows < 7) {
        return;
    }
}
"""


@pytest.fixture
def found(tasks) -> list[Mutation]:
    """A task whose sizes are called rows and cols."""
    return mutations(tasks["matrix_transpose"], SOURCE)


def changes(found: list[Mutation], kind: str) -> list[tuple[str, str]]:
    return [mutation.change(SOURCE) for mutation in found if mutation.kind == kind]


def test_boundary(found):
    assert changes(found, "boundary") == [
        ("for (int i = 0; i < cols; ++i) {", "for (int i = 0; i <= cols; ++i) {"),
        ("if (index < rows) {", "if (index <= rows) {"),
    ]


def test_barrier(found):
    assert changes(found, "barrier") == [("__syncthreads();", ";")]


def test_initialisation(found):
    assert changes(found, "initialisation") == [("double sum = 0;", "double sum = 1;")]


def test_exchanged_sizes_and_axes(found):
    changed = [after for _, after in changes(found, "axis")]
    assert "const int index = blockIdx.y * blockDim.x + threadIdx.x;" in changed
    assert "const int index = blockIdx.x * blockDim.x + threadIdx.y;" in changed
    assert "if (index < cols) {" in changed
    assert "for (int i = 0; i < rows; ++i) {" in changed


def test_dropped_terms(found):
    before = "sum += static_cast<double>(input[index]) * alpha;"
    assert (before, ";") in changes(found, "dropped term")
    assert (before, before.replace("+=", "=")) in changes(found, "dropped term")


def test_constants_and_roundings(found):
    line = "output[index + 1] = static_cast<float>(sum * 0.5);"
    assert (line, line.replace("0.5", "0.505")) in changes(found, "constant")
    assert (line, "output[index + 1] = cudabench_rounded(static_cast<float>(sum * 0.5));") in changes(found, "rounding")


def test_off_by_one_spares_declarations_of_arrays(found):
    changed = [before for before, _ in changes(found, "off by one")]
    assert "output[index + 1] = static_cast<float>(sum * 0.5);" in changed
    assert not any("__shared__" in line for line in changed)


def test_only_what_solve_reaches(found):
    assert not any("rows < 7" in mutation.change(SOURCE)[0] for mutation in found)


def test_each_mutant_differs_in_one_place(found):
    sources = [mutation.apply(SOURCE) for mutation in found]
    assert len(set(sources)) == len(sources)
    assert SOURCE not in sources
    assert len({mutation.name for mutation in found}) == len(found)


def test_kinds_take_turns(found):
    first = next(chosen(found, 8))
    assert len({mutation.kind for mutation in first}) == 8
    again = [mutation.name for batch in chosen(found, 8) for mutation in batch]
    assert sorted(again) == sorted(mutation.name for mutation in found)


def test_mutants_of_every_task_are_many_and_of_many_kinds(tasks):
    for task in tasks.values():
        found = mutations(task, task.reference_path.read_text())
        assert len(found) >= 10, task.name
        assert len({mutation.kind for mutation in found}) >= 4, task.name
