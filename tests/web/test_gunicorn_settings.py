"""A worker computes small frames in one thread, unless whoever runs it says otherwise."""

import os
import subprocess
import sys

import pytest

ASKS = "import provender.web.gunicorn_settings, polars; print(polars.thread_pool_size())"


@pytest.mark.parametrize(("said", "threads"), [({}, "1"), ({"POLARS_MAX_THREADS": "3"}, "3")])
def test_frames_are_computed_in_one_thread_unless_it_is_said(said: dict[str, str], threads: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "POLARS_MAX_THREADS"}
    asked = [sys.executable, "-c", ASKS]
    done = subprocess.run(asked, env={**kept, **said}, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == threads
