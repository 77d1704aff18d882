"""What ``provender serve`` takes until it answers, empty and with the example chain, which stands the next time."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from itertools import count
from pathlib import Path
from typing import Final

from bench.measure import Measure, children_seconds, timed

UNIT: Final = "s of CPU"
LATEST: Final = 300.0
PROVENDER: Final = (sys.executable, "-c", "from provender.cli import main; main()")


def run() -> list[Measure]:
    """Measure."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folders = (Path(name) / str(number) for number in count())
        demo = Path(name) / "demo"
        _until_healthy(demo, "--demo")
        return [
            timed("`serve`, from nothing until /health answers", lambda: _until_healthy(next(folders)), UNIT, None),
            timed("`serve --demo`, from nothing", lambda: _until_healthy(next(folders), "--demo"), UNIT, None),
            timed("`serve --demo`, again", lambda: _until_healthy(demo, "--demo"), UNIT, None),
        ]


def _until_healthy(folder: Path, *options: str) -> float:
    """Start the command as a person does until it says that it is well, stop it, and return its processor seconds.

    Raises:
        RuntimeError: it never did.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PROVENDER", "DJANGO"))}
    arguments = [*PROVENDER, "serve", "--port", str(port), "--folder", str(folder), *options]
    begun, before = time.perf_counter(), children_seconds()
    process = subprocess.Popen(  # noqa: S603 - our own command
        arguments, env=kept, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        while time.perf_counter() - begun < LATEST and process.poll() is None:
            if _answers(port):
                break
            time.sleep(0.05)
        else:
            raise RuntimeError("the server did not answer")
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    return children_seconds() - before


def _answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
            return bool(answer.status == 200)  # noqa: PLR2004 - all well
    except OSError:
        return False
