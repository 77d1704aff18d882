"""The kinds of record in the groups in which a farm thinks of them."""

from typing import Final

from provender.records.kind import KINDS, Kind

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Fields and people": (
        "farm", "producer", "unit", "control", "related_party", "land_use", "crop_history", "tillage_history",
        "enrolment",
    ),
    "Season": ("harvest", "planting", "operation", "operation_tool", "declaration"),
    "Cover crops": ("cover_crop", "cover_species", "seed_purchase"),
    "Nutrients": (
        "nutrient_application", "nutrient_budget", "budget_source", "soil_test", "in_season_test", "expert_opinion",
        "inhibitor_purchase", "inhibitor_acceptance",
    ),
    "Harvest and sales": ("bushel_total", "reported_acres", "scale_ticket", "sale", "report_delivery"),
    "Calculator": ("calculator_run", "national_default"),
    "Papers and words": ("evidence", "word"),
}  # fmt: skip
"""By what a group is called, the names of its kinds in the order in which they are entered."""


def kinds_in_groups() -> list[tuple[str, list[Kind]]]:
    """Return each group with its kinds."""
    return [(group, [KINDS[name] for name in names]) for group, names in GROUPS.items()]
