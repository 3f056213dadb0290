"""Workers over several GPUs. The program stands for cudabench_worker and answers with the GPU that it was given."""

import contextlib
import json
import threading
from collections import Counter
from pathlib import Path

import pytest

from grade.fault import GraderFault, Stopped
from grade.worker import WorkerPool

PROGRAM = """#!/bin/sh
echo '{"ready": true, "device": "'"$CUDA_VISIBLE_DEVICES"'", "reason": ""}'
while read -r line; do
    case "$line" in
        *prepare*) echo "$line" >> "$0.expected" ;;
        *end*) exit 7 ;;
        *connections*) echo '{"result": "'"$CUDA_DEVICE_MAX_CONNECTIONS"'", "healthy": true}' ;;
        *nonsense*) echo '{"error": "task: is missing", "healthy": true}' ;;
        *) echo '{"result": "'"$CUDA_VISIBLE_DEVICES"'", "counted": "counts", "healthy": true}' ;;
    esac
done
"""


@pytest.fixture
def program(tmp_path) -> Path:
    path = tmp_path / "worker"
    path.write_text(PROGRAM)
    path.chmod(0o755)
    return path


@pytest.fixture
def pool(program):
    pool = WorkerPool(program, Path("tasks.json"), ["0", "1", "GPU-2"], spares=3)
    yield pool
    pool.close()


def test_workers_are_spread_over_gpus(pool):
    """As they are started; which of them are taken depends on which are ready first."""
    used: list[str] = []
    started: Counter[str] = Counter()
    together = threading.Barrier(6, lambda: started.update(worker.gpu for worker in (*pool._waiting, *pool._busy)))

    def grade() -> None:
        with pool.reserve() as reservation:
            worker = reservation.worker()
            together.wait(30)  # all are busy at once
            used.append(worker.grade({})[0])

    threads = [threading.Thread(target=grade) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(used) == 6
    assert set(started) == {"0", "1", "GPU-2"}
    assert max(started.values()) - min(started.values()) <= 1
    assert len(pool._waiting) == 3, "spares for the next"


def connections(reservation) -> str:
    return reservation.worker().grade({"tell": "connections"})[0]


def kinds(pool) -> list[bool]:
    return sorted(worker.one_stream for worker in pool._waiting)


def test_a_worker_of_one_stream_has_one_connection(pool, monkeypatch):
    with pool.reserve(one_stream=True) as first, pool.reserve(one_stream=True) as second:
        assert connections(first) == "", "the spares of the start can grade anything"
        assert connections(second) == ""
    with contextlib.ExitStack() as at_once:
        some = [at_once.enter_context(pool.reserve(one_stream=True)) for _ in range(3)]
        assert sorted(map(connections, some)) == ["", "1", "1"]
        monkeypatch.setenv("CUDA_DEVICE_MAX_CONNECTIONS", "5")
        any_stream = at_once.enter_context(pool.reserve())
        assert connections(any_stream) == "5", "it never takes one of them, and is left what the user says"


def test_streams_can_turn_out_to_be_needed(pool):
    with pool.reserve(one_stream=True) as spares, pool.reserve(one_stream=True) as others:
        spares.worker(), others.worker()
        with contextlib.ExitStack() as at_once:
            some = [at_once.enter_context(pool.reserve(one_stream=True)) for _ in range(4)]
            for one in some:
                one.allow_streams()
            assert [connections(one) for one in some] == [""] * 4
    assert kinds(pool) == [False] * 3


def test_spares_can_grade_what_was_last_wanted(pool):
    for one_stream in (True, False, True, False):
        for _ in range(3):
            with pool.reserve(one_stream=one_stream) as reservation:
                reservation.worker()
        assert len(pool._waiting) == 3
        assert one_stream or kinds(pool) == [False] * 3


def test_workers_of_both_kinds_at_once(pool):
    """Each has one that fits, whichever is taken first."""
    with contextlib.ExitStack() as compiling:
        reserved = [compiling.enter_context(pool.reserve(one_stream=number % 2 == 0)) for number in range(10)]
        assert kinds(pool).count(False) >= 5
        assert len(pool._waiting) == 10
        told = [connections(one) for one in reserved if one.one_stream]
        assert told.count("1") == 5
        assert kinds(pool) == [False] * 5
        assert all(connections(one) == "" for one in reserved if not one.one_stream)
    assert len(pool._waiting) == 3


def test_spares_that_were_not_wanted_go(pool):
    """As when all that was being compiled did not compile."""
    with contextlib.ExitStack() as compiling:
        for _ in range(8):
            compiling.enter_context(pool.reserve())
        assert len(pool._waiting) == 8
    assert len(pool._waiting) == 3


SOFTMAX = {"task": "softmax", "scale": "tiny"}
SUM = {"task": "prefix_sum", "scale": "tiny"}


def prepared(program) -> list[dict]:
    lines = Path(f"{program}.expected").read_text().splitlines()
    return [{key: value for key, value in json.loads(line).items() if key != "prepare"} for line in lines]


def test_a_worker_is_told_what_is_expected(pool, program):
    """Before it is asked, once, whether it waited already or is started for that; and nothing is answered."""
    with contextlib.ExitStack() as compiling:
        some = [compiling.enter_context(pool.reserve(expected=SOFTMAX)) for _ in range(5)]
        for one in some:
            worker = one.worker()
            assert worker.expected == SOFTMAX
            assert worker.grade(SOFTMAX) == (worker.gpu, True)
        assert prepared(program) == [SOFTMAX] * 5


def test_a_worker_that_has_prepared_is_taken_for_that(pool, program):
    with pool.reserve(expected=SOFTMAX) as first, pool.reserve(expected=SUM) as second, pool.reserve() as third:
        for worker in pool._waiting:
            worker.wait_ready()
        assert second.worker().expected == SUM
        assert third.worker().expected is None
        assert first.worker().expected == SOFTMAX


def test_what_was_expected_of_a_worker_is_expected_still(pool, program):
    """As when a candidate did not compile: the next of its task needs the same."""
    for _ in range(4):
        with pool.reserve(expected=SOFTMAX):
            pass
    with pool.reserve(expected=SOFTMAX) as reservation:
        reservation.worker().grade(SOFTMAX)
    assert prepared(program) == [SOFTMAX]


def test_a_worker_can_be_asked_what_was_not_expected(pool):
    with contextlib.ExitStack() as compiling:
        for _ in range(3):
            compiling.enter_context(pool.reserve(expected=SUM))
        one = compiling.enter_context(pool.reserve(one_stream=True, expected=SOFTMAX))
        one.allow_streams()
        assert one.worker().grade(SOFTMAX)[1]


def test_a_worker_grades_one_candidate(pool):
    with pool.reserve() as reservation:
        first = reservation.worker()
        assert reservation.worker() is first, "the scales of a candidate share it"
        reservation.drop()
        second = reservation.worker()
        assert second is not first, "a lost one is replaced"
    with pool.reserve() as reservation:
        assert reservation.worker() not in (first, second)


def test_a_worker_counts_one_candidate(pool):
    """One that counts unloads no code, and would grow with every further candidate."""
    counted = []
    for _ in range(3):
        with pool.reserve() as reservation:
            counted.append(reservation.worker())
            assert counted[-1].count({}) == ("counts", True)
        counted[-1].close()
        assert counted[-1].ended
    assert len({id(worker) for worker in counted}) == 3


def test_a_spare_that_was_killed_is_not_taken(pool):
    for worker in pool._waiting:
        worker.kill()
        worker._process.wait()
    with pool.reserve() as reservation:
        assert reservation.worker().grade({})[1]


def test_a_worker_that_is_ready_is_taken_first(tmp_path):
    """As when one GPU is slower than another to make contexts."""
    path = tmp_path / "worker"
    path.write_text(f"#!/bin/sh\n[ $CUDA_VISIBLE_DEVICES = 1 ] || until [ -e {tmp_path}/go ]; do sleep 0.05; done\n"
                    "echo '{\"ready\": true}'; cat\n")  # fmt: skip
    path.chmod(0o755)
    pool = WorkerPool(path, Path("tasks.json"), ["0", "1"], spares=2)
    next(worker for worker in pool._waiting if worker.gpu == "1").wait_ready()
    with pool.reserve() as first, pool.reserve() as second:
        assert first.worker().gpu == "1"
        (tmp_path / "go").touch()
        assert second.worker().gpu == "0"
    pool.close()


def test_starts_are_few_at_once(tmp_path):
    """Of workers of one GPU; the program notes how many start."""
    path = tmp_path / "worker"
    path.write_text(f"#!/bin/sh\ncd {tmp_path}\n"
                    "mkdir starting.$$; ls -d starting.* | wc -l >> counts; sleep 0.1; rmdir starting.$$\n"
                    "echo '{\"ready\": true}'; cat\n")  # fmt: skip
    path.chmod(0o755)
    pool = WorkerPool(path, Path("tasks.json"), ["0"], spares=6)
    for worker in pool._waiting:
        worker.wait_ready()
    pool.close()
    assert max(map(int, (tmp_path / "counts").read_text().split())) == 2


def test_a_program_that_is_not_there(tmp_path):
    pool = WorkerPool(tmp_path / "absent", Path("tasks.json"), ["0"], spares=1)
    with pool.reserve() as reservation, pytest.raises(GraderFault, match="absent: No such file or directory"):
        reservation.worker()
    pool.close()


def test_what_a_worker_does(pool):
    with pool.reserve() as reservation:
        worker = reservation.worker()
        assert worker.count({}) == ("counts", True)
        with pytest.raises(GraderFault, match="refused a case: task: is missing"):
            worker.grade({"task": "nonsense"})
        with pytest.raises(GraderFault, match="exit code 7"):
            worker.grade({"task": "end"})


def test_candidates_of_which_nothing_runs_share_a_worker_without_a_gpu(pool):
    assert pool.grade_without_gpu({}) == ""
    writer = pool._writer
    assert pool.grade_without_gpu({}) == ""
    assert pool._writer is writer
    with pytest.raises(GraderFault):
        pool.grade_without_gpu({"task": "end"})
    assert pool.grade_without_gpu({}) == "", "it is replaced"


def test_their_worker_is_also_replaced_if_it_was_killed_while_it_waited(pool):
    pool.grade_without_gpu({})
    pool._writer.kill()
    pool._writer._process.wait()
    assert pool.grade_without_gpu({}) == ""


def test_a_closed_pool_grades_nothing(pool):
    pool.close()
    with pytest.raises(Stopped), pool.reserve() as reservation:
        reservation.worker()
    with pytest.raises(Stopped):
        pool.grade_without_gpu({})
