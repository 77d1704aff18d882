"""A process beside the server is never taken for lost while it starts, and always once it is gone."""

import fcntl
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from provender.services import background
from provender.services.background import (
    ALIVE,
    NICE,
    OUTCOME,
    REQUEST,
    STARTING_SECONDS,
    be_the_process,
    give_way,
    is_lost,
    progress_in,
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "imports" / "some" / "1"
    made.mkdir(parents=True)
    (made / REQUEST).write_text("{}")
    return made


@pytest.fixture(autouse=True)
def _no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process limits itself; here it is the test's own."""
    monkeypatch.setattr(background, "_limit_self", lambda: None)


def test_its_lock_is_held_before_anybody_can_see_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    locked = fcntl.flock

    def lock(file: object, how: int) -> None:
        if how == fcntl.LOCK_EX:
            seen.append(is_lost(folder) or (folder / ALIVE).exists())
        locked(file, how)  # type: ignore[arg-type]

    monkeypatch.setattr(fcntl, "flock", lock)
    be_the_process(folder, lambda _asked, _tell: None)
    assert seen == [False]


def test_at_work_it_is_not_lost_and_tells_how_far_it_is(folder: Path) -> None:
    seen = []

    def answer(asked: object, tell: background.Tell) -> dict[str, object]:
        tell("reading", 1, 3)
        seen.append((asked, progress_in(folder)))
        return {}

    be_the_process(folder, answer)
    assert seen == [({}, background.Progress("reading", 1, 3, lost=False))]
    assert json.loads((folder / OUTCOME).read_text()) == {}
    assert not is_lost(folder)


def test_one_that_died_at_work_is_lost(folder: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        be_the_process(folder, lambda _asked, _tell: 1 // 0)
    assert is_lost(folder)


@pytest.mark.parametrize(("seconds", "lost"), [(STARTING_SECONDS - 5, False), (STARTING_SECONDS + 5, True)])
def test_one_that_never_started_is_lost_after_a_while(folder: Path, seconds: int, lost: bool) -> None:
    then = time.time() - seconds
    os.utime(folder / REQUEST, (then, then))
    assert is_lost(folder) is lost


def test_a_process_beside_the_server_takes_only_what_others_leave() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as process:
        group = Path(f"/proc/{process.pid}/autogroup")
        try:
            before = os.getpriority(os.PRIO_PROCESS, process.pid)
            give_way(process.pid)
            assert os.getpriority(os.PRIO_PROCESS, process.pid) == max(before, NICE)
            if group.exists():  # otherwise the system shares by processes alone
                assert group.read_text().endswith(f"nice {NICE}\n")
        finally:
            process.kill()
    give_way(process.pid)  # one that has ended is no trouble
