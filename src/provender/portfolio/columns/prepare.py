"""The records of a batch of farms in frames: whole-number keys instead of names, the catalogue's facts beside each row.

Joining by name is done once, here; the sections work on the result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import polars as pl

from provender.catalog.places import FSA_NUMBERS, LEGAL_WORDS, ONLY_DAY, STATE_BY_FIPS
from provender.catalog.tables import SEEDING
from provender.custody.queries.columns import begins
from provender.days import says
from provender.portfolio.columns import three_valued as v
from provender.portfolio.columns.applications import applications, budgets
from provender.portfolio.columns.intervals import (
    NEEDS,
    crop_intervals,
    entries_of,
    evidence_states,
    of_interval,
    place,
    supported,
)
from provender.portfolio.columns.tillage import published_stir
from provender.portfolio.frame_book import MANY, FrameBook
from provender.portfolio.frames import at_once, folded, operations_frame, rows_at, species_frame, spellings
from provender.records.book import COLUMNS


@dataclass(frozen=True, slots=True)
class PreparedBook:
    """Frames of one batch, joined by ``unit_key`` and ``interval_key``."""

    book: FrameBook  # the records, text that names nothing left blank
    units: pl.DataFrame  # one row per management unit, with its State and whether its row says where it lies
    intervals: pl.DataFrame  # closed crop intervals (``intervals.crop_intervals``)
    operations: pl.DataFrame  # field operations with what the list knows of them
    applications: pl.DataFrame  # nutrient applications (``applications.applications``)
    budgets: pl.DataFrame  # the first budget of each interval, with its sources and soil test
    plantings: pl.DataFrame  # plantings of closed and open crops; of the latter without interval
    covers: pl.DataFrame  # cover crops with their species; of open crops and of other units' without interval
    declarations: pl.DataFrame  # season declarations, by interval
    evidence: pl.DataFrame  # ``evidence.evidence_states``
    supported: Mapping[str, pl.DataFrame]  # by kind that needs a file its rows with ``supported``: such a file is there


def load(records: FrameBook) -> PreparedBook:
    book = _with_what_is_said(records)
    units, states = _units(book), evidence_states(book)
    proven = {need.kind: supported(book, need, states) for need in NEEDS}
    closed = crop_intervals(_keyed(book["harvest"], units), book["planting"])
    # The key of a unit is the number of its row.
    intervals = closed.hstack(rows_at(units.select("state", "acres", "county_fips", "is_placed"), closed["unit_key"]))
    entries = entries_of(intervals)
    every = _keyed(book["harvest"], units).select("farm_id", "harvest_id", "unit_key")
    every = every.join(entries.drop("unit_key"), on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    spread = _keyed(book["nutrient_application"], units)
    return PreparedBook(
        book=book,
        units=units,
        intervals=intervals,
        operations=_operations(_keyed(book["operation"], units), units, intervals),
        applications=applications(spread, book["inhibitor_acceptance"], units, intervals, every),
        budgets=budgets(book, entries, proven["soil_test"]),
        plantings=of_interval(book["planting"], every),
        covers=_covers(_keyed(proven["cover_crop"], units), book["cover_species"], intervals, every),
        declarations=of_interval(book["declaration"], entries),
        evidence=states,
        supported=proven,
    )


def _with_what_is_said(book: FrameBook) -> FrameBook:
    """Return a book for verdicts, with text that names nothing left blank, as ``records.book`` does."""
    changed = {}
    for kind, names in COLUMNS.items():
        texts = {name: book[kind][name].drop_nulls().unique().to_list() for name in names}
        silent = {name: none for name, said in texts.items() if (none := [text for text in said if not says(text)])}
        blank = [pl.when(~pl.col(name).is_in(none)).then(name).alias(name) for name, none in silent.items()]
        if blank:
            changed[kind] = book[kind].with_columns(blank)
    return replace(book, frames={**book.frames, **changed}) if changed else book


def place_of_row() -> pl.Expr:
    """Return where a unit lies as its row says it: ``is_placed_in_words`` for columns, or a boundary.

    Whether the boundary's file is there is asked where a report is signed (``report.plausibility``).
    """
    numbers = pl.col("fsa_field").str
    numbered = numbers.contains(FSA_NUMBERS.pattern) & ~numbers.contains(ONLY_DAY.pattern)
    in_law = pl.col("legal_description").str.contains(LEGAL_WORDS.pattern)
    return pl.coalesce("boundary", pl.when(numbered).then("fsa_field"), pl.when(in_law).then("legal_description"))


def _units(book: FrameBook) -> pl.DataFrame:
    """Return the units with their State: of the county, or the farm's where the unit names none."""
    farms = book["farm"].select("farm_id", pl.col("state").alias("farm_state")).unique("farm_id", keep="first")
    fips = pl.col("county_fips")
    own = fips.str.slice(0, 2).replace_strict(STATE_BY_FIPS, default=None, return_dtype=pl.String)
    return at_once(
        book["unit"]
        .lazy()
        .select("farm_id", "unit_id", "acres", "county_fips", place_of_row().is_not_null().alias("is_placed"))
        .with_row_index("unit_key")
        .join(farms.lazy(), on="farm_id", how="left", maintain_order="left")
        .with_columns(pl.when(fips.is_null()).then("farm_state").otherwise(own).alias("state"))
    )


def _keyed(rows: pl.DataFrame, units: pl.DataFrame) -> pl.DataFrame:
    """Give rows the key of their unit; rows of no unit fall away.

    Rows of one unit mostly lie beside each other: names are looked up once a run, not once a row.
    """
    on = ["farm_id", "unit_id"]
    keys = units.select(*on, "unit_key")
    if rows.height < MANY:
        keyed = rows.join(keys, on=on, how="left", maintain_order="left")
    else:
        first = rows.select(begins(*on)).to_series()
        heads = rows.select(on).filter(first).join(keys, on=on, how="left", maintain_order="left")
        keyed = rows.with_columns(heads["unit_key"].gather(pl.select(pl.lit(first).cum_sum() - 1).to_series()))
    return keyed.filter(pl.col("unit_key").is_not_null()) if keyed["unit_key"].null_count() else keyed


# Field operations beside what the operations list knows of them.

_RECORDED_TOO: Final = ("speed_mph", "depth_in", "surface_pct", "full_width", "primary_inversion")
_OF_LIST: Final = (
    *_RECORDED_TOO, "type_hundredths", "speed_mph_min", "depth_in_min", "published_stir", "several_tools", "gang_stir",
    "op_group", "is_traffic", "by_hand",
)  # fmt: skip
"""What verdicts ask the list; the columns of the first line the farm records too, and bear ``_listed`` at the end."""


def _operations(records: pl.DataFrame, units: pl.DataFrame, intervals: pl.DataFrame) -> pl.DataFrame:
    """Return field operations with their intervals and what the list knows of them.

    A recorded depth of zero means *not recorded* (interpretation 10).
    """
    distinct, which = spellings(records["operation"])
    beyond = pl.col("treated_acres") > pl.lit(units["acres"]).gather("unit_key")
    kept = records.select(
        "unit_key", "day", "equipment", "speed_mph", "width_ft", "surface_pct", "full_width", "primary_inversion",
        pl.when(pl.col("depth_in") != 0).then("depth_in").alias("depth_in"),
        beyond.fill_null(value=False).alias("is_beyond_unit"), pl.col("known_by").cast(pl.String),
        pl.col("evidence").is_not_null().alias("has_evidence"),
    )  # fmt: skip
    rows = kept.hstack(rows_at(_listed(distinct), which))
    placed = rows.with_columns(place(rows["unit_key"], rows["day"], intervals, rows["is_harvest"]))
    # Sorted keys make the grouping of every later step cheap.
    return placed if placed["interval_key"].is_sorted() else placed.sort("interval_key")


def _listed(names: pl.Series) -> pl.DataFrame:
    """Look up each name once, however many passes bear it, and decide once what kind of pass it is."""
    keys = names.to_frame("operation").lazy().select(folded("operation").alias("operation_key"))
    kinds = {"is_seeding": SEEDING, "is_harvest": ("harvest",)}
    found = keys.join(_list().lazy(), on="operation_key", how="left", maintain_order="left").with_columns(
        published_stir().alias("stir_published"),
        pl.col("operation_key").str.contains("manure").fill_null(value=False).alias("is_manure"),
        *(pl.col("op_group").is_in(of).fill_null(value=False).alias(name) for name, of in kinds.items()),
        pl.col("is_traffic", "by_hand").fill_null(value=False),
    )
    return at_once(found.drop("operation_key"))


@cache
def _list() -> pl.DataFrame:
    both = {name: f"{name}_listed" for name in _RECORDED_TOO}
    return operations_frame().select("operation_key", *_OF_LIST).rename(both)


def _covers(
    records: pl.DataFrame, species: pl.DataFrame, intervals: pl.DataFrame, entries: pl.DataFrame
) -> pl.DataFrame:
    """Return one row per cover crop with the interval of the crop that follows and what is known of its species.

    Adds ``species_rows``, ``legumes``, ``species_unknown`` (not in the catalogue), ``rates_unknown``.
    """
    mixes = (
        species.lazy()
        .with_columns(folded("species").alias("species_key"))
        .join(species_frame().lazy().select("species_key", "legume"), on="species_key", how="left")
        .group_by("farm_id", "cover_id")
        .agg(
            pl.len().cast(pl.Int32).alias("species_rows"),
            v.count_true(pl.col("legume")).alias("legumes"),
            v.count_null(pl.col("legume")).alias("species_unknown"),
            # Seeding nothing is no rate.
            v.count_null(pl.col("rate_lb_per_ac").replace(0, None)).alias("rates_unknown"),
        )
    )
    counts = ("species_rows", "legumes", "species_unknown", "rates_unknown")
    of_crop = of_interval(records, entries).lazy()
    crops = intervals.lazy().select("interval_key", "state", "last_day")
    return at_once(
        of_crop.join(mixes, on=["farm_id", "cover_id"], how="left", maintain_order="left")
        .join(crops, on="interval_key", how="left", maintain_order="left")
        .with_columns(pl.col(counts).fill_null(0))
    )
