"""The lists a sample starts from: exact, complete, or refused with all their errors."""

from pathlib import Path

import pytest

from provender.audit.sampling.farm_list import read_farms, read_previous
from provender.audit.sampling.population import freeze
from provender.problem import ProblemsError, Weight
from tests.audit.farms import farm

HEAD = "farm_id,county_fips,crop,bushels,ci_g_per_bu,acres"


def write(folder: Path, *lines: str) -> Path:
    path = folder / "farms.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def codes(path: Path) -> list[str]:
    with pytest.raises(ProblemsError) as refused:
        read_farms(path)
    return [problem.code for problem in refused.value.problems if problem.weight is Weight.ERROR]


def test_amounts_are_read_exactly(tmp_path: Path) -> None:
    population, notes = read_farms(write(tmp_path, HEAD, 'F1,19153,corn,"12,345.678",2915.37,80.25'))
    (row,) = population.rows
    assert (row.bushels, row.ci_g_per_bu, row.acres, notes) == (12_345_678, 291_537, 80_250, [])


def test_two_crops_are_two_rows_and_one_farm(tmp_path: Path) -> None:
    lines = ("F1,19153,corn,10,1,1", "F1,19153,soybeans,20,2,2", "F2,19153,corn,10,1,1")
    population, _ = read_farms(write(tmp_path, HEAD, *lines))
    assert [(one.farm_id, len(one.crops)) for one in population.farms] == [("F1", 2), ("F2", 1)]


def test_the_hash_does_not_depend_on_layout(tmp_path: Path) -> None:
    plain, _ = read_farms(write(tmp_path, HEAD, "F1,19153,corn,10,1,1", "F2,19153,Corn,20,2,2"))
    head = "acres;crop;bushels;ci_g_per_bu;county_fips;farm_id"
    other, _ = read_farms(write(tmp_path, head, "2.0;field corn;20.000;2;19153;F2", "", "1;corn;10;1.00;19153; F1 "))
    assert plain.sha256 == other.sha256
    assert len(plain.sha256) == 64


@pytest.mark.parametrize("change", ["F1,19153,corn,10.001,1,1", "F1,19154,corn,10,1,1", "F1,19153,corn,10,1.01,1"])
def test_the_hash_changes_with_any_fact(tmp_path: Path, change: str) -> None:
    before, _ = read_farms(write(tmp_path, HEAD, "F1,19153,corn,10,1,1"))
    after, _ = read_farms(write(tmp_path, HEAD, change))
    assert before.sha256 != after.sha256


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("F1,19153,wheat,10,1,1", "unreadable_crop"),
        ("F1,19153,corn,1O,1,1", "unreadable_bushels"),
        ("F1,19153,corn,10.0001,1,1", "unreadable_bushels"),
        ("F1,19153,corn,10,1.001,1", "unreadable_ci_g_per_bu"),
        ("F1,19153,corn,0,1,1", "not_above_zero"),
        ("F1,19153,corn,-1,1,1", "not_above_zero"),
        ("F1,19153,corn,10,1,0", "not_above_zero"),
        ("F1,19153,corn,,1,1", "blank_required"),
        (",19153,corn,10,1,1", "blank_required"),
        ("F1,1915,corn,10,1,1", ""),
        ("F1,Story,corn,10,1,1", "unreadable_county"),
        ("F1,00153,corn,10,1,1", "unreadable_county"),
        ("F1,19153,corn,10,1,1,extra", "ragged_row"),
    ],
)
def test_a_row_that_cannot_be_used_refuses_the_list(tmp_path: Path, row: str, code: str) -> None:
    path = write(tmp_path, HEAD, row)
    if code:
        assert codes(path) == [code]
    else:
        population, notes = read_farms(path)
        assert (population.rows[0].county_fips, notes[0].code) == ("01915", "leading_zero")


def test_all_errors_come_at_once_with_their_rows(tmp_path: Path) -> None:
    path = write(tmp_path, HEAD, "F1,19153,corn,x,1,1", "F2,19153,corn,10,1,1", "F3,19153,oats,10,1,1")
    with pytest.raises(ProblemsError) as refused:
        read_farms(path)
    assert [(problem.place.row, problem.place.column) for problem in refused.value.problems] == [
        (2, "bushels"),
        (4, "crop"),
    ]


def test_the_same_farm_and_crop_twice_is_refused(tmp_path: Path) -> None:
    assert codes(write(tmp_path, HEAD, "F1,19153,corn,10,1,1", "F1,19153,corn,20,1,1")) == ["double_row"]
    with pytest.raises(ValueError, match="two rows"):
        freeze([farm("a"), farm("a")])


def test_missing_and_doubled_columns_are_named(tmp_path: Path) -> None:
    assert codes(write(tmp_path, "farm_id,county_fips,crop,bushels,acres", "F1,19153,corn,10,1")) == ["missing_column"]
    assert codes(write(tmp_path, f"{HEAD},acres", "F1,19153,corn,10,1,1,2")) == ["double_column"]


def test_an_extra_column_is_noted_and_harmless(tmp_path: Path) -> None:
    population, notes = read_farms(write(tmp_path, f"{HEAD},telephone", "F1,19153,corn,10,1,1,555"))
    assert [(note.weight, note.code) for note in notes] == [(Weight.NOTE, "unknown_column")]
    assert len(population.farms) == 1


def test_optional_facts_are_read(tmp_path: Path) -> None:
    head = f"{HEAD},first_year,earlier_findings,late_evidence_pct"
    population, _ = read_farms(write(tmp_path, head, "F1,19153,corn,10,1,1,yes,2,12.5", "F2,19153,corn,10,1,1,,,"))
    first, second = population.rows
    assert (first.first_year, first.earlier_findings, first.late_evidence_pct) == (True, 2, 12_500)
    assert (second.first_year, second.earlier_findings, second.late_evidence_pct) == (None, None, None)
    assert codes(write(tmp_path, head, "F1,19153,corn,10,1,1,yes,-1,100.001")) == ["out_of_bounds", "out_of_bounds"]


def test_a_farm_in_two_counties_counts_where_it_delivers_most(tmp_path: Path) -> None:
    rows = ("F1,19153,corn,10,1,1", "F1,19169,soybeans,20,2,2")
    population, notes = read_farms(write(tmp_path, HEAD, *rows))
    assert (population.farms[0].county_fips, [note.code for note in notes]) == ("19169", ["two_counties"])


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "farms.csv"
    path.write_text(content)
    assert codes(path) == ["empty_file"]


def test_a_heading_without_farms_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    assert codes(write(tmp_path, HEAD)) == ["no_farms"]
    assert codes(tmp_path / "none.csv") == ["no_file"]


def test_earlier_audits_are_farm_and_year(tmp_path: Path) -> None:
    pairs, _ = read_previous(write(tmp_path, "farm_id,year", "F1,2024", "F1,2025", "F2,2024"))
    assert pairs == [("F1", 2024), ("F1", 2025), ("F2", 2024)]


@pytest.mark.parametrize("row", ["F1,", ",2025", "F1,last", "F1,25", "F1,2101"])
def test_an_earlier_audit_that_cannot_be_read_is_refused(tmp_path: Path, row: str) -> None:
    with pytest.raises(ProblemsError):
        read_previous(write(tmp_path, "farm_id,year", row))
