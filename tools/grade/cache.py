"""A folder of built candidates, by what they were built from. Several processes may share it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

_UNFINISHED = "unfinished-"  # prefix of folders that no key has yet
_ABANDONED = 60.0  # seconds after which nobody is about to lock it any more


class Entry:
    """A folder of the cache. It stays while this is open."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self.path = path
        self._descriptor = descriptor

    def close(self) -> None:
        """An entry without a key goes."""
        if self._descriptor < 0:
            return
        if self.path.name.startswith(_UNFINISHED):
            shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._descriptor)
        self._descriptor = -1


class Cache:
    """The least recently used entries go when all together are larger than `limit` bytes, soon after: to look at
    thousands of entries takes longer than a verdict. Thread-safe."""

    def __init__(self, directory: Path, limit: int) -> None:
        self._directory = directory
        self._limit = limit
        self._unlooked = 0  # bytes that may be kept before the next look
        self._looker: threading.Thread | None = None
        self._lock = threading.Lock()
        directory.mkdir(parents=True, exist_ok=True)
        self._remove_abandoned()

    def find(self, key: str) -> Entry | None:
        entry = _open(self._directory / key, fcntl.LOCK_SH)
        if entry and not (entry.path / "used").exists():  # it was removed meanwhile
            entry.close()
            return None
        if entry:
            with contextlib.suppress(OSError):
                os.utime(entry.path / "used")
        return entry

    def create(self) -> Entry:
        """A folder without a key, which keep() may give it."""
        self._directory.mkdir(exist_ok=True)  # somebody may have emptied the cache by removing it
        entry = _open(Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=self._directory)), fcntl.LOCK_SH)
        if entry is None:
            raise FileNotFoundError(self._directory)
        return entry

    def keep(self, entry: Entry, key: str) -> None:
        """If another has made the same meanwhile, `entry` stays one without a key."""
        (entry.path / "used").touch()
        try:
            entry.path.rename(self._directory / key)
        except OSError:
            (entry.path / "used").unlink()
            return
        entry.path = self._directory / key
        self._look_later(_bytes(entry.path))

    def remove(self, key: str) -> None:
        """Unless somebody uses it."""
        _remove_unused(self._directory / key)

    def settle(self) -> None:
        """Until what has begun to go is gone."""
        if self._looker:
            self._looker.join()

    def _look_later(self, added: int) -> None:
        with self._lock:
            self._unlooked -= added
            if self._unlooked < 0 and not (self._looker and self._looker.is_alive()):
                self._looker = threading.Thread(target=self._look)
                self._looker.start()

    def _look(self) -> None:
        with contextlib.suppress(FileNotFoundError):  # the whole folder was removed
            sizes = {path: _bytes(path) for path in self._kept()}
            total = sum(sizes.values())
            if total > self._limit:
                total = self._shrink(sizes, total)
            # Other processes may keep entries here too.
            self._unlooked = max((self._limit - total) // 2, self._limit // 16)

    def _shrink(self, sizes: dict[Path, int], total: int) -> int:
        """To somewhat less than the limit, so that the next look is not needed at once. What is left."""
        for path in sorted(sizes, key=_last_use):
            if total <= self._limit - self._limit // 8:
                break
            if _remove_unused(path):
                total -= sizes[path]
        return total

    def _kept(self) -> Iterator[Path]:
        return (path for path in self._directory.iterdir() if not path.name.startswith(_UNFINISHED))

    def _remove_abandoned(self) -> None:
        """Of processes that were killed; not what another is about to lock."""
        for path in self._directory.glob(f"{_UNFINISHED}*"):
            with contextlib.suppress(OSError):
                if time.time() - path.stat().st_mtime > _ABANDONED:
                    _remove_unused(path)


def _open(path: Path, lock: int) -> Entry | None:
    """None if there is no such folder, or if its lock cannot be had at once."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, lock | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return Entry(path, descriptor)


def _remove_unused(path: Path) -> bool:
    entry = _open(path, fcntl.LOCK_EX)
    if entry is None:
        return False
    with contextlib.suppress(OSError):
        (path / "used").unlink()  # first: who opens the folder now must see that it goes
    shutil.rmtree(path, ignore_errors=True)
    entry.close()
    return True


def _bytes(path: str | Path) -> int:
    total = 0
    with contextlib.suppress(OSError), os.scandir(path) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                total += _bytes(entry.path)
            else:
                total += entry.stat(follow_symlinks=False).st_size
    return total


def _last_use(path: Path) -> float:
    try:
        return (path / "used").stat().st_mtime
    except OSError:
        return 0.0
