"""The two-step form on the open model, the plan of a unit under every combination, and its distinct results."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl
import pytest

from provender.intensity.argonne2021.model import evaluate
from provender.intensity.calculator import (
    ARGONNE,
    AS_USUAL,
    Calculator,
    Combination,
    Label,
    Tillage,
    Timing,
    UnitCase,
    UnitCI,
    claimable_combinations,
    combinations,
)
from provender.intensity.plan import UnitPlan, cost_of, plan, plans, unit_plan
from provender.intensity.quantify import quantify
from provender.intensity.two_step import (
    NO_INHIBITOR,
    NO_SOC,
    NO_SORGHUM,
    NO_TIMING,
    NOT_BETTER,
    TwoStepArgonne,
    national_baselines,
)
from provender.practices.assess import assess
from provender.records.folder import load_book
from provender.rule.crops import Crop, Practice

CHAMPAIGN, CHEMUNG, FINNEY = "17019", "36015", "20055"  # with soil carbon; New York without; a dry county
MODEL: Calculator = TwoStepArgonne()


def case(
    crop: Crop = Crop.field_corn,
    fips: str | None = CHAMPAIGN,
    **practices: Any,  # noqa: ANN401 - the fields of a combination
) -> UnitCase:
    return UnitCase("home", crop, 2025, fips, Combination(**practices))


def ask(one: UnitCase) -> UnitCI:
    (answer,) = MODEL.evaluate([one])
    return answer


def in_county(crop: str, tillage: str, *, cover_crop: bool) -> float:
    row = pl.DataFrame({"crop": [crop], "fips": [CHAMPAIGN], "tillage": [tillage], "cover_crop": [cover_crop]})
    return float(evaluate(row)["ci_with_soc"].item())


def test_a_combination_and_its_practices_are_one_another_and_each_crop_claims_only_its_own() -> None:
    assert len(set(combinations())) == 36
    assert {crop: len(claimable_combinations(crop)) for crop in Crop} == {
        Crop.field_corn: 36,
        Crop.soybeans: 12,
        Crop.sorghum: 24,
    }
    for combination in combinations():
        assert Combination.of(combination.practices) == combination
    assert Combination.of({Practice.no_till, Practice.reduced_till}).tillage is Tillage.no_till
    both = {Practice.no_fall_application, Practice.split_in_season}
    assert Combination.of(both).timing is Timing.split_in_season
    assert Combination.of(set()) == AS_USUAL
    assert str(AS_USUAL) == "no practice"
    assert str(Combination(Tillage.no_till, cover_crop=True)) == "No-till + Cover crop"


def test_the_baseline_is_the_model_without_zone_under_average_tillage_in_every_county() -> None:
    assert dict(national_baselines()) == {"corn": 653_256, "soybean": 762_767, "sorghum": 683_606}
    assert MODEL.national_default(Crop.soybeans) == 762_767
    for fips in (CHAMPAIGN, CHEMUNG, FINNEY, "12086", "no such", None):
        for crop in Crop:
            assert ask(case(crop, fips)).ci_g_per_bu == MODEL.national_default(crop)


@pytest.mark.parametrize(("crop", "word"), [(Crop.field_corn, "corn"), (Crop.soybeans, "soybean")])
@pytest.mark.parametrize(
    ("tillage", "word_of_tillage"),
    [(Tillage.conventional, "average"), (Tillage.reduced_till, "reduced"), (Tillage.no_till, "no_till")],
)
@pytest.mark.parametrize("cover_crop", [False, True])
def test_the_ci_is_the_baseline_less_what_the_county_gains(
    crop: Crop, word: str, tillage: Tillage, word_of_tillage: str, *, cover_crop: bool
) -> None:
    answer = ask(case(crop, tillage=tillage, cover_crop=cover_crop))
    gain = in_county(word, "average", cover_crop=False) - in_county(word, word_of_tillage, cover_crop=cover_crop)
    assert answer.ci_g_per_bu == pytest.approx(national_baselines()[word] - 100 * gain, abs=1.1)
    baseline, usual, practices, ci = (step.ci_g_per_bu for step in answer.working)
    assert baseline is not None
    assert usual is not None
    assert practices is not None
    assert ci == answer.ci_g_per_bu == baseline - (usual - practices)


def test_every_answer_is_an_estimate_and_says_what_earns_nothing() -> None:
    plain = ask(case(cover_crop=True))
    assert (plain.label, "estimate, not USDA FD-CIC" in plain.notes[0]) == (Label.ESTIMATE, True)
    more = ask(case(cover_crop=True, inhibitor=True, timing=Timing.split_in_season))
    assert more.ci_g_per_bu == plain.ci_g_per_bu
    assert set(more.notes) - set(plain.notes) == {NO_INHIBITOR, NO_TIMING}
    sorghum = ask(case(Crop.sorghum, tillage=Tillage.no_till, cover_crop=True))
    assert sorghum.ci_g_per_bu == MODEL.national_default(Crop.sorghum)
    assert NO_SORGHUM in sorghum.notes
    assert NO_SOC not in sorghum.notes


@pytest.mark.parametrize("fips", [CHEMUNG, "12086", None])
@pytest.mark.parametrize("practices", [{"tillage": Tillage.no_till}, {"cover_crop": True}])
def test_a_county_without_soil_carbon_is_an_answer_and_not_a_zero(fips: str | None, practices: dict[str, Any]) -> None:
    for crop in (Crop.field_corn, Crop.soybeans):
        answer = ask(case(crop, fips, **practices))
        assert answer.ci_g_per_bu is None
        assert NO_SOC in answer.notes


def test_a_dry_county_answers_from_its_own_zone_and_a_practice_that_worsens_the_ci_is_not_hidden() -> None:
    answer = ask(case(fips=FINNEY, tillage=Tillage.no_till))
    assert answer.working[1].ci_g_per_bu != ask(case(tillage=Tillage.no_till)).working[1].ci_g_per_bu
    assert answer.ci_g_per_bu is not None
    answer = ask(case(fips="01003", tillage=Tillage.reduced_till))
    assert answer.ci_g_per_bu is not None
    assert answer.ci_g_per_bu > MODEL.national_default(Crop.field_corn)  # type: ignore[operator] # the model has one
    assert NOT_BETTER in answer.notes


@pytest.mark.parametrize("crop", list(Crop))
def test_a_plan_shows_every_combination_once_from_the_lowest_ci_up(crop: Crop) -> None:
    options = plan(case(crop, tillage=Tillage.reduced_till), MODEL)
    assert {option.combination for option in options} == set(claimable_combinations(crop))
    values = [option.result.ci_g_per_bu for option in options]
    assert values == sorted(value for value in values if value is not None)
    (today,) = (option for option in options if option.is_today)
    assert today.combination.tillage is Tillage.reduced_till
    assert today.against_today == 0
    for option in options:
        assert option.result.ci_g_per_bu is not None
        assert option.against_national == option.result.ci_g_per_bu - (MODEL.national_default(crop) or 0)
        assert option.against_today == option.result.ci_g_per_bu - (today.result.ci_g_per_bu or 0)


def test_cases_are_answered_in_order_plans_kept_by_unit_and_the_fewest_practices_come_first() -> None:
    options = plan(case(Crop.sorghum), MODEL)
    assert [len(option.combination.practices) for option in options] == sorted(
        len(option.combination.practices) for option in options
    )
    assert set(plans([case(), UnitCase("away", Crop.soybeans, 2025, CHAMPAIGN)], MODEL)) == {"home", "away"}
    cases = [UnitCase(f"u{number}", crop, 2025, CHAMPAIGN) for number, crop in enumerate([*Crop, *Crop])]
    answers = MODEL.evaluate(cases)
    assert [answer.unit for answer in answers] == [one.unit for one in cases]
    assert MODEL.evaluate([]) == ()


def test_a_plan_puts_what_has_no_ci_last_and_gives_it_no_difference() -> None:
    options = plan(case(fips=CHEMUNG, cover_crop=True), MODEL)
    missing = [option.result.ci_g_per_bu is None for option in options]
    assert missing == sorted(missing)
    assert any(missing)
    for option in options:
        assert option.against_today is None
        assert (option.against_national is None) == (option.result.ci_g_per_bu is None)


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
    for one in planned.values():
        (alone,) = [line for line in one.lines if not line.option.combination.practices]
        assert len(alone.options) == 1
    beans = next(one for one in planned.values() if one.crop.crop is Crop.soybeans)
    assert not any(Practice.split_in_season in option.combination.practices for option in beans.options)
    assert Practice.split_in_season not in beans.lacking


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
