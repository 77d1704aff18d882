"""Grain at the sites, conventional too: what the tickets leave, the claims beside it, the entries newest first."""

from dataclasses import dataclass
from typing import Final

from django.core.cache import cache
from django.http import HttpResponseBase
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_GET

from provender.custody.model.amounts import unit_of
from provender.custody.model.grain_book import Direction, GrainEntry, stock_on
from provender.database.store.custody_lists import GrainBook, grain_books, grain_page, stock_of
from provender.quantity import show
from provender.signing.hashes import sha256_hex
from provender.web.access import PersonRequest
from provender.web.custody.forms import words
from provender.web.custody.pages.context import READER, CustodyContext, at_desk
from provender.web.custody.pages.movements import movement_address
from provender.web.tables import Cell, Column, Table, page_with_tables, rows_wanted

KEPT_SECONDS: Final = 3600
WAYS: Final = {Direction.IN: "In", Direction.OUT: "Out", Direction.MEASURED: "Measured"}


@require_GET
@at_desk()
def custody_grain(request: PersonRequest, desk: CustodyContext) -> HttpResponseBase:
    """Show grain and claims of every site, and the tickets of one."""
    books = grain_books(desk.entity)
    tables = {"grain": _stocks(desk, books)}
    asked = (request.GET.get("site"), request.GET.get("form"))
    book = next((one for one in books if (one.site, one.form) == asked), books[0] if books else None)
    more = ""
    if book is not None:
        before = request.GET.get("before", "")
        size = rows_wanted(request)
        found = grain_page(book.group, before=int(before) if before.isdecimal() else 0, size=size + 1)
        tables["tickets"] = _tickets(desk, book, [entry for _, entry in found[:size]])
        if len(found) > size:
            more = "?" + urlencode({"site": book.site, "form": book.form, "before": str(found[size - 1][0])})
    return page_with_tables(request, "custody/grain.html", tables, {"book": book, "more": more})


def _physical(desk: CustodyContext, book: GrainBook) -> int | None:
    """Return the grain of a site today; kept until an entry is added or voided."""
    name = f"custody-grain-{book.mark}-{book.entries}-{desk.today}-{sha256_hex(book.group.encode())}"
    kept = cache.get(name)
    if kept is None:
        with READER.reading() as facts:
            kept = (stock_on(facts.many(GrainEntry, book.group), desk.today),)
        cache.set(name, kept, KEPT_SECONDS)
    found: int | None = kept[0]
    return found


@dataclass(frozen=True, slots=True)
class GrainStanding:
    """Grain and claims at one site.

    Attributes:
        site: which.
        form: crop or product.
        book: its grain book; None where claims lie without one.
        grain: what its tickets leave today, thousandths of the form's unit; None without an entry up to today.
        claims: the organisation's own claims there.
    """

    site: str
    form: str
    book: GrainBook | None
    grain: int | None
    claims: int

    @property
    def is_covered(self) -> bool:
        """Tell whether the grain stands behind the claims."""
        return self.grain is not None and self.claims <= self.grain


def grain_standings(desk: CustodyContext, books: list[GrainBook]) -> list[GrainStanding]:
    """Return grain and claims of every site: first those with a grain book, then claims that have none."""
    claims: dict[tuple[str, str], int] = {}
    for row in stock_of(desk.id):
        if row.custodian == desk.id:
            claims[row.site, row.form] = claims.get((row.site, row.form), 0) + row.amount
    found = []
    for book in books:
        held = claims.pop((book.site, book.form), 0)
        found.append(GrainStanding(book.site, book.form, book, _physical(desk, book), held))
    return [*found, *(GrainStanding(site, form, None, None, held) for (site, form), held in claims.items())]


def _stocks(desk: CustodyContext, books: list[GrainBook]) -> Table:
    columns = [
        Column("Site"),
        Column("What"),
        Column("Grain by the tickets", number=True),
        Column("Your claims", number=True),
        Column("", page_only=True),
        Column("Entries", number=True),
    ]
    page, rows = reverse("custody_grain", args=(desk.id,)), []
    for one in grain_standings(desk, books):
        unit = unit_of(one.form)
        none = "—" if one.book else "no entry"
        address = f"{page}?{urlencode({'site': one.site, 'form': one.form})}" if one.book else ""
        rows.append(
            [
                Cell(one.site, address),
                Cell(words(one.form)),
                Cell(none if one.grain is None else f"{show(one.grain, group=True)} {unit}"),
                Cell(f"{show(one.claims, group=True)} {unit}"),
                _cover(one),
                Cell(str(one.book.entries if one.book else 0)),
            ]
        )
    empty = "No ticket is entered yet. Read your scale tickets from a file, or enter the measured stock."
    return Table("grain", columns, rows, caption="Grain and claims by site", empty=empty)


def _cover(one: GrainStanding) -> Cell:
    if one.book is None:
        return Cell("No grain book", chip="not-shown")
    return Cell("Covered", chip="met") if one.is_covered else Cell("Claims above grain", chip="not-met")


def _tickets(desk: CustodyContext, book: GrainBook, entries: list[GrainEntry]) -> Table:
    columns = [Column("Day"), Column("Ticket"), Column("Way"), Column("Amount", number=True), Column("Stands behind")]
    unit = unit_of(book.form)
    rows = [
        [
            Cell(str(one.day)),
            Cell(one.number, note="Void" if one.void else ""),
            Cell(WAYS[one.direction]),
            Cell(f"{show(one.amount, group=True)} {unit}"),
            Cell("Its movement", movement_address(desk, one.claim), saved=one.claim) if one.claim else Cell(""),
        ]
        for one in entries
    ]
    return Table("tickets", columns, rows, caption=f"{words(book.form)} at {book.site}, last entered first")
