"""Why a requirement is not met, in one short sentence: what a matrix, a message and a phone have room for.

The finding itself says what must hold, with number and limit; this says what the records show instead.
"""

from collections.abc import Mapping
from typing import Any, Final

WHY_NOT: Final[Mapping[str, str | tuple[tuple[str, str], ...]]] = {
    "no_till_no_full_width_disturbance": "A pass disturbed the full width of the ground.",
    "no_till_stir_within_limit": "The passes have more STIR than no-till may.",
    "reduced_till_stir_within_limit": "The passes have more STIR than reduced till may.",
    "reduced_till_no_primary_inversion": "A plow turned the ground over.",
    "no_till_residue_not_burned": "Residue was burned.",
    "reduced_till_residue_not_burned": "Residue was burned.",
    "cover_crop_suits_site": "The cover crop does not fit soil and site.",
    "cover_crop_on_whole_unit": "The cover crop stood on part of the field only.",
    "cover_crop_legume_budget": "The budget leaves out the nitrogen of the legume.",
    "cover_crop_legume_n_adjusted": "The budget does not take off the nitrogen of the legume.",
    "cover_crop_seeded_in_fall": "The cover crop was not seeded in the fall before this crop.",
    "cover_crop_before_this_crop": "Another crop was harvested between the cover crop and this one.",
    "cover_crop_termination_method": (
        ("cover_used", "The cover crop was ended by grazing or harvest."),
        ("cover_burned", "The cover crop was ended by burning."),
        ("cover_worked_in", "The cover crop was ended by tillage."),
        ("cover_tilled", "A pass tilled the cover crop under before it was ended."),
        ("method_false", "The cover crop was ended in a way that does not count."),
    ),
    "cover_crop_terminated_in_spring": "The cover crop was not ended in the spring.",
    "cover_crop_not_harvested_or_grazed": "The cover crop was grazed or harvested.",
    "cover_crop_residue_stays": "A pass buried the residue of the cover crop before planting.",
    "cover_crop_residue_not_burned": "Residue of the cover crop was burned.",
    "cover_crop_not_fertilized": "The cover crop was fertilized.",
    "nutrients_budget_before_application": "Nutrients went on before the budget was made.",
    "nutrients_budget_all_sources": "The budget leaves out a source of nutrients that the records name.",
    "nutrients_records_agree": "The applications do not agree with the budget.",
    "nutrients_budget_basis": "The budget rests on a soil test or an opinion that does not count.",
    "inhibitor_with_all_synthetic_n": "Synthetic nitrogen went on without an inhibitor.",
    "inhibitor_recognised": "The State does not accept the inhibitor.",
    "no_fall_first_n_at_planting": "Synthetic nitrogen did not go on around planting first.",
    "no_fall_none_in_fall": "Synthetic nitrogen went on in the fall.",
    "split_post_emergence_share": "Too little nitrogen went on after emergence.",
}
"""By requirement of the implementation; where there are several ways to fail, by the first count that is not zero."""
_NO_NITROGEN: Final = "No synthetic nitrogen went on."


def why_not(name: str, row: Mapping[str, Any], *, no_nitrogen: bool) -> str:
    """Return why a requirement of an interval is not met; empty where its sentence says all.

    Args:
        name: of the requirement.
        row: the facts of the interval.
        no_nitrogen: whether it presupposes synthetic nitrogen and none went on (interpretation 4).
    """
    if no_nitrogen:
        return _NO_NITROGEN
    said = WHY_NOT.get(name, "")
    return said if isinstance(said, str) else next((words for column, words in said if row[column]), "")
