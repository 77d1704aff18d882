"""The Bluestem example reads clean and comes out as its README says, which was written by hand from the rule."""

import csv
import hashlib
import re
import runpy
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from provender.exact import half_even, show
from provender.formats.boundaries import Boundaries
from provender.formats.child import parse_many
from provender.formats.photos import Photo
from provender.intensity.calculator import Label
from provender.intensity.quantify import quantify
from provender.problem import Weight
from provender.records.folder import load_book
from provender.report.document import build
from provender.report.signing import refusals
from provender.rule.crops import Crop, Practice
from provender.standards.standard import Verdict
from provender.verdicts import words
from provender.verdicts.assess import Assessment, assess

# What the module shares is costly: one worker makes it.
pytestmark = pytest.mark.xdist_group("bluestem")

REPOSITORY: Final = Path(__file__).parents[2]
BOOK: Final = REPOSITORY / "examples" / "bluestem-farm"
README: Final = (BOOK / "README.md").read_text(encoding="utf-8")
FARM: Final = "BLUESTEM"


@pytest.fixture(scope="module")
def assessment() -> Assessment:
    return assess(load_book(BOOK))


def table(first: str) -> list[dict[str, str]]:
    """Return the rows of the README's table whose heading begins with these cells."""
    lines = README[README.index(first) :].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[: lines.index("")]]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[2:]]


def csv_rows(kind: str) -> list[dict[str, str]]:
    with (BOOK / f"{kind}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


EXPECTED: Final = table("| unit | no_till")


def test_the_book_reads_without_a_problem_and_one_cover_crop_has_open_records(assessment: Assessment) -> None:
    assert [one for one in assessment.problems if one.weight is not Weight.NOTE] == []
    told = {row["unit"]: (row["acres"], row["crop"]) for row in table("| unit | acres")}
    grown = {row["unit_id"]: row["crop"] for row in csv_rows("harvest") if row["harvest_id"].endswith("-2025")}
    assert told == {row["unit_id"]: (row["acres"], grown[row["unit_id"]]) for row in csv_rows("unit")}
    open_ = [
        (one.unit_id, practice)
        for one in assessment.intervals
        for practice in one.credited
        if one[practice].records is not Verdict.MET
    ]
    assert open_ == [("K45", Practice.cover_crop)]


@pytest.mark.parametrize("expected", EXPECTED, ids=[row["unit"] for row in EXPECTED])
def test_each_unit_comes_out_as_the_readme_says(assessment: Assessment, expected: dict[str, str]) -> None:
    (interval,) = [one for one in assessment.intervals if one.unit_id == expected["unit"]]
    found = {str(one.practice): str(one.implementation) if one.claimable else "-" for one in interval.practices}
    assert found == {name: verdict for name, verdict in expected.items() if name != "unit"}


@pytest.mark.parametrize("practice", Practice)
def test_each_practice_is_met_and_not_met_and_not_shown_somewhere(practice: Practice) -> None:
    assert {row[practice] for row in EXPECTED} >= {str(verdict) for verdict in Verdict}


@pytest.mark.parametrize(
    ("unit", "requirement", "observed", "limit"),
    [
        ("N40", "no_till_stir_within_limit", "19.905 STIR", "at most 20"),
        ("G70", "no_till_stir_within_limit", "20.373 STIR", "at most 20"),
        ("E80", "reduced_till_stir_within_limit", "79.874 STIR", "at most 80"),
        ("G35", "reduced_till_stir_within_limit", "80.2375 STIR", "at most 80"),
        ("E80", "no_fall_first_n_at_planting", "31 days from first synthetic N to planting", ""),
        ("T30", "no_fall_first_n_at_planting", "30 days from first synthetic N to planting", ""),
        ("E80", "split_post_emergence_share", "119.84 lb N/ac after emergence, reductions included", "at least 120"),
        ("T30", "split_post_emergence_share", "120 lb N/ac after emergence, reductions included", "at least 120"),
    ],
)
def test_narrow_verdicts_stand(assessment: Assessment, unit: str, requirement: str, observed: str, limit: str) -> None:
    (interval,) = [one for one in assessment.intervals if one.unit_id == unit]
    found = words.numbers(interval.requirements[requirement])
    assert (found.observed, found.limit) == (observed, limit)


@pytest.mark.parametrize(
    ("crop", "label", "codes", "refused"),
    [
        (Crop.field_corn, Label.EXAMPLE, [], set()),
        (
            Crop.soybeans,
            Label.PRELIMINARY,
            ["bushels_differ"],
            {"not_official", "attestation_contradicted", "records_incomplete"},
        ),
        (Crop.sorghum, Label.EXAMPLE, ["acres_differ"], {"attestation_contradicted"}),
    ],
)
def test_the_three_crops_end_in_three_ways(
    assessment: Assessment, crop: Crop, label: Label, codes: list[str], refused: set[str]
) -> None:
    result = quantify(assessment, FARM, crop, 2025)
    assert (result.label, [one.code for one in result.findings]) == (label, codes)
    document = build(assessment, result, as_of=date(2025, 12, 20))
    assert {one.code for one in refusals(document)} == refused


def test_the_farm_ci_of_corn_is_the_mean_that_a_few_lines_of_arithmetic_give(assessment: Assessment) -> None:
    runs = {row["unit_id"]: Fraction(row["ci_g_per_bu"]) for row in csv_rows("calculator_run")}
    corn = [row for row in csv_rows("harvest") if row["crop"] == "corn" and row["bushels"]]
    bushels = sum((Fraction(row["bushels"]) for row in corn), Fraction())
    mean = sum((runs[row["unit_id"]] * Fraction(row["bushels"]) for row in corn), Fraction()) / bushels
    result = quantify(assessment, FARM, Crop.field_corn, 2025)
    assert result.average.ci_g_per_bu == half_even((mean * 100).numerator, (mean * 100).denominator)
    told = (
        f"{show(result.average.bushels, group=True)} bu at {show(result.average.ci_g_per_bu, 2, group=True)} g CO2e/bu"
    )
    assert told in README


def test_no_number_passes_for_a_number_of_usda() -> None:
    for row in csv_rows("calculator_run"):
        assert row["version"].startswith("EXAMPLE, made-up values")
        assert "not a USDA number" in row["note"]
    for row in csv_rows("national_default"):
        assert "not a USDA number" in row["source"]
    for row in csv_rows("evidence"):
        if row["what"] == "printout":
            assert "NOT FROM USDA" in (BOOK / "evidence" / row["file"]).read_text(encoding="utf-8")


def test_evidence_is_there_unchanged_and_papers_and_boundaries_say_what_the_records_say() -> None:
    listed = {row["file"]: row["sha256"] for row in csv_rows("evidence")}
    there = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in (BOOK / "evidence").iterdir()}
    assert there == listed
    """The maker writes them from the records, so records changed without it would show here."""
    made = runpy.run_path(str(REPOSITORY / "examples" / "make_evidence.py"))
    for folder, files in (("boundaries", made["boundaries"]()), ("evidence", made["papers"]())):
        for name, data in files:
            assert (BOOK / folder / name).read_bytes() == data, name


def test_every_reference_to_evidence_is_to_a_listed_paper() -> None:
    listed = {row["evidence_id"] for row in csv_rows("evidence")}
    named = {
        key
        for path in BOOK.glob("*.csv")
        for row in csv_rows(path.stem)
        for key in re.split(r";\s*", row.get("evidence", "") or "")
        if key
    }
    assert named <= listed


def test_every_boundary_measures_its_acres_within_a_tenth_of_an_acre() -> None:
    units = csv_rows("unit")
    files = [(BOOK / "boundaries" / row["boundary"], row["boundary"]) for row in units]
    for row, parsed in zip(units, parse_many("boundaries", files), strict=True):
        assert isinstance(parsed.result, Boundaries)
        assert parsed.problems == ()
        (outline,) = parsed.result.fields
        assert abs(outline.acres - int(row["acres"]) * 1000) <= 100


def test_every_photograph_carries_its_day_and_a_place() -> None:
    photographs = [row for row in csv_rows("evidence") if row["what"] == "photograph"]
    assert {row["unit_id"] for row in photographs} == {"N40", "W35", "B50", "B30"}
    files = [(BOOK / "evidence" / row["file"], row["file"]) for row in photographs]
    for row, parsed in zip(photographs, parse_many("photo", files), strict=True):
        assert isinstance(parsed.result, Photo)
        assert parsed.result.taken is not None
        assert parsed.result.taken.date().isoformat() == row["taken_on"]
        assert parsed.result.latitude is not None
