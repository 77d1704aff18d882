"""2100.051(c), .052(b), .053(e): what the records of a practice must demonstrate, judged apart (interpretation 6)."""

from typing import Final

import polars as pl

from provender.practices import verdict as v
from provender.practices.facts_control import CONTROL, NOT_IN_CONTROL
from provender.practices.facts_stand import STAND_UNPLANTED
from provender.practices.requirement import Gap, Part, lacks_yes, missing_fact, requirement
from provender.practices.tillage import BORDERS, CONTRADICTED, PROVING
from provender.rule.crops import Practice
from provender.rule.law import RuleVersion

_TILLAGE: Final = (Practice.reduced_till, Practice.no_till)
_NUTRIENTS: Final = (Practice.nitrification_inhibitor, Practice.no_fall_application, Practice.split_in_season)
_R: Final = Part.RECORDS


def _shown(holds: pl.Expr) -> pl.Expr:
    """Records either demonstrate a fact or do not yet: met, or not shown; never not met."""
    return pl.when(holds.fill_null(False)).then(True)


def _located() -> pl.Expr:
    return pl.col("acres").is_not_null() & pl.col("county_fips").is_not_null() & pl.col("place").is_not_null()


_PLACE: Final = (
    Gap("unit.acres", missing_fact("acres")),
    Gap("unit.county_fips", missing_fact("county_fips")),
    Gap("unit.boundary, fsa_field (farm, tract and field) or legal_description", missing_fact("place")),
)
_BUSHELS: Final = (Gap("harvest.bushels", missing_fact("bushels")),)
_SAYS_PLACE: Final = "The records show the unit, where it lies and its acres."
_SAYS_BUSHELS: Final = "The records show the bushels harvested from the unit."


@requirement("2100.051(c)(1)", *_TILLAGE, says=_SAYS_PLACE, rests_on=("unit",), part=_R, gaps=_PLACE)
def records_tillage_unit(_: RuleVersion) -> pl.Expr:
    """Acres, county and a boundary, FSA field or legal description."""
    return _shown(_located())


@requirement(
    "2100.051(c)(2)",
    *_TILLAGE,
    says="The records list all field operations of the interval.",
    rests_on=("operation", "declaration", "harvest", "planting", *PROVING, *CONTROL),
    part=_R,
    gaps=(
        Gap("operation (no pass is recorded at all)", pl.col("passes") == 0),
        Gap("operation (no planting or seeding pass)", pl.col("seeding_passes") == 0),
        Gap("operation (no harvest pass)", pl.col("harvest_passes") == 0),
        Gap("declaration.all_operations_listed", lacks_yes("all_operations_listed")),
        Gap("harvest (the crop before: its last day starts the interval)", missing_fact("starts_on")),
        *BORDERS,
        *CONTRADICTED,
        Gap("operation.day", pl.col("passes_undated") > 0),
    ),
)
def records_tillage_all_operations(_: RuleVersion) -> pl.Expr:
    """A list without planting or harvest cannot be the list of all operations."""
    return _shown(pl.col("operations_complete") & (pl.col("seeding_passes") > 0) & (pl.col("harvest_passes") > 0))


@requirement(
    "2100.051(c)(3)",
    *_TILLAGE,
    says="Depth, width and average speed of each disturbing operation are recorded.",
    rests_on=("operation", "operation_tool", "harvest"),
    part=_R,
    gaps=(
        Gap("operation (no pass is recorded at all)", pl.col("passes") == 0),
        Gap("operation.depth_in (zero in a machine file means not recorded)", pl.col("depth_missing") > 0),
        Gap("operation.depth_in (below the published least; it counts with evidence)", pl.col("shallow_passes") > 0),
        Gap("operation.width_ft", pl.col("width_missing") > 0),
        Gap("operation.speed_mph", pl.col("speed_missing") > 0),
    ),
)
def records_tillage_depth_width_speed(_: RuleVersion) -> pl.Expr:
    """Passes that only drive over the ground have no depth of disturbance."""
    missing = pl.col("depth_missing") + pl.col("shallow_passes") + pl.col("width_missing") + pl.col("speed_missing")
    return _shown((pl.col("passes") > 0) & (missing == 0))


@requirement(
    "2100.051(c)(4)",
    *_TILLAGE,
    says="The equipment of each operation is recorded.",
    rests_on=("operation", "harvest"),
    part=_R,
    gaps=(Gap("operation.equipment", (pl.col("equipment_missing") > 0) | (pl.col("passes") == 0)),),
)
def records_tillage_equipment(_: RuleVersion) -> pl.Expr:
    """Maker, model or the farm's own name of the implement."""
    return _shown((pl.col("passes") > 0) & (pl.col("equipment_missing") == 0))


@requirement(
    "2100.051(c)(5)",
    *_TILLAGE,
    says="The date of each operation is recorded.",
    rests_on=("operation", "harvest"),
    part=_R,
    gaps=(Gap("operation.day", (pl.col("passes_undated") > 0) | (pl.col("passes") == 0)),),
)
def records_tillage_dates(_: RuleVersion) -> pl.Expr:
    """An undated pass of the unit leaves all its intervals open."""
    return _shown((pl.col("passes") > 0) & (pl.col("passes_undated") == 0))


@requirement("2100.051(c)(6)", *_TILLAGE, says=_SAYS_BUSHELS, rests_on=("harvest",), part=_R, gaps=_BUSHELS)
def records_tillage_bushels(_: RuleVersion) -> pl.Expr:
    """The unit's bushels carry the practice; with both practices on a farm they are kept apart by unit."""
    return _shown(pl.col("bushels").is_not_null())


@requirement(
    "2100.052(b)(1)",
    Practice.cover_crop,
    says="Cover-crop seed bought or kept is enough for the area seeded across the operation.",
    rests_on=("seed_purchase", "cover_crop", "cover_species", "evidence"),
    part=_R,
    gaps=(
        Gap("cover_crop (no cover crop is recorded before this crop)", pl.col("covers") == 0),
        Gap(
            "seed_purchase (pounds of each species against rate and acres, received by the day of seeding, with "
            "supplier and the file of its paper)",
            lacks_yes("seed_sufficient"),
        ),
    ),
)
def records_cover_seed(_: RuleVersion) -> pl.Expr:
    """Judged across the operation, species by species; own seed counts with other evidence (interpretation 19)."""
    return _shown(pl.col("seed_sufficient") & (pl.col("covers") > 0))


@requirement("2100.052(b)(2)", Practice.cover_crop, says=_SAYS_PLACE, rests_on=("unit",), part=_R, gaps=_PLACE)
def records_cover_unit(_: RuleVersion) -> pl.Expr:
    """Acres, county and a boundary, FSA field or legal description."""
    return _shown(_located())


@requirement(
    "2100.052(b)(3)",
    Practice.cover_crop,
    says="Seeding date, method and rate are recorded.",
    rests_on=("cover_crop", "cover_species", "harvest"),
    part=_R,
    gaps=(
        Gap("cover_crop.seeded_on", (pl.col("seedings_undated") > 0) | (pl.col("covers") == 0)),
        Gap("cover_crop.method", pl.col("seedings_without_method") > 0),
        Gap("cover_species.rate_lb_per_ac", (pl.col("rates_unknown") > 0) | (pl.col("covers_without_species") > 0)),
    ),
)
def records_cover_seeding(_: RuleVersion) -> pl.Expr:
    """Every seeding with every species of its mix."""
    missing = v.added(("seedings_undated", "seedings_without_method", "rates_unknown", "covers_without_species"))
    return _shown((pl.col("covers") > 0) & (missing == 0))


@requirement(
    "2100.052(b)(4)",
    Practice.cover_crop,
    says="The acres seeded are recorded, so that they add up across the operation.",
    rests_on=("cover_crop", "harvest"),
    part=_R,
    gaps=(Gap("cover_crop.seeded_acres", (pl.col("seedings_without_acres") > 0) | (pl.col("covers") == 0)),),
)
def records_cover_acres(_: RuleVersion) -> pl.Expr:
    """Asks for the acres of every seeding; services add them up across the operation (`operation_totals`)."""
    return _shown((pl.col("covers") > 0) & (pl.col("seedings_without_acres") == 0))


@requirement(
    "2100.052(b)(5)",
    Practice.cover_crop,
    says="A photograph shows the cover crop established.",
    rests_on=("cover_crop", "evidence", "harvest"),
    part=_R,
    gaps=(
        Gap(
            "cover_crop.established_photo (the file of a photograph of this unit, unchanged, taken between seeding and "
            "termination)",
            (pl.col("covers_without_photo") > 0) | (pl.col("covers") == 0),
        ),
    ),
)
def records_cover_photograph(_: RuleVersion) -> pl.Expr:
    """The file is needed, not its name (interpretation 59); one without place and time is weaker (20)."""
    return _shown((pl.col("covers") > 0) & (pl.col("covers_without_photo") == 0))


@requirement(
    "2100.052(b)(6)",
    Practice.cover_crop,
    says="Termination date and method are recorded.",
    rests_on=("cover_crop", "harvest"),
    part=_R,
    gaps=(
        Gap("cover_crop.terminated_on", (pl.col("terminations_undated") > 0) | (pl.col("covers") == 0)),
        Gap("cover_crop.termination_method", pl.col("method_unknown") > 0),
    ),
)
def records_cover_termination(_: RuleVersion) -> pl.Expr:
    """For winter kill, the day on which it was seen dead."""
    return _shown((pl.col("covers") > 0) & (pl.col("terminations_undated") == 0) & (pl.col("method_unknown") == 0))


@requirement("2100.052(b)(7)", Practice.cover_crop, says=_SAYS_BUSHELS, rests_on=("harvest",), part=_R, gaps=_BUSHELS)
def records_cover_bushels(_: RuleVersion) -> pl.Expr:
    """The bushels of the production crop that follows (interpretation 15)."""
    return _shown(pl.col("bushels").is_not_null())


@requirement(
    "2100.053(e)(1)",
    *_NUTRIENTS,
    says="The budget shows a yield goal and all sources of N-P-K, and an opinion it is based on is on file.",
    rests_on=("nutrient_budget", "budget_source", "harvest", "expert_opinion", "evidence"),
    part=_R,
    gaps=(
        Gap("nutrient_budget (yield goal, planned N-P-K and removals)", lacks_yes("budget_planned")),
        Gap("budget_source (sources without an answer)", (pl.col("sources_unanswered") > 0).fill_null(True)),
        Gap(
            "expert_opinion.evidence (the file of the written opinion, unchanged)",
            ~pl.col("basis_on_file"),
        ),
    ),
)
def records_nutrients_budget(_: RuleVersion) -> pl.Expr:
    """Yield goal, plan, removals, each source answered, and the paper of the opinion where one is the basis."""
    return _shown(pl.col("budget_planned") & (pl.col("sources_unanswered") == 0) & pl.col("basis_on_file"))


@requirement(
    "2100.053(e)(2)",
    *_NUTRIENTS,
    says="A soil test within two years of the budget is on file, with laboratory, method and date.",
    rests_on=("soil_test", "nutrient_budget", "harvest", "evidence"),
    part=_R,
    gaps=(
        Gap("soil_test.sampled_on", lacks_yes("soil_test_fits")),
        Gap("soil_test.laboratory and method", lacks_yes("soil_test_documented")),
        Gap(
            "soil_test.p_ppm, k_ppm or nitrate_n_ppm (the results)",
            pl.col("sampled_on").is_not_null() & ~pl.col("soil_results"),
        ),
        Gap("soil_test.evidence (the file of the laboratory's report, unchanged)", lacks_yes("soil_test_on_file")),
    ),
)
def records_nutrients_soil_test(_: RuleVersion) -> pl.Expr:
    """An expert's opinion may be the basis of the budget, but results are still asked for (interpretation 25)."""
    return _shown(v.all_of(("soil_test_fits", "soil_test_documented", "soil_results", "soil_test_on_file")))


@requirement(
    "2100.053(e)(3)",
    *_NUTRIENTS,
    says="Date, method and pounds of N-P-K of each application are recorded.",
    rests_on=("nutrient_application", "declaration", "harvest", *CONTROL),
    part=_R,
    gaps=(
        Gap("nutrient_application.day", (pl.col("nutrients_undated") + pl.col("nutrients_unplaced")) > 0),
        Gap("declaration.all_nutrients_listed", lacks_yes("all_nutrients_listed")),
        Gap("harvest.termination_record (of the crop before: a replant or adjuster record)", lacks_yes("start_proven")),
        STAND_UNPLANTED,
        NOT_IN_CONTROL,
        Gap("nutrient_application.method", pl.col("nutrients_without_method") > 0),
        Gap("nutrient_application.n_lb_per_ac, p2o5_lb_per_ac, k2o_lb_per_ac", pl.col("nutrients_without_npk") > 0),
        Gap("nutrient_application (none is recorded)", pl.col("nutrient_rows") == 0),
    ),
)
def records_nutrients_applications(_: RuleVersion) -> pl.Expr:
    """Pounds per acre typed, or computed from product and rate."""
    missing = v.added(("nutrients_undated", "nutrients_without_method", "nutrients_without_npk"))
    return _shown((pl.col("nutrient_rows") > 0) & (missing == 0) & pl.col("nutrients_complete"))


@requirement(
    "2100.053(e)(4)",
    *_NUTRIENTS,
    says="Source, type and nutrient content of what was supplied are recorded.",
    rests_on=("nutrient_application", "harvest"),
    part=_R,
    gaps=(
        Gap(
            "nutrient_application.product (in the fertilizer list, or with N-P-K per acre)",
            (pl.col("nutrients_without_npk") > 0) | (pl.col("nutrient_rows") == 0),
        ),
        Gap("nutrient_application.synthetic_n", pl.col("n_unclear") > 0),
    ),
)
def records_nutrients_content(_: RuleVersion) -> pl.Expr:
    """A product of the fertilizer list brings its analysis along."""
    lacks = v.added(("nutrients_without_npk", "n_unclear", "nutrients_misplaced"))
    return _shown((pl.col("nutrient_rows") > 0) & (lacks == 0))


@requirement("2100.053(e)(5)", *_NUTRIENTS, says=_SAYS_PLACE, rests_on=("unit",), part=_R, gaps=_PLACE)
def records_nutrients_unit(_: RuleVersion) -> pl.Expr:
    """Acres, county and a boundary, FSA field or legal description."""
    return _shown(_located())


@requirement(
    "2100.053(e)(6)",
    *_NUTRIENTS,
    says="The planting date is recorded.",
    rests_on=("planting", "harvest"),
    part=_R,
    gaps=(Gap("planting.planted_on", missing_fact("planted_first")),),
)
def records_nutrients_planting(_: RuleVersion) -> pl.Expr:
    """On replants the first planting is needed as well (interpretation 23)."""
    return _shown(pl.col("planted_first").is_not_null())


@requirement(
    "2100.053(e)(7)",
    *_NUTRIENTS,
    says="The acres under the practice are recorded, so that they add up across the operation.",
    rests_on=("unit",),
    part=_R,
    gaps=(Gap("unit.acres", missing_fact("acres")),),
)
def records_nutrients_acres(_: RuleVersion) -> pl.Expr:
    """Asks for the acres of the unit; services add them up across the operation (`operation_totals`)."""
    return _shown(pl.col("acres").is_not_null())


@requirement("2100.053(e)(8)", *_NUTRIENTS, says=_SAYS_BUSHELS, rests_on=("harvest",), part=_R, gaps=_BUSHELS)
def records_nutrients_bushels(_: RuleVersion) -> pl.Expr:
    """The unit's bushels carry the practice."""
    return _shown(pl.col("bushels").is_not_null())


@requirement(
    "2100.053(b)(1)",
    Practice.nitrification_inhibitor,
    says="Inhibitor bought is enough for the nitrogen treated across the operation.",
    rests_on=("inhibitor_purchase", "nutrient_application", "unit", "harvest", "evidence"),
    part=_R,
    gaps=(
        Gap("nutrient_application (none with synthetic nitrogen is recorded)", pl.col("n_rows") == 0),
        Gap("nutrient_application.inhibitor_rate", pl.col("inhibitor_unrated") > 0),
        Gap(
            "inhibitor_purchase (amount of each product against rate and acres treated, received by the day it was "
            "used, with supplier and the file of its paper)",
            lacks_yes("inhibitor_sufficient"),
        ),
    ),
)
def records_inhibitor_bought(_: RuleVersion) -> pl.Expr:
    """Rate times acres treated against quantity bought, product by product (interpretation 22)."""
    return _shown(pl.col("inhibitor_sufficient") & (pl.col("inhibitor_unrated") == 0) & (pl.col("n_rows") > 0))
