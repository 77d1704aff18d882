"""Yields of counties out of a file: what is read, what is told, and what a file of USDA NASS holds besides."""

import pytest

from provender.intensity.county_yields import load_county_yields
from provender.problem import ProblemsError
from provender.rule.crops import Crop

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
