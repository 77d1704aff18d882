"""Records of nutrients: applications, budget, tests, opinions, inhibitor bought."""

from datetime import date
from typing import Final

from provender.catalog.materials import published_credits
from provender.records import field
from provender.records.kind import AS_TYPED, Record, kind

METHODS: Final = (
    "injected",
    "banded",
    "broadcast",
    "broadcast_incorporated",
    "in_furrow",
    "starter_band",
    "sidedress",
    "topdress",
    "foliar",
    "fertigation",
    "aerial",
    "by_hand",
    "with_herbicide",
    "other",
)
_RATE_UNITS: Final = ("lb/ac", "gal/ac", "ton/ac", "oz/ac", "qt/ac", "pt/ac")
_INTENDED_CROPS: Final = ("cash_crop", "cover_crop", "other")
N_SOURCES: Final = (
    "commercial_fertilizer",
    "starter",
    "manure",
    "legume_crop",
    "green_manure",
    "crop_residue",
    "compost",
    "organic_by_product",
    "biosolids",
    "wastewater",
    "other_organic",
    "soil_available",
    "irrigation_water",
)
_BUDGET_BASES: Final = ("soil_test", "expert_opinion")
_INHIBITED: Final = field.unless("inhibitor", "", "none")
_ANSWERED: Final = field.only("present", "yes")
_SAMPLED: Final = field.only("what", "soil", "tissue")
WORK: Final = (
    "corn", "soybeans", "sorghum", "field_crops", "soil_fertility", "nutrient_management", "cover_crops",
    "plant_disease", "insects", "weeds", "other_crops", "other",
)  # fmt: skip
_EMPLOYERS: Final = ("cooperative_extension", "university_agriculture", "fcic_approved", "other")


@kind("nutrient_application", "Nutrient applications", "Every product that carries N, P or K.", cite="2100.053(e)(3)")
class NutrientApplication(Record):
    """One row per pass and product."""

    application_id: str = field.key("Application")
    unit_id: str = field.refers("unit", "Management unit", cite="2100.053(e)(3)")
    harvest_id: str | None = field.refers("harvest", "Crop entry it is meant for", required=False)
    intended_for: str | None = field.choice(
        _INTENDED_CROPS, "Meant for", "Cash crop or cover crop.", cite="2100.052(a)(8)"
    )
    day: date | None = field.day("Date", cite="2100.053(e)(3)")
    product: str = field.text(
        "Product", "A name of the fertilizer list, or your own.", cite="2100.053(e)(4)", required=True
    )
    as_typed: str | None = field.text("As typed", AS_TYPED, later=True)
    method: str | None = field.choice(METHODS, "Method", cite="2100.053(e)(3)")
    rate: int | None = field.quantity("rate", "Rate", most="100000", cite="2100.053(e)(3)")
    rate_unit: str | None = field.choice(_RATE_UNITS, "Rate unit")
    n_lb_per_ac: int | None = field.quantity("lb/ac", "N", "Pounds of N per acre.", most="1000", cite="2100.053(e)(3)")
    p2o5_lb_per_ac: int | None = field.quantity("lb/ac", "P2O5", most="1000", cite="2100.053(e)(3)")
    k2o_lb_per_ac: int | None = field.quantity("lb/ac", "K2O", most="1000", cite="2100.053(e)(3)")
    synthetic_n: bool | None = field.yes_no(
        "Synthetic N", "Only where the fertilizer list does not decide it.", cite="2100.053(b)(1)", seldom=True
    )
    treated_acres: int | None = field.quantity(
        "acres", "Area treated", "Blank when the whole unit was covered.", most="100000", seldom=True
    )
    zone: str | None = field.text(
        "Zone",
        "Where parts of the unit are fertilized as areas of their own: one name in all their rows.",
        seldom=True,
    )
    inhibitor: str | None = field.text(
        "Nitrification inhibitor", "Product or active ingredient; none when there was none.", cite="2100.053(b)(1)"
    )
    inhibitor_rate: int | None = field.quantity(
        "rate", "Inhibitor rate", most="10000", cite="2100.053(b)(1)", when=_INHIBITED
    )
    inhibitor_rate_unit: str | None = field.choice(_RATE_UNITS, "Inhibitor rate unit", when=_INHIBITED)


@kind("nutrient_budget", "Nutrient budgets", "The plan for N, P and K of one crop on one unit.", cite="2100.053(a)(1)")
class NutrientBudget(Record):
    """One row per crop entry."""

    budget_id: str = field.key("Budget")
    harvest_id: str = field.refers("harvest", "Crop entry")
    made_on: date | None = field.day("Made on", cite="2100.053(a)(1)")
    yield_goal_bu_per_ac: int | None = field.quantity(
        "bu/ac", "Yield goal", least="0.001", most="1000", cite="2100.053(a)(1)"
    )
    planned_n_lb_per_ac: int | None = field.quantity("lb/ac", "Planned N", most="1000", cite="2100.053(a)(1)")
    planned_p2o5_lb_per_ac: int | None = field.quantity("lb/ac", "Planned P2O5", most="1000", cite="2100.053(a)(1)")
    planned_k2o_lb_per_ac: int | None = field.quantity("lb/ac", "Planned K2O", most="1000", cite="2100.053(a)(1)")
    synthetic_n_need_lb_per_ac: int | None = field.quantity(
        "lb/ac",
        "Synthetic N need",
        "The crop's need by the State's land-grant university.",
        most="1000",
        cite="2100.053(d)(1)",
    )
    need_source: str | None = field.text("Source of the need", "The guide and its year.", cite="2100.053(d)(1)")
    removal_n_lb_per_ac: int | None = field.quantity("lb/ac", "N removed", most="1000", cite="2100.053(a)(1)")
    removal_p2o5_lb_per_ac: int | None = field.quantity("lb/ac", "P2O5 removed", most="1000", cite="2100.053(a)(1)")
    removal_k2o_lb_per_ac: int | None = field.quantity("lb/ac", "K2O removed", most="1000", cite="2100.053(a)(1)")
    basis: str | None = field.choice(_BUDGET_BASES, "Based on", cite="2100.053(a)(2)")
    soil_test_id: str | None = field.refers("soil_test", "Soil test", required=False, cite="2100.053(a)(2)")
    opinion_id: str | None = field.refers(
        "expert_opinion", "Expert opinion", required=False, cite="2100.053(a)(2)",
        when=field.only("basis", "expert_opinion"),
    )  # fmt: skip
    legume_n_lb_per_ac: int | None = field.quantity(
        "lb/ac", "N available from the cover crop", published_credits(), most="500", cite="2100.052(a)(2)(i)"
    )
    n_adjustment_lb_per_ac: int | None = field.quantity(
        "lb/ac",
        "N taken off for the cover crop",
        "Zero is an answer; blank is none.",
        most="500",
        cite="2100.052(a)(2)(ii)",
    )


@kind("budget_source", "Sources in the budget", "Every source answered, none included.", cite="2100.053(a)(1)")
class BudgetSource(Record):
    """One row per budget and source of nutrients."""

    budget_id: str = field.refers("nutrient_budget", "Budget", part=True)
    source: str = field.choice(N_SOURCES, "Source", required=True, part=True)
    present: bool | None = field.yes_no("Present", "No means none.", cite="2100.053(a)(1)")
    n_lb_per_ac: int | None = field.quantity("lb/ac", "N", most="1000", when=_ANSWERED)
    p2o5_lb_per_ac: int | None = field.quantity("lb/ac", "P2O5", most="1000", when=_ANSWERED)
    k2o_lb_per_ac: int | None = field.quantity("lb/ac", "K2O", most="1000", when=_ANSWERED)


@kind("soil_test", "Soil tests", "Laboratory results the budget rests on.", cite="2100.053(e)(2)")
class SoilTest(Record):
    """One row per unit and sample."""

    soil_test_id: str = field.key("Soil test")
    unit_id: str = field.refers("unit", "Management unit")
    sampled_on: date | None = field.day("Sampled on", cite="2100.053(e)(2)")
    laboratory: str | None = field.text("Laboratory", cite="2100.053(e)(2)")
    method: str | None = field.text("Method", "Such as Mehlich-3.", cite="2100.053(e)(2)")
    depth_in: int | None = field.quantity("in", "Sample depth", most="120")
    ph: int | None = field.quantity("ph", "pH", most="14")
    organic_matter_pct: int | None = field.quantity("pct", "Organic matter", most="100")
    nitrate_n_ppm: int | None = field.quantity("ppm", "Nitrate N", most="10000")
    p_ppm: int | None = field.quantity("ppm", "P", most="10000")
    k_ppm: int | None = field.quantity("ppm", "K", most="10000")


@kind(
    "in_season_test", "In-season tests", "Scouting, soil or tissue samples that adjust the plan.", cite="2100.053(d)(1)"
)
class InSeasonTest(Record):
    """One row per test; a reduction counts toward the split only when it is documented here."""

    in_season_test_id: str = field.key("Test")
    harvest_id: str = field.refers("harvest", "Crop entry")
    tested_on: date | None = field.day("Sampled on", cite="2100.053(e)(2)")
    what: str = field.choice(("scouting", "soil", "tissue"), "What", required=True)
    laboratory: str | None = field.text("Laboratory", cite="2100.053(e)(2)", when=_SAMPLED)
    method: str | None = field.text("Method", cite="2100.053(e)(2)", when=_SAMPLED)
    result: str | None = field.text("Result", cite="2100.053(e)(2)")
    planned_on: date | None = field.day(
        "Planned day of what was reduced", "The application that was made smaller or left out.", cite="2100.053(d)(1)"
    )
    n_reduction_lb_per_ac: int | None = field.quantity(
        "lb/ac", "Synthetic N left out", most="500", cite="2100.053(d)(1)"
    )


@kind("expert_opinion", "Expert opinions", "Written opinions a budget may rest on.", cite="2100.053(a)(2)")
class ExpertOpinion(Record):
    """One row per opinion."""

    opinion_id: str = field.key("Opinion")
    expert: str = field.text("Expert", required=True)
    employer: str | None = field.choice(_EMPLOYERS, "Employed or approved by", cite="2100.053(a)(2)")
    works_on: str | None = field.choice(
        WORK, "Works on", "The crop or practice of the expert's research or occupation.", cite="2100.053(a)(2)"
    )
    specialty: str | None = field.text("Specialty", "In the expert's own words.", cite="2100.053(a)(2)")
    given_on: date | None = field.day("Given on")


@kind("inhibitor_purchase", "Inhibitor bought", "To hold against the N that was treated.", cite="2100.053(b)(1)")
class InhibitorPurchase(Record):
    """One row per purchase."""

    purchase_id: str = field.key("Purchase")
    product: str = field.text("Product", required=True)
    as_typed: str | None = field.text("As typed", AS_TYPED, later=True)
    amount: int | None = field.quantity("amount", "Amount", most="10000000")
    amount_unit: str | None = field.choice(("gal", "qt", "oz", "lb", "ton"), "Unit")
    received_on: date | None = field.day("Received on")
    supplier: str | None = field.text("Supplier")


@kind("inhibitor_acceptance", "Inhibitors accepted by the State", "A list the user extends.", cite="2100.053(b)(1)")
class InhibitorAcceptance(Record):
    """One row per State and inhibitor: what the State's fertilizer control official accepts (interpretation 22)."""

    state: str = field.text("State", "Two letters, such as KS.", required=True, part=True)
    inhibitor: str = field.text("Inhibitor", "Product or active ingredient.", required=True, part=True)
    accepted: bool = field.yes_no("Accepted", required=True)
    label_rate: int | None = field.quantity("rate", "Least rate of the label", most="10000", cite="2100.053(b)(1)")
    label_rate_unit: str | None = field.choice(_RATE_UNITS, "Unit of that rate")
    source: str = field.text("Source", "List or letter, with its date.", required=True)
