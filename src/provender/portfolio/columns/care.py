"""Which farms are not plain, so that the law itself judges them: the one place that says what columns leave out.

Each mark is of something rare that takes much to judge. What columns do not read must be marked here: a farm that is
marked for nothing costs time, one that is not marked gets a wrong answer.
"""

from collections.abc import Iterator
from typing import Final

import polars as pl

from provender.portfolio.columns import three_valued as v
from provender.portfolio.columns.evidence import links
from provender.portfolio.columns.intervals import place
from provender.portfolio.columns.prepare import PreparedBook
from provender.portfolio.columns.tillage import logs_may_decide
from provender.portfolio.frames import folded
from provender.records.book import ENDINGS, TERMINATED
from provender.rule.law import latest_whole
from provender.standards.cover_crop import ALLOWED_ENDS, USES_OF_COVER
from provender.standards.standard import OTHER
from provender.standards.unit import LOGS_OF_HARVEST, TRACE_METHODS

_ALWAYS: Final = ("control", "in_season_test", "operation_tool")
"""Kinds of record whose rows are judged by the law alone."""


def farms_to_hand_over(loaded: PreparedBook, facts: pl.DataFrame, supplies: pl.DataFrame) -> pl.Series:
    """Return the farms that are not plain.

    Args:
        loaded: the records of the batch.
        facts: one row per interval, as ``judge`` has them.
        supplies: seed and inhibitor of each farm (``supply.supplies``).
    """
    seed = pl.col("seed_lasted").is_null() & pl.col("seed_since").is_not_null()
    inhibitor = pl.col("inhibitor_lasted").is_null() & pl.col("inhibitor_since").is_not_null()
    farms = [loaded.book[kind]["farm_id"] for kind in _ALWAYS]
    farms += [_of_harvests(loaded), _of_books(loaded), *_of_crops(loaded)]
    farms += [_of_applications(loaded.applications), supplies.filter(seed | inhibitor)["farm_id"]]
    if not facts.is_empty():
        farms.append(facts.filter(logs_may_decide() | (pl.col("low_with_evidence") > 0))["farm_id"])
    units = pl.concat(_of_units(loaded)).unique()
    farms.append(loaded.units.filter(pl.col("unit_key").is_in(units.implode()))["farm_id"])
    return pl.concat(one.cast(pl.String) for one in farms).unique().drop_nulls().sort()


def _of_books(loaded: PreparedBook) -> pl.Series:
    """Mark budgets by an expert's opinion, several of a crop, manure or a cut cover that is declared, rates of labels.

    And States that say something twice of an inhibitor.
    """
    book = loaded.book
    state, said = pl.col("state").str.strip_chars().str.to_uppercase(), book["inhibitor_acceptance"]
    labels = pl.col("label_rate").is_not_null() | pl.struct("farm_id", state, folded("inhibitor")).is_duplicated()
    opinion = book["nutrient_budget"].filter(pl.col("basis").cast(pl.String) == "expert_opinion")
    rivals = loaded.budgets.filter(pl.col("budgets") > 1)
    admitted = book["declaration"].filter(pl.col("manure_applied") | pl.col("cover_harvested"))
    return pl.concat(one["farm_id"] for one in (said.filter(labels), opinion, rivals, admitted))


def _of_harvests(loaded: PreparedBook) -> pl.Series:
    """Mark crops that are none, stands given up, ends without a day or out of order, and what was weighed before."""
    harvest, near = loaded.book["harvest"], pl.duration(days=latest_whole("implied_pass_days"))
    ending = pl.col("ending").cast(pl.String)
    first, last = pl.coalesce("first_day", "last_day"), pl.coalesce("last_day", "first_day")
    unnamed = (pl.col("crop").cast(pl.String) == OTHER).fill_null(value=False)
    odd = unnamed | (ending == TERMINATED) | (ending.is_in(ENDINGS) & ~(first <= last).fill_null(value=False))
    begun = loaded.intervals.select(
        "farm_id",
        "unit_id",
        pl.col("crop").cast(pl.String),
        "harvest_year",
        (pl.col("first_day") - near).alias("_begun"),
    )
    tickets = loaded.book["scale_ticket"].select(
        "farm_id", "unit_id", pl.col("crop").cast(pl.String), "day", pl.col("harvest_year").alias("_year")
    )
    weighed = tickets.join(begun, on=["farm_id", "unit_id", "crop"]).filter(pl.col("day") < pl.col("_begun"))
    fresh = (pl.col("_year").is_null() | (pl.col("_year") == pl.col("day").dt.year())) & (
        (pl.col("_begun") - pl.col("day")).dt.total_days() <= latest_whole("harvest_apart_days")
    )
    of_year = (pl.col("_year") == pl.col("harvest_year")).fill_null(value=False)
    named = harvest.filter(pl.col("evidence").is_not_null()).select("farm_id", "evidence", first.alias("_first"))
    logs = links(named, "evidence", loaded.evidence).filter(
        pl.col("what").is_in(LOGS_OF_HARVEST), pl.col("taken_on") < pl.col("_first") - near
    )
    return pl.concat([harvest.filter(odd)["farm_id"], weighed.filter(of_year | fresh)["farm_id"], logs["farm_id"]])


def _of_crops(loaded: PreparedBook) -> Iterator[pl.Series]:
    """Mark days of plantings and covers outside the time of the crop they name, and what covers seldom have."""
    plantings, covers = loaded.plantings, loaded.covers
    key, named = pl.col("interval_key"), pl.col("interval_key").is_not_null()
    planted = place(plantings["unit_key"], plantings["planted_on"], loaded.intervals)
    elsewhere = planted.ne_missing(plantings["interval_key"]) | plantings["planted_on"].is_null()
    beyond = (plantings["acres"] > loaded.units["acres"].gather(plantings["unit_key"])).fill_null(value=False)
    yield plantings.filter(elsewhere | beyond)["farm_id"]
    seeded = place(covers["unit_key"], covers["seeded_on"], loaded.intervals).ne_missing(covers["interval_key"])
    ended = place(covers["unit_key"], covers["terminated_on"], loaded.intervals)
    late = covers["terminated_on"].is_not_null() & ended.ne_missing(covers["interval_key"])
    method = pl.col("termination_method").cast(pl.String)
    marks = (
        pl.col("unit_key") != pl.col("unit_of_crop"),
        pl.col("seeded_on").is_null(),
        pl.col("terminated_on") < pl.col("seeded_on"),
        (pl.col("species_rows") == 0) | (pl.col("species_unknown") > 0),
        ~method.is_in(ALLOWED_ENDS),
        pl.col("method").cast(pl.String) == "broadcast_incorporated",
        pl.col("planted_green").is_not_null(),
    )
    yield covers.filter(seeded | late | v.any_mark(marks))["farm_id"]
    yield loaded.declarations.filter(key.is_duplicated())["farm_id"]
    used = loaded.operations.filter(pl.col("op_group").is_in(USES_OF_COVER))["interval_key"].unique()
    yield covers.filter(named & key.is_in(used.implode()))["farm_id"]


def _of_applications(rows: pl.DataFrame) -> pl.Series:
    """Mark applications without a day, of another crop's time, by zones, for the cover, off the list, and traces."""
    riding = pl.col("method").cast(pl.String).is_in(TRACE_METHODS)
    marks = (
        pl.col("day").is_null(),
        pl.col("misplaced"),
        pl.col("zone").is_not_null(),
        pl.col("treated_acres") == 0,
        pl.col("intended_for").cast(pl.String) == "cover_crop",
        pl.col("product_synthetic_n").is_null(),
        pl.col("product_inhibitor").is_not_null(),
        pl.col("carries").is_null(),
        riding & pl.col("carries"),
    )
    return rows.filter(v.any_mark(marks))["farm_id"]


def _of_units(loaded: PreparedBook) -> list[pl.Series]:
    """Mark units with a pass without a day, over more acres than there are, or that harvests at another time."""
    near = pl.duration(days=latest_whole("implied_pass_days"))
    passes = loaded.operations
    undated = passes.filter(pl.col("day").is_null() | pl.col("is_beyond_unit"))["unit_key"]
    starts = loaded.intervals.select("interval_key", "first_day")
    cut = passes.filter("is_harvest").join(starts, on="interval_key", how="left")
    stray = pl.col("interval_key").is_null() | (pl.col("day") < pl.col("first_day") - near)
    return [undated, cut.filter(stray.fill_null(value=True))["unit_key"]]
