"""`cudabench grade --serve`: every request is answered, whatever it is, and nothing grows."""

import contextlib
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from conftest import ROOT, SOURCES, ServerProcess
from test_grade import name_of, wait_for

from grade import reply
from report.schema import first_error_of

SCHEMA = json.loads((Path(reply.__file__).parent / "reply.schema.json").read_text(encoding="utf-8"))
LIMITS = {"host_seconds": 0.3, "device_seconds": 1.0}
STAGES = {
    "not_compiling": "compile",
    "wrong_signature": "contract",
    "crashing": "contract",
    "hanging": "contract",
    "wrong": "edge",
}
# Of 40: mostly good ones, as an agent's attempts are in the end, and some that make no sense.
MIX = ["good"] * 25 + ["wrong"] * 3 + ["not_compiling"] * 3 + ["wrong_signature"] * 2 + ["crashing"] * 3
MIX += ["hanging"] * 2 + ["unknown_task", "no_json"]


def request(kind: str, number: int, **more: object) -> object:
    if kind == "no_json":
        return b'{"id": '
    task = "softmx" if kind == "unknown_task" else "softmax"
    source = SOURCES.get(kind, SOURCES["good"])
    return {"id": f"{kind} {number}", "task": task, "source": source, "scales": ["tiny"], "limits": LIMITS} | more


def check(answer: dict, kind: str) -> None:
    assert first_error_of(answer, SCHEMA) is None, answer
    if kind in ("unknown_task", "no_json"):
        assert (answer["verdict"], answer["field"]) == ("error", "task" if kind == "unknown_task" else None)
    elif kind == "good":
        assert answer["verdict"] == "pass", answer
    else:
        assert (answer["verdict"], answer["stage"]) == ("fail", STAGES[kind]), answer


def descriptors(pid: int) -> int:
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def resident_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


def round_of_requests(server: ServerProcess, count: int, start: int) -> list[dict]:
    kinds = {}
    for number in range(start, start + count):
        kind = MIX[number * 7 % len(MIX)]  # 7 and 40 have no common divisor: all kinds, well mixed
        kinds[f"{kind} {number}" if kind != "no_json" else None] = kind
        server.send(request(kind, number))
    answers = [server.receive() for _ in range(count)]
    ids = Counter(answer["id"] for answer in answers)
    unreadable = ids.pop(None, 0)
    assert set(ids) == set(kinds) - {None}
    assert set(ids.values()) == {1}
    assert unreadable == sum(MIX[number * 7 % len(MIX)] == "no_json" for number in range(start, start + count))
    for answer in answers:
        check(answer, kinds[answer["id"]])
    return answers


def connections_of_workers(server: ServerProcess) -> set[str]:
    told = set()
    for pid in server.children():
        with contextlib.suppress(OSError):  # it has ended
            if name_of(pid) == "cudabench_worke":
                words = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
                told.add(next((word for word in words if word.startswith("CUDA_DEVICE_MAX_CONNECTIONS=")), "all"))
    return told


def test_workers_have_one_connection_where_nothing_is_timed(serve):
    one = "CUDA_DEVICE_MAX_CONNECTIONS=1"
    server = serve("--jobs", 1)
    for number in range(3):
        check(server.ask(request("good", number)), "good")
    wait_for(lambda: connections_of_workers(server) == {"all"})
    check(server.ask(request("good", 3, stop_after="values")), "good")
    wait_for(lambda: one in connections_of_workers(server))
    for number in range(4, 8):
        check(server.ask(request("good", number)), "good")
    wait_for(lambda: connections_of_workers(server) == {"all"})
    hidden = SOURCES["good"] + "\nint hidden() { return cudaStr\\\neamCreate(nullptr); }\n"
    for number in range(8, 11):
        check(server.ask(request("good", number, source=hidden, stop_after="values")), "good")
        assert one not in connections_of_workers(server), "none is made where the last candidates had streams"
    assert server.end() == (0, [])


def test_two_hundred_mixed_requests(serve, build_dir, tmp_path):
    server = serve("--jobs", 2, TMPDIR=str(tmp_path))
    round_of_requests(server, 40, 0)  # all kinds are compiled
    wait_for(lambda: len(server.children()) == 3)  # spare workers, and the one for what does not compile
    pid = server.process.pid
    before = descriptors(pid), len(list((build_dir / "grade_cache").iterdir()))
    memory = resident_kib(pid)

    answers = round_of_requests(server, 160, 40)
    assert all(answer["compile"]["cached"] for answer in answers if answer["compile"])
    assert all(answer["seconds"]["compile"] < 0.5 for answer in answers if answer["compile"])
    seeds = [answer["seed"] for answer in answers if answer["seed"]]
    assert len(set(seeds)) == len(seeds), "results are never remembered"

    wait_for(lambda: len(server.children()) == 3)
    wait_for(lambda: descriptors(pid) <= before[0])
    assert len(list((build_dir / "grade_cache").iterdir())) == before[1]
    assert not list(tmp_path.glob("cudabench-compile-*"))
    assert resident_kib(pid) < memory + (16 << 10)
    assert server.end() == (0, [])


def test_requests_run_at_once(serve):
    """Two that wait for the same time take hardly longer than one."""
    server = serve("--jobs", 2)
    hang = {"limits": {"host_seconds": 2}}
    server.ask(request("hanging", 0))  # compiled
    start = time.monotonic()
    server.send(request("hanging", 1, **hang), request("hanging", 2, **hang))
    assert {server.receive()["id"], server.receive()["id"]} == {"hanging 1", "hanging 2"}
    assert 2 <= time.monotonic() - start < 3.9


def test_a_full_queue_holds_the_sender_back(serve):
    server = serve("--jobs", 1, "--queue", 1)
    server.ask(request("hanging", 0))
    big = {"source": SOURCES["hanging"] + "//" + "x" * 300_000, "limits": {"host_seconds": 1, "compile_seconds": 60}}
    start = time.monotonic()
    server.send(*(request("hanging", number, **big) for number in range(1, 5)))
    # One is graded, one waits, one is held by the reader: the fourth does not fit into the pipe.
    assert time.monotonic() - start > 0.9
    assert {server.receive()["id"] for _ in range(4)} == {f"hanging {number}" for number in range(1, 5)}


def test_the_end_of_the_input_lets_all_finish(serve):
    server = serve("--jobs", 1)
    server.send(*(request("good", number) for number in range(4)))
    code, answers = server.end()
    assert code == 0
    assert sorted(answer["id"] for answer in answers) == [f"good {number}" for number in range(4)]
    for answer in answers:
        check(answer, "good")


def test_termination_answers_what_waits(serve):
    server = serve("--jobs", 1)
    server.ask(request("hanging", 0))
    server.send(*(request("hanging", number, limits={"host_seconds": 2}) for number in range(1, 4)))
    server.send(b"no JSON")
    assert server.receive()["verdict"] == "error"  # so the others are accepted
    below = server.children()
    server.signal(signal.SIGTERM)
    code, answers = server.end()
    assert code == 0
    by_id = {answer["id"]: answer for answer in answers}
    assert by_id["hanging 1"]["stage"] == "contract", "it was being graded"
    for waiting in ("hanging 2", "hanging 3"):
        assert (by_id[waiting]["verdict"], by_id[waiting]["message"]) == ("not_run", "the grader was stopped")
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))


def test_a_second_signal_ends_also_what_is_graded(serve):
    server = serve("--jobs", 1)
    server.ask(request("hanging", 0))
    server.send(request("hanging", 1, limits={"host_seconds": 600}), b"no JSON")
    server.receive()
    for _ in range(3):  # two that come close together may be seen as one
        server.signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.process.wait(5)
    code, answers = server.end()
    assert (code, [(one["verdict"], one["id"]) for one in answers]) == (0, [("not_run", "hanging 1")])


def test_a_signal_that_comes_just_before_the_server_waits(serve):
    """It must not wait for the next request to see it."""
    for _ in range(12):
        server = serve("--jobs", 1)
        server.send(b"no JSON")
        server.receive()
        server.signal(signal.SIGTERM)
        assert server.process.wait(30) == 0
        assert server.end() == (0, [])


def test_a_reader_that_goes_away(serve):
    server = serve("--jobs", 1)
    server.process.stdout.close()
    server.send(request("crashing", 1), request("crashing", 2))
    server.process.stdin.close()
    assert server.process.wait(60) == 0


def test_a_socket(serve, tmp_path):
    path = tmp_path / "grade.socket"
    server = serve("--jobs", 2, "--socket", path)
    wait_for(path.exists)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    connections = []
    for number in range(3):
        connection = socket.socket(socket.AF_UNIX)
        wait_for(lambda connection=connection: connection.connect_ex(str(path)) == 0)
        connection.sendall(json.dumps(request("crashing", number)).encode() + b"\n")
        connections.append(connection)
    for number, connection in enumerate(connections):  # each gets its own reply
        connection.shutdown(socket.SHUT_WR)
        with connection, connection.makefile("rb") as lines:
            (answer,) = map(json.loads, lines)
            assert (answer["id"], answer["stage"]) == (f"crashing {number}", "contract")
    server.signal(signal.SIGTERM)
    assert server.process.wait(30) == 0
    assert not path.exists()


def test_a_second_signal_ends_also_what_a_socket_asked_for(serve, tmp_path):
    path = tmp_path / "grade.socket"
    server = serve("--jobs", 2, "--queue", 1, "--socket", path)
    wait_for(path.exists)
    with socket.socket(socket.AF_UNIX) as connection:
        wait_for(lambda: connection.connect_ex(str(path)) == 0)
        connection.settimeout(60)
        for number in range(2):
            hanging = request("hanging", number, limits={"host_seconds": 600})
            connection.sendall(json.dumps(hanging).encode() + b"\n")
        wait_for(lambda: list(map(name_of, server.children())).count("cudabench_recor") == 2)
        server.signal(signal.SIGTERM)
        wait_for(lambda: not path.exists())
        server.signal(signal.SIGTERM)
        answers = [json.loads(line) for line in connection.makefile("rb")]
    assert sorted((one["id"], one["verdict"]) for one in answers) == [
        ("hanging 0", "not_run"),
        ("hanging 1", "not_run"),
    ]
    assert server.process.wait(60) == 0


ENDING = """
import os, signal
from types import SimpleNamespace
from command.child import obey_signals
from command.single import _finish

def wait():
    print("waits")
    os.kill(os.getpid(), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGTERM)
    print("ends")

obey_signals()
_finish(wait, SimpleNamespace(abandon=lambda: print("abandons")), SimpleNamespace(stop=lambda: print("stops")))
"""


def test_signals_do_not_break_off_the_end():
    """Else requests could come that nobody answers any more, and whose answers are waited for; and a lock that was
    being taken would stay so."""
    process = script(ENDING)
    assert (process.stdout.split(), process.stderr) == (["waits", "abandons", "stops", "ends"], "")


CONNECTING = """
import os, signal, socket, sys, threading
from pathlib import Path
from command.child import obey_signals
from command.single import _listen
from grade.server import Server
from test_peers import TASKS, InstantGrader

start = threading.Thread.start

def start_signalled(thread):
    if thread._target.__name__ == "_serve":
        os.kill(os.getpid(), signal.SIGTERM)
    start(thread)

def client():
    with socket.socket(socket.AF_UNIX) as connection:
        while connection.connect_ex(str(path)):
            pass
        connection.recv(1)

path = Path(sys.argv[1])
obey_signals()
threading.Thread(target=client, daemon=True).start()
threading.Thread.start = start_signalled
server = Server(InstantGrader(), TASKS, (), jobs=1, queue_length=2)
_listen(server, None, path)
server.finish()
"""


WAITING = """
import io, os, signal, threading, time
from command.child import obey_signals, obeying_soon
from command.ending import Interrupted
from grade.server import Server
from test_peers import TASKS, InstantGrader, line

class Grader(InstantGrader):
    def grade(self, request, waited):
        waiting.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        interrupted.wait()
        time.sleep(1)
        print("graded", flush=True)
        return super().grade(request, waited)

waiting, interrupted = threading.Event(), threading.Event()
obey_signals()
server = Server(Grader(), TASKS, (), jobs=1, queue_length=2)
server.serve(io.BytesIO(), replies := server.open(os.open(os.devnull, os.O_WRONLY)))
server._accept(line(1), replies)
server.close(replies)  # a peer that has gone
with obeying_soon():
    try:
        waiting.set()
        server.finish()
    except Interrupted:
        interrupted.set()
        server.finish()
print("finished", flush=True)
"""


READING = """
import os, signal
from command.child import obey_signals
from command.single import _listen
from grade.server import Server
from test_peers import TASKS, InstantGrader, line

def put_signalled(job):
    put(job)
    os.kill(os.getpid(), signal.SIGTERM)

obey_signals()
reading, writing = os.pipe()
os.dup2(reading, 0)
os.write(writing, line(1) + b"broken off")
server = Server(InstantGrader(), TASKS, (), jobs=1, queue_length=2)
put, server._queue.put = server._queue.put, put_signalled
_listen(server, None, None)
server._queue.put = put
server.finish()
"""


ANSWERED = """
import argparse, atexit, io, os, pathlib, signal, sys
from command import single
from command.child import obey_signals
from test_peers import InstantGrader

class Grader(InstantGrader):
    def close(self):
        terminate()

class Tools:
    def task_names(self):
        return {}

    def ensure(self, *_, **__):
        pass

def terminate():
    os.kill(os.getpid(), signal.SIGTERM)

atexit.register(terminate)
obey_signals()
single.Grader = lambda *_, **__: Grader()
sys.stdin = io.TextIOWrapper(io.BytesIO())
arguments = argparse.Namespace(tasks=None, no_setup=True, gpus=None, jobs=1, queue=1, socket=None, cache_size=1,
                               build_dir=pathlib.Path("absent"), unsafe=False)
sys.exit(single._serve(arguments, Tools()))
"""


def script(text: str, *words: object) -> subprocess.CompletedProcess[str]:
    """Signals are for a process of its own."""
    path = os.pathsep.join(map(str, [ROOT / "tools", Path(__file__).parent]))
    environment = os.environ | {"PYTHONPATH": path}
    command = [sys.executable, "-c", text, *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)


def test_a_signal_while_the_end_waits():
    """What is graded must not be taken for ended: its files stayed."""
    process = script(WAITING)
    assert (process.stdout.split(), process.stderr) == (["graded", "finished"], "")


def test_a_signal_while_a_line_is_accepted():
    """It is answered once; a queue that was left half changed was waited for without end."""
    process = script(READING)
    assert (process.returncode, process.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in process.stdout.splitlines()] == [1]


def test_a_signal_after_all_is_answered():
    """It changes nothing: whoever ends the input, and then the server, is told that it went as it should."""
    process = script(ANSWERED)
    assert (process.returncode, process.stderr) == (0, "")


def test_a_signal_while_a_connection_begins(tmp_path):
    """It must not be left half begun: the end waited for it for ever."""
    process = script(CONNECTING, tmp_path / "socket")
    assert (process.returncode, process.stderr) == (0, f"cudabench: serving at {tmp_path}/socket\n")


def test_a_worker_that_is_killed_is_a_fault_and_replaced(serve):
    server = serve("--jobs", 1)
    server.ask(request("hanging", 0))
    server.send(request("hanging", 1, limits={"host_seconds": 30}), b"no JSON")
    server.receive()
    wait_for(lambda: "cudabench_recor" in map(name_of, server.children()))  # a worker has begun
    for pid in server.children():
        if name_of(pid) == "cudabench_worke":
            os.kill(pid, signal.SIGKILL)
    answer = server.receive()
    assert (answer["id"], answer["verdict"], answer["exit_code"]) == ("hanging 1", "fault", 4)
    check(server.ask(request("good", 2)), "good")
    # The recorder, an orphan that has ended, came to the server: its entry in the table of processes goes too.
    wait_for(lambda: "cudabench_recor" not in children_by_name(server.process.pid))


def children_by_name(pid: int) -> set[str]:
    """Of all children, also those that have ended and were not waited for."""
    children = set()
    for thread in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # the thread has ended
            children.update((thread / "children").read_text().split())
    return {name_of(int(child)) for child in children}


def test_termination_while_compiling(serve):
    """The second signal ends the compiler too; nothing of it is left."""
    server = serve("--jobs", 1)
    fresh = SOURCES["good"] + f"\n// {time.time_ns()}\n"
    server.send(request("good", 1, source=fresh), b"no JSON")
    server.receive()
    wait_for(lambda: any(name_of(pid) == "nvcc" for pid in server.children()))
    below = server.children()
    server.signal(signal.SIGTERM)
    time.sleep(0.1)
    server.signal(signal.SIGTERM)
    code, (answer,) = server.end()
    assert (code, answer["verdict"], answer["id"]) == (0, "not_run", "good 1")
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in below))


def test_two_servers_at_one_socket(serve, tmp_path, capfd):
    path = tmp_path / "grade.socket"
    serve("--jobs", 1, "--socket", path)
    wait_for(path.exists)
    second = serve("--jobs", 1, "--socket", path)
    assert second.process.wait(60) == 2
    assert "another server listens there" in capfd.readouterr().err
