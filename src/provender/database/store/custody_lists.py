"""What pages ask of the custody book: sums and pages of rows, never all events. Each question stays on an index.

The rules of custody live in ``provender.custody``; here rows are only counted, summed and turned over page by page.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final, NamedTuple

from django.db import connections
from django.db.models import Case, Count, F, Max, QuerySet, Sum, When

from provender.custody.events.farm_trade import Pending
from provender.custody.events.registry import read_posted
from provender.custody.events.trade import sale_in_transit
from provender.custody.model.balances import Key
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event
from provender.custody.model.grain import GrainEntry, grain_group
from provender.custody.model.lots import FORMS, Lot, LotState, Slip, unit_of
from provender.custody.model.store_view import R, StoreView
from provender.database.models import custody
from provender.database.models.accounts import Organisation
from provender.database.store.custody import IN_STOCK, LOT, STOCKED, lot_of
from provender.database.store.records import GRAIN, PENDING, SLIPS, RecordTable
from provender.exact import Amount, Bushels, Ci
from provender.schema import field, view


@view
class StockView:
    """A sum of lots that are alike. Amounts are decimal text."""

    crop: str = field("Crop")
    harvest_year: int = field("Harvest year")
    ci_g_per_bu: Ci = field("CI")
    form: str = field("What")
    custodian: str = field("Stored with")
    site: str = field("Site")
    state: str = field("State")
    bushels: Bushels = field("As crop")
    amount: Amount = field("Amount")
    lots: int = field("Lots")

    @property
    def unit(self) -> str:
        return unit_of(self.form)

    @property
    def key(self) -> Key:
        """Return crop, harvest year and carbon intensity."""
        return Key(self.crop, self.harvest_year, self.ci_g_per_bu)


def stock_of(owner: str) -> list[StockView]:
    """Return an owner's stock, summed by crop, year, carbon intensity, form, place and state."""
    names = "crop, harvest_year, ci, form, custodian, site, state"
    query = (
        f"SELECT {names}, SUM(l.span_stop - l.span_start), SUM(l.product), COUNT(*) "  # noqa: S608 - our own words
        f"FROM database_custodylot l WHERE {IN_STOCK} AND l.owner = %s "
        f"GROUP BY {names} ORDER BY {names}"
    )
    return [
        StockView(
            crop=crop, harvest_year=year, ci_g_per_bu=ci, form=form, custodian=custodian, site=site, state=state,
            bushels=int(bushels), amount=int(pounds) or int(bushels), lots=lots,
        )
        for crop, year, ci, form, custodian, site, state, bushels, pounds, lots in _query_rows(query, owner)
    ]  # fmt: skip


def _query_rows(query: str, *given: str | int) -> list[tuple[Any, ...]]:
    with connections["default"].cursor() as cursor:
        cursor.execute(query, given)
        return list(cursor.fetchall())


class StockChange(NamedTuple):
    """How much an owner's stock of one crop, year and carbon intensity changed on a day, thousandths of a bushel."""

    day: date
    key: Key
    bushels: int


def stock_changes(owner: str, since: date) -> list[StockChange]:
    """Return the changes of an owner's stock from a day on, one per day and key, by day."""
    shape = "SELECT s.day, {0}.crop, {0}.harvest_year, {0}.ci, {1}(l.span_stop - l.span_start) AS change FROM {2}"
    tables = "database_custodystep s JOIN database_custodylot l ON l.id = s.lot_id"
    both = f"{tables} JOIN database_custodylot p ON p.id = l.parent_id"
    where = " WHERE s.party = %s AND s.day >= %s AND {0}.owner = %s AND {0}.state IN (" + STOCKED + ")"
    came = shape.format("l", "+", tables) + where.format("l")
    left = shape.format("p", "-", both) + where.format("p")
    query = (
        "SELECT day, crop, harvest_year, ci, SUM(change) FROM "  # noqa: S608 - every piece stands in this module
        f"({came} UNION ALL {left}) AS changes "
        "GROUP BY day, crop, harvest_year, ci ORDER BY day, crop, harvest_year, ci"
    )
    given = [owner, since.isoformat(), owner]
    return [
        StockChange(date.fromisoformat(day) if isinstance(day, str) else day, Key(crop, year, ci), int(change))
        for day, crop, year, ci, change in _query_rows(query, *given, *given)
        if change
    ]


def steps_watermark(party: str) -> int:
    """Return how many steps a party has: it grows with every movement that touches the party, and never shrinks."""
    return custody.CustodyStep.objects.filter(party=party).count()


def lots_page(
    owner: str, *, after: int = 0, size: int = 50, where: Mapping[str, str | int] | None = None
) -> list[tuple[int, Lot]]:
    """Return current lots in an owner's stock after a place in the list, with their places.

    ``where`` names columns of the lot among ``_CHOOSABLE``, and the values they must have; ValueError for another.
    """
    chosen = dict(where or {})
    if unknown := set(chosen) - _CHOOSABLE:
        raise ValueError(f"lots are not chosen by {', '.join(sorted(unknown))}")
    more = "".join(f" AND l.{name} = %s" for name in chosen)
    ids = (
        f"SELECT l.id FROM database_custodylot l WHERE {IN_STOCK} AND l.owner = %s AND l.id > %s{more} "  # noqa: S608
        "ORDER BY l.id LIMIT %s"
    )
    return _lots(number for (number,) in _query_rows(ids, owner, after, *chosen.values(), size))


def lots_within(owner: str, origin: str, start: int, stop: int) -> list[Lot]:
    """Return the current lots of an owner that some serials of an origin touch; none of an origin unknown."""
    known = custody.CustodyOrigin.objects.filter(name=origin).first()
    if known is None:
        return []
    where = {"span_start__lt": known.base + stop, "span_stop__gt": known.base + start}
    own = custody.CustodyLot.objects.filter(owner=owner, ended_by=None, origin=known, **where).order_by("span_start")
    return [lot for _, lot in _lots(own.values_list("id", flat=True))]


_CHOOSABLE: Final = frozenset({"crop", "form", "site", "state", "harvest_year", "ci", "custodian"})


def in_transit_to(owner: str, size: int = 200) -> list[Lot]:
    """Return lots on the way to an owner, the first sent first."""
    where = f"l.ended_by_id IS NULL AND l.state = '{LotState.IN_TRANSIT}' AND l.owner = %s"
    return [lot_of(row) for row in _query_rows(f"{LOT} WHERE {where} ORDER BY l.id LIMIT %s", owner, size)]


def sales_behind(store: StoreView, lots: Iterable[Lot]) -> dict[str, str]:
    """Return, for each movement that put lots in transit, the sale or document that has them on their way."""
    names = {lot.by for lot in lots}
    corrections = custody.CustodyEvent.objects.filter(name__in=names, corrects__isnull=False)
    again = set(corrections.values_list("name", flat=True))
    return {name: sale_in_transit(store, name) if name in again else name for name in names}


def _lots(ids: Iterable[int]) -> list[tuple[int, Lot]]:
    wanted = sorted(ids)
    if not wanted:
        return []
    marks = ", ".join(["%s"] * len(wanted))
    rows = _query_rows(f"{LOT} WHERE l.id IN ({marks}) ORDER BY l.id", *wanted)
    return list(zip(wanted, map(lot_of, rows), strict=True))


def lot_named(name: str) -> Lot | None:
    found = _query_rows(f"{LOT} WHERE l.name = %s", name)
    return lot_of(found[0]) if found else None


def origins_owned(owner: str, start: str) -> list[str]:
    """Return the origins whose names begin so and of which a party has or had title to serials."""
    rows = custody.CustodyLot.objects.filter(owner=owner, origin__name__startswith=start).order_by()
    return sorted(rows.values_list("origin__name", flat=True).distinct())


def origins_stored(custodian: str) -> list[str]:
    """Return the origins of others' serials that lie with a custodian today."""
    query = (
        f"SELECT DISTINCT o.name FROM database_custodylot l JOIN database_custodyorigin o ON o.id = l.origin_id "  # noqa: S608
        f"WHERE {IN_STOCK} AND l.custodian = %s AND l.owner <> %s ORDER BY o.name"
    )
    return [name for (name,) in _query_rows(query, custodian, custodian)]


OPEN_SLIPS: Final = " AND open_bushels > 0"
OPEN_PENDING: Final = ' AND "left" > 0'


def open_slips(taker: str, size: int = 200) -> list[Slip]:
    """Return slips to a buyer whose serials it has not bought yet, the oldest first."""
    return _open(SLIPS, OPEN_SLIPS, taker, size)


def open_pending(taker: str, size: int = 200) -> list[Pending]:
    """Return a buyer's purchases that still wait for a report, the oldest first."""
    return _open(PENDING, OPEN_PENDING, taker, size)


def _open(table: RecordTable[R], condition: str, taker: str, size: int) -> list[R]:
    question = table.where("taker", (taker,), condition)
    return [table.read(row) for row in _query_rows(f"{question.sql} LIMIT %s", *question.parameters, size)]


def entered_lately(kind: str, start: str, size: int = 20) -> list[Event]:
    """Return the last entries of a type whose ids begin so, the newest first."""
    named = custody.CustodyEvent.objects.filter(
        type=kind, name__gte=start, name__lt=f"{start[:-1]}{chr(ord(start[-1]) + 1)}"
    )
    texts = named.order_by("-id").values_list("text", flat=True)[:size]
    return [read_posted(json.loads(text)) for text in texts]


def names_of(parties: Iterable[str]) -> dict[str, str]:
    """Return the names of parties by id: as the book has it, else as it is registered here; unknown, by its id."""
    wanted = set(parties) - {""}
    found = dict(custody.CustodyEntity.objects.filter(key__in=wanted).values_list("key", "name"))
    if absent := wanted - found.keys():
        found |= dict(Organisation.objects.filter(handle__in=absent).values_list("handle", "name"))
    return {name: found.get(name, name) for name in wanted}


def met_today(party: str) -> set[str]:
    """Return whom the lots name that a party owns now: who supplied them, and with whom they lie."""
    own = custody.CustodyLot.objects.filter(owner=party, ended_by=None).order_by().values_list("supplier", "custodian")
    return {name for pair in own.distinct() for name in pair} - {"", party}


def points_of(
    stock: Sequence[StockView], changes: Sequence[StockChange], until: date
) -> dict[Key, list[tuple[date, int]]]:
    """Return an owner's stock day by day, from the stock now and all changes back to the first day to be shown.

    For each key: day and stock from that day on, thousandths of a bushel, up to the day ``until``; the first point is
    the stock before the first change, on its day.
    """
    now: Counter[Key] = Counter()
    for row in stock:
        now[row.key] += row.bushels
    by_key: dict[Key, list[StockChange]] = defaultdict(list)
    for change in changes:
        by_key[change.key].append(change)
    found = {}
    for key in sorted({*now, *by_key}):
        total = now[key] - sum(change.bushels for change in by_key[key])
        points = [(date.min, total)] if total else []
        for change in by_key[key]:
            total += change.bushels
            if change.day <= until:
                points.append((change.day, total))
        found[key] = points
    return {key: points for key, points in found.items() if points}


@dataclass(frozen=True, slots=True)
class GrainBook:
    """The grain book of one site and form: how many entries, and a mark that moves with every change."""

    group: str  # what its entries are listed by
    site: str  # which site
    form: str  # crop or product
    entries: int  # how many
    mark: int  # the last event that stated one


def grain_books(entity: Entity) -> list[GrainBook]:
    wanted = {grain_group(entity.id, site, form): (site, form) for site in entity.sites for form in FORMS}
    rows = (
        custody.CustodyGrainEntry.objects.filter(group__in=wanted)
        .order_by("group")
        .values_list("group")
        .annotate(entries=Count("id"), mark=Max("stated_by_id"))
    )
    return [GrainBook(group, *wanted[group], entries, mark) for group, entries, mark in rows]


def grain_page(group: str, *, before: int = 0, size: int = 50) -> list[tuple[int, GrainEntry]]:
    """Return entries of a grain book with their places, the last entered first, entered before a place."""
    rows = custody.CustodyGrainEntry.objects.filter(group=group)
    if before:
        rows = rows.filter(id__lt=before)
    found = rows.order_by("-id").values_list("id", *GRAIN.columns)[:size]
    return [(place, GRAIN.read(tuple(row))) for place, *row in found]


def reports_changed(party: str) -> bool:
    """Tell whether a report behind anything that ever passed through a party was amended or withdrawn."""
    query = (
        'SELECT 1 FROM database_custodystanding r WHERE r."key" IN '
        "(SELECT DISTINCT o.name FROM database_custodystep s JOIN database_custodylot l ON l.id = s.lot_id "
        "JOIN database_custodyorigin o ON o.id = l.origin_id WHERE s.party = %s) "
        "AND (r.version > 1 OR r.standing = 'withdrawn') LIMIT 1"
    )
    return bool(_query_rows(query, party))


# The movements of one party, newest first, page by page: a page stays quick however long the book is.
#
# A party's steps lie by day and lot. Movements written at once may have their lots numbered in alternation
# (PostgreSQL), so a movement may reach over the edge of a page: it stands whole on the page of its newest lot and on no
# other.


@view
class Movement:
    """A movement of the organization."""

    event: str = field("Entry")
    type: str = field("Movement")
    day: date = field("Day")
    giver: str = field("From")
    taker: str = field("To", help="Empty, as the giver is, of what an owner did with its own, such as a loss.")
    form: str = field("What")
    amount: Amount = field("Amount")
    corrected: bool = field("Taken back")
    custodian: str = field(
        "Stored with", help="Of what an owner did with its own, by code; empty otherwise.", default=""
    )
    site: str = field("At", help="At which of that company's sites.", default="")


class Cursor(NamedTuple):
    """A place in a party's list: everything below it is older."""

    day: date
    lot: int


class MovementsPage(NamedTuple):
    """Movements newest first, and the place from which the next page goes on; None at the end."""

    movements: list[Movement]
    older: Cursor | None


_WITHIN: Final = frozenset({"loss", "release", "retire", "move", "process", "yield", "convert", "crush", "true_up"})
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
        """Return whether it is a deed of one party, from nobody to nobody."""
        return self.type in _WITHIN and self.former in (None, self.owner)


class Wanted(NamedTuple):
    """Which movements of a party a list shows: empty takes all."""

    kinds: Collection[str] = ()  # only events of these types
    partners: Collection[str] = ()  # only what came from one of these or went to one, by code

    def has(self, row: Row) -> bool:
        """Tell whether a step is one of a movement that is wanted."""
        if self.kinds and row.type not in self.kinds:
            return False
        return not self.partners or row.giver in self.partners or row.taker in self.partners


_EVERYTHING: Final = Wanted()
SCANNED: Final = 800
"""Steps looked at for one page of movements at most, unless told: it stays quick whatever is looked for."""
CHUNK: Final = 100
"""Steps read at first; whoever looks far reads more at a time, up to ``_CHUNK_AT_MOST``."""
_CHUNK_AT_MOST: Final = 2_000
COLUMNS: Final = (
    "day",
    "lot_id",
    *("lot__opened_by_id", "lot__opened_by__name", "lot__opened_by__type", "lot__by", "lot__parent__owner"),
    *("lot__owner", "lot__supplier", "lot__form", "lot__product", "lot__span_start", "lot__span_stop"),
    *("lot__custodian", "lot__site"),
)


def movements_page(
    party: str,
    *,
    before: Cursor | None = None,
    size: int = 50,
    wanted: Wanted = _EVERYTHING,
    scanned: int | None = None,
) -> MovementsPage:
    """Return the latest movements of a party, newest first, older than a place.

    The rest of a lot that was cut is no movement of its own and is left out. A page of rare kinds may hold fewer than
    ``size`` and still have an older one: it looks at ``scanned`` steps at most, ``SCANNED`` where that is None.
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
    below = _steps(party, older).filter(
        day=older.day, lot__opened_by_id__in=[number for number, movement in found.items() if movement.day == older.day]
    )
    for row in _read(below):
        if not row.rest:
            _add(party, found, row)
    return MovementsPage(_with_corrections(found), older)


def _add(party: str, found: dict[int, Movement], row: Row) -> None:
    known = found.get(row.number)
    amount = (row.product or row.stop - row.start) + (known.amount if known else 0)
    custodian, site = "", ""
    if row.within and party in (row.owner, row.custodian):
        sites = {*(known.site.split(", ") if known else ()), row.site} - {""}
        custodian, site = row.custodian, ", ".join(sorted(sites))
    found[row.number] = Movement(
        event=row.event, type=row.type, day=row.day, giver=row.giver, taker=row.taker, form=row.form, amount=amount,
        corrected=False, custodian=custodian, site=site,
    )  # fmt: skip


def _listed_above(party: str, before: Cursor | None, rows: Sequence[Row]) -> set[int]:
    """Return which movements of the rows stand on a page before, since they have a lot above the place too."""
    if before is None or not (candidates := {row.number for row in rows if row.day == before.day}):
        return set()
    above = custody.CustodyStep.objects.filter(party=party, day=before.day, lot_id__gte=before.lot)
    own = above.filter(lot__opened_by_id__in=candidates, lot__by=F("lot__opened_by__name"))
    return set(own.order_by().values_list("lot__opened_by_id", flat=True))


def _steps(party: str, before: Cursor | None) -> QuerySet[custody.CustodyStep]:
    steps = custody.CustodyStep.objects.filter(party=party)
    if before is not None:
        steps = steps.filter(day__lte=before.day).exclude(day=before.day, lot_id__gte=before.lot)
    return steps.order_by("-day", "-lot_id")


def _read(steps: QuerySet[custody.CustodyStep]) -> list[Row]:
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
        left, chunk = left - len(rows), min(2 * chunk, _CHUNK_AT_MOST)


def _with_corrections(found: Mapping[int, Movement]) -> list[Movement]:
    # Without an order of its own: sorted by number, SQLite would walk through every event.
    numbers = list(found)
    parts = (numbers[at : at + _CHUNK_AT_MOST] for at in range(0, len(numbers), _CHUNK_AT_MOST))
    taken_back = (custody.CustodyEvent.objects.filter(corrects_id__in=part).order_by() for part in parts)
    gone = {one.corrects_id for some in taken_back for one in some.select_related("correction") if _is_effective(one)}
    return [replace(one, corrected=number in gone) for number, one in found.items()]


def _is_effective(correction: custody.CustodyEvent) -> bool:
    """Tell whether a correction is not taken back itself."""
    later = getattr(correction, "correction", None)
    return later is None or not _is_effective(later)


@view
class SoldView:
    """What was sold of a crop or product over the whole book, in ``unit``; what was taken back is not in it."""

    form: str = field("What")
    sales: int = field("Sales")
    sold_amount: Amount = field("Sold")
    back_amount: Amount = field("Sent back", help="Returned or not accepted by the buyer.")
    left_amount: Amount = field("Stays sold")

    @property
    def unit(self) -> str:
        return unit_of(self.form)


_CAME_BACK: Final = ("return", "reject")


def sold_sums(party: str, partners: Collection[str] = ()) -> list[SoldView]:
    """Return what a party sold over the whole book by form, to some partners or all, without what was taken back."""
    lots = custody.CustodyStep.objects.filter(party=party, lot__by=F("lot__opened_by__name")).order_by()
    sent = lots.filter(lot__opened_by__type="sale", lot__parent__owner=party).exclude(lot__owner=party)
    returned = lots.filter(lot__opened_by__type__in=_CAME_BACK, lot__owner=party).exclude(lot__parent__owner=party)
    if partners:
        sent = sent.filter(lot__owner__in=partners)
        returned = returned.filter(lot__parent__owner__in=partners)
    found: dict[str, list[int]] = {}
    for place, steps in ((1, sent), (2, returned)):
        for form, sales, amount in _summed(steps):
            of = found.setdefault(form, [0, 0, 0])
            of[place] = amount
            of[0] = sales if place == 1 else of[0]
    return [
        SoldView(form=form, sales=sales, sold_amount=sold, back_amount=back, left_amount=sold - back)
        for form, (sales, sold, back) in sorted(found.items())
    ]


def _summed(steps: QuerySet[custody.CustodyStep]) -> list[tuple[str, int, int]]:
    """Return how many events and how much of each form; what a correction that stands took back is left out."""
    corrected = steps.filter(lot__opened_by__correction__isnull=False)
    numbers = set(corrected.values_list("lot__opened_by_id", flat=True))
    events = custody.CustodyEvent.objects.filter(corrects_id__in=numbers).order_by().select_related("correction")
    gone = [one.corrects_id for one in events if _is_effective(one)]
    amount = Case(When(lot__product__gt=0, then="lot__product"), default=F("lot__span_stop") - F("lot__span_start"))
    left = steps.exclude(lot__opened_by_id__in=gone).values("lot__form")
    rows = left.annotate(events=Count("lot__opened_by_id", distinct=True), amount=Sum(amount))
    return [(row["lot__form"], row["events"], int(row["amount"])) for row in rows]
