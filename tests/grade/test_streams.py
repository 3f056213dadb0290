"""Which candidates are graded on one stream."""

import subprocess
import sys

import pytest
from conftest import EXAMPLES

from grade import streams
from grade.request import Request
from grade.streams import keeps_to_one_stream, makes_streams


def one_stream(source: bytes, stop_after: str = "values") -> bool:
    return keeps_to_one_stream(Request("a", "softmax", source, stop_after=stop_after))


@pytest.mark.parametrize("path", [path for name in ("naive", "good", "cub") for path in EXAMPLES.glob(f"{name}/*.cu")],
                         ids=lambda path: f"{path.parent.name}/{path.stem}")  # fmt: skip
def test_most_have_one(path):
    assert one_stream(path.read_bytes())


def test_what_is_timed_has_as_many_as_it_wants():
    source = (EXAMPLES / "naive" / "softmax.cu").read_bytes()
    assert not one_stream(source, "plausible")
    assert all(one_stream(source, stage) for stage in ("launch", "edge", "values"))


@pytest.mark.parametrize("path", [*EXAMPLES.glob("streams_and_events/*.cu")], ids=lambda path: path.stem)
def test_examples_with_streams(path):
    assert not one_stream(path.read_bytes())


@pytest.mark.parametrize(
    "source",
    [
        b"cudaStream_t s; cudaStreamCreate(&s);",
        b"f<<<1, 1, 0, cudaStreamPerThread>>>();",
        b"f<<<1, 1, 0, (CUstream_st*)2>>>();",
        b"cudaGraphInstantiate(&exec, graph, 0);",
        b"cuda::experimental::stream s{device};",
        b'#include "more.h"',
        b"# include MORE",
        b"#define CREATE(what) cuda##what##Create",
        b'dlsym(RTLD_DEFAULT, "cudaStr" "eamCreate")',
    ],
)
def test_what_may_have_streams(source):
    assert not one_stream(source)


@pytest.mark.parametrize(
    "source",
    [
        b"#include <sstream>\n#include <cub/cub.cuh>",
        b"// grid-stride over all streaming multiprocessors",
        b"f<<<1, 1>>>(); cudaEventRecord(e);",
    ],
)
def test_what_has_none(source):
    assert one_stream(source)


def test_sources_of_any_size_are_looked_at_in_time():
    """Such take hours where what is looked for may begin anywhere and end anywhere."""
    for word in (b"cu:", b"cuda::", b"# ", b"# include <"):
        assert one_stream(word * ((4 << 20) // len(word)))


@pytest.fixture
def compiled(tmp_path):
    def build(source: str):
        module = tmp_path / "module.so"
        command = ["c++", "-shared", "-fPIC", "-w", "-x", "c++", "-", "-o", module]
        subprocess.run(command, input=source, text=True, check=True)
        return module

    return build


PIECES = 'extern "C" int cudaStr\\\neamCreate(void**); int f(void** s) { return cudaStr\\\neamCreate(s); }'
ASSEMBLER = 'extern "C" int make(void**) asm("cudaStr" "eamCreate"); int f(void** s) { return make(s); }'
THREADS = "#include <thread>\nvoid f() { std::thread([] {}).join(); }"


@pytest.mark.parametrize("source", [PIECES, ASSEMBLER, THREADS], ids=range(3))
def test_a_module_tells_what_its_source_hides(compiled, source):
    assert one_stream(source.encode())
    assert makes_streams(compiled(source))


def test_a_module_without_streams(compiled):
    source = 'extern "C" int cudaStreamSynchronize(void*); int f() { return cudaStreamSynchronize(nullptr); }'
    assert not makes_streams(compiled(source))


def test_a_large_module_is_looked_at_in_pieces(tmp_path):
    """Whole, it takes all the memory, and no other request is served meanwhile."""
    module = tmp_path / "module.so"
    with module.open("wb") as file:
        file.seek(256 << 20)
        file.write(b"cudaGraphLaunch")
    look = "import resource, sys; from pathlib import Path; from grade.streams import makes_streams\n"
    look += "resource.setrlimit(resource.RLIMIT_AS, (128 << 20, 128 << 20)); print(makes_streams(Path(sys.argv[1])))"
    process = subprocess.run([sys.executable, "-c", look, module], capture_output=True, text=True, check=False)
    assert (process.stdout, process.stderr) == ("True\n", "")


@pytest.mark.parametrize("before", range(13))
def test_a_name_may_lie_in_two_pieces(tmp_path, monkeypatch, before):
    monkeypatch.setattr(streams, "_PIECE", 16)
    module = tmp_path / "module.so"
    module.write_bytes(b"." * (64 - before) + b"pthread_create" + b"." * 40)
    assert makes_streams(module)
