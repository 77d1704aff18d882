"""``provender custody``: bushels with serial numbers (subpart D), one book a file."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Final

import typer

from provender.cli.custody import batch, book, contracts, documents, events, journal, reconcile, tickets, views

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Keep a book of bushels with serial numbers: buy, sell, process, close, balance, trace (subpart D).",
)
WHOLE: Final = typer.Option(
    "--from-start", help="Replay every event of the book and check its checkpoint, instead of going on from that."
)


def reading(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that reads a book, with the option to read it from its start."""

    @wraps(command)
    def whole(*, from_start: bool, **given: Any) -> None:  # noqa: ANN401 - as typer reads them
        from provender.custody.book_file import FROM_START

        token = FROM_START.set(from_start)
        try:
            command(**given)
        finally:
            FROM_START.reset(token)

    added = inspect.Parameter(
        "from_start", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, WHOLE]
    )
    asked = inspect.signature(command).parameters.values()
    whole.__signature__ = inspect.Signature([*asked, added])  # type: ignore[attr-defined]
    whole.__annotations__ = {**command.__annotations__, "from_start": Annotated[bool, WHOLE]}
    return whole


app.command()(book.init)
app.command()(reading(book.add))
app.command("buy")(reading(events.buy))
app.command()(reading(documents.receive))
app.command("sell")(reading(events.sell))
app.command("process")(reading(events.process))
app.command("release")(reading(events.release))
app.command("retire")(reading(events.retire))
app.command("return")(reading(events.return_))
app.command("correct")(reading(events.correct))
app.command("close")(reading(events.close))
app.command()(reading(documents.document))
app.command()(reading(views.balance))
app.command()(reading(views.trace))
app.command()(reading(journal.journal))
app.command()(reading(views.lots))
app.command()(reading(views.alerts))
app.command()(reading(views.retention))
app.command()(reading(views.manual))
app.command()(reading(tickets.tickets))
app.command()(reading(contracts.contracts))
app.command()(batch.run)
app.command("reconcile")(reconcile.reconcile_files)
