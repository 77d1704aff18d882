"""Records of a season on a unit: crops and how they ended, operations, planting, declarations."""

from datetime import date
from typing import Final

from provender.catalog.tables import still_names
from provender.records import field
from provender.records.kind import AS_TYPED, Record, kind
from provender.schema import When

_CASH_CROPS: Final = (
    "corn",
    "soybeans",
    "sorghum",
    "seed_corn",
    "popcorn",
    "sweet_corn",
    "wheat",
    "oats",
    "barley",
    "rye",
    "canola",
    "sunflowers",
    "alfalfa",
    "hay",
    "cotton",
    "rice",
    "other",
)
_CROP_USES: Final = ("grain", "silage", "high_moisture", "seed", "forage", "other")
_ENDINGS: Final = ("harvested", "terminated", "prevented", "fallow", "not_yet")
OVER: Final = field.only("ending", "harvested", "terminated")
_TAKEN_IN: Final = field.only("ending", "harvested")
_STIRS: Final = When("operation", still_names, hides=True)
"""What a pass disturbed matters but for the operations of the list that disturb nothing."""
_TILLAGE_TYPES: Final = ("inversion", "mixing_some_inversion", "mixing", "lifting", "compression", "none")


@kind("harvest", "Crops and harvests", "Every cash crop on a unit and how it ended.", cite="2100.020(a)(3)")
class Harvest(Record):
    """One row per cash crop on a unit: harvested, terminated, prevented, fallow, or not yet ended.

    A crop interval runs from the end of one harvested or terminated cash crop through the end of the next
    (2100.002); prevented planting and fallow end no interval (interpretation 9), nor does a crop that is still to come
    or stands: its cover crop and passes name it from the day they are done. The crop before the first one of the
    book needs a row too, with its last day: it says when the first interval began.
    """

    harvest_id: str = field.key("Crop entry", "Such as N40-2026.")
    unit_id: str = field.refers("unit", "Management unit")
    crop: str = field.choice(_CASH_CROPS, "Crop", cite="2100.020(a)(2)", required=True)
    use: str | None = field.choice(_CROP_USES, "Use", "Grain, silage, high-moisture grain, seed.", cite="2100.011")
    ending: str = field.choice(_ENDINGS, "How it ended", cite="2100.002", required=True)
    first_day: date | None = field.day("First day", "First day of harvest, or the day of termination.", when=OVER)
    last_day: date | None = field.day("Last day", "Last day of harvest, or the day of termination.", when=OVER)
    bushels: int | None = field.quantity(
        "bu", "Bushels", "Whole harvest of the unit, whoever buys it.", most="100000000", cite="2100.051(c)(6)",
        when=_TAKEN_IN,
    )  # fmt: skip
    harvested_acres: int | None = field.quantity("acres", "Harvested acres", most="100000", when=_TAKEN_IN)
    moisture_pct: int | None = field.quantity("pct", "Moisture of these bushels", most="60", share=True, when=_TAKEN_IN)
    termination_record: str | None = field.text(
        "Termination record", "Replant or adjuster record for a crop that was given up.",
        when=field.only("ending", "terminated", "prevented"),
    )  # fmt: skip
    claims: str | None = field.text(
        "Practices claimed", "Such as no_till; cover_crop. The word none claims nothing; blank leaves it to the runs.",
        cite="2100.012", later=True, unsigned=True,
    )  # fmt: skip


@kind("operation", "Field operations", "Every pass over the ground in the interval.", cite="2100.051(c)(2)")
class Operation(Record):
    """One row per pass."""

    operation_id: str = field.key("Operation number")
    unit_id: str = field.refers("unit", "Management unit")
    day: date | None = field.day("Date", cite="2100.051(c)(5)")
    operation: str = field.text(
        "Operation",
        "A name of USDA's list of operations; type a word to search it.",
        cite="2100.051(c)(2)",
        required=True,
    )
    as_typed: str | None = field.text("As typed", AS_TYPED, later=True)
    equipment: str | None = field.text("Equipment", "Maker, model or the farm's own name.", cite="2100.051(c)(4)")
    depth_in: int | None = field.quantity("in", "Depth of disturbance", most="60", cite="2100.051(c)(3)", when=_STIRS)
    speed_mph: int | None = field.quantity("mph", "Average speed", most="40", cite="2100.051(c)(3)", when=_STIRS)
    width_ft: int | None = field.quantity("ft", "Working width", most="200", cite="2100.051(c)(3)", when=_STIRS)
    surface_pct: int | None = field.quantity(
        "pct", "Surface disturbed", "Share of the width that is disturbed.", most="100", cite="2100.051(c)(3)",
        when=_STIRS,
    )  # fmt: skip
    treated_acres: int | None = field.quantity(
        "acres", "Area treated", "Blank when the whole unit was covered.", most="100000", seldom=True
    )
    full_width: bool | None = field.yes_no(
        "Full width", "Where the list leaves it open, or it was in fact.", cite="2100.051(b)(1)", seldom=True
    )
    primary_inversion: bool | None = field.yes_no(
        "Primary inversion", "Where the list leaves it open, or it was in fact.", cite="2100.051(a)(2)", seldom=True
    )


@kind("operation_tool", "Tools of an implement", "The tools of one pass, when they are known.", cite="2100.051(c)(3)")
class OperationTool(Record):
    """One row per soil-disturbing tool of an implement; tools add up at the operation's speed."""

    operation_id: str = field.refers("operation", "Operation", part=True)
    tool_no: int = field.whole("Tool", "1, 2, 3 ... from front to back.", least=1, most=20, required=True, part=True)
    tillage_type: str = field.choice(_TILLAGE_TYPES, "Tillage type", required=True)
    depth_in: int | None = field.quantity("in", "Depth of disturbance", most="60", cite="2100.051(c)(3)")
    surface_pct: int | None = field.quantity("pct", "Surface disturbed", most="100", cite="2100.051(c)(3)")


@kind(
    "declaration", "Season declarations", "What no record can show: that nothing else happened.", cite="2100.051(c)(2)"
)
class Declaration(Record):
    """One row per crop interval (named by the crop that ends it): a dated statement of the producer."""

    harvest_id: str = field.refers("harvest", "Crop entry", "The crop whose interval this covers.", part=True)
    made_on: date | None = field.day("Declared on")
    producer_id: str | None = field.refers("producer", "Declared by", required=False)
    all_operations_listed: bool | None = field.yes_no("All operations are listed", cite="2100.051(c)(2)")
    all_nutrients_listed: bool | None = field.yes_no("All nutrient applications are listed", cite="2100.053(e)(3)")
    residue_burned: bool | None = field.yes_no("Residue was burned", cite="2100.051(b)(2)")
    cover_grazed: bool | None = field.yes_no("Cover crop was grazed", cite="2100.052(a)(7)")
    cover_harvested: bool | None = field.yes_no("Cover crop was harvested", cite="2100.052(a)(7)")
    cover_fertilized: bool | None = field.yes_no("Cover crop was fertilized", cite="2100.052(a)(8)")
    manure_applied: bool | None = field.yes_no("Manure was applied", cite="2100.053(a)(1)")
    irrigation_n: bool | None = field.yes_no("Irrigation water carried N", cite="2100.053(a)(1)")
    in_control: bool | None = field.yes_no(
        "In control", "Decided how this land was managed, through the whole interval.", cite="2100.031(c)(3)(i)",
        later=True,
    )  # fmt: skip
    records_kept: bool | None = field.yes_no(
        "Keeps the records", "Keeps them as long as the rule asks, and shows them to a verifier.",
        cite="2100.031(c)(3)(iv)", later=True,
    )  # fmt: skip
    benefit_sold: bool | None = field.yes_no(
        "Benefit sold elsewhere", "CI information, attributes or GHG benefits of this crop sold in another market.",
        cite="2100.031(c)(3)(v)", later=True,
    )  # fmt: skip
    no_till_kept: bool | None = field.yes_no(
        "Goes on with no-till", "In four of every five years from the first claim on.", cite="2100.031(c)(3)(vi)",
        later=True,
    )  # fmt: skip
    land_converted: bool | None = field.yes_no(
        "Land was converted", "Into crop production, after the day that the rule names.", cite="2100.031(c)(3)(vii)",
        later=True,
    )  # fmt: skip


@kind("planting", "Planting and emergence", "Planting, replanting and emergence.", cite="2100.053(e)(6)")
class Planting(Record):
    """One row per planting of a crop; replanting is a further row."""

    planting_id: str = field.key("Planting")
    harvest_id: str = field.refers("harvest", "Crop entry")
    planted_on: date | None = field.day("Planting date", cite="2100.053(e)(6)")
    replant: bool | None = field.yes_no("Replant")
    acres: int | None = field.quantity("acres", "Acres planted", most="100000")
    emerged_on: date | None = field.day(
        "Emergence seen on", "When somebody saw it; otherwise derived with a band.", cite="2100.053(d)(1)"
    )
