"""Totals across the operation: crops on units, acres and bushels under each practice, by harvest year and crop.

2100.052(b)(4) and (7) ask for them of cover crops, 2100.053(e)(7) and (8) of nutrient management; those of tillage
stand beside them. A signed report holds the same of its one crop.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from provender.paper.table import Cell, Column, Table, amount, year_cell
from provender.plain import field, part, view
from provender.practices.explain import IntervalVerdict
from provender.practices.verdict import Verdict
from provender.quantity import Amount, Bushels
from provender.rule.crops import NUTRIENTS, Crop, Practice

CAPTION: Final = "Totals across the operation, of crops that meet the standard, whether or not their records are open"
EXPLAINED: Final = (
    "A crop on a unit counts under each practice whose standard it meets, so the totals of several practices do not "
    "add up. What is not met or not shown is in no total; a crop is told as not shown unless ticks leave the practice "
    "out. Acres of a cover crop are those that were seeded; acres of other practices are those of the unit. Where one "
    "crop lacks an amount, the total is not known (2100.052(b)(4), (7), 2100.053(e)(7), (8))."
)
EMPTY: Final = "No crop meets the standard of a practice yet, so there is nothing to add up across the operation."
_CITES: Final = {
    Practice.cover_crop: "2100.052(b)(4), (7)",
    **dict.fromkeys(NUTRIENTS, "2100.053(e)(7), (8)"),
}
_COLUMNS: Final = (
    Column("Harvest year", "Year"),
    Column("Practice"),
    Column("Crop"),
    Column("Crops on units", "Crops", number=True),
    Column("With records open", "Open", number=True),
    Column("Not shown", number=True),
    Column("Acres", number=True),
    Column("Bushels", number=True),
    Column("Crops without acres", number=True, file_only=True),
    Column("Crops without bushels", number=True, file_only=True),
    Column("7 CFR", file_only=True),
)


@part
class PracticeExtent:
    """How much stands under a practice. An amount is null where a crop on a unit lacks it: the total is not known."""

    crops_on_units: int = field("Crops on units", help="Those that meet the standard; a unit counts once a crop.")
    records_open: int = field("With records open", help="Those of them whose record requirements are not all met.")
    not_shown: int = field(
        "Not shown", help="In no total: the records do not show the practice, nor do ticks leave it out."
    )
    acres: Amount | None = field(
        "Acres", unit="acres", help="Seeded in cover crops; else of the units.", cite="2100.052(b)(4), 2100.053(e)(7)"
    )
    without_acres: int = field("Crops without acres", help="Those whose acres are not recorded.")
    bushels: Bushels | None = field("Bushels", help="Harvested from the units.", cite="2100.052(b)(7), 2100.053(e)(8)")
    without_bushels: int = field("Crops without bushels", help="Those whose bushels are not recorded.")


@part
class CropExtent:
    """How much of one crop stands under a practice."""

    crop: Crop = field("Crop")
    label: str = field("Name of the crop")
    extent: PracticeExtent = field("How much of it")


@view
class PracticeTotal:
    """One practice in one harvest year, across the operation; a practice that no crop meets has none.

    A crop that meets several standards counts under each of them: practices do not add up.
    """

    farm_id: str = field("Farm")
    harvest_year: int = field("Harvest year")
    practice: Practice = field("Practice")
    label: str = field("Name of the practice")
    cite: str = field("Paragraphs", help="Those that ask for these totals; empty for tillage.")
    extent: PracticeExtent = field("How much of all crops")
    crops: tuple[CropExtent, ...] = field("How much of each crop", help="A crop that never meets it is left out.")


def operation_totals(intervals: Iterable[IntervalVerdict]) -> tuple[PracticeTotal, ...]:
    """Return the totals of each practice by farm and harvest year, in the order of practices and crops.

    Args:
        intervals: every crop interval of the operation, with its facts.
    """
    seasons: dict[tuple[str, int], list[IntervalVerdict]] = {}
    for one in intervals:
        seasons.setdefault((one.farm_id, one.harvest_year), []).append(one)
    return tuple(
        PracticeTotal(
            farm_id=farm, harvest_year=year, practice=practice, label=practice.label, cite=_CITES.get(practice, ""),
            extent=_extent(practice, seasons[farm, year]), crops=crops,
        )
        for farm, year in sorted(seasons)
        for practice in Practice
        if (crops := _crops(practice, seasons[farm, year]))
    )  # fmt: skip


def _crops(practice: Practice, season: Sequence[IntervalVerdict]) -> tuple[CropExtent, ...]:
    """Return how much of each crop meets a practice, without those of which nothing does."""
    extents = ((crop, _extent(practice, [one for one in season if one.crop is crop])) for crop in Crop)
    return tuple(CropExtent(crop, crop.label, extent) for crop, extent in extents if extent.crops_on_units)


def _extent(practice: Practice, season: Sequence[IntervalVerdict]) -> PracticeExtent:
    asked = [one for one in season if one[practice].asked]
    met = [one for one in asked if one[practice].implementation is Verdict.MET]
    unshown = sum(one[practice].implementation is Verdict.NOT_SHOWN for one in asked)
    acres, without_acres = _total(_acres(practice, one) for one in met)
    bushels, without_bushels = _total(one.facts["bushels"] for one in met)
    open_ = sum(one[practice].records is not Verdict.MET for one in met)
    return PracticeExtent(len(met), open_, unshown, acres, without_acres, bushels, without_bushels)


def _acres(practice: Practice, one: IntervalVerdict) -> int | None:
    """Return the acres of one crop under a practice, thousandths: seeded in every cover before it, or of its unit."""
    facts = one.facts
    if practice is Practice.cover_crop:
        return None if facts["seedings_without_acres"] else facts["cover_acres"]
    known: int | None = facts["acres"]
    return known


def _total(amounts: Iterable[int | None]) -> tuple[int | None, int]:
    """Return the sum of amounts, None where one of them is not recorded, and how many are not."""
    given = list(amounts)
    known = [one for one in given if one is not None]
    lacking = len(given) - len(known)
    return (None if lacking else sum(known)), lacking


def totals_table(totals: Sequence[PracticeTotal]) -> Table:
    """Return the totals as a table: a row for all crops under a practice unless it is of one, then a row for each."""
    several_farms = len({one.farm_id for one in totals}) > 1
    rows = []
    for one in totals:
        parts = [(each.label, each.extent) for each in one.crops]
        if [each.extent for each in one.crops] != [one.extent]:
            parts = [("All crops", one.extent), *parts]
        farm = [Cell(one.farm_id, typed=True)] if several_farms else []
        rows += [[*farm, *_cells(one, crop, extent)] for crop, extent in parts]
    columns = [*([Column("Farm")] if several_farms else []), *_COLUMNS]
    return Table("practice totals", columns, rows, empty=EMPTY, caption=CAPTION)


def _cells(one: PracticeTotal, crop: str, extent: PracticeExtent) -> list[Cell]:
    shown = (extent.crops_on_units, extent.records_open, extent.not_shown)
    crops, open_, unshown = (Cell(str(count), saved=count) for count in shown)
    lacking = (extent.without_acres, extent.without_bushels)
    without_acres, without_bushels = (Cell(str(count), saved=count) for count in lacking)
    acres = amount(extent.acres, missing=_unknown(extent.without_acres, extent.crops_on_units))
    bushels = amount(extent.bushels, missing=_unknown(extent.without_bushels, extent.crops_on_units))
    return [
        year_cell(one.harvest_year), Cell(one.label), Cell(crop), crops, open_, unshown, acres, bushels, without_acres,
        without_bushels, Cell(one.cite),
    ]  # fmt: skip


def _unknown(lacking: int, crops: int) -> str:
    return f"not known: {lacking} of {crops} not recorded"
