"""A worker process that lets another take a new connection while it computes itself.

Every process waits on the same socket. One that is busy wakes as soon as an idle one, and two people who look at farms
at once would wait for each other beside a process that has nothing to do.
"""

import contextlib
import select
import socket
import threading
import time
from typing import Any, Final

from gunicorn.workers.gthread import ThreadWorker

LOOKS: Final = 4
BETWEEN_LOOKS: Final = 0.001
"""Seconds; so a connection waits four milliseconds longer where every process is busy."""
FAREWELL: Final = 2.0
"""Seconds in which a visitor may say that it has read everything."""
READ_AT_MOST: Final = 65536
"""Bytes that are read of what a visitor sends after its answer."""


class SpreadingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's worker with threads, which leaves a new connection to an idle process while it answers something."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self._answering = 0
        self._counted = threading.Lock()

    def handle(self, conn: Any) -> Any:  # noqa: ANN401
        """Answer what a connection asks, and be known as busy until then.

        A connection that ends is seen off here: gunicorn waits for the visitor in the thread that takes connections,
        and a phone far away would keep everybody else out for as long as it takes to answer.
        """
        with self._counted:
            self._answering += 1
        try:
            goes_on = super().handle(conn)
        finally:
            with self._counted:
                self._answering -= 1
        if goes_on is False:
            see_off(conn.sock)
        return goes_on

    def accept(self, listener: Any) -> None:  # noqa: ANN401
        """Take a new connection, unless another process takes it while this one is busy."""
        for _ in range(LOOKS):
            if not self._answering:
                break
            time.sleep(BETWEEN_LOOKS)
            if not select.select([listener], [], [], 0)[0]:
                return  # taken; whoever comes next wakes this process again
        super().accept(listener)


def see_off(connection: socket.socket) -> None:
    """Say that nothing more comes, and wait until the visitor has closed too, but not for ever."""
    until = time.monotonic() + FAREWELL
    read = 0
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_WR)
        while read < READ_AT_MOST and (left := until - time.monotonic()) > 0:
            connection.settimeout(left)
            more = connection.recv(4096)
            if not more:
                break
            read += len(more)
