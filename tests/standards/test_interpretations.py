"""Interpretations 1 to 25 and 62 to 68, each with cases on both sides: edits of a clean season and an answer.

Beside them stand neighbors of wrong answers that were mended, and which records are named where a requirement is not
shown or not met: verdicts fail closed, so that where a finding is left out most of them stay *not shown*, but what
people are asked for does not. What other records prove takes a pass that can have done it.
"""

from dataclasses import replace
from datetime import date
from itertools import product
from typing import Any, Final

import pytest

from provender.rule.crops import Practice
from provender.standards.standard import REQUIREMENTS, Against, Missing, Part, Shown, Verdict, of_practice
from provender.verdicts.assess import assess
from tests.rows import CaseRows
from tests.standards.season import (
    ANSWERS,
    Rows,
    book_of,
    cases,
    cases_in,
    changed,
    clean_season,
    intervals,
    verdict_of,
    verdicts,
    with_row,
    without,
)

CASES: Final = CaseRows(__file__)
CLEAN: Final = clean_season()
CHISEL: Final = {"operation_id": "O7", "unit_id": "N40", "day": "2024-11-11", "equipment": "chisel",
                 "operation": "Chisel, st. pt. 5 in deep"}  # fmt: skip
DRILL: Final = CLEAN["operation"][0]["operation"]
COMBINE: Final = "Harvest, killing crop 50pct standing stubble"
PLANTER: Final = "Planter, double disk opnr with starter fertilizer"
WENT_ON: Final = "nutrient_application"


def added(kind: str, rows: Rows = CLEAN, /, **cells: str) -> Rows:
    return with_row(rows, kind, **cells)


def cell(kind: str, row: int = 0, rows: Rows = CLEAN, /, **cells: str) -> Rows:
    """Return the season with some cells changed."""
    return changed(rows, kind, row, **cells)


def tilled(rows: Rows = CLEAN, /, **cells: str) -> Rows:
    """Return the season with one more pass, of a chisel in November."""
    return with_row(rows, "operation", **CHISEL | cells)


def clover(rows: Rows = CLEAN, /, **budget: str) -> Rows:
    """Return the season with crimson clover for rye, 40 lb of N from it, and a budget."""
    rows = changed(rows, "cover_species", species="Clover, Crimson")
    return changed(rows, "nutrient_budget", 0, **{"legume_n_lb_per_ac": "40"} | budget)


def zero(crop: str, **budget: str) -> Rows:
    """Return the season with clover and nothing taken off for it."""
    return clover(clean_season(crop), **{"n_adjustment_lb_per_ac": "0"} | budget)


def replanted(**cells: str) -> Rows:
    """Return the season with its stand given up on 12 May and planted again on the 14th."""
    lost = {"harvest_id": "H25f", "unit_id": "N40", "crop": "corn", "ending": "terminated", "first_day": "2025-05-12",
            "termination_record": "adjuster form 12"}  # fmt: skip
    rows = added("planting", added("harvest", **lost | cells), planting_id="P2", harvest_id="H25",
                 planted_on="2025-05-14", replant="yes", emerged_on="2025-05-23")  # fmt: skip
    return tilled(rows, operation_id="O8", day="2025-05-14", operation=PLANTER, depth_in="2.5", speed_mph="5",
                  width_ft="40")  # fmt: skip


def in_two_parts() -> Rows:
    """Return the season with its harvest entered hybrid by hybrid."""
    rows = added("harvest", cell("harvest", 1, bushels="5000", harvested_acres="25"), harvest_id="H25b",
                 unit_id="N40", crop="corn", use="grain", ending="harvested", first_day="2025-10-27",
                 last_day="2025-10-27", bushels="3000", harvested_acres="15")  # fmt: skip
    return changed(tilled(rows, day="2025-10-27", operation=COMBINE), "declaration", made_on="2025-10-30")


LEGUME: Final = "cover_crop_legume_n_adjusted"


@pytest.mark.parametrize(("rows", "case"), [*cases("interpretations.jsonl"), *cases("neighbors.jsonl")])
def test_each_case_has_its_answer(rows: Rows, case: dict[str, str]) -> None:
    """Of some neighbors of what was answered wrongly once a code says why, too."""
    assert verdict_of(rows, case["ask"]) is ANSWERS[Verdict(case["answer"])]
    if "code" in case:
        (one,) = (each for each in intervals(rows) if each.harvest_id == "H25")
        findings = one.requirements[case["ask"]].findings
        assert case["code"] in {each.reason for each in findings if isinstance(each, Missing | Against)}


def test_the_clean_season_meets_whatever_a_case_is_about() -> None:
    (clean,) = verdicts(CLEAN).values()
    assert {one["ask"] for one in cases_in("interpretations.jsonl") if clean[one["ask"]] is not True} == set()


@pytest.mark.parametrize(("rows", "case"), cases("told.jsonl"))
def test_each_answer_is_told_or_not(rows: Rows, case: dict[str, Any]) -> None:
    assert verdict_of(rows, case["ask"]) is ANSWERS[Verdict(case["answer"])]
    codes = {one.code for one in assess(book_of(rows)).problems}
    assert bool(codes & set(case["codes"])) is case["told"]


@CASES
def test_another_record_proves_a_pass_that_the_list_does_not_have(kind: str, row: int, cells: dict[str, str]) -> None:
    rows = cell(kind, row, **cells)
    (found,) = verdicts(rows).values()
    assert (found["no_till"], found["reduced_till"]) == (None, None)
    assert found["records_tillage_all_operations"] is None
    (told,) = [one for one in assess(book_of(rows)).problems if one.code == "pass_missing"]
    assert told.place.file.startswith(kind)
    assert "None" not in told.cause


@pytest.mark.parametrize("kind", ["cover_crop", "nutrient_budget", "nutrient_application", "planting"])
def test_a_stand_killed_and_planted_again_keeps_its_credit_whichever_entry_its_records_name(kind: str) -> None:
    rows = replanted()
    for at in range(len(rows[kind])):
        if (kind, at) != ("planting", 1):
            rows = changed(rows, kind, at, harvest_id="H25f")
    (found,) = verdicts(rows).values()
    assert [practice for practice in Practice if found[practice] is not True] == []


def test_intervals_follow_rule_harvest_and_entries() -> None:
    (late,) = intervals(cell("harvest", 1, first_day="2026-07-29", last_day="2026-07-29"))
    assert (late.rule.later_rule_in_force, late.last_day) == (True, date(2026, 7, 29))
    (clean,) = intervals(CLEAN)
    assert clean.rule.later_rule_in_force is False
    (open_,) = intervals(cell("declaration", residue_burned=""))
    assert (Practice.no_till in clean.credited, Practice.no_till in open_.credited) == (True, False)
    assert all(of_practice(*one) for one in product(Practice, (Part.IMPLEMENTATION, Part.RECORDS)))
    assert not any("controlled" in name for name in REQUIREMENTS)
    for crop, asked in (("soybeans", []), ("corn", ["legume_n_lb_per_ac"])):
        (judged,) = intervals(zero(crop, legume_n_lb_per_ac=""))
        assert [one.column for one in judged.requirements[LEGUME].missing] == asked
    book = assess(book_of(CLEAN))
    assert [len(of) for of in book.harvests.values()] == [1]
    assert replace(book, intervals=()).harvests == {}


def test_two_harvest_rows_are_one_interval_unless_one_was_planted_after_the_other_was_cut() -> None:
    (found,) = intervals(in_two_parts())
    assert (found.harvest_ids, found.harvest_id) == (("H25", "H25b"), "H25")
    assert (found.season.harvest.bushels, found[Practice.no_till].implementation) == (8_000_000, Verdict.MET)
    rows = added("planting", in_two_parts(), planting_id="P9", harvest_id="H25b", planted_on="2025-10-21")
    assert list(verdicts(rows)) == ["H25", "H25b"]
    rows = added("harvest", harvest_id="H25b", unit_id="N40", crop="corn", ending="harvested", first_day="2025-11-05")
    rows = added("declaration", rows, **CLEAN["declaration"][0] | {"harvest_id": "H25b", "made_on": "2025-12-01"})
    rows = tilled(rows, day="2025-11-05", operation=COMBINE)
    assert set(verdicts(tilled(rows, operation_id="O8", day="2025-10-25", operation=DRILL))) == {"H25"}


def test_the_share_that_is_asked_is_rounded_up() -> None:
    """Three quarters of 160.001 lb are 120.00075: at 120.000 it would look reached and is not."""
    rows = cell("nutrient_budget", 0, cell(WENT_ON, 1, n_lb_per_ac="120"), synthetic_n_need_lb_per_ac="160.001")
    (one,) = intervals(rows)
    (against, *_) = one.requirements["split_post_emergence_share"].against
    assert (against.observed, against.limit) == (120_000, 120_001)


def test_both_seasons_and_both_units_name_a_row_until_day_and_name_fit() -> None:
    rows = with_row(CLEAN, "harvest", harvest_id="H26", unit_id="N40", crop="corn", ending="harvested",
                    first_day="2026-06-27", bushels="700")  # fmt: skip
    lacks = Missing(WENT_ON, "harvest_id", "A2", "day_and_crop_differ")
    for of, is_named in ((rows, False), (changed(rows, WENT_ON, 1, harvest_id="H26"), True)):
        judged = {one.harvest_id: one.requirements["nutrients_budget_all_sources"] for one in intervals(of)}
        assert [lacks in judged[season].findings for season in ("H25", "H26")] == [is_named, is_named]
    rows = with_row(CLEAN, "unit", unit_id="S80", acres="80", county_fips="20177")
    rows = with_row(rows, "harvest", harvest_id="S25", unit_id="S80", crop="corn", ending="harvested",
                    first_day="2025-10-25", bushels="9000")  # fmt: skip
    rows = changed(rows, WENT_ON, 1, harvest_id="S25")
    assert verdict_of(rows, "nutrients_records_agree") is None
    assert verdict_of(rows, "inhibitor_with_all_synthetic_n", "S25") is None


@pytest.mark.parametrize(("day", "told"), [("2025-05-05", False), ("2025-05-06", True), ("", True)])
def test_a_first_application_after_planting_is_told(day: str, *, told: bool) -> None:
    rows = cell(WENT_ON, day=day)
    assert ("n_not_at_planting" in {one.code for one in assess(book_of(rows)).problems}) is told


@pytest.mark.parametrize(("rows", "case"), cases("lacks.jsonl"))
def test_what_lacks_is_named_each_record_of_it(rows: Rows, case: dict[str, Any]) -> None:
    found = next(one for one in intervals(rows) if one.harvest_id == "H25").requirements[case["ask"]].findings
    lacks = sorted([one.kind, one.column, one.row, one.reason] for one in found if isinstance(one, Missing))
    assert lacks == case["missing"]
    assert not any(isinstance(one, Against) for one in found)


def test_what_speaks_against_it_is_named_row_by_row() -> None:
    late = changed(CLEAN, "nutrient_budget", made_on="2025-05-01")
    (one,) = intervals(late)
    found = {
        (each.kind, each.row, each.reason) for each in one.requirements["nutrients_budget_before_application"].against
    }
    assert found == {
        ("nutrient_budget", "B1", "made_after_application"),
        ("nutrient_application", "A1", "before_budget"),
    }
    manure = changed(CLEAN, "nutrient_application", product="Hog manure", synthetic_n="no", inhibitor="")
    (one,) = intervals(changed(manure, "budget_source", 2, present="yes", n_lb_per_ac="20"))
    (against,) = one.requirements["nutrients_budget_all_sources"].against
    assert (against.kind, against.row, against.reason) == ("declaration", "H25", "manure_not_declared")


@pytest.mark.parametrize(("rows", "case"), cases("passes.jsonl"))
def test_a_list_of_passes_has_those_that_other_records_prove(rows: Rows, case: dict[str, str]) -> None:
    (one,) = intervals(rows)
    lacking = {each.row for each in one.season.all_passes.missing if each.reason.endswith("_without_pass")}
    assert lacking == ({case["lacks"]} if case["lacks"] else set())


def test_a_crop_entry_proves_the_combine_at_the_value_of_the_list() -> None:
    (whole,), (one,) = intervals(CLEAN), intervals(without(CLEAN, "operation", 4))
    implied = one.season.stir.points[-1]
    assert (implied.one.known_by, implied.one.day, implied.recorded.value) == ("implied", one.last_day, 1_500)
    assert one.season.stir.recorded == whole.season.stir.recorded
    within = one.requirements["no_till_stir_within_limit"]
    assert within.verdict is Verdict.MET
    assert Shown("harvest", "H25", 1_500, 200_000, "STIR", "implied_harvest_pass") in within.shown
    listed = one.requirements["records_tillage_all_operations"]
    assert listed.missing == (Missing("operation", reason="no_harvest_pass"),)


@pytest.mark.parametrize(("depth", "expected"), [("6.8", Verdict.MET), ("7", Verdict.NOT_SHOWN)])
def test_the_combine_that_an_entry_proves_counts_against_the_limit(depth: str, expected: Verdict) -> None:
    """Beside 13.15 a planter at 5 mph adds 0.975 an inch: 19.78 and 19.975 without the 0.15 of the combine."""
    rows = with_row(without(CLEAN, "operation", 4), "operation", operation_id="O9", unit_id="N40", day="2025-05-01",
                    operation="Planter, double disk opnr", depth_in=depth, speed_mph="5")  # fmt: skip
    (one,) = intervals(rows)
    assert one.requirements["no_till_stir_within_limit"].verdict is expected
