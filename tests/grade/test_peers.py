"""The server and peers of every kind: slow, rude, gone, many. Grading takes no time here."""

import contextlib
import json
import os
import signal
import socket
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from grade import reply
from grade.client import Grader, RequestRefused
from grade.listener import UnixSocket
from grade.replies import Replies
from grade.request import Request
from grade.server import LONGEST_LINE, Server

TASKS = {"softmax": "softmax"}
PASSED = {"scale": "tiny", "verdict": "pass", "stage": None, "message": "", "mismatches": None, "measurement": None,
          "scores": None, "marks": [], "host_dependent": False, "device": {"name": ""}, "printed": "",
          "seconds": {}}  # fmt: skip


class InstantGrader:
    """Passes everything, with a reply as long as the source; those that are `slow` wait until they are let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self.graded: list[object] = []

    def grade(self, request: Request, waited: float) -> dict:
        if request.source == b"slow":
            self.let_go.wait(30)
        self.graded.append(request.id)
        record = {"status": "ok", "seconds": 0, "stderr": request.source.decode(), "kernels": []}
        return reply.graded(request, 1, record, [PASSED], [None], {"queue": waited}, cached=True)


@pytest.fixture
def grader():
    return InstantGrader()


@pytest.fixture
def listening(grader, tmp_path):
    """A server at a socket, in a thread."""

    server = Server(grader, TASKS, (), jobs=2, queue_length=8)
    path = tmp_path / "socket"
    unix = UnixSocket(path)
    thread = threading.Thread(target=unix.serve, args=(server,), daemon=True)
    thread.start()
    yield path
    grader.let_go.set()
    server.abandon()
    unix.close()
    server.finish()


def connect(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(str(path))
    connection.settimeout(30)
    return connection


def line(number: object, source: str = "", **more: object) -> bytes:
    return json.dumps({"id": number, "task": "softmax", "source": source} | more).encode() + b"\n"


def ask(connection: socket.socket, request: bytes) -> dict:
    connection.sendall(request)
    return json.loads(next(iter(connection.makefile("rb"))))


def test_ten_thousand_requests(listening):
    with connect(listening) as connection:
        sender = threading.Thread(target=connection.sendall, args=(b"".join(line(number) for number in range(10_000)),))
        sender.start()
        answers = connection.makefile("rb")
        ids = Counter(json.loads(next(answers))["id"] for _ in range(10_000))
        sender.join()
    assert ids == Counter(range(10_000))


def test_a_peer_that_does_not_read_stops_only_itself(listening, grader):
    with connect(listening) as rude, connect(listening) as polite:
        rude.settimeout(1)
        big = line(0, "x" * 100_000)
        with pytest.raises(TimeoutError):  # the server reads no more of it
            for _ in range(1000):
                rude.sendall(big)
        assert len(grader.graded) < 30, "what waits for it is bounded"
        for number in range(20):
            assert ask(polite, line(number))["id"] == number


def test_what_a_peer_has_not_read_yet_is_not_lost(listening):
    with connect(listening) as connection:
        sender = threading.Thread(
            target=connection.sendall, args=(b"".join(line(number, "x" * 50_000) for number in range(40)),)
        )
        sender.start()
        time.sleep(0.5)
        answers = connection.makefile("rb")
        assert sorted(json.loads(next(answers))["id"] for _ in range(40)) == list(range(40))
        sender.join()


def test_requests_of_a_peer_that_has_gone_are_not_graded(listening, grader):
    with connect(listening) as connection:
        connection.sendall(b"".join(line(number, "slow") for number in range(2)))
        connection.sendall(b"".join(line(number) for number in range(2, 8)))
        time.sleep(0.3)
    grader.let_go.set()
    with connect(listening) as other:
        assert ask(other, line("next"))["verdict"] == "pass"
    assert set(grader.graded) <= {0, 1, "next"}


def test_a_peer_that_only_ends_its_requests_gets_its_replies(listening):
    with connect(listening) as connection:
        connection.sendall(line(1) + line(2).rstrip(b"\n"))  # also of a last line that nothing ends
        connection.shutdown(socket.SHUT_WR)
        assert {json.loads(answer)["id"] for answer in connection.makefile("rb")} == {1, 2}


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        (b'{"id": 1, "task": "softm\n', "not JSON in one line"),
        (bytes(byte for byte in range(256) if byte != 10) * 4 + b"\n", "not JSON in one line"),
        (b"\0" * 1000 + b"\n", "not JSON in one line"),
        (b"[" * 100_000 + b"\n", "not JSON in one line"),
        (b'{"id": ' + b"9" * 10_000 + b"}\n", "not JSON in one line"),
        (b'{"id": 1e400}\n', "id: must be a text or a whole number"),
        (b'{"id": [1]}\n', "id: must be a text or a whole number"),
        (b'{"id": 1, "task": "softmax", "source": "", "limits": {"host_seconds": NaN}}\n', "limits.host_seconds: "),
        (b'{"id": 1, "task": ["softmax"], "source": ""}\n', "task: ['softmax'] is unknown"),
        (b'{"id": 1, "task": "softmax", "path": "/dev/zero"}\n', "path: /dev/zero: no such file"),
        (b'{"id": 1, "task": "softmax", "path": "a\\u0000b"}\n', "path: "),
        (b'{"id": 1, "task": "softmax", "path": "' + b"a/" * 5000 + b'"}\n', "path: "),
        (b'{"id": 1, "' + b"x" * 1_000_000 + b'": 1}\n', "xxx"),
        (b'{"id": 1, "task": "' + b"x" * 1_000_000 + b'", "source": ""}\n', "task: "),
    ],
    ids=range(14),
)  # fmt: skip
def test_nonsense_is_answered(listening, sent, says):
    with connect(listening) as connection:
        answer = ask(connection, sent)
        assert (answer["verdict"], answer["exit_code"]) == ("error", 2)
        assert says in answer["message"]
        assert len(json.dumps(answer)) < 20_000
        assert ask(connection, line(2))["id"] == 2, "the next one is served"


def test_a_line_of_a_hundred_megabytes(listening):
    with connect(listening) as connection:
        for _ in range(100):
            connection.sendall(b"x" * 1_000_000)
        answer = ask(connection, b"\n")
        assert answer["message"] == f"a line is at most {LONGEST_LINE >> 20} MiB"
        assert ask(connection, line(2))["id"] == 2


def test_clients_over_a_socket(listening, grader):
    with Grader(address=listening) as one, Grader(address=listening) as other:
        theirs = other.submit("softmax", "slow")
        ours = [one.submit("softmax", f"// {number}") for number in range(30)]
        with pytest.raises(RequestRefused, match="task: 'softmx' is unknown"):
            one.grade("softmx", "")
        assert [future.result(30).log for future in ours] == [f"// {number}" for number in range(30)]
        assert not theirs.done()
        grader.let_go.set()
        assert theirs.result(30).passed


def test_half_a_line_and_gone(listening):
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(50):
        with connect(listening) as connection:
            connection.sendall(b'{"id": 1, "task": "softmax", "sou')
    with connect(listening) as connection:
        assert ask(connection, line(2))["id"] == 2
    deadline = time.monotonic() + 10
    while len(list(Path("/proc/self/fd").iterdir())) > before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(list(Path("/proc/self/fd").iterdir())) <= before


def test_more_connections_than_are_served_at_once(listening):
    connections = [connect(listening) for _ in range(300)]
    for connection in connections[:200]:
        assert ask(connection, line(1))["id"] == 1
        connection.close()
    for connection in connections[200:]:
        assert ask(connection, line(1))["id"] == 1
        connection.close()


def test_one_server_a_socket(listening, tmp_path):
    with pytest.raises(OSError, match="in use"):
        UnixSocket(listening)
    with connect(listening) as connection:
        assert ask(connection, line(1))["id"] == 1, "the first still serves"


def test_a_file_is_not_taken_for_a_socket(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(OSError, match="in use"):
        UnixSocket(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_socket_that_a_killed_server_left_is_replaced(tmp_path):
    path = tmp_path / "socket"
    pid = os.fork()
    if pid == 0:
        UnixSocket(path)
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(pid, 0)
    assert path.is_socket()
    UnixSocket(path).close()
    assert not path.exists()


def test_another_servers_socket_is_left_alone(tmp_path):
    path = tmp_path / "socket"
    first = UnixSocket(path)
    path.unlink()
    second = UnixSocket(path)
    first.close()
    assert path.is_socket()
    second.close()


def test_of_many_that_start_at_once_one_serves(tmp_path):
    """They find the socket of one that was killed, all at the same time."""
    path = tmp_path / "socket"
    for _ in range(20):
        dead = socket.socket(socket.AF_UNIX)
        dead.bind(str(path))
        dead.close()
        begin = threading.Barrier(4)
        made = []

        def make(begin: threading.Barrier = begin, made: list[UnixSocket] = made) -> None:
            begin.wait()
            with contextlib.suppress(OSError):
                made.append(UnixSocket(path))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(made) == 1
        made[0].close()


def test_the_end_can_be_waited_for_again():
    """As after a signal; with more threads than requests that may wait."""
    server = Server(InstantGrader(), TASKS, (), jobs=4, queue_length=1)
    server.finish()
    again = threading.Thread(target=server.finish, daemon=True)
    again.start()
    again.join(30)
    assert not again.is_alive()


def test_a_peer_that_does_not_read_does_not_hold_up_the_end(grader, tmp_path, monkeypatch):
    monkeypatch.setattr("grade.replies._PATIENCE", 0.5)
    server = Server(grader, TASKS, (), jobs=1, queue_length=2)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        replies = server.open(ours.fileno())
        theirs.sendall(b"".join(line(number, "x" * 200_000) for number in range(1)))
        reading = threading.Thread(target=server.serve, args=(ours.makefile("rb"), replies))
        reading.start()
        time.sleep(0.3)
        server.abandon()
        theirs.shutdown(socket.SHUT_WR)
        start = time.monotonic()
        reading.join(20)
        server.finish()
        server.close(replies)
        assert not reading.is_alive()
        assert time.monotonic() - start < 5


def test_what_cannot_be_written_at_once_arrives_whole():
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    replies = Replies(writing, 10)
    answers = [{"id": number, "text": "y" * 200_000} for number in range(3)]
    for answer in answers:
        replies.send(answer)
    with os.fdopen(reading, "rb") as lines:
        assert [json.loads(next(lines)) for _ in answers] == answers
    replies.close()
    os.close(writing)


def test_a_reader_that_has_gone_is_noticed():
    reading, writing = os.pipe()
    replies = Replies(writing, 10)
    assert not replies.gone()
    os.close(reading)
    assert replies.gone()
    replies.send({"id": 1})
    replies.wait()
    replies.close()
    os.close(writing)
