"""What a record book says for quantification: harvests, calculator runs, defaults, acres and bushels elsewhere."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import polars as pl

from provender.intensity.combination import Tillage, Timing
from provender.intensity.completeness import AcresReport, BushelCount, UnitHarvest
from provender.intensity.finding import Finding
from provender.intensity.official import DefaultFacts, RunFacts, Status
from provender.records.book import RecordBook
from provender.rule.crops import Crop

GRAIN_USES: Final = ("grain",)
"""Uses of a crop whose bushels count (READINGS 26); a use that is not recorded counts too, silage does not."""

_BEFORE_HARVEST: Final = "on_hand"
_SOLD: Final = ("scale_tickets", "settlements")


@dataclass(frozen=True, slots=True)
class FarmFacts:
    """The records of one farm, crop and harvest year; quantities in whole thousandths.

    Attributes:
        harvests: one per harvest entry, so that a unit with two entries of the crop has two; all of them count.
        runs: calculator runs for these harvests; no printout of the book shows bushels, so they have none.
        defaults: national defaults of the crop, any calculator and version.
        reports: acres of the crop reported elsewhere.
        counts: bushels counted elsewhere. Tickets and settlements are the same grain: settlements count only
            where there are no tickets. Stock on hand is old crop and counts with a minus.
        findings: harvests without a date, whose year nobody knows.
    """

    farm: str
    crop: Crop
    harvest_year: int
    harvests: tuple[UnitHarvest, ...]
    runs: tuple[RunFacts, ...]
    defaults: tuple[DefaultFacts, ...]
    reports: tuple[AcresReport, ...]
    counts: tuple[BushelCount, ...]
    findings: tuple[Finding, ...]


def _rows(book: RecordBook, kind: str, farm: str, crop: Crop) -> Iterator[dict[str, Any]]:
    """Yield a farm's rows of one kind and crop."""
    frame = book[kind]
    return frame.filter((pl.col("farm_id") == farm) & (pl.col("crop").cast(pl.String) == crop)).iter_rows(named=True)


def _year(row: dict[str, Any]) -> int | None:
    """Return the harvest year of a harvest entry: the year of its last day."""
    day = row["last_day"] or row["first_day"]
    return day.year if isinstance(day, date) else None


def _harvests(book: RecordBook, farm: str, crop: Crop) -> list[dict[str, Any]]:
    """Return the harvests whose bushels count, of any year."""
    return [
        row
        for row in _rows(book, "harvest", farm, crop)
        if row["ending"] == "harvested" and (row["use"] is None or row["use"] in GRAIN_USES)
    ]


def _run(row: dict[str, Any], crop: Crop, harvest_year: int) -> RunFacts:
    """Turn a row of ``calculator_run`` into facts."""
    return RunFacts(
        run=row["run_id"],
        farm=row["farm_id"],
        unit=row["unit_id"],
        crop=crop if row["crop"] is None else Crop(row["crop"]),
        harvest_year=harvest_year,
        tool=row["calculator"],
        version=row["version"],
        status=Status(row["status"]),
        county_fips=row["county_fips"],
        acres=row["acres"],
        yield_bu_per_ac=row["yield_bu_per_ac"],
        bushels=None,
        tillage=None if row["tillage"] is None else Tillage(row["tillage"]),
        cover_crop=row["cover_crop"],
        timing=None if row["n_timing"] is None else Timing(row["n_timing"]),
        inhibitor=row["inhibitor"],
        ci_g_per_bu=row["ci_g_per_bu"],
        farm_ci_g_per_bu=row["farm_ci_g_per_bu"],
        evidence=row["evidence"],
    )


def _counts(book: RecordBook, farm: str, crop: Crop, harvest_year: int) -> Iterator[BushelCount]:
    """Yield what was counted elsewhere, no grain twice."""
    rows = [row for row in _rows(book, "bushel_total", farm, crop) if row["harvest_year"] == harvest_year]
    tickets, settlements = (any(row["what"] == what for row in rows) for what in _SOLD)
    for row in rows:
        what = row["what"]
        if what == "settlements" and tickets and settlements:
            continue
        sign = -1 if what == _BEFORE_HARVEST else 1
        yield BushelCount(crop, sign * row["bushels"], what.replace("_", " "))


def _undated(row: dict[str, Any], crop: Crop) -> Finding:
    cause = f"The harvest of {row['unit_id']} has no date, so it belongs to no harvest year and is in no average."
    remedy = "Record the last day of the harvest."
    return Finding("harvest_undated", "2100.020", row["harvest_id"], cause, "", crop.label, row["bushels"], remedy)


def farm_facts(book: RecordBook, farm: str, crop: Crop, harvest_year: int) -> FarmFacts:
    """Gather what the book says about one farm, crop and harvest year.

    The acres of a harvest are its harvested acres or, where those are not recorded, the acres of its unit.
    """
    acres = dict(book["unit"].filter(pl.col("farm_id") == farm).select("unit_id", "acres").iter_rows())
    harvests = _harvests(book, farm, crop)
    mine = {row["harvest_id"]: row for row in harvests if _year(row) == harvest_year}
    runs = book["calculator_run"].filter((pl.col("farm_id") == farm) & pl.col("harvest_id").is_in(list(mine)))
    return FarmFacts(
        farm,
        crop,
        harvest_year,
        tuple(
            UnitHarvest(row["unit_id"], crop, row["harvested_acres"] or acres.get(row["unit_id"]), row["bushels"])
            for row in mine.values()
        ),
        tuple(_run(row, crop, harvest_year) for row in runs.iter_rows(named=True)),
        tuple(
            DefaultFacts(row["calculator"], row["version"], crop, row["ci_g_per_bu"], row["source"] or "")
            for row in _rows(book, "national_default", farm, crop)
        ),
        tuple(
            AcresReport(crop, row["acres"], row["source"] or "The acreage report")
            for row in _rows(book, "reported_acres", farm, crop)
            if row["harvest_year"] == harvest_year
        ),
        tuple(_counts(book, farm, crop, harvest_year)),
        tuple(_undated(row, crop) for row in harvests if _year(row) is None),
    )
