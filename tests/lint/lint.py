"""Checks of style and static analysis. Exit codes: 0 clean, 1 findings, 77 the tool is not installed."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CPP = (".cpp", ".h")
MISSING = 77


def tracked(root: Path, *suffixes: str) -> list[Path]:
    """Files of the checkout; all below it where it is no git repository."""
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, capture_output=True, text=True, check=False)
    if listing.returncode == 0:
        files = [root / name for name in listing.stdout.split("\0") if name]
    else:
        files = [path for path in root.rglob("*") if not {".git", ".venv", "build"} & set(path.relative_to(root).parts)]
    return sorted(path for path in files if path.is_file() and (not suffixes or path.suffix in suffixes))


def cpp_files(root: Path) -> list[Path]:
    return [path for path in tracked(root, *CPP) if path.relative_to(root).parts[0] in ("harness", "tools", "tests")]


def check_format(arguments: argparse.Namespace) -> int:
    mode = ["-i"] if arguments.fix else ["--dry-run", "-Werror"]
    return subprocess.run([arguments.program, *mode, *cpp_files(arguments.root)], check=False).returncode


def check_python(arguments: argparse.Namespace) -> int:
    options = {"cwd": arguments.root, "check": False}
    found = subprocess.run([arguments.program, "check", "--no-cache", "."], **options).returncode
    layout = subprocess.run([arguments.program, "format", "--no-cache", "--check", "."], **options).returncode
    return int(bool(found or layout))


def check_tidy(arguments: argparse.Namespace) -> int:
    """All sources of harness and tools that the build compiles. A source that was clean is not analysed again before
    it, a header or the configuration changes."""
    database = json.loads((arguments.build / "compile_commands.json").read_text(encoding="utf-8"))
    sources = sorted({str(Path(entry["directory"], entry["file"])) for entry in database})
    own = [
        source
        for source in sources
        if source.endswith(".cpp") and source.startswith((f"{arguments.root}/harness/", f"{arguments.root}/tools/"))
    ]
    common = hashlib.sha256()
    for path in [arguments.root / ".clang-tidy", *tracked(arguments.root, ".h")]:
        common.update(path.read_bytes())
    clean = arguments.build / "tidy"
    clean.mkdir(exist_ok=True)

    def analyse(source: str) -> bool:
        key = common.copy()
        key.update(source.encode() + b"\0" + Path(source).read_bytes())
        stamp = clean / key.hexdigest()
        if stamp.exists():
            return True
        command = [arguments.program, "-p", arguments.build, "--quiet", source]
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        if finished.returncode == 0:
            stamp.touch()
        else:
            print(finished.stdout, end="", flush=True)
        return finished.returncode == 0

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        results = list(pool.map(analyse, own))
    print(f"{results.count(True)} of {len(results)} sources are clean")
    return 0 if all(results) and results else 1


def check_words(arguments: argparse.Namespace) -> int:
    """Nothing unfinished, and no path of one machine, in what is published."""
    forbidden = re.compile(r"\b(TODO|FIXME|XXX)\b|/root/")
    findings = 0
    for path in tracked(arguments.root):
        if path == Path(__file__).resolve():
            continue
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, start=1):
            if forbidden.search(line):
                findings += 1
                print(f"{path}:{number}: {line.strip()}")
    return int(findings > 0)


def check_discovery(arguments: argparse.Namespace) -> int:
    """What gtest_discover_tests() makes of the tests. CMake 4 writes properties between brackets, which a value that
    ends with one closes too early: CTest then reads none of the tests. And a parameter that GoogleTest prints byte by
    byte or with its address gives a test another name in each build; NO_PRETTY_VALUES leaves it out."""
    findings = 0
    for path in tracked(arguments.root, ".txt"):
        if path.name != "CMakeLists.txt":
            continue
        for call in re.findall(r"gtest_discover_tests\([^)]*\)", path.read_text(encoding="utf-8")):
            if re.search(r'\]"|\](?=[\s)])', call):
                findings += 1
                print(f"{path}: a property of discovered tests ends with a bracket: {call}")
    listing = subprocess.run(
        [arguments.program, "-N", "--test-dir", arguments.build], capture_output=True, text=True, check=False
    )
    broken = [
        line for line in listing.stdout.splitlines() if re.search(r"-byte object <|0x[0-9a-f]+ pointing to", line)
    ]
    if listing.returncode or "Error" in listing.stderr:
        broken.append(listing.stderr.strip())
    for line in broken:
        print(f"ctest -N: {line.strip()}")
    return int(findings > 0 or bool(broken))


CHECKS = {
    "discovery": check_discovery,
    "format": check_format,
    "python": check_python,
    "tidy": check_tidy,
    "words": check_words,
}


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("check", choices=CHECKS)
    parser.add_argument("--root", type=lambda text: Path(text).resolve(), required=True)
    parser.add_argument("--build", type=Path)
    parser.add_argument("--program", default="")
    parser.add_argument("--fix", action="store_true", help="rewrite instead of checking")
    arguments = parser.parse_args(words)
    if arguments.program.endswith("-NOTFOUND"):
        print(f"{arguments.program.removesuffix('-NOTFOUND').lower()}: not installed; tools/setup/setup.sh --lint")
        return MISSING
    return CHECKS[arguments.check](arguments)


if __name__ == "__main__":
    sys.exit(main())
