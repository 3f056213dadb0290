"""A folder of generated files."""

from __future__ import annotations

import os
from pathlib import Path


class Folder:
    """Writes files only when they change, replaces them in one step, and knows which it wrote. Works on texts rather
    than on Path objects: a suite has thousands of files."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._written: set[str] = set()
        self._folders: set[str] = set()

    def write(self, place: str, text: str) -> None:
        path = self._new_path(place)
        content = text.encode()
        try:
            with open(path, "rb") as file:
                if file.read() == content:
                    return
            unfinished = f"{path}.{os.getpid()}"
        except FileNotFoundError:  # nobody reads it yet, and the next run mends what a killed one leaves
            self._make_folder_of(path)
            unfinished = path
        with open(unfinished, "wb") as file:
            file.write(content)
        if unfinished != path:
            os.replace(unfinished, path)

    def link(self, place: str, target: Path) -> None:
        """A symbolic link."""
        path = self._new_path(place)
        if os.path.islink(path) and os.readlink(path) == str(target):
            return
        self._make_folder_of(path)
        unfinished = f"{path}.{os.getpid()}"
        os.symlink(target, unfinished)
        os.replace(unfinished, path)

    def _new_path(self, place: str) -> str:
        path = f"{self.path}/{place}"
        self._written.add(path)
        return path

    def _make_folder_of(self, path: str) -> None:
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            os.makedirs(folder, exist_ok=True)
            self._folders.add(folder)

    def remove_others(self, *folders: str) -> None:
        """Removes the files below these folders that were not written, and folders that become empty."""
        for folder in folders:
            self._clear(f"{self.path}/{folder}")

    def _clear(self, folder: str) -> bool:
        """Whether nothing is left, and the folder gone."""
        if not os.path.isdir(folder):
            return False
        left = False
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    left = not self._clear(entry.path) or left
                elif entry.path in self._written:
                    left = True
                else:
                    os.unlink(entry.path)
        if not left:
            os.rmdir(folder)
        return not left
