"""The physical book: what came to a site, what left, what was measured, conventional grain too (interpretation 37)."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from enum import StrEnum
from itertools import combinations, groupby
from typing import Final, NamedTuple

from provender.custody.model.balances import Place
from provender.custody.model.entities import Entity, Period, name_in, period_of
from provender.custody.model.event import Record
from provender.custody.model.lots import BUSHEL, FORMS, STOCK, Lot, show_amount, unit_of
from provender.custody.model.store_view import CustodyStep, Decision, StoreView, root_of
from provender.exact import ticket_key
from provender.rule.crops import Crop
from provender.schema import frozen

DESTINATION: Final = "at the destination"
"""In place of a site: the tickets of buyers' scales for grain that a seller's own sites never saw."""


class Direction(StrEnum):
    """What an entry says about the stock of a site."""

    IN = "in"
    OUT = "out"
    MEASURED = "measured"
    """The whole stock at the end of the day, whatever the entries before said."""


@frozen
class GrainEntry(Record, kind="grain", key="entity/site/number", group="entity/site/form"):
    """One ticket, shipment or measurement."""

    entity: str  # whose site
    site: str  # which site
    form: str  # the crop or product
    number: str  # the ticket's number, unique at the site
    day: date  # the day of the scale or the measurement
    direction: Direction  # in, out or measured
    amount: int  # thousandths of a bushel, of a pound for a product
    claim: str = ""  # the purchase or sale it stands behind; empty for conventional grain
    void: bool = False  # taken back
    name: str = ""  # whose grain the ticket says it is, as it is printed; empty when it is not known
    # the key of the entity's own ticket out with which this grain came; empty where it came from others
    source: str = ""

    @property
    def key(self) -> str:
        """Return what it is found by: one load has one entry, however its number is spelled."""
        return grain_key(self.entity, self.site, self.number)


@frozen
class MovementTickets(Record, kind="behind", key="movement"):
    """The tickets behind a movement, by their keys, so that a correction can free them."""

    movement: str
    tickets: tuple[str, ...]


def grain_key(entity: str, site: str, number: str) -> str:
    """Return the key of the entry for a ticket; at the destination the buyer stands before the number."""
    taker, colon, bare = number.partition(":") if site == DESTINATION else ("", "", number)
    return f"{entity}/{site}/{taker}{colon}{ticket_key(bare)}"


def grain_group(entity: str, site: str, form: str) -> str:
    """Return the group under which a site's entries for one form are listed."""
    return f"{entity}/{site}/{form}"


def stock_on(
    entries: Iterable[GrainEntry], day: date, *, without: str = "", before_measuring: bool = False
) -> int | None:
    """Return the stock of a site and form at the end of a day, in thousandths; None where it has no entry up to it.

    The last measurement counts (of one day, the last entered), and what came and left on later days. May be
    negative when shipments were entered without receipts: a finding, not a stock.

    Args:
        entries: those of one site and form, in the order in which their keys were first stated.
        day: which day.
        without: the number of an entry that is left out.
        before_measuring: leave out what was measured on the day itself.
    """
    last, known = None, False
    moved: list[GrainEntry] = []
    for one in entries:
        if one.void or one.day > day or one.number == without:
            continue
        measured = one.direction is Direction.MEASURED
        if measured and before_measuring and one.day == day:
            continue
        known = True
        if not measured:
            moved.append(one)
        elif last is None or last.day <= one.day:
            last = one
    later = (one for one in moved if last is None or last.day < one.day)
    total = sum(one.amount if one.direction is Direction.IN else -one.amount for one in later)
    return total + (last.amount if last else 0) if known else None


# Grain beside claims: what was sold beyond the grain that was in, and which tickets stand behind a trade.

_GONE: Final = frozenset({"sale", "document", "process", "retire"})
"""Movements by which a claim goes on: grain must be behind it."""
_GAVE_BACK: Final = {"return": "giver", "reject": "taker", "settle": "entity"}
BACK: Final = frozenset(_GAVE_BACK)
"""Movements by which it comes back to whoever sold it, by the field that names who gives it back."""


def grain_on(store: StoreView, place: Place, day: date, *, without: str = "") -> int | None:
    """Return the grain of a place at the end of a day, as ``stock_on`` does."""
    return stock_on(store.many(GrainEntry, grain_group(*place)), day, without=without)


def tickets_behind(store: StoreView, movement: str) -> Iterator[GrainEntry]:
    """Yield the tickets that a movement names, whatever became of them since."""
    behind = store.one(MovementTickets, movement)
    found = (store.one(GrainEntry, key) for key in (behind.tickets if behind else ()))
    return (one for one in found if one is not None)


@frozen
class Shortfall:
    """Days of a period on which an entity had sold more claims on a crop than grain had come."""

    crop: str  # of which
    by_day: tuple[tuple[date, int], ...]  # for each day on which claims or grain moved, by how much; nothing below zero
    first: date  # the first day of the shortfall
    worst: int  # the most it came to, thousandths of a bushel
    left: int  # what is left of it at the end; 0 when it is cured
    custodians: tuple[str, ...] = ()  # of others, where some of it lay; none where only own sites are counted
    site: str = ""  # the own site that it is of; empty where it is of all of them

    def on(self, day: date) -> int:
        return next((amount for moved, amount in reversed(self.by_day) if moved <= day), 0)

    def said(self) -> str:
        worst, left = show_amount(self.worst, BUSHEL), show_amount(self.left, BUSHEL)
        if self.custodians:
            where = " and ".join(self.custodians)
            there = f"From {self.first} on claims on {worst} of {self.crop} were sold, from {where} too"
            return (
                f"{there}, beyond the grain that this book knows of. Enter the tickets of the elevator, or the buyer's."
            )
        now = f"{left} of it is still short" if self.left else "the grain has come since"
        where = f" at {self.site}" if self.site else ""
        sold = f"claims on {worst} more {self.crop} were sold or processed{where} than grain received"
        return f"From {self.first} on, {sold}{' there' if where else ''}; {now}."


def shortfalls(store: StoreView, entity: Entity, start: date, end: date) -> list[Shortfall]:
    """Return the daily shortfalls of an entity from a day to another, by crop: of all its sites, and of each by itself.

    A site is told by itself where it lacks more than all of them together: other sites' grain is none of its own
    (interpretations 49, 77).
    """
    steps = [step for step in store.steps(entity.id, start) if step.day <= end]
    found = []
    for crop in map(str, Crop):
        sold = list(_sold(store, entity.id, crop, steps, {entity.id}))
        came = _grain_in(store, entity, crop, start, end) if sold else ()
        found.append(whole := _held_against(crop, sold, came, start))
        for site in entity.sites if sold and len(entity.sites) > 1 else ():
            away = _sold(store, entity.id, crop, steps, {entity.id}, site)
            short = _held_against(crop, away, _came_at(store, (entity.id, site, crop), start, end), start)
            if short and (whole is None or (short.left, short.worst) > (whole.left, whole.worst)):
                found.append(replace(short, site=site))
    return [one for one in found if one is not None]


def shortfalls_to_report(store: StoreView, entity: Entity, start: date, end: date) -> list[Shortfall]:
    """Return what is told of an entity's days: the shortfalls of its own sites, and those elsewhere that are worse."""
    own = shortfalls(store, entity, start, end)
    known = {one.crop: one.worst for one in own}
    return [*own, *(one for one in _elsewhere(store, entity, start, end) if one.worst > known.get(one.crop, 0))]


def _elsewhere(store: StoreView, entity: Entity, start: date, end: date) -> list[Shortfall]:
    """Return the shortfalls of claims that left others' sites too, against the grain of all these places.

    Such claims are held against the grain of their custodian at the close: what is sold before it would never be. The
    book of a party may not know that grain, so this is told and bars nothing.
    """
    steps = [step for step in store.steps(entity.id, start) if step.day <= end]
    found = []
    for crop in map(str, Crop):
        lay = (lot for step in steps for lot in (step.before, step.after) if lot is not None)
        there = {(lot.custodian, lot.site) for lot in lay if lot.owner == entity.id and lot.form == crop}
        custodians = {(custodian, site) for custodian, site in there if custodian != entity.id and site}
        away = {custodian for custodian, _ in custodians}
        if not any(True for _ in _sold(store, entity.id, crop, steps, away)):
            continue
        sold = _sold(store, entity.id, crop, steps, {entity.id, *away})
        came = list(_grain_in(store, entity, crop, start, end))
        for custodian, site in sorted(custodians):
            entries = store.many(GrainEntry, grain_group(custodian, site, crop))
            came += _came_to([one for one in entries if not one.void], frozenset(), start, end)
        short = _held_against(crop, sold, came, start)
        if short is not None:
            found.append(replace(short, custodians=tuple(sorted(away))))
    return found


def _held_against(
    crop: str, sold: Iterable[tuple[date, int]], came: Iterable[tuple[date, int]], start: date
) -> Shortfall | None:
    """Return the shortfall of what was sold against what came, day by day; None without one."""
    moved: dict[date, int] = defaultdict(int)
    for day, amount in sold:
        moved[day] += amount
    for day, amount in came:
        moved[max(day, start)] -= amount
    short, by_day = 0, []
    for day in sorted(moved):
        short += moved[day]
        by_day.append((day, max(short, 0)))
    worst = max((amount for _, amount in by_day), default=0)
    first = next((day for day, amount in by_day if amount), start)
    return Shortfall(crop, tuple(by_day), first, worst, by_day[-1][1]) if worst else None


def _sold(
    store: StoreView, owner: str, crop: str, steps: Iterable[CustodyStep], custodians: Collection[str], site: str = ""
) -> Iterator[tuple[date, int]]:
    """Yield what left an entity's stock with custodians by trade or in a plant, and with a minus what came back."""

    def own(lot: Lot | None) -> bool:
        here = lot is not None and lot.owner == owner and lot.custodian in custodians and site in ("", lot.site)
        return lot is not None and here and lot.form == crop and lot.state in STOCK

    for step in steps:
        was, now = own(step.before), own(step.after)
        if was == now or step.after.by != step.movement:
            continue
        kind = _kind(store, step, owner)
        # What had come back goes on again where its coming back is taken back.
        again = step.type == "correct" and kind in BACK
        if was and (kind in _GONE or again):
            yield step.day, step.after.crop_amount
        elif now and (kind in _GONE or kind in BACK):
            yield step.day, -step.after.crop_amount


def _kind(store: StoreView, step: CustodyStep, owner: str) -> str:
    """Return the type of a movement; of a correction, of what of the owner's it takes back (or takes back anew)."""
    posted = store.posted(step.movement) if step.type == "correct" else None
    if posted is None:
        return step.type
    root = root_of(store, posted).event
    if root.type in BACK:
        return root.type if owner != getattr(root, _GAVE_BACK[root.type]) else ""
    return root.type if owner in (getattr(root, "giver", ""), getattr(root, "entity", "")) else ""


def _grain_in(store: StoreView, entity: Entity, crop: str, start: date, end: date) -> Iterator[tuple[date, int]]:
    """Yield what grain there was at first, what came over the scale, and what a measurement found beyond the book."""
    books = {site: store.many(GrainEntry, grain_group(entity.id, site, crop)) for site in entity.sites}
    out = (one for book in books.values() for one in book if one.direction is Direction.OUT and not one.void)
    sent = {one.key for one in out if one.day >= start}
    for book in books.values():
        yield from _came_to([one for one in book if not one.void], sent, start, end)
    for one in store.many(GrainEntry, grain_group(entity.id, DESTINATION, crop)):
        if not one.void and start <= one.day <= end:
            yield one.day, one.amount


def _came_at(store: StoreView, place: Place, start: date, end: date) -> Iterator[tuple[date, int]]:
    """Yield the same of one site, with what came from own sites and what its sales sent straight to their buyers."""
    entity, site, crop = place
    yield from _came_to(
        [one for one in store.many(GrainEntry, grain_group(*place)) if not one.void], frozenset(), start, end
    )
    for one in store.many(GrainEntry, grain_group(entity, DESTINATION, crop)):
        if not one.void and start <= one.day <= end:
            from_here = (lot for lot in store.parents(one.claim) if (lot.custodian, lot.site) == (entity, site))
            if any(True for _ in from_here):
                yield one.day, one.amount


def _came_to(
    entries: Sequence[GrainEntry], sent: Collection[str], start: date, end: date
) -> Iterator[tuple[date, int]]:
    """Yield the same of one site; what came with tickets ``sent`` from an own site stood in the grain of that one."""
    stock = max(stock_on(entries, start - timedelta(days=1)) or 0, 0)
    yield start, stock
    inside = sorted((one for one in entries if start <= one.day <= end), key=lambda one: one.day)
    for day, group in groupby(inside, key=lambda one: one.day):
        of_day = list(group)
        into = sum(one.amount for one in of_day if one.direction is Direction.IN)
        came = into - sum(one.amount for one in of_day if one.source in sent)
        stock += into - sum(one.amount for one in of_day if one.direction is Direction.OUT)
        measured = [one.amount for one in of_day if one.direction is Direction.MEASURED]
        if measured:
            came, stock = came + max(0, measured[-1] - stock), measured[-1]
        yield day, came


def append_shortfall_warning(store: StoreView, giver: str, crop: str, day: date, outcome: Decision) -> Decision:
    """Return the answer to a sale with the shortfall of its day, where there is one (interpretation 77)."""
    entity = store.one(Entity, giver)
    period = period_of(store.many(Period, giver), day)
    if entity is None or period is None or not outcome.status.well:
        return outcome
    amounts = (one.on(day) for one in shortfalls(store, entity, period.start, day) if one.crop == crop)
    short = max(amounts, default=0)
    if not short:
        return outcome
    shown = show_amount(short, unit_of(crop))
    said = f"You sold {shown} more claims than grain received: the period cannot be closed until the grain is entered."
    return replace(outcome, message=f"{outcome.message} {said}", details=(*outcome.details, ("daily_shortfall", shown)))


# Names on scale tickets: whether a ticket stands behind the claims of the one it names (2100.031(b)).

_COMMON: Final = frozenset({
    "a", "and", "bros", "brothers", "co", "company", "corp", "corporation", "estate", "family", "farm", "farming",
    "farms", "grain", "inc", "land", "llc", "llp", "lp", "ltd", "of", "partners", "partnership", "ranch", "sons", "the",
    "trust",
})  # fmt: skip
"""Words that half of all farms have in their names: they make nobody alike."""


_FIELD: Final = re.compile(r" ?\(field [^()]*\)")


def name_with_field(owner: str, field: str) -> str:
    """Return whose grain a ticket says it is, with the field that it names."""
    said = " ".join(field.translate({ord("("): "[", ord(")"): "]"}).split())
    return f"{owner} (field {said})".strip() if said else owner


def owners_on(name: str) -> str:
    """Return the name on a ticket without the fields that stand beside it: a field is nobody."""
    return _FIELD.sub("", name).strip(", ")


def plain_name(name: str) -> str:
    """Return a name for comparing: case, accents, signs and runs of blanks do not count."""
    folded = unicodedata.normalize("NFKD", name).casefold()
    return " ".join("".join(one if one.isalnum() else " " for one in folded if not unicodedata.combining(one)).split())


def alike(printed: str, name: str) -> bool:
    """Tell whether two names may mean the same: a word in common that not every farm has.

    Names that have only such common words must be equal.
    """
    one, other = set(plain_name(printed).split()), set(plain_name(name).split())
    if one <= _COMMON or other <= _COMMON:
        return one == other
    return bool((one & other) - _COMMON)


def may_be_of(one: GrainEntry, parties: Sequence[Entity]) -> bool:
    """Tell whether a ticket may be of grain of one of these parties, by the name on it; without a name it may."""
    owners = owners_on(one.name)
    return not owners or any(alike(owners, known) for party in parties for known in (party.name, party.id))


class Load(NamedTuple):
    """A ticket in of a party's own scale."""

    entity: str
    site: str
    number: str
    day: date
    form: str
    amount: int
    name: str  # whose grain it is, as far as the ticket or the claim it stands behind says
    claim: str

    @property
    def place(self) -> str:
        """Return where it was weighed, for people."""
        return f"{self.site} of {self.entity}"


def loads_of(store: StoreView, entity: Entity, *, alone: bool = False) -> Iterator[Load]:
    """Yield the tickets in of a party that came from others and stand.

    Of one looked at ``alone`` the claim is asked whose grain it is only where two of its tickets may be one load: in a
    database each claim is a message.
    """
    taken = [one for site in entity.sites for form in FORMS
             for one in store.many(GrainEntry, grain_group(entity.id, site, form))
             if one.direction is Direction.IN and not one.void and not one.source]  # fmt: skip
    count = Counter(map(_load_key, taken))
    for one in taken:
        is_asked = one.claim and not one.name and not (alone and count[_load_key(one)] == 1)
        claim = store.posted(one.claim) if is_asked else None
        name = name_in(store, getattr(claim.event, "giver", "")) if claim else owners_on(one.name)
        yield Load(entity.id, one.site, one.number, one.day, one.form, one.amount, name, one.claim)


def _load_key(one: GrainEntry | Load) -> tuple[str, date, str, int]:
    return ticket_key(one.number), one.day, one.form, one.amount


def loads_twice(loads: Iterable[Load]) -> Iterator[tuple[Load, Load]]:
    """Yield pairs of tickets of two places that are one load by number, day, crop, amount and owner.

    Each scale begins its numbers anew: at the scales of two parties both must name the owner.
    """
    groups: dict[tuple[str, date, str, int], list[Load]] = defaultdict(list)
    for one in loads:
        groups[_load_key(one)].append(one)
    for same in groups.values():
        for one, other in combinations(same, 2) if len(same) > 1 else ():
            named = one.name and other.name
            may_be = alike(one.name, other.name) if named else one.entity == other.entity
            if one.place != other.place and may_be:
                yield one, other


def differing_names(store: StoreView, entity: Entity) -> Iterator[tuple[GrainEntry, Entity]]:
    """Yield tickets that stand behind a claim of somebody they do not name, with that party.

    A ticket split over several owners names them all; one of them is enough. A ticket without a name tells nothing.
    One out may be in the name of the seller, whose grain it was, or of the buyer.
    """
    for site in entity.sites:
        for form in FORMS:
            for one in store.many(GrainEntry, grain_group(entity.id, site, form)):
                if one.claim and one.name and not one.void and one.direction is not Direction.MEASURED:
                    came = one.direction is Direction.IN
                    claim = store.posted(one.claim)
                    hand = getattr(claim.event, "giver" if came else "taker", "") if claim else ""
                    other = store.one(Entity, hand)
                    if other and not may_be_of(one, [other] if came else [other, entity]):
                        yield one, other
