"""What demonstrations share: a folder of their own, and verbs called as a person would type them."""

import contextlib
import io
import shlex
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from provender.cli.app import call
from provender.problem import refuse

MARK: Final = ".made-by-provender-demo"
DEFAULT_OUT: Final = Path("out/demo")

Out = Annotated[Path, typer.Option("--out", metavar="DIR", file_okay=False, help="Where the demonstration writes.")]


def fresh_folder(folder: Path) -> Path:
    """Return an empty folder; one that an earlier demonstration made is emptied, any other is left alone.

    Raises:
        ProblemsError: something else is there, or it cannot be written.
    """
    if folder.exists():
        if not (folder / MARK).is_file():
            cause = "Something is there already that no demonstration made."
            raise refuse(str(folder), cause, "Choose another folder with --out.", code="not_a_demo")
        shutil.rmtree(folder)
    try:
        folder.mkdir(parents=True)
        (folder / MARK).touch()
    except OSError as error:
        raise refuse(str(folder), f"It cannot be written: {error.strerror}.", "Choose another with --out.") from None
    return folder


@dataclass(slots=True)
class Steps:
    """Verbs run one after the other."""

    quiet: bool = False  # print nothing of them (``--json``)
    done: list[dict[str, Any]] = field(default_factory=list)  # each with its arguments and exit status

    def say(self, text: str) -> None:
        """Tell what comes next."""
        if not self.quiet:
            typer.secho(f"\n{text}", bold=True)

    def run(self, *arguments: str | Path, into: Path | None = None) -> int:
        """Run one verb, its screen output into a file where one is named, and return its exit status.

        A refusal is printed and is status 2, as at the command line.
        """
        words = [str(one) for one in arguments]
        if not self.quiet:
            typer.echo(f"$ provender {shlex.join(words)}" + (f" > {into}" if into else ""))
            sys.stdout.flush()
        with contextlib.ExitStack() as stack:
            if into is not None:
                stack.enter_context(contextlib.redirect_stdout(stack.enter_context(into.open("w", encoding="utf-8"))))
            elif self.quiet:
                stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
            if self.quiet:
                stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
            status = _status(words)
        self.done.append({"arguments": words, "status": status})
        return status


def _status(words: list[str]) -> int:
    try:
        return call(words)
    except SystemExit as left:
        return int(left.code or 0)


def files_below(folder: Path) -> list[str]:
    """Return every file a demonstration left, without its mark."""
    return sorted(str(path) for path in folder.rglob("*") if path.is_file() and path.name != MARK)
