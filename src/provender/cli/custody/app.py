"""``provender custody``: bushels with serial numbers (subpart D), one book a file."""

import typer

from provender.cli.custody import (
    batch,
    bins,
    book,
    came_in,
    choose,
    contracts,
    day,
    deliveries,
    documents,
    events,
    figures,
    journal,
    reconcile,
    tickets,
    views,
)
from provender.cli.custody.doors import listing

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
app.command("move")(events.move)
app.command("process")(events.process)
app.command("release")(events.release)
app.command("retire")(events.retire)
app.command("return")(events.return_)
app.command("correct")(events.correct)
app.command("close")(events.close)
app.command()(documents.document)
app.command()(listing(views.balance))
app.command()(listing(day.day))
app.command()(listing(views.trace))
app.command()(listing(journal.journal))
app.command()(listing(views.lots))
app.command()(listing(bins.bins))
app.command("came-in")(listing(came_in.came_in))
app.command()(listing(views.alerts))
app.command()(listing(views.retention))
app.command()(views.manual)
app.command()(listing(tickets.tickets))
app.command()(listing(contracts.contracts))
app.command()(listing(deliveries.deliveries))
app.command()(choose.choose)
app.command()(listing(figures.figures))
app.command()(batch.run)
app.command("reconcile")(listing(reconcile.reconcile_files))
