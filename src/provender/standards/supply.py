"""What one field cannot show: cover-crop seed and inhibitor bought, held against what the whole farm used.

What inhibitor went on with an application is read here too, since a farm's purchases are held against all of them.
On every day of use there must have been as much as had been used by then: what came later was not sown (interpretations
19, 22, 59). What was used after a crop's harvest says nothing of that crop.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from provender.catalog.materials import find_grade, inhibitors
from provender.catalog.tables import lookup_name
from provender.records.kinds.cover import CoverCrop, CoverSpecies, SeedPurchase
from provender.records.kinds.farm import Unit
from provender.records.kinds.nutrients import InhibitorAcceptance, InhibitorPurchase, NutrientApplication
from provender.standards import evidence
from provender.standards.season import Season
from provender.standards.standard import FarmRows, Finding, Missing, Shown, grouped

BELOW_LABEL: Final = "below_label"

REASONS: Final[Mapping[str, str]] = {
    "inhibitor_not_known": "The inhibitor is blank or not in the inhibitor list; none is an answer.",
    "rate_of_zero": "The rate of the inhibitor is zero.",
    "inhibitor_rate_not_recorded": "The rate of the inhibitor is not recorded.",
    "label_not_known": "No label rate is known for this name in this unit: name the product, or enter the label's "
    "least rate among the inhibitors accepted by the State.",
    BELOW_LABEL: "The inhibitor went on below the least rate of its label.",
    "nothing_used": "Nothing is recorded as used, so nothing shows that enough was bought.",
    "use_not_known": "Day, rate or area of a use somewhere on the farm is not recorded, so the amount is not known.",
    "too_little_by_then": "Less had arrived by a day of use than was used up to that day.",
}
"""What is said for each reason."""

_SIZES: Final[Mapping[str, tuple[str, int]]] = {
    "gal": ("fl oz", 128), "qt": ("fl oz", 32), "pt": ("fl oz", 16), "oz": ("fl oz", 1), "lb": ("lb", 1),
    "ton": ("lb", 2000),
}  # fmt: skip
"""Units in which inhibitor is bought and applied: measure and size. A volume cannot stand for a mass."""


class Use(NamedTuple):
    """What went on of one thing."""

    row: Shown  # the record of it
    day: date | None
    amount: int | None  # millionths of a pound or fluid ounce; None where rate or area is not recorded, or zero


class Receipt(NamedTuple):
    """A purchase that counts: with its day, its supplier (or as own seed) and its paper."""

    row: str  # key of the purchase
    day: date
    amount: int  # millionths, as in ``Use``


Thing = tuple[str, str]
"""The folded name of a species or product, and the measure in which it is counted."""
Uses = Mapping[Thing, Sequence[Use]]
Receipts = Mapping[Thing, Sequence[Receipt]]


def enough_cover_seed(season: Season) -> Iterator[Finding]:
    """Hold the seed of each species against rate times acres of every seeding of the farm."""
    uses = season.rows.once("seed_uses", lambda: grouped(_seed_uses(season.rows)))
    receipts = season.rows.once("seed_receipts", lambda: grouped(_seed_receipts(season.rows)))
    yield from _lasted("seed_purchase", uses, receipts, season.closes_on)


def _seed_uses(rows: FarmRows) -> Iterator[tuple[Thing, Use]]:
    covers = {cover.cover_id: cover for cover in rows.of_farm(CoverCrop)}
    for each in covers.values():
        if not rows.naming(CoverSpecies, "cover_id", each.cover_id):  # seed of which nobody says what it was
            yield ("", "lb"), Use(Shown("cover_crop", each.id), each.seeded_on, None)
    for row in rows.of_farm(CoverSpecies):
        cover = covers.get(row.cover_id)
        # Seeding nothing, or nowhere, is no answer: the amount is not known.
        amount = ((row.rate_lb_per_ac or 0) * (cover.seeded_acres or 0) or None) if cover else None
        use = Use(Shown("cover_species", row.id), cover.seeded_on if cover else None, amount)
        yield (lookup_name(row.species), "lb"), use


def _seed_receipts(rows: FarmRows) -> Iterator[tuple[Thing, Receipt]]:
    for row in rows.of_farm(SeedPurchase):
        has_source = row.supplier is not None or row.bin_run
        if row.received_on and row.pounds and has_source and evidence.is_shown(rows, row, evidence.SEED):
            yield (lookup_name(row.species), "lb"), Receipt(row.id, row.received_on, row.pounds * 1000)


NO_INHIBITOR: Final = ("none", "no", "without")
"""What a person writes where there was none."""


class Inhibitor(NamedTuple):
    """What an application's record says of its nitrification inhibitor."""

    name: str = ""  # folded, as written or as the fertilizer brings it; empty where there is none or nobody says
    went_on: bool | None = False  # with it; None where the record does not say
    comes_inside: bool = False  # the fertilizer itself brings it, so that nothing was bought beside it
    blank: str = ""  # the column that would say it
    unclear: str = ""  # why it does not


def inhibitor_of(season: Season, row: NutrientApplication) -> Inhibitor:
    """Read the inhibitor of an application of any unit of the farm (interpretation 22).

    A urease inhibitor alone is none. Beside its fertilizer it shows something at the least rate of its label or above,
    and nothing without a rate, or where no label is known.
    """
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
    if rate and least is not None and rate < least:
        return Inhibitor(name, None, comes_inside, "inhibitor_rate", BELOW_LABEL)
    if counts is None:
        return Inhibitor(name, None, comes_inside, "inhibitor", "inhibitor_not_known")
    if counts and inside is None and row.inhibitor_rate == 0:
        return Inhibitor(name, None, comes_inside, "inhibitor", "rate_of_zero")
    if counts and inside is None and rate is None:
        return Inhibitor(name, None, comes_inside, "inhibitor_rate", "inhibitor_rate_not_recorded")
    if counts and inside is None and least is None:
        return Inhibitor(name, None, comes_inside, "inhibitor", "label_not_known")
    return Inhibitor(name, counts, comes_inside)


def _measured(rate: int | None, unit: str | None) -> tuple[str, int | None]:
    """Return the measure of a rate and its thousandths per acre; None where rate or unit is not recorded."""
    measure, size = _SIZES[unit.removesuffix("/ac")] if unit else ("", 0)
    return measure, rate * size if rate is not None and size else None


def _least_of_label(season: Season, name: str, unit_id: str, measure: str) -> int | None:
    """Return the least rate of a label in a measure; None where none is known.

    It is that of the State's rows in the user's list for the name, else for its ingredient, else the catalogue's.
    """
    known = inhibitors().get(name)
    for wanted in (name, known.ingredient if known else name):
        said = (_measured(one.label_rate, one.label_rate_unit) for one in said_by_state(season, wanted, unit_id))
        labels = [rate for of, rate in said if of == measure and rate]
        if labels:
            return max(labels)
    return known.least_oz_per_ac if known and measure == "fl oz" else None


def said_by_state(season: Season, name: str, unit_id: str) -> list[InhibitorAcceptance]:
    """Return what the State of a unit says of an inhibitor, by the user's own list."""
    state, rows = season.state_of(unit_id), season.rows[InhibitorAcceptance]
    return [row for row in rows if lookup_name(row.inhibitor) == name and row.state.strip().upper() == state]


def enough_inhibitor(season: Season) -> Iterator[Finding]:
    """Hold the inhibitor of each product against what was used of it on the farm.

    A farm whose inhibitor comes only inside its fertilizer has nothing to buy beside it.
    """
    inside, uses = season.rows.once("inhibitor_uses", lambda: _inhibitor_uses(season))
    receipts = season.rows.once("inhibitor_receipts", lambda: grouped(_inhibitor_receipts(season.rows)))
    if inside and not _used_by(uses, season.closes_on):
        yield Shown("nutrient_application", inside)
    else:
        yield from _lasted("inhibitor_purchase", uses, receipts, season.closes_on)


def _inhibitor_uses(season: Season) -> tuple[str, Uses]:
    """Return an application of the farm whose fertilizer brings the inhibitor, and every use of one beside it."""
    inside, uses = "", list[tuple[Thing, Use]]()
    acres = {unit.unit_id: unit.acres for unit in season.rows.of_farm(Unit)}
    for row in season.rows.of_farm(NutrientApplication):
        found = inhibitor_of(season, row) if row.unit_id in acres else Inhibitor()
        if found.comes_inside:
            inside = inside or row.id
        elif found.went_on:
            measure, rate = _measured(row.inhibitor_rate, row.inhibitor_rate_unit)
            area = row.treated_acres if row.treated_acres is not None else acres[row.unit_id]
            use = Use(Shown("nutrient_application", row.id), row.day, rate * area if rate and area else None)
            uses.append(((found.name, measure), use))
    return inside, grouped(uses)


def _inhibitor_receipts(rows: FarmRows) -> Iterator[tuple[Thing, Receipt]]:
    for row in rows.of_farm(InhibitorPurchase):
        has_paper = row.supplier is not None and evidence.is_shown(rows, row, evidence.INHIBITOR)
        if row.received_on and row.amount and row.amount_unit and has_paper:
            measure, size = _SIZES[row.amount_unit]
            yield (lookup_name(row.product), measure), Receipt(row.id, row.received_on, row.amount * 1000 * size)


def _lasted(kind: str, uses: Uses, receipts: Receipts, until: date) -> Iterator[Finding]:
    """Show the purchases that lasted for every use up to a day; a use without a day may be one of them."""
    asked = _used_by(uses, until)
    if not asked:
        yield Missing(kind, reason="nothing_used")
    for thing, of in asked.items():
        yield from _of_one_thing(kind, of, receipts.get(thing, ()), thing[1], until)


def _used_by(uses: Uses, day: date) -> Uses:
    """Return what was used up to a day; a use without a day may have been."""
    found = {thing: [use for use in of if use.day is None or use.day <= day] for thing, of in uses.items()}
    return {thing: of for thing, of in found.items() if of}


def _of_one_thing(
    kind: str, uses: Sequence[Use], receipts: Sequence[Receipt], unit: str, until: date
) -> Iterator[Finding]:
    known = [(use.day, use.amount) for use in uses if use.day is not None and use.amount is not None]
    if len(known) < len(uses):
        yield Missing(kind, reason="use_not_known")
    used = received = 0
    for day in sorted({day for day, _ in known}):
        used = sum(amount for on, amount in known if on <= day)
        received = sum(receipt.amount for receipt in receipts if receipt.day <= day)
        if received < used:
            yield Missing(kind, reason="too_little_by_then")
            return
    arrived = (one for one in receipts if one.day <= until)
    yield from (Shown(kind, one.row, received // 1000, used // 1000, unit) for one in arrived)
