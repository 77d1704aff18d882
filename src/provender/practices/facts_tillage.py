"""What the records say of the passes of one crop interval."""

from typing import Final

import polars as pl

from provender.catalog.names import beside, collected
from provender.practices import verdict as v
from provender.practices.known_by import LOGGED
from provender.practices.prepared_book import PreparedBook
from provender.practices.stir import with_recorded_stir
from provender.rule.law import RuleVersion

USE_OF_COVER: Final = ("grazing", "hay")
SEASON: Final = (
    "season_stir_recorded", "season_stir_unknown", "season_stir_published", "season_stir_published_unknown",
)  # fmt: skip
"""Sums over the passes of failed stands before a crop."""


def tillage_facts(loaded: PreparedBook, _: RuleVersion) -> pl.DataFrame:
    """Return one row per interval with passes. STIR sums are whole ten-thousandths of what is known."""
    recorded, published = v.total(pl.col("stir_recorded")), v.total(pl.col("stir_published"))
    full, inverts = pl.col("is_full_width"), pl.col("is_inversion")
    working = ~pl.col("is_traffic")
    found = (
        _judged(_in_order(loaded.operations))
        .group_by("interval_key")
        .agg(
            pl.len().cast(pl.Int32).alias("passes"),
            recorded.known.alias("stir_recorded"),
            recorded.unknown.alias("stir_unknown"),
            published.known.alias("stir_published"),
            published.unknown.alias("stir_published_unknown"),
            v.count_true(full).alias("full_width_passes"),
            v.count_null(full).alias("full_width_unknown"),
            v.count_true(inverts).alias("inversion_passes"),
            v.count_null(inverts).alias("inversion_unknown"),
            v.count_true(pl.col("is_burning")).alias("burn_passes"),
            v.count_true(full & pl.col("is_intensive")).alias("intensive_passes"),
            v.count_true(pl.col("is_seeding")).alias("seeding_passes"),
            v.count_true(pl.col("is_harvest")).alias("harvest_passes"),
            v.count_true(pl.col("is_manure")).alias("manure_passes"),
            v.count_true(
                working & pl.col("depth_in").is_null() & ~pl.col("shallow") & pl.col("has_tools").is_null()
            ).alias("depth_missing"),
            v.count_true(working & pl.col("shallow")).alias("shallow_passes"),
            v.count_true(working & pl.col("width_ft").is_null()).alias("width_missing"),
            v.count_true(working & pl.col("speed_mph").is_null()).alias("speed_missing"),
            v.count_null(pl.col("equipment")).alias("equipment_missing"),
            v.count_true(pl.col("part_field")).alias("part_field_passes"),
            v.count_true(pl.col("below_minimum")).alias("below_minimum_passes"),
            v.every(v.count_false(pl.col("logged") | ~working), pl.lit(0), pl.len()).alias("machine_logged"),
        )
    )
    return collected(found, loaded.operations.height)


def harvests_unexplained(loaded: PreparedBook, law: RuleVersion) -> pl.DataFrame:
    """Count per interval the harvest passes that lie on no day of a crop entry: another crop may have been cut."""
    placed = pl.col("is_harvest") & pl.col("interval_key").is_not_null()
    passes = loaded.operations.select("interval_key", "day", "is_harvest").filter(placed)
    rows = beside(passes, loaded.intervals.select("interval_key", "first_day"), "interval_key")
    early = pl.col("day") < pl.col("first_day") - pl.duration(days=law.implied_pass_days)
    return rows.group_by("interval_key").agg(v.count_true(early).alias("harvests_unexplained"))


def season_facts(loaded: PreparedBook) -> pl.DataFrame:
    """Return the STIR sums of the stands that failed before a crop was planted again (interpretations 66, 81).

    One row per such interval; whole ten-thousandths of what is known.
    """
    again = loaded.intervals.filter("replanted")["interval_key"]
    if again.is_empty():
        counts = {name: pl.Int32 if name.endswith("unknown") else pl.Int64 for name in SEASON}
        of = {"season_logged": pl.Boolean, **counts}
        return pl.DataFrame(schema={"interval_key": pl.UInt32, **of})
    recorded, published = v.total(pl.col("stir_recorded")), v.total(pl.col("stir_published"))
    of_stand = pl.col("crop_key") != pl.col("interval_key")
    rows = loaded.operations.filter(pl.col("crop_key").is_in(again.implode()) & of_stand)
    sums = (recorded.known, recorded.unknown, published.known, published.unknown)
    named = (expression.alias(name) for expression, name in zip(sums, SEASON, strict=True))
    logged = v.every(v.count_false(pl.col("logged") | pl.col("is_traffic")), pl.lit(0), pl.len()).alias("season_logged")
    return _judged(rows.lazy()).group_by(pl.col("crop_key").alias("interval_key")).agg(logged, *named).collect()


def _in_order(rows: pl.DataFrame) -> pl.LazyFrame:
    """Keep the passes of some interval, and tell the engine where their keys are sorted: a filter forgets that."""
    key = pl.col("interval_key")
    in_order = rows["interval_key"].drop_nulls().is_sorted()
    return rows.lazy().filter(key.is_not_null()).with_columns(key.set_sorted() if in_order else key)


def judged_passes(loaded: PreparedBook, *columns: str) -> pl.DataFrame:
    """Return the operations with STIR by both readings and the flags that decide; ``columns`` alone where given."""
    judged = _judged(loaded.operations.lazy())
    return collected(judged.select(columns) if columns else judged, loaded.operations.height)


def _judged(operations: pl.LazyFrame) -> pl.LazyFrame:
    """Judge passes; lazily, since only then does the engine compute a shared part once and leave out what nobody asks.

    A typed speed or depth below the published minimum counts only with evidence (interpretation 10); without it the
    list's value stands. The farm's own *no* counts only where the operation is not listed; its *yes* always.
    """
    logged = pl.col("known_by").cast(pl.String).is_in(LOGGED).fill_null(False)
    proven = logged | pl.col("evidenced")
    slow = (pl.col("speed_mph") < pl.col("speed_mph_min")).fill_null(False)
    shallow = (pl.col("depth_in") < pl.col("depth_in_min")).fill_null(False)
    deep = pl.col("depth_in").is_not_null() | (pl.col("has_tools").fill_null(False) & _unlisted())
    machine = logged & (pl.col("speed_mph") > 0).fill_null(False) & deep & _as_listed()
    passes = operations.with_columns(
        ((slow | shallow) & ~proven).alias("below_minimum"),
        (shallow & ~proven).alias("shallow"),
        machine.alias("logged"),
        pl.when(proven | ~slow).then(pl.col("speed_mph")).alias("speed_mph"),
        pl.when(proven | ~shallow).then(pl.col("depth_in")).alias("depth_in"),
        _admitted("full_width").alias("is_full_width"),
        _admitted("primary_inversion").alias("is_inversion"),
    )
    # The list has no second reading of an implement that it does not know: its recorded tools are the only one.
    return with_recorded_stir(passes).with_columns(
        pl.when(_unlisted()).then("stir_recorded").otherwise("stir_published").alias("stir_published")
    )


def _unlisted() -> pl.Expr:
    return pl.col("op_group").is_null()


def _admitted(flag: str) -> pl.Expr:
    """Return the list's flag, or the farm's own where the list has none; what the farm admits stands in any case."""
    return pl.when(pl.col(flag).fill_null(False)).then(True).otherwise(pl.coalesce(f"{flag}_listed", flag))


def _as_listed() -> pl.Expr:
    """Return where a value rests on the list but for speed and depth: no machine logs surface share or tools.

    An implement that is not listed has nothing but its tools to go by.
    """
    surface = pl.col("surface_pct").replace(0, None)
    whole = surface.is_null() | (surface >= pl.col("surface_pct_listed")).fill_null(False)
    return (whole & ~pl.col("has_tools").fill_null(False)) | (_unlisted() & pl.col("has_tools").fill_null(False))


def residue_facts(loaded: PreparedBook, frame: pl.DataFrame) -> pl.DataFrame:
    """Count what disturbs the cover and its residue up to the last planting, that day included (interpretation 63).

    A full-width pass after seeding ends a living cover and buries a dead one: either fails, whatever day the records
    give for its end. One within ``cover_incorporation_days`` of broadcasting works the seed in. Passes that graze or
    harvest are counted from seeding. ``frame`` holds the facts so far, with ``covers``, its days and plantings.
    """
    spans = frame.filter(pl.col("covers") > 0).select(
        "interval_key", "terminated_on", "planted_last", "seeded_on", "incorporated_by"
    )
    full, day = _admitted("full_width"), pl.col("day")
    rows = loaded.operations.lazy().join(spans.lazy(), left_on="crop_key", right_on="interval_key", how="inner")
    planted = day <= pl.col("planted_last")
    residue = (day >= pl.col("terminated_on")) & planted
    living = (day > pl.col("incorporated_by")) & (day < pl.col("terminated_on")) & planted
    between = day.is_between("seeded_on", "planted_last", closed="right")
    uses = pl.col("op_group").is_in(USE_OF_COVER).fill_null(False)
    sums = rows.group_by(pl.col("crop_key").alias("interval_key")).agg(
        v.count_true(uses & between).alias("cover_use_passes"),
        v.count_true(uses & between.is_null()).alias("cover_use_unclear"),
        v.count_true(residue & full).alias("residue_passes"),
        v.count_true(residue & full.is_null()).alias("residue_unknown"),
        v.count_true(living & full).alias("cover_tilled"),
        v.count_true(living & full.is_null()).alias("cover_tilled_unknown"),
        v.count_true(full & (day > pl.col("planted_last"))).alias("passes_after_planting"),
    )
    return collected(sums, loaded.operations.height)
