"""``provender custody``: bushels with serial numbers (subpart D), one book a file."""

import typer

from provender.cli.custody import book, documents, reconcile, tickets, views
from provender.cli.custody.book import listing

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Keep a book of bushels with serial numbers: add files of events, close, balance, trace (subpart D).",
)
app.command()(book.init)
app.command()(book.add)
app.command()(documents.receive)
app.command("file")(documents.put_on_file)
app.command()(book.close)
app.command()(documents.document)
app.command()(listing(views.balance))
app.command()(listing(views.day))
app.command()(listing(views.trace))
app.command()(listing(views.journal))
app.command()(listing(views.lots))
app.command()(listing(views.incoming))
app.command()(listing(views.alerts))
app.command()(listing(views.retention))
app.command()(views.manual)
app.command()(listing(tickets.tickets))
app.command()(listing(tickets.contracts))
app.command()(listing(documents.figures))
app.command()(book.run)
app.command("reconcile")(listing(reconcile.reconcile_files))
