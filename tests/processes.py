"""Our program as a process of its own: with nothing of the tests in its environment, on a free port, awaited."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

import httpx

PROVENDER: Final = (sys.executable, "-c", "from provender.cli import main; main()")
READY_WITHIN: Final = 180
"""Seconds, for a machine at work on other things; what is promised is timed by `python -m bench serve`."""
OURS: Final = ("PROVENDER", "DJANGO", "PYTEST", "COV")
Made = TypeVar("Made")


def plain_environment(**more: str) -> dict[str, str]:
    """Return the environment of a person who has just opened a terminal, and what is added to it."""
    return {name: text for name, text in os.environ.items() if not name.startswith(OURS)} | more


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(make: Callable[[], Made], log: Path) -> Made:
    """Return what can be made once a server is there; what it has said until then is told when it does not come."""
    end = time.monotonic() + READY_WITHIN
    while True:
        try:
            return make()
        except (OSError, httpx.HTTPError):
            assert time.monotonic() < end, log.read_text(encoding="utf-8")
            time.sleep(0.1)


@contextmanager
def running(
    command: Sequence[str | Path], log: Path, variables: dict[str, str], folder: Path | None = None
) -> Iterator[None]:
    """Run a server, which must end well when it is told to."""
    with log.open("w", encoding="utf-8") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, cwd=folder, env=variables)  # noqa: S603 - ours
    try:
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            status = process.wait(60)
        finally:
            process.kill()  # which does nothing to one that has ended
    assert status == 0, log.read_text(encoding="utf-8")
