"""The ``provender`` program: a table of verbs, each imported only when it is called."""

import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from provender import __version__
from provender.problem import ProblemsError
from provender.whole_file import is_full

if TYPE_CHECKING:
    import typer
    from rich.console import Console


# The verbs of the program: where each lives, and its line of help.


class Verb(NamedTuple):
    """One verb: the module that holds its Typer app, the line that help shows, and the name of the app."""

    module: str
    help: str
    app: str = "app"


# A verb whose app has one command is a plain command; with several it is a group. Order is the order of help.
VERBS: Final[dict[str, Verb]] = {
    "check": Verb("provender.cli.check", "Judge every practice standard on every unit of a record book."),
    "intensity": Verb("provender.cli.intensity", "Quantify the farm-level CI of each crop and harvest year."),
    "plan": Verb("provender.cli.plan", "Show the CI of each unit under every combination of practices."),
    "growing": Verb("provender.cli.book", "List growing crops, and what each asks for now or by a day.", "growing_app"),
    "preview": Verb(
        "provender.cli.book", "Say what the correction of a row would change, before it is saved.", "preview_app"
    ),
    "report": Verb(
        "provender.cli.book", "Make the Biofuel Feedstock Report as PDF and JSON, signed or not.", "report_app"
    ),
    "evidence": Verb(
        "provender.cli.book", "Say which files of evidence are there and unchanged; record hashes.", "evidence_app"
    ),
    "deliver": Verb(
        "provender.cli.book", "Say which buyers have the signed report, and record that one has it.", "deliver_app"
    ),
    "signature": Verb(
        "provender.cli.keys",
        "Check the signature of a report or paper against the keys you have pinned.",
        "signature_app",
    ),
    "custody": Verb(
        "provender.cli.custody.app", "Keep a book of bushels with serials: buy, sell, close, balance, trace."
    ),
    "audit": Verb("provender.cli.audit.app", "Draw the farm sample, work through an audit, state its result."),
    "portfolio": Verb(
        "provender.cli.portfolio", "Exchange the records of many farms as Parquet, and judge them all at once."
    ),
    "verify": Verb("provender.cli.verify", "Recompute everything in a verification package, offline."),
    "export": Verb("provender.cli.export", "Show a closed period or a record book to other systems: EPCIS, ADAPT."),
    "rule": Verb("provender.cli.rule", "Read the rule paragraph by paragraph, and see what answers each."),
    "template": Verb(
        "provender.cli.export", "Write a workbook to fill in, begin a record book, list its columns.", "template_app"
    ),
    "import": Verb(
        "provender.cli.import_files", "Bring workbooks, CSV, boundaries, photos, logs and tests into a book."
    ),
    "rejects": Verb(
        "provender.cli.import_files", "List, mend and dismiss rows that an import could not take.", "rejects_app"
    ),
    "stir": Verb("provender.cli.model", "Compute STIR of every pass in a file, and their sum.", "stir_app"),
    "model": Verb("provender.cli.model", "Run the open Argonne 2021 model on rows of inputs (estimates)."),
    "keys": Verb("provender.cli.keys", "Make, show, hand out and change the key that signs documents."),
    "timestamp": Verb(
        "provender.cli.verify", "Prove on which day a file existed, by a timestamp of RFC 3161.", "timestamp_app"
    ),
    "log": Verb("provender.cli.log", "Keep a log of document hashes, so that nothing given can be exchanged unseen."),
    "demo": Verb("provender.cli.demo", "Run the main jobs on the examples, from records to documents."),
    "completion": Verb("provender.cli.completion", "Print the script by which bash, zsh or fish complete a line."),
    "serve": Verb("provender.cli.serve", "Serve the web application and its API on this machine."),
    "backup": Verb("provender.cli.serve", "Copy a server's database and stored files into one archive.", "backup_app"),
    "restore": Verb("provender.cli.serve", "Put such an archive back into a new server.", "restore_app"),
    "manage": Verb(
        "provender.cli.serve", "Look after database and server: migrate, check --deploy, changepassword.", "manage_app"
    ),
}


ALL_WELL: Final = 0
WRONGLY_CALLED: Final = 2
"""As ``cli.output`` has them, which imports what options are declared with."""


_USAGE: Final = "Usage: provender VERB [OPTIONS] ...     provender VERB --help explains one verb"
_PURPOSE: Final = "Climate-smart crops for biofuel under 7 CFR part 2100: from field records to the refiner's books."
_STATUSES: Final = "Exit status: 0 all well, 1 something to look at, 2 called wrongly. --json prints for machines."


def _print_help(console: "Console") -> None:
    """Write the whole list of verbs on one screen."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column()
    for name, verb in VERBS.items():
        table.add_row(f"  {name}", verb.help)
    for part in (_USAGE, "", _PURPOSE, "", table, "", _STATUSES):
        console.print(part, highlight=False, soft_wrap=isinstance(part, str))


def run(arguments: Sequence[str]) -> int:
    """Run one verb and return its exit status."""
    if os.environ.get("_PROVENDER_COMPLETE"):
        from provender.cli.completion import answer

        return answer()
    name, *rest = arguments or ("--help",)
    if name in ("--help", "-h", "help"):
        from rich.console import Console

        _print_help(Console())
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
            from provender.rule.law import load_rule

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
    except Exception as failed:
        if not is_full(failed):
            raise
        sys.stderr.write("No disk space is left: nothing was half written. Free some, then try again.\n")
        return WRONGLY_CALLED


def main() -> None:
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
