"""Pictures of a book as SVG files: the chain behind serials or of a stretch of days, and stock over time."""

from collections.abc import Iterable
from datetime import date
from pathlib import Path

import typer

from provender.custody.book import Book
from provender.custody.claims import Claim, claims_of_book
from provender.custody.entities import Entity
from provender.custody.pictures import chain_picture, stock_picture
from provender.paper.headed import headed
from provender.problem import refuse


def write_chain(
    book: Book, out: Path, *, serials: tuple[str, int, int] | None, days: tuple[date | None, date | None]
) -> None:
    """Write the chain diagram of some serials, or of all that changed hands between two days."""
    claims = list(_chosen(claims_of_book(0, book.store, book.store.events()), serials, days))
    if not claims:
        raise refuse(book.path.name, "Nothing changed hands there.", "Choose other serials or other days.")
    first, last = min(one.day for one in claims), max(one.day for one in claims)
    title = f"{serials[0]}: the chain" if serials else f"Who handed what to whom, {first} to {last}"
    out.write_text(headed(chain_picture(book.store, claims, title=title)), encoding="utf-8")
    typer.echo(f"wrote {out}", err=True)


def _chosen(
    claims: Iterable[Claim], serials: tuple[str, int, int] | None, days: tuple[date | None, date | None]
) -> Iterable[Claim]:
    since, until = days[0] or date.min, days[1] or date.max
    for one in claims:
        if serials is None:
            if since <= one.day <= until:
                yield one
        elif one.origin == serials[0] and one.start < serials[2] and serials[1] < one.stop:
            yield one._replace(start=max(one.start, serials[1]), stop=min(one.stop, serials[2]))


def write_stock(book: Book, out: Path) -> None:
    """Write the chart of the owner's stock by carbon intensity over time."""
    owner = book.store.one(Entity, book.entity)
    title = f"Stock of {owner.name if owner else book.entity} by carbon intensity"
    try:
        picture = stock_picture(book.store.steps(book.entity), book.entity, title=title)
    except ValueError:
        raise refuse(book.path.name, "The book never held a claim.", "Enter purchases first.") from None
    out.write_text(headed(picture), encoding="utf-8")
    typer.echo(f"wrote {out}", err=True)
