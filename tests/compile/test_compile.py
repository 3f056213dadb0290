"""What becomes of a candidate's compilation, and what it can reach."""

import hashlib
import json
import os
import re
import shlex
import signal
import struct
import subprocess
import time
from pathlib import Path

import pytest
from conftest import COMPILE, NVCC, Launcher

KERNEL = """
__global__ void shift(float* data, int by) {
    __shared__ float tile[128];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[(threadIdx.x + by) % 128];
}
"""
ENDLESS = """
template <int depth, unsigned long path> struct Tree {
    static const int value = Tree<depth - 1, 2 * path>::value + Tree<depth - 1, 2 * path + 1>::value;
};
template <unsigned long path> struct Tree<0, path> { static const int value = 1; };
int value = Tree<24, 0>::value;
"""


def test_success_is_recorded(launcher: Launcher) -> None:
    outcome = launcher.compile(KERNEL)
    assert (outcome.status, outcome.output) == (0, ""), "ptxas's information is for the record"
    record = outcome.record
    assert record["schema"] == 1
    assert (record["status"], record["step"], record["rc"], record["confined"]) == ("ok", "compile", 0, True)
    assert record["seconds"] > 0.05
    assert record["max_rss"] > 10 << 20, "bytes, and nvcc's processes are larger than 10 MiB"
    assert record["command"][0] == NVCC
    (kernel,) = record["kernels"]
    assert kernel == {**kernel, "name": "_Z5shiftPfi", "shared_bytes": 128 * 4, "stack_bytes": 0, "spill_stores": 0}
    assert kernel["registers"] == _registers_in_binary(launcher.object)


def test_spills_are_recorded(launcher: Launcher) -> None:
    body = "".join(f"float v{i} = p[{i} * n];" for i in range(64)) + "__syncthreads();"
    body += "".join(f"p[{i} * n + 1] = v{i};" for i in reversed(range(64)))
    source = "__global__ void spill(volatile float* p, int n) {" + body + "}"
    outcome = launcher.compile(source, flags=("-maxrregcount=24",))
    (kernel,) = outcome.record["kernels"]
    assert kernel["registers"] <= 24
    assert kernel["spill_stores"] >= 4 * (64 - 24), "64 values live at once and 24 registers"
    assert kernel["spill_loads"] >= 4 * (64 - 24)


@pytest.mark.parametrize("size", [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000])
def test_source_is_identified_by_sha256(launcher: Launcher, size: int) -> None:
    text = ("// " + "x" * size)[:size]
    outcome = launcher.compile(text)
    assert outcome.record["source_sha256"] == hashlib.sha256(text.encode()).hexdigest()


def test_compile_error_passes_through(launcher: Launcher) -> None:
    outcome = launcher.compile("int broken = ;")
    assert outcome.status != 0
    assert "expected an expression" in outcome.output
    assert outcome.record["status"] == "failed"
    assert outcome.record["stage"] == "compile"
    assert "expected an expression" in outcome.record["stderr"]
    assert not launcher.object.exists()


REFUSAL = 'static_assert(sizeof(int) == 0, "CUDABENCH_CONTRACT: solve has another type");'


def test_contract_is_a_stage_of_its_own(launcher: Launcher) -> None:
    generated = launcher.folder / "generated"
    (generated / "contracts").mkdir(parents=True)
    (generated / "contracts" / "softmax.h").write_text(REFUSAL + "\n")
    outcome = launcher.compile('#include "contracts/softmax.h"\n', flags=(f"-I{generated}",))
    assert (outcome.record["status"], outcome.record["stage"]) == ("failed", "contract"), outcome.output


LINE = 'contracts/softmax.h(1): error: static assertion failed with "CUDABENCH_CONTRACT: no'


@pytest.mark.parametrize(
    "text", [REFUSAL, "#warning CUDABENCH_CONTRACT\nint broken = ;", f"#warning {{generated}}/{LINE}\nint broken = ;"]
)
def test_a_source_cannot_say_that_the_contract_refused_it(launcher: Launcher, text: str) -> None:
    generated = launcher.folder / "generated"
    outcome = launcher.compile(text.replace("{generated}", str(generated)) + "\n", flags=(f"-I{generated}",))
    assert "CUDABENCH_CONTRACT" in outcome.output
    assert (outcome.record["status"], outcome.record["stage"]) == ("failed", "compile")


BROKEN = "\nint broken = ;"


@pytest.mark.parametrize(
    "text",
    [
        '#include "contracts/softmax.h"' + BROKEN,
        '# 1 "HEADER"\n' + REFUSAL + BROKEN,
        '# 1 "LINE"' + BROKEN,
        '# 1 "LINE"\n#warning of the preprocessor\n__global__ void f() { asm("broken;"); }',
        'static_assert(sizeof(int) == 0, "\\nLINE\\nLINE");' + BROKEN,
        "MANY" + BROKEN,
    ],
)
def test_the_contract_refuses_only_what_has_no_other_error(launcher: Launcher, text: str) -> None:
    """Its stage counts as compiled."""
    generated = launcher.folder / "generated"
    (generated / "contracts").mkdir(parents=True)
    (generated / "contracts" / "softmax.h").write_text(REFUSAL + "\n")
    text = text.replace("LINE", f"{generated}/{LINE}".replace('"', r"\""))
    text = text.replace("MANY", f'# 1 "HEADER"\n{REFUSAL}\n' * 120).replace(
        "HEADER", f"{generated}/contracts/softmax.h"
    )
    outcome = launcher.compile(text + "\n", flags=(f"-I{generated}",))
    assert LINE.partition("CUDABENCH")[0] in outcome.output
    assert (outcome.record["status"], outcome.record["stage"]) == ("failed", "compile"), outcome.output


def test_the_word_alone_is_no_contract_failure(launcher: Launcher) -> None:
    outcome = launcher.compile("#warning CUDABENCH_CONTRACT\n")
    assert (outcome.status, outcome.record["status"], outcome.record["stage"]) == (0, "ok", "compile")


def test_link_error_names_the_function(launcher: Launcher) -> None:
    compiled = launcher.compile('extern "C" int cublasCreate_v2(void**); void use() { cublasCreate_v2(0); }' + KERNEL)
    assert compiled.status == 0
    linked = launcher.link()
    assert linked.status != 0
    record = linked.record
    assert (record["status"], record["stage"], record["step"]) == ("failed", "compile", "link")
    assert "undefined reference to `cublasCreate_v2'" in record["stderr"]
    assert [kernel["name"] for kernel in record["kernels"]] == ["_Z5shiftPfi"], "the compilation's values stay"


def test_link_success_keeps_the_compilation(launcher: Launcher) -> None:
    compiled = launcher.compile("int answer() { return 42; }", flags=("-cudart", "none", "-x", "c++"))
    linked = launcher.link()
    assert linked.status == 0, linked.output
    assert linked.record["status"] == "ok"
    assert linked.record["command"] == compiled.record["command"]
    assert linked.record["seconds"] > compiled.record["seconds"]


def test_link_after_a_link_that_failed(launcher: Launcher) -> None:
    launcher.compile("int missing(); int answer() { return missing(); }", flags=("-x", "c++"))
    assert launcher.link().record["status"] == "failed"
    launcher.compile("int answer() { return 42; }", flags=("-x", "c++"))
    assert launcher.link().record["status"] == "ok"


def test_a_link_writes_its_own_output_only(launcher: Launcher) -> None:
    launcher.compile("int answer() { return 42; }", flags=("-x", "c++"))
    other = launcher.build / "other.so"
    other.write_text("another's module")
    # Objects can hold sections for optimisation by the linker, a source by asm, and these options for the assembler.
    options = ["-flto", "-ffat-lto-objects", "-fPIC", "-Xassembler", f"--MD={other}"]
    source = launcher.candidate / "softmax.cu"
    subprocess.run(["g++", *options, "-x", "c++", "-c", source, "-o", launcher.object], check=True)
    other.write_text("another's module")
    linked = launcher.link()
    assert other.read_text() == "another's module"
    assert sorted(path.name for path in launcher.build.iterdir()) == sorted(
        {"other.so", "softmax.o", *(["softmax.so"] if linked.status == 0 else [])}
    ), "nothing else is left there"


def test_deadline(launcher: Launcher) -> None:
    start = time.monotonic()
    outcome = launcher.compile(ENDLESS, "--deadline", "3")
    assert time.monotonic() - start < 30
    assert outcome.status == 124
    assert outcome.record["status"] == "timeout"
    assert "deadline of 3" in outcome.output
    assert not _processes_of(launcher.folder)


def test_interrupt_leaves_no_process(launcher: Launcher) -> None:
    source = launcher.source(ENDLESS)
    process = subprocess.Popen(
        [COMPILE, "--record", launcher.record, "--source", source, "--", NVCC, "-c", source, "-o", launcher.object],
        cwd=launcher.build,
    )
    while len(_processes_of(launcher.folder)) < 3:  # the launcher, nvcc, and a compiler
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 128 + signal.SIGTERM
    assert not _processes_of(launcher.folder)
    assert not launcher.record.exists(), "nothing is known of the candidate"


def test_a_process_that_leaves_the_group_is_ended(launcher: Launcher) -> None:
    source = launcher.source("")
    daemon = "setsid sleep 86399.5 & exit 0"
    outcome = launcher.run("--record", launcher.record, "--source", source, "--", "bash", "-c", daemon)
    assert outcome.status == 0
    listing = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
    assert "sleep 86399.5" not in listing


@pytest.mark.parametrize("place", ["references/secret.cu", "other/answer.cu"])
@pytest.mark.parametrize("trick", ['asm(".incbin \\"{}\\"");', '#include "{}"'])
def test_other_files_cannot_be_read(launcher: Launcher, place: str, trick: str) -> None:
    secret = launcher.folder / place
    secret.parent.mkdir()
    secret.write_text("// the answer\n")
    outcome = launcher.compile(trick.format(secret) + "\n")
    assert outcome.record["status"] == "failed"
    assert re.search("ermission denied|file not found", outcome.output)


def test_a_link_out_of_the_folder_leads_nowhere(launcher: Launcher) -> None:
    (launcher.folder / "secret.h").write_text("")
    (launcher.candidate / "inside.h").symlink_to(launcher.folder / "secret.h")
    assert launcher.compile('#include "inside.h"').record["status"] == "failed"


def test_own_folder_toolkit_and_declared_folders_can_be_read(launcher: Launcher) -> None:
    shared = launcher.folder / "with space"
    shared.mkdir()
    (shared / "shared.h").write_text("")
    (launcher.candidate / "own.h").write_text("")
    outcome = launcher.compile(
        '#include "own.h"\n#include <shared.h>\n#include <cub/cub.cuh>\n#include <vector>\n', flags=("-I", str(shared))
    )
    assert outcome.status == 0, outcome.output


@pytest.mark.parametrize("place", ["other.cu", "other/own.h", "other/deep/own.h", ".git/config", "notes.txt"])
def test_other_files_of_the_folder_cannot_be_read(launcher: Launcher, place: str) -> None:
    other = launcher.candidate / place
    other.parent.mkdir(exist_ok=True, parents=True)
    other.write_text("// the answer\n")
    if place.startswith("other/"):  # a folder of another candidate
        (launcher.candidate / "other" / "answer.cu").write_text("")
    for trick in (f'#include "{place}"', f'asm(".incbin \\"{other}\\"");'):
        outcome = launcher.compile(trick + "\n")
        assert outcome.record["status"] == "failed"
        assert re.search("ermission denied|file not found", outcome.output)


def test_headers_beside_the_source_can_be_read(launcher: Launcher) -> None:
    names = ["a.h", "b.cuh", "c.hpp", "d.hh", "e.inl"]
    for name in names:
        (launcher.candidate / name).write_text("")
    outcome = launcher.compile("".join(f'#include "{name}"\n' for name in names))
    assert outcome.status == 0, outcome.output


def test_headers_below_the_source_can_be_read_but_by_no_link(launcher: Launcher) -> None:
    (launcher.candidate / "detail" / "deep").mkdir(parents=True)
    (launcher.candidate / "detail" / "deep" / "a.h").write_text("")
    outcome = launcher.compile('#include "detail/deep/a.h"\n')
    assert outcome.status == 0, outcome.output
    (launcher.folder / "elsewhere").mkdir()
    (launcher.folder / "elsewhere" / "b.h").write_text("")
    (launcher.candidate / "linked").symlink_to(launcher.folder / "elsewhere")
    assert launcher.compile('#include "linked/b.h"\n').record["status"] == "failed"


def test_a_source_behind_a_link_has_the_rights_of_its_own_folder(launcher: Launcher) -> None:
    """As for names that build systems cannot take: what lies beside the link is not the candidate's."""
    source = launcher.source('#include "own.h"\n')
    (source.parent / "own.h").write_text("")
    (source.parent / "other.cu").write_text("// the answer\n")
    links = launcher.folder / "links"
    links.mkdir()
    (links / "candidate.cu").symlink_to(source)
    (links / "folder").symlink_to(source.parent)

    def run() -> dict:
        command = [NVCC, "-c", links / "candidate.cu", f"-I{links}/folder", "-o", launcher.object]
        return launcher.run(
            "--record", launcher.record, "--linked-source", links / "candidate.cu", "--", *command
        ).record

    assert run()["status"] == "ok"
    assert run()["source"] == str(source)
    source.write_text('#include "other.cu"\n')
    refused = run()
    assert refused["status"] == "failed"
    assert f"{source}:1:10: fatal error: {source.parent}/other.cu: Permission denied" in refused["stderr"]
    assert str(links) not in refused["stderr"], "paths are the author's"
    assert "INCLUDE_DIRECTORIES" in refused["stderr"]
    outcome = launcher.run("--record", launcher.record, "--linked-source", source, "--", NVCC)
    assert outcome.status == 2
    assert "--linked-source" in outcome.output


def test_names_of_folders_do_not_steer_a_terminal_either(launcher: Launcher) -> None:
    folder = launcher.candidate / "a\033[2Jb\u202ec"
    folder.mkdir()
    (folder / "softmax.cu").write_text("int broken = ;\n")
    (launcher.build / "candidate.cu").symlink_to(folder / "softmax.cu")
    (launcher.build / "folder").symlink_to(folder)
    command = [NVCC, "-c", launcher.build / "candidate.cu", "-o", launcher.object]
    outcome = launcher.run(
        "--record", launcher.record, "--linked-source", launcher.build / "candidate.cu", "--", *command
    )
    assert f"{launcher.candidate}/a?[2Jb???c/softmax.cu(1): error: " in outcome.output
    assert outcome.record["stderr"] == outcome.output


def test_headers_that_were_read_are_recorded(launcher: Launcher) -> None:
    shared = launcher.folder / "with space #1"
    shared.mkdir()
    texts = {shared / "shared.h": "// shared\n", launcher.candidate / "own.h": "#include <shared.h>\n"}
    for path, text in {**texts, launcher.candidate / "unused.h": ""}.items():
        path.write_text(text)
    flags = (f"-I{shared}", "-MD", "-MT", "softmax.o", "-MF", "softmax.d", "-x", "c++")
    compiled = launcher.compile('#include "own.h"\n#include <vector>\nint answer() { return 42; }\n', flags=flags)
    assert compiled.status == 0, compiled.output
    recorded = {entry["path"]: entry["sha256"] for entry in compiled.record["inputs"]}
    assert recorded == {str(path): hashlib.sha256(text.encode()).hexdigest() for path, text in texts.items()}
    source_sha256 = compiled.record["source_sha256"]
    launcher.source("// another by now\n")
    linked = launcher.link()
    assert linked.status == 0, linked.output
    assert (linked.record["inputs"], linked.record["source_sha256"]) == (compiled.record["inputs"], source_sha256)


def test_flags_from_the_environment_are_scrubbed(launcher: Launcher) -> None:
    env = {
        "NVCC_PREPEND_FLAGS": "-DHIDDEN",
        "NVCC_APPEND_FLAGS": "-DHIDDEN",
        "CPATH": str(launcher.folder),
        "CPLUS_INCLUDE_PATH": str(launcher.folder),
    }
    (launcher.folder / "hidden.h").write_text("")
    text = (
        "#ifdef HIDDEN\n#error a flag came in\n#endif\n#if __has_include(<hidden.h>)\n#error a folder came in\n#endif\n"
    )
    outcome = launcher.compile(text, env=env)
    assert outcome.status == 0, outcome.output


def test_record_mode_lets_the_build_go_on(launcher: Launcher) -> None:
    depfile = launcher.build / "softmax.d"
    flags = ("-MD", "-MT", "softmax.o", "-MF", str(depfile))
    compiled = launcher.compile("int broken = ;", "--mode", "record", flags=flags)
    assert compiled.status == 0
    assert compiled.record["status"] == "failed"
    assert launcher.object.read_bytes() == b""
    assert depfile.read_text().split() == ["softmax.o:", str(launcher.candidate / "softmax.cu")]
    linked = launcher.link("--mode", "record")
    assert linked.status == 0
    assert linked.record == compiled.record
    assert (launcher.build / "softmax.so").read_bytes() == b""


def test_record_mode_records_a_link_error(launcher: Launcher) -> None:
    launcher.compile("int missing(); int answer() { return missing(); }", "--mode", "record", flags=("-x", "c++"))
    linked = launcher.link("--mode", "record")
    assert linked.status == 0
    assert (linked.record["status"], linked.record["step"]) == ("failed", "link")


def test_output_without_end_is_capped(launcher: Launcher) -> None:
    source = launcher.source("")
    outcome = launcher.run("--record", launcher.record, "--source", source, "--deadline", "2", "--", "yes")
    assert outcome.record["status"] == "timeout"
    assert outcome.record["stderr_truncated"]
    assert launcher.record.stat().st_size < 1 << 20


def test_output_that_is_no_text(launcher: Launcher) -> None:
    source = launcher.source("")
    outcome = launcher.run("--record", launcher.record, "--source", source, "--", "printf", r"\377\000\200")
    assert outcome.record["status"] == "ok"


def test_memory_is_limited(launcher: Launcher) -> None:
    source = launcher.source("")
    command = ["/usr/bin/perl", "-e", "$x = 'a' x (7 << 30)"]
    outcome = launcher.run("--record", launcher.record, "--source", source, "--", *command)
    assert outcome.record["status"] in ("failed", "crashed")
    assert outcome.record["max_rss"] < 6 << 30


def test_a_compiler_that_does_not_start_is_not_the_candidates_fault(launcher: Launcher) -> None:
    source = launcher.source("")
    outcome = launcher.run("--record", launcher.record, "--source", source, "--", "no-such-compiler")
    assert (outcome.status, outcome.record) == (4, None)
    assert "cannot start no-such-compiler: " in outcome.output


def _mount(place: Path, size: str) -> tuple[str, list[str]]:
    """A file system of its own: the command that mounts it, and what makes a namespace for that; skips without."""
    place.mkdir()
    alone = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    mount = f"mount -t tmpfs -o size={size} none {shlex.quote(str(place))}"
    if subprocess.run([*alone, "sh", "-c", mount], capture_output=True, check=False).returncode:
        pytest.skip("needs a mount namespace")
    return mount, alone


def _in_mount(alone: list[str], mount: str, words: list) -> subprocess.CompletedProcess[str]:
    command = f"{mount} && exec {shlex.join(map(str, words))}"
    return subprocess.run([*alone, "sh", "-c", command], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("mode", ["build_error", "record"])
@pytest.mark.parametrize("step", [(), ("--link",)], ids=["compile", "link"])
def test_a_disk_without_room_is_not_the_candidates_fault(
    launcher: Launcher, step: tuple[str, ...], mode: str, tmp_path: Path
) -> None:
    """On a file system of its own, without the room that a compilation may need, whatever the compiler says."""
    mount, alone = _mount(small := tmp_path / "small", "1m")
    launcher.record.write_text("{}")
    (objects := launcher.build / "softmax.o").write_text("")
    source = launcher.source("")
    words = [COMPILE, "--record", launcher.record, "--source", source, "--mode", mode, *step, "--"]
    words += ["sh", "-c", "echo error: so the compiler says; exit 1", objects, "-o", small / "softmax.so"]
    finished = _in_mount(alone, mount, words)
    assert finished.returncode == 4
    assert f"{small}: the disk is full (1 MiB free)" in finished.stderr
    assert not launcher.record.exists(), "that of an earlier source"
    assert objects.exists() == (not step), "compiled again before it is linked again"


def test_a_limit_on_files_is_not_the_candidates_fault(launcher: Launcher) -> None:
    source = launcher.source("")
    words = [COMPILE, "--record", launcher.record, "--source", source, "--", "sh", "-c", "seq 9999 > object"]
    command = f"ulimit -f 16; exec {shlex.join(map(str, words))}"
    finished = subprocess.run(["bash", "-c", command], cwd=launcher.build, capture_output=True, text=True, check=False)
    assert finished.returncode == 4
    assert "files may have 16384 bytes at most" in finished.stderr
    assert not launcher.record.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_to_is_not_the_candidates_fault(launcher: Launcher) -> None:
    launcher.build.chmod(0o555)
    try:
        outcome = launcher.compile(KERNEL)
    finally:
        launcher.build.chmod(0o755)
    assert (outcome.status, outcome.record) == (4, None)
    assert f"{launcher.build}: cannot be written to: Permission denied" in outcome.output


@pytest.mark.parametrize("place", ["line", "position"])
def test_a_source_cannot_speak_of_a_full_disk(launcher: Launcher, place: str, tmp_path: Path) -> None:
    """Else it could have its failures taken for the machine's; not even where there is little room."""
    mount, alone = _mount(small := tmp_path / "small", "400m")
    text = "cc1plus: fatal error: error writing to x.s: No space left on device"
    source = launcher.source(f"#error {text}\n")
    words = {
        "position": [NVCC, "-c", source, "-o", small / "softmax.o"],
        "line": ["sh", "-c", f"echo '{text}'; exit 1", "-o", small / "softmax.o"],
    }[place]
    launched = [COMPILE, "--record", launcher.record, "--source", source, "--", *words]
    finished = _in_mount(alone, mount, launched)
    assert finished.returncode not in (0, 4)
    assert json.loads(launcher.record.read_text())["status"] == "failed"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "--record and --source are both needed"),
        (["--record", "r", "--source", "s"], "no command after --"),
        (["--record", "r", "--source", "s", "--"], "no command after --"),
        (["--record", "--", "nvcc"], "--record: its value is missing"),
        (["--record", "r", "--source", "s", "--mode", "lenient", "--", "nvcc"], "must be build_error or record"),
        (["--record", "r", "--source", "s", "--deadline", "0", "--", "nvcc"], "must be a number of seconds"),
        (["--record", "r", "--source", "s", "--deadline", "nan", "--", "nvcc"], "must be a number of seconds"),
        (["--record", "r", "--source", "s", "--deadline", "5s", "--", "nvcc"], "must be a number of seconds"),
        (["--recrd", "r", "--", "nvcc"], "--recrd: unknown option"),
    ],
)
def test_wrong_arguments(launcher: Launcher, words: list[str], message: str) -> None:
    outcome = launcher.run(*words)
    assert outcome.status == 2
    assert message in outcome.output
    assert "usage:" in outcome.output
    assert outcome.record is None


def test_record_that_cannot_be_written(launcher: Launcher) -> None:
    source = launcher.source("")
    outcome = launcher.run("--record", "/proc/none/record.json", "--source", source, "--", "true")
    assert outcome.status == 4
    assert "/proc/none" in outcome.output


def test_source_that_does_not_exist(launcher: Launcher) -> None:
    outcome = launcher.run("--record", launcher.record, "--source", "absent.cu", "--", "true")
    assert outcome.status == 4
    assert "absent.cu" in outcome.output


def test_only_a_regular_file_of_usual_size_is_a_source(launcher: Launcher) -> None:
    """Nothing is waited for and nothing read without end."""
    folder = launcher.candidate
    os.mkfifo(folder / "pipe.cu")
    (folder / "plain.cu").write_text("")
    (folder / "link.cu").symlink_to("plain.cu")
    (folder / "large.cu").write_bytes(b" " * ((16 << 20) + 1))
    for source in (folder / "pipe.cu", folder / "link.cu", folder / "large.cu", Path("/dev/zero"), folder):
        outcome = launcher.run("--record", launcher.record, "--source", source, "--", "true")
        assert outcome.status == 4
        assert f"cannot read {source}: " in outcome.output
        assert outcome.record is None


def test_a_source_that_changes_meanwhile_is_not_what_was_compiled(launcher: Launcher) -> None:
    source = launcher.source("// before\n")
    change = f"echo '// after' > {source}"
    command = ["bash", "-c", change]
    before = hashlib.sha256(source.read_bytes()).hexdigest()
    outcome = launcher.run(
        "--record", launcher.record, "--source", source, "--", *command, "-o", launcher.candidate / "softmax.o"
    )
    assert source.read_text() == "// after\n"
    assert outcome.record["source_sha256"] == before


def test_termination_ends_it_after_the_command_too(launcher: Launcher) -> None:
    """Here it waits for a reader of the placeholder."""
    source = launcher.source("")
    pipe = launcher.build / "output.d"
    os.mkfifo(pipe)
    words = ["--record", launcher.record, "--source", source, "--mode", "record", "--", "false", "-MF", pipe]
    process = subprocess.Popen([COMPILE, *words], cwd=launcher.build)
    while not launcher.record.exists():
        assert process.poll() is None
        time.sleep(0.05)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    assert process.wait(10) == -signal.SIGTERM


def test_control_characters_do_not_reach_terminal_and_record(launcher: Launcher) -> None:
    source = launcher.source("")
    text = r"a\033[2Jb\007c\177d\302\233e\rf\tg\nh\303\251i\342\200\256j\342\201\246k"
    outcome = launcher.run("--record", launcher.record, "--source", source, "--", "printf", text)
    assert outcome.record["stderr"] == "a?[2Jb?c?d??e?f\tg\nh\u00e9i???j???k"
    assert outcome.output == outcome.record["stderr"]


def test_commands_of_continuous_integration_do_not_reach_the_log(launcher: Launcher) -> None:
    """As the build shows it: GitHub would set what a source asks for."""
    outcome = launcher.compile('static_assert(false, "\\n::error file=a::b");\n#warning ##[add-mask]c\n')
    assert "\n::error file=a::b" in outcome.record["stderr"]
    assert "##[add-mask]c" in outcome.record["stderr"]
    assert not re.search(r"^\s*::|##\[", outcome.output, re.MULTILINE)
    assert "\n: :error file=a::b" in outcome.output


def _registers_in_binary(path: Path) -> int:
    """Of the only kernel: the attribute REGCOUNT (0x2f, of 8 bytes: symbol and count) in the cubin's .nv.info."""
    data = path.read_bytes()
    cubin = data[data.index(b"\x7fELF", 1) :]
    (count,) = {
        struct.unpack_from("<I", cubin, match.end() + 4)[0] for match in re.finditer(rb"\x04\x2f\x08\x00", cubin)
    }
    return count


def _processes_of(folder: Path) -> list[int]:
    """Processes whose command line names the folder."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if (
                entry.name.isdecimal()
                and int(entry.name) != os.getpid()
                and str(folder) in (entry / "cmdline").read_text()
            ):
                found.append(int(entry.name))
        except OSError:
            pass
    return found
