"""The day of a house on one sheet: what came in and went out, what lies where, and whether the claims have grain.

Grain is what tickets and measurements say, claims are what the lots say. The light holds one against the other at each
site, as the close will (2100.034(c), interpretation 37), so that a shortfall is seen on its day.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

from provender.custody.events.period import claims_at, claims_by_place
from provender.custody.model.amounts import FORMS, counted, show_amount, unit_of
from provender.custody.model.balances import Balance, Place, balance_between
from provender.custody.model.entities import Entity
from provender.custody.model.grain_book import Direction, GrainEntry, grain_group
from provender.custody.model.grain_stock import GrainStock
from provender.custody.model.store_view import StoreView
from provender.custody.queries.bands import NONE_KNOWN, Defaults, Reach, reach_of
from provender.custody.queries.day_differences import Asked, Difference, Why, difference_document, differences, said
from provender.custody.queries.markdown import table_lines
from provender.quantity import CI_SCALE, show

LAST: Final = 10**12
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
    """One site and form at the end of the day, in thousandths of the form's unit.

    Attributes:
        place: custodian, site and form.
        came: on tickets in, of the day.
        went: on tickets out, of the day.
        grain: in stock by tickets and measurements; None without any, and in another's house, whose grain is its own.
        claims: of whoever has some there; in another's house only the entity's.
        measured: the last measurement by the day, None without one.
        off: by how much that was above what the book said then.
        light: whether the grain is enough for all claims there, as the close will ask.
    """

    place: Place
    came: int
    went: int
    grain: int | None
    claims: int
    measured: date | None
    off: int
    light: Light


@dataclass(frozen=True, slots=True)
class DaySheet:
    """A day of a house.

    Attributes:
        entity: whose.
        day: which.
        tickets: of the day, as they were entered.
        places: every site and form with grain or claims.
        claims: the equations of the day.
        defaults: national defaults, as far as they are known here.
        differences: what the differences at its own sites are made of.
    """

    entity: Entity
    day: date
    tickets: tuple[GrainEntry, ...]
    places: tuple[PlaceToday, ...]
    claims: Balance
    defaults: Defaults = field(default_factory=dict)
    differences: tuple[Difference, ...] = ()

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
        return dict(sorted(found.items(), key=lambda pair: (*pair[0][:2], _end(pair[0][2]))))


def day_sheet(facts: StoreView, entity: Entity, day: date, defaults: Defaults = NONE_KNOWN) -> DaySheet:
    """Return the day of an entity, as its book has it now; claims are banded by the defaults that are known."""
    entries = {
        (entity.id, site, form): facts.many(GrainEntry, grain_group(entity.id, site, form))
        for site in entity.sites
        for form in FORMS
    }
    own = claims_by_place(facts, entity.id, day)
    places = [place for place in {**entries, **own} if entries.get(place) or own.get(place)]
    tickets = [one for of in entries.values() for one in of if one.day == day and not one.void]
    today = tuple(
        _place(facts, place, entries[place], own.get(place, 0), day)
        if place[0] == entity.id and place in entries
        else _elsewhere(facts, place, own.get(place, 0), day)
        for place in sorted(places)
    )
    asked = [what for one in today if one.place in entries for what in _asked(one, entries[one.place], day)]
    return DaySheet(
        entity,
        day,
        tuple(sorted(tickets, key=lambda one: (one.site, one.direction, one.number))),
        today,
        balance_between(facts, entity.id, day, day),
        defaults,
        tuple(differences(facts, entity.id, asked, entries)),
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


def _place(
    facts: StoreView,
    place: Place,
    entries: Sequence[GrainEntry],
    own: int,
    day: date,
) -> PlaceToday:
    known = [one for one in entries if not one.void and one.day <= day]
    measured = [one for one in known if one.direction is Direction.MEASURED]
    last = max(reversed(measured), key=lambda one: one.day, default=None)
    stock = GrainStock(entries)
    before = stock.on(last.day, without=last.number) if last else None
    came, went = (
        sum(one.amount for one in known if one.day == day and one.direction is way)
        for way in (Direction.IN, Direction.OUT)
    )
    claims = max(claims_at(facts, place, day), own)
    off = last.amount - before if last and before is not None else 0
    grain = stock.on(day)
    return PlaceToday(place, came, went, grain, claims, last.day if last else None, off, _light(grain, claims))


def _elsewhere(facts: StoreView, place: Place, own: int, day: date) -> PlaceToday:
    """Return claims in another's house, or at a site that is none any more: only the light knows what else is there."""
    grain = facts.grain(grain_group(*place)).on(day)
    claims = max(claims_at(facts, place, day), own)
    return PlaceToday(place, 0, 0, None, own, None, 0, _light(grain, claims))


def _light(grain: int | None, claims: int) -> Light:
    if grain is None:
        return Light.NO_GRAIN_BOOK if claims else Light.COVERED
    return Light.SHORT if claims > grain else Light.COVERED


def sheet_document(sheet: DaySheet) -> dict[str, object]:
    """Return a day as plain data."""
    return {
        "entity": sheet.entity.id,
        "day": sheet.day.isoformat(),
        "places": [
            {
                "site": one.place[1] if one.place[0] == sheet.entity.id else f"{one.place[0]} {one.place[1]}".strip(),
                "form": one.place[2], "unit": unit_of(one.place[2]), "in_amount": show(one.came),
                "out_amount": show(one.went), "grain_amount": None if one.grain is None else show(one.grain),
                "claims_amount": show(one.claims), "light": str(one.light),
                "measured": one.measured.isoformat() if one.measured else None, "measured_off_amount": show(one.off),
            }
            for one in sheet.places
        ],
        "tickets": [
            {
                "ticket": one.number, "site": one.site, "form": one.form, "direction": str(one.direction),
                "amount": show(one.amount), "unit": unit_of(one.form), "claim": one.claim, "name": one.name,
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
        "differences": [difference_document(one) for one in sheet.differences],
    }  # fmt: skip


def band_said(reach: Reach) -> str:
    """Return a band in words, or its borders where nobody knows the national default."""
    borders = (one for one in (reach.low, reach.high) if one is not None)
    return reach.band or " to ".join(show(one, CI_SCALE, group=True) for one in borders)


def _end(reach: Reach) -> int:
    return LAST if reach.high is None else reach.high


def _edge(ci: int | None) -> str | None:
    return None if ci is None else show(ci, CI_SCALE)


def sheet_text(sheet: DaySheet) -> str:
    """Return a day as Markdown, as the manual is written, for the same print."""
    return "\n".join(_text(sheet))


def _text(sheet: DaySheet) -> Iterator[str]:
    short = [one for one in sheet.places if one.light is not Light.COVERED]
    yield f"# Day sheet of {sheet.entity.name}, {sheet.day}"
    yield ""
    if short:
        whole = counted(len(sheet.places), "place")
        yield f"NOT COVERED at {len(short)} of {whole}: the period cannot be closed as it stands."
    else:
        yield "Covered: at every site the grain is enough for the claims on it."
    yield ""
    yield "## Grain and claims at the end of the day"
    yield ""
    stocks = ("In", "Out", "Grain", "Claims")
    yield from table_lines(
        ("Site", "Form", *stocks, "Light"),
        (
            (
                _house(sheet, one), one.place[2],
                *(show_amount(amount, unit_of(one.place[2])) for amount in (one.came, one.went)),
                _grain(sheet, one),
                show_amount(one.claims, unit_of(one.place[2])), str(one.light),
            )
            for one in sheet.places
        ),
        amounts=stocks,
    )  # fmt: skip
    yield from _measured(sheet)
    yield ""
    yield from _differences(sheet)
    yield "## Claims by carbon intensity, bushels"
    yield ""
    yield from table_lines(
        ("Crop", "g CO2e/bu", "In", "Out", "In stock"),
        ((f"{crop} {year}", band_said(reach), *map(_bushels, of)) for (crop, year, reach), of in sheet.bands().items()),
        amounts=("In", "Out", "In stock"),
    )
    yield ""
    yield "## Tickets"
    yield ""
    yield from table_lines(
        ("Ticket", "Site", "Form", "", "Amount", "Behind"),
        (
            (one.number, one.site, one.form, str(one.direction), show_amount(one.amount, unit_of(one.form)),
             one.claim or one.name)
            for one in sheet.tickets
        ),
        amounts=("Amount",),
    )  # fmt: skip


def _measured(sheet: DaySheet) -> Iterator[str]:
    for one in sheet.places:
        if one.measured and one.off:
            above = "above" if one.off > 0 else "below"
            off = show_amount(abs(one.off), unit_of(one.place[2]))
            yield f"- {one.place[1]}, {one.place[2]}: the measurement of {one.measured} was {off} {above} the book."


def _differences(sheet: DaySheet) -> Iterator[str]:
    if sheet.differences:
        yield "## What the differences are made of"
        yield ""
        yield from (f"- {one.place[1]}, {one.place[2]}: {' '.join(said(one))}" for one in sheet.differences)
        yield ""


def _house(sheet: DaySheet, one: PlaceToday) -> str:
    """Name a place: an own site by its name, another's house before its site."""
    return one.place[1] if one.place[0] == sheet.entity.id else " ".join(dict.fromkeys(one.place[:2])).strip()


def _grain(sheet: DaySheet, one: PlaceToday) -> str:
    if one.grain is not None:
        return show_amount(one.grain, unit_of(one.place[2]))
    return "none entered" if one.place[0] == sheet.entity.id else "its own"


def _bushels(amount: int) -> str:
    return show(amount, group=True)
