"""A process beside the server is never taken for lost while it starts, and always once it is gone."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from provender.services import background


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "imports" / "some" / "1"
    made.mkdir(parents=True)
    (made / background.REQUEST).write_text("{}")
    return made


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process limits itself; here it is the test's own."""
    monkeypatch.setattr(background, "_limit_self", lambda *_: None)


def work(answer: Callable[[background.Tell], object], whose: str = "farm") -> Callable[[object], background.Work]:
    return lambda _asked: background.Work(background.Turn(whose), answer, str)


def test_its_lock_is_held_before_anybody_can_see_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    locked = fcntl.flock

    def lock(file: object, how: int) -> None:
        if how == fcntl.LOCK_EX:
            seen.append(background.is_lost(folder) or (folder / background.ALIVE).exists())
        locked(file, how)  # type: ignore[arg-type]

    monkeypatch.setattr(fcntl, "flock", lock)
    background.be_the_process(folder, work(lambda _: None))
    assert seen[:1] == [False]


def test_at_work_it_is_not_lost_and_tells_how_far_it_is(folder: Path) -> None:
    seen = []

    def answer(tell: background.Tell) -> dict[str, object]:
        tell("reading", 1, 3)
        seen.append(background.progress_in(folder))
        return {}

    background.be_the_process(folder, work(answer))
    assert seen == [background.Progress("reading", 1, 3, lost=False)]
    assert json.loads((folder / background.OUTCOME).read_text()) == {}
    assert not background.is_lost(folder)


def test_one_that_died_at_work_is_lost(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        background.be_the_process(folder, work(lambda _: 1 // 0))
    assert background.is_lost(folder)


@pytest.mark.parametrize(
    ("seconds", "lost"), [(background.STARTING_SECONDS - 5, False), (background.STARTING_SECONDS + 5, True)]
)
def test_one_that_never_started_is_lost_after_a_while(folder: Path, seconds: int, lost: bool) -> None:
    then = time.time() - seconds
    os.utime(folder / background.REQUEST, (then, then))
    assert background.is_lost(folder) is lost


def test_a_process_beside_the_server_takes_only_what_others_leave() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        group = Path(f"/proc/{process.pid}/autogroup")
        try:
            before = os.getpriority(os.PRIO_PROCESS, process.pid)
            background.give_way(process.pid)
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == max(before, background.NICE)
            if group.exists():  # otherwise the system shares by processes alone
                assert group.read_text().endswith(f"nice {background.NICE}\n")
        finally:
            process.kill()
    background.give_way(process.pid)  # one that has ended is no trouble


# Processes that hold a place until they are told to end, and that wait for one.

PROCESS = """
import json, sys, time
from pathlib import Path
from provender.services.background import Turn, Work, be_the_process

SPENDS = {
    "cpu": lambda: [None for _ in iter(int, 1)],
    "child": lambda: __import__("subprocess").run([sys.executable, "-c", "while True: pass"]),
    "memory": lambda: [bytearray(b"x") * 400 * 2**20, time.sleep(99)],
    "time": lambda: time.sleep(99),
}

def work(asked):
    seconds = 1 if asked["spends"] == "time" else 900
    turn = Turn(asked["whose"], asked["is_small"], cpu_seconds=1, resident_bytes=300 * 2**20, seconds=seconds)
    if not asked["spends"]:
        turn = Turn(asked["whose"], asked["is_small"])
    def answer(tell):
        tell("at work", 0, 1)
        SPENDS.get(asked["spends"], lambda: time.sleep(99))()
    return Work(turn, answer, lambda why: why)

be_the_process(Path(sys.argv[1]), work)
"""


class Crowd:
    """Processes of a kind by name, each with what the next look shows of it."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.all: dict[str, subprocess.Popen[bytes]] = {}

    def begin(
        self, name: str, whose: str = "", spends: str = "", *, is_small: bool = False, waits: bool = True
    ) -> Path:
        folder = self.place / name / "1"
        folder.mkdir(parents=True)
        asked = {"whose": whose or name, "is_small": is_small, "spends": spends}
        (folder / background.REQUEST).write_text(json.dumps(asked))
        command = [sys.executable, "-c", PROCESS, str(folder)]
        self.all[name] = subprocess.Popen(command, start_new_session=True)  # noqa: S603 - ours
        (folder / background.PID).write_text(str(self.all[name].pid))
        until(lambda: not waits or (folder / background.PROGRESS).read_bytes())
        return folder

    def at_work(self) -> set[str]:
        return {name for name, one in self.all.items() if one.poll() is None and self.step(name) == "at work"}

    def step(self, name: str) -> str:
        return background.progress_in(self.place / name / "1").step

    def end(self, name: str) -> None:
        background.stop(self.place / name / "1")
        assert self.all.pop(name).wait(5) == -signal.SIGKILL


def until(is_so: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while True:
        with suppress(FileNotFoundError):
            if is_so():
                return
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def crowd(tmp_path: Path) -> Iterator[Crowd]:
    made = Crowd(tmp_path)
    yield made
    for name in list(made.all):
        made.all[name].kill()
        made.all[name].wait()


def test_one_organisation_never_holds_all_places_and_they_take_turns(crowd: Crowd) -> None:
    crowd.begin("a1", "a")
    crowd.begin("a2", "a")
    crowd.begin("a3", "a", is_small=True)
    crowd.begin("b1", "b")
    crowd.begin("c1", "c")
    time.sleep(0.6)
    assert crowd.at_work() == {"a1", "b1"}, "one each, and the third place is kept for what is small"
    crowd.begin("d", is_small=True)
    until(lambda: crowd.at_work() == {"a1", "b1", "d"})
    crowd.end("a1")
    until(lambda: crowd.at_work() == {"b1", "c1", "d"}, 5)
    crowd.end("b1")
    until(lambda: crowd.at_work() == {"a2", "c1", "d"}, 5)


def test_a_small_one_has_any_place_and_of_small_ones_who_came_first(crowd: Crowd) -> None:
    for name in "abcde":
        crowd.begin(name, is_small=True)
        time.sleep(0.05)
    until(lambda: crowd.at_work() == {"a", "b", "c"})
    crowd.all["d"].kill()
    crowd.all.pop("d").wait()
    crowd.end("b")
    until(lambda: crowd.at_work() == {"a", "c", "e"}, 5)


def test_one_is_stopped_while_it_waits_and_stopping_nobody_is_no_trouble(crowd: Crowd, tmp_path: Path) -> None:
    for name in "abc":
        crowd.begin(name)
    time.sleep(0.5)
    crowd.end("c")
    assert crowd.at_work() == {"a", "b"}
    (crowd.begin("d", waits=False) / background.ALIVE).unlink(missing_ok=True)
    crowd.end("d")
    background.stop(tmp_path / "nowhere")
    background.stop(tmp_path / "c" / "1")


@pytest.mark.parametrize(("spends", "told"), [
    ("cpu", "1 seconds of the processor"), ("child", "1 seconds of the processor"), ("memory", "300 MB of memory"),
    ("time", "0 minutes"),
])  # fmt: skip
def test_one_that_takes_too_much_is_ended_with_its_children_and_told(crowd: Crowd, spends: str, told: str) -> None:
    folder = crowd.begin("a", spends=spends)
    assert crowd.all["a"].wait(20) == -signal.SIGKILL
    assert json.loads((folder / background.OUTCOME).read_text()) == told
    assert not background.is_lost(folder)


@pytest.mark.parametrize(("more", "told"), [(0, False), (1, True)])
def test_of_an_answer_that_the_server_could_hardly_read_it_is_told_how_large_it_may_be(
    folder: Path, more: int, told: bool
) -> None:
    letters = background.ANSWER_BYTES - len('""') + more
    background.be_the_process(folder, work(lambda _tell: "x" * letters))
    answer = json.loads((folder / background.OUTCOME).read_text())
    assert answer == ("64 MB to show" if told else "x" * letters)
