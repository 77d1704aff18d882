"""What pages ask of the custody book: sums and pages of rows, never all events. Each question stays on an index.

The rules of custody live in ``provender.custody``; here rows are only counted, summed and turned over page by page.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from django.db import connections
from django.db.models import Count, Max

from provender.custody.events.pending_purchase import Pending
from provender.custody.events.registry import read_posted
from provender.custody.events.sale import sale_in_transit
from provender.custody.model.amounts import FORMS
from provender.custody.model.balances import Key
from provender.custody.model.entities import Entity
from provender.custody.model.event import Event
from provender.custody.model.grain_book import GrainEntry, grain_group
from provender.custody.model.lots import STOCK, Lot, LotState
from provender.custody.model.origins import Slip
from provender.custody.model.store_view import StoreView
from provender.database.models import (
    CustodyEntity,
    CustodyEvent,
    CustodyGrainEntry,
    CustodyLot,
    CustodyOrigin,
    CustodyStep,
    Organisation,
)
from provender.database.store.custody_rows import lot_of
from provender.database.store.custody_view import LOT
from provender.database.store.records import GRAIN, PENDING, SLIPS

STOCKED: Final = ", ".join(f"'{state}'" for state in sorted(STOCK))
IN_STOCK: Final = f"l.ended_by_id IS NULL AND l.state IN ({STOCKED})"
"""Written out and not handed in: SQLite uses an index over some rows only where it can read which."""


@dataclass(frozen=True, slots=True)
class StockRow:
    """A sum of lots that are alike.

    Attributes:
        key: crop, harvest year and carbon intensity.
        form: crop or product.
        custodian: at whose house.
        site: where.
        state: held or unverified.
        bushels: crop equivalents, thousandths of a bushel.
        amount: in the unit of the form, thousandths.
        lots: how many.
    """

    key: Key
    form: str
    custodian: str
    site: str
    state: LotState
    bushels: int
    amount: int
    lots: int


def stock_of(owner: str) -> list[StockRow]:
    """Return an owner's stock, summed by crop, year, carbon intensity, form, place and state."""
    names = "crop, harvest_year, ci, form, custodian, site, state"
    query = (
        f"SELECT {names}, SUM(l.span_stop - l.span_start), SUM(l.product), COUNT(*) "  # noqa: S608 - our own words
        f"FROM database_custodylot l WHERE {IN_STOCK} AND l.owner = %s "
        f"GROUP BY {names} ORDER BY {names}"
    )
    return [
        StockRow(
            Key(crop, year, ci), form, custodian, site, LotState(state), int(bushels), int(pounds) or int(bushels), lots
        )
        for crop, year, ci, form, custodian, site, state, bushels, pounds, lots in _rows(query, owner)
    ]


def _rows(query: str, *given: str | int) -> list[tuple[Any, ...]]:
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
        for day, crop, year, ci, change in _rows(query, *given, *given)
        if change
    ]


def steps_watermark(party: str) -> int:
    """Return how many steps a party has: it grows with every movement that touches the party, and never shrinks."""
    return CustodyStep.objects.filter(party=party).count()


def lots_page(
    owner: str, *, after: int = 0, size: int = 50, where: Mapping[str, str | int] | None = None
) -> list[tuple[int, Lot]]:
    """Return current lots in an owner's stock after a place in the list, with their places.

    Args:
        owner: whose.
        after: the place of the last lot of the page before.
        size: how many at most.
        where: columns of the lot among ``CHOOSABLE`` and the values they must have.

    Raises:
        ValueError: another column.
    """
    chosen = dict(where or {})
    if unknown := set(chosen) - CHOOSABLE:
        raise ValueError(f"lots are not chosen by {', '.join(sorted(unknown))}")
    more = "".join(f" AND l.{name} = %s" for name in chosen)
    ids = (
        f"SELECT l.id FROM database_custodylot l WHERE {IN_STOCK} AND l.owner = %s AND l.id > %s{more} "  # noqa: S608
        "ORDER BY l.id LIMIT %s"
    )
    return _lots(number for (number,) in _rows(ids, owner, after, *chosen.values(), size))


def lots_within(owner: str, origin: str, start: int, stop: int) -> list[Lot]:
    """Return the current lots of an owner that some serials of an origin touch; none of an origin unknown."""
    known = CustodyOrigin.objects.filter(name=origin).first()
    if known is None:
        return []
    where = {"span_start__lt": known.base + stop, "span_stop__gt": known.base + start}
    own = CustodyLot.objects.filter(owner=owner, ended_by=None, origin=known, **where).order_by("span_start")
    return [lot for _, lot in _lots(own.values_list("id", flat=True))]


CHOOSABLE: Final = frozenset({"crop", "form", "site", "state", "harvest_year", "ci", "custodian"})


def in_transit_to(owner: str, size: int = 200) -> list[Lot]:
    """Return lots on the way to an owner, the first sent first."""
    ids = (
        f"SELECT l.id FROM database_custodylot l WHERE l.ended_by_id IS NULL "  # noqa: S608 - our own words
        f"AND l.state = '{LotState.IN_TRANSIT}' AND l.owner = %s ORDER BY l.id LIMIT %s"
    )
    return [lot for _, lot in _lots(number for (number,) in _rows(ids, owner, size))]


def sales_behind(facts: StoreView, lots: Iterable[Lot]) -> dict[str, str]:
    """Return, for each movement that put lots in transit, the sale or document that has them on their way."""
    names = {lot.by for lot in lots}
    corrections = CustodyEvent.objects.filter(name__in=names, corrects__isnull=False)
    again = set(corrections.values_list("name", flat=True))
    return {name: sale_in_transit(facts, name) if name in again else name for name in names}


def _lots(ids: Iterable[int]) -> list[tuple[int, Lot]]:
    wanted = sorted(ids)
    if not wanted:
        return []
    marks = ", ".join(["%s"] * len(wanted))
    rows = _rows(f"{LOT} WHERE l.id IN ({marks}) ORDER BY l.id", *wanted)
    return list(zip(wanted, map(lot_of, rows), strict=True))


def lot_named(name: str) -> Lot | None:
    """Return a lot by its id, ended or not."""
    found = _rows(f"{LOT} WHERE l.name = %s", name)
    return lot_of(found[0]) if found else None


def origins_owned(owner: str, start: str) -> list[str]:
    """Return the origins whose names begin so and of which a party has or had title to serials."""
    rows = CustodyLot.objects.filter(owner=owner, origin__name__startswith=start).order_by()
    return sorted(rows.values_list("origin__name", flat=True).distinct())


def origins_stored(custodian: str) -> list[str]:
    """Return the origins of others' serials that lie in a house today."""
    query = (
        f"SELECT DISTINCT o.name FROM database_custodylot l JOIN database_custodyorigin o ON o.id = l.origin_id "  # noqa: S608
        f"WHERE {IN_STOCK} AND l.custodian = %s AND l.owner <> %s ORDER BY o.name"
    )
    return [name for (name,) in _rows(query, custodian, custodian)]


OPEN_SLIPS: Final = " AND open_bushels > 0"
OPEN_PENDING: Final = ' AND "left" > 0'


def open_slips(taker: str, size: int = 200) -> list[Slip]:
    """Return slips to a buyer whose serials it has not bought yet, the oldest first."""
    question = SLIPS.where("taker", (taker,), OPEN_SLIPS)
    return [SLIPS.read(row) for row in _rows(f"{question.sql} LIMIT %s", *question.parameters, size)]


def open_pending(taker: str, size: int = 200) -> list[Pending]:
    """Return a buyer's purchases that still wait for a report, the oldest first."""
    question = PENDING.where("taker", (taker,), OPEN_PENDING)
    return [PENDING.read(row) for row in _rows(f"{question.sql} LIMIT %s", *question.parameters, size)]


def entered_lately(kind: str, start: str, size: int = 20) -> list[Event]:
    """Return the last entries of a type whose ids begin so, the newest first."""
    named = CustodyEvent.objects.filter(type=kind, name__gte=start, name__lt=f"{start[:-1]}{chr(ord(start[-1]) + 1)}")
    texts = named.order_by("-id").values_list("text", flat=True)[:size]
    return [read_posted(json.loads(text)) for text in texts]


def names_of(parties: Iterable[str]) -> dict[str, str]:
    """Return the names of parties by id: as the book has it, else as it is registered here; unknown, by its id."""
    wanted = set(parties) - {""}
    found = dict(CustodyEntity.objects.filter(key__in=wanted).values_list("key", "name"))
    if absent := wanted - found.keys():
        found |= dict(Organisation.objects.filter(handle__in=absent).values_list("handle", "name"))
    return {name: found.get(name, name) for name in wanted}


def met_today(party: str) -> set[str]:
    """Return whom the lots name that a party owns now: who supplied them, and in whose house they lie."""
    own = CustodyLot.objects.filter(owner=party, ended_by=None).order_by().values_list("supplier", "custodian")
    return {name for pair in own.distinct() for name in pair} - {"", party}


def points_of(
    stock: Sequence[StockRow], changes: Sequence[StockChange], until: date
) -> dict[Key, list[tuple[date, int]]]:
    """Return an owner's stock day by day, from the stock now and the changes back to a day.

    Args:
        stock: what is there now.
        changes: all changes since the first day to be shown, by day.
        until: nothing after this day is shown.

    Returns:
        For each key: day and stock from that day on, thousandths of a bushel; the first point is the stock before
        the first change, on its day.
    """
    now: dict[Key, int] = defaultdict(int)
    for row in stock:
        now[row.key] += row.bushels
    by_key: dict[Key, list[StockChange]] = defaultdict(list)
    for change in changes:
        by_key[change.key].append(change)
    found = {}
    for key in sorted({*now, *by_key}):
        total = now[key] - sum(change.bushels for change in by_key[key])
        points = []
        for change in by_key[key]:
            total += change.bushels
            if change.day <= until:
                points.append((change.day, total))
        before = now[key] - sum(change.bushels for change in by_key[key])
        found[key] = [(date.min, before), *points] if before else points
    return {key: points for key, points in found.items() if points}


@dataclass(frozen=True, slots=True)
class GrainBook:
    """The grain book of one site and form: how many entries, and a mark that moves with every change.

    Attributes:
        group: what its entries are listed by.
        site: which site.
        form: crop or product.
        entries: how many.
        mark: the last event that stated one.
    """

    group: str
    site: str
    form: str
    entries: int
    mark: int


def grain_books(entity: Entity) -> list[GrainBook]:
    """Return the grain books that an entity has entries in."""
    wanted = {grain_group(entity.id, site, form): (site, form) for site in entity.sites for form in FORMS}
    rows = (
        CustodyGrainEntry.objects.filter(group__in=wanted)
        .order_by("group")
        .values_list("group")
        .annotate(entries=Count("id"), mark=Max("stated_by_id"))
    )
    return [GrainBook(group, *wanted[group], entries, mark) for group, entries, mark in rows]


def grain_page(group: str, *, before: int = 0, size: int = 50) -> list[tuple[int, GrainEntry]]:
    """Return entries of a grain book with their places, the last entered first, entered before a place."""
    rows = CustodyGrainEntry.objects.filter(group=group)
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
    return bool(_rows(query, party))
