"""The two-step form on the open model, the plan of a unit under every combination, and its distinct results."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from provender.intensity import ARGONNE
from provender.intensity.argonne2021.model import evaluate
from provender.intensity.calculator import (
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
from provender.intensity.county_files import COLUMNS, CountyTable, load_county_table, load_county_yields
from provender.intensity.plan import (
    NO_INHIBITOR,
    NO_SOC,
    NO_SORGHUM,
    NO_TIMING,
    NOT_BETTER,
    TwoStepArgonne,
    UnitPlan,
    cost_of,
    national_baselines,
    plan,
    unit_plan,
)
from provender.intensity.quantify import quantify
from provender.problem import ProblemsError, Weight
from provender.records.folder import load_book
from provender.rule.crops import Crop, Practice
from provender.verdicts.assess import assess
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

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
    found = evaluate(crop, {"fips": CHAMPAIGN, "tillage": tillage, "cover_crop": cover_crop})["ci_with_soc"]
    assert found is not None
    return found


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


def test_the_baseline_has_no_zone_and_a_dry_county_answers_from_its_own() -> None:
    assert dict(national_baselines()) == {"corn": 653_256, "soybean": 762_767, "sorghum": 683_606}
    assert MODEL.national_default(Crop.soybeans) == 762_767
    for fips in (CHAMPAIGN, CHEMUNG, FINNEY, "12086", "no such", None):
        for crop in Crop:
            assert ask(case(crop, fips)).ci_g_per_bu == MODEL.national_default(crop)
    answer = ask(case(fips=FINNEY, tillage=Tillage.no_till))
    assert answer.working[1].ci_g_per_bu != ask(case(tillage=Tillage.no_till)).working[1].ci_g_per_bu
    assert answer.ci_g_per_bu is not None
    answer = ask(case(fips="01003", tillage=Tillage.reduced_till))
    assert answer.ci_g_per_bu is not None
    assert answer.ci_g_per_bu > MODEL.national_default(Crop.field_corn)  # type: ignore[operator] # the model has one
    assert NOT_BETTER in answer.notes


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


def test_a_plan_puts_what_has_no_ci_last_and_the_fewest_practices_first() -> None:
    options = plan(case(Crop.sorghum), MODEL)
    assert [len(option.combination.practices) for option in options] == sorted(
        len(option.combination.practices) for option in options
    )
    cases = [UnitCase(f"u{number}", crop, 2025, CHAMPAIGN) for number, crop in enumerate([*Crop, *Crop])]
    assert [answer.unit for answer in MODEL.evaluate(cases)] == [one.unit for one in cases]
    assert MODEL.evaluate([]) == ()
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


def test_today_leads_then_records_alone_then_another_season(planned: Mapping[str, UnitPlan]) -> None:
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


def test_combinations_of_one_result_are_named_by_what_they_share(planned: Mapping[str, UnitPlan]) -> None:
    today = str(next(line for line in planned["N40"].lines if line.is_today))
    assert today.startswith("No-till + Cover crop, alone or with Nitrification inhibitor; or No fall application; or ")
    (other,) = [str(line) for line in planned["E80"].lines if str(line).startswith("any of")]
    assert other == "any of Nitrification inhibitor; or No fall application; or Split in-season application"


# Tables of counties that a user loads, results and yields: read whole, refused cell by cell, looked up exactly.

HEADER = ",".join(COLUMNS)
GOOD = "17019,corn,no_till,yes,as_usual,no,5123.40"


def text(*rows: str) -> str:
    return "\n".join((HEADER, *rows)) + "\n"


def whole(crop: Crop) -> str:
    rows = []
    for number, one in enumerate(claimable_combinations(crop)):
        cover, inhibitor = ("yes" if flag else "no" for flag in (one.cover_crop, one.inhibitor))
        rows.append(f"17019,{crop},{one.tillage},{cover},{one.timing},{inhibitor},{7000 - number}.25")
    return text(*rows)


def table(content: str, defaults: dict[Crop, int] | None = None) -> CountyTable:
    return replace(load_county_table(content.encode(), "table.csv"), defaults=defaults or {})


@pytest.mark.parametrize("crop", list(Crop))
def test_a_whole_table_reads_without_a_word_and_plans(crop: Crop) -> None:
    assert load_county_table(whole(crop).encode(), "table.csv").problems == ()
    calculator: Calculator = table(whole(crop), {crop: 700_025})
    options = plan(UnitCase("home", crop, 2025, "17019"), calculator)
    assert options[-1].is_today
    assert options[-1].against_national == 0
    assert options[0].against_national == -100 * (len(options) - 1)


def test_a_row_is_read_to_the_hundredth_below_zero_too_and_a_county_without_every_combination_is_noted() -> None:
    combination = Combination(Tillage.no_till, cover_crop=True)
    assert load_county_table(text(GOOD).encode(), "t").values == {("17019", Crop.field_corn, combination): 512_340}
    assert list(load_county_table(text(GOOD.replace("5123.40", "-12.5")).encode(), "t").values.values()) == [-1250]
    (note,) = load_county_table(text(GOOD).encode(), "t").problems
    assert note.weight is Weight.NOTE
    assert "1 of 36" in note.cause


@ROWS
def test_a_bad_row_is_a_problem_with_its_place_and_the_others_are_read(row: str, column: str) -> None:
    reading = load_county_table(text(GOOD.replace("17019", "19169"), "", row).encode(), "t.csv")
    errors = [problem for problem in reading.problems if problem.weight is Weight.ERROR]
    assert [(problem.place.row, problem.place.column) for problem in errors] == [(4, column)]
    assert all(problem.remedy for problem in errors)
    assert len(reading.values) == 1


def test_of_rows_that_disagree_none_is_used_and_of_a_key_twice_none_believed() -> None:
    same = load_county_table(text(GOOD, GOOD).encode(), "t")
    assert next(problem.code for problem in same.problems) == "same_key"
    assert len(same.values) == 1
    assert load_county_table(text(GOOD, GOOD.replace("5123.40", "5000")).encode(), "t").values == {}
    rows = "20161,corn,2025,142.5\n20161,corn,2025,142.50\n20149,corn,2025,1\n20149,corn,2025,2\n"
    read = load_county_yields((OWN + rows).encode("utf-8-sig"), "own.csv")
    assert [one.code for one in read.problems] == ["same_key"]
    assert read.values == {("20161", Crop("corn"), 2025): 142_500}


@pytest.mark.parametrize(
    "content", ["", "a,b\n1,2\n", HEADER.replace("crop,", "") + "\n", HEADER + ",extra\n", '"' + HEADER]
)
def test_other_columns_cannot_be_used(content: str) -> None:
    with pytest.raises(ProblemsError):
        load_county_table(content.encode(), "t")


def test_a_missing_row_and_a_missing_county_have_no_ci_and_say_so() -> None:
    calculator = table(text(GOOD))
    cases = [
        UnitCase("a", Crop.field_corn, 2025, "17019", Combination(Tillage.no_till, cover_crop=True)),
        UnitCase("b", Crop.field_corn, 2025, "17019", Combination(timing=Timing.split_in_season)),
        UnitCase("c", Crop.field_corn, 2025, "17021", Combination(Tillage.no_till, cover_crop=True)),
        UnitCase("d", Crop.field_corn, 2025, None),
    ]
    answers = calculator.evaluate(cases)
    assert [answer.ci_g_per_bu for answer in answers] == [512_340, None, None, None]
    assert [bool(answer.notes) for answer in answers] == [False, True, True, True]
    assert calculator.national_default(Crop.field_corn) is None


OWN = "county_fips,crop,harvest_year,bushels_per_acre\n"
# The headings and kinds of rows of a survey as Quick Stats gives it out; the numbers are made up.
QUICK_STATS = (
    "Program,Year,Period,Geo Level,State,State ANSI,County,County ANSI,Commodity,Data Item,Domain,Value\n"
    'SURVEY,2025,YEAR,COUNTY,KANSAS,20,RILEY,161,CORN,"CORN, GRAIN - YIELD, MEASURED IN BU / ACRE",TOTAL,142.5\n'
    'SURVEY,2025,YEAR,COUNTY,KANSAS,20,RILEY,161,CORN,"CORN, GRAIN - PRODUCTION, MEASURED IN BU",TOTAL,"1,250,000"\n'
    'SURVEY,2025,YEAR,COUNTY,KANSAS,20,OTHER COUNTIES,,CORN,"CORN, GRAIN - YIELD, MEASURED IN BU / ACRE",TOTAL,99\n'
    'SURVEY,2025,YEAR,COUNTY,KANSAS,20,CLAY,27,CORN,"CORN, GRAIN - YIELD, MEASURED IN BU / ACRE",TOTAL, (D)\n'
    'SURVEY,2025,YEAR,COUNTY,ALABAMA,1,AUTAUGA,1,SOYBEANS,"SOYBEANS - YIELD, MEASURED IN BU / ACRE",TOTAL,41\n'
)


def test_a_survey_gives_yields_headings_have_blanks_and_without_a_yield_nothing_compares() -> None:
    read = load_county_yields(QUICK_STATS.encode(), "survey.csv")
    assert read.problems == ()
    assert read.values == {("20161", Crop("corn"), 2025): 142_500, ("01001", Crop("soybeans"), 2025): 41_000}
    head = "county_fips, crop,harvest_year ,bushels_per_acre\n"
    read = load_county_yields(f"{head}20161, corn ,2025,142.5\n01001,corn,2025,1,150\n".encode(), "own.csv")
    assert [(one.code, one.place.row) for one in read.problems] == [("row_length", 3)]
    assert [*read.values.values()] == [142_500]
    lines = QUICK_STATS.splitlines(keepends=True)
    read = load_county_yields("".join([lines[0], lines[2]]).encode(), "survey.csv")
    assert [(one.code, str(one.weight)) for one in read.problems] == [("no_yields", "note")]


@ROWS
def test_a_cell_that_cannot_be_used_is_named_with_its_row(row: str, column: str) -> None:
    read = load_county_yields(f"{OWN}20161,corn,2025,142.5\n\n{row}\n".encode(), "own.csv")
    assert [(one.place.row, one.place.column) for one in read.problems] == [(4, column)]
    assert [*read.values.values()] == [142_500]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"a,b\n1,2\n",
        b"\xff\xfe",
        b"county_fips,crop\n20161,corn\n",
        f"{OWN.strip()},crop\n1,corn,1,1,corn\n".encode(),
    ],
)
def test_what_is_no_such_table_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(ProblemsError) as refused:
        load_county_yields(content, "own.csv")
    assert refused.value.problems[0].code in ("wrong_columns", "not_csv")
