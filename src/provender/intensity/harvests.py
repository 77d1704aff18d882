"""Which bushels of a crop and harvest year are in the average, and what is said of those that are not (2100.020).

Every bushel that left a unit is in it, at the moisture of dry grain. A use that nobody named is grain; only what was
cut as silage or forage leaves the average, and only by a measure and a paper (interpretations 26, 84, 85).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from provender.catalog.plants import BUSHEL_LB
from provender.exact import show
from provender.intensity.completeness import CITE, AcresReport, BushelCount, UnitHarvest
from provender.intensity.disagreement import Disagreement
from provender.rule.crops import Crop
from provender.rule.law import RuleVersion, governing_version

GRAIN_USES: Final = ("grain", "seed", "other")
"""Uses whose bushels are in the average; a use that is not recorded is one too, and ``other`` is no answer."""
HIGH_MOISTURE: Final = "high_moisture"
SILAGE: Final = "silage"
NO_GRAIN: Final = (SILAGE, "forage")
"""Uses whose bushels are no bushels of grain, and often are not counted."""
CONVERTED: Final = "converted"
HARVESTED: Final = "harvested"
OTHER: Final = "other"
SOLD: Final = ("scale_tickets", "settlements")
"""Counts in standard bushels: the scale's moisture is taken off on them."""
_WHOLE_PCT: Final = 100_000
Row: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Harvests:
    """The entries of one crop and harvest year."""

    rows: tuple[Row, ...]  # every entry that was harvested
    counted: tuple[tuple[Row, int | None], ...]  # those in the average, each with its standard bushels
    left_out: tuple[Row, ...]  # those cut as something else than grain
    findings: tuple[Disagreement, ...]  # what is said of single entries


def law_of(row: Row) -> RuleVersion | None:
    """Return the text that governs an entry; None where none does."""
    return governing_version(row["last_day"] or row["first_day"])


def harvests_of(rows: Iterable[Row], crop: Crop, year: int, year_of: Callable[[Row], int | None]) -> Harvests:
    """Sort a farm's crop entries into what is in the average of a crop and year and what is not.

    Args:
        rows: every row of ``harvest``.
        crop: the crop of the average.
        year: its harvest year.
        year_of: the harvest year of a row, None without a day.
    """
    mine = [row for row in rows if row["crop"] == crop]
    harvested = [row for row in mine if row["ending"] == HARVESTED]
    of_year = [row for row in harvested if year_of(row) == year]
    left_out = [row for row in of_year if _is_left_out(row)]
    counted = [(row, _standard_bushels(row, crop)) for row in of_year if row not in left_out]
    findings = [
        *(_undated(row, crop) for row in harvested if year_of(row) is None),
        *(_not_harvested(row) for row in mine if _has_bushels_of_none(row) and year_of(row) in (None, year)),
        *(_left_out(row, crop) for row in left_out),
        *(_converted(row, crop, bushels) for row, bushels in counted if bushels != row["bushels"]),
    ]
    return Harvests(tuple(of_year), tuple(counted), tuple(left_out), tuple(findings))


def _is_left_out(row: Row) -> bool:
    law = law_of(row)
    return row["use"] in NO_GRAIN or (
        row["use"] == HIGH_MOISTURE and law is not None and law.high_moisture_handling != CONVERTED
    )


def at_basis_moisture(bushels: int, moisture_pct: int, basis_pct: int) -> int:
    """Return the bushels, at the basis moisture, of the same dry matter; rounded down, and never more than measured.

    Bushels in thousandths, moistures in thousandths of a percent.
    """
    return min(bushels, bushels * (_WHOLE_PCT - moisture_pct) // (_WHOLE_PCT - basis_pct))


def _standard_bushels(row: Row, crop: Crop) -> int | None:
    bushels, moisture, law = row["bushels"], row["moisture_pct"], law_of(row)
    if bushels is None or moisture is None or law is None:
        return bushels  # type: ignore[no-any-return]
    return at_basis_moisture(bushels, moisture, law.basis_moisture_pct(crop))


def _about(row: Row) -> tuple[str, str]:
    return row["unit_id"], row["harvest_id"]


def _undated(row: Row, crop: Crop) -> Disagreement:
    cause = f"The harvest of {row['unit_id']} has no date, so it belongs to no harvest year and is in no average."
    remedy = "Record the last day of the harvest."
    subject = row["harvest_id"]
    return Disagreement(
        "harvest_undated", CITE, subject, cause, "", crop.label, row["bushels"], remedy, *_about(row)
    )  # fmt: skip


def _has_bushels_of_none(row: Row) -> bool:
    return row["ending"] != HARVESTED and bool(row["bushels"])


def _not_harvested(row: Row) -> Disagreement:
    said = str(row["ending"]).replace("_", " ")
    cause = f"{row['harvest_id']} of {row['unit_id']} gives {_bu(row['bushels'])} and says {said}, not harvested."
    remedy = "Write that it was harvested, or take the bushels out."
    return Disagreement(
        "bushels_not_harvested", CITE, row["harvest_id"], cause, _bu(row["bushels"]), said, row["bushels"], remedy,
        *_about(row),
    )  # fmt: skip


def _left_out(row: Row, crop: Crop) -> Disagreement:
    use, bushels, acres = str(row["use"]).replace("_", " "), row["bushels"], row["harvested_acres"]
    amount = f"{show(bushels)} bu" if bushels is not None else f"{show(acres)} acres" if acres is not None else ""
    cause = f"The {use} harvest {row['harvest_id']} of {row['unit_id']} is not in the farm's bushels of grain."
    law = law_of(row)
    if row["use"] == SILAGE and law is not None and law.silage_handling == CONVERTED:
        cause += " No record says how many bushels of grain it is: record the conversion as a harvest of grain."
    return Disagreement(
        f"{row['use']}_left_out", "2100.011", row["harvest_id"], cause, amount, crop.label, bushels,
        "Nothing to do, unless the use is wrong.", *_about(row),
    )  # fmt: skip


def _converted(row: Row, crop: Crop, bushels: int | None) -> Disagreement:
    law, measured = law_of(row), row["bushels"]
    basis = law.basis_moisture_pct(crop) if law else 0
    wet, dry = f"{_bu(measured)} at {show(row['moisture_pct'])} %", f"{_bu(bushels or 0)} at {show(basis)} %"
    cause = f"The bushels of {row['harvest_id']} are counted as dry {crop.label}: {wet} are {dry}."
    remedy = "Nothing to do where bushels and moisture are those of the same load; else correct one of them."
    return Disagreement(
        "bushels_converted", "2100.020(a)(3)", row["harvest_id"], cause, wet, dry, measured - (bushels or 0), remedy,
        *_about(row),
    )  # fmt: skip


def _bu(bushels: int) -> str:
    return f"{show(bushels, group=True)} bu"


# What keeps a report from being signed, beside the totals of acres and bushels: grain and acres that left by a word or
# a blank.


def moisture_asked(found: Harvests, counts: Sequence[BushelCount], crop: Crop) -> Iterator[Disagreement]:
    """Ask for the moisture of bushels that nobody shows to be dry (interpretation 84).

    Tickets and settlements are in standard bushels, and what they say of the harvest is dry, but what the entry itself
    calls wet.
    """
    weighed = any(one.crop is crop and one.what.replace(" ", "_") in SOLD for one in counts)
    for row, bushels in found.counted:
        wet = row["use"] == HIGH_MOISTURE
        if bushels and row["moisture_pct"] is None and law_of(row) is not None and (wet or not weighed):
            cause = f"The moisture of {row['harvest_id']} is not recorded, and nothing shows that its bushels are dry."
            remedy = "Record the moisture of these bushels, or add scale tickets or settlements with their paper."
            yield Disagreement(
                "moisture_unknown", "2100.020(a)(3)", row["harvest_id"], cause, _bu(bushels), "a moisture", bushels,
                remedy, *_about(row),
            )  # fmt: skip


def unshown_uses(
    found: Harvests,
    totals: Sequence[AcresReport | BushelCount],
    unit_acres: Mapping[str, int | None],
    crop: Crop,
    is_papered: Callable[[Row], bool],
) -> Iterator[Disagreement]:
    """Tell of what left the average as silage, forage or wet grain without a measure and a paper (interpretation 26).

    An entry has both by its own acres or bushels and the evidence that it names; or explained acres or bushels of
    silage cover all such entries.
    """
    rest = [row for row in found.left_out if not (is_papered(row) and (row["harvested_acres"] or row["bushels"]))]
    acres = [row["harvested_acres"] or unit_acres.get(row["unit_id"]) for row in rest]
    bushels = [row["bushels"] for row in rest]
    of_silage = [one for one in totals if one.crop is crop and one.what == SILAGE]
    cut = sum(one.acres for one in of_silage if isinstance(one, AcresReport))
    fed = sum(one.bushels for one in of_silage if isinstance(one, BushelCount))
    if _covers(cut, acres) or _covers(fed, bushels):
        return
    for row in rest:
        use = str(row["use"]).replace("_", " ")
        cause = f"{row['harvest_id']} left {row['unit_id']} as {use}, and no measure with a paper shows it."
        remedy = "Record its acres or bushels and name the paper that shows them; or write the use that it had."
        yield Disagreement(
            "use_not_shown", CITE, row["harvest_id"], cause, use, crop.label, row["bushels"], remedy, *_about(row)
        )


def _covers(total: int, parts: Sequence[int | None]) -> bool:
    return None not in parts and sum(one or 0 for one in parts) <= total


def unnamed_crops(
    rows: Iterable[Row], year: int, year_of: Callable[[Row], int | None], is_papered: Callable[[Row], bool], crop: Crop
) -> Iterator[Disagreement]:
    """Tell of a harvest whose crop nobody named and no paper shows: it may be of this crop (interpretation 85)."""
    for row in rows:
        if row["crop"] == OTHER and row["ending"] == HARVESTED and year_of(row) in (None, year) and not is_papered(row):
            cause = f"{row['harvest_id']} of {row['unit_id']} names no crop: nothing shows that it was no {crop.label}."
            remedy = "Name the crop; or add the acreage report, or name on this entry the paper that shows the crop."
            yield Disagreement(
                "crop_not_named", CITE, row["harvest_id"], cause, OTHER, crop.label, row["bushels"], remedy,
                *_about(row),
            )  # fmt: skip


def runs_without_harvest(
    runs: Iterable[Row], rows: Iterable[Row], found: Harvests, crop: Crop, year: int,
    year_of: Callable[[Row], int | None],
) -> Iterator[Disagreement]:  # fmt: skip
    """Tell of calculator runs of this crop whose harvest is not in the average, or is that of another unit.

    A word there took it out; what a run is of is its unit, and a crop entry that does not fit contradicts it.
    """
    entries = {row["harvest_id"]: row for row in rows}
    counted = {row["harvest_id"] for row, _ in found.counted}
    for run in runs:
        entry = entries.get(run["harvest_id"])
        if entry is not None and run["harvest_id"] in counted and entry["unit_id"] != run["unit_id"]:
            cause = f"Run {run['run_id']} is of {run['unit_id']}, and its harvest {run['harvest_id']} of another unit."
            remedy = "Name the crop entry of the unit that was run, or correct the unit."
            yield Disagreement(
                "run_unit_differs", CITE, f"run {run['run_id']}, unit {run['unit_id']}", cause, run["unit_id"],
                entry["unit_id"], entry["bushels"], remedy, run["unit_id"], run["run_id"],
            )  # fmt: skip
        if run["crop"] != crop or entry is None or run["harvest_id"] in counted or year_of(entry) not in (None, year):
            continue
        cause = f"Run {run['run_id']} is of {crop.label}, and its harvest {run['harvest_id']} is not in the average."
        remedy = "Correct crop, use, ending or day of the harvest, or withdraw the run."
        yield Disagreement(
            "run_without_harvest", CITE, f"run {run['run_id']}, unit {run['unit_id']}", cause, crop.label,
            str(entry["crop"]).replace("_", " "), entry["bushels"], remedy, run["unit_id"], run["run_id"],
        )  # fmt: skip


def bushels_of_load(load: Row, law: RuleVersion) -> int:
    """Return the standard bushels of a ticket: those printed, dried where they are no more than its wet pounds.

    Where they are fewer, the elevator took its shrink off.
    """
    printed, pounds, moisture = (load.get(name) for name in ("net_bushels", "net_lb", "moisture_pct"))
    if printed is None or pounds is None or moisture is None:
        return printed or 0
    wet = pounds * 1000 // BUSHEL_LB[load["crop"]]
    is_wet = abs(printed - wet) * 1000 <= wet
    return at_basis_moisture(printed, moisture, law.basis_moisture_pct(load["crop"])) if is_wet else int(printed)


def unit_harvests(found: Harvests, crop: Crop, unit_acres: Mapping[str, int | None]) -> Iterator[UnitHarvest]:
    """Yield the harvest of each unit: bushels of all its entries, and their acres, or else the unit's own."""
    by_unit: dict[str, list[tuple[Row, int | None]]] = {}
    for row, bushels in found.counted:
        by_unit.setdefault(row["unit_id"], []).append((row, bushels))
    for unit, entries in by_unit.items():
        cut = [row["harvested_acres"] for row, _ in entries]
        carried = [bushels for _, bushels in entries]
        yield UnitHarvest(
            unit,
            crop,
            sum(cut) if all(cut) else unit_acres.get(unit),
            None if None in carried else sum(one for one in carried if one is not None),
        )


def acres_of_units(
    found: Harvests, unit_acres: Mapping[str, int | None], law: RuleVersion | None
) -> Iterator[Disagreement]:
    """Hold the acres harvested on each unit, whatever the use, against those of the unit.

    More than the unit has, beyond what two measurements of one field may differ, is an error; fewer is only told.
    """
    by_unit: dict[str, list[Row]] = {}
    for row in found.rows:
        by_unit.setdefault(row["unit_id"], []).append(row)
    for unit, entries in by_unit.items():
        cut = [row["harvested_acres"] for row in entries]
        known, whole = sum(one for one in cut if one), unit_acres.get(unit)
        off = 0 if whole is None or law is None else whole * law.boundary_difference_pct_max
        if known and not whole:
            cause = f"The acres of {unit} are not recorded, so nothing holds the {show(known)} acres harvested on it."
            remedy, code = "Record the acres of the unit.", "unit_acres_missing"
        elif whole and known * _WHOLE_PCT > whole * _WHOLE_PCT + off:
            cause = f"{show(known)} acres were harvested on {unit}, which has {show(whole)}."
            remedy, code = "Correct the acres harvested or the acres of the unit.", "acres_beyond_unit"
        elif whole and all(cut) and known * _WHOLE_PCT < whole * _WHOLE_PCT - off:
            cause = f"{show(known)} of the {show(whole)} acres of {unit} were harvested."
            remedy, code = "Nothing to do where the rest gave no crop; else add its harvest.", "acres_below_unit"
        else:
            continue
        yield Disagreement(
            code, "2100.020(a)(4)", unit, cause, f"{show(known)} ac", "" if whole is None else f"{show(whole)} ac",
            None, remedy, unit, entries[0]["harvest_id"],
        )  # fmt: skip
