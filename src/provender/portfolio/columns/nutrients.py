"""2100.053 in columns: nutrient management (a), its three practices (b) to (d), and its records (e).

The requirements are said in ``standards.nutrients``. Applications of a plain farm have their day, lie in the time of
the crop they name, are of listed products, and none is a trace.
"""

from typing import Final

import polars as pl

from provender.portfolio.columns import intervals as v
from provender.portfolio.columns.intervals import expression, in_window
from provender.portfolio.columns.prepare import NUTRIENTS, PreparedBook
from provender.portfolio.frames import beside, collected
from provender.records.kinds.nutrients import N_SOURCES
from provender.rule.law import RuleVersion
from provender.standards.nutrients import PLAN
from provender.standards.standard import WHOLE

_WITH_PLANTER: Final = ("starter_band", "in_furrow")


def application_facts(
    loaded: PreparedBook, planted: pl.DataFrame, covers: pl.DataFrame, law: RuleVersion
) -> pl.DataFrame:
    """Return one row per interval that has nutrient applications; amounts in thousandths of a pound per acre."""
    rows = loaded.applications.filter(pl.col("interval_key").is_not_null())
    rows = beside(rows, planted.select("interval_key", "planted_first", "emerges_from", "emerged_by"), "interval_key")
    rows = beside(rows, covers.select("interval_key", "cover_from", "cover_until"), "interval_key")
    carries, day, n, part = pl.col("carries"), pl.col("day"), pl.col("n_lb_per_ac"), pl.col("part_field")
    opens = pl.col("planted_first") - pl.duration(days=law.planting_window_days_before)
    inhibited = pl.col("inhibited")
    may_lie_on_cover = day.is_between("cover_from", "cover_until").fill_null(value=True)
    before, after = day < pl.col("emerges_from"), (day > pl.col("emerged_by")) & ~part
    found = rows.lazy().with_columns(_in_fall(law).alias("_fall")).group_by("interval_key").agg(
        v.count_true(carries).alias("n_rows"),
        v.count_true(carries & n.is_null()).alias("n_without_amount"),
        v.count_true(carries & (day < opens)).alias("n_early"),
        v.earliest(pl.when(carries).then(day)).alias("n_first_day"),
        v.count_true(carries & pl.col("_fall")).alias("n_in_fall"),
        v.count_null(carries & pl.col("_fall")).alias("n_fall_unclear"),
        v.count_true(carries & ~inhibited).alias("n_without_inhibitor"),
        v.count_true(carries & inhibited.is_null()).alias("n_inhibitor_unclear"),
        v.count_true(carries & ~pl.col("accepted")).alias("inhibitor_refused"),
        v.count_true(carries & pl.col("accepted").is_null()).alias("inhibitor_unlisted"),
        v.count_true(carries & ~(pl.col("inhibitor_rate") > 0).fill_null(value=False)).alias("inhibitor_unrated"),
        v.total(pl.when(carries).then(n)).known.alias("n_lb_per_ac"),
        v.total(pl.when(carries & inhibited).then(n)).known.alias("n_inhibited"),
        v.earliest(day).alias("nutrients_first_day"),
        v.count_true(_intent_unclear() & may_lie_on_cover).alias("intent_unclear"),
        v.count_null(pl.col("method").cast(pl.String).replace("other", None)).alias("nutrients_without_method"),
        v.count_true(_disputed(law)).alias("nutrients_disputed"),
        v.count_true(carries & (n > 0) & pl.col("method").cast(pl.String).is_in(_WITH_PLANTER)).alias("starters"),
        *(v.total(_over_unit(one)).known.alias(f"{one}_over_unit") for one in NUTRIENTS),
        v.total(pl.when(carries).then(_over_unit("n"))).known.alias("synthetic_over_unit"),
        v.count_null(n + pl.col("p2o5_lb_per_ac") + pl.col("k2o_lb_per_ac")).alias("nutrients_without_npk"),
        pl.len().cast(pl.Int32).alias("nutrient_rows"),
        v.total(pl.when(carries & after).then(n)).known.alias("n_after"),
        v.total(pl.when(carries & ~before & ~after).then(n)).known.alias("n_band"),
        pl.when(carries & ~part).then(day).drop_nulls().n_unique().cast(pl.Int32).alias("n_days"),
        v.count_true(carries & part).alias("n_days_unsure"),
    )  # fmt: skip
    return collected(found, rows.height)


def _in_fall(law: RuleVersion) -> pl.Expr:
    """Return where an application lies in the fall, on fallow ground or a cover (interpretation 23)."""
    day = pl.col("day")
    on_cover = day.is_between("cover_from", "cover_until").fill_null(value=False)
    return in_window(day, law, "fall_n_window", pl.col("state")) & ((day < pl.col("planted_first")) | on_cover)


def _intent_unclear() -> pl.Expr:
    """Return where nothing says for which crop a row is meant; other is no answer (interpretation 85)."""
    meant = pl.col("intended_for").cast(pl.String)
    return (meant.is_null() & ~pl.col("named")) | (meant == "other").fill_null(value=False)


def _disputed(law: RuleVersion) -> pl.Expr:
    """Return rows that contradict their product, or the acres of their unit, or whose pounds nobody knows."""
    beyond = pl.col("treated_acres") * WHOLE > pl.col("unit_acres") * (WHOLE + law.boundary_difference_pct_max)
    off = pl.col("off_analysis_pct") > law.analysis_difference_pct_max
    unknown = (pl.col(f"{one}_lb_per_ac").is_null() for one in NUTRIENTS)
    return v.any_mark((beyond, off, pl.col("denies_product"), *unknown))


def _over_unit(nutrient: str) -> pl.Expr:
    """Return pounds for each acre of the whole unit: less than were typed where only a part of it was treated."""
    n, treated, acres = pl.col(f"{nutrient}_lb_per_ac"), pl.col("treated_acres"), pl.col("unit_acres")
    return pl.when(treated < acres).then((2 * n * treated + acres) // (2 * acres)).otherwise(n)


def budget_facts(loaded: PreparedBook, law: RuleVersion) -> pl.DataFrame:
    """Return one row per interval that has a nutrient budget; of several budgets the first made counts."""
    rows = beside(loaded.budgets, loaded.intervals.select("interval_key", "first_day"), "interval_key")
    made, sampled = pl.col("made_on"), pl.col("sampled_on")
    in_time = made < pl.col("first_day")
    fits = (sampled <= made) & (made <= sampled.dt.offset_by(f"{law.soil_test_max_years}y"))
    return rows.select(
        "interval_key",
        pl.lit(value=True).alias("has_budget"),
        made.alias("budget_made_on"),
        v.all_known(PLAN).alias("budget_planned"),
        (pl.col("sources_answered") == len(N_SOURCES)).alias("sources_are_answered"),
        (pl.col("sources_without_amount") == 0).alias("sources_have_amounts"),
        "has_fertilizer",
        "fertilizer_n",
        "starter_is_none",
        "manure_is_none",
        "irrigation_is_none",
        "legumes_are_none",
        pl.when(pl.col("basis") == "soil_test")
        .then(fits & pl.when("soil_results").then(True))
        .alias("basis_fits"),
        fits.alias("soil_test_fits"),
        (pl.col("laboratory").is_not_null() & pl.col("soil_method").is_not_null()).alias("soil_test_documented"),
        pl.col("soil_results").fill_null(value=False),
        "soil_test_on_file",
        pl.col("need_source").is_not_null().alias("need_sourced"),
        # A plan for a crop is written while it grows at the latest.
        *(pl.when(in_time).then(name).alias(name) for name in ("legume_n_lb_per_ac", "n_adjustment_lb_per_ac")),
        "synthetic_n_need_lb_per_ac",
        *(f"planned_{one}_lb_per_ac" for one in NUTRIENTS),
    )  # fmt: skip


def derived(frame: pl.LazyFrame, law: RuleVersion) -> pl.LazyFrame:
    """Add what follows from applications and budget together."""
    need = pl.col("synthetic_n_need_lb_per_ac")
    all_known = pl.col("sources_have_amounts") & pl.col("has_fertilizer")
    from_bags = pl.when(all_known).then("fertilizer_n")
    planned_over = _far_over(pl.coalesce(from_bags, "planned_n_lb_per_ac"), need, law)
    over_plan = (_far_over(pl.col(f"{one}_over_unit"), pl.col(f"planned_{one}_lb_per_ac"), law) for one in NUTRIENTS)
    over_bags = _far_over(pl.col("synthetic_over_unit"), from_bags, law)
    return frame.with_columns(
        pl.col("all_nutrients_listed").fill_null(value=False).alias("nutrients_complete"),
        (pl.col("n_first_day") - pl.col("planted_first")).dt.total_days().alias("days_to_first_n"),
        v.any_mark((*over_plan, over_bags, planned_over)).alias("n_over_plan"),
        (_far_over(pl.col("synthetic_over_unit"), need, law) | planned_over).alias("n_over_need"),
    )


def _far_over(applied: pl.Expr, planned: pl.Expr, law: RuleVersion) -> pl.Expr:
    """Return where far more went on than was planned; traces are none (interpretation 21)."""
    far = applied * WHOLE > planned * law.applied_n_of_plan_pct_max
    return (far & (applied > planned + law.trace_n_season_lb_per_ac)).fill_null(value=False)


@expression
def nutrients_budget_before_application(_: RuleVersion) -> pl.Expr:
    """Made on a day before the first N, P or K for the crop; one day cannot say which came first."""
    made, first = pl.col("budget_made_on"), pl.col("nutrients_first_day")
    sure = pl.col("budget_planned") & pl.col("nutrients_complete")
    return pl.when(made > first).then(False).when((made < first) & sure).then(True)


@expression
def nutrients_budget_all_sources(_: RuleVersion) -> pl.Expr:
    """A source that went on and that the budget or the declaration calls none makes it wrong (interpretation 25)."""
    manured, irrigated = pl.col("manure_passes") > 0, pl.col("irrigation_n")
    contradicted = v.any_mark(
        (
            (pl.col("starters") > 0) & pl.col("starter_is_none"),
            (pl.col("legumes") > 0) & pl.col("legumes_are_none"),
            manured & (~pl.col("manure_applied") | pl.col("manure_is_none")),
            irrigated & pl.col("irrigation_is_none"),
            (pl.col("n_lb_per_ac") > 0) & ~pl.col("has_fertilizer"),
        )
    )
    answered = pl.col("sources_are_answered") & pl.col("sources_have_amounts")
    full = answered & v.all_known(("manure_applied", "irrigation_n"))
    return pl.when(contradicted).then(False).when(full).then(True)


@expression
def nutrients_records_agree(_: RuleVersion) -> pl.Expr:
    """Records that contradict each other show neither amount; a budget that was not followed is no plan."""
    both = pl.col("has_budget") & (pl.col("nutrient_rows") > 0)
    return v.shown(both & (pl.col("nutrients_disputed") == 0) & ~pl.col("n_over_plan"))


@expression
def nutrients_budget_basis(_: RuleVersion) -> pl.Expr:
    """Exactly two years on the day of the budget is still no older than two years; a later sample is no basis."""
    return pl.col("basis_fits")


def _with_synthetic_n(answer: pl.Expr) -> pl.Expr:
    """Withhold credit where no synthetic N was applied: not met when the list is complete (interpretation 4)."""
    nothing = pl.when(pl.col("nutrients_complete")).then(False)
    return pl.when(pl.col("n_rows") == 0).then(nothing).otherwise(answer)


@expression
def inhibitor_with_all_synthetic_n(law: RuleVersion) -> pl.Expr:
    """One pass without it breaks *all*; a later text that asks for less is held against the pounds (interp. 22)."""
    unclear, rows = pl.col("n_inhibitor_unclear"), pl.col("n_rows")
    answer = v.every(pl.col("n_without_inhibitor"), unclear, rows)
    if law.inhibitor_pct_required < WHOLE:
        share = pl.col("n_inhibited") * WHOLE >= pl.col("n_lb_per_ac") * law.inhibitor_pct_required
        answer = pl.when((unclear == 0) & (pl.col("n_without_amount") == 0)).then(share)
    return _with_synthetic_n(pl.when(pl.col("nutrients_complete") | ~answer).then(answer))


@expression
def inhibitor_recognised(_: RuleVersion) -> pl.Expr:
    """Unknown to the State's list is not shown, never met (interpretation 22)."""
    return _with_synthetic_n(v.every(pl.col("inhibitor_refused"), pl.col("inhibitor_unlisted"), pl.col("n_rows")))


@expression
def no_fall_first_n_at_planting(law: RuleVersion) -> pl.Expr:
    """The first planting counts on replants; at planting is up to seven days after it (interpretation 23)."""
    sure, days = pl.col("nutrients_complete"), pl.col("days_to_first_n")
    in_time = days <= law.planting_grace_days_after
    return _with_synthetic_n(pl.when(pl.col("n_early") > 0).then(False).when(sure).then(in_time))


@expression
def no_fall_none_in_fall(_: RuleVersion) -> pl.Expr:
    """The window is a parameter; every application since the crop before ended is listed (interpretation 23)."""
    complete = pl.col("nutrients_complete") & pl.col("starts_on").is_not_null()
    return _with_synthetic_n(v.none_of(pl.col("n_in_fall"), pl.col("n_fall_unclear"), complete))


@expression
def split_in_two_applications(_: RuleVersion) -> pl.Expr:
    """What goes on in one day is one; what went on part of a unit may have missed the rest (interpretation 80)."""
    most = pl.col("n_days") + pl.col("n_days_unsure")
    one_alone = (most <= 1) & pl.col("nutrients_complete")
    return _with_synthetic_n(pl.when(one_alone).then(False).when(pl.col("n_days") > 1).then(True))


@expression
def split_post_emergence_share(law: RuleVersion) -> pl.Expr:
    """Inside the days in which the crop may have emerged it is unknown on which side N lies (interpretation 24)."""
    after, band, need = pl.col("n_after"), pl.col("n_band"), pl.col("synthetic_n_need_lb_per_ac")
    limit = need * law.split_post_emergence_pct_min
    answer = v.at_least(after * WHOLE, (after + band) * WHOLE, limit)
    unknown = (
        (pl.col("n_without_amount") > 0)
        | ~pl.col("need_sourced").fill_null(value=False)
        | pl.col("planted_first").is_null()
        | pl.col("n_over_need")
    )
    short = (~answer | ((after == 0) & (band == 0))) & ~unknown & pl.col("nutrients_complete")
    split = answer & (after > 0) & (need > 0) & ~unknown
    return _with_synthetic_n(pl.when(short).then(False).when(split).then(True))


# (e) Records.


@expression
def records_nutrients_budget(_: RuleVersion) -> pl.Expr:
    """Yield goal, plan, removals, each source answered."""
    return v.shown(pl.col("budget_planned") & pl.col("sources_are_answered"))


@expression
def records_nutrients_soil_test(_: RuleVersion) -> pl.Expr:
    """With its day, laboratory, method, results and paper."""
    return v.shown(v.all_of(("soil_test_fits", "soil_test_documented", "soil_results", "soil_test_on_file")))


def _of_applications(*missing: str) -> pl.Expr:
    return (pl.col("nutrient_rows") > 0) & pl.all_horizontal(pl.col(name) == 0 for name in missing)


@expression
def records_nutrients_applications(_: RuleVersion) -> pl.Expr:
    """Pounds per acre typed, or computed from product and rate."""
    listed = pl.col("nutrients_complete")
    return v.shown(_of_applications("nutrients_without_method", "nutrients_without_npk") & listed)


@expression
def records_nutrients_content(_: RuleVersion) -> pl.Expr:
    """A product of the fertilizer list brings its analysis along."""
    return v.shown(_of_applications("nutrients_without_npk"))


@expression
def records_nutrients_planting(_: RuleVersion) -> pl.Expr:
    """On replants the first planting is needed as well (interpretation 23)."""
    return v.shown(pl.col("planted_first").is_not_null())


@expression
def records_nutrients_acres(_: RuleVersion) -> pl.Expr:
    """The acres of the unit."""
    return v.shown(pl.col("acres").is_not_null())


@expression
def records_inhibitor_bought(_: RuleVersion) -> pl.Expr:
    """Judged across the operation, product by product (``supply``)."""
    lasted = pl.col("inhibitor_lasted") & (pl.col("inhibitor_since") <= pl.col("last_day"))
    return v.shown(lasted & (pl.col("inhibitor_unrated") == 0) & (pl.col("n_rows") > 0))
