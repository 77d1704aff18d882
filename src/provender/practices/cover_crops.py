"""2100.052(a): the cover crop practice."""

from typing import Final

import polars as pl

from provender.practices import verdict as v
from provender.practices.facts_control import CONTROL
from provender.practices.requirement import Gap, Shown, lacks_yes, missing_fact, requirement
from provender.practices.tillage import BURNED, COMPLETE, not_burned
from provender.rule.crops import Practice
from provender.rule.law import RuleVersion

COVER: Final = ("cover_crop", "cover_species", "harvest")
_P: Final = Practice.cover_crop
PLACES: Final = ("unit", "farm")
_PLANTED: Final = Gap("planting.planted_on", missing_fact("planted_first"))
_BUDGET_LATE: Final = Gap(
    "nutrient_budget.made_on (a day before the harvest: a budget written afterwards shows nothing)",
    lacks_yes("budget_in_time"),
)
_NONE: Final = Gap("cover_crop (no cover crop is recorded before this crop)", pl.col("covers") == 0)


def _of_cover(*gaps: Gap) -> tuple[Gap, ...]:
    """Return the gaps of a cover crop that is recorded; where none is, that alone is the gap."""
    return (_NONE, *(Gap(gap.record, (pl.col("covers") > 0) & gap.missing) for gap in gaps))


def _every(name: str) -> pl.Expr:
    return v.every(pl.col(f"{name}_false"), pl.col(f"{name}_unknown"), pl.col("covers"))


@requirement(
    "2100.052(a)(1)",
    _P,
    says="Species, seedbed, rate, date, depth and method of seeding fit soil and site.",
    rests_on=COVER,
    gaps=_of_cover(Gap("cover_crop.suits_site with suits_site_source", pl.col("suits_unknown") > 0)),
)
def cover_crop_suits_site(_: RuleVersion) -> pl.Expr:
    """The producer states it and names the guidance; a yes without a source shows nothing."""
    return _every("suits")


@requirement(
    "2100.052(a)(1)",
    _P,
    says="The cover crop stands on the whole unit.",
    rests_on=(*COVER, "unit"),
    gaps=_of_cover(
        Gap("cover_crop.seeded_acres", pl.col("seedings_without_acres") > 0),
        Gap("unit.acres", missing_fact("acres")),
    ),
    shown=Shown(
        "cover_acres",
        "acres",
        3,
        "acres",
        "at least",
        of="seeded",
        one="acre",
        rests=(_NONE.record, "cover_crop.seeded_acres"),
    ),
    remedy="Split the unit where the cover ends, with the bushels of each part.",
)
def cover_crop_on_whole_unit(law: RuleVersion) -> pl.Expr:
    """A unit is managed alike: a cover on part of it is none (interpretation 13); both acres agree."""
    seeded = pl.col("cover_acres").cast(pl.Int64) * 100_000
    enough = seeded >= pl.col("acres") * (100_000 - law.boundary_difference_pct_max)
    known = (pl.col("covers") > 0) & (pl.col("seedings_without_acres") == 0)
    beyond = pl.col("cover_acres_most").cast(pl.Int64) * 100_000 > pl.col("acres") * (
        100_000 + law.boundary_difference_pct_max
    )
    return pl.when(beyond).then(None).when((pl.col("covers") > 0) & enough).then(True).when(known & ~enough).then(False)


@requirement(
    "2100.052(a)(2)(i)",
    _P,
    says="With a legume, a nutrient budget shows the nitrogen the cover crop makes available.",
    rests_on=(*COVER, "nutrient_budget"),
    gaps=_of_cover(
        Gap(
            "cover_species.species (not in the cover-crop list, or none)",
            (pl.col("species_unknown") > 0) | (pl.col("covers_without_species") > 0),
        ),
        Gap("nutrient_budget.legume_n_lb_per_ac", missing_fact("legume_n_lb_per_ac")),
        _BUDGET_LATE,
    ),
)
def cover_crop_legume_budget(_: RuleVersion) -> pl.Expr:
    """Without a legume there is nothing to show; a species nobody knows may be one."""
    return _if_legume(pl.when(pl.col("legume_n_lb_per_ac").is_not_null()).then(True))


@requirement(
    "2100.052(a)(2)(ii)",
    _P,
    says="With a legume, planned nitrogen for the crop that follows is adjusted for it.",
    rests_on=(*COVER, "nutrient_budget"),
    gaps=_of_cover(
        Gap(
            "cover_species.species (not in the cover-crop list, or none)",
            (pl.col("species_unknown") > 0) | (pl.col("covers_without_species") > 0),
        ),
        Gap("nutrient_budget.n_adjustment_lb_per_ac (zero is an answer)", missing_fact("n_adjustment_lb_per_ac")),
        Gap(
            "nutrient_budget.planned_n_lb_per_ac and synthetic_n_need_lb_per_ac (they show the adjustment)",
            missing_fact("planned_n_lb_per_ac") | missing_fact("synthetic_n_need_lb_per_ac"),
        ),
        Gap(
            "nutrient_budget.legume_n_lb_per_ac (where nothing is taken off for the legume)",
            (pl.col("n_adjustment_lb_per_ac") == 0) & missing_fact("legume_n_lb_per_ac"),
        ),
        _BUDGET_LATE,
    ),
    shown=Shown("n_planned_after_legume", "lb N/ac", 3, "n_planned_most", "at most", of="planned"),
    remedy="Take the legume's nitrogen off the plan, in the budget.",
)
def cover_crop_legume_n_adjusted(_: RuleVersion) -> pl.Expr:
    """Before soybeans a stated zero is an adjustment (interpretation 19); elsewhere only if the legume gives none.

    An adjustment shows where the planned N is at most the need without it, or nothing is planned.
    """
    zero_fits = (pl.col("crop").cast(pl.String) == "soybeans") | (pl.col("legume_n_lb_per_ac") == 0)
    planned = pl.col("planned_n_lb_per_ac")
    most = (pl.col("synthetic_n_need_lb_per_ac") - pl.col("n_adjustment_lb_per_ac")).clip(0)
    adjusted = (
        pl.when(pl.col("n_adjustment_lb_per_ac") > 0)
        .then((planned == 0) | (planned <= most))
        .when(pl.col("n_adjustment_lb_per_ac") == 0)
        .then(zero_fits)
    )
    return _if_legume(adjusted)


def _if_legume(answer: pl.Expr) -> pl.Expr:
    unclear = (pl.col("species_unknown") > 0) | (pl.col("covers_without_species") > 0)
    return (
        pl.when(pl.col("covers") == 0)
        .then(None)
        .when(pl.col("legumes") > 0)
        .then(answer)
        .when(~unclear | answer)
        .then(True)
    )


@requirement(
    "2100.052(a)(3)",
    _P,
    says="The cover crop is seeded in the fall, before the production crop.",
    rests_on=(*COVER, "planting", *PLACES),
    gaps=_of_cover(Gap("cover_crop.seeded_on", pl.col("fall_unknown") > 0), _PLANTED),
)
def cover_crop_seeded_in_fall(_: RuleVersion) -> pl.Expr:
    """The window of fall is a parameter by State (interpretation 16); interseeding into a standing crop is seeding."""
    return _every("fall")


@requirement(
    "2100.052(b)(7)",
    _P,
    says="No other crop is harvested between the cover crop and this one.",
    rests_on=(*COVER, "planting"),
    gaps=_of_cover(
        Gap(
            "planting.planted_on (of the crop before: a cover ended before its harvest may belong to it)",
            pl.col("own_crop_unknown") > 0,
        )
    ),
    remedy="The cover crop belongs to the crop that was harvested after it; name that crop entry in its row.",
)
def cover_crop_before_this_crop(_: RuleVersion) -> pl.Expr:
    """A cover belongs to the crop seeded immediately after it (interpretations 15, 63)."""
    return _every("own_crop")


@requirement(
    "2100.052(a)(5)",
    _P,
    says="It is ended by winter kill, herbicide, roller crimper or mowing.",
    rests_on=(*COVER, "operation", "operation_tool", "planting"),
    gaps=_of_cover(
        Gap("cover_crop.termination_method", pl.col("method_unknown") > 0),
        Gap(
            "operation.full_width (the operations list does not decide it, of a pass while the cover stood)",
            pl.col("cover_tilled_unknown") > 0,
        ),
    ),
    remedy="A cover that was tilled under earns no credit, whatever its row says; check the days of the passes.",
)
def cover_crop_termination_method(_: RuleVersion) -> pl.Expr:
    """Tillage, grazing and burning are no termination; tillage before the day recorded was one (interpretation 63)."""
    tilled = v.none_of(pl.col("cover_tilled"), pl.col("cover_tilled_unknown"), pl.lit(value=True))
    return _every("method") & pl.when(pl.col("covers") > 0).then(tilled)


@requirement(
    "2100.052(a)(5)",
    _P,
    says="It is ended in the spring, unless winter killed it.",
    rests_on=(*COVER, *PLACES),
    gaps=_of_cover(Gap("cover_crop.terminated_on (after seeding, before harvest)", pl.col("spring_unknown") > 0)),
)
def cover_crop_terminated_in_spring(_: RuleVersion) -> pl.Expr:
    """Spring is a window by State, a parameter; planting green may put the day after planting (interpretation 16)."""
    return _every("spring")


@requirement(
    "2100.052(a)(7)",
    _P,
    says="It is neither grazed nor mechanically harvested.",
    rests_on=(*COVER, "declaration", "operation", "planting"),
    gaps=_of_cover(
        Gap("declaration.cover_grazed (an answer of yes or no)", missing_fact("cover_grazed")),
        Gap("declaration.cover_harvested (an answer of yes or no)", missing_fact("cover_harvested")),
        Gap(
            "operation.day, cover_crop.seeded_on and planting.planted_on (of a pass that grazes or mows for hay)",
            (pl.col("cover_use_unclear") + pl.col("cover_uses_undated")) > 0,
        ),
    ),
)
def cover_crop_not_harvested_or_grazed(_: RuleVersion) -> pl.Expr:
    """A missing row shows nothing: the producer answers both (interpretation 2)."""
    used = pl.col("cover_used") + pl.col("cover_use_passes")
    unclear = pl.col("cover_use_unclear") + pl.col("cover_uses_undated")
    answered = pl.col("cover_grazed").is_not_null() & pl.col("cover_harvested").is_not_null()
    none = v.none_of(used, unclear, answered)
    return pl.when(pl.col("covers") > 0).then(none & ~pl.col("cover_grazed") & ~pl.col("cover_harvested"))


@requirement(
    "2100.052(a)(7)",
    _P,
    says="Residue stays on the surface from termination to planting.",
    rests_on=(*COVER, "operation", "operation_tool", "declaration", "planting", *CONTROL),
    gaps=_of_cover(
        Gap("cover_crop.terminated_on", pl.col("terminations_undated") > 0),
        _PLANTED,
        *COMPLETE,
        Gap("operation.full_width (the operations list does not decide it)", pl.col("residue_unknown") > 0),
    ),
    shown=Shown(
        "residue_passes",
        "full-width passes",
        0,
        of="between termination and planting",
        one="full-width pass",
        rests=(_NONE.record, "cover_crop.terminated_on", _PLANTED.record),
    ),
)
def cover_crop_residue_stays(_: RuleVersion) -> pl.Expr:
    """A full-width pass after termination buries residue, until the last planting (interpretations 18, 63)."""
    known = (
        pl.col("operations_complete") & (pl.col("terminations_undated") == 0) & pl.col("planted_first").is_not_null()
    )
    return pl.when(pl.col("covers") > 0).then(v.none_of(pl.col("residue_passes"), pl.col("residue_unknown"), known))


@requirement(
    "2100.052(a)(7)",
    _P,
    says="Its residue is not burned.",
    rests_on=(*COVER, "operation", "declaration"),
    gaps=_of_cover(*BURNED),
)
def cover_crop_residue_not_burned(_: RuleVersion) -> pl.Expr:
    """A missing row shows nothing: the producer answers (interpretation 2)."""
    return pl.when(pl.col("covers") > 0).then((pl.col("cover_burned") == 0) & not_burned())


@requirement(
    "2100.052(a)(8)",
    _P,
    says="The cover crop is not fertilized.",
    rests_on=(*COVER, "nutrient_application", "declaration"),
    gaps=_of_cover(
        Gap("declaration.cover_fertilized (an answer of yes or no)", missing_fact("cover_fertilized")),
        Gap(
            "nutrient_application.intended_for (of what went on while the cover stood)",
            (pl.col("intent_unclear") + pl.col("intent_unclear_earlier")) > 0,
        ),
        Gap("nutrient_application.day and harvest_id (a row that fits no crop)", pl.col("nutrients_unplaced") > 0),
    ),
)
def cover_crop_not_fertilized(_: RuleVersion) -> pl.Expr:
    """Fertilizer meant for the cash crop is not fertilizer on the cover (interpretation 17)."""
    meant = pl.col("cover_applications") + pl.col("cover_applications_earlier")
    unclear = pl.col("intent_unclear") + pl.col("intent_unclear_earlier") + pl.col("nutrients_unplaced")
    unclear = unclear + pl.col("nutrients_misplaced")
    none = v.none_of(meant, unclear, pl.col("cover_fertilized").is_not_null())
    return pl.when(pl.col("covers") > 0).then(none & ~pl.col("cover_fertilized"))
