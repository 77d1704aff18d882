"""A worker computes small frames in one thread, unless told otherwise, and looks for no garbage while it loads."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ASKS = "import provender.web.gunicorn_settings, polars; print(polars.thread_pool_size())"


@pytest.mark.parametrize(("said", "threads"), [({}, "1"), ({"POLARS_MAX_THREADS": "3"}, "3")])
def test_frames_are_computed_in_one_thread_unless_it_is_said(said: dict[str, str], threads: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "POLARS_MAX_THREADS"}
    asked = [sys.executable, "-c", ASKS]
    done = subprocess.run(asked, env={**kept, **said}, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == threads


LOADED = """
import gc, pathlib, sys
from provender.web import start
start.set_environment(pathlib.Path(sys.argv[1]))
from provender.web import gunicorn_settings
gunicorn_settings.post_fork(None, None)
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
