"""2100.051 in columns: reduced till (a), no-till (b), and what the records of both must show (c).

The requirements are said in ``standards.tillage``; an interval's facts are one row here.
"""

from typing import Final

import polars as pl

from provender.catalog.names import collected
from provender.portfolio.columns import three_valued as v
from provender.portfolio.columns.stir import with_recorded_stir
from provender.portfolio.columns.three_valued import expression
from provender.rule.law import RuleVersion
from provender.standards.evidence import LOGGED

HARVEST_STIR: Final = 1_500
"""What the list gives a combine, ten-thousandths: a crop entry proves its pass (2100.051(c)(2))."""


def judged_passes(operations: pl.DataFrame) -> pl.LazyFrame:
    """Return passes with STIR by both readings and the flags that decide.

    A typed speed or depth below the published minimum does not count; the list's value stands (interpretation 10). The
    farm's own *no* counts only where the operation is not listed; its *yes* always.
    """
    slow = (pl.col("speed_mph") < pl.col("speed_mph_min")).fill_null(value=False)
    shallow = (pl.col("depth_in") < pl.col("depth_in_min")).fill_null(value=False)
    logged = pl.col("has_evidence") & pl.col("known_by").is_in(LOGGED).fill_null(value=False)
    passes = operations.lazy().with_columns(
        ((slow | shallow) & pl.col("has_evidence")).alias("low_with_evidence"),
        (~logged & ~pl.col("is_traffic")).alias("is_unlogged"),
        pl.when(~slow).then("speed_mph").alias("speed_mph"),
        pl.when(~shallow).then("depth_in").alias("depth_in"),
        admitted("full_width").alias("is_full_width"),
        admitted("primary_inversion").alias("is_inversion"),
    )
    return with_recorded_stir(passes)


def admitted(flag: str) -> pl.Expr:
    """Return the list's flag, or the farm's own where the list has none; what the farm admits stands in any case."""
    return pl.when(pl.col(flag).fill_null(value=False)).then(True).otherwise(pl.coalesce(f"{flag}_listed", flag))


def tillage_facts(operations: pl.DataFrame) -> pl.DataFrame:
    """Return one row per interval with passes; STIR sums are whole ten-thousandths of what is known."""
    recorded, published = v.total(pl.col("stir_recorded")), v.total(pl.col("stir_published"))
    full, inverts, works = pl.col("is_full_width"), pl.col("is_inversion"), ~pl.col("is_traffic")
    found = (
        judged_passes(operations)
        .filter(pl.col("interval_key").is_not_null())
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
            v.count_true(pl.col("op_group") == "burning").alias("burn_passes"),
            v.count_true(pl.col("is_seeding")).alias("seeding_passes"),
            v.count_true(pl.col("is_harvest")).alias("harvest_passes"),
            v.count_true(pl.col("is_manure")).alias("manure_passes"),
            v.count_true(works & pl.col("depth_in").is_null()).alias("depth_missing"),
            v.count_true(works & pl.col("width_ft").is_null()).alias("width_missing"),
            v.count_true(works & pl.col("speed_mph").is_null()).alias("speed_missing"),
            v.count_null(pl.col("equipment")).alias("equipment_missing"),
            v.count_true(pl.col("is_unlogged")).alias("unlogged_passes"),
            v.count_true(pl.col("low_with_evidence")).alias("low_with_evidence"),
        )
    )
    return collected(found, operations.height)


def derived(frame: pl.LazyFrame, law: RuleVersion) -> pl.LazyFrame:
    """Add what follows from the facts of an interval together: whether its list of passes is whole, and STIR."""
    # Two entries of one harvest would otherwise make an interval of the second, with nothing in it but the combine.
    same_crop = (pl.col("previous_crop") == pl.col("crop").cast(pl.String)).fill_null(value=False)
    grown_here = ~same_crop | pl.col("planted_first").is_not_null()
    # A pass with an implement that the list does not know may have planted the crop, where it was planted that day.
    sown = pl.col("seeding_passes") + pl.col("passes_of_plantings") > 0
    # No crop grows without being planted and harvested: a list without both passes is not the list of all.
    complete = (
        pl.col("all_operations_listed").fill_null(value=False)
        & pl.col("starts_on").is_not_null()
        & grown_here
        & sown
        & (pl.col("passes") > 0)
        & (pl.col("passes_missing") == 0)
    )
    by_entry = pl.when((pl.col("passes") > 0) & (pl.col("harvest_passes") == 0)).then(HARVEST_STIR).otherwise(0)
    limits = {"no_till": law.no_till_stir_max, "reduced_till": law.reduced_till_stir_max}.items()
    return (
        frame.with_columns(
            complete.alias("operations_complete"),
            *((pl.col(name) + by_entry).alias(name) for name in ("stir_recorded", "stir_published")),
        )
        .with_columns(_within(limit, reading).alias(f"{name}_{reading}") for name, limit in limits
                      for reading in ("recorded", "published"))
    )  # fmt: skip


def _within(limit: int, reading: str) -> pl.Expr:
    unknown = {"recorded": "stir_unknown", "published": "stir_published_unknown"}[reading]
    return v.at_most(v.Total(pl.col(f"stir_{reading}"), pl.col(unknown)), limit, pl.col("operations_complete"))


def logs_may_decide() -> pl.Expr:
    """Return where both readings of STIR disagree and every working pass may have been logged (interpretation 10)."""
    differ = v.any_mark(
        pl.col(f"{name}_recorded").ne_missing(pl.col(f"{name}_published")) for name in ("no_till", "reduced_till")
    )
    return differ & (pl.col("unlogged_passes") == 0)


def _stir(practice: str) -> pl.Expr:
    """Judge by recorded and by published values: both on one side of the limit, that side; else not shown."""
    recorded = pl.col(f"{practice}_recorded")
    return pl.when((recorded == pl.col(f"{practice}_published")).fill_null(value=False)).then(recorded)


@expression
def reduced_till_stir_within_limit(_: RuleVersion) -> pl.Expr:
    """The sum counts every operation of the interval, fallow included."""
    return _stir("reduced_till")


@expression
def reduced_till_no_primary_inversion(_: RuleVersion) -> pl.Expr:
    """By type and by name (interpretation 8)."""
    return v.none_of(pl.col("inversion_passes"), pl.col("inversion_unknown"), pl.col("operations_complete"))


@expression
def reduced_till_residue_not_burned(_: RuleVersion) -> pl.Expr:
    """A missing row shows nothing: the producer answers (interpretation 2)."""
    return not_burned()


@expression
def no_till_no_full_width_disturbance(_: RuleVersion) -> pl.Expr:
    """No-till forbids full-width disturbance at any depth, whatever the STIR (interpretations 8, 12)."""
    return v.none_of(pl.col("full_width_passes"), pl.col("full_width_unknown"), pl.col("operations_complete"))


@expression
def no_till_stir_within_limit(_: RuleVersion) -> pl.Expr:
    """The limit holds whether or not there was strip tillage or injection (interpretation 8)."""
    return _stir("no_till")


@expression
def no_till_residue_not_burned(_: RuleVersion) -> pl.Expr:
    """A missing row shows nothing: the producer answers (interpretation 2)."""
    return not_burned()


def not_burned() -> pl.Expr:
    """Judge burning by the passes and by the producer's answer."""
    answered = pl.col("residue_burned").is_not_null()
    return v.none_of(pl.col("burn_passes"), pl.lit(0), answered) & ~pl.col("residue_burned")


# (c) Records. They show a thing or do not yet: nothing here can be not met.


def located() -> pl.Expr:
    """Return where the records show the unit's acres, its county, and where it lies."""
    return v.shown(v.all_known(("acres", "county_fips")) & pl.col("is_placed"))


def bushels_known() -> pl.Expr:
    """Return where the bushels harvested from the unit are on record."""
    return v.shown(pl.col("bushels").is_not_null())


@expression
def records_tillage_unit(_: RuleVersion) -> pl.Expr:
    """Acres, county and a boundary, FSA field or legal description."""
    return located()


@expression
def records_tillage_all_operations(_: RuleVersion) -> pl.Expr:
    """A list without planting or harvest cannot be the list of all operations."""
    return v.shown(pl.col("operations_complete") & (pl.col("harvest_passes") > 0))


def _of_passes(*missing: str) -> pl.Expr:
    return v.shown((pl.col("passes") > 0) & pl.all_horizontal(pl.col(name) == 0 for name in missing))


@expression
def records_tillage_depth_width_speed(_: RuleVersion) -> pl.Expr:
    """Passes that only drive over the ground have no depth of disturbance."""
    return _of_passes("depth_missing", "width_missing", "speed_missing")


@expression
def records_tillage_equipment(_: RuleVersion) -> pl.Expr:
    """Maker, model or the farm's own name of the implement."""
    return _of_passes("equipment_missing")


@expression
def records_tillage_dates(_: RuleVersion) -> pl.Expr:
    """Every pass of a plain farm has its day."""
    return v.shown(pl.col("passes") > 0)


@expression
def records_tillage_bushels(_: RuleVersion) -> pl.Expr:
    """The unit's bushels carry the practice."""
    return bushels_known()
