"""The page of commands: the help of every verb, as the program prints it."""

import subprocess
import sys

from provender.cli.app import VERBS

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
    program = "from provender.cli import main; main()"
    plain = {"COLUMNS": "100", "TERM": "dumb", "NO_COLOR": "1", "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-c", program, name, "--help"]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env=plain)  # noqa: S603 - our own program
    return "\n".join(line.rstrip() for line in done.stdout.strip().splitlines())
