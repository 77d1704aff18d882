"""Visiting pages of a running server over HTTP: who looks at what, and how long each answer took."""

import http.client
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from bench.servers import LOCAL, free_port, running
from provender.database.models.accounts import Person

READY_WITHIN: Final = 60.0
CLIENTS: Final = 2
"""Visitors at once: as many as there are cores."""
OK: Final = 200


@dataclass(frozen=True, slots=True)
class Visit:
    """One page asked for: the cookie of who looks, and the path."""

    cookie: str
    path: str


@dataclass(frozen=True, slots=True)
class Server:
    """A running server: its port and the process of gunicorn's master."""

    port: int
    process: subprocess.Popen[bytes]

    def processor_seconds(self) -> float:
        """Return the processor time, user and system, that the workers have taken so far."""
        ticks = 0
        for child in self._workers():
            ticks += sum(map(int, Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def peak_megabytes(self) -> float:
        """Return the largest memory that any worker ever held."""
        return max(_peak(child) for child in self._workers()) / 1024

    def _workers(self) -> list[int]:
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(child) for child in children]


def _peak(pid: int) -> int:
    """Return the peak of a process's memory in kB."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM:")))


@contextmanager
def running_server(log: Path) -> Iterator[Server]:
    """Run gunicorn as users run it, with this process's environment, until the block ends; errors as ``running``."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "--config", "python:provender.web.gunicorn_settings"]
    environment = {**os.environ, "PROVENDER_BIND": f"{LOCAL}:{port}"}
    with running(command, environment, port, log, READY_WITHIN) as process:
        yield Server(port, process)


def sign_in(code: str) -> str:
    """Make a session for the person who manages an organisation of the benchmark, and return its cookie."""
    person = Person.objects.get(email=f"{code}@bench.example")
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


def times_of(server: Server, visits: Sequence[Visit]) -> tuple[float, float, int]:
    """Make the visits from as many clients as there are cores.

    Returns:
        The worker's processor milliseconds of a visit; the median of the milliseconds by the clock; the bytes of the
        largest answer as it travels: compressed, as browsers ask for it.

    Raises:
        RuntimeError: an answer was not a page.
    """
    found: list[float] = []
    sizes: list[int] = []
    failed: list[str] = []

    def client(mine: Sequence[Visit]) -> None:
        connection = http.client.HTTPConnection(LOCAL, server.port, timeout=60)
        for visit in mine:
            begun = time.perf_counter()
            connection.request("GET", visit.path, headers={"Cookie": visit.cookie, "Accept-Encoding": "gzip"})
            answer = connection.getresponse()
            sizes.append(len(answer.read()))
            found.append((time.perf_counter() - begun) * 1000)
            if answer.status != OK:
                failed.append(f"{visit.path}: {answer.status}")

    before = server.processor_seconds()
    clients = [threading.Thread(target=client, args=(visits[number::CLIENTS],)) for number in range(CLIENTS)]
    for one in clients:
        one.start()
    for one in clients:
        one.join()
    if failed or len(found) != len(visits):
        raise RuntimeError(failed[0] if failed else "a client stopped")
    return (server.processor_seconds() - before) * 1000 / len(visits), median(found), max(sizes)
