"""The movements of one party, newest first, page by page: a page stays quick however long the book is.

A party's steps lie by day and lot. Movements written at once may have their lots numbered in alternation (PostgreSQL),
so a movement may reach over the edge of a page: it stands whole on the page of its newest lot and on no other.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Case, Count, F, QuerySet, Sum, When

from provender.database.models import CustodyEvent, CustodyStep


@dataclass(frozen=True, slots=True)
class Movement:
    """One movement of a party as a list shows it.

    Attributes:
        event: its id.
        type: such as ``sale``.
        day: its day.
        giver: who had it; empty where serials enter the book, and where it went from nobody to nobody (``WITHIN``).
        taker: who has it then; empty as well where it went to nobody.
        form: crop or product.
        amount: in the unit of the form, thousandths.
        corrected: it was taken back.
        house: in whose house it was, of what went to nobody.
        site: at which site of that house; several with commas.
    """

    event: str
    type: str
    day: date
    giver: str
    taker: str
    form: str
    amount: int
    corrected: bool
    house: str = ""
    site: str = ""


class Cursor(NamedTuple):
    """A place in a party's list: everything below it is older."""

    day: date
    lot: int


class MovementsPage(NamedTuple):
    """Movements newest first, and the place from which the next page goes on; None at the end."""

    movements: list[Movement]
    older: Cursor | None


WITHIN: Final = frozenset({"loss", "release", "retire", "move", "process", "yield", "convert", "crush", "true_up"})
"""Types of events by which an owner does something with its own: nobody gives and nobody takes."""


class Row(NamedTuple):
    """What is read of a step, in the order of ``COLUMNS``."""

    day: date
    place: int
    number: int
    event: str
    type: str
    by: str
    former: str | None
    owner: str
    supplier: str
    form: str
    product: int
    start: int
    stop: int
    custodian: str
    site: str

    @property
    def rest(self) -> bool:
        """Return whether it is what a cut left, which is no movement of its own."""
        return self.by != self.event

    @property
    def giver(self) -> str:
        """Return who had it before; empty where serials enter the book."""
        if self.within:
            return ""
        return self.former if self.former and self.former != self.owner else self.supplier

    @property
    def taker(self) -> str:
        """Return who has it then; empty where it went to nobody."""
        return "" if self.within else self.owner

    @property
    def within(self) -> bool:
        """Return whether it is a deed of one house, from nobody to nobody."""
        return self.type in WITHIN and self.former in (None, self.owner)


class Wanted(NamedTuple):
    """Which movements of a party a list shows: empty takes all.

    Attributes:
        kinds: only events of these types.
        partners: only what came from one of these or went to one, by code.
    """

    kinds: Collection[str] = ()
    partners: Collection[str] = ()

    def has(self, row: Row) -> bool:
        """Tell whether a step is one of a movement that is wanted."""
        if self.kinds and row.type not in self.kinds:
            return False
        return not self.partners or row.giver in self.partners or row.taker in self.partners


EVERYTHING: Final = Wanted()
SCANNED: Final = 800
"""Steps looked at for one page of movements at most, unless told: it stays quick whatever is looked for."""
CHUNK: Final = 100
"""Steps read at first; whoever looks far reads more at a time, up to ``CHUNK_AT_MOST``."""
CHUNK_AT_MOST: Final = 2_000
COLUMNS: Final = (
    "day",
    "lot_id",
    "lot__opened_by_id",
    "lot__opened_by__name",
    "lot__opened_by__type",
    "lot__by",
    "lot__parent__owner",
    "lot__owner",
    "lot__supplier",
    "lot__form",
    "lot__product",
    "lot__span_start",
    "lot__span_stop",
    "lot__custodian",
    "lot__site",
)


def movements_page(
    party: str,
    *,
    before: Cursor | None = None,
    size: int = 50,
    wanted: Wanted = EVERYTHING,
    scanned: int | None = None,
) -> MovementsPage:
    """Return the latest movements of a party, newest first, older than a place.

    The rest of a lot that was cut is no movement of its own and is left out. A page of rare kinds may hold fewer than
    ``size`` and still have an older one.

    Args:
        party: whose.
        before: where the page before ended; None begins with the newest.
        size: how many at most.
        wanted: which of them.
        scanned: how many steps it looks at, at most; None looks at ``SCANNED``.
    """
    found: dict[int, Movement] = {}
    older = before
    for rows in _chunks(party, before, SCANNED if scanned is None else scanned):
        listed = _listed_above(party, before, rows)
        for row in rows:
            taken = not row.rest and row.number not in listed and wanted.has(row)
            if taken and row.number not in found and len(found) == size:
                return _page(party, found, older)
            older = Cursor(row.day, row.place)
            if taken:
                _add(party, found, row)
    return _page(party, found, older)


def _page(party: str, found: dict[int, Movement], older: Cursor | None) -> MovementsPage:
    """Return the page with its movements whole: what they have below its edge is theirs still."""
    if older is None or not _steps(party, older)[:1]:
        return MovementsPage(_with_corrections(found), None)
    below = _steps(party, older).filter(day=older.day, lot__opened_by_id__in=_of_day(found, older.day))
    for row in _read(below):
        if not row.rest:
            _add(party, found, row)
    return MovementsPage(_with_corrections(found), older)


def _of_day(found: Mapping[int, Movement], day: date) -> list[int]:
    return [number for number, movement in found.items() if movement.day == day]


def _add(party: str, found: dict[int, Movement], row: Row) -> None:
    """Add a step to its movement."""
    known = found.get(row.number)
    amount = (row.product or row.stop - row.start) + (known.amount if known else 0)
    house, site = "", ""
    if row.within and party in (row.owner, row.custodian):
        sites = {*(known.site.split(", ") if known else ()), row.site} - {""}
        house, site = row.custodian, ", ".join(sorted(sites))
    found[row.number] = Movement(
        row.event, row.type, row.day, row.giver, row.taker, row.form, amount, corrected=False, house=house, site=site
    )


def _listed_above(party: str, before: Cursor | None, rows: Sequence[Row]) -> set[int]:
    """Return which movements of the rows stand on a page before, since they have a lot above the place too."""
    if before is None or not (candidates := {row.number for row in rows if row.day == before.day}):
        return set()
    above = CustodyStep.objects.filter(party=party, day=before.day, lot_id__gte=before.lot)
    own = above.filter(lot__opened_by_id__in=candidates, lot__by=F("lot__opened_by__name"))
    return set(own.order_by().values_list("lot__opened_by_id", flat=True))


def _steps(party: str, before: Cursor | None) -> QuerySet[CustodyStep]:
    steps = CustodyStep.objects.filter(party=party)
    if before is not None:
        steps = steps.filter(day__lte=before.day).exclude(day=before.day, lot_id__gte=before.lot)
    return steps.order_by("-day", "-lot_id")


def _read(steps: QuerySet[CustodyStep]) -> list[Row]:
    return [Row(*row) for row in steps.values_list(*COLUMNS)]


def _chunks(party: str, before: Cursor | None, scanned: int) -> Iterator[list[Row]]:
    """Yield the rows behind a party's latest steps, chunk by chunk, ``scanned`` at most."""
    left, chunk = scanned, CHUNK
    while left > 0:
        rows = _read(_steps(party, before)[: min(chunk, left)])
        yield rows
        if len(rows) < min(chunk, left):
            return
        before = Cursor(rows[-1].day, rows[-1].place)
        left, chunk = left - len(rows), min(2 * chunk, CHUNK_AT_MOST)


def _with_corrections(found: Mapping[int, Movement]) -> list[Movement]:
    # Without an order of its own: sorted by number, SQLite would walk through every event.
    numbers = list(found)
    parts = (numbers[at : at + CHUNK_AT_MOST] for at in range(0, len(numbers), CHUNK_AT_MOST))
    taken_back = (CustodyEvent.objects.filter(corrects_id__in=part).order_by() for part in parts)
    gone = {one.corrects_id for some in taken_back for one in some.select_related("correction") if _stands(one)}
    return [replace(one, corrected=number in gone) for number, one in found.items()]


def _stands(correction: CustodyEvent) -> bool:
    """Tell whether a correction is not taken back itself."""
    later = getattr(correction, "correction", None)
    return later is None or not _stands(later)


class SoldSum(NamedTuple):
    """What a party sold of a form and what came back of it, in the unit of the form, thousandths."""

    form: str
    sales: int
    sold: int
    back: int


CAME_BACK: Final = ("return", "reject")


def sold_sums(party: str, partners: Collection[str] = ()) -> list[SoldSum]:
    """Return what a party sold over the whole book by form, without what was taken back.

    Args:
        party: whose sales.
        partners: only those to one of these, by code; empty takes all.
    """
    lots = CustodyStep.objects.filter(party=party, lot__by=F("lot__opened_by__name")).order_by()
    sold = lots.filter(lot__opened_by__type="sale", lot__parent__owner=party).exclude(lot__owner=party)
    back = lots.filter(lot__opened_by__type__in=CAME_BACK, lot__owner=party).exclude(lot__parent__owner=party)
    if partners:
        sold, back = sold.filter(lot__owner__in=partners), back.filter(lot__parent__owner__in=partners)
    found: dict[str, list[int]] = {}
    for place, steps in ((1, sold), (2, back)):
        for form, sales, amount in _summed(steps):
            of = found.setdefault(form, [0, 0, 0])
            of[place] = amount
            of[0] = sales if place == 1 else of[0]
    return [SoldSum(form, *of) for form, of in sorted(found.items())]


def _summed(steps: QuerySet[CustodyStep]) -> list[tuple[str, int, int]]:
    """Return how many events and how much of each form; what a correction that stands took back is left out."""
    corrected = steps.filter(lot__opened_by__correction__isnull=False)
    numbers = set(corrected.values_list("lot__opened_by_id", flat=True))
    events = CustodyEvent.objects.filter(corrects_id__in=numbers).order_by().select_related("correction")
    gone = [one.corrects_id for one in events if _stands(one)]
    amount = Case(When(lot__product__gt=0, then="lot__product"), default=F("lot__span_stop") - F("lot__span_start"))
    left = steps.exclude(lot__opened_by_id__in=gone).values("lot__form")
    rows = left.annotate(events=Count("lot__opened_by_id", distinct=True), amount=Sum(amount))
    return [(row["lot__form"], row["events"], int(row["amount"])) for row in rows]
