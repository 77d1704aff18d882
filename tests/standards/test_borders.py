"""The days between which a crop interval lies are proved by every record that knows of them (interpretation 81).

Days before the producer's control: a predecessor's statement, logs or imagery speak for them (interpretation 68).
"""

from typing import Any, Final

import pytest

from provender.report.signing import refusals
from provender.rule.crops import Practice
from provender.standards.judge import judge
from provender.standards.standard import Missing, Verdict
from tests.proof.world import book_of_farms
from tests.report.official import official_rows, report_of
from tests.standards import season

CLEAN: Final = season.clean_season()


@pytest.mark.parametrize(("rows", "case"), season.cases("borders.jsonl"))
def test_days_that_cannot_all_be_true_withhold_every_practice_that_rests_on_them(
    rows: season.Rows, case: dict[str, Any]
) -> None:
    named = case["against"] and set(map(tuple, case["against"]))
    (one,) = (each for each in season.intervals(rows) if each.harvest_id == "H25")
    against = one.season.contradicted_borders
    assert {(each.kind, each.row) for each in against if each.kind != "harvest"} == (named or set())
    assert any(each.reason == "end_contradicted" for each in against) is (named is not None)
    if named:
        assert {one[practice].implementation for practice in Practice} <= {Verdict.NOT_SHOWN, Verdict.NOT_MET}
        for name_of in ("no_till_stir_within_limit", "inhibitor_with_all_synthetic_n", "no_fall_none_in_fall"):
            assert set(against) <= set(one.requirements[name_of].findings)


def hail(stand: str = "Planter, double disk opnr", stir_name: str = "") -> season.Rows:
    """Return corn that hail killed on 20 May and that was planted again without tillage, with the adjuster's record."""
    rows = season.with_row(CLEAN, "harvest", harvest_id="H25f", unit_id="N40", crop="corn", ending="terminated",
                    first_day="2025-05-20", termination_record="adjuster form 12")  # fmt: skip
    rows = season.with_row(rows, "planting", planting_id="P2", harvest_id="H25", planted_on="2025-05-22", replant="yes")
    again = {"unit_id": "N40", "equipment": "planter", "depth_in": "2", "speed_mph": "5", "width_ft": "40"}
    rows = season.with_row(rows, "operation", operation_id="O8", day="2025-05-22", operation=stand, **again)
    if stir_name:
        rows = season.with_row(
            rows, "operation", operation_id="O9", unit_id="N40", day="2025-04-20", operation=stir_name
        )
    return season.changed(rows, "declaration", 0, made_on="2025-11-01")


def test_a_hail_replant_keeps_no_till_unless_the_stand_exceeds_the_limit_or_days_differ() -> None:
    def told(rows: season.Rows) -> Verdict:
        (one,) = (each for each in season.intervals(rows) if each.harvest_id == "H25")
        return one.requirements["no_till_stir_within_limit"].verdict

    assert told(hail()) is Verdict.MET
    both = hail(stir_name="Fert. applic. anhyd knife 15 in spacing")
    (one,) = (each for each in season.intervals(both) if each.harvest_id == "H25")
    assert one.season.failed_stands
    assert told(both) is Verdict.MET
    assert told(hail(stir_name="Disk, offset, heavy")) is Verdict.NOT_SHOWN
    assert told(season.changed(hail(), "harvest", 2, termination_record="")) is Verdict.NOT_SHOWN
    rows = season.changed(hail(), "planting", 1, planted_on="2025-05-19")
    (one,) = (each for each in season.intervals(rows) if each.harvest_id == "H25")
    assert Missing("planting", "planted_on", "P2", "planted_before_start") in one.season.contradicted_borders


def test_a_budget_without_a_day_may_be_the_first_and_a_declaration_without_one_the_latest() -> None:
    plan = {"budget_id": "B0", "harvest_id": "H25", "basis": "soil_test"}
    (one,) = season.intervals(season.with_row(CLEAN, "nutrient_budget", **plan))
    assert one.season.budget is not None
    assert one.season.budget.id == "B0"
    (one,) = season.intervals(season.with_row(CLEAN, "nutrient_budget", **plan, made_on="2025-03-02"))
    assert one.season.budget is not None
    assert one.season.budget.id == "B1"
    rows = season.with_row(hail(), "declaration", harvest_id="H25f", all_operations_listed="no")
    (one,) = (each for each in season.intervals(rows) if each.harvest_id == "H25")
    assert one.season.answer("all_operations_listed").value is None
    assert one[Practice.no_till].implementation is Verdict.NOT_SHOWN


STARTS: Final = "2024-10-02"
"""The first day of the crop interval of N40."""


def control(**cells: str) -> season.Rows:
    return season.changed(official_rows(), "control", 0, **cells)


OF_CONTROL: Final = season.cases_in("control.jsonl")
"""Edits of the farm whose report can be signed."""


@pytest.fixture(scope="module")
def judged() -> dict[str, Verdict]:
    """Return by case what no-till comes to; each is a farm of one book."""
    farms = {f"F{at:02}": one for at, one in enumerate(OF_CONTROL)}
    base = official_rows()
    found = judge(book_of_farms({farm: season.edited(base, one["edits"]) for farm, one in farms.items()}))
    of_unit = (one for one in found if one.harvest_id == "H25")
    return {farms[one.farm_id]["case"]: one[Practice.no_till].implementation for one in of_unit}


@pytest.mark.parametrize("case", OF_CONTROL, ids=[one["case"] for one in OF_CONTROL])
def test_days_before_control_are_shown_by_others_or_not(case: dict[str, str], judged: dict[str, Verdict]) -> None:
    assert judged[case["case"]] == case["answer"]


@pytest.mark.parametrize("practice", ["no_fall_application", "cover_crop"])
def test_other_practices_rest_on_the_same_days(practice: str) -> None:
    assert season.verdict_of(control(since=STARTS), practice) is True
    assert season.verdict_of(control(since="2025-03-01"), practice) is None


def test_known_records_fail_whoever_had_control_and_the_farmer_reads_what_would_show_it() -> None:
    rows = season.changed(control(since="2025-03-01"), "operation", 0, operation="Plow, moldboard", depth_in="8")
    assert season.verdict_of(rows, "no_till") is False
    report = report_of(control(since="2024-10-20"))
    assert refusals(report)
    (unit,) = [one for one in report["units"] if one["unit_id"] == "N40"]
    missing = {
        lack["reason"]
        for interval in unit["intervals"]
        for one in interval["requirements"].values()
        for lack in one["missing"]
    }
    assert "control_not_shown" in missing
