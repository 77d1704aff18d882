"""2100.053(a) to (d): nutrient management, and the three practices that rest on it."""

from typing import Final

import polars as pl

from provender.catalog.fertilizers import ORGANIC
from provender.practices import verdict as v
from provender.practices.facts_control import CONTROL, NOT_IN_CONTROL
from provender.practices.facts_stand import STAND_UNPLANTED
from provender.practices.load_nutrients import UNNAMED
from provender.practices.requirement import Gap, Shown, lacks_yes, missing_fact, requirement
from provender.rule.crops import Practice
from provender.rule.law import RuleVersion

BUDGET: Final = ("nutrient_budget", "budget_source", "harvest")
APPLICATIONS: Final = ("nutrient_application", "declaration", "harvest", *CONTROL)
# What says in which State a unit lies.
PLACES: Final = ("unit", "farm")
_ALL: Final = (Practice.nitrification_inhibitor, Practice.no_fall_application, Practice.split_in_season)
_NO_BUDGET: Final = Gap("nutrient_budget (none is recorded for this crop)", missing_fact("budgets"))
_LISTED: Final = (
    Gap("declaration.all_nutrients_listed", lacks_yes("all_nutrients_listed")),
    Gap("nutrient_application.day and harvest_id (a row that fits no crop)", pl.col("nutrients_unplaced") > 0),
    Gap("harvest.termination_record (of the crop before: a replant or adjuster record)", lacks_yes("start_proven")),
    STAND_UNPLANTED,
    NOT_IN_CONTROL,
)
_SYNTHETIC: Final = Gap(
    "nutrient_application.synthetic_n (the fertilizer list does not decide it)", pl.col("n_unclear") > 0
)
_DAY: Final = Gap("nutrient_application.day", pl.col("n_undated") > 0)
_AMOUNT: Final = Gap("nutrient_application.n_lb_per_ac", pl.col("n_without_amount") > 0)
_PLANTED: Final = Gap("planting.planted_on", missing_fact("planted_first"))
_WHOLE: Final = 100_000
"""All of it, in thousandths of a percent."""


def _with_synthetic_n(answer: pl.Expr) -> pl.Expr:
    """Withhold credit where no synthetic N was applied: not met when the list is complete (interpretation 4)."""
    nothing = pl.when(pl.col("nutrients_complete")).then(False)
    return pl.when(pl.col("n_rows") == 0).then(nothing).otherwise(answer)


@requirement(
    "2100.053(a)(1)",
    *_ALL,
    says="The nutrient budget with yield goal, planned N-P-K and removals is made before the first nutrient goes on.",
    rests_on=(*BUDGET, "nutrient_application", "declaration", *CONTROL),
    gaps=(
        _NO_BUDGET,
        Gap("nutrient_budget.made_on", missing_fact("budget_made_on")),
        Gap("nutrient_budget (yield goal, planned N-P-K and removals)", lacks_yes("budget_planned")),
        Gap("nutrient_application.day", pl.col("nutrients_undated") > 0),
        Gap("nutrient_application (none is recorded)", pl.col("nutrient_rows") == 0),
        Gap(
            "evidence that the budget was made before the application of the same day",
            (pl.col("budget_made_on") == pl.col("nutrients_first_day")).fill_null(False),
        ),
        *_LISTED,
    ),
    remedy="A budget made afterwards cannot be credited this year; make next year's before the first application.",
)
def nutrients_budget_before_application(_: RuleVersion) -> pl.Expr:
    """Made on a day before the first N, P or K for the crop; one day cannot say which came first."""
    made, first = pl.col("budget_made_on"), pl.col("nutrients_first_day")
    sure = pl.col("budget_planned") & (pl.col("nutrients_undated") == 0) & pl.col("nutrients_complete")
    return pl.when(made > first).then(False).when((made < first) & sure).then(True)


@requirement(
    "2100.053(a)(1)",
    *_ALL,
    says="The budget answers for every source of nutrients, none included.",
    rests_on=(*BUDGET, "declaration", "nutrient_application"),
    gaps=(
        _NO_BUDGET,
        Gap("budget_source (sources without an answer)", (pl.col("sources_unanswered") > 0).fill_null(False)),
        Gap(
            "budget_source.n_lb_per_ac (sources that are present)",
            (pl.col("sources_without_amount") > 0).fill_null(False),
        ),
        Gap(
            "declaration.manure_applied and irrigation_n", missing_fact("manure_applied") | missing_fact("irrigation_n")
        ),
    ),
    shown=Shown("sources_unanswered", "sources", 0, of="without an answer", one="source"),
    remedy="Correct the budget, the declaration or the applications: they contradict each other.",
)
def nutrients_budget_all_sources(_: RuleVersion) -> pl.Expr:
    """A source that went on and that the budget or the declaration calls none makes it wrong (interpretation 25)."""
    applied = pl.col("n_lb_per_ac") > 0
    none = pl.col("sources_none")
    denied = pl.col("row_sources").list.set_intersection(none).list.len() > 0
    left = pl.lit([*ORGANIC, "other_organic", "irrigation_water"]).list.set_difference(none).list.len()
    denied = denied | (pl.col("row_sources").list.contains(UNNAMED) & (left == 0))
    unnamed_legume = (pl.col("legumes") > 0) & none.list.contains("legume_crop") & none.list.contains("green_manure")
    manured = pl.col("row_sources").list.contains("manure").fill_null(False) | (pl.col("manure_passes") > 0)
    undeclared = manured & ~pl.col("manure_applied")
    budgeted_none = manured & ~pl.col("source_manure")
    contradicted = (
        (denied | unnamed_legume).fill_null(False)
        | undeclared.fill_null(False)
        | budgeted_none.fill_null(False)
        | (pl.col("manure_applied") & ~pl.col("source_manure")).fill_null(False)
        | (pl.col("irrigation_n") & ~pl.col("source_irrigation")).fill_null(False)
        | (applied & ~pl.col("source_fertilizer")).fill_null(False)
    )
    full = (pl.col("sources_unanswered") == 0) & (pl.col("sources_without_amount") == 0)
    declared = pl.col("manure_applied").is_not_null() & pl.col("irrigation_n").is_not_null()
    fits = pl.col("nutrients_misplaced") == 0
    return pl.when(contradicted).then(False).when(full & declared & fits).then(True)


@requirement(
    "2100.053(a)(1)",
    *_ALL,
    says="Applications agree with their products and rates, and with the budget.",
    rests_on=(*BUDGET, "nutrient_application"),
    gaps=(
        _NO_BUDGET,
        Gap("nutrient_application (none is recorded)", pl.col("nutrient_rows") == 0),
        Gap(
            "nutrient_application.n_lb_per_ac (other pounds than the product's analysis gives at its rate)",
            pl.col("n_off_analysis") > 0,
        ),
        Gap(
            "nutrient_application.synthetic_n (the fertilizer list, or the product's name or grade, says otherwise)",
            pl.col("n_synthetic_differs") > 0,
        ),
        Gap(
            "nutrient_budget.planned_n_lb_per_ac and budget_source.n_lb_per_ac (far more nitrogen went on than was "
            "planned)",
            pl.col("n_over_plan"),
        ),
    ),
)
def nutrients_records_agree(_: RuleVersion) -> pl.Expr:
    """Records that contradict each other show neither amount; a budget that was not followed is no plan.

    Where there is no budget or no application, nothing agrees (interpretation 2).
    """
    disputed = v.added(("n_off_analysis", "n_synthetic_differs", "nutrients_misplaced", "nutrients_beyond_unit"))
    both = pl.col("budgets").is_not_null() & (pl.col("nutrient_rows") > 0)
    return pl.when(both & (disputed == 0) & ~pl.col("n_over_plan")).then(True)


@requirement(
    "2100.053(a)(2)",
    *_ALL,
    says="The budget rests on a soil test no older than two years, or on the opinion of an agricultural expert.",
    rests_on=(*BUDGET, "soil_test", "expert_opinion"),
    gaps=(
        _NO_BUDGET,
        Gap("nutrient_budget.basis", missing_fact("budget_basis")),
        Gap(
            "soil_test.p_ppm, k_ppm or nitrate_n_ppm (a test without results supports nothing)",
            (pl.col("budget_basis") == "soil_test") & ~pl.col("soil_results"),
        ),
        Gap(
            "expert_opinion.specialty (the crop or the practice that the expert works on)",
            (pl.col("budget_basis") == "expert_opinion") & pl.col("basis_fits").is_null(),
        ),
        Gap("soil_test.sampled_on, or expert_opinion.employer and given_on", missing_fact("basis_fits")),
    ),
    remedy="Sample the unit again, or have an expert of the kinds the rule names write an opinion.",
)
def nutrients_budget_basis(_: RuleVersion) -> pl.Expr:
    """Exactly two years on the day of the budget is still no older than two years; a later sample is no basis."""
    return pl.col("basis_fits")


@requirement(
    "2100.053(b)(1)",
    Practice.nitrification_inhibitor,
    says="A nitrification inhibitor goes on with all synthetic nitrogen, starter and phosphorus products included.",
    rests_on=APPLICATIONS,
    gaps=(
        *_LISTED,
        _SYNTHETIC,
        _AMOUNT,
        Gap(
            "nutrient_application.inhibitor (blank or not in the inhibitor list; write none where there was none)",
            pl.col("n_inhibitor_unclear") > pl.col("inhibitor_under_label"),
        ),
        Gap(
            "nutrient_application.inhibitor_rate (below the least rate of the product's label)",
            pl.col("inhibitor_under_label") > 0,
        ),
        Gap("nutrient_application (none is recorded)", pl.col("n_rows") == 0),
    ),
    shown=Shown("n_inhibited", "lb N/ac", 3, "n_lb_per_ac", "at least", of="with inhibitor"),
)
def inhibitor_with_all_synthetic_n(law: RuleVersion) -> pl.Expr:
    """One pass without it breaks *all*; a urease inhibitor alone is none (interpretation 22).

    A later text that asks for less than all is held against the pounds.
    """
    unclear = pl.col("n_inhibitor_unclear") + pl.col("n_unclear")
    rows = v.every(pl.col("n_without_inhibitor"), unclear, pl.col("n_rows"))
    if law.inhibitor_pct_required < _WHOLE:
        share = pl.col("n_inhibited") * _WHOLE >= pl.col("n_lb_per_ac") * law.inhibitor_pct_required
        rows = pl.when((unclear == 0) & (pl.col("n_without_amount") == 0) & (pl.col("n_rows") > 0)).then(share)
    listed = pl.col("nutrients_complete")
    return _with_synthetic_n(pl.when(listed | ~rows).then(rows))


@requirement(
    "2100.053(b)(1)",
    Practice.nitrification_inhibitor,
    says="The inhibitor is one the national association defines and the State accepts.",
    rests_on=(*APPLICATIONS, "inhibitor_acceptance", *PLACES),
    gaps=(
        _SYNTHETIC,
        Gap("inhibitor_acceptance (what the State's fertilizer official accepts)", pl.col("inhibitor_unlisted") > 0),
        Gap("nutrient_application (none is recorded)", pl.col("n_rows") == 0),
    ),
)
def inhibitor_recognised(_: RuleVersion) -> pl.Expr:
    """Unknown to the State's list is not shown, never met (interpretation 22)."""
    return _with_synthetic_n(
        v.every(
            pl.col("inhibitor_refused"),
            v.added(("inhibitor_unlisted", "n_unclear", "nutrients_misplaced")),
            pl.col("n_rows"),
        )
    )


@requirement(
    "2100.053(c)(1)",
    Practice.no_fall_application,
    says="The first synthetic nitrogen goes on within 30 days before planting, or at planting.",
    rests_on=(*APPLICATIONS, "planting"),
    gaps=(*_LISTED, _SYNTHETIC, _DAY, _PLANTED, Gap("nutrient_application (none is recorded)", pl.col("n_rows") == 0)),
    shown=Shown(
        "n_first_day_from_planting",
        "days",
        0,
        of="from planting to first synthetic N",
        one="day",
        below_zero="from first synthetic N to planting",
    ),
)
def no_fall_first_n_at_planting(law: RuleVersion) -> pl.Expr:
    """The first planting counts on replants; at planting is up to seven days after it (interpretation 23)."""
    sure = (pl.col("n_unclear") == 0) & (pl.col("n_undated") == 0) & pl.col("nutrients_complete")
    late = pl.col("n_first_day_from_planting") > law.planting_grace_days_after
    in_time = pl.col("n_first_day_from_planting").is_not_null() & ~late
    answer = pl.when(pl.col("n_early") > 0).then(False).when(late & sure).then(False).when(in_time & sure).then(True)
    return _with_synthetic_n(answer)


@requirement(
    "2100.053(c)(2)",
    Practice.no_fall_application,
    says="No synthetic nitrogen goes on fallow ground or a cover crop in the fall, phosphorus products included.",
    rests_on=(*APPLICATIONS, "planting", "cover_crop", *PLACES),
    gaps=(
        *_LISTED,
        _SYNTHETIC,
        _DAY,
        _PLANTED,
        Gap("nutrient_application (none is recorded)", pl.col("n_rows") == 0),
        Gap("harvest (the crop before: its last day starts the interval)", missing_fact("starts_on")),
        Gap("harvest.first_day and last_day (of every crop of the unit, in order)", lacks_yes("dated")),
        Gap("nutrient_application.synthetic_n (on the cover that stood before)", pl.col("n_fall_earlier_unclear") > 0),
    ),
    shown=Shown("n_in_fall", "applications", 0, of="of synthetic N in the fall", one="application"),
)
def no_fall_none_in_fall(_: RuleVersion) -> pl.Expr:
    """Also before the previous harvest when a cover already stands; the window is a parameter (interpretation 23)."""
    complete = pl.col("nutrients_complete") & pl.col("starts_on").is_not_null() & pl.col("dated")
    in_fall = pl.col("n_in_fall") + pl.col("n_in_fall_earlier")
    unclear = pl.col("n_fall_unclear") + pl.col("n_fall_earlier_unclear")
    return _with_synthetic_n(v.none_of(in_fall, unclear, complete))


def _share(pounds: pl.Expr) -> pl.Expr:
    """Return pounds in units of need/100,000: both sides of a comparison with a percentage in thousandths."""
    return pounds.cast(pl.Int64) * 100_000


_NEED: Final = (
    _NO_BUDGET,
    Gap(
        "nutrient_budget.synthetic_n_need_lb_per_ac (a need of nothing has no share)",
        (pl.col("synthetic_n_need_lb_per_ac").fill_null(0) == 0),
    ),
    Gap("nutrient_budget.need_source (the land-grant university's guide)", lacks_yes("need_sourced")),
    Gap(
        "nutrient_budget.synthetic_n_need_lb_per_ac (far more synthetic nitrogen went on than is needed)",
        pl.col("n_over_need"),
    ),
    *_LISTED,
    _SYNTHETIC,
    _AMOUNT,
    _PLANTED,
    Gap(
        "planting.emerged_on (an application falls into the days in which the crop may have emerged)",
        (pl.col("n_band") > 0).fill_null(False),
    ),
)


@requirement(
    "2100.053(d)(1)",
    Practice.split_in_season,
    says="Synthetic nitrogen goes on in at least two applications.",
    rests_on=(*APPLICATIONS, "unit"),
    gaps=(*_LISTED, _SYNTHETIC, _DAY),
)
def split_in_two_applications(_: RuleVersion) -> pl.Expr:
    """What goes on in one day is one; each zone is split (interpretation 80)."""
    one_alone = (pl.col("n_days_most") <= 1) & pl.col("nutrients_complete")
    two = (pl.col("n_days") > 1) & (pl.col("nutrients_misplaced") == 0)
    return _with_synthetic_n(pl.when(one_alone).then(False).when(two).then(True))


@requirement(
    "2100.053(d)(1)",
    Practice.split_in_season,
    says="At least 75 % of the crop's synthetic nitrogen need goes on after emergence.",
    rests_on=(*APPLICATIONS, *BUDGET, "planting", "in_season_test", "unit"),
    gaps=_NEED,
    shown=Shown(
        "n_after_with_reductions", "lb N/ac", 3, "n_need_post", "at least", of="after emergence, reductions included"
    ),
)
def split_post_emergence_share(law: RuleVersion) -> pl.Expr:
    """Documented reductions count as if applied, beside something that was; inside the emergence band it is unknown.

    Where zones are recorded, the one with the least after emergence decides (interpretations 24, 64).
    """
    known, band = pl.col("n_after_with_reductions"), pl.col("n_band")
    limit = pl.col("synthetic_n_need_lb_per_ac") * law.split_post_emergence_pct_min
    answer = v.at_least(_share(known), _share(known + band), limit)
    unknown = (
        (pl.col("n_split_unknown") > 0)
        | ~pl.col("need_sourced").fill_null(False)
        | pl.col("emerges_from").is_null()
        | pl.col("n_over_need")
        | (pl.col("nutrients_misplaced") > 0)
    )
    listed = pl.col("nutrients_complete")
    nothing_after = (pl.col("n_after") == 0) & (band == 0)
    short = (~answer | nothing_after) & ~unknown & listed
    split = answer & (pl.col("n_after") > 0)
    return _with_synthetic_n(pl.when(short).then(False).when(split & ~unknown & _needs_n()).then(True))


def _needs_n() -> pl.Expr:
    """A need of nothing has no share."""
    return pl.col("synthetic_n_need_lb_per_ac") > 0
