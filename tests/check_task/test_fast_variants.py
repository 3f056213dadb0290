"""Bounds are tried by fast kernels, which are structured otherwise than a reference: tiles, shuffles, wide loads."""

from check_task.honest import sources


def test_fast_variants_are_of_all_domains(tasks):
    fast = [t for t in tasks.values() if any(name.startswith(("good/", f"{t.name}/fast")) for name in sources(t))]
    assert len(fast) >= 24
    assert {task.domain for task in fast} == {task.domain for task in tasks.values()}
