"""What one machine built, another grades: from an archive, at another path, with CTest and without compilers."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from conftest import Grading
from test_stages import EXPECTED, ended_in

CASES = ("naive/softmax", "not_compiling/softmax", "off_by_one/gaussian_blur", "wrong_signature/softmax")


@contextmanager
def _out_of_the_way(path: Path) -> Iterator[None]:
    aside = path.with_name(f"{path.name} aside")
    path.rename(aside)
    try:
        yield
    finally:
        aside.rename(path)


def _ctest(build_dir: Path) -> str:
    """The program itself: what PATH has may be a script that needs more of PATH."""
    cache = (build_dir / "CMakeCache.txt").read_text(encoding="utf-8")
    return re.search(r"^CMAKE_CTEST_COMMAND:INTERNAL=(.+)$", cache, flags=re.MULTILINE)[1]


def _archive(build_dir: Path, archive: Path) -> None:
    """As docs/machines.md says, without the results that are there already."""
    words = ["--exclude=*.o", "--exclude=*.a", "--exclude=*/results", "-C", build_dir.parent, build_dir.name]
    subprocess.run(["tar", "-cf", archive, *words], check=True)


def test_an_archived_build_tree_is_graded_elsewhere_without_compilers(grading: Grading, build_dir: Path) -> None:
    ctest = _ctest(build_dir)
    with TemporaryDirectory(dir=build_dir.parent, prefix="another place ") as name:
        place = Path(name)
        _archive(build_dir, place / "tree.tar")
        subprocess.run(["tar", "-xf", place / "tree.tar", "-C", place], check=True)
        (place / "tree.tar").unlink()
        moved, nothing = place / build_dir.name, place / "nothing"
        nothing.mkdir()
        environment = {**os.environ, "PATH": str(nothing)}
        assert not any(shutil.which(program, path=environment["PATH"]) for program in ("nvcc", "c++", "cmake", "ninja"))
        pattern = rf"\.tiny\.({'|'.join(case.replace('/', '_') for case in CASES)})$"
        with _out_of_the_way(build_dir):
            command = [ctest, "-j", "2", "-R", pattern]
            finished = subprocess.run(command, cwd=moved, env=environment, capture_output=True, text=True, check=False)
        results = moved / "cudabench" / "candidates" / "results"
        ended = {file.stem: ended_in(json.loads(file.read_text(encoding="utf-8"))) for file in results.glob("*.json")}
    assert ended == {f"{case.replace('/', '_')}_tiny": EXPECTED[case] for case in CASES}, finished.stdout
