"""Builds a candidate as the build tree does, by cudabench-compile, and remembers what became of it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.wrapper import contract_headers, wrapper

from . import children
from .cache import Cache, Entry
from .commands import BuildCommands
from .fault import GraderFault, Stopped
from .request import Request

DEADLINE = 600.0  # seconds, of CUDABENCH_COMPILE_DEADLINE
_LOCAL_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*[^<\s]", re.MULTILINE)


@dataclass
class Compiled:
    """What became of a source. Its files stay until close()."""

    entry: Entry
    record: dict[str, Any]
    cached: bool
    seconds: float  # that it took this time

    @property
    def module(self) -> Path:
        return self.entry.path / "candidate.so"

    @property
    def record_path(self) -> Path:
        return self.entry.path / "record.json"

    def close(self) -> None:
        self.entry.close()


class Compiler:
    """Thread-safe."""

    def __init__(self, commands: BuildCommands, cache: Cache) -> None:
        self._commands = commands
        self._cache = cache
        self._launcher = commands.directory / "bin" / "cudabench-compile"
        self._running: set[subprocess.Popen[bytes]] = set()
        self._stopped = False
        self._lock = threading.Lock()

    def compile(self, request: Request) -> Compiled:
        """Raises GraderFault and Stopped."""
        start = time.monotonic()
        key = self._key(request)
        entry = self._cache.find(key)
        record = _read(entry) if entry else None
        if entry and record and _is_current(record):
            return Compiled(entry, record, True, time.monotonic() - start)
        if entry:
            entry.close()
            self._cache.remove(key)
        entry = self._cache.create()
        try:
            record = self._build(request, entry)
            if record["status"] != "ok" and self._key(request) != key:
                raise GraderFault(f"{self._commands.directory} was built anew during the compilation; try again")
            if _may_be_kept(request, record):
                self._cache.keep(entry, key)
        except BaseException:
            entry.close()
            raise
        return Compiled(entry, record, False, time.monotonic() - start)

    def stop(self) -> None:
        """Ends what is running; nothing more is built."""
        with self._lock:
            self._stopped = True
            for process in self._running:
                process.terminate()

    def _build(self, request: Request, entry: Entry) -> dict[str, Any]:
        folder = entry.path
        source = self._source(request, folder)
        (folder / "wrapper.cu").write_text(wrapper(source, request.task), encoding="utf-8")
        (folder / "built").mkdir()
        built = folder / "built" / "candidate"
        launcher = [self._launcher, "--mode", "record", "--record", folder / "record.json", "--source", source]
        launcher += ["--deadline", str(request.limits.compile_seconds or DEADLINE)]
        self._run([*launcher, "--", *self._commands.compile(folder / "wrapper.cu", built)], folder)
        record = _read(entry)
        if record and record["status"] == "ok":
            module = folder / "built" / "candidate.so"
            self._run([*launcher, "--link", "--", *self._commands.link(built, module)], folder)
            record = _read(entry)
            if record and record["status"] == "ok":
                module.rename(folder / "candidate.so")
        if record is None:
            raise GraderFault(f"{self._launcher} left no record of a compilation")
        record["stderr"] = record["stderr"].replace(f"{folder}/source/", "").replace(f"{folder}/", "")
        (folder / "record.json").write_text(json.dumps(record), encoding="utf-8")
        for rest in (folder / "built").iterdir():
            rest.unlink()
        return record

    def _source(self, request: Request, folder: Path) -> Path:
        """A source that includes files of its folder is compiled where it lies, any other in a folder of its own."""
        if request.path and _LOCAL_INCLUDE.search(request.source):
            return request.path
        (folder / "source").mkdir()
        source = folder / "source" / request.file_name
        source.write_bytes(request.source)
        return source

    def _run(self, command: list[str | Path], folder: Path) -> None:
        """Failures of the candidate are in the record; those of the launcher and the machine are raised. Its temporary
        files are in `folder`, so that they go with it also if the launcher is killed."""
        with self._lock:
            if self._stopped:
                raise Stopped
            process = children.start(
                command,
                cwd=self._commands.directory,
                env=os.environ | {"TMPDIR": str(folder)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            self._running.add(process)
        try:
            _, errors = process.communicate()
        except BaseException:  # interrupted: the launcher ends what it started
            process.terminate()
            process.communicate()
            raise
        finally:
            children.forget(process)
            with self._lock:
                self._running.discard(process)
        if self._stopped:
            raise Stopped
        if process.returncode:
            raise GraderFault(
                errors.decode(errors="replace").strip() or f"{command[0]} ended with {process.returncode}"
            )

    def _key(self, request: Request) -> str:
        generated = self._commands.directory / "cudabench_tasks" / "generated"
        try:
            contract = [(generated / header).read_bytes() for header in contract_headers(request.task)]
        except OSError as error:
            raise GraderFault(f"{error.filename}: {error.strerror}; remove the build tree") from error
        key = hashlib.sha256(self._identity_of_tools().encode())
        place = str(request.path) if request.path and _LOCAL_INCLUDE.search(request.source) else request.file_name
        for part in (request.task.encode(), *contract, place.encode("utf-8", "surrogateescape"), request.source):
            key.update(hashlib.sha256(part).digest())
        return key.hexdigest()

    def _identity_of_tools(self) -> str:
        """Changes with the commands, the compiler, the launcher and the runtime that candidates are linked with."""
        runtime = self._commands.directory / "lib" / "libcudabench_runtime.so"
        identity = [self._commands.text, os.environ.get("CUDABENCH_UNSAFE", "")]
        for file in (self._commands.compiler, self._launcher, runtime):
            try:
                status = file.stat()
            except OSError as error:
                raise GraderFault(f"{file}: {error.strerror}; remove the build tree") from error
            identity.append(f"{file} {status.st_size} {status.st_mtime_ns}")
        return json.dumps(identity)


def _read(entry: Entry) -> dict[str, Any] | None:
    try:
        record = json.loads((entry.path / "record.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) else None


def _may_be_kept(request: Request, record: dict[str, Any]) -> bool:
    """What would end so again: not a time limit, and not what a file that is missing now could change."""
    if record["status"] == "ok":
        return record["source_sha256"] == hashlib.sha256(request.source).hexdigest()
    return record["status"] == "failed" and not (request.path and _LOCAL_INCLUDE.search(request.source))


def _is_current(record: dict[str, Any]) -> bool:
    """Whether the headers that were read are the same; the source is part of the key."""
    return all(_sha256(header["path"]) == header["sha256"] for header in record.get("inputs", []))


def _sha256(name: str) -> str | None:
    try:
        return hashlib.sha256(Path(name).read_bytes()).hexdigest()
    except OSError:
        return None
