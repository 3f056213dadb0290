#!/usr/bin/env bash
# Installs what building and testing CUDABench needs and is missing here; quick when nothing is.
#
#   tools/setup/setup.sh [--lint]      with --lint also clang-format and clang-tidy
#
# System packages come from Debian's (Ubuntu's) repositories: as root they are installed, otherwise the command is
# printed. Python packages go to .venv/ in the checkout, in the versions that requirements.txt pins.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
requirements=$root/tools/setup/requirements.txt
venv=$root/.venv
packages=()

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# at_least 3.25 3.30.2
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }
first_number() { grep -oE '[0-9]+(\.[0-9]+)+|[0-9]+' | head -n 1; }

# need_tool <minimum version> <package> <program>
need_tool() {
    local version
    version=$("$3" --version 2>/dev/null | head -n 1 | first_number) || version=
    if [ -z "$version" ] || ! at_least "$1" "$version"; then
        packages+=("$2")
    fi
}

# need_header <package> <header>
need_header() {
    printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$2" | "${CXX:-g++}" -E -x c++ - >/dev/null 2>&1 || packages+=("$1")
}

find_system_packages() {
    need_tool 3.25 cmake cmake
    need_tool 1.10 ninja-build ninja
    need_tool 12 g++ "${CXX:-g++}"
    need_header libgtest-dev gtest/gtest.h
    need_header libgmock-dev gmock/gmock.h
    need_header libfmt-dev fmt/core.h
    need_header nlohmann-json3-dev nlohmann/json.hpp
    need_tool 3.11 python3 python3
    python3 -c 'import ensurepip, venv' 2>/dev/null || [ -x "$venv/bin/python3" ] || packages+=(python3-venv)
    if [ "${1:-}" = --lint ]; then
        command -v clang-format >/dev/null || packages+=(clang-format)
        command -v run-clang-tidy >/dev/null || packages+=(clang-tidy)
    fi
}

install_system_packages() {
    [ ${#packages[@]} -gt 0 ] || return 0
    local command="apt-get update && apt-get install -y --no-install-recommends ${packages[*]}"
    if ! command -v apt-get >/dev/null; then
        die "missing, by their Debian names: ${packages[*]}. Install them with this system's package manager."
    fi
    if [ "$(id -u)" -ne 0 ]; then
        die "missing packages; run this and then again:  sudo sh -c '$command'"
    fi
    say "$command"
    DEBIAN_FRONTEND=noninteractive sh -c "$command" >&2 </dev/null || die "apt-get failed, see above"
    packages=()
    find_system_packages "$@"
    [ ${#packages[@]} -eq 0 ] || die "this distribution's ${packages[*]} are too old; needed are CMake 3.25, g++ 12, Python 3.11"
}

check_cuda() {
    local nvcc version
    nvcc=${CUDACXX:-$(command -v nvcc || echo "${CUDA_PATH:-/usr/local/cuda}/bin/nvcc")}
    [ -x "$nvcc" ] || die "nvcc not found: install the CUDA toolkit 13.0 or newer (package cuda-toolkit-13-0 of NVIDIA's repository), or set CUDACXX"
    version=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p') || version=
    at_least 13.0 "${version:-0}" || die "$nvcc is of CUDA ${version:-unknown}: 13.0 or newer is needed"
}

set_up_python() {
    local stamp=$venv/.requirements
    if cmp -s "$requirements" "$stamp" && "$venv/bin/python3" -c 'import jinja2' 2>/dev/null; then
        return 0
    fi
    say "python3 -m venv .venv && .venv/bin/python3 -m pip install -r tools/setup/requirements.txt"
    if ! "$venv/bin/python3" -m pip --version >/dev/null 2>&1; then
        rm -rf "$venv" # none yet, or of a Python that is gone
        python3 -m venv "$venv" >&2 || die "python3 -m venv failed, see above"
    fi
    if "$venv/bin/python3" -m pip install --quiet --disable-pip-version-check -r "$requirements" >&2 </dev/null; then
        cp "$requirements" "$stamp"
    elif "$venv/bin/python3" -c 'import jinja2' 2>/dev/null; then
        say "the pinned Python packages could not be fetched; going on with those that .venv has"
    elif python3 -c 'import jinja2' 2>/dev/null; then
        rm -rf "$venv"
        say "no Python packages could be fetched; going on with the system's Python, which can grade but not run all tests"
    else
        rm -rf "$venv"
        die "no Python packages could be fetched; without a network: apt-get install python3-jinja2"
    fi
}

case "${1:-}" in
"" | --lint) ;;
*) die "unknown argument $1; usage: tools/setup/setup.sh [--lint]" ;;
esac
find_system_packages "$@"
install_system_packages "$@"
check_cuda
set_up_python
