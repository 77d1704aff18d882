"""On what the credited bushels rest: the weakest row of each unit decides."""

import pytest

from provender.records import BASES
from tests.practices.season import Rows, changed, evidence, with_row
from tests.report.official import official_rows, report_of

ROWS = ("operation", "cover_crop", "nutrient_application", "planting", "nutrient_budget")
PAPERS = (evidence("LOG", "log.zip", "machine_file", ""), evidence("INV", "invoice.pdf", "invoice", ""))


def known(rows: Rows, by: str) -> Rows:
    """Grade every row by a word and the paper that holds it; no machine makes a budget."""
    for paper in PAPERS:
        rows = with_row(rows, "evidence", **paper)
    for kind in ROWS:
        word = "third_party" if (kind, by) == ("nutrient_budget", "machine") else by
        for row in range(len(rows[kind])):
            rows = changed(rows, kind, row, known_by=word, evidence="LOG" if word == "machine" else "INV")
    return rows


def shares(rows: Rows) -> dict[str, tuple[str, str]]:
    return {one["grade"]: (one["bushels"], one["percent"]) for one in report_of(rows)["evidence_grades"]}


@pytest.mark.parametrize("grade", BASES)
def test_bushels_count_under_the_grade_that_all_rows_share(grade: str) -> None:
    found = shares(known(official_rows(), grade))
    assert found == {one: ("8000", "100") if one == grade else ("0", "0") for one in BASES}


@pytest.mark.parametrize("kind", ROWS)
def test_one_weaker_row_of_any_kind_decides_for_its_unit(kind: str) -> None:
    rows = changed(known(official_rows(), "third_party"), kind, known_by="typed_in_season")
    assert shares(rows)["typed_in_season"] == ("8000", "100")


def test_a_row_that_does_not_say_is_the_weakest() -> None:
    rows = changed(known(official_rows(), "machine"), "operation", known_by="")
    assert shares(rows)["typed_after_harvest"] == ("8000", "100")


def test_a_conventional_unit_has_no_share() -> None:
    rows = changed(known(official_rows(), "machine"), "operation", 5, known_by="typed_after_harvest")
    assert shares(rows)["machine"] == ("8000", "100")


def test_without_credit_nothing_rests_on_anything() -> None:
    rows = official_rows()
    report = report_of(
        {kind: of for kind, of in rows.items() if kind not in {"declaration", "cover_crop", "nutrient_application"}}
    )
    assert {one["percent"] for one in report["evidence_grades"]} == {"0"}


@pytest.mark.parametrize("day", ["2024-10-01", "2025-10-22"])
def test_a_pass_of_another_season_says_nothing_of_this_crop(day: str) -> None:
    rows = known(official_rows(), "machine")
    rows = with_row(rows, "operation", **rows["operation"][1] | {"operation_id": "O77", "day": day, "known_by": ""})
    assert shares(rows)["machine"] == ("8000", "100")
