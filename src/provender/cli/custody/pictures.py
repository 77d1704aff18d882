"""Pictures of books as SVG files: the chain behind serials or of a stretch of days, and stock over time."""

from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from provender.custody.book_file import BookFile, open_book
from provender.custody.model.entities import Entity
from provender.problem import refuse

if TYPE_CHECKING:
    from provender.custody.queries.claims import Claim


def write_chain(
    book: BookFile,
    out: Path,
    *,
    serials: tuple[str, int, int] | None,
    days: tuple[date | None, date | None],
    beside: Sequence[Path] = (),
) -> None:
    """Write the chain diagram of some serials, or of all that changed hands between two days.

    Books of other houses ``beside`` show what one's own cannot: where the serials came from before, and went after. A
    transfer that several books tell of is drawn once.
    """
    from provender.custody.model.entities import Entity
    from provender.custody.queries.claims import Claim, claims_of_book
    from provender.custody.queries.double_claims import counted_once, frame
    from provender.custody.queries.trace import chain_picture
    from provender.paper.svg import headed
    from provender.services.custody.network_report import Directory

    known, claims = Directory(), list(claims_of_book(0, book.store, book.store.events()))
    known.add(book.store.many(Entity, ""))
    # A book is locked while it is open: the same one twice would wait for itself.
    others = {one.resolve(): one for one in beside if one.resolve() != book.path.resolve()}
    for number, path in enumerate(others.values(), 1):
        with open_book(path) as other:
            claims += claims_of_book(number, other.store, other.store.events())
            known.add(other.store.many(Entity, ""))
    if others:
        claims = [Claim(source=0, **row) for row in counted_once(frame(claims)).iter_rows(named=True)]
    chosen = list(_chosen(claims, serials, days))
    if not chosen:
        raise refuse(book.path.name, "Nothing changed hands there.", "Choose other serials or other days.")
    first, last = min(one.day for one in chosen), max(one.day for one in chosen)
    title = f"{serials[0]}: the chain" if serials else f"Who handed what to whom, {first} to {last}"
    out.write_text(headed(chain_picture(known, chosen, title=title)), encoding="utf-8")
    typer.echo(f"wrote {out}", err=True)


def _chosen(
    claims: "Iterable[Claim]", serials: tuple[str, int, int] | None, days: tuple[date | None, date | None]
) -> "Iterable[Claim]":
    since, until = days[0] or date.min, days[1] or date.max
    for one in claims:
        if serials is None:
            if since <= one.day <= until:
                yield one
        elif one.origin == serials[0] and one.start < serials[2] and serials[1] < one.stop:
            yield one._replace(start=max(one.start, serials[1]), stop=min(one.stop, serials[2]))


def write_stock(book: BookFile, out: Path) -> None:
    """Write the chart of the owner's stock by carbon intensity over time."""
    from provender.custody.queries.trace import stock_picture
    from provender.paper.svg import headed

    owner = book.store.one(Entity, book.entity)
    title = f"Stock of {owner.name if owner else book.entity} by carbon intensity"
    try:
        picture = stock_picture(book.store.steps(book.entity), book.entity, title=title)
    except ValueError:
        raise refuse(book.path.name, "The book never held a claim.", "Enter purchases first.") from None
    out.write_text(headed(picture), encoding="utf-8")
    typer.echo(f"wrote {out}", err=True)
