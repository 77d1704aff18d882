"""``provender custody``: bushels with serial numbers (subpart D), one book a file."""

import typer

from provender.cli import (
    custody_book,
    custody_contracts,
    custody_documents,
    custody_journal,
    custody_movements,
    custody_reconcile,
    custody_run,
    custody_tickets,
    custody_views,
)

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Keep a book of bushels with serial numbers: buy, sell, process, close, balance, trace (subpart D).",
)
app.command()(custody_book.init)
app.command()(custody_book.add)
app.command()(custody_movements.buy)
app.command()(custody_documents.receive)
app.command()(custody_movements.sell)
app.command()(custody_movements.process)
app.command()(custody_movements.release)
app.command()(custody_movements.retire)
app.command("return")(custody_movements.return_)
app.command()(custody_movements.correct)
app.command()(custody_movements.close)
app.command()(custody_documents.document)
app.command()(custody_views.balance)
app.command()(custody_views.trace)
app.command()(custody_journal.journal)
app.command()(custody_views.lots)
app.command()(custody_views.alerts)
app.command()(custody_views.retention)
app.command()(custody_views.manual)
app.command()(custody_tickets.tickets)
app.command()(custody_contracts.contracts)
app.command()(custody_run.run)
app.command("reconcile")(custody_reconcile.reconcile_files)
