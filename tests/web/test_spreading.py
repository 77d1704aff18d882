"""Two processes answer, each computing in one thread: whoever comes while one computes is answered by the other."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.processes import free_port, plain_environment, running

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spreading")]

APPLICATION = """
import hashlib, os, time

WORK = bytes(1_000_000)  # as of frames: its thread leaves the interpreter to others meanwhile

def application(environ, start_response):
    until = time.monotonic() + (1.5 if environ["PATH_INFO"] == "/long" else 0)
    while time.monotonic() < until:
        hashlib.sha256(WORK)
    body = str(os.getpid()).encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]
"""
SETTINGS = """
from provender.web.gunicorn_settings import pre_request
wsgi_app = "application:application"
workers = 2
worker_class = "provender.web.spreading.SpreadingWorker"
threads = 8
keepalive = 5
control_socket_disable = True
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    tmp_path = tmp_path_factory.mktemp("served")
    (tmp_path / "application.py").write_text(APPLICATION)
    (tmp_path / "settings.py").write_text(SETTINGS)
    where = f"127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "gunicorn", "--config", "settings.py", "--bind", where]
    with running(command, tmp_path / "log", {**os.environ, "PROVENDER_WORKERS": "2"}, tmp_path):
        _wait_for_both(where)
        yield where


def _asked(address: str, path: str) -> str:
    with urllib.request.urlopen(f"http://{address}{path}", timeout=20) as answer:
        return str(answer.read().decode())


def _wait_for_both(address: str) -> None:
    until = time.monotonic() + 30
    seen: set[str] = set()
    while len(seen) < 2:
        assert time.monotonic() < until, f"only {seen} answered"
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


def test_who_comes_while_one_process_computes_is_answered_by_the_other(address: str) -> None:
    computing: list[str] = []
    first = threading.Thread(target=lambda: computing.append(_asked(address, "/long")))
    first.start()
    time.sleep(0.2)
    others = [_asked(address, "/") for _ in range(40)]
    assert first.is_alive(), "the first must compute all the while"
    first.join()
    assert others.count(computing[0]) <= 4, "without looking first it takes every third"


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
        assert seconds() < 2 * before + 1, "gunicorn's own farewell holds the door for two seconds each"


def test_a_connection_is_not_kept_after_a_page_and_is_kept_for_its_files(address: str) -> None:
    host, port = address.split(":")
    for path, word in (("/", b"close"), ("/static/provender/site.css", b"keep-alive")):
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode())
            head = connection.recv(65536).split(b"\r\n\r\n")[0].lower()
        assert b"connection: " + word in head, path


ASKS = "import provender.web.gunicorn_settings, polars; print(polars.thread_pool_size())"


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


def test_a_worker_looks_for_garbage_once_it_is_loaded(tmp_path: Path) -> None:
    asked = [sys.executable, "-c", LOADED, str(tmp_path)]
    done = subprocess.run(asked, env=plain_environment(), capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.split() == ["False", "True"]


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


def test_the_first_process_loads_at_once() -> None:
    first = forked("{}")
    assert first.communicate(timeout=25)[0].split() == ["forked", "loads"]


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
def test_a_further_process_lets_the_first_load_alone_and_ends_when_it_is_told(ends: signal.Signals) -> None:
    further = forked("{7: None}")
    assert further.stdout is not None
    assert further.stdout.readline() == "forked\n"
    until = time.monotonic() + 20
    while further.poll() is None and time.monotonic() < until:
        further.send_signal(ends)
        time.sleep(0.2)
    assert further.poll() == -ends
    assert further.stdout.read() == "", "it was told before it began to load"
    further.stdout.close()
