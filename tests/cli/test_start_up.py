"""A verb imports what it needs when it is called, so that its help comes at once."""

import subprocess
import sys

import pytest

from provender.cli import app, output
from provender.cli.app import VERBS

HEAVY = ("cattrs", "dataframely", "django", "numpy", "polars", "pydantic", "shapely", "typst", "xlsxwriter")
NEEDED = {"manage": ["django", "pydantic"]}
"""Verbs whose help cannot be written without these: Django describes its own commands."""
SCRIPT = f"""
import sys
from provender.cli.app import run
try:
    run(sys.argv[1:])
except SystemExit:
    pass
print(*(name for name in {HEAVY!r} if name in sys.modules), file=sys.stderr)
"""


def imported(*arguments: str) -> list[str]:
    called = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True, timeout=60
    )
    assert called.stdout
    return called.stderr.split()


def test_the_list_of_verbs_imports_no_library_of_the_work() -> None:
    assert imported("--help") == []


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_imports_no_library_of_its_work(verb: str) -> None:
    assert imported(verb, "--help") == NEEDED.get(verb, [])


def test_the_list_of_verbs_ends_with_the_same_statuses_as_verbs() -> None:
    assert (app.ALL_WELL, app.WRONGLY_CALLED) == (output.ALL_WELL, output.WRONGLY_CALLED)
