"""The ``provender`` program: a table of verbs, each imported only when it is called."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final

from provender import __version__
from provender.cli.verbs import VERBS
from provender.problem import ProblemsError

if TYPE_CHECKING:
    import typer
    from rich.console import Console

ALL_WELL: Final = 0
WRONGLY_CALLED: Final = 2
"""As ``cli.output`` has them, which imports what options are declared with."""


USAGE: Final = "Usage: provender VERB [OPTIONS] ...     provender VERB --help explains one verb"
PURPOSE: Final = "Climate-smart crops for biofuel under 7 CFR part 2100: from field records to the refiner's books."
STATUSES: Final = "Exit status: 0 all well, 1 something to look at, 2 called wrongly. --json prints for machines."


def print_help(console: "Console") -> None:
    """Write the whole list of verbs on one screen."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, verb in VERBS.items():
        table.add_row(f"  {name}", verb.help)
    for part in (USAGE, "", PURPOSE, "", table, "", STATUSES):
        console.print(part, highlight=False, soft_wrap=isinstance(part, str))


def run(arguments: Sequence[str]) -> int:
    """Run one verb and return its exit status."""
    if os.environ.get("_PROVENDER_COMPLETE"):
        from provender.cli.completion import answer

        return answer()
    name, *rest = arguments or ("--help",)
    if name in ("--help", "-h", "help"):
        from rich.console import Console

        print_help(Console())
        return ALL_WELL
    if name == "--version":
        sys.stdout.write(f"provender {__version__}\n")
        return ALL_WELL
    verb = VERBS.get(name)
    if verb is None:
        from difflib import get_close_matches

        near = get_close_matches(name.casefold(), list(VERBS), n=1)
        hint = f" Did you mean `provender {near[0]}`?" if near else ""
        sys.stderr.write(f"provender has no verb {name!r}.{hint} `provender --help` lists them.\n")
        return WRONGLY_CALLED
    app: typer.Typer = getattr(import_module(verb.module), verb.app)
    status = app(args=rest, prog_name=f"provender {name}", standalone_mode=True)
    return int(status or ALL_WELL)


def call(arguments: Sequence[str]) -> int:
    """Run one verb; input that cannot be used at all, or a file that cannot, becomes words on stderr and status 2."""
    try:
        if named := os.environ.get("PROVENDER_RULE", ""):
            from provender.rule.parameters import load_rule

            load_rule(Path(named))
        return run(arguments)
    except ProblemsError as refused:
        from rich.console import Console

        from provender.cli.output import visible

        console = Console(stderr=True)
        for problem in refused.problems:
            console.print(visible(str(problem)), markup=False, highlight=False, soft_wrap=True)
        return WRONGLY_CALLED
    except OSError as failed:
        # A folder that is a file, a full disk, a file that may not be written: the person's to mend, not a defect.
        named = f"{failed.filename}: " if failed.filename else ""
        why = failed.strerror or failed
        sys.stderr.write(f"{named}{why}. Check the name, the permissions and the space left.\n")
        return WRONGLY_CALLED
    except MemoryError:
        sys.stderr.write("This file asks for more memory than the machine has. Give smaller ones.\n")
        return WRONGLY_CALLED


def main() -> None:
    """Run the program."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal of another alphabet, or half a letter in somebody's file, gets the letter written out.
            stream.reconfigure(errors="backslashreplace")
    # A command makes few rings of objects and does not live long, while each look for them goes over all that is there.
    gc.set_threshold(100_000, 20, 100)
    try:
        sys.exit(call(sys.argv[1:]))
    finally:
        # The process gives its memory back whole: a last search for circles in it took a tenth of a report's time.
        gc.freeze()
