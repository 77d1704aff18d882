"""1.12 and 1.13: which text governs, what *official* says apart, totals of each practice, what a report bears.

Farms' retention days: ``tests/cli/test_farms_and_due.py``; exemptions: ``tests/audit/sampling/test_sample.py``.
"""

import re
from datetime import date
from typing import Any

import pytest

from provender.intensity.quantify import quantify
from provender.practices.assess import assess
from provender.report.document import FLAGS, Edition, build
from provender.report.print import view
from provender.report.signing import RULE_NOT_CURRENT, refusals
from provender.rule.crops import Crop
from provender.rule.law import NOT_CURRENT
from tests.practices.season import Rows, book_of
from tests.proof import changes as c
from tests.report.official import KNOWN, official_rows

AUTUMN: tuple[int, date] = 2026, date(2027, 1, 15)


def a_year_later(rows: Rows) -> Rows:
    """Move every day of a farm by a year: its harvest then lies after the day up to which the text was read."""
    later = re.compile(r"\b(20[12]\d)(?=-\d\d-\d\d|$)")
    return {
        kind: [{name: later.sub(lambda year: str(int(year[1]) + 1), cell) for name, cell in row.items()} for row in of]
        for kind, of in rows.items()
    }


def report_of(rows: Rows, year: int = 2025, day: date = date(2026, 1, 15), under: str = "") -> dict[str, Any]:
    assessment = assess(book_of(rows))
    q = quantify(assessment, "F1", Crop.field_corn, year, known=KNOWN)
    return build(assessment, q, as_of=day, edition=Edition(under=under))


@pytest.fixture(scope="module")
def signable() -> dict[str, Any]:
    return report_of(official_rows())


@pytest.mark.parametrize("under", ["", "final-2026"])
def test_a_harvest_after_the_text_was_read_signs_only_under_the_text_that_its_signer_names(under: str) -> None:
    rows = a_year_later(official_rows())
    (problem,) = refusals(report_of(rows, *AUTUMN, under=under))
    assert (problem.code, "--under interim-2025" in problem.remedy) == (RULE_NOT_CURRENT, True)
    named = report_of(rows, *AUTUMN, under="interim-2025")
    assert refusals(named) == []
    assert named["official"] == {"calculator_final": True, "records_complete": True, "rule_current": False}
    shown = view(named, signed=True, refused=[])
    assert "not shown to be the rule in force" in shown["remarks"][0]["whole"]
    assert shown["remarks"][1]["whole"].startswith("Next step")
    assert shown["watermark"] == "UNDER THE INTERIM TEXT"


def test_one_unit_harvested_after_the_text_was_read_is_enough() -> None:
    rows = a_year_later(official_rows())
    at = next(n for n, row in enumerate(rows["harvest"]) if row["unit_id"] == "N40" and row["last_day"] > "2026")
    rows = c.of("harvest", at, first_day="2026-07-20", last_day="2026-07-20")(rows)
    assert assess(book_of(rows)).of("F1", Crop.field_corn, 2026)[0].rule.state == ""
    report = report_of(rows, *AUTUMN)
    assert (report["rule"]["state"], report["official"]["rule_current"]) == (NOT_CURRENT, False)


def test_an_explained_difference_signs_and_stands_on_the_first_page() -> None:
    report = report_of(c.counted("fed", "500", "9000")(official_rows()))
    assert report["completeness"] == {"whole_harvest_shown": True, "explained": ["500 bu fed"]}
    remarks = view(report, signed=False, refused=refusals(report))["remarks"]
    assert "Explained, with evidence: 500 bu fed." in [one["whole"] for one in remarks]


@pytest.mark.parametrize(("kind", "shown"), [("reported_acres", True), ("bushel_total", False)])
def test_only_a_count_shows_the_whole_harvest(kind: str, *, shown: bool) -> None:
    assert report_of(c.less(kind)(official_rows()))["completeness"]["whole_harvest_shown"] is shown


@pytest.mark.parametrize(
    ("change", "code", "place"),
    [
        (c.of("evidence", c.SEED, file="gone.pdf"), "evidence_missing", ("seed_purchase.csv", 2, "evidence")),
        (c.of("reported_acres", evidence="E77"), "evidence_nothing", ("reported_acres.csv", 2, "evidence")),
    ],
    ids=["of a row that needs it", "of one that needs none"],
)
def test_a_broken_link_names_its_row(change: c.Change, code: str, place: tuple[str, int, str]) -> None:
    (problem,) = [one for one in report_of(change(official_rows()))["problems"] if one["code"] == code]
    assert tuple(problem["place"][name] for name in ("file", "row", "column")) == place
    assert problem["cite"] == ("2100.052(b)(1)" if code == "evidence_missing" else problem["cite"])


@pytest.mark.parametrize(
    ("change", "flag"),
    [
        (c.of("calculator_run", calculator="GREET", version="2024"), "calculator_final"),
        (c.of("evidence", c.SOIL, sha256=""), "records_complete"),
    ],
    ids=["a calculator that no list names", "a record without its file"],
)
def test_official_is_three_flags_and_one_that_falls_takes_no_other_along(
    change: c.Change, flag: str, signable: dict[str, Any]
) -> None:
    assert signable["official"] == dict.fromkeys(FLAGS, True)
    assert report_of(change(official_rows()))["official"] == {**dict.fromkeys(FLAGS, True), flag: False}


def test_the_totals_of_each_practice_are_of_its_units_alone_and_null_where_one_is_not_recorded(
    signable: dict[str, Any],
) -> None:
    """2100.052(b)(4), .053(e)(7) and (8): the plowed unit S12 stands in none of them."""
    totals = {one["practice"]: (one["units"], one["acres"], one["bushels"]) for one in signable["practices"]}
    used = {"no_till", "cover_crop", "nitrification_inhibitor", "split_in_season"}
    assert {name for name, (units, _, _) in totals.items() if units} == used
    assert {totals[name] == (["N40"], "40", "8000") for name in used} == {True}
    lesser = report_of(c.of("calculator_run", tillage="reduced_till", inhibitor="no")(official_rows()))
    of_lesser = {one["practice"]: one["bushels"] for one in lesser["practices"]}
    assert (of_lesser["reduced_till"], of_lesser["no_till"], of_lesser["nitrification_inhibitor"]) == ("8000", "0", "0")


def test_the_report_bears_its_number_its_author_the_day_of_its_making_and_the_list_of_its_calculator(
    signable: dict[str, Any],
) -> None:
    """What stands on page 1; that paper alone recomputes it is shown in ``tests/report/test_paper_alone.py``."""
    assert (signable["edition"]["version"], signable["producer"]["name"]) == (1, "Ada Farmer")
    assert (signable["made_on"], signable["label"]) == ("2026-01-15", "official")
    assert "soybeans" not in str(signable["units"])
    calculator = signable["calculator"]
    assert (calculator["listed_by"]["supplier"], len(calculator["listed_by"]["sha256"])) == ("nobody", 64)
    assert (calculator["status"], calculator["example"]) == ("final", False)
