"""Records held against each other: each case changes one thing of a clean season (interpretations 62 to 68)."""

from dataclasses import replace

import pytest

from provender.records.kinds.nutrients import N_SOURCES
from provender.rule.crops import Practice
from provender.standards.standard import Verdict
from provender.verdicts.assess import assess
from tests.standards import season
from tests.standards.season import with_row

CHISEL = {"operation_id": "O7", "unit_id": "N40", "operation": "Chisel, st. pt. 5 in deep", "equipment": "chisel"}
COMBINE = "Harvest, killing crop 50pct standing stubble"
PLANTER = "Planter, double disk opnr with starter fertilizer"
OATS = {"harvest_id": "H25o", "unit_id": "N40", "crop": "oats", "ending": "harvested", "first_day": "2025-04-24",
        "last_day": "2025-04-24"}  # fmt: skip


def tilled(day: str, name: str = CHISEL["operation"], **cells: str) -> season.Rows:
    """Return the clean season with one more pass."""
    return with_row(season.clean_season(), "operation", **CHISEL | {"day": day, "operation": name} | cells)


def replanted(**cells: str) -> season.Rows:
    """Return the clean season with its stand given up on 12 May and planted again on the 14th."""
    lost = {"harvest_id": "H25f", "unit_id": "N40", "crop": "corn", "ending": "terminated", "first_day": "2025-05-12",
            "termination_record": "adjuster form 12"}  # fmt: skip
    rows = with_row(season.clean_season(), "harvest", **lost | cells)
    rows = with_row(rows, "planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-14", replant="yes",
                    emerged_on="2025-05-23")  # fmt: skip
    return with_row(rows, "operation", **CHISEL | {"operation_id": "O8", "day": "2025-05-14", "operation": PLANTER,
                                                   "depth_in": "2.5", "speed_mph": "5", "width_ft": "40"})  # fmt: skip


def in_two_parts() -> season.Rows:
    """Return the clean season with its harvest entered hybrid by hybrid."""
    rows = season.changed(season.clean_season(), "harvest", 1, bushels="5000", harvested_acres="25")
    rows = with_row(rows, "harvest", harvest_id="H25b", unit_id="N40", crop="corn", use="grain", ending="harvested",
                    first_day="2025-10-27", last_day="2025-10-27", bushels="3000", harvested_acres="15")  # fmt: skip
    rows = with_row(rows, "operation", **CHISEL | {"operation_id": "O8", "day": "2025-10-27", "operation": COMBINE})
    return season.changed(rows, "declaration", made_on="2025-10-30")


@pytest.mark.parametrize("kind", ["cover_crop", "nutrient_budget", "nutrient_application", "planting"])
def test_a_stand_killed_and_planted_again_keeps_its_credit_whichever_entry_its_records_name(kind: str) -> None:
    rows = replanted()
    for at in range(len(rows[kind])):
        if (kind, at) != ("planting", 1):
            rows = season.changed(rows, kind, at, harvest_id="H25f")
    (found,) = season.verdicts(rows).values()
    for practice in ("no_till", "reduced_till", "cover_crop", "nitrification_inhibitor", "no_fall_application",
                     "split_in_season"):  # fmt: skip
        assert found[practice] is True, practice


def test_without_a_cover_or_a_record_of_the_stand_or_anything_late_nothing_is_shown() -> None:
    assert season.verdict_of(replanted(termination_record=""), "no_till") is None
    assert season.verdict_of(season.without(season.clean_season(), "cover_crop"), "cover_crop_before_this_crop") is None
    rows = season.without(reduced(n_reduction_lb_per_ac="160"), "nutrient_application", 1)
    assert season.verdict_of(rows, "split_post_emergence_share") is False


@pytest.mark.parametrize(("day", "answer"), [("2025-04-20", None), ("2025-05-13", False)])
def test_stir_is_summed_with_and_without_the_passes_of_a_failed_stand(day: str, *, answer: bool | None) -> None:
    rows = with_row(replanted(), "operation", **CHISEL | {"day": day})
    assert season.verdict_of(rows, "no_till_stir_within_limit") is answer
    assert season.verdict_of(rows, "reduced_till_stir_within_limit") is True


def test_residue_stays_until_the_last_planting() -> None:
    rows = with_row(replanted(), "operation", **CHISEL | {"day": "2025-05-13"})
    assert season.verdict_of(rows, "cover_crop_residue_stays") is False
    later = with_row(replanted(), "operation", **CHISEL | {"day": "2025-05-15"})
    assert season.verdict_of(later, "cover_crop_residue_stays") is True
    assert "passes_after_planting" in {one.code for one in assess(season.book_of(later)).problems}


def test_two_harvest_rows_are_one_interval_unless_one_was_planted_after_the_other_was_cut() -> None:
    (found,) = season.intervals(in_two_parts())
    assert (found.harvest_id, found.season.harvest.bushels, found[Practice.no_till].implementation) == (
        "H25",
        8_000_000,
        Verdict.MET,
    )
    assert found.harvest_ids == ("H25", "H25b")
    rows = with_row(in_two_parts(), "planting", planting_id="P9", harvest_id="H25b", planted_on="2025-10-21")
    assert list(season.verdicts(rows)) == ["H25", "H25b"]


def unlisted(by: str, **cells: str) -> season.Rows:
    """Return the clean season with its planter as an implement outside the list, its one tool recorded."""
    rows = season.changed(season.clean_season(), "operation", 2, operation="Home-built planter", full_width="no",
                   primary_inversion="no", known_by=by, evidence="E7" if by else "", **cells)  # fmt: skip
    return with_row(rows, "operation_tool", operation_id="O3", tool_no="1", tillage_type="mixing_some_inversion",
                    depth_in="2.5", surface_pct="20")  # fmt: skip


@pytest.mark.parametrize("by", ["", "machine"])
def test_no_till_by_an_implement_outside_the_list_counts_when_its_tools_are_recorded(by: str) -> None:
    rows = unlisted(by)
    assert season.verdict_of(rows, "no_till_stir_within_limit") is True
    assert season.verdict_of(season.changed(rows, "operation_tool", depth_in=""), "no_till_stir_within_limit") is None
    assert season.verdict_of(season.changed(rows, "operation", 2, speed_mph=""), "no_till_stir_within_limit") is None


@pytest.mark.parametrize(
    ("day", "method", "answer"),
    [
        ("2025-04-15", "drilled", False),
        ("2025-03-01", "drilled", False),
        ("2024-10-10", "drilled", False),
        ("2024-10-09", "drilled", True),
        ("2024-10-10", "broadcast_incorporated", True),
        ("2024-10-16", "broadcast_incorporated", True),
        ("2024-10-17", "broadcast_incorporated", False),
    ],
)
def test_a_pass_through_the_standing_cover_is_its_termination(day: str, method: str, *, answer: bool) -> None:
    rows = season.changed(tilled(day), "cover_crop", method=method)
    assert season.verdict_of(rows, "cover_crop_termination_method") is answer


@pytest.mark.parametrize(
    ("planted", "ended", "answer"),
    [
        ("2024-11-01", "2025-04-16", False),
        ("", "2025-04-16", None),
        ("2024-10-01", "2025-04-16", True),  # the cover was sown into it
        ("2024-11-01", "2025-04-24", False),
        ("", "2025-04-24", None),  # the oats may be the cover itself
    ],
)
def test_a_crop_harvested_between_cover_and_feedstock_crop_takes_the_cover(
    planted: str, ended: str, *, answer: bool | None
) -> None:
    rows = season.changed(with_row(season.clean_season(), "harvest", **OATS), "cover_crop", terminated_on=ended)
    if planted:
        rows = with_row(rows, "planting", planting_id="P0", harvest_id="H25o", planted_on=planted)
    assert season.verdict_of(rows, "cover_crop_before_this_crop") is answer


def with_clover(**budget: str) -> season.Rows:
    """Return the clean season with crimson clover for rye, 40 lb of N from it, and a budget."""
    rows = season.changed(season.clean_season(), "cover_species", species="Clover, Crimson")
    cells = {"legume_n_lb_per_ac": "40", "n_adjustment_lb_per_ac": "40", "planned_n_lb_per_ac": "120"}
    return season.changed(rows, "nutrient_budget", 0, **cells | budget)


@pytest.mark.parametrize(
    ("planned", "answer"),
    [("120", True), ("120.001", False), ("119.999", True), ("160", False), ("", None), ("0", True)],
)
def test_the_legumes_nitrogen_shows_in_the_plan(planned: str, *, answer: bool | None) -> None:
    assert season.verdict_of(with_clover(planned_n_lb_per_ac=planned), "cover_crop_legume_n_adjusted") is answer


@pytest.mark.parametrize(("made", "answer"), [("2025-10-19", True), ("2025-10-20", None), ("", None)])
def test_a_budget_written_after_harvest_shows_nothing_of_a_legume(made: str, *, answer: bool | None) -> None:
    rows = with_clover(made_on=made)
    assert season.verdict_of(rows, "cover_crop_legume_budget") is answer
    assert season.verdict_of(rows, "cover_crop_legume_n_adjusted") is answer


def codes(rows: season.Rows) -> set[str]:
    """Return the codes of what is told of a season."""
    return {one.code for one in assess(season.book_of(rows)).problems}


@pytest.mark.parametrize(
    ("kind", "row", "cells"),
    [
        ("nutrient_application", 1, {"day": "2025-06-05"}),  # injected three days after the knives
        ("nutrient_application", 0, {"method": "broadcast", "day": "2025-04-20"}),
        ("nutrient_application", 0, {"method": "starter_band", "day": "2025-04-25"}),
        ("cover_crop", 0, {"seeded_on": "2024-10-12"}),  # drilled three days after the drill
        ("cover_crop", 0, {"termination_method": "roller_crimper", "terminated_on": "2025-04-13"}),
        ("planting", 0, {"planted_on": "2025-05-01"}),
    ],
)
def test_another_record_proves_a_pass_that_the_list_does_not_have(kind: str, row: int, cells: dict[str, str]) -> None:
    rows = season.changed(season.clean_season(), kind, row, **cells)
    (found,) = season.verdicts(rows).values()
    assert (found["no_till"], found["reduced_till"], found["records_tillage_all_operations"]) == (None, None, None)
    told = [one for one in assess(season.book_of(rows)).problems if one.code == "pass_missing"]
    assert len(told) == 1
    assert told[0].place.file.startswith(kind)


@pytest.mark.parametrize(
    ("kind", "row", "cells"),
    [
        ("cover_crop", 0, {"seeded_on": ""}),
        ("cover_crop", 0, {"seeded_on": "", "method": ""}),
        ("cover_crop", 0, {"seeded_on": "", "method": "broadcast_incorporated"}),
        ("cover_crop", 0, {"seeded_on": "2025-01-09", "method": ""}),
        ("cover_crop", 0, {"termination_method": "mowing", "terminated_on": ""}),
        ("cover_crop", 0, {"terminated_on": ""}),
        ("nutrient_application", 1, {"day": ""}),
        ("nutrient_application", 0, {"method": "broadcast", "day": ""}),
        ("nutrient_application", 1, {"day": "2025-06-05", "method": ""}),  # ammonia, three days after the knives
    ],
)
def test_a_row_that_leaves_out_which_pass_it_was_does_not_hide_it(kind: str, row: int, cells: dict[str, str]) -> None:
    rows = season.changed(season.clean_season(), kind, row, **cells)
    (found,) = season.verdicts(rows).values()
    assert (found["no_till"], found["reduced_till"]) == (None, None)
    (told,) = [one for one in assess(season.book_of(rows)).problems if one.code == "pass_missing"]
    assert told.place.file.startswith(kind)
    assert "None" not in told.cause


@pytest.mark.parametrize(
    ("kind", "row", "cells"),
    [
        ("cover_crop", 0, {"method": ""}),  # the drill of that day
        ("cover_crop", 0, {"seeded_on": "", "method": "aerial"}),
        ("nutrient_application", 0, {"method": ""}),
    ],
)
def test_a_row_that_needs_no_pass_or_has_one_costs_no_till_nothing(kind: str, row: int, cells: dict[str, str]) -> None:
    assert season.verdict_of(season.changed(season.clean_season(), kind, row, **cells), "no_till") is True


@pytest.mark.parametrize(("day", "answer"), [("2025-06-04", True), ("2025-06-05", None), ("2025-05-31", True)])
def test_a_pass_within_two_days_is_the_one_meant(day: str, *, answer: bool | None) -> None:
    rows = season.changed(season.clean_season(), "nutrient_application", 1, day=day)
    assert season.verdict_of(rows, "no_till") is answer


def test_a_harvest_pass_of_no_entry_is_another_harvest_and_a_planter_outside_the_list_plants() -> None:
    assert season.verdict_of(tilled("2025-07-20", COMBINE), "no_till") is None
    assert season.verdict_of(tilled("2025-10-18", COMBINE), "no_till") is True
    rows = season.without(season.without(unlisted("machine"), "cover_crop"), "operation", 0)
    assert season.verdict_of(rows, "no_till") is True


def source(name: str) -> int:
    """Return the row of a source in the budget."""
    return N_SOURCES.index(name)


@pytest.mark.parametrize(
    "rows",
    [
        season.changed(season.clean_season(), "nutrient_application", method="starter_band"),
        season.changed(season.clean_season(), "nutrient_application", method="in_furrow"),
        with_row(season.clean_season(), "nutrient_application", application_id="A3", unit_id="N40", harvest_id="H25",
                 intended_for="cash_crop", day="2025-04-20", product="Hog manure", method="broadcast", n_lb_per_ac="30",
                 p2o5_lb_per_ac="0", k2o_lb_per_ac="0", synthetic_n="no"),
        season.changed(season.clean_season(), "cover_species", species="Clover, Crimson"),
    ],
    ids=["starter", "pop-up", "manure", "legume"],
)  # fmt: skip
def test_a_source_that_went_on_and_that_the_budget_calls_none_contradicts_it(rows: season.Rows) -> None:
    assert season.verdict_of(rows, "nutrients_budget_all_sources") is False


@pytest.mark.parametrize(("pounds", "answer"), [("210", True), ("210.001", None), ("480", None)])
def test_half_as_much_again_as_planned_is_no_longer_the_plan(pounds: str, *, answer: bool | None) -> None:
    """Of 160 planned: 30 and 210 are 240."""
    rows = season.changed(season.clean_season(), "nutrient_application", 1, n_lb_per_ac=pounds)
    assert season.verdict_of(rows, "nutrients_records_agree") is answer
    assert ("over_plan" in codes(rows)) is (answer is None)


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        ({"rate": "45", "rate_unit": "gal/ac", "n_lb_per_ac": "1"}, None),
        ({"rate": "10", "rate_unit": "gal/ac", "n_lb_per_ac": "30"}, True),  # 29.876 by analysis
        ({"rate": "10", "rate_unit": "gal/ac", "n_lb_per_ac": "32.863"}, True),  # exactly ten percent more
        ({"rate": "10", "rate_unit": "gal/ac", "n_lb_per_ac": "32.9"}, None),
        ({"product": "Potash", "n_lb_per_ac": "30"}, None),
        ({"synthetic_n": "no"}, None),
        ({"synthetic_n": "yes"}, True),
    ],
)
def test_pounds_that_contradict_the_products_analysis_show_nothing(
    cells: dict[str, str], *, answer: bool | None
) -> None:
    rows = season.changed(season.clean_season(), "nutrient_application", 0, **cells)
    assert season.verdict_of(rows, "nutrients_records_agree") is answer
    assert bool(codes(rows) & {"off_analysis", "synthetic_differs"}) is (answer is None)


@pytest.mark.parametrize(("rate", "answer"), [("18", True), ("17.999", None), ("1", None)])
def test_an_inhibitor_below_its_label_rate_shows_nothing(rate: str, *, answer: bool | None) -> None:
    rows = season.changed(season.clean_season(), "nutrient_application", 0, inhibitor_rate=rate)
    assert season.verdict_of(rows, "inhibitor_with_all_synthetic_n") is answer
    own = with_row(rows, "inhibitor_acceptance", state="KS", inhibitor="Instinct", accepted="yes", source="label",
                   label_rate="1", label_rate_unit="oz/ac")  # fmt: skip
    assert season.verdict_of(own, "inhibitor_with_all_synthetic_n") is True


def reduced(**cells: str) -> season.Rows:
    """Return the clean season with 20 lb fewer after emergence, by scouting."""
    rows = season.changed(season.clean_season(), "nutrient_application", 1, n_lb_per_ac="100")
    row = {"in_season_test_id": "I1", "harvest_id": "H25", "tested_on": "2025-06-01", "what": "scouting",
           "result": "dark green at V6", "planned_on": "2025-06-02", "n_reduction_lb_per_ac": "20"}  # fmt: skip
    return with_row(rows, "in_season_test", **row | cells)


@pytest.mark.parametrize(
    ("cells", "answer"),
    [
        ({}, True),
        ({"result": ""}, False),
        ({"planned_on": ""}, False),
        ({"planned_on": "2025-06-01"}, False),
        ({"tested_on": "2025-06-02"}, False),
    ],
)
def test_a_reduction_needs_its_result_and_a_day_before_the_planned_one(cells: dict[str, str], *, answer: bool) -> None:
    assert season.verdict_of(reduced(**cells), "split_post_emergence_share") is answer


@pytest.mark.parametrize(
    ("west", "acres", "answer"), [("130", "20", True), ("119.999", "20", False), ("130", "19", False)]
)
def test_zones_recorded_as_areas_are_judged_each_by_itself(west: str, acres: str, *, answer: bool) -> None:
    """The east has 130 lb after emergence; of 40 acres an acre that neither zone covers had none."""
    rows = season.changed(season.clean_season(), "nutrient_application", 1, zone="east", treated_acres="20")
    rows = with_row(rows, "nutrient_application",
                    **rows["nutrient_application"][1] | {"application_id": "A3", "zone": "west", "n_lb_per_ac": west,
                                                         "treated_acres": acres})  # fmt: skip
    assert season.verdict_of(rows, "split_post_emergence_share") is answer


def test_an_assessment_with_fewer_intervals_groups_those_alone() -> None:
    judged = assess(season.book_of(season.clean_season()))
    assert [len(of) for of in judged.harvests.values()] == [1]
    assert replace(judged, intervals=()).harvests == {}
