"""`cudabench doctor`: what this machine has, and the remedy for what it lacks. A line a finding."""

import argparse
import ctypes
import json
import os
import platform
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from command.build_tree import job_count
from command.checkout import ROOT, python
from command.ending import CommandError, Exit
from command.gpus import ask_driver, write_resource_spec
from report.plural import plural

_LANDLOCK_CREATE_RULESET = 444  # the same number on every architecture
_LANDLOCK_VERSION = 1
_PR_GET_SECCOMP = 21


@dataclass(frozen=True)
class Finding:
    what: str
    found: str | None  # None: missing
    remedy: str
    # "run": without it everything is built, but cases do not run; "count": they do, uncounted; "trust": they do, with
    # one wall less around candidates
    needed_to: str = "build"


def add_parser(commands: argparse._SubParsersAction) -> None:
    parser = commands.add_parser(
        "doctor",
        help="tell what is missing on this machine",
        epilog="exit codes: 0 nothing that grading needs is missing, 2 usage, 3 candidates can be built but not run, "
        "4 they cannot be built, or a file cannot be written",
    )
    parser.add_argument("--json", action="store_true", help="print the findings as JSON")
    parser.add_argument(
        "--resource-spec", type=Path, metavar="FILE", help="write CTest's resource specification of this machine's GPUs"
    )
    parser.add_argument(
        "--slots", type=job_count, default=1, metavar="N", help="cases at a time on each GPU in it (default: 1)"
    )
    parser.set_defaults(start=examine)


def examine(arguments: argparse.Namespace) -> int:
    if arguments.resource_spec:
        return _write_resource_spec(arguments.resource_spec, arguments.slots)
    findings = list(_findings())
    if arguments.json:
        print(json.dumps({"schema": 1, "findings": [_document(finding) for finding in findings]}, indent=1))
    else:
        for finding in findings:
            state, text = ("missing", finding.remedy) if finding.found is None else ("ok", finding.found)
            print(f"{state:<8} {finding.what}: {text}")
    lacking = {finding.needed_to for finding in findings if finding.found is None}
    return Exit.FAULT if "build" in lacking else Exit.NOT_RUN if "run" in lacking else Exit.DONE


def _document(finding: Finding) -> dict[str, str | None]:
    remedy = finding.remedy if finding.found is None else None
    return {"what": finding.what, "found": finding.found, "needed_to": finding.needed_to, "remedy": remedy}


def _write_resource_spec(path: Path, slots: int) -> int:
    try:
        gpus = ask_driver().gpus
    except OSError as error:
        raise CommandError(Exit.NOT_RUN, f"there is no GPU to write a specification of: {error}") from error
    write_resource_spec(path, gpus, slots)
    print(f"{path}: {plural(len(gpus), 'GPU')}, {plural(slots, 'slot')} each; give it to ctest --resource-spec-file")
    return Exit.DONE


def _findings() -> Iterator[Finding]:
    yield Finding("Python", platform.python_version(), "")
    yield _module("jinja2", "python3-jinja2")
    yield _tool("cmake", (3, 25), "apt-get install cmake")
    yield _tool("ninja", (1, 10), "apt-get install ninja-build")
    yield _tool("g++", (12, 0), "apt-get install g++")
    yield _tool(
        "nvcc", (13, 0), "install the CUDA toolkit 13 and put its bin/ into PATH", fallback="/usr/local/cuda/bin"
    )
    yield _headers()
    yield Finding("NVIDIA driver and GPUs", *_probe(_gpu, "install NVIDIA's driver"), needed_to="run")
    yield Finding("performance counters", *_counters(), needed_to="count")
    yield from _walls()
    confinement = "use Linux 5.13 or newer with Landlock enabled, or grade with --unsafe"
    yield Finding("Landlock", *_probe(_landlock, confinement), needed_to="run")
    yield Finding("seccomp", *_probe(_seccomp, "use a kernel with seccomp, or grade with --unsafe"), needed_to="run")
    free = shutil.disk_usage(ROOT).free >> 30
    yield Finding("disk", f"{free} GiB free" if free else None, "make room: a run needs about 1 GiB")


def _probe(probe: Callable[[], str], remedy: str) -> tuple[str | None, str]:
    try:
        return probe(), remedy
    except OSError as error:
        return None, f"{error}; {remedy}"


def _module(name: str, package: str) -> Finding:
    interpreter = python()
    probe = subprocess.run([interpreter, "-c", f"import {name}"], capture_output=True, check=False)
    found = str(interpreter) if probe.returncode == 0 else None
    return Finding(name, found, f"apt-get install {package}, or bash tools/setup/setup.sh")


def _headers() -> Finding:
    """Of the libraries that the harness is built with, by Debian's packages."""
    compiler = shutil.which("g++")
    if not compiler:
        return Finding("C++ libraries", None, "apt-get install g++ first")
    lacking = [package for package, header in _LIBRARIES.items() if not _compiles(compiler, header)]
    found = None if lacking else ", ".join(_LIBRARIES)
    return Finding("C++ libraries", found, f"apt-get install {' '.join(lacking)}, or bash tools/setup/setup.sh")


_LIBRARIES = {
    "libgtest-dev": "gtest/gtest.h",
    "libgmock-dev": "gmock/gmock.h",
    "libfmt-dev": "fmt/core.h",
    "nlohmann-json3-dev": "nlohmann/json.hpp",
}


def _compiles(compiler: str, header: str) -> bool:
    text = f"#if !__has_include(<{header}>)\n#error\n#endif\n"
    command = [compiler, "-E", "-x", "c++", "-"]
    return subprocess.run(command, input=text, text=True, capture_output=True, check=False).returncode == 0


def _tool(name: str, minimum: tuple[int, int], remedy: str, fallback: str | None = None) -> Finding:
    path = shutil.which(name) or (fallback and shutil.which(name, path=fallback))
    if not path:
        return Finding(name, None, remedy)
    output = subprocess.run([path, "--version"], capture_output=True, text=True, check=False).stdout
    numbers = re.search(r"release (\d+)\.(\d+)", output) or re.search(r"(\d+)\.(\d+)", output)
    version = (int(numbers[1]), int(numbers[2])) if numbers else (0, 0)
    text = f"{version[0]}.{version[1]}"
    if version < minimum:
        return Finding(name, None, f"{path} is {text}, needed is {minimum[0]}.{minimum[1]}; {remedy}")
    return Finding(name, f"{text} at {path}", remedy)


def _gpu() -> str:
    driver = ask_driver()
    names = Counter(gpu.name for gpu in driver.gpus)
    text = ", ".join(name if count == 1 else f"{count} {name}" for name, count in names.items())
    return f"{text}, driver for CUDA {driver.version}"


def _walls() -> Iterator[Finding]:
    """Whether kernels of candidates reach only what is on the GPU."""
    try:
        open_to = [gpu.name for gpu in ask_driver().gpus if gpu.reaches_host_memory]
    except OSError:
        return
    remedy = (
        f"{', '.join(dict.fromkeys(open_to))} can read and write all memory of a process, also the grader's; against "
        "candidates that are not trusted put `options nvidia_uvm uvm_disable_hmm=1` into "
        "/etc/modprobe.d/nvidia-uvm.conf and load the module anew or restart"
    )
    yield Finding("host memory is out of kernels' reach", None if open_to else "yes", remedy, needed_to="trust")


def _counters() -> tuple[str | None, str]:
    """Whether CUPTI is here and the driver lets this user count; else scores use the work of the tasks' models."""
    places = [Path("/usr/local/cuda") / folder for folder in ("lib64", "extras/CUPTI/lib64")]
    names = ["libcupti.so.13", *(str(place / "libcupti.so.13") for place in places)]
    if named := os.environ.get("CUDABENCH_CUPTI"):
        names = [named]
    if not any(map(_loadable, names)):
        return None, (
            f"CUDABENCH_CUPTI names {named}, which cannot be loaded"
            if named
            else "install CUPTI of the CUDA toolkit (package cuda-cupti-13-0), or name its library by CUDABENCH_CUPTI"
        )
    try:
        parameters = Path("/proc/driver/nvidia/params").read_text(encoding="utf-8")
    except OSError:
        return "CUPTI is here; the driver's parameters cannot be read", ""
    if "RmProfilingAdminOnly: 1" in parameters and not _may_administrate():
        return None, (
            "the driver allows them to administrators only; put `options nvidia NVreg_RestrictProfilingToAdminUsers=0` "
            "into /etc/modprobe.d/nvidia-profiling.conf, update the initramfs and restart, or grade as root "
            "(scores use the work of the tasks' models without)"
        )
    return "CUPTI is here, the driver allows them", ""


def _loadable(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _may_administrate() -> bool:
    """CAP_SYS_ADMIN or CAP_PERFMON among the effective capabilities of this process."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    effective = int(re.search(r"^CapEff:\s*([0-9a-f]+)", status, re.MULTILINE)[1], 16)
    return bool(effective & (1 << 21 | 1 << 38))


def _landlock() -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _LANDLOCK_VERSION)
    if version < 1:
        raise OSError("this kernel offers no Landlock")
    return f"version {version}"


def _seccomp() -> str:
    if ctypes.CDLL(None).prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) < 0:
        raise OSError("this kernel offers no seccomp")
    return "available"
