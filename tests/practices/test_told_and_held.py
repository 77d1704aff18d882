"""Records held against each other: each case changes one thing of a clean season (interpretations 62 to 68)."""

import pytest

from provender.practices.assess import assess
from tests.practices.season import Rows, book_of, changed, clean_season, verdict_of, verdicts, with_row, without

CHISEL = {"operation_id": "O7", "unit_id": "N40", "operation": "Chisel, st. pt. 5 in deep", "equipment": "chisel"}
COMBINE = "Harvest, killing crop 50pct standing stubble"
PLANTER = "Planter, double disk opnr with starter fertilizer"
OATS = {"harvest_id": "H25o", "unit_id": "N40", "crop": "oats", "ending": "harvested", "first_day": "2025-04-24",
        "last_day": "2025-04-24"}  # fmt: skip


def tilled(day: str, name: str = CHISEL["operation"], **cells: str) -> Rows:
    """Return the clean season with one more pass."""
    return with_row(clean_season(), "operation", **CHISEL | {"day": day, "operation": name} | cells)


def replanted(**cells: str) -> Rows:
    """Return the clean season with its stand given up on 12 May and planted again on the 14th."""
    lost = {"harvest_id": "H25f", "unit_id": "N40", "crop": "corn", "ending": "terminated", "first_day": "2025-05-12",
            "termination_record": "adjuster form 12"}  # fmt: skip
    rows = with_row(clean_season(), "harvest", **lost | cells)
    rows = with_row(rows, "planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-14", replant="yes",
                    emerged_on="2025-05-23")  # fmt: skip
    return with_row(rows, "operation", **CHISEL | {"operation_id": "O8", "day": "2025-05-14", "operation": PLANTER,
                                                   "depth_in": "2.5", "speed_mph": "5", "width_ft": "40"})  # fmt: skip


def in_two_parts() -> Rows:
    """Return the clean season with its harvest entered hybrid by hybrid."""
    rows = changed(clean_season(), "harvest", 1, bushels="5000", harvested_acres="25")
    rows = with_row(rows, "harvest", harvest_id="H25b", unit_id="N40", crop="corn", use="grain", ending="harvested",
                    first_day="2025-10-27", last_day="2025-10-27", bushels="3000", harvested_acres="15")  # fmt: skip
    rows = with_row(rows, "operation", **CHISEL | {"operation_id": "O8", "day": "2025-10-27", "operation": COMBINE})
    return changed(rows, "declaration", made_on="2025-10-30")


@pytest.mark.parametrize("kind", ["cover_crop", "nutrient_budget", "nutrient_application", "planting"])
def test_a_stand_killed_and_planted_again_keeps_its_credit_whichever_entry_its_records_name(kind: str) -> None:
    rows = replanted()
    for at in range(len(rows[kind])):
        if (kind, at) != ("planting", 1):
            rows = changed(rows, kind, at, harvest_id="H25f")
    (found,) = verdicts(rows).to_dicts()
    for practice in ("no_till", "reduced_till", "cover_crop", "nitrification_inhibitor", "no_fall_application",
                     "split_in_season"):  # fmt: skip
        assert found[practice] is True, practice


def test_a_stand_given_up_without_a_record_shows_nothing() -> None:
    assert verdict_of(replanted(termination_record=""), "no_till") is None


@pytest.mark.parametrize(("day", "answer"), [("2025-04-20", None), ("2025-05-13", False)])
def test_stir_is_summed_with_and_without_the_passes_of_a_failed_stand(day: str, *, answer: bool | None) -> None:
    rows = with_row(replanted(), "operation", **CHISEL | {"day": day})
    assert verdict_of(rows, "no_till_stir_within_limit") is answer
    assert verdict_of(rows, "reduced_till_stir_within_limit") is True


def test_residue_stays_until_the_last_planting() -> None:
    rows = with_row(replanted(), "operation", **CHISEL | {"day": "2025-05-13"})
    assert verdict_of(rows, "cover_crop_residue_stays") is False
    later = with_row(replanted(), "operation", **CHISEL | {"day": "2025-05-15"})
    assert verdict_of(later, "cover_crop_residue_stays") is True
    assert "passes_after_planting" in {one.code for one in assess(book_of(later)).problems}


def test_two_hybrids_in_two_harvest_rows_are_one_interval() -> None:
    (found,) = verdicts(in_two_parts()).to_dicts()
    assert (found["harvest_id"], found["bushels"], found["no_till"]) == ("H25", 8_000_000, True)
    assert found["harvest_ids"] == ["H25", "H25b"]


def test_a_crop_planted_after_the_one_before_was_cut_is_a_crop_of_its_own() -> None:
    rows = with_row(in_two_parts(), "planting", planting_id="P9", harvest_id="H25b", planted_on="2025-10-21")
    assert verdicts(rows)["harvest_id"].to_list() == ["H25", "H25b"]


def unlisted(by: str, **cells: str) -> Rows:
    """Return the clean season with its planter as an implement outside the list, its one tool recorded."""
    rows = changed(clean_season(), "operation", 2, operation="Home-built planter", full_width="no",
                   primary_inversion="no", known_by=by, evidence="E1" if by else "", **cells)  # fmt: skip
    return with_row(rows, "operation_tool", operation_id="O3", tool_no="1", tillage_type="mixing_some_inversion",
                    depth_in="2.5", surface_pct="20")  # fmt: skip


@pytest.mark.parametrize("by", ["", "machine"])
def test_no_till_by_an_implement_outside_the_list_counts_when_its_tools_are_recorded(by: str) -> None:
    rows = unlisted(by)
    found = verdicts(rows).to_dicts()[0]
    assert found["no_till_stir_within_limit"] is True
    assert verdict_of(changed(rows, "operation_tool", depth_in=""), "no_till_stir_within_limit") is None
    assert verdict_of(changed(rows, "operation", 2, speed_mph=""), "no_till_stir_within_limit") is None


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
    rows = changed(tilled(day), "cover_crop", method=method)
    assert verdict_of(rows, "cover_crop_termination_method") is answer


@pytest.mark.parametrize(
    ("planted", "ended", "answer"),
    [
        ("2024-11-01", "2025-04-16", False),
        ("", "2025-04-16", None),
        ("2024-10-01", "2025-04-16", True),  # the cover was sown into it
        ("2024-11-01", "2025-04-24", True),
    ],
)
def test_a_crop_harvested_between_cover_and_feedstock_crop_takes_the_cover(
    planted: str, ended: str, *, answer: bool | None
) -> None:
    rows = changed(with_row(clean_season(), "harvest", **OATS), "cover_crop", terminated_on=ended)
    if planted:
        rows = with_row(rows, "planting", planting_id="P0", harvest_id="H25o", planted_on=planted)
    assert verdict_of(rows, "cover_crop_before_this_crop") is answer


def with_clover(**budget: str) -> Rows:
    """Return the clean season with crimson clover for rye, 40 lb of N from it, and a budget."""
    rows = changed(clean_season(), "cover_species", species="Clover, Crimson")
    cells = {"legume_n_lb_per_ac": "40", "n_adjustment_lb_per_ac": "40", "planned_n_lb_per_ac": "120"}
    return changed(rows, "nutrient_budget", 0, **cells | budget)


@pytest.mark.parametrize(
    ("planned", "answer"),
    [("120", True), ("120.001", False), ("119.999", True), ("160", False), ("", None), ("0", True)],
)
def test_the_legumes_nitrogen_shows_in_the_plan(planned: str, *, answer: bool | None) -> None:
    assert verdict_of(with_clover(planned_n_lb_per_ac=planned), "cover_crop_legume_n_adjusted") is answer


@pytest.mark.parametrize(("made", "answer"), [("2025-10-19", True), ("2025-10-20", None), ("", None)])
def test_a_budget_written_after_harvest_shows_nothing_of_a_legume(made: str, *, answer: bool | None) -> None:
    rows = with_clover(made_on=made)
    assert verdict_of(rows, "cover_crop_legume_budget") is answer
    assert verdict_of(rows, "cover_crop_legume_n_adjusted") is answer


def test_without_a_cover_nothing_is_told_of_it() -> None:
    assert verdict_of(without(clean_season(), "cover_crop"), "cover_crop_before_this_crop") is None
