"""2100.051(a) and (b): reduced till and no-till."""

from typing import Final

import polars as pl

from provender.practices import verdict as v
from provender.practices.facts_control import CONTROL, NOT_IN_CONTROL
from provender.practices.facts_stand import STAND_UNPLANTED
from provender.practices.requirement import Gap, Shown, lacks_yes, missing_fact, requirement
from provender.rule.crops import Practice
from provender.rule.law import RuleVersion

# Covers and nutrients prove passes: a row of theirs that could not be read may hide one.
PROVING: Final = ("cover_crop", "nutrient_application")
OPERATIONS: Final = ("operation", "operation_tool", "declaration", "harvest", "planting", *PROVING, *CONTROL)
_ALL_LISTED: Final = Gap("declaration.all_operations_listed", lacks_yes("all_operations_listed"))
_START: Final = Gap("harvest (the crop before: its last day starts the interval)", missing_fact("starts_on"))
_UNDATED: Final = Gap("operation.day", pl.col("passes_undated") > 0)
_NO_PASSES: Final = Gap("operation (no pass is recorded at all)", pl.col("passes") == 0)
BORDERS: Final = (
    Gap("harvest.first_day and last_day (of every crop of the unit, in order)", lacks_yes("dated")),
    Gap("harvest.termination_record (of the crop before: a replant or adjuster record)", lacks_yes("start_proven")),
    STAND_UNPLANTED,
    Gap("planting.planted_on (it shows that the crop was planted in this interval)", lacks_yes("grown_here")),
)
CONTRADICTED: Final = (
    NOT_IN_CONTROL,
    Gap("operation (a planting that no pass is recorded for)", pl.col("plantings_without_pass") > 0),
    Gap(
        "operation (a pass that other records prove: drilled or ended cover, nutrients put into the ground)",
        pl.col("pieces_without_pass") > 0,
    ),
    Gap("harvest (a harvest pass that belongs to no crop entry)", pl.col("harvests_unexplained") > 0),
)
COMPLETE: Final = (
    *CONTRADICTED,
    _ALL_LISTED,
    _START,
    *BORDERS,
    _UNDATED,
    _NO_PASSES,
    Gap("operation (no planting or seeding pass)", pl.col("seeding_passes") == 0),
)


def _stir_gaps(practice: Practice, limit: str) -> tuple[Gap, ...]:
    return (
        *COMPLETE,
        Gap(
            f"harvest.termination_record (the sum with the failed stand's passes lies on the other side of {limit})",
            pl.col(f"{practice}_stir_of_stand_differs"),
        ),
        Gap("operation.operation (not in the operations list, and no speed and depth)", pl.col("stir_unknown") > 0),
        Gap(
            f"operation.speed_mph and depth_in logged by the machine (two readings on both sides of {limit})",
            pl.col(f"{practice}_stir_undecided"),
        ),
    )


TO_REDUCED_TILL: Final = (
    "Claim reduced till instead, if its limit of STIR holds.",
    "Claim reduced till instead, or check speed and depth of the passes with the largest STIR.",
)
"""What helps where no-till fails by a full-width pass, and where by its sum of STIR."""


def _within(practice: Practice) -> pl.Expr:
    """Judge the interval's STIR by recorded and by published values (interpretations 3, 10, 66).

    Passes of a stand that failed before count only where they exceed the limit by themselves: not shown (81). Both
    readings on one side of the limit: that side. On different sides: the recorded one if the machine logged speed and
    depth of every pass, otherwise not shown. ``facts`` holds the sums, whole ten-thousandths, against the limit once.
    """
    within = pl.col(f"{practice}_stir_within")
    return pl.when(~(within & pl.col(f"{practice}_stir_of_stand_differs"))).then(within)


def by_both_readings(limit: int) -> pl.Expr:
    """Judge the sums of the interval by recorded and by published values."""
    complete = pl.col("operations_complete")
    recorded = v.at_most(v.Total(pl.col("stir_recorded"), pl.col("stir_unknown")), limit, complete)
    published = v.at_most(v.Total(pl.col("stir_published"), pl.col("stir_published_unknown")), limit, complete)
    agree = recorded == published
    return pl.when(agree.fill_null(False) | pl.col("machine_logged")).then(recorded).otherwise(None)


@requirement(
    "2100.051(b)(1)",
    Practice.no_till,
    says="No pass disturbs the full width of the ground between two harvests.",
    rests_on=OPERATIONS,
    gaps=(
        *COMPLETE,
        Gap("operation.full_width (the operations list does not decide it)", pl.col("full_width_unknown") > 0),
    ),
    shown=Shown("full_width_passes", "full-width passes", 0, one="full-width pass"),
    remedy=TO_REDUCED_TILL[0],
)
def no_till_no_full_width_disturbance(_: RuleVersion) -> pl.Expr:
    """No-till forbids full-width disturbance at any depth, whatever the STIR (interpretations 8, 12)."""
    return v.none_of(pl.col("full_width_passes"), pl.col("full_width_unknown"), pl.col("operations_complete"))


@requirement(
    "2100.051(b)(1)",
    Practice.no_till,
    says="All passes of the crop interval together have a STIR of at most 20.",
    rests_on=OPERATIONS,
    gaps=_stir_gaps(Practice.no_till, "20"),
    shown=Shown("stir_recorded", "STIR", 4, "no_till_stir_max", "at most"),
    remedy=TO_REDUCED_TILL[1],
)
def no_till_stir_within_limit(_: RuleVersion) -> pl.Expr:
    """The limit holds whether or not there was strip tillage or injection (interpretation 8)."""
    return _within(Practice.no_till)


@requirement(
    "2100.051(a)(1)",
    Practice.reduced_till,
    says="All passes of the crop interval together have a STIR of at most 80.",
    rests_on=OPERATIONS,
    gaps=_stir_gaps(Practice.reduced_till, "80"),
    shown=Shown("stir_recorded", "STIR", 4, "reduced_till_stir_max", "at most"),
    remedy="Check speed and depth of the passes with the largest STIR.",
)
def reduced_till_stir_within_limit(_: RuleVersion) -> pl.Expr:
    """The sum counts every operation of the interval, fallow included."""
    return _within(Practice.reduced_till)


@requirement(
    "2100.051(a)(2)",
    Practice.reduced_till,
    says="No primary inversion implement, such as a moldboard plow, is used.",
    rests_on=OPERATIONS,
    gaps=(
        *COMPLETE,
        Gap("operation.primary_inversion (the operations list does not decide it)", pl.col("inversion_unknown") > 0),
    ),
    shown=Shown("inversion_passes", "inversion passes", 0, one="inversion pass"),
)
def reduced_till_no_primary_inversion(_: RuleVersion) -> pl.Expr:
    """By type and by name: one moldboard plow of the published list is coded as mixing (interpretation 8)."""
    return v.none_of(pl.col("inversion_passes"), pl.col("inversion_unknown"), pl.col("operations_complete"))


def not_burned() -> pl.Expr:
    """Judge burning by the passes and by the producer's answer; an undated fire may have been in any interval."""
    none = v.none_of(pl.col("burn_passes"), pl.col("burns_undated"), pl.col("residue_burned").is_not_null())
    return none & ~pl.col("residue_burned")


BURNED: Final = (
    Gap("declaration.residue_burned (an answer of yes or no)", missing_fact("residue_burned")),
    Gap("operation.day (of a pass that burns)", pl.col("burns_undated") > 0),
)


@requirement(
    "2100.051(b)(2)",
    Practice.no_till,
    says="Residue is not burned.",
    rests_on=("operation", "declaration", "harvest"),
    gaps=BURNED,
)
def no_till_residue_not_burned(_: RuleVersion) -> pl.Expr:
    """A missing row shows nothing: the producer answers (interpretation 2)."""
    return not_burned()


@requirement(
    "2100.051(a)(3)",
    Practice.reduced_till,
    says="Residue is not burned.",
    rests_on=("operation", "declaration", "harvest"),
    gaps=BURNED,
)
def reduced_till_residue_not_burned(_: RuleVersion) -> pl.Expr:
    """A missing row shows nothing: the producer answers (interpretation 2)."""
    return not_burned()
