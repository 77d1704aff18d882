"""What the records say of the nutrient budget of one crop interval, and of what it rests on."""

from typing import Final

import polars as pl

from provender.catalog.names import beside
from provender.practices import verdict as v
from provender.practices.prepared_book import PreparedBook
from provender.records.kinds.nutrients import N_SOURCES
from provender.rule.law import RuleVersion

PLAN: Final = ("yield_goal_bu_per_ac", "planned_n_lb_per_ac", "planned_p2o5_lb_per_ac", "planned_k2o_lb_per_ac")
REMOVALS: Final = ("removal_n_lb_per_ac", "removal_p2o5_lb_per_ac", "removal_k2o_lb_per_ac")
OF_THE_PRACTICE: Final = ("field_crops", "soil_fertility", "nutrient_management")
"""Work of experts that is related to nutrients on every feedstock crop (2100.053(a)(2))."""


def budget_facts(loaded: PreparedBook, law: RuleVersion) -> pl.DataFrame:
    """Return one row per interval that has a nutrient budget; of several budgets the first made counts."""
    harvested = loaded.intervals.select("interval_key", "first_day", "crop")
    rows = beside(loaded.budgets, harvested, "interval_key")
    in_time = pl.col("budget_made_on") < pl.col("first_day")
    oldest = pl.col("sampled_on").dt.offset_by(f"{law.soil_test_max_years}y")
    test_fits = (pl.col("sampled_on") <= pl.col("budget_made_on")) & (pl.col("budget_made_on") <= oldest)
    basis = pl.col("basis").cast(pl.String)
    planned = v.all_known((*PLAN, *REMOVALS))
    return rows.select(
        "interval_key",
        "budget_made_on",
        planned.alias("budget_planned"),
        (pl.lit(len(N_SOURCES), pl.Int32) - pl.col("sources_answered")).alias("sources_unanswered"),
        "sources_without_amount",
        "source_fertilizer",
        "source_fertilizer_n",
        "source_manure",
        "source_irrigation",
        "sources_none",
        basis.alias("budget_basis"),
        pl.when(basis == "soil_test")
        .then(test_fits & pl.when("soil_results").then(True))
        .when(basis == "expert_opinion")
        .then(_expert_fits())
        .alias("basis_fits"),
        "sampled_on",
        test_fits.alias("soil_test_fits"),
        (pl.col("laboratory").is_not_null() & pl.col("soil_method").is_not_null()).alias("soil_test_documented"),
        pl.col("soil_results").fill_null(False),
        "soil_test_on_file",
        (pl.col("opinion_on_file") | (basis != "expert_opinion").fill_null(True))
        .fill_null(False)
        .alias("basis_on_file"),
        "synthetic_n_need_lb_per_ac",
        pl.col("need_source").is_not_null().alias("need_sourced"),
        in_time.alias("budget_in_time"),
        # A plan for a crop is written while it grows at the latest.
        *(pl.when(in_time).then(name).alias(name) for name in ("legume_n_lb_per_ac", "n_adjustment_lb_per_ac")),
        "planned_n_lb_per_ac",
        "planned_p2o5_lb_per_ac",
        "planned_k2o_lb_per_ac",
        pl.col("source_file").alias("budget_file"),
        pl.col("source_row").alias("budget_row"),
        "budgets",
    )


def _expert_fits() -> pl.Expr:
    """Return whether an expert of the kinds the rule names, and of the field, gave the opinion before the budget."""
    of_kind = pl.when(pl.col("employer").cast(pl.String) != "other").then(True)
    works_on = pl.when(pl.col("expert").is_not_null()).then(pl.col("works_on").cast(pl.String).replace("other", None))
    of_field = (works_on == pl.col("crop").cast(pl.String)) | works_on.is_in(OF_THE_PRACTICE)
    return of_kind & (pl.col("given_on") <= pl.col("budget_made_on")) & of_field


_IN_SEASON: Final = {
    "interval_key": pl.UInt32, "n_reduced": pl.Int64, "tests_undocumented": pl.Int32, "in_season_tests": pl.Int32,
}  # fmt: skip


def in_season_facts(loaded: PreparedBook, law: RuleVersion) -> pl.DataFrame:
    """Return per interval the documented reductions of synthetic N, in thousandths of a pound per acre.

    A test is of the season when it was taken between planting and the end of harvest; scouting needs no laboratory.
    It counts with its result, and before the planned day of what it reduced (interpretation 64); that day lies after
    any on which the crop has surely not emerged, and not after harvest, since only N after emergence may be reduced.
    """
    if loaded.tests.is_empty():
        return pl.DataFrame(schema=_IN_SEASON)
    days = loaded.planted.select("interval_key", "planted_first")
    ends = loaded.intervals.select("interval_key", "last_day")
    rows = beside(beside(loaded.tests, days, "interval_key"), ends, "interval_key")
    in_season = pl.col("tested_on").is_between("planted_first", "last_day").fill_null(False)
    sprouts = pl.col("planted_first") + pl.duration(days=law.emergence_days_earliest)
    ahead = (
        (pl.col("tested_on") < pl.col("planned_on")) & pl.col("planned_on").is_between(sprouts, "last_day")
    ).fill_null(False)
    told = pl.col("result").is_not_null() & (
        (pl.col("what").cast(pl.String) == "scouting") | pl.col("laboratory").is_not_null()
    )
    documented = in_season & told & ahead
    return rows.group_by("interval_key").agg(
        v.total(pl.col("n_reduction_lb_per_ac").filter(documented)).known.alias("n_reduced"),
        v.count_false(documented).alias("tests_undocumented"),
        pl.len().cast(pl.Int32).alias("in_season_tests"),
    )
