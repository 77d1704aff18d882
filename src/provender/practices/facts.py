"""All facts of all crop intervals: one wide row each, from which every requirement decides."""

from collections.abc import Iterable
from typing import Final

import polars as pl

from provender.catalog.names import at_once, beside, rows_of, without
from provender.practices import verdict as v
from provender.practices.facts_budget import budget_facts, in_season_facts
from provender.practices.facts_control import control_facts
from provender.practices.facts_cover import cover_facts, declared_facts
from provender.practices.facts_nutrients import (
    misplaced_facts,
    nitrogen_rows,
    nutrient_facts,
    split_facts,
    standing_cover_facts,
)
from provender.practices.facts_stand import stand_passes
from provender.practices.facts_tillage import (
    SEASON,
    USE_OF_COVER,
    harvests_unexplained,
    residue_facts,
    season_facts,
    tillage_facts,
)
from provender.practices.implied_passes import implied_facts
from provender.practices.operation_wide import SINCE, THINGS, sufficient_until
from provender.practices.prepared_book import PreparedBook
from provender.practices.tillage import by_both_readings
from provender.rule.crops import Practice
from provender.rule.law import RuleVersion

# Counts of rows: where there are no rows there are none of them. Everything else stays null: the records do not say.
_COUNTS: Final = (
    "cover_use_passes", "cover_use_unclear", "passes", "stir_recorded", "stir_published", "stir_unknown",
    "stir_published_unknown", "full_width_passes", "full_width_unknown", "inversion_passes", "inversion_unknown",
    "burn_passes", "intensive_passes", "seeding_passes", "harvest_passes", "depth_missing", "width_missing",
    "speed_missing", "equipment_missing", "part_field_passes", "below_minimum_passes", "residue_passes",
    "shallow_passes", "stand_tilled",
    "residue_unknown", "cover_tilled", "cover_tilled_unknown", "passes_after_planting",
    "covers", "legumes", "species_unknown", "covers_without_species", "rates_unknown",
    "cover_acres", "winter_killed", "n_in_fall_earlier", "n_fall_earlier_unclear", "cover_applications_earlier",
    "intent_unclear_earlier", "cover_used", "cover_burned", "cover_worked_in", "terminations_undated",
    "seedings_undated",
    "seedings_without_method", "seedings_without_acres", "covers_without_photo", "n_rows", "n_unclear", "n_undated",
    "n_without_amount", "n_early", "n_in_fall", "n_fall_unclear", "n_without_inhibitor", "n_inhibitor_unclear",
    "inhibitor_refused", "inhibitor_unlisted", "inhibitor_unrated", "n_lb_per_ac", "n_inhibited", "n_trace",
    "nutrients_undated", "cover_applications", "intent_unclear", "nutrients_without_method", "nutrients_without_npk",
    "nutrient_rows", "n_off_analysis", "n_synthetic_differs", "inhibitor_under_label", "n_all_lb_per_ac",
    "n_trace_lb_per_ac",
    "n_synthetic_over_unit",
    "manure_passes", "plantings_without_pass", "pieces_without_pass", "passes_of_plantings", "harvests_unexplained",
    "nutrients_misplaced", "nutrients_beyond_unit", "p2o5_all_lb_per_ac", "k2o_all_lb_per_ac", "n_days", "n_days_most",
    "n_before", "n_after", "n_band", "n_split_unknown", "n_part_field", "n_reduced",
    "tests_undocumented", "in_season_tests",
)  # fmt: skip

HARVEST_STIR: Final = 1_500
"""What the list gives a combine, ten-thousandths."""
WIDE: Final = tuple(f"{thing}_{name}" for thing in THINGS for name in SINCE)
"""What of the farm is only asked to answer for each crop."""
_UNDATED: Final = ("passes_undated", "burns_undated", "cover_uses_undated", "nutrients_unplaced")


def facts(loaded: PreparedBook, law: RuleVersion, farm_wide: pl.DataFrame) -> pl.DataFrame:
    """Return one row per closed interval of a feedstock crop, keyed by ``interval_key``.

    Amounts keep the scales of the records; counts are 0 where there are no rows; days and answers are null where the
    records do not say. ``farm_wide`` is the result of ``operation_wide.sufficiency`` for whole farms.
    """
    places = loaded.units.select("unit_key", "county_fips", "place", "parcel_id")
    frame = beside(loaded.intervals.filter(pl.col("feedstock")), places, "unit_key")
    nitrogen = nitrogen_rows(loaded, law)
    parts = (
        declared_facts(loaded),
        tillage_facts(loaded, law),
        cover_facts(loaded, law),
        loaded.planted,
        implied_facts(loaded.implied, law.implied_pass_days),
        harvests_unexplained(loaded, law),
        nutrient_facts(nitrogen, law),
        misplaced_facts(nitrogen),
        split_facts(loaded, nitrogen, law),
        standing_cover_facts(loaded, nitrogen, law),
        budget_facts(loaded, law),
        in_season_facts(loaded, law),
    )
    frame = _beside(frame, [*parts, control_facts(loaded, law)])
    frame = _beside(frame, [residue_facts(loaded, frame), season_facts(loaded), stand_passes(loaded)])
    burns = loaded.operations.filter(pl.col("op_group") == "burning")
    uses = loaded.operations.filter(pl.col("op_group").is_in(USE_OF_COVER))
    undated = (
        _undated(loaded.operations, "passes_undated"),
        _undated(burns, "burns_undated"),
        _undated(uses, "cover_uses_undated"),
        _undated(loaded.applications.filter(pl.col("interval_key").is_null()), "nutrients_unplaced"),
    )
    frame = _beside(frame, undated, key="unit_key")
    counted = frame.lazy().with_columns(pl.col((*_COUNTS, *_UNDATED)).fill_null(0), _every_counts())
    # A crop entry proves the combine's pass (2100.051(c)(2)).
    by_entry = pl.when((pl.col("passes") > 0) & (pl.col("harvest_passes") == 0)).then(HARVEST_STIR).otherwise(0)
    whole = counted.with_columns(
        *((pl.col(name) + by_entry).alias(name) for name in ("stir_recorded", "stir_published")),
        *(pl.col(name).fill_null(0) for name in SEASON),
        pl.col("season_logged").fill_null(value=True),
        pl.col("control_open").fill_null(value=False),
    )
    wide = _beside(at_once(_derived(whole, law)), [farm_wide], key="farm_id")
    return wide.with_columns(sufficient_until(pl.col("last_day"))).select(pl.exclude(*WIDE))


def _beside(frame: pl.DataFrame, parts: Iterable[pl.DataFrame], *, key: str = "interval_key") -> pl.DataFrame:
    """Put the facts of each part beside their intervals; a part has one row for a key, and none for most of them."""
    keys = frame[key]
    found = [
        rows_of(part, key, keys)
        if keys.dtype.is_integer()
        else without(keys.to_frame().join(part, on=keys.name, how="left", maintain_order="left"), keys.name)
        for part in parts
    ]
    return pl.concat([frame, *found], how="horizontal")


def _every_counts() -> pl.Expr:
    names = [
        f"{name}_{end}" for name in ("suits", "fall", "spring", "method", "own_crop") for end in ("false", "unknown")
    ]
    return pl.col(names).fill_null(0)


def _undated(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    """Count the rows of each unit that have no day, and so may lie in any of its intervals."""
    if not rows["day"].null_count():
        return pl.DataFrame(schema={"unit_key": rows.schema["unit_key"], name: pl.Int32})
    undated = rows.filter(pl.col("day").is_null())
    return undated.group_by("unit_key").agg(pl.len().cast(pl.Int32).alias(name))


def _early(need: pl.Expr, law: RuleVersion) -> pl.Expr:
    """Tell whether more goes on before emergence than a split leaves for then; 1 or 0."""
    share = pl.col("n_before") * 100_000 > need * law.split_pre_emergence_pct_max
    return share.fill_null(False).cast(pl.Int32)


def _derived(frame: pl.LazyFrame, law: RuleVersion) -> pl.LazyFrame:
    """Add what follows from several facts together."""
    # Two entries of one harvest would otherwise make an interval of the second, with nothing in it but the combine.
    # A crop planted into a failed stand is planted once before and once after that stand was given up.
    planted = pl.when("replanted").then("planted_last").otherwise("planted_first")
    replanted = (planted >= pl.col("starts_on")).fill_null(False)
    same_crop = (pl.col("previous_crop") == pl.col("crop").cast(pl.String)).fill_null(False)
    before_harvest = (pl.col("planted_last") < pl.col("first_day")).fill_null(True)
    grown_here = (replanted | ~same_crop) & before_harvest
    # A pass with an implement that the list does not know may have planted the crop, where it was planted that day.
    sown = pl.col("seeding_passes") + pl.col("passes_of_plantings")
    sure_start = pl.col("start_proven") & ~pl.col("stand_unplanted") & ~pl.col("control_open") & ~pl.col("contradicted")
    # No crop grows without being planted and harvested: a list without both passes is not the list of all.
    complete = (
        pl.col("all_operations_listed").fill_null(False)
        & pl.col("starts_on").is_not_null()
        & sure_start
        & grown_here
        & pl.col("dated")
        & (pl.col("passes_undated") == 0)
        & (sown > 0)
        & (pl.col("passes") > 0)
        & (pl.col("plantings_without_pass") + pl.col("pieces_without_pass") + pl.col("harvests_unexplained") == 0)
    )
    nutrients_complete = (
        pl.col("all_nutrients_listed").fill_null(False)
        & sure_start
        & (pl.col("nutrients_unplaced") + pl.col("nutrients_misplaced") == 0)
    )
    need = pl.col("synthetic_n_need_lb_per_ac")
    return _within_limits(
        frame.with_columns(
            sown.alias("seeding_passes"),
            grown_here.alias("grown_here"),
            complete.alias("operations_complete"),
            nutrients_complete.alias("nutrients_complete"),
            pl.col("machine_logged").fill_null(False),
            (pl.col("n_first_day") - pl.col("planted_first")).dt.total_days().alias("n_first_day_from_planting"),
            (need * law.split_post_emergence_pct_min // 100_000).alias("n_need_post"),
            # The split is judged by what comes after emergence; much before it is told (interpretation 64).
            _early(need, law).alias("n_early_share"),
            *_planned_after_legume(need),
            _over_plan(law).alias("n_over_plan"),
            (_far_over(pl.col("n_synthetic_over_unit"), need, law) | _planned_over_need(law)).alias("n_over_need"),
            *_reduced(),
        ),
        law,
    )


def _within_limits(frame: pl.LazyFrame, law: RuleVersion) -> pl.LazyFrame:
    """Hold both sums of STIR against both limits, once for all who ask."""
    limits = {Practice.no_till: law.no_till_stir_max, Practice.reduced_till: law.reduced_till_stir_max}.items()
    return frame.with_columns(
        *(_stir_undecided(limit).alias(f"{practice}_stir_undecided") for practice, limit in limits),
        *(by_both_readings(limit).alias(f"{practice}_stir_within") for practice, limit in limits),
        *(_stand_over(limit).alias(f"{practice}_stir_of_stand_differs") for practice, limit in limits),
    )


def _over_plan(law: RuleVersion) -> pl.Expr:
    """Return where far more nitrogen went on than was planned in all, or from commercial fertilizer and starter."""
    in_all = (
        _far_over(pl.col(f"{one}_all_lb_per_ac"), pl.col(f"planned_{one}_lb_per_ac"), law)
        for one in ("n", "p2o5", "k2o")
    )
    from_bags = _far_over(pl.col("n_synthetic_over_unit"), _from_bags(), law)
    return v.any_mark((*in_all, from_bags, _planned_over_need(law)))


def _from_bags() -> pl.Expr:
    """Return what the budget has from fertilizer and starter; null unless every source that is present has pounds."""
    known = (pl.col("sources_without_amount") == 0) & pl.col("source_fertilizer")
    return pl.when(known).then("source_fertilizer_n")


def _planned_over_need(law: RuleVersion) -> pl.Expr:
    """Return where far more synthetic nitrogen is planned than the need that is stated."""
    planned = pl.coalesce(_from_bags(), "planned_n_lb_per_ac")
    return _far_over(planned, pl.col("synthetic_n_need_lb_per_ac"), law)


def _far_over(applied: pl.Expr, planned: pl.Expr, law: RuleVersion) -> pl.Expr:
    """Return where far more went on than was planned; traces are none (interpretation 21)."""
    far = applied * 100_000 > planned * law.applied_n_of_plan_pct_max
    return (far & (applied > planned + law.trace_n_season_lb_per_ac)).fill_null(value=False)


def _reduced() -> tuple[pl.Expr, pl.Expr]:
    """Return N after emergence with what was left out, and whether less is missing from the plan than is said."""
    # Traces feed no crop (interpretation 21): they fill nothing of the plan.
    fed = pl.col("n_all_lb_per_ac") - pl.col("n_trace_lb_per_ac")
    missing = (pl.col("planned_n_lb_per_ac") - fed).clip(0)
    left_out = pl.when(pl.col("n_reduced") > missing).then(missing).otherwise("n_reduced")
    return (
        (pl.col("n_after") + left_out).alias("n_after_with_reductions"),
        (pl.col("n_reduced") > missing).fill_null(value=False).cast(pl.Int32).alias("n_reduced_beyond_plan"),
    )


def _planned_after_legume(need: pl.Expr) -> tuple[pl.Expr, pl.Expr]:
    """Return the planned N and the most it may be where a legume's nitrogen is taken off; null elsewhere."""
    adjusted = (pl.col("legumes") > 0) & (pl.col("n_adjustment_lb_per_ac") > 0)
    most = (need - pl.col("n_adjustment_lb_per_ac")).clip(0)
    return (
        pl.when(adjusted).then("planned_n_lb_per_ac").alias("n_planned_after_legume"),
        pl.when(adjusted).then(most).alias("n_planned_most"),
    )


def _stir_undecided(limit: int) -> pl.Expr:
    """Return where STIR is known as recorded, but the list's values lie on the other side (interpretation 10)."""
    other_side = (pl.col("stir_recorded") > limit) != (pl.col("stir_published") > limit)
    open_ = other_side | (pl.col("stir_published_unknown") > 0)
    return (pl.col("stir_unknown") == 0) & open_ & ~pl.col("machine_logged").fill_null(value=False)


def _stand_over(limit: int) -> pl.Expr:
    """Return where the passes of a stand that was given up exceed a limit alone, or may (interpretations 66, 81)."""
    published = (pl.col("season_stir_published") > limit) | (pl.col("season_stir_published_unknown") > 0)
    over = (pl.col("season_stir_recorded") > limit) | (pl.col("season_stir_unknown") > 0)
    return pl.col("replanted") & (over | (published & ~pl.col("season_logged")))
