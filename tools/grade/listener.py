"""A Unix socket whose connections a server serves."""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from .server import Server

_MOST_CONNECTIONS = 256  # further ones wait; descriptors are needed for workers too


class UnixSocket:
    """Listens at a path, for this user only. Each connection is served in a thread of its own."""

    def __init__(self, path: Path) -> None:
        """Raises OSError. A socket that nobody listens at any more is replaced."""
        self._path = path.absolute()
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connections: set[socket.socket] = set()
        self._closed = False
        self._free = threading.Semaphore(_MOST_CONNECTIONS)
        self._changed = threading.Condition()
        try:
            with _alone(self._path):
                _remove_dead(self._path)
                mask = os.umask(0o177)
                try:
                    self._socket.bind(str(path))
                finally:
                    os.umask(mask)
                self._inode = self._path.stat().st_ino
                self._socket.listen()  # before another can take it for dead
        except BaseException:
            self._socket.close()
            raise

    def serve(self, server: Server) -> None:
        """Until it is interrupted by an exception, such as one for a signal. None comes in the thread that accepts
        connections, which would leave one that is half begun."""
        accepting = threading.Thread(target=self._accept_all, args=(server,), daemon=True)
        accepting.start()
        accepting.join()

    def _accept_all(self, server: Server) -> None:
        while not self._closed:
            self._free.acquire()
            try:
                connection, _ = self._socket.accept()
            except OSError:  # it has gone already, or there are no descriptors for it now
                self._free.release()
                time.sleep(0.05)
                continue
            with self._changed:
                if self._closed:
                    connection.close()
                    return
                self._connections.add(connection)
                threading.Thread(target=self._serve, args=(server, connection)).start()

    def close(self) -> None:
        """Accepts and reads no more; returns when all replies are sent, or nobody reads them."""
        with contextlib.suppress(OSError), _alone(self._path):
            if self._path.stat().st_ino == self._inode:  # not another server's by now
                self._path.unlink()
        with self._changed:
            self._closed = True
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RD)
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes who accepts
        self._socket.close()
        with self._changed:  # join() takes a thread for ended once a signal has interrupted it
            self._changed.wait_for(lambda: not self._connections)

    def _serve(self, server: Server, connection: socket.socket) -> None:
        replies = server.open(connection.fileno())
        try:
            with connection.makefile("rb") as requests, contextlib.suppress(OSError):
                server.serve(requests, replies)
        finally:
            server.close(replies)
            connection.close()
            with self._changed:
                self._connections.discard(connection)
                self._changed.notify_all()
            self._free.release()


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keeps other servers from binding or removing sockets of the same folder meanwhile."""
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _remove_dead(path: Path) -> None:
    if not path.is_socket():
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
