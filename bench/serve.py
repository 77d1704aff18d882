"""What ``provender serve`` takes until it answers, empty and with the example chain, which stands the next time."""

import tempfile
from itertools import count
from pathlib import Path
from typing import Final

from bench.measure import Measure, children_seconds, timed
from bench.servers import SERVE, free_port, plain_environment, running

UNIT: Final = "s of CPU"
LATEST: Final = 300.0


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
    """Start the command as a person does until it says that it is well, stop it, and return its processor seconds."""
    port, before = free_port(), children_seconds()
    command = [*SERVE, str(port), "--folder", str(folder), *options]
    with running(command, plain_environment(), port, folder.with_suffix(".log"), LATEST):
        pass
    return children_seconds() - before
