"""What one field cannot show: cover-crop seed and inhibitor bought, held against what the whole farm used.

What inhibitor went on with an application is read here too, since a farm's purchases are held against all of them.
On every day of use there must have been as much as had been used by then: what came later was not sown (interpretations
19, 22, 59). What was used after a crop's harvest says nothing of that crop.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple

from provender.catalog.materials import find_grade, inhibitors
from provender.catalog.tables import lookup_name
from provender.records.book import FarmRows, grouped
from provender.records.kinds.cover import CoverCrop, CoverSpecies, SeedPurchase
from provender.records.kinds.farm import Unit
from provender.records.kinds.nutrients import InhibitorAcceptance, InhibitorPurchase, NutrientApplication
from provender.standards import evidence
from provender.standards.season import Season
from provender.standards.standard import Finding, Missing, Shown

BELOW_LABEL: Final = "below_label"

_SIZES: Final[Mapping[str, tuple[str, int]]] = {
    "gal": ("fl oz", 128), "qt": ("fl oz", 32), "pt": ("fl oz", 16), "oz": ("fl oz", 1), "lb": ("lb", 1),
    "ton": ("lb", 2000),
}  # fmt: skip
"""Units in which inhibitor is bought and applied: measure and size. A volume cannot stand for a mass."""


Thing = tuple[str, str]
"""The folded name of a species or product, and the measure in which it is counted."""


class Amount(NamedTuple):
    """What went on of a thing, or arrived with its supplier (or as own seed) and its paper."""

    thing: Thing
    day: date | None
    amount: int | None  # millionths of a pound or fluid ounce; None where rate or area is not recorded, or zero
    row: str = ""  # key of the purchase


def enough_cover_seed(season: Season) -> Iterator[Finding]:
    """Hold the seed of each species against rate times acres of every seeding of the farm."""
    uses = season.rows.once("seed_uses", lambda: [*_seed_uses(season.rows)])
    bought = season.rows.once("seed_bought", lambda: [*_seed_bought(season.rows)])
    yield from _lasted("seed_purchase", uses, bought, season.closes_on)


def _seed_uses(rows: FarmRows) -> Iterator[Amount]:
    covers = {cover.cover_id: cover for cover in rows.of_farm(CoverCrop)}
    for each in covers.values():
        if not rows.naming(CoverSpecies, "cover_id", each.cover_id):  # seed of which nobody says what it was
            yield Amount(("", "lb"), each.seeded_on, None)
    for row in rows.of_farm(CoverSpecies):
        cover = covers.get(row.cover_id)
        # Seeding nothing, or nowhere, is no answer: the amount is not known.
        amount = ((row.rate_lb_per_ac or 0) * (cover.seeded_acres or 0) or None) if cover else None
        yield Amount((lookup_name(row.species), "lb"), cover.seeded_on if cover else None, amount)


def _seed_bought(rows: FarmRows) -> Iterator[Amount]:
    for row in rows.of_farm(SeedPurchase):
        has_source = row.supplier is not None or row.bin_run
        if row.received_on and row.pounds and has_source and not any(evidence.why_not_shown(rows, row, evidence.SEED)):
            yield Amount((lookup_name(row.species), "lb"), row.received_on, row.pounds * 1000, row.id)


NO_INHIBITOR: Final = ("none", "no", "without")
"""What a person writes where there was none."""


class Inhibitor(NamedTuple):
    """What an application's record says of its nitrification inhibitor."""

    name: str = ""  # folded, as written or as the fertilizer brings it; empty where there is none or nobody says
    went_on: bool | None = False  # enough of it; None where the record does not say
    comes_inside: bool = False  # the fertilizer itself brings it, so that nothing was bought beside it
    missing_column: str = ""  # the one that would say so
    reason: str = ""  # the code of why it does not


def inhibitor_of(season: Season, row: NutrientApplication) -> Inhibitor:
    """Read the inhibitor of an application of any unit of the farm (interpretation 22).

    A urease inhibitor alone is none. Beside its fertilizer it shows something at the least rate of its label or above,
    and nothing without a rate, or where no label is known. Read once an application: a dozen requirements ask.
    """
    return season.rows.once((inhibitor_of, row.id), lambda: _read_inhibitor(season, row))


def _read_inhibitor(season: Season, row: NutrientApplication) -> Inhibitor:
    grade = find_grade(row.product)
    inside = grade.product_inhibitor if grade else None
    written = lookup_name(row.inhibitor) if row.inhibitor is not None else ""
    if written in NO_INHIBITOR and inside is None:
        return Inhibitor()
    name = inside or "" if written in (*NO_INHIBITOR, "") else written
    known = inhibitors().get(name)
    counts = known.counts if known else None
    comes_inside = inside is not None and counts is True
    measure, rate = _measured(row.inhibitor_rate, row.inhibitor_rate_unit)
    least = _least_of_label(season, name, row.unit_id, measure)
    is_beside = counts and inside is None
    doubts = (
        (bool(rate and least is not None and rate < least), "inhibitor_rate", BELOW_LABEL),
        (counts is None, "inhibitor", "inhibitor_not_known"),
        (is_beside and row.inhibitor_rate == 0, "inhibitor", "rate_of_zero"),
        (is_beside and rate is None, "inhibitor_rate", "inhibitor_rate_not_recorded"),
        (is_beside and least is None, "inhibitor", "label_not_known"),
    )
    for is_open, column, reason in doubts:
        if is_open:
            return Inhibitor(name, None, comes_inside, column, reason)
    return Inhibitor(name, counts, comes_inside)


def _measured(rate: int | None, unit: str | None) -> tuple[str, int | None]:
    """Return the measure of a rate and its thousandths per acre; None where rate or unit is not recorded."""
    measure, size = _SIZES[unit.removesuffix("/ac")] if unit else ("", 0)
    return measure, rate * size if rate is not None and size else None


def _least_of_label(season: Season, name: str, unit_id: str, measure: str) -> int | None:
    """Return the least rate of a label in a measure; None where none is known.

    It is that of the State's rows in the user's list for the name, else for its ingredient, else the catalogue's.
    """
    for of_state in said_by_state(season, name, unit_id):
        said = (_measured(one.label_rate, one.label_rate_unit) for one in of_state)
        if labels := [rate for of, rate in said if of == measure and rate]:
            return max(labels)
    known = inhibitors().get(name)
    return known.least_oz_per_ac if known and measure == "fl oz" else None


def said_by_state(season: Season, name: str, unit_id: str) -> Iterator[list[InhibitorAcceptance]]:
    """Yield what the State of a unit says of an inhibitor in the user's own list: by its name, then its ingredient."""
    state, rows, known = season.state_of(unit_id), season.rows[InhibitorAcceptance], inhibitors().get(name)
    for wanted in (name, known.ingredient if known else name):
        named = (row for row in rows if lookup_name(row.inhibitor) == wanted)
        yield [row for row in named if state and row.state.strip().upper() == state]


def enough_inhibitor(season: Season) -> Iterator[Finding]:
    """Hold the inhibitor of each product against what was used of it on the farm.

    A farm whose inhibitor comes only inside its fertilizer has nothing to buy beside it.
    """
    inside, uses = season.rows.once("inhibitor_uses", lambda: _inhibitor_uses(season))
    bought = season.rows.once("inhibitor_bought", lambda: [*_inhibitor_bought(season.rows)])
    if inside and not any(one.day is None or one.day <= season.closes_on for one in uses):
        yield Shown("nutrient_application", inside)
    else:
        yield from _lasted("inhibitor_purchase", uses, bought, season.closes_on)


def _inhibitor_uses(season: Season) -> tuple[str, list[Amount]]:
    """Return an application of the farm whose fertilizer brings the inhibitor, and every use of one beside it."""
    inside, uses = "", list[Amount]()
    acres = {unit.unit_id: unit.acres for unit in season.rows.of_farm(Unit)}
    for row in season.rows.of_farm(NutrientApplication):
        found = inhibitor_of(season, row) if row.unit_id in acres else Inhibitor()
        if found.comes_inside:
            inside = inside or row.id
        elif found.went_on:
            measure, rate = _measured(row.inhibitor_rate, row.inhibitor_rate_unit)
            area = row.treated_acres if row.treated_acres is not None else acres[row.unit_id]
            uses.append(Amount((found.name, measure), row.day, rate * area if rate and area else None))
    return inside, uses


def _inhibitor_bought(rows: FarmRows) -> Iterator[Amount]:
    for row in rows.of_farm(InhibitorPurchase):
        has_paper = row.supplier is not None and not any(evidence.why_not_shown(rows, row, evidence.INHIBITOR))
        if row.received_on and row.amount and row.amount_unit and has_paper:
            measure, size = _SIZES[row.amount_unit]
            yield Amount((lookup_name(row.product), measure), row.received_on, row.amount * 1000 * size, row.id)


def _lasted(kind: str, uses: Iterable[Amount], bought: Iterable[Amount], until: date) -> Iterator[Finding]:
    """Show the purchases that lasted for every use up to a day; a use without a day may be one of them."""
    used = grouped((one.thing, one) for one in uses if one.day is None or one.day <= until)
    arrived = grouped((one.thing, one) for one in bought if one.day is not None and one.day <= until)
    if not used:
        yield Missing(kind, reason="nothing_used")
    for thing, of in used.items():
        went_on = [(one.day, one.amount) for one in of if one.day is not None and one.amount is not None]
        if len(went_on) < len(of):
            yield Missing(kind, reason="use_not_known")
        got = arrived.get(thing, ())
        came = [(one.day, -one.amount) for one in got if one.day is not None and one.amount is not None]
        # What came on a day stands before what went on that day.
        if any(lacks > 0 for lacks in accumulate(amount for _, amount in sorted((*came, *went_on)))):
            yield Missing(kind, reason="too_little_by_then")
        else:
            last = max(went_on, default=(date.min, 0))[0]
            there = sum(-amount for day, amount in came if day <= last) // 1000
            used_up = sum(amount for _, amount in went_on) // 1000
            yield from (Shown(kind, one.row, there, used_up, thing[1]) for one in got)
