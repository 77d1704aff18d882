"""Work in a process of its own beside the server: started in a folder, told apart from a lost one by a lock.

The process has no database, no settings and no network: what it needs lies in its folder, and so does its answer. It
holds a lock on ``alive`` as long as it lives, so that one that was killed is known as lost, not as slow; and one on its
place while it works, so that a place is free as soon as its holder has gone, however it went.
"""

import contextlib
import fcntl
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TextIO

from provender.whole_file import write_whole

REQUEST, ALIVE, PROGRESS, OUTCOME, PID = "request.json", "alive", "progress.json", "outcome.json", "pid"
STARTING_SECONDS: Final = 60
_ADDRESS_BYTES: Final = 6 * 2**30
_PLACES: Final = 3
"""Processes of a kind at work at the same time on one machine; the others wait their turn. The first is for small."""
NICE: Final = 10
ANSWER_BYTES: Final = 2**26
"""What the server reads of a process: that takes up to seven times as much of its memory."""
_WAIT_SECONDS: Final = 0.2
_REMEMBERED: Final = 1000
"""Organisations of which it is known when they had their last place."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What a process may take, and with whom it takes turns."""

    whose: str  # an organisation, which holds one place at most
    is_small: bool = False  # soon done: it may have the place that is kept for such
    cpu_seconds: int = 1200  # of the process and its children together
    resident_bytes: int = _ADDRESS_BYTES  # likewise
    seconds: int = 3600  # by the clock, once it has a place


def write_json(path: Path, data: object) -> None:
    """Write JSON so that a reader sees all of it or nothing."""
    write_whole(path, json.dumps(data).encode())


def spawn(module: str, folder: Path, *, is_small: bool = False) -> None:
    """Start ``python -m module FOLDER``, which outlives the request; does not wait for it.

    What is small takes its part of the machine: it is soon done, and somebody waits for it.
    """
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
    (folder / PID).write_text(str(process.pid), encoding="ascii")
    if not is_small:
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
        if _is_locked(folder / ALIVE):
            return False
    except FileNotFoundError:
        return True
    return not (folder / OUTCOME).is_file()


def stop(folder: Path) -> None:
    """End the process of a folder with its children, if it lives or starts; its place is free at once."""
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        pid = int((folder / PID).read_text("ascii"))
        lives = (folder / ALIVE).exists() and _is_locked(folder / ALIVE)
        said = b"" if lives else Path(f"/proc/{pid}/cmdline").read_bytes()  # nothing yet in its first moment
        if not said or os.fsencode(folder) in said:
            os.killpg(pid, signal.SIGKILL)  # it leads a session of its own


@dataclass(frozen=True, slots=True)
class Work:
    """What a process does with its request."""

    turn: Turn
    answer: Callable[[Tell], object]  # makes the answer, as JSON knows it
    spent: Callable[[str], object]  # makes the answer where it would take more than it may, out of what that is


def be_the_process(folder: Path, work_of: Callable[[Any], Work]) -> None:
    """Be the process that ``spawn`` started: wait for a turn, leave the answer to the request in its folder."""

    def tell(step: str, done: int, whole: int) -> None:
        write_json(folder / PROGRESS, {"step": step, "done": done, "whole": whole})

    def end(why: str) -> None:
        write_json(folder / OUTCOME, work.spent(why))
        os.killpg(os.getpid(), signal.SIGKILL)

    with _hold_lock(folder / ALIVE):
        work = work_of(json.loads((folder / REQUEST).read_text("utf-8")))
        with _own_turn(folder.parent.parent, work.turn, lambda: tell("", 0, 0)):
            _limit_self(work.turn, end)
            answer = json.dumps(work.answer(tell)).encode()
            if len(answer) > ANSWER_BYTES:
                answer = json.dumps(work.spent(f"{ANSWER_BYTES // 2**20} MB to show")).encode()
            write_whole(folder / OUTCOME, answer)


def _limit_self(turn: Turn, end: Callable[[str], None]) -> None:
    """Let the system end this process where it takes far too much, and a thread end all of it, told, where too much."""
    for what, most in ((resource.RLIMIT_CPU, turn.cpu_seconds + 60), (resource.RLIMIT_AS, _ADDRESS_BYTES)):
        resource.setrlimit(what, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    threading.Thread(target=_watch, args=(turn, end), daemon=True).start()


def _watch(turn: Turn, end: Callable[[str], None]) -> None:
    begun = time.monotonic()
    while True:
        time.sleep(_WAIT_SECONDS)
        cpu, resident = _taken_by(os.getpid())
        if cpu > turn.cpu_seconds:
            end(f"{turn.cpu_seconds} seconds of the processor")
        if resident > turn.resident_bytes:
            end(f"{turn.resident_bytes // 2**20:,} MB of memory")
        if time.monotonic() - begun > turn.seconds:
            end(f"{turn.seconds // 60} minutes")


def _taken_by(pid: int) -> tuple[float, int]:
    """Return the processor seconds, of ended children too, and the resident bytes of a process and its children."""
    cpu, resident = 0.0, 0
    with contextlib.suppress(OSError):  # it has ended meanwhile, or the system shows no processes
        told = Path(f"/proc/{pid}/stat").read_text("ascii", "replace").rpartition(")")[2].split()
        cpu = sum(map(int, told[11:15])) / os.sysconf("SC_CLK_TCK")
        resident = int(told[21]) * resource.getpagesize()
        for each in Path(f"/proc/{pid}/task").glob("*/children"):
            for child in each.read_text("ascii").split():
                more, held = _taken_by(int(child))
                cpu, resident = cpu + more, resident + held
    return cpu, resident


@contextlib.contextmanager
def _hold_lock(path: Path, text: str = "") -> Iterator[None]:
    """Hold a lock on a file that says something, which shows this process to be alive.

    The file appears under its name only once it is locked: one that looks in between would take us for lost.
    """
    unseen = path.with_name(f"{path.name}.new")
    with unseen.open("w") as alive:
        fcntl.flock(alive, fcntl.LOCK_EX)
        alive.write(text)
        alive.flush()
        unseen.replace(path)
        yield


@contextlib.contextmanager
def _own_turn(kind: Path, turn: Turn, waiting: Callable[[], None]) -> Iterator[None]:
    """Wait until there is a place for a process, and hold it.

    Organisations take turns: a place goes to the one that was served longest ago. What each holds and waits for lies
    in files, locked as long as its process lives.

    Args:
        kind: the folder that all processes of the kind share.
        turn: whose process this is.
        waiting: called again and again while there is no place.
    """
    ticket = kind / f"waits-{time.time_ns()}-{os.getpid()}"
    with contextlib.ExitStack() as place:
        with _hold_lock(ticket, f"{turn.whose} {turn.is_small:d}"):
            while True:
                with (kind / "turns").open("a+") as served:
                    fcntl.flock(served, fcntl.LOCK_EX)
                    served.seek(0)
                    before = served.read().split()
                    number = _place_for(kind, ticket, before)
                    if number is not None:
                        mine = place.enter_context((kind / f"place-{number}").open("r+"))
                        fcntl.flock(mine, fcntl.LOCK_EX)
                        _write(mine, [turn.whose])
                        others = [one for one in before if one != turn.whose]
                        _write(served, [*others[-_REMEMBERED:], turn.whose])
                        ticket.unlink()
                        break
                waiting()
                time.sleep(_WAIT_SECONDS)
        yield


def _write(file: TextIO, words: Iterable[str]) -> None:
    file.seek(0)
    file.truncate()
    file.write(" ".join(words))
    file.flush()


def _place_for(kind: Path, ticket: Path, served: Sequence[str]) -> int | None:
    """Return the place that is free and goes to a ticket; None while there is none. Tickets of the dead go.

    ``served`` are organisations in the order in which they had their last place.
    """
    turns = {whose: at for at, whose in enumerate(served)}
    waits = []
    for each in kind.glob("waits-*-*[0-9]"):
        if _is_locked(each):
            whose, is_small = each.read_text("utf-8").split()
            waits.append((turns.get(whose, -1), int(each.name.split("-")[1]), each, whose, is_small == "1"))
        else:
            each.unlink(missing_ok=True)
    places = [kind / f"place-{number}" for number in range(_PLACES)]
    for one in places:
        one.touch()
    held = {number: one.read_text("utf-8") for number, one in enumerate(places) if _is_locked(one)}
    for number in range(_PLACES):
        fits = [each for each in sorted(waits) if each[3] not in held.values() and (each[4] or number)]
        if number not in held and fits:
            *_, found, whose, _ = fits[0]
            if found == ticket:
                return number
            held[number] = whose  # who takes it at the next look
    return None


def _is_locked(file: Path) -> bool:
    """Tell whether a living process holds a lock on a file.

    Raises:
        FileNotFoundError: there is no such file.
    """
    with file.open("r") as found:
        try:
            fcntl.flock(found, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
