"""The day of a party on one sheet: what came in and went out, what lies where, and whether the claims have grain.

Grain is what tickets and measurements say, claims are what the lots say. The light holds one against the other at each
site, as the close will (2100.034(c), interpretation 37), so that a shortfall is seen on its day.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from provender.custody.events.closing import claims_at, claims_by_place
from provender.custody.events.grain import OUT_OF
from provender.custody.model import lots
from provender.custody.model.balances import Balance, Place, balance_between
from provender.custody.model.entities import Entity
from provender.custody.model.grain import Direction, GrainEntry, grain_group, grain_on, stock_on, tickets_behind
from provender.custody.model.store_view import CustodyStep, StoreView
from provender.custody.queries.manual import table_lines
from provender.exact import CI_SCALE, show
from provender.problem import counted

# What the differences of a day sheet are made of, as far as the records tell (2100.034(c), interpretation 37).
#
# Grain is what tickets and measurements say. Entries that moved crop without a ticket, tickets out behind which no
# claim left, and what neither explains: each is said, so that whoever looks for a difference knows where to begin.

_GONE: Final = frozenset({*lots.LIVE, lots.LotState.LOST})
"""How a lot may have left a place with its grain; where only the claim ended, the grain still lies there."""
_UNEXPLAINED: Final = "a load whose ticket was not entered, shrink, or a figure typed wrongly"


class Why(StrEnum):
    """Which difference it is."""

    MEASURED = "measured"
    """What was measured is not what the tickets say."""
    SHORT = "short"
    """The claims are more than the grain."""
    NO_GRAIN_BOOK = "no grain book"
    """There are claims, and nobody entered any grain."""
    DAY = "day"
    """None; but entries and tickets of the day stand without each other."""


class EntryWithoutTicket(NamedTuple):
    """An entry that moved crop to or from a place without a ticket; ``amount`` in thousandths of the form's unit.

    ``party`` is with whom, by code; empty for an entry about nobody else.
    """

    movement: str
    type: str
    day: date
    came: bool
    amount: int
    party: str = ""


class UnmatchedTickets(NamedTuple):
    """Tickets behind no entry: how many, and thousandths of the form's unit."""

    tickets: int
    amount: int


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference at a place, and what it is made of."""

    place: Place  # custodian, site and form
    why: Why  # which difference
    amount: int  # measured less the book, or claims less grain; 0 for none
    since: date | None  # after this day; None from the first entry on
    until: date  # to the end of this day
    came: int  # on tickets in, in these days
    went: int  # on tickets out
    untold: tuple[EntryWithoutTicket, ...]  # entries of these days without a ticket
    alone_in: UnmatchedTickets  # tickets in behind no entry
    alone_out: UnmatchedTickets  # tickets out behind no entry

    @property
    def told(self) -> int:
        """Return by how much the tickets that are missing would raise the grain."""
        return sum(one.amount if one.came else -one.amount for one in self.untold)

    @property
    def rest(self) -> int:
        """Return what would be left of the difference with those tickets."""
        return self.amount - self.told

    @property
    def missing(self) -> set[str]:
        """Return the kinds of ticket, by the event that enters one, that may be missing."""
        found = {"receipt" if one.came else "shipment" for one in self.untold}
        if self.amount:
            found.add("shipment" if self.why is Why.MEASURED and self.amount < 0 else "receipt")
        return found


class Asked(NamedTuple):
    """A difference that is to be looked into."""

    place: Place
    why: Why
    amount: int
    since: date | None
    until: date


def differences(
    store: StoreView, entity: str, asked: Sequence[Asked], entries: Mapping[Place, Sequence[GrainEntry]]
) -> list[Difference]:
    """Return what differences are made of; of a day without one only if something stands without the other."""
    if not asked:
        return []
    starts = [one.since for one in asked]
    known = [each for each in starts if each is not None]
    start = min(known) + timedelta(days=1) if len(known) == len(starts) else None
    steps = [step for step in store.steps(entity, start) if _is_own(store, step, entity)]
    # Grain that came to another site of the party left this one with no claim of anybody.
    moved = {one.source for of in entries.values() for one in of if one.source and not one.void}
    found = [_difference(store, one, entries.get(one.place, ()), steps, moved) for one in asked]
    return [one for one in found if one.amount or one.untold or one.alone_in.tickets or one.alone_out.tickets]


def _is_own(store: StoreView, step: CustodyStep, entity: str) -> bool:
    """Tell whether an entry that stands is the entity's to know: what others do with their own lots here is not."""
    posted = store.posted(step.movement)
    if posted is None or posted.corrected_by or step.type == "correct":
        return False
    owners = {step.after.owner, step.before.owner if step.before else ""}
    return entity in owners or entity in posted.event.parties()


def _difference(
    store: StoreView, asked: Asked, entries: Sequence[GrainEntry], steps: Sequence[CustodyStep], moved: Collection[str]
) -> Difference:
    tickets = [one for one in entries if not one.void and _within(asked, one.day)]
    came = [one for one in tickets if one.direction is Direction.IN]
    went = [one for one in tickets if one.direction is Direction.OUT]
    untold: dict[tuple[str, bool], EntryWithoutTicket] = {}
    for one in _entries_without_ticket(asked, steps):
        key = (one.movement, one.came)
        if store.posted(f"{one.movement}{OUT_OF}") is not None:
            continue  # a move of the grain itself was entered with it
        before = untold.get(key)
        party = before.party if before else _other(store, one.movement, asked.place[0])
        untold[key] = one._replace(amount=one.amount + (before.amount if before else 0), party=party)
    # What its tickets say, be they of another place.
    told = {
        name: sum(one.amount for one in tickets_behind(store, name) if not one.void and one.claim == name)
        for name, _ in untold
    }
    lacking = ((one, one.amount - told[one.movement]) for one in untold.values())
    return Difference(
        *asked,
        came=sum(one.amount for one in came),
        went=sum(one.amount for one in went),
        untold=tuple(one._replace(amount=left) for one, left in lacking if left > 0),
        alone_in=_unmatched_tickets(one for one in came if not one.source),
        alone_out=_unmatched_tickets(one for one in went if one.key not in moved),
    )


def _within(asked: Asked, day: date) -> bool:
    return (asked.since is None or asked.since < day) and day <= asked.until


def _unmatched_tickets(tickets: Iterable[GrainEntry]) -> UnmatchedTickets:
    amounts = [one.amount for one in tickets if not one.claim]
    return UnmatchedTickets(len(amounts), sum(amounts))


def _other(store: StoreView, movement: str, party: str) -> str:
    """Return with whom an entry was, as giver or taker."""
    posted = store.posted(movement)
    hands = [str(getattr(posted.event, name, "")) for name in ("giver", "taker")] if posted else []
    return next((one for one in hands if one not in ("", party)), "")


def _entries_without_ticket(asked: Asked, steps: Sequence[CustodyStep]) -> Iterator[EntryWithoutTicket]:
    """Yield what came to a place or left it, piece by piece."""
    for step in steps:
        if not _within(asked, step.day):
            continue
        was, is_now = _is_in_stock_at(step.before, asked.place), _is_in_stock_at(step.after, asked.place)
        form, after = asked.place[2], step.after
        amount = after.stop - after.start if lots.unit_of(form) == "bu" else after.product
        if is_now and not was:
            yield EntryWithoutTicket(step.movement, step.type, step.day, came=True, amount=amount)
        elif was and not is_now and after.state in _GONE:
            yield EntryWithoutTicket(step.movement, step.type, step.day, came=False, amount=amount)


def _is_in_stock_at(lot: lots.Lot | None, place: Place) -> bool:
    return lot is not None and lot.state in lots.STOCK and (lot.custodian, lot.site, lot.form) == place


def said(one: Difference, write: Callable[[int, str], str] = lots.show_amount) -> list[str]:
    """Return a difference and what it is made of, in whole sentences; ``write`` writes an amount with its unit."""
    unit = lots.unit_of(one.place[2])
    return list(_difference_sentences(one, lambda amount: write(abs(amount), unit)))


def _difference_sentences(one: Difference, write: Callable[[int], str]) -> Iterator[str]:
    yield from _what(one, write)
    for came, way in ((True, "brought {} here"), (False, "took {} away")):
        amounts = [each.amount for each in one.untold if each.came is came]
        if amounts:
            many = "1 entry" if len(amounts) == 1 else f"{len(amounts)} entries"
            yield f"{many} {way.format(write(sum(amounts)))} without a ticket."
    yield from _remainder_sentence(one, write)
    if one.alone_out.tickets:
        alone = f"{counted(one.alone_out.tickets, 'ticket')} out, {write(one.alone_out.amount)}"
        yield f"Behind no sale: {alone}. That grain left, and no claim with it."
    if one.alone_in.tickets and one.why is Why.DAY:
        alone = f"{counted(one.alone_in.tickets, 'ticket')} in, {write(one.alone_in.amount)}"
        yield f"Behind no purchase: {alone}. It is grain without claims, or its purchase is still to be entered."


def _what(one: Difference, write: Callable[[int], str]) -> Iterator[str]:
    amount = write(one.amount)
    if one.why is Why.MEASURED:
        days = f"after the measurement of {one.since}" if one.since else "from the first one on"
        yield f"What was measured on {one.until} is {amount} {_way(one.amount)} than the tickets say."
        yield f"Tickets {days} brought {write(one.came)} and took {write(one.went)}."
    elif one.why is Why.SHORT:
        yield f"The claims are {amount} more than the grain."
    elif one.why is Why.NO_GRAIN_BOOK:
        yield f"There are claims on {amount}, and no ticket and no measurement was entered."


def _remainder_sentence(one: Difference, write: Callable[[int], str]) -> Iterator[str]:
    """Say what is left of a difference once the tickets that are missing are entered."""
    if not one.amount:
        return
    if not one.untold:
        yield f"No entry lacks its ticket. Look for {_UNEXPLAINED}."
    elif not one.rest:
        yield "With their tickets nothing is left of the difference."
    elif one.why is Why.MEASURED:
        left = f"{write(one.rest)} {_way(one.rest)}"
        yield f"With their tickets {left} would be left that no entry explains. Look for {_UNEXPLAINED}."
    elif one.rest > 0:
        yield f"With their tickets the claims would still be {write(one.rest)} more. Look for {_UNEXPLAINED}."
    else:
        yield "With their tickets the grain would be enough."


def _way(amount: int) -> str:
    return "more" if amount > 0 else "less"


def _difference_document(one: Difference) -> dict[str, object]:
    return {
        "site": one.place[1], "form": one.place[2], "unit": lots.unit_of(one.place[2]), "why": str(one.why),
        "amount": show(one.amount), "after": one.since.isoformat() if one.since else None,
        "until": one.until.isoformat(), "in_amount": show(one.came), "out_amount": show(one.went),
        "without_ticket": [
            {
                "entry": each.movement, "type": each.type, "day": each.day.isoformat(),
                "direction": str(Direction.IN if each.came else Direction.OUT), "amount": show(each.amount),
                "party": each.party,
            }
            for each in one.untold
        ],
        "tickets_in_alone": one.alone_in.tickets, "in_alone_amount": show(one.alone_in.amount),
        "tickets_out_alone": one.alone_out.tickets, "out_alone_amount": show(one.alone_out.amount),
        "left_amount": show(one.rest), "said": " ".join(said(one)),
    }  # fmt: skip


# Carbon intensity in five bands against the national default: by which stock, periods, sales and days are told.

Defaults = Mapping[tuple[str, int], int]
"""National defaults by crop and harvest year, hundredths of a gram per bushel."""
NONE_KNOWN: Final[Defaults] = MappingProxyType({})
_STEP: Final = 1_000 * 10**CI_SCALE
"""Width of a band where nobody knows the national default, hundredths of a gram per bushel."""


class Band(StrEnum):
    """How far below the national default a carbon intensity lies, the farthest first."""

    THIRTY = "30 % and more below"
    TWENTY = "20 to 30 % below"
    TEN = "10 to 20 % below"
    LESS = "under 10 % below"
    DEFAULT = "at the default"


_FROM: Final = ((30, Band.THIRTY), (20, Band.TWENTY), (10, Band.TEN))


def band_of(ci: int, default: int) -> Band:
    """Return the band of a carbon intensity.

    Both are hundredths of a gram per bushel; the national default of the crop is above zero.
    """
    below = (default - ci) * 100
    found = next((band for percent, band in _FROM if below >= percent * default), None)
    return found or (Band.LESS if below > 0 else Band.DEFAULT)


class Reach(NamedTuple):
    """The carbon intensities of one band, hundredths of a gram per bushel."""

    low: int | None  # the lowest; None where there is none
    high: int | None  # the first above it; None where there is none
    band: str = ""  # in words; empty where nobody knows the national default


def reach_of(ci: int, default: int | None) -> Reach:
    """Return the band in which a carbon intensity lies: of the five, or of one width where no default is known."""
    if not default:
        low = ci // _STEP * _STEP
        return Reach(low, low + _STEP)
    band = band_of(ci, default)
    first = {one: default * (100 - percent) // 100 + 1 for percent, one in _FROM}
    borders = (None, *first.values(), default, None)
    place = list(Band).index(band)
    return Reach(borders[place], borders[place + 1], str(band))


_LAST: Final = 10**12
"""Above every carbon intensity: where the last band ends."""


class Light(StrEnum):
    """Whether the grain at a site is enough for the claims on it."""

    COVERED = "covered"
    SHORT = "short"
    """The close would release claims, or refuse."""
    NO_GRAIN_BOOK = "no grain book"
    """No ticket and no measurement was entered: the close will refuse."""


@dataclass(frozen=True, slots=True)
class PlaceToday:
    """One site and form at the end of the day, in thousandths of the form's unit."""

    place: Place  # custodian, site and form
    came: int  # on tickets in, of the day
    went: int  # on tickets out, of the day
    # in stock by tickets and measurements; None without any, and with another party, whose grain is its own
    grain: int | None
    claims: int  # of whoever has some there; with another party only the entity's
    measured: date | None  # the last measurement by the day, None without one
    off: int  # by how much that was above what the book said then
    light: Light  # whether the grain is enough for all claims there, as the close will ask


@dataclass(frozen=True, slots=True)
class DaySheet:
    """A day of a party."""

    entity: Entity  # whose
    day: date  # which
    tickets: tuple[GrainEntry, ...]  # of the day, as they were entered
    places: tuple[PlaceToday, ...]  # every site and form with grain or claims
    claims: Balance  # the equations of the day
    defaults: Defaults = field(default_factory=dict)  # national defaults, as far as they are known here
    differences: tuple[Difference, ...] = ()  # what the differences at its own sites are made of

    def bands(self) -> dict[tuple[str, int, Reach], tuple[int, int, int]]:
        """Return what came, went and is left of claims, thousandths of a bushel, by crop, harvest year and band.

        Each year has a national default of its own, so a band of one is not that of another. The lowest stands first.
        """
        found: dict[tuple[str, int, Reach], tuple[int, int, int]] = {}
        for line in self.claims.lines:
            grown = (line.key.crop, line.key.harvest_year)
            key = (*grown, reach_of(line.key.ci, self.defaults.get(grown)))
            before = found.get(key, (0, 0, 0))
            now = (line.total_incoming, line.total_outgoing, line.ending)
            found[key] = (before[0] + now[0], before[1] + now[1], before[2] + now[2])
        return dict(
            sorted(
                found.items(), key=lambda pair: (*pair[0][:2], _LAST if pair[0][2].high is None else pair[0][2].high)
            )
        )


def day_sheet(store: StoreView, entity: Entity, day: date, defaults: Defaults = NONE_KNOWN) -> DaySheet:
    """Return the day of an entity, as its book has it now; claims are banded by the defaults that are known."""
    entries = {
        (entity.id, site, form): store.many(GrainEntry, grain_group(entity.id, site, form))
        for site in entity.sites
        for form in lots.FORMS
    }
    own = claims_by_place(store, entity.id, day)
    places = [place for place in {**entries, **own} if entries.get(place) or own.get(place)]
    tickets = [one for of in entries.values() for one in of if one.day == day and not one.void]
    today = tuple(_place(store, place, entries.get(place), own.get(place, 0), day) for place in sorted(places))
    asked = [what for one in today if one.place in entries for what in _asked(one, entries[one.place], day)]
    return DaySheet(
        entity,
        day,
        tuple(sorted(tickets, key=lambda one: (one.site, one.direction, one.number))),
        today,
        balance_between(store, entity.id, day, day),
        defaults,
        tuple(differences(store, entity.id, asked, entries)),
    )


def _asked(one: PlaceToday, entries: Sequence[GrainEntry], day: date) -> Iterator[Asked]:
    """Yield what is to be explained at a place: its differences, or else the day."""
    measured = sorted({each.day for each in entries if each.direction is Direction.MEASURED and not each.void})
    if one.measured and one.off:
        before = [each for each in measured if each < one.measured]
        yield Asked(one.place, Why.MEASURED, one.off, before[-1] if before else None, one.measured)
    if one.light is not Light.COVERED:
        why = Why.SHORT if one.light is Light.SHORT else Why.NO_GRAIN_BOOK
        yield Asked(one.place, why, one.claims - (one.grain or 0), one.measured, day)
    elif not one.off:
        yield Asked(one.place, Why.DAY, 0, day - timedelta(days=1), day)


def _place(store: StoreView, place: Place, entries: Sequence[GrainEntry] | None, own: int, day: date) -> PlaceToday:
    """Return a place; of another party's, or a site that is none any more, only the light knows what else is there."""
    claims = max(claims_at(store, place, day), own)
    if entries is None:
        return PlaceToday(place, 0, 0, None, own, None, 0, _light(grain_on(store, place, day), claims))
    known = [one for one in entries if not one.void and one.day <= day]
    measured = [one for one in known if one.direction is Direction.MEASURED]
    last = max(reversed(measured), key=lambda one: one.day, default=None)
    before = stock_on(entries, last.day, without=last.number) if last else None
    came, went = (
        sum(one.amount for one in known if one.day == day and one.direction is way)
        for way in (Direction.IN, Direction.OUT)
    )
    off = last.amount - before if last and before is not None else 0
    grain = stock_on(entries, day)
    return PlaceToday(place, came, went, grain, claims, last.day if last else None, off, _light(grain, claims))


def _light(grain: int | None, claims: int) -> Light:
    if grain is None:
        return Light.NO_GRAIN_BOOK if claims else Light.COVERED
    return Light.SHORT if claims > grain else Light.COVERED


def sheet_document(sheet: DaySheet) -> dict[str, object]:
    return {
        "entity": sheet.entity.id,
        "day": sheet.day.isoformat(),
        "places": [
            {
                "site": one.place[1] if one.place[0] == sheet.entity.id else f"{one.place[0]} {one.place[1]}".strip(),
                "form": one.place[2], "unit": lots.unit_of(one.place[2]), "in_amount": show(one.came),
                "out_amount": show(one.went), "grain_amount": None if one.grain is None else show(one.grain),
                "claims_amount": show(one.claims), "light": str(one.light),
                "measured": one.measured.isoformat() if one.measured else None, "measured_off_amount": show(one.off),
            }
            for one in sheet.places
        ],
        "tickets": [
            {
                "ticket": one.number, "site": one.site, "form": one.form, "direction": str(one.direction),
                "amount": show(one.amount), "unit": lots.unit_of(one.form), "claim": one.claim, "name": one.name,
            }
            for one in sheet.tickets
        ],
        "claims": [
            {
                "crop": crop, "harvest_year": year, "band": reach.band, "ci_from_g_per_bu": _edge(reach.low),
                "ci_below_g_per_bu": _edge(reach.high), "in_bu": show(came), "out_bu": show(went),
                "ending_bu": show(left),
            }
            for (crop, year, reach), (came, went, left) in sheet.bands().items()
        ],
        "differences": [_difference_document(one) for one in sheet.differences],
    }  # fmt: skip


def band_said(reach: Reach) -> str:
    """Return a band in words, or its borders where nobody knows the national default."""
    borders = (one for one in (reach.low, reach.high) if one is not None)
    return reach.band or " to ".join(show(one, CI_SCALE, group=True) for one in borders)


def _edge(ci: int | None) -> str | None:
    return None if ci is None else show(ci, CI_SCALE)


def sheet_text(sheet: DaySheet) -> str:
    """Return a day as Markdown, as the manual is written, for the same print."""
    return "\n".join(_text(sheet))


def _text(sheet: DaySheet) -> Iterator[str]:
    short = [one for one in sheet.places if one.light is not Light.COVERED]
    yield from (f"# Day sheet of {sheet.entity.name}, {sheet.day}", "")
    if short:
        whole = counted(len(sheet.places), "place")
        yield f"NOT COVERED at {len(short)} of {whole}: the period cannot be closed as it stands."
    else:
        yield "Covered: at every site the grain is enough for the claims on it."
    yield from ("", "## Grain and claims at the end of the day", "")
    stocks = ("In", "Out", "Grain", "Claims")
    yield from table_lines(
        ("Site", "Form", *stocks, "Light"),
        (
            (
                _where(sheet, one), one.place[2],
                *(lots.show_amount(amount, lots.unit_of(one.place[2])) for amount in (one.came, one.went)),
                _grain(sheet, one),
                lots.show_amount(one.claims, lots.unit_of(one.place[2])), str(one.light),
            )
            for one in sheet.places
        ),
        amounts=stocks,
    )  # fmt: skip
    for one in sheet.places:
        if one.measured and one.off:
            above = "above" if one.off > 0 else "below"
            off = lots.show_amount(abs(one.off), lots.unit_of(one.place[2]))
            yield f"- {one.place[1]}, {one.place[2]}: the measurement of {one.measured} was {off} {above} the book."
    yield ""
    if sheet.differences:
        yield from ("## What the differences are made of", "")
        yield from (f"- {one.place[1]}, {one.place[2]}: {' '.join(said(one))}" for one in sheet.differences)
        yield ""
    yield from ("## Claims by carbon intensity, bushels", "")
    yield from table_lines(
        ("Crop", "g CO2e/bu", "In", "Out", "In stock"),
        (
            (f"{crop} {year}", band_said(reach), *(show(one, group=True) for one in of))
            for (crop, year, reach), of in sheet.bands().items()
        ),
        amounts=("In", "Out", "In stock"),
    )
    yield from ("", "## Tickets", "")
    yield from table_lines(
        ("Ticket", "Site", "Form", "", "Amount", "Behind"),
        (
            (one.number, one.site, one.form, str(one.direction), lots.show_amount(one.amount, lots.unit_of(one.form)),
             one.claim or one.name)
            for one in sheet.tickets
        ),
        amounts=("Amount",),
    )  # fmt: skip


def _where(sheet: DaySheet, one: PlaceToday) -> str:
    """Name a place: an own site by its name, another party before its site."""
    return one.place[1] if one.place[0] == sheet.entity.id else " ".join(dict.fromkeys(one.place[:2])).strip()


def _grain(sheet: DaySheet, one: PlaceToday) -> str:
    if one.grain is not None:
        return lots.show_amount(one.grain, lots.unit_of(one.place[2]))
    return "none entered" if one.place[0] == sheet.entity.id else "its own"
