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
import os
import sys
from provender.cli.app import VERBS, run
for name in ("", *VERBS):
    if os.fork() == 0:  # each verb begins with what the program has imported before it knows the verb
        try:
            run([name, "--help"] if name else ["--help"])
        except SystemExit:
            pass
        sys.stdout.flush()
        heavy = [module for module in {HEAVY!r} if module in sys.modules]
        print(name, os.lseek(1, 0, os.SEEK_CUR), *heavy, sep="|", file=sys.stderr, flush=True)
        os._exit(0)
    assert os.wait()[1] == 0
"""


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Return what the help of each verb imports, and under no name what the list of verbs does."""
    answers = tmp_path_factory.mktemp("help") / "out.txt"
    with answers.open("w") as out:
        called = subprocess.run(  # noqa: S603 - our own script
            [sys.executable, "-c", SCRIPT], stdout=out, stderr=subprocess.PIPE, text=True, check=True, timeout=300
        )
    imports: dict[str, list[str]] = {}
    before = 0
    for line in called.stderr.splitlines():
        name, written, *heavy = line.split("|")
        assert int(written) > before, name
        imports[name], before = heavy, int(written)
    return imports


def test_the_list_of_verbs_imports_no_library_of_the_work(imported: dict[str, list[str]]) -> None:
    assert imported[""] == []


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_imports_no_library_of_its_work(imported: dict[str, list[str]], verb: str) -> None:
    assert imported[verb] == NEEDED.get(verb, [])


def test_the_list_of_verbs_ends_with_the_same_statuses_as_verbs() -> None:
    assert (app.ALL_WELL, app.WRONGLY_CALLED) == (output.ALL_WELL, output.WRONGLY_CALLED)
