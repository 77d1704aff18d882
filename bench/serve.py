"""How long ``provender serve`` takes until it answers, empty and with the example chain, which stands the next time.

One core is kept busy meanwhile, as on somebody's own machine.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from bench.measure import Measure, at_most

DEMO_SECONDS: Final = 10.0
SECONDS: Final = 3.0
LATEST: Final = 300.0
PROVENDER: Final = (sys.executable, "-c", "from provender.cli import main; main()")


def run() -> list[Measure]:
    """Measure."""
    with _busy_core(), tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        demo, empty = Path(name) / "demo", Path(name) / "empty"
        return [
            at_most("`serve --demo`, from nothing until /health answers", _until_healthy(demo, "--demo"), "s",
                    DEMO_SECONDS),
            at_most("`serve --demo`, the second time", _until_healthy(demo, "--demo"), "s", SECONDS),
            at_most("`serve`, from nothing", _until_healthy(empty), "s", SECONDS),
        ]  # fmt: skip


@contextmanager
def _busy_core() -> Iterator[None]:
    process = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        yield
    finally:
        process.kill()
        process.wait()


def _until_healthy(folder: Path, *options: str) -> float:
    """Start the command as a person does, and return the seconds until it says that it is well.

    Raises:
        RuntimeError: it never did.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PROVENDER", "DJANGO"))}
    arguments = [*PROVENDER, "serve", "--port", str(port), "--folder", str(folder), *options]
    begun = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603 - our own command
        arguments, env=kept, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while time.perf_counter() - begun < LATEST and process.poll() is None:
            if _answers(port):
                return time.perf_counter() - begun
            time.sleep(0.05)
        raise RuntimeError("the server did not answer")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)  # noqa: PLR2004 - all well
    except OSError:
        return False
