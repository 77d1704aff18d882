"""Interpretations 2 to 25, each with a case on both sides."""

from datetime import date

import pytest

from provender.records.kinds.nutrients import N_SOURCES
from provender.rule.crops import Practice
from provender.standards.standard import REQUIREMENTS, Part, of_practice
from provender.verdicts.assess import assess
from tests.standards.season import (
    Rows,
    book_of,
    changed,
    clean_season,
    intervals,
    verdict_of,
    verdicts,
    with_row,
    without,
)

CHISEL = {"operation_id": "O7", "unit_id": "N40", "day": "2024-11-11", "operation": "Chisel, st. pt. 5 in deep"}
DRILL = clean_season()["operation"][0]["operation"]
COMBINE = "Harvest, killing crop 50pct standing stubble"


def added(kind: str, **cells: str) -> Rows:
    """Return the clean season with one more row."""
    return with_row(clean_season(), kind, **cells)


def cell(kind: str, row: int = 0, **cells: str) -> Rows:
    """Return the clean season with some cells changed."""
    return changed(clean_season(), kind, row, **cells)


def dressed(**cells: str) -> Rows:
    """Return the clean season with one more application of nitrogen, without inhibitor."""
    row = {"application_id": "A9", "unit_id": "N40", "harvest_id": "H25", "intended_for": "cash_crop",
           "product": "Urea", "method": "broadcast", "n_lb_per_ac": "10", "p2o5_lb_per_ac": "0", "k2o_lb_per_ac": "0",
           "inhibitor": "none"}  # fmt: skip
    return added("nutrient_application", **row | cells)


@pytest.mark.parametrize(
    ("column", "requirement"),
    [
        ("all_operations_listed", "no_till_no_full_width_disturbance"),
        ("all_operations_listed", "reduced_till_no_primary_inversion"),
        ("residue_burned", "no_till_residue_not_burned"),
        ("residue_burned", "cover_crop_residue_not_burned"),
        ("cover_grazed", "cover_crop_not_harvested_or_grazed"),
        ("cover_harvested", "cover_crop_not_harvested_or_grazed"),
        ("cover_fertilized", "cover_crop_not_fertilized"),
        ("manure_applied", "nutrients_budget_all_sources"),
        ("irrigation_n", "nutrients_budget_all_sources"),
        ("all_nutrients_listed", "no_fall_none_in_fall"),
    ],
)
def test_02_a_negative_needs_its_answer(column: str, requirement: str) -> None:
    assert verdict_of(clean_season(), requirement) is True
    assert verdict_of(changed(clean_season(), "declaration", 0, **{column: ""}), requirement) is None


@pytest.mark.parametrize(("made_on", "answer"), [("2025-10-21", True), ("2025-10-20", None)])
def test_02_a_declaration_speaks_for_what_lies_before_it(made_on: str, *, answer: bool | None) -> None:
    assert verdict_of(cell("declaration", made_on=made_on), "no_till_no_full_width_disturbance") is answer


def test_02_a_row_that_cannot_be_read_or_placed_shows_nothing() -> None:
    assert verdict_of(cell("operation", 1, speed_mph="fast"), "no_till_stir_within_limit") is None
    assert verdict_of(cell("operation", 1, day=""), "no_till_stir_within_limit") is None
    assert verdict_of(dressed(harvest_id="", day=""), "no_fall_none_in_fall") is None
    burnt = added("operation", **CHISEL | {"operation": "Burn residue", "day": ""})
    assert verdict_of(burnt, "no_till_residue_not_burned") is None


def test_03_known_passes_above_the_limit_fail_and_below_it_an_unknown_one_hides_the_sum() -> None:
    unknown = added("operation", **CHISEL | {"operation": "Home-made thing"})
    assert verdict_of(unknown, "no_till_stir_within_limit") is None
    over = with_row(unknown, "operation", **CHISEL | {"operation_id": "O8"})
    assert verdict_of(over, "no_till_stir_within_limit") is False


@pytest.mark.parametrize("practice", [Practice.nitrification_inhibitor, Practice.no_fall_application])
def test_04_no_nitrogen_no_credit(practice: Practice) -> None:
    assert verdict_of(clean_season(), practice) is True
    bare = without(clean_season(), "nutrient_application")
    assert verdict_of(bare, practice) is False
    assert verdict_of(changed(bare, "declaration", all_nutrients_listed=""), practice) is None


def test_05_and_06_what_is_not_shown_is_not_credited_and_records_are_judged_apart() -> None:
    (clean,) = intervals(clean_season())
    (open_,) = intervals(cell("declaration", residue_burned=""))
    assert Practice.no_till in clean.credited
    assert Practice.no_till not in open_.credited
    rows = cell("harvest", 1, bushels="")
    assert verdict_of(rows, "no_till") is True
    assert verdict_of(rows, "no_till_records") is None
    assert verdict_of(clean_season(), "no_till_records") is True
    for practice in Practice:
        assert of_practice(practice, Part.IMPLEMENTATION)
        assert of_practice(practice, Part.RECORDS)


def test_07_controlled_release_earns_no_practice_of_its_own() -> None:
    coated = changed(cell("nutrient_application", 1, product="ESN"), "nutrient_application", 1, inhibitor="ESN")
    assert verdict_of(coated, "inhibitor_with_all_synthetic_n") is False
    assert not any("controlled" in name for name in REQUIREMENTS)


def test_08_no_till_is_two_tests_and_strip_tillage_and_injection_do_not_lift_the_limit() -> None:
    logged = {"known_by": "machine", "evidence": "E7"}
    deep = changed(cell("operation", 3, depth_in="40", **logged), "operation", 0, **logged)
    deep = changed(deep, "operation", 2, known_by="machine", evidence="E7")
    assert verdict_of(deep, "no_till_no_full_width_disturbance") is True
    assert verdict_of(deep, "no_till_stir_within_limit") is False
    shallow = added(
        "operation", **CHISEL | {"depth_in": "1", "speed_mph": "3", "known_by": "machine", "evidence": "E7"}
    )
    for row in (0, 2, 3):
        shallow = changed(shallow, "operation", row, known_by="machine", evidence="E7")
    assert verdict_of(shallow, "no_till_stir_within_limit") is True
    assert verdict_of(shallow, "no_till_no_full_width_disturbance") is False


@pytest.mark.parametrize(("name", "answer"), [("Plow, moldboard, conservation", False), ("Chisel, st. pt.", True)])
def test_08_inversion_is_told_by_type_and_by_name(name: str, *, answer: bool) -> None:
    rows = added("operation", **CHISEL | {"operation": name})
    assert verdict_of(rows, "reduced_till_no_primary_inversion") is answer


@pytest.mark.parametrize(
    ("day", "answer"),
    [("2024-10-01", True), ("2024-10-02", False), ("2024-10-03", False), ("2025-10-19", False), ("2025-10-20", True)],
)
def test_09_a_pass_on_the_day_of_the_previous_harvest_counts_in_the_new_interval(day: str, *, answer: bool) -> None:
    rows = added("operation", **CHISEL | {"day": day})
    assert verdict_of(rows, "no_till_no_full_width_disturbance") is answer


@pytest.mark.parametrize(("record", "answer"), [("adjuster form 12", True), ("", None)])
def test_09_a_termination_needs_its_record(record: str, *, answer: bool | None) -> None:
    rows = added("harvest", harvest_id="H25t", unit_id="N40", crop="soybeans", ending="terminated",
                 first_day="2024-10-08", termination_record=record)  # fmt: skip
    rows = changed(rows, "harvest", 0, crop="wheat", first_day="2024-07-02", last_day="2024-07-03")
    rows = with_row(rows, "planting", planting_id="P0", harvest_id="H25t", planted_on="2024-07-06")
    rows = with_row(rows, "operation", **CHISEL | {"day": "2024-10-05"})
    assert verdict_of(rows, "no_till_no_full_width_disturbance") is answer


@pytest.mark.parametrize("ending", ["prevented", "fallow"])
def test_09_prevented_planting_and_fallow_end_no_interval(ending: str) -> None:
    rows = added("harvest", harvest_id="H24p", unit_id="N40", crop="corn", ending=ending, first_day="2024-12-01")
    assert verdict_of(with_row(rows, "operation", **CHISEL), "no_till_no_full_width_disturbance") is False
    rows = changed(without(rows, "cover_crop"), "harvest", 2, ending="harvested", crop="wheat")
    assert verdict_of(with_row(rows, "operation", **CHISEL), "no_till_no_full_width_disturbance") is True


def test_09_two_entries_of_one_harvest_make_no_second_interval() -> None:
    rows = added("harvest", harvest_id="H25b", unit_id="N40", crop="corn", ending="harvested", first_day="2025-11-05")
    rows = with_row(
        rows, "declaration", **clean_season()["declaration"][0] | {"harvest_id": "H25b", "made_on": "2025-12-01"}
    )
    rows = with_row(rows, "operation", **CHISEL | {"day": "2025-11-05", "operation": COMBINE})
    rows = with_row(rows, "operation", **CHISEL | {"operation_id": "O8", "day": "2025-10-25",
                                                   "operation": DRILL})  # fmt: skip
    assert set(verdicts(rows)) == {"H25"}


@pytest.mark.parametrize(
    ("by", "evidence", "answer"), [("machine", "E7", True), ("machine", "", False), ("", "", False), ("", "E1", None)]
)
def test_10_two_values_on_two_sides_show_nothing_unless_the_machine_logged_them(
    by: str, evidence: str, *, answer: bool | None
) -> None:
    """Typed without evidence below the published least, the list's value stands, and both lie above the limit."""
    rows = added("operation", **CHISEL | {"depth_in": "1", "speed_mph": "3", "known_by": by, "evidence": evidence})
    for row in (0, 2, 3):
        rows = changed(rows, "operation", row, known_by="machine", evidence="E7")
    assert verdict_of(rows, "no_till_stir_within_limit") is answer


def test_10_zero_depth_of_a_machine_means_not_recorded() -> None:
    rows = added("operation", **CHISEL | {"depth_in": "0", "speed_mph": "5", "known_by": "machine", "evidence": "E7"})
    assert verdict_of(rows, "no_till_stir_within_limit") is False


def test_11_repeated_chisel_passes_go_to_the_verifier_and_the_stir_decides() -> None:
    rows = added("operation", **CHISEL)
    assert "intensive_passes" not in {one.code for one in assess(book_of(rows)).problems}
    rows = with_row(rows, "operation", **CHISEL | {"operation_id": "O8"})
    assert "intensive_passes" in {one.code for one in assess(book_of(rows)).problems}
    assert verdict_of(rows, "reduced_till_stir_within_limit") is True


@pytest.mark.parametrize(
    ("name", "flag", "answer"),
    [("Home-made thing", "no", True), ("Home-made thing", "yes", False), ("Home-made thing", "", None),
     ("Chisel, st. pt.", "no", False)],
)  # fmt: skip
def test_12_full_width_is_decided_by_operation(name: str, flag: str, *, answer: bool | None) -> None:
    rows = added("operation", **CHISEL | {"operation": name, "full_width": flag})
    assert verdict_of(rows, "no_till_no_full_width_disturbance") is answer


@pytest.mark.parametrize(("acres", "told"), [("39.999", True), ("40", False), ("", False)])
def test_13_a_part_field_pass_counts_in_full_and_is_told(acres: str, *, told: bool) -> None:
    rows = added("operation", **CHISEL | {"treated_acres": acres})
    assert verdict_of(rows, "no_till_no_full_width_disturbance") is False
    assert ("part_field_passes" in {one.code for one in assess(book_of(rows)).problems}) is told


def test_15_16_a_cover_belongs_to_the_crop_that_follows_and_ends_in_its_year() -> None:
    assert verdict_of(cell("cover_crop", seeded_on="2024-09-20"), "cover_crop_seeded_in_fall") is True
    assert verdict_of(cell("cover_crop", seeded_on="2023-09-20"), "cover_crop_seeded_in_fall") is False
    assert verdict_of(cell("cover_crop", harvest_id="H24"), "cover_crop") is None
    assert verdict_of(cell("cover_crop", terminated_on="2025-05-05"), "cover_crop_terminated_in_spring") is True
    assert verdict_of(cell("cover_crop", terminated_on="2024-05-05"), "cover_crop_terminated_in_spring") is None
    assert verdict_of(cell("cover_crop", terminated_on="2025-07-05"), "cover_crop_terminated_in_spring") is False
    assert verdict_of(cell("cover_crop", seeded_acres="20"), "cover_crop") is False
    assert verdict_of(clean_season(), "cover_crop") is True


@pytest.mark.parametrize(("meant", "answer"), [("cash_crop", True), ("cover_crop", False), ("", None)])
def test_17_starter_for_the_cash_crop_is_no_fertilizer_on_the_cover(meant: str, *, answer: bool | None) -> None:
    rows = dressed(day="2025-04-10", intended_for=meant, harvest_id="")
    assert verdict_of(rows, "cover_crop_not_fertilized") is answer


@pytest.mark.parametrize(
    ("day", "answer"), [("2025-04-15", True), ("2025-04-16", False), ("2025-04-28", False), ("2025-04-29", True)]
)
def test_18_a_full_width_pass_between_the_end_of_the_cover_and_planting_buries_it(day: str, *, answer: bool) -> None:
    assert verdict_of(added("operation", **CHISEL | {"day": day}), "cover_crop_residue_stays") is answer


def test_18_after_winter_kill_too_and_nobody_saw_the_day_it_died() -> None:
    killed = cell("cover_crop", termination_method="winter_kill", terminated_on="2025-03-10")
    assert verdict_of(killed, "cover_crop_residue_stays") is True
    assert (
        verdict_of(with_row(killed, "operation", **CHISEL | {"day": "2025-03-20"}), "cover_crop_residue_stays") is False
    )
    tilled = with_row(killed, "operation", **CHISEL | {"day": "2025-02-01"})
    assert verdict_of(tilled, "cover_crop_termination_method") is False


@pytest.mark.parametrize(("evidence", "answer"), [("E3", True), ("", None)])
def test_19_own_seed_counts_with_other_evidence(evidence: str, *, answer: bool | None) -> None:
    assert verdict_of(cell("seed_purchase", bin_run="yes", evidence=evidence), "records_cover_seed") is answer


@pytest.mark.parametrize(("crop", "zero"), [("soybeans", True), ("corn", False)])
def test_19_a_stated_zero_is_an_adjustment_before_soybeans(crop: str, *, zero: bool) -> None:
    rows = changed(clean_season(crop), "cover_species", species="Clover, Crimson")
    rows = changed(rows, "nutrient_budget", legume_n_lb_per_ac="40", n_adjustment_lb_per_ac="0")
    assert verdict_of(rows, "cover_crop_legume_n_adjusted") is zero
    blank = changed(rows, "nutrient_budget", n_adjustment_lb_per_ac="")
    assert verdict_of(blank, "cover_crop_legume_n_adjusted") is None
    unknown = changed(rows, "nutrient_budget", legume_n_lb_per_ac="")
    assert verdict_of(unknown, "cover_crop_legume_n_adjusted") is (True if zero else None)
    (judged,) = intervals(unknown)
    asked = [one.column for one in judged.requirements["cover_crop_legume_n_adjusted"].missing]
    assert asked == [] if zero else ["legume_n_lb_per_ac"]


def test_20_a_photograph_is_a_record_and_not_the_practice() -> None:
    rows = cell("cover_crop", established_photo="")
    assert verdict_of(rows, "records_cover_photograph") is None
    assert verdict_of(rows, "cover_crop") is True
    assert verdict_of(clean_season(), "records_cover_photograph") is True


@pytest.mark.parametrize(
    ("n", "method", "answer"),
    [("1.9", "with_herbicide", True), ("2", "with_herbicide", False), ("1.9", "banded", False)],
)
def test_21_a_trace_breaks_neither_all_nor_first_and_is_listed(n: str, method: str, *, answer: bool) -> None:
    rows = dressed(day="2025-02-20", product="AMS", n_lb_per_ac=n, method=method)
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is answer
    assert verdict_of(rows, "no_fall_first_n_at_planting") is answer
    assert ("n_trace" in {one.code for one in assess(book_of(rows)).problems}) is answer


@pytest.mark.parametrize(
    ("product", "n", "answer"), [("DAP", "18", False), ("DAP", "0", None), ("DAP", "", False), ("Potash", "0", True)]
)
def test_22_nitrogen_in_phosphorus_products_needs_the_inhibitor_too(
    product: str, n: str, *, answer: bool | None
) -> None:
    rows = dressed(day="2025-04-28", product=product, n_lb_per_ac=n)
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n") is answer


@pytest.mark.parametrize(
    ("inhibitor", "answer"), [("NBPT", False), ("Agrotain Plus", None), ("ENTEC", None), ("Instinct", True)]
)
def test_22_a_urease_inhibitor_is_none_and_the_states_list_decides(inhibitor: str, *, answer: bool | None) -> None:
    rows = cell("nutrient_application", inhibitor=inhibitor)
    assert verdict_of(rows, Practice.nitrification_inhibitor) is answer


def test_22_23_25_a_rate_of_zero_an_unknown_product_and_another_units_soil_show_nothing() -> None:
    assert verdict_of(cell("nutrient_application", inhibitor_rate="0"), "inhibitor_with_all_synthetic_n") is None
    rows = dressed(day="2024-11-20", product="Tank mix", n_lb_per_ac="")
    assert verdict_of(rows, "no_fall_none_in_fall") is None
    rows = with_row(cell("soil_test", unit_id="S80"), "unit", unit_id="S80", acres="80")
    assert verdict_of(rows, "nutrients_budget_basis") is None


def test_23_the_first_planting_counts_on_replants() -> None:
    rows = added("planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-20", replant="yes")
    assert verdict_of(rows, "no_fall_first_n_at_planting") is True
    late = changed(rows, "nutrient_application", 0, day="2025-05-20")
    assert verdict_of(late, "no_fall_first_n_at_planting") is False


@pytest.mark.parametrize(
    ("seeded", "day", "answer"),
    [("2024-09-10", "2024-09-25", False), ("2024-10-09", "2024-09-25", True), ("2024-09-10", "2024-09-05", True)],
)
def test_23_nitrogen_on_a_standing_cover_before_the_previous_harvest_fails(
    seeded: str, day: str, *, answer: bool
) -> None:
    rows = changed(dressed(day=day, harvest_id="H24"), "cover_crop", seeded_on=seeded, method="interseeded")
    assert verdict_of(rows, "no_fall_none_in_fall") is answer


@pytest.mark.parametrize(
    ("emerged", "answer"), [("2025-05-08", True), ("", None), ("2025-05-01", None), ("2025-05-02", True)]
)
def test_24_emergence_unseen_or_seen_too_soon_leaves_a_band(emerged: str, *, answer: bool | None) -> None:
    rows = changed(cell("planting", emerged_on=emerged), "nutrient_application", 1, day="2025-05-15")
    assert verdict_of(rows, "split_post_emergence_share") is answer


@pytest.mark.parametrize(
    ("tested", "laboratory", "answer"),
    [
        ("2025-06-01", "State lab", True),
        ("2025-06-01", "", False),
        ("", "State lab", False),
        ("2025-04-01", "Lab", False),
    ],
)
def test_24_documented_reductions_count_as_if_applied(tested: str, laboratory: str, *, answer: bool) -> None:
    rows = added("in_season_test", in_season_test_id="I1", harvest_id="H25", tested_on=tested, what="tissue",
                 laboratory=laboratory, result="3 %", planned_on="2025-06-02", n_reduction_lb_per_ac="20")  # fmt: skip
    rows = changed(rows, "nutrient_application", 1, n_lb_per_ac="100")
    assert verdict_of(rows, "split_post_emergence_share") is answer


@pytest.mark.parametrize("source", range(13))
def test_25_every_source_is_answered(source: int) -> None:
    assert verdict_of(cell("budget_source", source, present=""), "nutrients_budget_all_sources") is None
    assert verdict_of(clean_season(), "nutrients_budget_all_sources") is True


def test_25_an_expert_may_replace_the_soil_test_as_basis_and_results_are_asked_for_all_the_same() -> None:
    rows = added(
        "expert_opinion",
        opinion_id="X1",
        expert="A",
        employer="cooperative_extension",
        given_on="2025-02-01",
        works_on="corn",
    )
    rows = changed(rows, "nutrient_budget", basis="expert_opinion", opinion_id="X1", soil_test_id="")
    assert verdict_of(rows, "nutrients_budget_basis") is True
    assert verdict_of(rows, "records_nutrients_soil_test") is None
    assert verdict_of(changed(rows, "expert_opinion", employer="other"), "nutrients_budget_basis") is None


def test_01_a_harvest_under_the_later_rule_is_judged_under_this_text_and_says_so() -> None:
    (late,) = intervals(cell("harvest", 1, first_day="2026-07-29", last_day="2026-07-29"))
    assert (late.rule.later_rule_in_force, late.last_day) == (True, date(2026, 7, 29))
    assert [one.rule.later_rule_in_force for one in intervals(clean_season())] == [False]


@pytest.mark.parametrize(("pounds", "answer"), [("0", True), ("0.001", False), ("30", False)])
def test_25_a_budget_without_commercial_fertilizer_is_contradicted_by_synthetic_nitrogen(
    pounds: str, *, answer: bool
) -> None:
    rows = changed(clean_season(), "budget_source", N_SOURCES.index("commercial_fertilizer"), present="no")
    rows["nutrient_application"] = rows["nutrient_application"][:1]
    rows = changed(rows, "nutrient_application", 0, n_lb_per_ac=pounds, product="Lime", synthetic_n="yes")
    assert verdict_of(rows, "nutrients_budget_all_sources") is answer
    starter = changed(rows, "budget_source", N_SOURCES.index("starter"), present="yes", n_lb_per_ac="30")
    assert verdict_of(starter, "nutrients_budget_all_sources") is True


@pytest.mark.parametrize(
    ("day", "told"), [("2024-10-01", False), ("2024-10-02", True), ("2024-10-03", True), ("2024-10-04", False)]
)
def test_09_a_pass_on_the_days_of_a_harvest_of_several_days_is_told(day: str, *, told: bool) -> None:
    rows = changed(clean_season(), "operation", 0, day=day)
    found = [one for one in assess(book_of(rows)).problems if one.code == "passes_during_harvest"]
    assert bool(found) is told
    single = changed(rows, "harvest", 0, first_day=day, last_day=day)
    assert not [one for one in assess(book_of(single)).problems if one.code == "passes_during_harvest"]
