"""A folder of generated files."""

from __future__ import annotations

import os
from pathlib import Path


class Folder:
    """Writes files only when they change, each in one step, and knows which it wrote."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: set[Path] = set()

    def write(self, place: str, text: str) -> None:
        path = self.path / place
        self._written.add(path)
        content = text.encode()
        if path.is_file() and path.read_bytes() == content:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        unfinished.write_bytes(content)
        unfinished.replace(path)

    def link(self, place: str, target: Path) -> None:
        """A symbolic link."""
        path = self.path / place
        self._written.add(path)
        if path.is_symlink() and path.readlink() == target:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}")
        unfinished.symlink_to(target)
        unfinished.replace(path)

    def remove_others(self, *folders: str) -> None:
        """Removes the files below these folders that were not written, and folders that become empty."""
        for folder in folders:
            for path in sorted((self.path / folder).rglob("*"), reverse=True):
                if path.is_dir() and not path.is_symlink():
                    if not any(path.iterdir()):
                        path.rmdir()
                elif path not in self._written:
                    path.unlink()
