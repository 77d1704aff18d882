"""A book made ready for verdicts: whole-number keys instead of names, and the catalogue's facts beside each row.

Joining by name is done once, here, when a book is loaded; the verdicts work on the result.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import polars as pl

from provender.catalog.names import FEW, at_once, rows_at, without
from provender.catalog.places import FSA_NUMBERS, LEGAL_WORDS, ONLY_DAY
from provender.practices import load_nutrients, load_operations
from provender.practices import verdict as v
from provender.practices.borders import with_contradictions
from provender.practices.evidence_links import NEEDS, evidence_states, linked
from provender.practices.implied_passes import implied_passes
from provender.practices.intervals import crop_intervals
from provender.practices.known_by import graded
from provender.practices.planted_stands import planted_days, with_unplanted_stands
from provender.practices.stands import entries_of
from provender.records.book import RecordBook, with_what_is_said
from provender.records.checks import MANY, begins
from provender.records.harvest_years import over_new_year_days
from provender.rule.law import latest_whole


@dataclass(frozen=True, slots=True)
class PreparedBook:
    """Frames of one book, joined by ``unit_key`` and ``interval_key``."""

    units: pl.DataFrame  # one row per management unit, with ``unit_key``, acres, place, county and state
    intervals: pl.DataFrame  # closed crop intervals (``intervals.crop_intervals``)
    # field operations placed in their intervals, with the catalogue's values; those of a farm with their
    # ``operation_id``, which millions go without
    operations: pl.DataFrame
    applications: pl.DataFrame  # nutrient applications with N, whether it is synthetic, and the inhibitor's standing
    budgets: pl.DataFrame  # nutrient budgets with their sources, tests and opinions, by interval
    plantings: pl.DataFrame  # plantings, by interval
    planted: pl.DataFrame  # first and last planting and emergence of each interval (``planted_stands.planted_days``)
    covers: pl.DataFrame  # cover crops with their species, by the interval of the crop that follows
    implied: pl.DataFrame  # what other records say took a pass (``implied_passes``)
    tests: pl.DataFrame  # in-season tests, by interval
    declarations: pl.DataFrame  # season declarations, by interval
    # (kind, farm_id, unit_key, interval_key) of rows that could not be read; null keys reach further
    damaged: pl.DataFrame
    book: RecordBook  # the records themselves
    # by kind of record that needs a file, its rows with ``supported``: such a file is there
    supported: Mapping[str, pl.DataFrame]
    # by kind, every piece of evidence that its rows name, with its ``trouble``; null where it counts
    links: Mapping[str, pl.DataFrame]
    graded: Mapping[str, pl.DataFrame]  # by kind, its rows as their evidence bears them out (``known_by.graded``)


def load(book: RecordBook) -> PreparedBook:
    """Make a book ready for verdicts."""
    records, book = book, with_what_is_said(book)
    units = _units(book)
    # A purchase is of no one harvest, and a stand given up has none: the latest number holds.
    paper_days = latest_whole("purchase_paper_days_max")
    states = evidence_states(book)
    judged = {need.kind: linked(book, need, states, paper_days=paper_days) for need in NEEDS}
    supported = {kind: rows for kind, (rows, _) in judged.items()}
    rows = graded(book, states, paper_days=paper_days)
    keyed = _with_unit_key(book, units, {**supported, "operation": rows["operation"]})
    closed = crop_intervals(keyed["harvest"], book["planting"], over=over_new_year_days())
    # The key of a unit is the number of its row.
    intervals = closed.hstack(rows_at(units.select("state", "acres"), closed["unit_key"]))
    entries = entries_of(intervals)
    passes, tools = keyed["operation"], book["operation_tool"]
    operations = load_operations.operations(passes, tools, units, intervals, named=passes.height < FEW)
    spread = keyed["nutrient_application"]
    applications = load_nutrients.applications(spread, book, units, intervals, keyed["harvest"])
    covers = load_operations.covers(keyed["cover_crop"], book, intervals)
    plantings = of_interval(book["planting"], entries)
    known = with_unplanted_stands(intervals, operations, covers, plantings, near=latest_whole("implied_pass_days"))
    known = with_contradictions(known, operations, plantings, covers, book)
    return PreparedBook(
        units=units,
        intervals=known,
        operations=operations,
        applications=applications,
        budgets=load_nutrients.budgets(book, entries, supported),
        plantings=plantings,
        planted=planted_days(plantings),
        covers=covers,
        implied=implied_passes(operations, applications, covers, plantings),
        tests=of_interval(book["in_season_test"], entries),
        declarations=of_interval(book["declaration"], entries),
        damaged=_damaged(book, units, intervals),
        book=records,
        supported=supported,
        links={kind: named for kind, (_, named) in judged.items()},
        graded=rows,
    )


def place_of_row() -> pl.Expr:
    """Return where a unit lies as its row says it: ``is_placed_in_words`` for columns, or a boundary.

    Whether the boundary's file is there is asked where a report is signed (``report.plausible``).
    """
    numbers = pl.col("fsa_field").str
    numbered = numbers.contains(FSA_NUMBERS.pattern) & ~numbers.contains(ONLY_DAY.pattern)
    in_law = pl.col("legal_description").str.contains(LEGAL_WORDS.pattern)
    return pl.coalesce("boundary", pl.when(numbered).then("fsa_field"), pl.when(in_law).then("legal_description"))


def _units(book: RecordBook) -> pl.DataFrame:
    farms = book["farm"].lazy().select("farm_id", pl.col("state").alias("farm_state"))
    state = load_nutrients.state_of_county(pl.col("county_fips"), pl.col("farm_state"))
    units = (
        book["unit"]
        .lazy()
        .select("farm_id", "unit_id", "acres", "county_fips", place_of_row().alias("place"), "parcel_id")
        .with_row_index("unit_key")
        .join(farms, on="farm_id", how="left", maintain_order="left")
        .with_columns(state.alias("state"))
    )
    return without(at_once(units), "farm_state")


def _with_unit_key(
    book: RecordBook, units: pl.DataFrame, supported: Mapping[str, pl.DataFrame]
) -> Mapping[str, pl.DataFrame]:
    keys = units.select("farm_id", "unit_id", "unit_key")
    return {
        kind: _keyed(supported.get(kind, book[kind]), keys)
        for kind in ("harvest", "operation", "nutrient_application", "cover_crop")
    }


def _keyed(rows: pl.DataFrame, keys: pl.DataFrame) -> pl.DataFrame:
    """Give rows the key of their unit; rows of no unit fall away.

    Rows of one unit mostly lie beside each other: names are looked up once a run, not once a row.
    """
    on = ["farm_id", "unit_id"]
    if rows.height < MANY:
        keyed = rows.join(keys, on=on, how="left", maintain_order="left")
        return keyed.filter(pl.col("unit_key").is_not_null()) if keyed["unit_key"].null_count() else keyed
    first = rows.select(begins(*on)).to_series()
    heads = rows.select(on).filter(first).join(keys, on=on, how="left", maintain_order="left")
    run = pl.select(v.numbered(first)).to_series()
    keyed = rows.with_columns(heads["unit_key"].gather(run))
    return keyed.filter(pl.col("unit_key").is_not_null()) if keyed["unit_key"].null_count() else keyed


def of_interval(rows: pl.DataFrame, entries: pl.DataFrame) -> pl.DataFrame:
    """Give rows that name a crop entry the interval they belong to; rows of other crops fall away.

    ``entries`` is the result of ``stands.entries_of``.
    """
    keys = entries.lazy().select("farm_id", "harvest_id", "interval_key", "unit_key")
    return at_once(rows.lazy().join(keys, on=["farm_id", "harvest_id"], how="inner", maintain_order="left"))


_DAMAGED: Final = {
    "kind": pl.String, "farm_id": pl.String, "unit_key": pl.UInt32, "interval_key": pl.UInt32, "day": pl.Date,
}  # fmt: skip


def _damaged(book: RecordBook, units: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """Place each incomplete row: on an interval where its day is known, on a unit, or on the whole farm.

    A damaged pass may have been the harvest, which closes an interval, or any other, which lies in the next: it spoils
    both. A damaged application may have been meant for any crop of the unit, whatever its day.
    """
    if book.incomplete_rows.is_empty():
        return pl.DataFrame(schema=_DAMAGED)
    keys = units.select("farm_id", "unit_id", "unit_key")
    meant = pl.col("kind") == "nutrient_application"
    found = book.incomplete_rows.join(keys, on=["farm_id", "unit_id"], how="left").with_columns(
        pl.when(~meant).then("day").alias("day")
    )
    both = [load_operations.place_by_day(found, intervals, at_end=at_end) for at_end in (False, True)]
    return pl.concat(both).unique(maintain_order=True).select(list(_DAMAGED))
