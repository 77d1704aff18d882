"""Distinct results of a unit: one line a CI, the cheapest missing piece first."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from provender.intensity.calculator import ARGONNE
from provender.intensity.distinct import UnitPlan, cost_of, unit_plan
from provender.intensity.quantify import quantify
from provender.practices.assess import assess
from provender.records.folder import load_book
from provender.rule.crops import Crop, Practice

BLUESTEM: Final = Path(__file__).parents[2] / "examples" / "bluestem-farm"


@pytest.fixture(scope="module")
def planned() -> Mapping[str, UnitPlan]:
    judged = assess(load_book(BLUESTEM))
    crops = [quantify(judged, *harvest, ARGONNE) for harvest in judged.harvests]
    return {unit.unit_id: unit_plan(judged, one, unit) for one in crops for unit in one.units}


def test_no_two_lines_of_a_unit_end_in_the_same_ci_and_no_combination_is_lost(planned: Mapping[str, UnitPlan]) -> None:
    for one in planned.values():
        results = [(line.option.result.ci_g_per_bu, bool(line.option.combination.practices)) for line in one.lines]
        assert len(set(results)) == len(results)
        assert sum(len(line.options) + line.dearer for line in one.lines) == len(one.options)
        assert {result[0] for result in results} == {option.result.ci_g_per_bu for option in one.options}


def test_a_line_keeps_the_cheapest_ways_to_its_result(planned: Mapping[str, UnitPlan]) -> None:
    for one in planned.values():
        for line in one.lines:
            same = [
                option for option in one.options
                if option.result.ci_g_per_bu == line.option.result.ci_g_per_bu
                and bool(option.combination.practices) == bool(line.option.combination.practices)
            ]  # fmt: skip
            costs = {option.combination: cost_of(option, one.lacking) for option in same}
            assert {option.combination for option in line.options} == {
                each for each, cost in costs.items() if cost == min(costs.values())
            }


def test_today_leads_then_what_records_alone_would_show_then_what_another_season_would(
    planned: Mapping[str, UnitPlan],
) -> None:
    lines = planned["E80"].lines
    assert [(str(line), line.cost) for line in lines[:6]] == [
        ("Reduced till", (0, 0)),
        ("Cover crop", (0, 1)),
        ("Reduced till + Cover crop", (0, 1)),
        ("No-till", (1, 0)),
        ("any of Nitrification inhibitor; or No fall application; or Split in-season application", (1, 0)),
        ("No-till + Cover crop", (1, 1)),
    ]
    assert [str(piece).partition(":")[0] for piece in lines[5].pieces] == ["Cover crop", "No-till"]


def test_combinations_of_one_result_and_cost_are_named_by_what_they_have_in_common(
    planned: Mapping[str, UnitPlan],
) -> None:
    today = str(next(line for line in planned["N40"].lines if line.is_today))
    assert today.startswith("No-till + Cover crop, alone or with Nitrification inhibitor; or No fall application; or ")
    (other,) = [str(line) for line in planned["E80"].lines if str(line).startswith("any of")]
    assert other == "any of Nitrification inhibitor; or No fall application; or Split in-season application"


def test_no_practice_is_no_line_with_practices_of_the_same_ci(planned: Mapping[str, UnitPlan]) -> None:
    for one in planned.values():
        (alone,) = [line for line in one.lines if not line.option.combination.practices]
        assert len(alone.options) == 1


def test_a_crop_without_the_practice_is_not_offered_it(planned: Mapping[str, UnitPlan]) -> None:
    beans = next(one for one in planned.values() if one.crop.crop is Crop.soybeans)
    assert not any(Practice.split_in_season in option.combination.practices for option in beans.options)
    assert Practice.split_in_season not in beans.lacking
