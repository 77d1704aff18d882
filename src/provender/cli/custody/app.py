"""``provender custody``: bushels with serial numbers (subpart D), one book a file."""

import typer

from provender.cli.custody import (
    batch,
    book,
    contracts,
    day,
    documents,
    figures,
    incoming,
    journal,
    reconcile,
    tickets,
    views,
)
from provender.cli.custody.doors import listing, reading

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Keep a book of bushels with serial numbers: add files of events, close, balance, trace (subpart D).",
)
app.command()(book.init)
app.command()(reading(book.add))
app.command()(reading(documents.receive))
app.command()(reading(book.close))
app.command()(reading(documents.document))
app.command()(reading(listing(views.balance)))
app.command()(reading(listing(day.day)))
app.command()(reading(listing(views.trace)))
app.command()(reading(listing(journal.journal)))
app.command()(reading(listing(views.lots)))
app.command()(reading(listing(incoming.incoming)))
app.command()(reading(listing(views.alerts)))
app.command()(reading(listing(views.retention)))
app.command()(reading(views.manual))
app.command()(reading(listing(tickets.tickets)))
app.command()(reading(listing(contracts.contracts)))
app.command()(reading(listing(figures.figures)))
app.command()(batch.run)
app.command("reconcile")(listing(reconcile.reconcile_files))
