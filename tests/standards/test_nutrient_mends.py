"""Wrong answers of .052 and .053 that were mended: each at its border, beside it, and with nothing recorded."""

from typing import Final

import pytest

from provender.standards.assess import assess
from provender.standards.standard import Missing
from tests.standards.season import (
    Rows,
    book_of,
    changed,
    clean_season,
    evidence,
    intervals,
    verdict_of,
    with_row,
    without,
)

MET, NOT_MET, NOT_SHOWN = True, False, None
CLEAN: Final = clean_season()


def spread(day: str, n: str = "30", **cells: str) -> dict[str, str]:
    """Return one more application of synthetic nitrogen for the clean season."""
    return {"application_id": "A3", "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop", "day": day,
            "product": "Urea", "method": "broadcast", "n_lb_per_ac": n, "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0",
            "inhibitor": "Instinct", "inhibitor_rate": "24", "inhibitor_rate_unit": "oz/ac", **cells}  # fmt: skip


def alone(n: str = "160", **cells: str) -> Rows:
    """Return the season with its second application only."""
    return changed(without(CLEAN, "nutrient_application", 0), "nutrient_application", 0, n_lb_per_ac=n, **cells)


def inhibited(name: str, rate: str, unit: str = "oz/ac", *, label: str = "", of: str = "") -> Rows:
    """Return the season with another inhibitor, and the State's row with a label rate."""
    rows = CLEAN
    for at in (0, 1):
        rows = changed(rows, "nutrient_application", at, inhibitor=name, inhibitor_rate=rate, inhibitor_rate_unit=unit)
    if not label:
        return rows
    return with_row(rows, "inhibitor_acceptance", state="KS", inhibitor=of or name, accepted="yes", source="list of "
                    "2025", label_rate=label, label_rate_unit=unit)  # fmt: skip


def opinion(**cells: str) -> Rows:
    """Return the season with a budget that rests on an expert's opinion."""
    row = {"opinion_id": "X1", "expert": "A. Agronomist", "employer": "cooperative_extension", "works_on": "corn",
           "given_on": "2025-02-20", "evidence": "E12", **cells}  # fmt: skip
    rows = with_row(changed(CLEAN, "nutrient_budget", basis="expert_opinion", opinion_id="X1"), "expert_opinion", **row)
    return with_row(rows, "evidence", **evidence("E12", "opinion.pdf", "form", "2025-02-20"))


def same(*changes: tuple[str, int, dict[str, str]]) -> Rows:
    """Return the season after several changes of cells."""
    rows = CLEAN
    for kind, at, cells in changes:
        rows = changed(rows, kind, at, **cells)
    return rows


Case = tuple[str, Rows, str, bool | None]

SPLIT: Final[tuple[Case, ...]] = (
    ("two applications", CLEAN, "split_in_two_applications", MET),
    ("one application, however late", alone(), "split_in_two_applications", NOT_MET),
    ("the practice with one application", alone(), "split_in_season", NOT_MET),
    ("one with a list that nobody calls whole", changed(alone(), "declaration", all_nutrients_listed=""),
     "split_in_two_applications", NOT_SHOWN),
    ("two on one day", changed(CLEAN, "nutrient_application", 0, day="2025-06-02"), "split_in_two_applications",
     NOT_MET),
    ("two on two days, one after the other", changed(CLEAN, "nutrient_application", 0, day="2025-06-01"),
     "split_in_two_applications", MET),
    ("the first without a day", changed(CLEAN, "nutrient_application", 0, day=""), "split_in_two_applications",
     NOT_SHOWN),
    ("the first on part of the unit", changed(CLEAN, "nutrient_application", 0, treated_acres="20"),
     "split_in_two_applications", NOT_SHOWN),
    ("the first a trace", changed(CLEAN, "nutrient_application", 0, n_lb_per_ac="1.999", method="foliar"),
     "split_in_two_applications", NOT_MET),
    ("a zone that got one", same(("nutrient_application", 0, {"zone": "east", "treated_acres": "20"}),
                                 ("nutrient_application", 1, {"zone": "west", "treated_acres": "20"})),
     "split_in_two_applications", NOT_MET),
    ("none", without(CLEAN, "nutrient_application"), "split_in_two_applications", NOT_MET),
)  # fmt: skip
TRACE: Final[tuple[Case, ...]] = (
    ("1.9 lb on rye in October",
     with_row(CLEAN, "nutrient_application", **spread("2024-10-20", "1.9", product="AMS", method="foliar")),
     "no_fall_none_in_fall", NOT_MET),
    ("the same is the first of nothing",
     with_row(CLEAN, "nutrient_application", **spread("2024-10-20", "1.9", product="AMS", method="foliar")),
     "no_fall_first_n_at_planting", MET),
    ("1.9 lb in June", with_row(CLEAN, "nutrient_application", **spread("2025-06-10", "1.9", product="AMS",
                                                                       method="foliar", inhibitor="none")),
     "inhibitor_with_all_synthetic_n", MET),
    ("1.9 lb of no day", with_row(CLEAN, "nutrient_application", **spread("", "1.9", product="AMS", method="foliar")),
     "no_fall_none_in_fall", NOT_SHOWN),
)  # fmt: skip
INHIBITOR: Final[tuple[Case, ...]] = (
    ("at the label", inhibited("N-Serve", "16"), "inhibitor_with_all_synthetic_n", MET),
    ("under the label", inhibited("N-Serve", "15.999"), "inhibitor_with_all_synthetic_n", NOT_SHOWN),
    ("over the label", inhibited("N-Serve", "32"), "inhibitor_with_all_synthetic_n", MET),
    ("no rate", inhibited("N-Serve", "", ""), "inhibitor_with_all_synthetic_n", NOT_SHOWN),
    ("the ingredient at almost nothing", inhibited("Nitrapyrin", "0.01"), "inhibitor_with_all_synthetic_n", NOT_SHOWN),
    ("the ingredient at the least of its products", inhibited("Nitrapyrin", "16"), "inhibitor_with_all_synthetic_n",
     MET),
    ("the ingredient under it", inhibited("Nitrapyrin", "15.999"), "inhibitor_with_all_synthetic_n", NOT_SHOWN),
    ("an ingredient without a label", inhibited("DCD", "10", "lb/ac"), "inhibitor_with_all_synthetic_n", NOT_SHOWN),
    ("pronitridine without a label", inhibited("Centuro", "100"), "inhibitor_with_all_synthetic_n", NOT_SHOWN),
    ("the user's label, reached", inhibited("DCD", "10", "lb/ac", label="10"), "inhibitor_with_all_synthetic_n", MET),
    ("the user's label, missed", inhibited("DCD", "9.999", "lb/ac", label="10"), "inhibitor_with_all_synthetic_n",
     NOT_SHOWN),
    ("the user's label of the ingredient", inhibited("Centuro", "70", label="64", of="Pronitridine"),
     "inhibitor_with_all_synthetic_n", MET),
    ("a label of nothing", inhibited("Centuro", "70", label="0", of="Pronitridine"), "inhibitor_with_all_synthetic_n",
     NOT_SHOWN),
    ("a mass where the label is a volume", inhibited("N-Serve", "1", "lb/ac"), "inhibitor_with_all_synthetic_n",
     NOT_SHOWN),
    ("inside the fertilizer", same(*(("nutrient_application", at, {"product": "SuperU", "inhibitor": "",
                                      "inhibitor_rate": "", "inhibitor_rate_unit": ""}) for at in (0, 1))),
     "inhibitor_with_all_synthetic_n", MET),
)  # fmt: skip
BLEND: Final = {"product": "Blend of the co-op", "synthetic_n": "yes"}
PLAN: Final[tuple[Case, ...]] = (
    ("a need far below the plan", changed(CLEAN, "nutrient_budget", synthetic_n_need_lb_per_ac="40"),
     "split_post_emergence_share", NOT_SHOWN),
    ("it is no plan for any practice", changed(CLEAN, "nutrient_budget", synthetic_n_need_lb_per_ac="40"),
     "nutrients_records_agree", NOT_SHOWN),
    ("two thirds of the plan", changed(CLEAN, "nutrient_budget", synthetic_n_need_lb_per_ac="106.667"),
     "nutrients_records_agree", MET),
    ("just less", changed(CLEAN, "nutrient_budget", synthetic_n_need_lb_per_ac="106.666"), "nutrients_records_agree",
     NOT_SHOWN),
    ("no need", changed(CLEAN, "nutrient_budget", synthetic_n_need_lb_per_ac=""), "nutrients_records_agree", MET),
    ("phosphate as planned", same(("nutrient_budget", 0, {"planned_p2o5_lb_per_ac": "40"}),
                                  ("nutrient_application", 0, {**BLEND, "p2o5_lb_per_ac": "60"})),
     "nutrients_records_agree", MET),
    ("phosphate far over the plan", same(("nutrient_budget", 0, {"planned_p2o5_lb_per_ac": "40"}),
                                         ("nutrient_application", 0, {**BLEND, "p2o5_lb_per_ac": "60.001"})),
     "nutrients_records_agree", NOT_SHOWN),
    ("potash that nobody planned", changed(CLEAN, "nutrient_application", 0, **BLEND, k2o_lb_per_ac="4.001"),
     "nutrients_records_agree", NOT_SHOWN),
    ("potash within what a trace is", changed(CLEAN, "nutrient_application", 0, **BLEND, k2o_lb_per_ac="4"),
     "nutrients_records_agree", MET),
)  # fmt: skip
EXPERT: Final[tuple[Case, ...]] = (
    ("of the crop", opinion(), "nutrients_budget_basis", MET),
    ("of nutrients", opinion(works_on="soil_fertility"), "nutrients_budget_basis", MET),
    ("of another crop", opinion(works_on="soybeans"), "nutrients_budget_basis", NOT_MET),
    ("of another practice", opinion(works_on="plant_disease"), "nutrients_budget_basis", NOT_MET),
    ("in free words alone", opinion(works_on="", specialty="Nitrogen on corn"), "nutrients_budget_basis", NOT_SHOWN),
    ("other", opinion(works_on="other"), "nutrients_budget_basis", NOT_SHOWN),
    ("employed by other", opinion(employer="other"), "nutrients_budget_basis", NOT_SHOWN),
)
OTHER: Final[tuple[Case, ...]] = (
    ("urea on rye for other", with_row(CLEAN, "nutrient_application", **spread("2025-03-10", intended_for="other")),
     "cover_crop_not_fertilized", NOT_SHOWN),
    ("urea on rye for the cash crop", with_row(CLEAN, "nutrient_application", **spread("2025-03-10")),
     "cover_crop_not_fertilized", MET),
    ("urea on rye for nobody", with_row(CLEAN, "nutrient_application",
                                        **spread("2025-03-10", intended_for="", harvest_id="")),
     "cover_crop_not_fertilized", NOT_SHOWN),
    ("ended by other", changed(CLEAN, "cover_crop", termination_method="other"), "cover_crop_termination_method",
     NOT_SHOWN),
    ("ended by other, on record", changed(CLEAN, "cover_crop", termination_method="other"),
     "records_cover_termination", NOT_SHOWN),
    ("seeded by other", changed(CLEAN, "cover_crop", method="other"), "records_cover_seeding", NOT_SHOWN),
    ("spread by other", changed(CLEAN, "nutrient_application", 0, method="other"), "records_nutrients_applications",
     NOT_SHOWN),
    ("a paper of another kind", changed(CLEAN, "evidence", 2, what="other"), "records_nutrients_soil_test", NOT_SHOWN),
    ("a purchase by another paper", changed(CLEAN, "evidence", 1, what="other"), "records_cover_seed", NOT_SHOWN),
)  # fmt: skip
COVER: Final[tuple[Case, ...]] = (
    ("planted green, ended on the day", same(("cover_crop", 0, {"planted_green": "yes", "terminated_on": "2025-04-28"}),
                                            ("operation", 1, {"day": "2025-04-28"})),
     "cover_crop_terminated_in_spring", MET),
    ("not green, ended on the day", changed(CLEAN, "cover_crop", planted_green="no", terminated_on="2025-04-28"),
     "cover_crop_terminated_in_spring", MET),
    ("planted green, ended before", changed(CLEAN, "cover_crop", planted_green="yes", terminated_on="2025-04-27"),
     "cover_crop_terminated_in_spring", NOT_SHOWN),
    ("not green, ended after", changed(CLEAN, "cover_crop", planted_green="no", terminated_on="2025-04-29"),
     "cover_crop_terminated_in_spring", NOT_SHOWN),
    ("planted green, ended after", changed(CLEAN, "cover_crop", planted_green="yes", terminated_on="2025-04-29"),
     "cover_crop_terminated_in_spring", MET),
    ("planted green into what winter killed",
     changed(CLEAN, "cover_crop", planted_green="yes", terminated_on="", termination_method="winter_kill"),
     "cover_crop_terminated_in_spring", NOT_SHOWN),
    ("seeded on the unit's acres", changed(CLEAN, "cover_crop", seeded_acres="41.2"), "cover_crop_on_whole_unit", MET),
    ("seeded on more", changed(CLEAN, "cover_crop", seeded_acres="41.201"), "cover_crop_on_whole_unit", NOT_SHOWN),
    ("seeded on ten times as many", changed(CLEAN, "cover_crop", seeded_acres="400"), "cover_crop_on_whole_unit",
     NOT_SHOWN),
    ("treated on the unit's acres", changed(CLEAN, "nutrient_application", 0, treated_acres="41.2"),
     "nutrients_records_agree", MET),
    ("treated on more", changed(CLEAN, "nutrient_application", 0, treated_acres="41.201"), "nutrients_records_agree",
     NOT_SHOWN),
    ("a photograph without a day", changed(CLEAN, "evidence", 0, taken_on=""), "records_cover_photograph", NOT_SHOWN),
    ("without any of its days", changed(CLEAN, "cover_crop", seeded_on="", terminated_on=""),
     "cover_crop_before_this_crop", NOT_SHOWN),
)  # fmt: skip

NEXT: Final = {"harvest_id": "H26", "unit_id": "N40", "crop": "soybeans", "use": "grain", "ending": "not_yet"}


def next_year(rows: Rows = CLEAN, **cells: str) -> Rows:
    """Return the season with fall nitrogen that names the crop of the next year."""
    return with_row(with_row(rows, "harvest", **NEXT), "nutrient_application",
                    **spread("2024-11-05", harvest_id="H26", inhibitor="none", inhibitor_rate="",
                             inhibitor_rate_unit="") | cells)  # fmt: skip


PLACED: Final[tuple[Case, ...]] = (
    ("fall nitrogen named for the next year", next_year(), "no_fall_none_in_fall", NOT_MET),
    ("it went on without an inhibitor", next_year(), "inhibitor_with_all_synthetic_n", NOT_MET),
    ("of a day that fits nothing else", next_year(day="2025-06-10", inhibitor="Instinct", inhibitor_rate="24",
                                                   inhibitor_rate_unit="oz/ac"),
     "inhibitor_with_all_synthetic_n", NOT_SHOWN),
    ("on the last day before the name fits", next_year(day="2025-10-19", inhibitor="Instinct", inhibitor_rate="24",
                                                       inhibitor_rate_unit="oz/ac"),
     "nutrients_records_agree", NOT_SHOWN),
    ("on the first day on which it does", next_year(day="2025-10-20"), "nutrients_records_agree", MET),
    ("without a day", next_year(day=""), "nutrients_budget_before_application", NOT_SHOWN),
    ("named for the crop before", changed(CLEAN, "nutrient_application", 1, harvest_id="H24"),
     "split_post_emergence_share", NOT_SHOWN),
    ("named for no crop", changed(CLEAN, "nutrient_application", 1, harvest_id=""), "split_post_emergence_share", MET),
    ("its shown counts in no other season",
     with_row(CLEAN, "nutrient_application", **spread("2024-09-01", harvest_id="H25")),
     "split_in_two_applications", NOT_SHOWN),
    ("on the cover", with_row(with_row(CLEAN, "harvest", **NEXT), "nutrient_application",
                              **spread("2025-03-10", harvest_id="H26")), "cover_crop_not_fertilized", NOT_SHOWN),
)  # fmt: skip


THEMES: Final = {
    "split": SPLIT, "trace": TRACE, "inhibitor": INHIBITOR, "plan": PLAN, "expert": EXPERT, "other": OTHER,
    "cover": COVER, "day and name": PLACED,
}  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "name", "expected"),
    [pytest.param(*case[1:], id=f"{theme}: {case[0]}: {case[2]}") for theme, of in THEMES.items() for case in of],
)
def test_each_case_has_its_answer(rows: Rows, name: str, expected: bool | None) -> None:
    assert verdict_of(rows, name) is expected


def test_both_seasons_name_the_row_until_day_and_name_fit() -> None:
    rows = with_row(CLEAN, "harvest", harvest_id="H26", unit_id="N40", crop="corn", ending="harvested",
                    first_day="2026-06-27", bushels="700")  # fmt: skip
    lacks = Missing("nutrient_application", "harvest_id", "A2", "day_and_crop_differ")
    for of, is_named in ((rows, False), (changed(rows, "nutrient_application", 1, harvest_id="H26"), True)):
        judged = {one.harvest_id: one.requirements["nutrients_budget_all_sources"] for one in intervals(of)}
        assert [lacks in judged[season].findings for season in ("H25", "H26")] == [is_named, is_named]


def test_an_application_of_one_unit_named_for_the_crop_of_another_is_withheld_in_both() -> None:
    rows = with_row(CLEAN, "unit", unit_id="S80", acres="80", county_fips="20177")
    rows = with_row(rows, "harvest", harvest_id="S25", unit_id="S80", crop="corn", ending="harvested",
                    first_day="2025-10-25", bushels="9000")  # fmt: skip
    rows = changed(rows, "nutrient_application", 1, harvest_id="S25")
    assert verdict_of(rows, "nutrients_records_agree") is NOT_SHOWN
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n", "S25") is NOT_SHOWN


@pytest.mark.parametrize(("day", "told"), [("2025-05-05", False), ("2025-05-06", True), ("", True)])
def test_a_first_application_after_planting_is_told(day: str, *, told: bool) -> None:
    rows = changed(CLEAN, "nutrient_application", 0, day=day)
    assert ("n_not_at_planting" in {one.code for one in assess(book_of(rows)).problems}) is told
