"""Commands hold freed memory for some seconds, and whoever set the allocator is left alone."""

import os
import subprocess
import sys

import pytest

ASKS = """
import os, sys
from provender.cli.allocator import SETTING, hold_freed_memory
hold_freed_memory()
assert "polars" not in sys.modules
import polars  # the allocator complains of a setting that it does not know
print(os.environ[SETTING], polars.DataFrame({"a": [1]}).height)
"""


@pytest.mark.parametrize(("said", "holds"), [(None, "dirty_decay_ms:3000"), ("dirty_decay_ms:0", "dirty_decay_ms:0")])
def test_freed_memory_is_held_unless_somebody_says_how_long(said: str | None, holds: str) -> None:
    kept = {name: value for name, value in os.environ.items() if name != "_RJEM_MALLOC_CONF"}
    asked = [sys.executable, "-c", ASKS]
    given = {**kept, **({"_RJEM_MALLOC_CONF": said} if said else {})}
    done = subprocess.run(asked, env=given, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    setting, rows = done.stdout.split()
    assert setting.split(",")[-1] == holds, "Polars puts its own before it, and the last one counts"
    assert rows == "1"
    assert done.stderr == ""


def test_a_command_says_it_before_anything_is_loaded() -> None:
    asks = (
        "import os, sys; sys.argv = ['provender', '--version']\n"
        "from provender.cli import main\n"
        "try: main()\nexcept SystemExit: print(os.environ['_RJEM_MALLOC_CONF'], 'polars' in sys.modules)"
    )
    kept = {name: value for name, value in os.environ.items() if name != "_RJEM_MALLOC_CONF"}
    done = subprocess.run([sys.executable, "-c", asks], env=kept, capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.splitlines()[-1] == "dirty_decay_ms:3000 False"
