"""The cache keeps what is used, within its size, and nothing of what is abandoned."""

import os
import shutil
import threading
import time
from pathlib import Path

from grade.cache import Cache, Entry

look = Cache._look


def add(cache: Cache, key: str, size: int = 1000) -> Path:
    entry = cache.create()
    (entry.path / "module").write_bytes(b"x" * size)
    cache.keep(entry, key)
    cache.settle()
    entry.close()
    return entry.path


def kept(directory: Path) -> set[str]:
    return {path.name for path in directory.iterdir()}


def test_what_is_kept_is_found(tmp_path):
    cache = Cache(tmp_path, 10_000)
    assert cache.find("a") is None
    add(cache, "a")
    entry = cache.find("a")
    assert (entry.path / "module").read_bytes() == b"x" * 1000
    entry.close()


def test_an_entry_without_a_key_goes(tmp_path):
    entry = Cache(tmp_path, 10_000).create()
    entry.close()
    assert kept(tmp_path) == set()


def test_the_cache_can_be_removed_while_it_is_used(tmp_path):
    cache = Cache(tmp_path / "cache", 10_000)
    add(cache, "a")
    shutil.rmtree(tmp_path / "cache")
    assert cache.find("a") is None
    add(cache, "a")
    assert kept(tmp_path / "cache") == {"a"}


def test_the_second_of_two_that_made_the_same_goes(tmp_path):
    cache = Cache(tmp_path, 10_000)
    first, second = cache.create(), cache.create()
    cache.keep(first, "a")
    cache.keep(second, "a")
    assert second.path.exists(), "it is in use"
    first.close()
    second.close()
    assert kept(tmp_path) == {"a"}


def test_what_is_removed_can_be_kept_again(tmp_path):
    cache = Cache(tmp_path, 10_000)
    add(cache, "a")
    used = cache.find("a")
    cache.remove("a")
    assert kept(tmp_path) == {"a"}, "it is in use"
    used.close()
    cache.remove("a")
    assert kept(tmp_path) == set()
    add(cache, "a", 2000)
    assert (tmp_path / "a" / "module").stat().st_size == 2000


def test_least_recently_used_go(tmp_path):
    cache = Cache(tmp_path, 3500)
    for age, key in enumerate("cba"):
        add(cache, key)
        os.utime(tmp_path / key / "used", (time.time() - 100 + age,) * 2)
    cache.find("c").close()
    add(cache, "d")
    assert kept(tmp_path) == {"a", "c", "d"}


def test_what_is_in_use_stays(tmp_path):
    cache, other = Cache(tmp_path, 1500), Cache(tmp_path, 1500)
    add(cache, "a")
    used = other.find("a")
    add(cache, "b")
    assert kept(tmp_path) == {"a", "b"}, "both are in use"
    used.close()
    add(cache, "c")
    assert kept(tmp_path) == {"c"}


def test_keeping_takes_no_longer_with_thousands(tmp_path, monkeypatch):
    """Nobody waits for a look at all of them, and there are few."""
    looks = []
    monkeypatch.setattr(Cache, "_look", lambda self: looks.append(threading.current_thread()) or look(self))
    cache = Cache(tmp_path, 1 << 20)
    for key in range(1000):
        add(cache, str(key), 2000)
    assert 1 < len(looks) < 100
    assert threading.main_thread() not in looks
    assert sum(len((tmp_path / key / "module").read_bytes()) for key in kept(tmp_path)) <= 1 << 20
    assert "999" in kept(tmp_path)


def test_abandoned_entries_go_after_a_while(tmp_path):
    cache = Cache(tmp_path, 10_000)
    entry: Entry = cache.create()
    os.utime(entry.path, (time.time() - 1000,) * 2)
    Cache(tmp_path, 10_000)
    assert entry.path.exists(), "its process lives"
    os.close(entry._descriptor)  # as the kernel does when it is killed
    Cache(tmp_path, 10_000)
    assert kept(tmp_path) == set()
