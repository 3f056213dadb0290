"""`python -m generator.cases`: writes the suite that grades a directory of candidates; run by CMake at configure time.

Into the output folder go the manifest, a wrapper for each candidate, a GoogleTest program and a CTest directory for
each task. Files are written only when they change, so that a build has no more to do than needed.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from .candidates import Candidate, CandidateError, discover, explicit, listings, nearest
from .contract import contract_header
from .definition import SCALES, Task
from .descriptor import cmake_text, cpp_task, environment
from .errors import TaskError
from .files import Folder
from .shard import Shard, ShardError
from .task import load_tasks, tasks_of_set
from .wrapper import EARLIER_CUDA, END_OF_SOURCE, wrapper

SCHEMA = 1
_JSON = json.JSONEncoder(ensure_ascii=False)
_NO_LIST = str.maketrans("[];", "___")


@dataclass(frozen=True)
class Case:
    """One task x scale x candidate."""

    candidate: Candidate
    task: Task
    scale: str

    @cached_property
    def id(self) -> str:
        return f"{self.candidate.id}_{self.scale}"

    @cached_property
    def test_name(self) -> str:
        return f"{self.task.domain}.{self.task.name}.{self.scale}.{self.candidate.id}"

    @property
    def labels(self) -> str:
        """For CTest; those of the domain and the task belong to the directory."""
        labels = [f"scale={self.scale}"]
        if self.candidate.level:
            labels.append(f"level={self.candidate.level}")
        if self.candidate.model:  # a label with what CMake's lists are made of could not be selected
            labels.append(f"model={self.candidate.model.translate(_NO_LIST)}")
        return ";".join(labels)


@dataclass(frozen=True)
class Places:
    """Where things are; texts are relative to the build root, so that a build tree can move."""

    name: str
    output: Path
    shared: Path
    build_root: Path
    recorder: Path

    def relative(self, path: Path) -> str:
        return os.path.relpath(path, self.build_root)

    @cached_property
    def folder(self) -> str:
        """Of this suite; a text, because tens of thousands of paths are made of it."""
        return self.relative(self.output)

    def module(self, candidate: Candidate) -> str:
        return f"{self.folder}/modules/{candidate.id}.so"

    def compile_record(self, candidate: Candidate) -> str:
        return f"{self.folder}/compile/{candidate.id}.json"

    def result(self, case: Case) -> str:
        return f"{self.folder}/results/{case.id}.json"

    def wrapper(self, candidate: Candidate) -> str:
        """It includes the source, or a link to it that has a plain name: then the source's folder is the first include
        directory, and could hold a contract of its own."""
        if not candidate.needs_link:
            return wrapper(candidate.source, candidate.task)
        link = self.output / "sources" / candidate.id / "candidate.cu"
        return wrapper(link, candidate.task, self.shared / "generated")

    def reference(self, task: Task) -> str:
        return self.relative(self.shared / "references" / f"{task.name}.so")

    @property
    def depth(self) -> int:
        """Steps up from the folder of the test programs to the build root."""
        return len(Path(self.relative(self.output / "bin")).parts)


def select(candidates: Iterable[Candidate], tasks: dict[str, Task], scales: Sequence[str]) -> list[Case]:
    """All cases in the order of tasks, scales and candidates; raises CandidateError if there is none."""
    wanted = [scale for scale in SCALES if scale in scales]
    by_task: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        by_task.setdefault(candidate.task, []).append(candidate)
    cases = [
        Case(candidate, task, scale)
        for task in tasks.values()
        for scale in wanted
        for candidate in by_task.get(task.name, [])
        if scale in candidate.scales
    ]
    if not cases:
        selection = f"tasks ({', '.join(tasks)}) and scales ({', '.join(wanted)})"
        raise CandidateError(f"no candidate is for the selected {selection}")
    return cases


def manifest(places: Places, cases: Sequence[Case], shard: Shard | None = None) -> str:
    # A line a case: as readable as indented, and many times faster to write and to read.
    candidates: dict[str, str] = {}  # what the lines of a candidate have in common
    lines = []
    for case in cases:
        if case.candidate.id not in candidates:
            candidates[case.candidate.id] = _manifest_candidate(places, case)
        own = {"id": case.id, "scale": case.scale, "result": places.result(case)}
        lines.append(f"{_JSON.encode(own)[:-1]}, {candidates[case.candidate.id]}")
    head = {
        "schema": SCHEMA,
        "name": places.name,
        "tasks": sorted({case.task.name for case in cases}),
        "shard": {"index": shard.index, "count": shard.count} if shard else None,
    }
    return '{}, "cases": [\n{}\n]}}\n'.format(json.dumps(head)[:-1], ",\n".join(lines))


def _manifest_candidate(places: Places, case: Case) -> str:
    """The end of a JSON object."""
    candidate = case.candidate
    entry = {
        "task": case.task.name,
        "domain": case.task.domain,
        "candidate": {
            "name": candidate.name,
            "model": candidate.model,
            "level": candidate.level,
            "sample": candidate.sample,
            "source": str(candidate.source),
        },
        "task_hash": case.task.hash,
        "module": places.module(candidate),
        "compile_record": places.compile_record(candidate),
    }
    return _JSON.encode(entry)[1:]


def write_shared(folder: Folder, tasks: Iterable[Task]) -> None:
    """What all suites of a build tree have in common: contracts, and references in the same wrapping as candidates."""
    for header in (EARLIER_CUDA, END_OF_SOURCE):
        folder.write(f"generated/{header}", environment().get_template(Path(header).name).render())
    for task in tasks:
        folder.write(f"generated/contracts/{task.name}.h", contract_header(task))
        folder.write(f"wrappers/{task.name}.cu", wrapper(task.reference_path, task.name))


def _rows(cases: Sequence[Case], candidates: Sequence[Candidate]) -> list[tuple[str, int, int]]:
    """Of the table of cases in a test program: id, index of the candidate, index of the scale."""
    index = {candidate.id: number for number, candidate in enumerate(candidates)}
    return [(case.id, index[case.candidate.id], SCALES.index(case.scale)) for case in cases]


def _counted(cases: Sequence[Case]) -> tuple[str, str, str]:
    """Of the test that counts what a candidate executes: its candidate, the filter for its cases, their tests."""
    ids = ":".join(f"{case.task.name}.{case.id}" for case in cases)
    return cases[0].candidate.id, ids, ";".join(case.test_name for case in cases)


def write_suite(folder: Folder, places: Places, cases: Sequence[Case], shard: Shard | None = None) -> None:
    templates = environment()
    folder.write("manifest.json", manifest(places, cases, shard))
    by_task: dict[str, list[Case]] = {}
    for case in cases:
        by_task.setdefault(case.task.name, []).append(case)
    for name, own in by_task.items():
        task = own[0].task
        of_candidate: dict[str, list[Case]] = {}
        for case in own:
            of_candidate.setdefault(case.candidate.id, []).append(case)
        candidates = [cases[0].candidate for cases in of_candidate.values()]
        values = {"places": places, "task": task, "candidates": candidates}
        values["rows"] = _rows(own, candidates)
        values["labels"] = f"suite={places.name};domain={task.domain};task={name}"
        values["tests"] = [(case.test_name, case.id, cmake_text(case.labels)) for case in own]
        values["counted"] = [_counted(cases) for cases in of_candidate.values()]
        for candidate in candidates:
            # Beside CMakeLists.txt: for a source elsewhere CMake makes a folder for each step of the way to it.
            folder.write(f"targets/{name}/{candidate.id}.cu", places.wrapper(candidate))
            if candidate.needs_link:
                folder.link(f"sources/{candidate.id}/candidate.cu", candidate.source)
                folder.link(f"sources/{candidate.id}/folder", candidate.source.parent)
        folder.write(
            f"cases/{name}.cpp", templates.get_template("cases.cpp.j2").render(cpp_task=cpp_task(task), **values)
        )
        folder.write(f"targets/{name}/CMakeLists.txt", templates.get_template("targets.cmake.j2").render(values))
        folder.write(f"targets/{name}/tests.cmake", templates.get_template("tests.cmake.j2").render(values))
    folder.write("targets/CMakeLists.txt", "".join(f"add_subdirectory({name})\n" for name in by_task))
    folder.remove_others("listings", "sources", "cases", "targets")


def selected_tasks(tasks: dict[str, Task], names: Sequence[str]) -> dict[str, Task]:
    for name in names:
        if name not in tasks:
            raise CandidateError(f"no task is called {name}{nearest(name, tasks)}")
    return {name: task for name, task in tasks.items() if not names or name in names}


def generate(arguments: argparse.Namespace) -> int:
    """Returns the number of cases; raises CandidateError, TaskError and OSError."""
    for scale in arguments.scales:
        if scale not in SCALES:
            raise CandidateError(f"no scale is called {scale}; scales are {', '.join(SCALES)}")
    all_tasks = load_tasks(arguments.tasks, *map(tasks_of_set, arguments.task_sets))
    tasks = selected_tasks(all_tasks, arguments.task_filter)
    if arguments.directory is not None:
        candidates = discover(arguments.directory, all_tasks)
    else:
        candidates = explicit(arguments.files, all_tasks, arguments.task)
    cases = select(candidates, tasks, arguments.scales or SCALES)
    if arguments.shard:
        own = arguments.shard.of(case.candidate for case in cases)
        cases = [case for case in cases if case.candidate in own]
    places = Places(arguments.name, arguments.output, arguments.shared, arguments.build_root, arguments.recorder)
    write_shared(Folder(places.shared), {case.task.name: case.task for case in cases}.values())
    folder = Folder(places.output)
    for number, listing in enumerate(listings(arguments.directory) if arguments.directory else []):
        folder.link(f"listings/{number}.json", listing)
    write_suite(folder, places, cases, arguments.shard)
    return len(cases)


def _suite_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_.-]+", text):
        raise argparse.ArgumentTypeError(f"{text!r}: allowed are letters, digits, '_', '.' and '-'")
    return text


def _shard(text: str) -> Shard:
    try:
        return Shard.parse(text)
    except ShardError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def parse(words: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="generator.cases", description=__doc__.splitlines()[0])
    path = lambda text: Path(text).absolute()  # noqa: E731
    parser.add_argument("--name", type=_suite_name, required=True, help="of the suite: target, folder and prefix")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--directory", type=path, help="of candidates")
    source.add_argument("--files", type=path, nargs="+", help="candidates")
    parser.add_argument("--task", help="that all of --files are for; else their names say it")
    parser.add_argument("--tasks", type=path, required=True, help="directory of task files")
    parser.add_argument("--task-sets", type=path, nargs="*", default=[], help="directories of further tasks")
    parser.add_argument("--output", type=path, required=True, help="folder of this suite")
    parser.add_argument("--shared", type=path, required=True, help="folder of what all suites of a build tree share")
    parser.add_argument("--build-root", type=path, required=True)
    parser.add_argument("--recorder", type=path, required=True, help="cudabench_recorder")
    parser.add_argument("--scales", nargs="*", default=[], help="only these")
    parser.add_argument("--task-filter", nargs="*", default=[], help="only these tasks")
    parser.add_argument("--shard", type=_shard, metavar="I/N", help="only the candidates of the I-th of N parts")
    return parser.parse_args(words)


def main() -> int:
    try:
        count = generate(parse())
    except (CandidateError, TaskError, ShardError, OSError) as error:
        print(f"{error}", file=sys.stderr)
        return 2
    print(count)
    return 0


if __name__ == "__main__":
    sys.exit(main())
