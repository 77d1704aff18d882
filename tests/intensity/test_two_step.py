"""The two-step form on the open model, and the plan of a unit under every combination."""

from typing import Any

import polars as pl
import pytest

from provender.intensity.argonne2021 import evaluate
from provender.intensity.calculator import Calculator, Label, UnitCase, UnitCI
from provender.intensity.combination import AS_USUAL, Combination, Tillage, Timing, claimable_combinations, combinations
from provender.intensity.plan import plan, plans
from provender.intensity.two_step import (
    NO_INHIBITOR,
    NO_SOC,
    NO_SORGHUM,
    NO_TIMING,
    NOT_BETTER,
    TwoStepArgonne,
    national_baselines,
)
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


def test_there_are_36_combinations_and_each_crop_claims_only_its_own() -> None:
    assert len(set(combinations())) == 36
    assert {crop: len(claimable_combinations(crop)) for crop in Crop} == {
        Crop.field_corn: 36,
        Crop.soybeans: 12,
        Crop.sorghum: 24,
    }


def test_a_combination_and_its_practices_are_one_another() -> None:
    for combination in combinations():
        assert Combination.of(combination.practices) == combination


def test_of_two_exclusive_practices_the_stricter_is_entered() -> None:
    assert Combination.of({Practice.no_till, Practice.reduced_till}).tillage is Tillage.no_till
    both = {Practice.no_fall_application, Practice.split_in_season}
    assert Combination.of(both).timing is Timing.split_in_season
    assert Combination.of(set()) == AS_USUAL
    assert str(AS_USUAL) == "no practice"
    assert str(Combination(Tillage.no_till, cover_crop=True)) == "No-till + Cover crop"


def test_the_baseline_is_the_model_without_zone_under_average_tillage() -> None:
    assert dict(national_baselines()) == {"corn": 653_256, "soybean": 762_767, "sorghum": 683_606}
    assert MODEL.national_default(Crop.soybeans) == 762_767


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


def test_every_answer_is_an_estimate_and_says_so() -> None:
    answer = ask(case())
    assert answer.label is Label.ESTIMATE
    assert "estimate, not USDA FD-CIC" in answer.notes[0]


def test_a_unit_without_practices_has_the_baseline_in_every_county() -> None:
    for fips in (CHAMPAIGN, CHEMUNG, FINNEY, "12086", "no such", None):
        for crop in Crop:
            assert ask(case(crop, fips)).ci_g_per_bu == MODEL.national_default(crop)


@pytest.mark.parametrize("fips", [CHEMUNG, "12086", None])
@pytest.mark.parametrize("practices", [{"tillage": Tillage.no_till}, {"cover_crop": True}])
def test_a_county_without_soil_carbon_is_an_answer_and_not_a_zero(fips: str | None, practices: dict[str, Any]) -> None:
    for crop in (Crop.field_corn, Crop.soybeans):
        answer = ask(case(crop, fips, **practices))
        assert answer.ci_g_per_bu is None
        assert NO_SOC in answer.notes


def test_a_dry_county_answers_from_its_own_zone_and_the_zone_cancels() -> None:
    answer = ask(case(fips=FINNEY, tillage=Tillage.no_till))
    assert answer.working[1].ci_g_per_bu != ask(case(tillage=Tillage.no_till)).working[1].ci_g_per_bu
    assert answer.ci_g_per_bu is not None


def test_inhibitor_and_timing_earn_nothing_and_the_result_says_so() -> None:
    plain = ask(case(cover_crop=True))
    more = ask(case(cover_crop=True, inhibitor=True, timing=Timing.split_in_season))
    assert more.ci_g_per_bu == plain.ci_g_per_bu
    assert set(more.notes) - set(plain.notes) == {NO_INHIBITOR, NO_TIMING}


def test_sorghum_earns_nothing_for_tillage_and_cover_and_the_result_says_so() -> None:
    answer = ask(case(Crop.sorghum, tillage=Tillage.no_till, cover_crop=True))
    assert answer.ci_g_per_bu == MODEL.national_default(Crop.sorghum)
    assert NO_SORGHUM in answer.notes
    assert NO_SOC not in answer.notes


def test_a_practice_that_worsens_the_ci_is_not_hidden() -> None:
    answer = ask(case(fips="01003", tillage=Tillage.reduced_till))
    assert answer.ci_g_per_bu is not None
    assert answer.ci_g_per_bu > MODEL.national_default(Crop.field_corn)  # type: ignore[operator] # the model has one
    assert NOT_BETTER in answer.notes


def test_cases_are_answered_in_order_and_none_is_no_answer() -> None:
    cases = [UnitCase(f"u{number}", crop, 2025, CHAMPAIGN) for number, crop in enumerate([*Crop, *Crop])]
    answers = MODEL.evaluate(cases)
    assert [answer.unit for answer in answers] == [one.unit for one in cases]
    assert MODEL.evaluate([]) == ()


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


def test_of_equal_cis_a_plan_shows_the_fewest_practices_first() -> None:
    options = plan(case(Crop.sorghum), MODEL)
    assert [len(option.combination.practices) for option in options] == sorted(
        len(option.combination.practices) for option in options
    )


def test_a_plan_puts_what_has_no_ci_last_and_gives_it_no_difference() -> None:
    options = plan(case(fips=CHEMUNG, cover_crop=True), MODEL)
    missing = [option.result.ci_g_per_bu is None for option in options]
    assert missing == sorted(missing)
    assert any(missing)
    for option in options:
        assert option.against_today is None
        assert (option.against_national is None) == (option.result.ci_g_per_bu is None)


def test_plans_are_kept_by_unit() -> None:
    assert set(plans([case(), UnitCase("away", Crop.soybeans, 2025, CHAMPAIGN)], MODEL)) == {"home", "away"}
