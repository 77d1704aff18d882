"""A worker computes small frames in one thread, unless told otherwise, and looks for no garbage while it loads.

There are two where there are two cores, and the second loads once the first answers.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ASKS = "import provender.web.gunicorn_settings, polars; print(polars.thread_pool_size())"


@pytest.mark.parametrize(("said", "threads"), [({}, "1"), ({"POLARS_MAX_THREADS": "3"}, "3")])
def test_frames_are_computed_in_one_thread_unless_it_is_said(said: dict[str, str], threads: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "POLARS_MAX_THREADS"}
    asked = [sys.executable, "-c", ASKS]
    done = subprocess.run(asked, env={**kept, **said}, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == threads


LOADED = """
import gc, pathlib, sys, types
from provender.web import start
start.set_environment(pathlib.Path(sys.argv[1]))
from provender.web import gunicorn_settings
gunicorn_settings.post_fork(types.SimpleNamespace(WORKERS={}), None)
before = gc.isenabled()
import django
django.setup()
gunicorn_settings.post_worker_init(None)
print(before, gc.isenabled())
"""


def test_a_worker_looks_for_garbage_once_it_is_loaded(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PROVENDER", "DJANGO"))}
    asked = [sys.executable, "-c", LOADED, str(tmp_path)]
    done = subprocess.run(asked, env=kept, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.parametrize(("said", "workers"), [("", min(2, len(os.sched_getaffinity(0)))), ("1", 1), ("4", 4)])
def test_two_processes_answer_where_there_are_two_cores(said: str, workers: int) -> None:
    asked = [sys.executable, "-c", "from provender.web import gunicorn_settings as s; print(s.workers)"]
    done = subprocess.run(  # noqa: S603 - ours
        asked, env={**os.environ, "PROVENDER_WORKERS": said}, capture_output=True, text=True, check=True
    )
    assert int(done.stdout) == workers


FORKED = """
import signal, sys, types
from provender.web import gunicorn_settings
for ends in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
    signal.signal(ends, lambda *_: None)
gunicorn_settings.FIRST_ALONE = 30
print("forked", flush=True)
gunicorn_settings.post_fork(types.SimpleNamespace(WORKERS=eval(sys.argv[1])), None)
print("loads", flush=True)
"""


def forked(others: str) -> "subprocess.Popen[str]":
    asked = [sys.executable, "-c", FORKED, others]
    return subprocess.Popen(asked, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours


def test_the_first_process_loads_at_once() -> None:
    first = forked("{}")
    assert first.communicate(timeout=25)[0].split() == ["forked", "loads"]


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGINT, signal.SIGQUIT])
def test_a_further_process_lets_the_first_load_alone_and_ends_when_it_is_told(ends: signal.Signals) -> None:
    further = forked("{7: None}")
    assert further.stdout is not None
    assert further.stdout.readline() == "forked\n"
    until = time.monotonic() + 20
    while further.poll() is None and time.monotonic() < until:
        further.send_signal(ends)
        time.sleep(0.2)
    assert further.poll() == -ends
    assert further.stdout.read() == "", "it was told before it began to load"
    further.stdout.close()
