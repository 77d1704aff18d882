"""The verbs of the program: where each lives, and its line of help."""

from typing import Final, NamedTuple


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
    "growing": Verb("provender.cli.growing", "List growing crops, and what each asks for now or by a day."),
    "preview": Verb("provender.cli.preview", "Say what the correction of a row would change, before it is saved."),
    "report": Verb("provender.cli.report", "Make the Biofuel Feedstock Report as PDF and JSON, signed or not."),
    "evidence": Verb("provender.cli.evidence", "Say which files of evidence are there and unchanged; record hashes."),
    "deliver": Verb("provender.cli.deliver", "Say which buyers have the signed report, and record that one has it."),
    "signature": Verb(
        "provender.cli.signature", "Check the signature of a report or paper against the keys you have pinned."
    ),
    "custody": Verb(
        "provender.cli.custody.app", "Keep a book of bushels with serials: buy, sell, close, balance, trace."
    ),
    "audit": Verb("provender.cli.audit.app", "Draw the farm sample, work through an audit, state its result."),
    "portfolio": Verb(
        "provender.cli.portfolio.app", "Exchange the records of many farms as Parquet, and judge them all at once."
    ),
    "verify": Verb("provender.cli.verify", "Recompute everything in a verification package, offline."),
    "export": Verb("provender.cli.export", "Show a closed period or a record book to other systems: EPCIS, ADAPT."),
    "rule": Verb("provender.cli.rule", "Read the rule paragraph by paragraph, and see what answers each."),
    "template": Verb("provender.cli.template", "Write a workbook to fill in, begin a record book, list its columns."),
    "import": Verb(
        "provender.cli.import_files", "Bring workbooks, CSV, boundaries, photos, logs and tests into a book."
    ),
    "rejects": Verb("provender.cli.rejects", "List, mend and dismiss rows that an import could not take."),
    "stir": Verb("provender.cli.stir", "Compute STIR of every pass in a file, and their sum."),
    "model": Verb("provender.cli.model", "Run the open Argonne 2021 model on rows of inputs (estimates)."),
    "keys": Verb("provender.cli.keys", "Make, show, hand out and change the key that signs documents."),
    "timestamp": Verb("provender.cli.timestamp", "Prove on which day a file existed, by a timestamp of RFC 3161."),
    "log": Verb("provender.cli.log", "Keep a log of document hashes, so that nothing given can be exchanged unseen."),
    "demo": Verb("provender.cli.demo.app", "Run the main jobs on the examples, from records to documents."),
    "completion": Verb("provender.cli.completion", "Print the script by which bash, zsh or fish complete a line."),
    "serve": Verb("provender.cli.serve", "Serve the web application and its API on this machine."),
    "backup": Verb("provender.cli.serve", "Copy a server's database and stored files into one archive.", "backup_app"),
    "restore": Verb("provender.cli.serve", "Put such an archive back into a new server.", "restore_app"),
    "manage": Verb(
        "provender.cli.serve", "Look after database and server: migrate, check --deploy, changepassword.", "manage_app"
    ),
}
