"""``provender custody``: bushels with serial numbers (subpart D), one book a file."""

import typer

from provender.cli.custody import batch, book, contracts, documents, events, journal, reconcile, tickets, views

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Keep a book of bushels with serial numbers: buy, sell, process, close, balance, trace (subpart D).",
)
app.command()(book.init)
app.command()(book.add)
app.command("buy")(events.buy)
app.command()(documents.receive)
app.command("sell")(events.sell)
app.command("process")(events.process)
app.command("release")(events.release)
app.command("retire")(events.retire)
app.command("return")(events.return_)
app.command("correct")(events.correct)
app.command("close")(events.close)
app.command()(documents.document)
app.command()(views.balance)
app.command()(views.trace)
app.command()(journal.journal)
app.command()(views.lots)
app.command()(views.alerts)
app.command()(views.retention)
app.command()(views.manual)
app.command()(tickets.tickets)
app.command()(contracts.contracts)
app.command()(batch.run)
app.command("reconcile")(reconcile.reconcile_files)
