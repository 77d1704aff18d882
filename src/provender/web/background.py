"""Work in a process of its own beside the server: started in a folder, told apart from a lost one by a lock.

The process has no database, no settings and no network: what it needs lies in its folder, and so does its answer. It
holds a lock on ``alive`` as long as it lives, so that one that was killed is known as lost, not as slow.
"""

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

REQUEST, ALIVE, PROGRESS, OUTCOME = "request.json", "alive", "progress.json", "outcome.json"
STARTING_SECONDS: Final = 20
_WAIT_SECONDS: Final = 0.2


def write_whole(path: Path, data: object) -> None:
    """Write JSON so that a reader sees all of it or nothing."""
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(data), encoding="utf-8")
    beside.replace(path)


def spawn(module: str, folder: Path) -> None:
    """Start ``python -m module FOLDER``, which outlives the request; does not wait for it."""
    command = [sys.executable, "-I", "-B", "-m", module, str(folder)]
    with (folder / "trouble.txt").open("wb") as trouble:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and module, no shell
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=trouble,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8", "POLARS_MAX_THREADS": "1"},
            start_new_session=True,
        )
    # Nobody waits for the answer here, but a child that has ended must be waited for.
    threading.Thread(target=process.wait, daemon=True, name=f"{module} {folder.name}").start()


def told(folder: Path) -> dict[str, Any]:
    """Return what the process said last of how far it is; empty before it said anything."""
    try:
        found: dict[str, Any] = json.loads((folder / PROGRESS).read_text("utf-8"))
    except FileNotFoundError:
        return {}
    return found


def is_lost(folder: Path) -> bool:
    """Tell whether nobody holds the lock of a process that had time to start and left no answer."""
    if (folder / OUTCOME).is_file():
        return False
    try:
        age = time.time() - (folder / REQUEST).stat().st_mtime
        if age < STARTING_SECONDS and not (folder / ALIVE).exists():
            return False
        with (folder / ALIVE).open("r") as alive:
            fcntl.flock(alive, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except FileNotFoundError:
        return True
    return not (folder / OUTCOME).is_file()


@contextlib.contextmanager
def alive_in(folder: Path) -> Iterator[None]:
    """Hold the lock that shows the process to be alive."""
    with (folder / ALIVE).open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def own_turn(slots_in: Path, at_once: int, waiting: Callable[[], None]) -> Iterator[None]:
    """Wait until fewer than ``at_once`` processes of a kind are at work on this machine.

    Args:
        slots_in: the folder that all processes of the kind share.
        at_once: how many may work at the same time.
        waiting: called again and again while there is no turn.
    """
    slots = [(slots_in / f"slot-{number}").open("w") for number in range(at_once)]
    try:
        while True:
            for slot in slots:
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(slot, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    yield
                    return
            waiting()
            time.sleep(_WAIT_SECONDS)
    finally:
        for slot in slots:
            slot.close()
