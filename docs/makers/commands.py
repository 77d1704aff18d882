"""The page of commands: the help of every verb, as the program prints it."""

import contextlib
import io
import os
from collections.abc import Iterator
from typing import Final

from provender.cli.app import VERBS, run

PLAIN: Final = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1"}

INTRO = """# Commands

Every verb takes `--help`; those that answer take `--json`. Exit status: 0 all well, 1 something to look at, 2 called
wrongly.

"""


def commands_page() -> str:
    """Return the page."""
    return INTRO + "\n".join(
        f"## {name}\n\n{verb.help}\n\n```text\n{_help(name)}\n```\n" for name, verb in VERBS.items()
    )


def _help(name: str) -> str:
    out = io.StringIO()
    with _plain_terminal(), contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        run([name, "--help"])
    return "\n".join(line.rstrip() for line in out.getvalue().strip().splitlines())


@contextlib.contextmanager
def _plain_terminal() -> Iterator[None]:
    """Print as on a terminal of a hundred columns without colours, whatever this one is."""
    kept = dict(os.environ)
    os.environ.update(PLAIN)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)
