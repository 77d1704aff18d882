"""Commands as pages show them, typed into a shell that hands ours over."""

import contextlib
import io
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.cli import app

SHELL: Final = """
provender() {
    local status; printf '%s\\0' "$PWD" "$@" > "$ASKED"; { read -r status; cat; } < "$SAID"
    [ "$status" = 0 ] || echo "$status provender $*" >> "$TOLD"
}
trap 'printf "" > "$ASKED"' EXIT
trap 'echo "$? $BASH_COMMAND" >> "$TOLD"' ERR
"""
"""Hands our commands to this process, which has read the program already, and tells what did not end with 0."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What a script did.

    Attributes:
        failed: the commands that did not end with 0, each behind its status.
        said: what our commands wrote, by their first two words.
    """

    failed: list[str]
    said: dict[str, str]


def called(*arguments: str | Path) -> int:
    try:
        return app.call([*map(str, arguments)])
    except SystemExit as left:
        return int(left.code or 0)


def in_this_process(folder: str, words: Sequence[str]) -> tuple[int, str]:
    """Run a command in a folder without a process of its own; return its status and what it wrote."""
    with contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()) as shown:
        status = called(*words)
    return status, shown.getvalue()


def typed(script: str, folder: Path) -> Typed:
    """Run a script as a shell does, our commands in this process."""
    asked, told_to, failed = (folder / name for name in ("asked", "said", "told"))
    for pipe in (asked, told_to):
        os.mkfifo(pipe)
    environment = {**os.environ, "ASKED": str(asked), "SAID": str(told_to), "TOLD": str(failed)}
    shell = subprocess.Popen(["/bin/bash", "-c", SHELL + script], cwd=folder, env=environment)  # noqa: S603 - our own
    said = {}
    try:
        while words := asked.read_text(encoding="utf-8").split("\0")[:-1]:
            status, wrote = in_this_process(words[0], words[1:])
            said[" ".join(words[1:3])] = wrote
            told_to.write_text(f"{status}\n{wrote}", encoding="utf-8")
    finally:
        shell.kill()
        shell.wait()
        for pipe in (asked, told_to):
            pipe.unlink()
    found = failed.read_text(encoding="utf-8").splitlines() if failed.exists() else []
    failed.unlink(missing_ok=True)
    return Typed(found, said)
