"""Whoever sends slowly keeps nobody waiting and is let go; whoever comes while one process computes gets the other."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tests.processes import free_port, plain_environment, running, until

pytestmark = pytest.mark.xdist_group("spreading")

APPLICATION = """
import hashlib, os, time

WORK = bytes(1_000_000)  # as of frames: its thread leaves the interpreter to others meanwhile

def application(environ, start_response):
    until = time.monotonic() + (1.5 if environ["PATH_INFO"] == "/long" else 0)
    while time.monotonic() < until:
        hashlib.sha256(WORK)
    status, body = "200 OK", str(os.getpid()).encode()
    if environ["REQUEST_METHOD"] == "POST":
        asks, known = environ.get("provender.asks", False), "HTTP_X_KNOWN" in environ
        status = "204 No Content" if asks and known else "200 OK" if known else "413 Too Large"
        told = environ["wsgi.url_scheme"], environ.get("HTTP_TRANSFER_ENCODING"), len(environ["wsgi.input"].read())
        body = b"" if asks and known else repr(told).encode()
    if environ["PATH_INFO"] == "/much":
        body = bytes(17_000_000)
    start_response(status, [("Content-Length", str(len(body)))])
    return [body]
"""
SETTINGS = """
from provender.web import worker
wsgi_app = "application:application"
workers = {workers}
worker_class = "provender.web.worker.EventLoopWorker"
threads = 8
control_socket_disable = True
worker.MOST_CONNECTIONS = {most}
worker.SILENT_SECONDS = worker.HEADER_SECONDS = worker.STILL_SECONDS = {patience}
"""


@contextmanager
def toy(
    folder: Path, *, workers: int, patience: float, largest: str = "unlimited", most: int = 2000, bind: str = ""
) -> Iterator[str]:
    """Run a server of an application that needs no database, with files of ``largest`` kB; yield where it answers."""
    (folder / "application.py").write_text(APPLICATION)
    (folder / "settings.py").write_text(SETTINGS.format(workers=workers, patience=patience, most=most))
    where = bind or f"127.0.0.1:{free_port()}"
    command = [
        "bash",
        "-c",
        f"ulimit -f {largest}; exec $0 $*",
        sys.executable,
        *["-m", "gunicorn", "--config", "settings.py"],
    ]
    command += ["--bind", where]
    with running(command, folder / "log", {**os.environ, "PROVENDER_WORKERS": str(workers)}, folder):
        yield where


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with toy(tmp_path_factory.mktemp("served"), workers=2, patience=10) as where:
        _wait_for_both(where)
        yield where


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run one process, which waits a second for whoever is slow."""
    folder = tmp_path_factory.mktemp("alone")
    with toy(folder, workers=1, patience=1) as where:
        until(lambda: _asked(where, "/"), folder / "log")
        yield where


@pytest.fixture
def full(tmp_path: Path) -> Iterator[str]:
    """Run one that finds no space for a body."""
    with toy(tmp_path, workers=1, patience=10, largest="900") as where:
        until(lambda: _asked(where, "/"), tmp_path / "log")
        yield where


def _line(address: str, sent: bytes, **options: int) -> socket.socket:
    host, port = address.split(":")
    line = socket.socket()
    for name, value in options.items():
        line.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
    line.settimeout(10)
    line.connect((host, int(port)))
    line.sendall(sent)
    return line


def _read(line: socket.socket) -> bytes:
    """Read until the other side has closed."""
    with suppress(ConnectionResetError):
        return b"".join(iter(lambda: line.recv(65536), b""))
    return b"reset"


_HEAD = b"POST / HTTP/1.1\r\nHost: a\r\n"
SLOW = {
    "silent": (b"", b""),
    "blank lines": (b"", b"\r\n\r\n"),
    "half a header": (b"GET / HTTP/1.1\r\nHost: a\r\nX: ", b""),
    "a header byte by byte": (b"GET / HTTP/1.1\r\nHost: a\r\nX: ", b"a"),
    "no body": (_HEAD + b"Content-Length: 9\r\n\r\n", b""),
    "most of a body": (_HEAD + b"Content-Length: 9\r\n\r\n12345678", b""),
    "a body byte by byte": (_HEAD + b"Content-Length: 900\r\n\r\n", b"a"),
    "a large body": (_HEAD + b"Content-Length: 900000\r\n\r\n", b"a"),
    "chunks": (_HEAD + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
}


def test_whoever_sends_slowly_holds_no_thread_and_is_let_go(alone: str) -> None:
    begun = time.monotonic()
    with ExitStack() as slow:
        left = [(slow.enter_context(_line(alone, sent)), name) for name, (sent, _) in SLOW.items() for _ in range(20)]
        assert _asked(alone, "/")
        assert time.monotonic() - begun < 2
        while left and time.monotonic() - begun < 9:
            for line, name in left:
                line.settimeout(0)
                with suppress(OSError):
                    line.send(SLOW[name][1])
            left = [(line, name) for line, name in left if not _has_ended(line)]
            time.sleep(0.1)
    assert not {name for _, name in left}


def test_where_too_many_wait_those_go_that_have_waited_longest(tmp_path: Path) -> None:
    with toy(tmp_path, workers=1, patience=60, most=20) as where, ExitStack() as slow:
        until(lambda: _asked(where, "/"), tmp_path / "log")
        lines = [slow.enter_context(_line(where, b"")) for _ in range(30)]
        assert _asked(where, "/")
        for line in lines:
            line.settimeout(0)
        assert [_has_ended(line) for line in lines] == [True] * 11 + [False] * 19


def _has_ended(line: socket.socket) -> bool:
    try:
        return not line.recv(65536)
    except BlockingIOError:
        return False
    except OSError:
        return True


@pytest.mark.slow
def test_those_who_read_nothing_of_an_answer_are_let_go(alone: str) -> None:
    with ExitStack() as slow:
        asked = b"GET /much HTTP/1.1\r\nHost: a\r\n\r\n"
        lines = [slow.enter_context(_line(alone, asked, SO_RCVBUF=4096)) for _ in range(9)]
        assert _asked(alone, "/")
        time.sleep(4)
        assert sum(len(_read(line)) for line in lines) < 9 * 17_000_000


@pytest.mark.parametrize(
    ("head", "size", "told"),
    [
        (b"", 262_144, "413"),
        (b"", 262_145, "413"),
        (b"X-Known: 1\r\n", 262_144, "('http', None, 262144)"),
        (b"X-Known: 1\r\n", 3_000_000, "('http', None, 3000000)"),
        (b"X-Known: 1\r\nX-Forwarded-Proto: https\r\n", 1, "('https', None, 1)"),
    ],
)
def test_a_large_body_is_read_of_whoever_is_known_and_refused_unread_else(
    alone: str, head: bytes, size: int, told: str
) -> None:
    with _line(alone, _HEAD + head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % size) as line:
        line.sendall(bytes(size))
        answer = _read(line).decode()
    assert told in answer
    assert ("0)" in answer) is (size > 262_144 and not head) or head, "what a stranger sends stays unread from there"


def test_a_full_disk_is_told_and_what_fits_is_taken(full: str) -> None:
    for size, told in ((1_000_000, "507 Insufficient Storage"), (600_000, "600000)"), (1_000_000, "The disk of the")):
        with _line(full, _HEAD + b"X-Known: 1\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % size) as line:
            line.sendall(bytes(size))
            assert told in _read(line).decode()


def test_a_proxy_at_a_socket_of_this_machine_is_trusted(tmp_path: Path) -> None:
    at = tmp_path / "here"
    with toy(tmp_path, workers=1, patience=10, bind=f"unix:{at}"), socket.socket(socket.AF_UNIX) as line:
        until(lambda: line.connect(str(at)), tmp_path / "log")
        line.sendall(
            _HEAD + b"X-Known: 1\r\nX-Forwarded-Proto: https\r\nConnection: close\r\nContent-Length: 1\r\n\r\n1"
        )
        assert b"('https', None, 1)" in _read(line)


def test_chunks_are_not_read_and_what_follows_them_is_no_request(alone: str) -> None:
    second = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
    with _line(alone, _HEAD + b"X-Known: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second) as line:
        answer = _read(line).decode()
    assert "('http', 'chunked', 0)" in answer
    assert answer.count("HTTP/1.1") == 1


def test_who_is_being_answered_when_the_server_stops_is_answered(tmp_path: Path) -> None:
    with toy(tmp_path, workers=1, patience=10) as where:
        until(lambda: _asked(where, "/"), tmp_path / "log")
        _line(where, b"").close()
        line = _line(where, b"GET /long HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.3)
        begun = time.monotonic()
    with line:
        assert _read(line).startswith(b"HTTP/1.1 200 OK")
    assert time.monotonic() - begun < 6


def _asked(address: str, path: str) -> str:
    with urllib.request.urlopen(f"http://{address}{path}", timeout=20) as answer:
        return str(answer.read().decode())


def _wait_for_both(address: str) -> None:
    end = time.monotonic() + 30
    seen: set[str] = set()
    while len(seen) < 2:
        assert time.monotonic() < end, f"only {seen} answered"
        busy = threading.Thread(target=lambda: seen.add(_asked(address, "/long")))
        try:
            _asked(address, "/")
        except OSError:
            time.sleep(0.1)
            continue
        busy.start()
        time.sleep(0.2)
        seen.add(_asked(address, "/"))
        busy.join()


@pytest.mark.slow
def test_who_comes_while_one_process_computes_is_answered_by_the_other(address: str) -> None:
    computing: list[str] = []
    first = threading.Thread(target=lambda: computing.append(_asked(address, "/long")))
    first.start()
    time.sleep(0.2)
    others = [_asked(address, "/") for _ in range(40)]
    assert first.is_alive(), "the first must compute all the while"
    first.join()
    assert others.count(computing[0]) <= 4, "without looking first it takes every third"


@pytest.mark.slow
def test_a_visitor_who_never_closes_keeps_nobody_out(address: str) -> None:
    host, port = address.split(":")

    def seconds() -> float:
        begun = time.monotonic()
        for _ in range(20):
            _asked(address, "/")
        return time.monotonic() - begun

    before = seconds()
    with ExitStack() as lingering:
        for _ in range(6):
            connection = lingering.enter_context(socket.create_connection((host, int(port)), timeout=20))
            connection.sendall(f"GET / HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
            connection.recv(65536)
        assert seconds() < 2 * before + 1, "waiting for each would take two seconds"


@pytest.mark.slow
def test_a_connection_is_not_kept_after_a_page_and_is_kept_for_its_files(address: str) -> None:
    host, port = address.split(":")
    for path, is_closed in (("/", True), ("/static/provender/site.css", False)):
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
            head = connection.recv(65536).split(b"\r\n\r\n")[0].lower()
        assert (b"connection: close" in head) is is_closed, path


ASKS = "import provender.web.gunicorn_settings, polars; print(polars.thread_pool_size())"


@pytest.mark.slow
@pytest.mark.parametrize(("said", "threads"), [({}, "1"), ({"POLARS_MAX_THREADS": "3"}, "3")])
def test_frames_are_computed_in_one_thread_unless_it_is_said(said: dict[str, str], threads: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "POLARS_MAX_THREADS"}
    asked = [sys.executable, "-c", ASKS]
    done = subprocess.run(asked, env={**kept, **said}, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == threads


LOADED = """
import gc, pathlib, sys, types
from provender.web import start
start.set_environment(pathlib.Path(sys.argv[1]))
from provender.web import gunicorn_settings
gunicorn_settings.post_fork(types.SimpleNamespace(WORKERS={}), None)
before = gc.isenabled()
import django
django.setup()
gunicorn_settings.post_worker_init(None)
print(before, gc.isenabled())
"""


@pytest.mark.slow
def test_a_worker_looks_for_garbage_once_it_is_loaded(tmp_path: Path) -> None:
    asked = [sys.executable, "-c", LOADED, str(tmp_path)]
    done = subprocess.run(asked, env=plain_environment(), capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.slow
@pytest.mark.parametrize(("said", "workers"), [("", min(2, len(os.sched_getaffinity(0)))), ("1", 1), ("4", 4)])
def test_two_processes_answer_where_there_are_two_cores(said: str, workers: int) -> None:
    asked = [sys.executable, "-c", "from provender.web import gunicorn_settings as s; print(s.workers)"]
    done = subprocess.run(  # noqa: S603 - ours
        asked, env={**os.environ, "PROVENDER_WORKERS": said}, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == workers


FORKED = """
import signal, sys, types
from provender.web import gunicorn_settings
for ends in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
    signal.signal(ends, lambda *_: None)
gunicorn_settings.FIRST_ALONE = 30
print("forked", flush=True)
gunicorn_settings.post_fork(types.SimpleNamespace(WORKERS=eval(sys.argv[1])), None)
print("loads", flush=True)
"""


def forked(others: str) -> "subprocess.Popen[str]":
    asked = [sys.executable, "-c", FORKED, others]
    return subprocess.Popen(asked, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours


@pytest.mark.slow
def test_the_first_process_loads_at_once() -> None:
    first = forked("{}")
    assert first.communicate(timeout=25)[0].split() == ["forked", "loads"]


@pytest.mark.slow
@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
def test_a_further_process_lets_the_first_load_alone_and_ends_when_it_is_told(ends: signal.Signals) -> None:
    further = forked("{7: None}")
    assert further.stdout is not None
    assert further.stdout.readline() == "forked\n"
    end = time.monotonic() + 20
    while further.poll() is None and time.monotonic() < end:
        further.send_signal(ends)
        time.sleep(0.2)
    assert further.poll() == -ends
    assert further.stdout.read() == "", "it was told before it began to load"
    further.stdout.close()
