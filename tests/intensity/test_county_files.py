"""Tables of counties that a user loads, results and yields: read whole, refused cell by cell, looked up exactly."""

import pytest

from provender.intensity.calculator import (
    COLUMNS,
    Calculator,
    Combination,
    CountyTable,
    Label,
    Tillage,
    Timing,
    UnitCase,
    claimable_combinations,
    read_county_table,
)
from provender.intensity.completeness import load_county_yields
from provender.intensity.plan import plan
from provender.problem import ProblemsError, Weight
from provender.rule.crops import Crop

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
    reading = read_county_table(content, "table.csv")
    return CountyTable("Table", "1", "a page", Label.ESTIMATE, reading.values, defaults or {})


@pytest.mark.parametrize("crop", list(Crop))
def test_a_whole_table_reads_without_a_word_and_plans(crop: Crop) -> None:
    reading = read_county_table(whole(crop), "table.csv")
    assert reading.problems == ()
    calculator: Calculator = table(whole(crop), {crop: 700_025})
    options = plan(UnitCase("home", crop, 2025, "17019"), calculator)
    assert options[-1].is_today
    assert options[-1].against_national == 0
    assert options[0].against_national == -100 * (len(options) - 1)


def test_a_row_is_read_to_the_hundredth_below_zero_too_and_a_county_without_every_combination_is_noted() -> None:
    combination = Combination(Tillage.no_till, cover_crop=True)
    assert read_county_table(text(GOOD), "t").values == {("17019", Crop.field_corn, combination): 512_340}
    assert list(read_county_table(text(GOOD.replace("5123.40", "-12.5")), "t").values.values()) == [-1250]
    (note,) = read_county_table(text(GOOD), "t").problems
    assert note.weight is Weight.NOTE
    assert "1 of 36" in note.cause


@pytest.mark.parametrize(
    ("row", "column"),
    [
        (GOOD.replace("17019", "1701"), "county_fips"),
        (GOOD.replace("17019", "1701A"), "county_fips"),
        (GOOD.replace("corn", "Corn"), "crop"),
        (GOOD.replace("corn", "wheat"), "crop"),
        (GOOD.replace("no_till", "none"), "tillage"),
        (GOOD.replace("yes", "maybe"), "cover_crop"),
        (GOOD.replace("as_usual", "fall"), "timing"),
        (GOOD.replace(",no,", ",,"), "inhibitor"),
        (GOOD.replace("5123.40", "5123.401"), "ci_g_per_bu"),
        (GOOD.replace("5123.40", ""), "ci_g_per_bu"),
        (GOOD.replace("5123.40", "5l23"), "ci_g_per_bu"),
        (GOOD.replace("5123.40", "1e3"), "ci_g_per_bu"),
        ("17019,soybeans,no_till,yes,split_in_season,no,1", "timing"),
        ("17019,sorghum,no_till,yes,no_fall_application,no,1", "timing"),
        (GOOD + ",7", ""),
        ("17019,corn", ""),
    ],
)
def test_a_bad_row_is_a_problem_with_its_place_and_the_others_are_read(row: str, column: str) -> None:
    other = GOOD.replace("17019", "19169")
    reading = read_county_table(text(other, "", row), "t.csv")
    errors = [problem for problem in reading.problems if problem.weight is Weight.ERROR]
    assert [(problem.place.row, problem.place.column) for problem in errors] == [(4, column)]
    assert all(problem.remedy for problem in errors)
    assert len(reading.values) == 1


def test_a_key_that_stands_twice_is_told_and_of_two_values_none_is_believed() -> None:
    same = read_county_table(text(GOOD, GOOD), "t")
    assert next(problem.code for problem in same.problems) == "same_key"
    assert len(same.values) == 1
    differing = read_county_table(text(GOOD, GOOD.replace("5123.40", "5000")), "t")
    assert differing.values == {}


@pytest.mark.parametrize(
    "content", ["", "a,b\n1,2\n", HEADER.replace("crop,", "") + "\n", HEADER + ",extra\n", '"' + HEADER]
)
def test_other_columns_cannot_be_used(content: str) -> None:
    with pytest.raises(ProblemsError):
        read_county_table(content, "t")


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


def test_a_county_table_is_never_official() -> None:
    with pytest.raises(ValueError, match="never official"):
        CountyTable("Table", "1", "a page", Label.OFFICIAL, {})


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


def test_a_survey_of_quick_stats_gives_the_yields_of_its_counties() -> None:
    read = load_county_yields(QUICK_STATS.encode(), "survey.csv")
    assert read.problems == ()
    assert read.values == {("20161", Crop("corn"), 2025): 142_500, ("01001", Crop("soybeans"), 2025): 41_000}


@pytest.mark.parametrize(
    ("row", "column"),
    [
        ("1001,corn,2025,150", "county_fips"),
        ("01001,wheat,2025,150", "crop"),
        ("01001,corn,25,150", "harvest_year"),
        ("01001,corn,2025,many", "bushels_per_acre"),
        ("01001,corn,2025,", "bushels_per_acre"),
        ("01001,corn,2025,0", "bushels_per_acre"),
        ("01001,corn,2025,-1", "bushels_per_acre"),
    ],
)
def test_a_cell_that_cannot_be_used_is_named_with_its_row(row: str, column: str) -> None:
    read = load_county_yields(f"{OWN}20161,corn,2025,142.5\n\n{row}\n".encode(), "own.csv")
    assert [(one.place.row, one.place.column) for one in read.problems] == [(4, column)]
    assert [*read.values.values()] == [142_500]


def test_headings_may_have_blanks_around_them_and_no_cell_may_be_one_too_many() -> None:
    head = "county_fips, crop,harvest_year ,bushels_per_acre\n"
    read = load_county_yields(f"{head}20161, corn ,2025,142.5\n01001,corn,2025,1,150\n".encode(), "own.csv")
    assert [(one.code, one.place.row) for one in read.problems] == [("row_length", 3)]
    assert [*read.values.values()] == [142_500]


def test_rows_that_disagree_are_told_and_none_is_used() -> None:
    rows = "20161,corn,2025,142.5\n20161,corn,2025,142.50\n20149,corn,2025,1\n20149,corn,2025,2\n"
    read = load_county_yields((OWN + rows).encode("utf-8-sig"), "own.csv")
    assert [one.code for one in read.problems] == ["same_key"]
    assert read.values == {("20161", Crop("corn"), 2025): 142_500}


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


def test_a_file_without_a_yield_says_that_nothing_was_compared() -> None:
    lines = QUICK_STATS.splitlines(keepends=True)
    read = load_county_yields("".join([lines[0], lines[2]]).encode(), "survey.csv")
    assert [(one.code, str(one.weight)) for one in read.problems] == [("no_yields", "note")]
