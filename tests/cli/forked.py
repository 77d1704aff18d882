"""The program in a process of its own for each command, forked off one that has loaded the libraries of its work.

To load them costs a second a command. That each command also begins alone, the slow tests show.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

BEGIN: Final = """
import json
import os
import sys

import cattrs, openpyxl, PIL.Image, polars, pyproj, rich.console, rich.table, shapely, typer, xlsxwriter
import provender.custody.events.registry, provender.report.document, provender.verdicts.assess
from provender.cli import main

for line in sys.stdin:
    words, folder, environment, written = json.loads(line)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        for number, name in enumerate((os.devnull, *written)):
            os.dup2(os.open(name, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT), number)
        sys.argv = ["provender", *words]
        main()
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class Forks:
    """Runs commands one after the other, each in a fork."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._begun = subprocess.Popen(  # noqa: S603 - our own words
            [sys.executable, "-c", BEGIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def __call__(self, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str, str]:
        """Return exit status, standard output and standard error of one command."""
        assert self._begun.stdin is not None
        assert self._begun.stdout is not None
        with TemporaryDirectory() as kept:
            written = [Path(kept) / name for name in ("out", "err")]
            asked = (list(words), str(folder), dict(environment), [str(path) for path in written])
            self._begun.stdin.write(json.dumps(asked) + "\n")
            self._begun.stdin.flush()
            status = int(self._begun.stdout.readline())
            out, err = (path.read_text(encoding="utf-8") for path in written)
        return status, out, err

    def end(self) -> None:
        """End the process that forks."""
        self._begun.communicate(timeout=60)
