"""A process of gunicorn in which waitress reads: an event loop takes each request in whole before a thread has it.

Whoever sends slowly holds a connection, for seconds, and never a thread. What says that it is larger than a stranger
may send is asked about first (``ASKS``), so that nobody fills the disk before saying who sends it.

Every process waits on the same socket. One that computes leaves a new connection to one that is idle, and two people
who look at farms at once do not wait for each other beside a process that has nothing to do.
"""

import contextlib
import io
import logging
import os
import resource
import select
import socket
import time
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any, Final

from gunicorn.workers.base import Worker
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import BaseWSGIServer, TcpWSGIServer, UnixWSGIServer
from waitress.task import ThreadedTaskDispatcher, WSGITask
from waitress.utilities import Error

from provender.web.environment import ASKS, STRANGERS_BYTES, WANTED
from provender.whole_file import is_full

SILENT_SECONDS: Final = 10.0
"""How long a connection may ask for nothing."""
HEADER_SECONDS: Final = 15.0
"""How long a request may take to say what it wants."""
STILL_SECONDS: Final = 20.0
"""How long nothing may come of a body, or go of an answer."""
SLOWEST: Final = 1000
"""Bytes of a body that must come in each second after the first ``STILL_SECONDS``, on the average."""
FAREWELL_SECONDS: Final = 2.0
"""How long the sender of what was left unread may take to read the answer, or a stopping server waits for more."""
HEADER_BYTES: Final = 65_536
ANSWER_BYTES: Final = 2**28
"""What a thread leaves to be sent before it waits for the reader; from a mebibyte on it lies in a file."""
MOST_CONNECTIONS: Final = 2_000
"""Of one process; the one that has waited longest goes for a new one."""
PATIENCE_SECONDS: Final = 0.004
"""How long a process that computes leaves a new connection to the others."""

_Start = Callable[..., Callable[[bytes], object]]
_Application = Callable[[dict[str, Any], _Start], Iterable[bytes]]


class NoSpaceError(Error):  # type: ignore[misc]  # waitress has no types
    """What is answered when the disk is full."""

    code, reason = 507, "Insufficient Storage"


class Request(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """What has come of a request, and since when."""

    def __init__(self, adjustments: Adjustments) -> None:
        super().__init__(adjustments)
        self.begun = time.monotonic()
        self.is_asked_about = False
        self.is_unread = False
        self.answer: tuple[str, list[tuple[str, str]], bytes] | None = None  # what was said without the body

    def received(self, data: bytes) -> int:
        """Take bytes in. Of a body that does not say how long it is nothing is read: the answer says that it must."""
        try:
            taken: int = super().received(data)
        except OSError as error:
            if not is_full(error):
                raise
            self.leave_unread()
            self.error = NoSpaceError("The disk of the server is full. Nothing was kept: tell whoever runs it.")
            return len(data)
        if self.error is not None:
            self.is_unread = True
        elif self.headers_finished and (self.chunked or "TRANSFER_ENCODING" in self.headers):
            self.leave_unread()
        return taken

    def leave_unread(self) -> None:
        """Be answered without the body, and then no more on this connection."""
        self.close()
        self.body_rcv, self.expect_continue, self.completed, self.is_unread = None, False, True, True
        self.headers["CONNECTION"] = "close"
        if self.chunked:
            self.headers["TRANSFER_ENCODING"] = "chunked"


class Task(WSGITask):  # type: ignore[misc]  # waitress has no types
    """A request as the application answers it."""

    def get_environment(self) -> dict[str, Any]:
        """Return what WSGI says of the request; a proxy that is trusted says whether it came over TLS."""
        environment: dict[str, Any] = super().get_environment()
        worker = self.channel.server.worker
        if environment.get("HTTP_X_FORWARDED_PROTO") == "https" and worker.trusts(environment["REMOTE_ADDR"]):
            environment["wsgi.url_scheme"] = "https"
        return environment

    def execute(self) -> None:
        """Ask the application, unless it has said already what it answers without the body."""
        if not self.request.is_unread or self.request.answer is None:
            super().execute()
        else:
            self.status, self.response_headers, body = self.request.answer
            self.complete, self.content_length = True, len(body)
            self.write(body)

    def build_response_header(self) -> bytes:
        """Let a browser come back on a new connection after a page: one that is kept stays with this process.

        Files of the pages come over a kept one.
        """
        worker = self.channel.server.worker
        if not worker.alive or (worker.cfg.workers > 1 and not self.request.path.startswith("/static/")):
            self.set_close_on_finish()
        worker.count()
        header: bytes = super().build_response_header()
        return header


class Asking:
    """Asks the application in a thread whether a large body is to be read, and lets the connection go on."""

    def __init__(self, channel: "Channel", request: Request) -> None:
        self.channel, self.request = channel, request

    def service(self) -> None:
        """Ask; an application that breaks wants nothing."""
        channel, request, is_wanted = self.channel, self.request, False
        try:
            is_wanted = self._is_wanted()
        finally:
            with channel.requests_lock:
                channel.is_asking = False
                if not is_wanted:
                    request.leave_unread()
                    channel.request = None
                    channel.requests.append(request)
                    if len(channel.requests) == 1:
                        channel.server.add_task(channel)
            channel.server.pull_trigger()

    def _is_wanted(self) -> bool:
        environment = Task(self.channel, self.request).get_environment() | {ASKS: True, "wsgi.input": io.BytesIO()}
        said: list[tuple[str, list[tuple[str, str]]]] = []

        def start(status: str, headers: list[tuple[str, str]], _error: object = None) -> Callable[[bytes], object]:
            said.append((status, headers))
            return lambda _: None

        answer = self.channel.server.application(environment, start)
        body = b"".join(answer)
        close: Callable[[], object] = getattr(answer, "close", lambda: None)
        close()
        self.request.answer = (*said[-1], body)
        return said[-1][0].startswith(str(WANTED))

    def cancel(self) -> None:
        """End with the server."""
        self.channel.cancel()


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection, which ends when it is slow."""

    parser_class = Request
    task_class = Task
    is_asking = False
    is_unread = False
    left: float | None = None  # when nothing more was to be said, of one whose request was not read to its end

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as waitress calls it
        self.waits_since = time.monotonic()
        super().__init__(*args, **kwargs)

    @property
    def last_activity(self) -> float:
        """When something last came or went, by a clock that nobody sets; waitress hands in the other one."""
        return self._active

    @last_activity.setter
    def last_activity(self, _now: float) -> None:
        self._active = time.monotonic()

    def is_waiting(self) -> bool:
        """Tell whether the next word is the sender's."""
        return not (self.requests or self.total_outbufs_len or self.is_asking)

    def is_overdue(self, now: float, silent: float = SILENT_SECONDS) -> bool:
        """Tell whether this end has waited long enough for the other."""
        if self.left is not None:
            return now - self.left > FAREWELL_SECONDS
        if self.total_outbufs_len:
            return now - self._active > STILL_SECONDS
        if not self.is_waiting():
            return False
        if self.request is None:
            return now - self.waits_since > silent
        taken: float = now - self.request.begun
        if not self.request.headers_finished:
            return taken > HEADER_SECONDS
        enough: float = STILL_SECONDS + self.request.body_bytes_received / SLOWEST
        return now - self._active > STILL_SECONDS or taken > enough

    def received(self, data: bytes) -> bool:
        """Take bytes in; ask before the body is read of a request that is large."""
        done: bool = super().received(data)
        request = self.request
        if request is not None and not request.is_asked_about and request.content_length > STRANGERS_BYTES:
            request.is_asked_about = self.is_asking = True
            self.server.add_task(Asking(self, request))
        return done

    def service(self) -> None:
        """Answer."""
        self.is_unread = self.is_unread or self.requests[0].is_unread
        super().service()
        self.waits_since = time.monotonic()

    def readable(self) -> bool:
        """Tell whether more is taken in."""
        return self.left is not None or (not self.is_asking and bool(super().readable()))

    def handle_read(self) -> None:
        """Take in what came; what comes after the answer is thrown away."""
        if self.left is None:
            super().handle_read()
        else:
            self.recv(self.adj.recv_bytes)

    def handle_close(self) -> None:
        """Close. Who is still sending is let read the answer first, or it would be lost with the connection."""
        if self.is_unread and self.left is None and self.socket is not None:
            self.left, self.will_close = time.monotonic(), False
            with contextlib.suppress(OSError):
                self.socket.shutdown(socket.SHUT_WR)
        else:
            super().handle_close()


class Listener(BaseWSGIServer):  # type: ignore[misc]  # waitress has no types
    """Where connections come in."""

    channel_class = Channel
    worker: "EventLoopWorker"
    looks_again: float | None = None  # when a connection is taken that was left to the other processes

    def readable(self) -> bool:
        """Tell whether connections are taken in, or left to others for a moment."""
        return self.accepting and self.looks_again is None

    def handle_accept(self) -> None:
        """Take a connection, unless another process may take it while this one computes."""
        if self.worker.cfg.workers > 1 and self.worker.is_busy():
            self.looks_again = time.monotonic() + PATIENCE_SECONDS
        else:
            self.take()

    def look_again(self) -> None:
        """Take what nobody has taken for a while; once another process has, whoever comes next waits anew."""
        if self.looks_again is None:
            return
        if not self.accepting or not select.select([self.socket], [], [], 0)[0]:
            self.looks_again = None
        elif time.monotonic() >= self.looks_again or not self.worker.is_busy():
            self.looks_again = None
            self.take()

    def take(self) -> None:
        """Take a connection. Where there are too many, the one goes that has waited longest for its sender."""
        channels = self.active_channels.values()
        if len(channels) >= self.worker.most:
            waiting = [one for one in channels if one.is_waiting()]
            if not waiting:
                self.looks_again = time.monotonic() + PATIENCE_SECONDS
                return
            slowest = min(waiting, key=lambda one: one.request.begun if one.request else one.waits_since)
            slowest.is_unread = False
            slowest.handle_close()
        super().handle_accept()


class TcpListener(Listener, TcpWSGIServer):  # type: ignore[misc]  # waitress has no types
    """At an address of the network."""


class UnixListener(Listener, UnixWSGIServer):  # type: ignore[misc]  # waitress has no types
    """At a socket of this machine."""


class EventLoopWorker(Worker):  # type: ignore[misc]  # gunicorn has no types
    """Gunicorn's worker, which lets waitress read."""

    alive: bool

    def run(self) -> None:
        """Answer until told to stop; then take nothing new, and end once all is answered."""
        self._listen()
        checked = time.monotonic()
        while self.alive and self.ppid == os.getppid():
            self.notify()
            self._turn()
            if time.monotonic() - checked > 1:
                checked = time.monotonic()
                self._end_overdue(SILENT_SECONDS)
        self.alive = False
        for one in self.listeners:
            wasyncore.dispatcher.close(one)
        until = time.monotonic() + self.cfg.graceful_timeout
        while time.monotonic() < until and any(one.active_channels for one in self.listeners):
            self.notify()
            self._turn(0.1)
            self._end_overdue(FAREWELL_SECONDS)

    def _listen(self) -> None:
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        enough = 4 * MOST_CONNECTIONS  # one may hold a file for what came and one for what goes
        files = enough if hard == resource.RLIM_INFINITY else min(hard, enough)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
        self.most = files // 4
        self.dispatcher = ThreadedTaskDispatcher()
        self.dispatcher.set_thread_count(self.cfg.threads)
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self.map: dict[int, Any] = {}
        common = Adjustments(
            threads=self.cfg.threads, max_request_header_size=HEADER_BYTES, recv_bytes=65_536, ident="",
            backlog=self.cfg.backlog, outbuf_high_watermark=ANSWER_BYTES, log_socket_errors=False,
            clear_untrusted_proxy_headers=False,
        )  # fmt: skip
        self.listeners: list[Listener] = []
        for each in self.sockets:
            one: socket.socket = each.sock
            kind = UnixListener if one.family == socket.AF_UNIX else TcpListener
            of = (one.family, one.type, one.proto, one.getsockname())
            made = kind(
                self.wsgi, self.map, True, one, dispatcher=self.dispatcher, adj=common, sockinfo=of, bind_socket=False
            )
            made.worker = self
            self.listeners.append(made)

    def _turn(self, seconds: float = 1.0) -> None:
        if any(one.looks_again is not None for one in self.listeners):
            seconds = PATIENCE_SECONDS / 4
        wasyncore.loop(seconds, use_poll=True, map=self.map, count=1)
        for one in self.listeners:
            one.look_again()

    def _end_overdue(self, silent: float) -> None:
        now = time.monotonic()
        for listener in self.listeners:
            for one in [each for each in listener.active_channels.values() if each.is_overdue(now, silent)]:
                one.handle_close()

    def is_busy(self) -> bool:
        """Tell whether a thread of this process answers something."""
        return bool(self.dispatcher.active_count or self.dispatcher.queue)

    def count(self) -> None:
        """Count a request: after many of them another process takes this one's place."""
        self.nr += 1
        if self.nr >= self.max_requests:
            self.alive = False

    def trusts(self, address: str) -> bool:
        """Tell whether an address is one of the proxies that were named, or at a socket of this machine."""
        if address == "localhost" or not {"*", address}.isdisjoint(self.cfg.forwarded_allow_ips):
            return True
        with contextlib.suppress(ValueError):
            return any(ip_address(address) in each for each in self.cfg.forwarded_allow_networks())
        return False

    def handle_exit(self, sig: int, frame: object) -> None:
        """Stop, and wake the loop for it."""
        super().handle_exit(sig, frame)
        for one in getattr(self, "listeners", ()):
            one.pull_trigger()
