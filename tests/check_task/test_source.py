"""What of a source is code, and what `solve` reaches."""

from check_task.mutation.source import code_of, reachable

SOURCE = """\
#include <climits>
#define TWO 2

namespace {

constexpr int threads = 256; // a comment with unused()

struct Plain {
    __device__ double operator()(double value) const { return value; }
};

struct Absolute {
    __device__ double operator()(double value) const { return fabs(value); }
};

__device__ int unused() {
    return 1;
}

template <typename Map> __global__ void sum(const float* input, float* output, int N, Map map) {
    __shared__ double partial[threads];
    const char* text = "unused { < }";
    output[0] = map(input[0]) + '}' + partial[0];
}

template <typename Map> void launch(const float* input, float* output, int N, Map map) {
    sum<<<1, threads>>>(input, output, N, map);
}

} // namespace

extern "C" void solve(const float* input, float* output, int N) {
    launch(input, output, N, Plain{});
}

extern "C" void magnitude(const float* input, float* output, int N) {
    launch(input, output, N, Absolute{});
}
"""


def test_comments_texts_and_the_preprocessor_are_no_code():
    code = code_of(SOURCE)
    assert len(code) == len(SOURCE)
    assert code.count("\n") == SOURCE.count("\n")
    assert all(word not in code for word in ("include", "TWO", "comment", "{ < }", "'}'"))
    assert "sum<<<1, threads>>>" in code


def test_what_solve_reaches():
    code = code_of(SOURCE)
    parts = " ".join(code[start:end] for start, end in reachable(code))
    assert all(name in parts for name in ("solve", "launch", "sum", "Plain", "threads"))
    assert all(name not in parts for name in ("magnitude", "Absolute", "int unused"))


def test_what_magnitude_reaches():
    code = code_of(SOURCE)
    parts = " ".join(code[start:end] for start, end in reachable(code, "magnitude"))
    assert "Absolute" in parts
    assert "Plain" not in parts
