"""Work in a process of its own beside the server: started in a folder, told apart from a lost one by a lock.

The process has no database, no settings and no network: what it needs lies in its folder, and so does its answer. It
holds a lock on ``alive`` as long as it lives, so that one that was killed is known as lost, not as slow.
"""

import contextlib
import fcntl
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from provender.whole_file import write_whole

REQUEST, ALIVE, PROGRESS, OUTCOME = "request.json", "alive", "progress.json", "outcome.json"
STARTING_SECONDS: Final = 60
CPU_SECONDS: Final = 900
ADDRESS_BYTES: Final = 6 * 2**30
AT_ONCE: Final = 2
"""Processes of a kind at work at the same time on one machine; the others wait their turn."""
NICE: Final = 10
_WAIT_SECONDS: Final = 0.2


def write_json(path: Path, data: object) -> None:
    """Write JSON so that a reader sees all of it or nothing."""
    write_whole(path, json.dumps(data).encode())


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
    give_way(process.pid)
    # Nobody waits for the answer here, but a child that has ended must be waited for.
    threading.Thread(target=process.wait, daemon=True, name=f"{module} {folder.name}").start()


def give_way(pid: int) -> None:
    """Let the process that leads a session of its own take only what others leave.

    From outside: it would have loaded what it needs before it said so itself, beside whoever waits for a page. And
    with its session: Linux shares the processors among sessions first, and heeds a process's own rank within one.
    """
    with contextlib.suppress(OSError):  # it has ended already, or the system knows no groups of sessions
        os.setpriority(os.PRIO_PROCESS, pid, max(NICE, os.getpriority(os.PRIO_PROCESS, pid)))
        Path(f"/proc/{pid}/autogroup").write_text(f"{NICE}\n", encoding="ascii")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a process is."""

    step: str = ""  # at work, or empty while it waits for a turn
    done: int = 0  # steps
    whole: int = 0  # steps
    lost: bool = False  # the process is gone without an answer


Tell = Callable[[str, int, int], None]
"""Says what is at work, how many steps are done and how many there are."""


def progress_in(folder: Path) -> Progress:
    """Return how far the process of a folder is, by what it said last."""
    try:
        said: dict[str, Any] = json.loads((folder / PROGRESS).read_text("utf-8"))
    except FileNotFoundError:
        said = {}
    return Progress(**said, lost=is_lost(folder))


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


def be_the_process(folder: Path, answer: Callable[[Any, Tell], object]) -> None:
    """Be the process that ``spawn`` started: wait for a turn, read the request, leave the answer.

    Args:
        folder: its folder.
        answer: makes the answer, as JSON knows it, out of the request.
    """

    def tell(step: str, done: int, whole: int) -> None:
        write_json(folder / PROGRESS, {"step": step, "done": done, "whole": whole})

    with _alive_in(folder):
        _limit_self()
        with _own_turn(folder.parent.parent, lambda: tell("", 0, 0)):
            request = json.loads((folder / REQUEST).read_text("utf-8"))
            write_json(folder / OUTCOME, answer(request, tell))


def _limit_self() -> None:
    for what, most in ((resource.RLIMIT_CPU, CPU_SECONDS), (resource.RLIMIT_AS, ADDRESS_BYTES)):
        resource.setrlimit(what, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@contextlib.contextmanager
def _alive_in(folder: Path) -> Iterator[None]:
    """Hold the lock that shows the process to be alive.

    The file appears under its name only once it is locked: one that looks in between would take us for lost.
    """
    unseen = folder / f"{ALIVE}.new"
    with unseen.open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        unseen.replace(folder / ALIVE)
        yield


@contextlib.contextmanager
def _own_turn(slots_in: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Wait until fewer than ``AT_ONCE`` processes of a kind are at work on this machine.

    Args:
        slots_in: the folder that all processes of the kind share.
        waiting: called again and again while there is no turn.
    """
    slots = [(slots_in / f"slot-{number}").open("w") for number in range(AT_ONCE)]
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
