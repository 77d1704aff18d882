"""One word each: a row is machine or third party only where a file that can hold it is linked (interpretation 62).

Other, unknown and a blank are no answer: no column of choices makes more of a row by them (interpretation 85). What an
expert works on is chosen from a list, in the template and in a table; the specialty stays free text.
"""

import io
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any, Final

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from provender.formats.template import HEADING_ROWS, template_workbook
from provender.formats.template_layout import sheet_name
from provender.records.kind import KINDS
from provender.records.kinds.nutrients import WORK
from provender.records.reading import parse_csv, read_table
from provender.report.signing import refusals
from provender.standards import evidence as evidence_of
from provender.standards.standard import Verdict
from provender.verdicts.assess import Assessment, assess, shallow_passes
from tests.proof.changes import opinion
from tests.proof.world import book_of_farms, reports_of
from tests.report.official import official_rows, report_of
from tests.standards.season import Rows, book_of, cases, changed, clean_season, evidence, verdict_of, with_row, without

LOG: Final = evidence("E17", "log.zip", "machine_file", "2025-06-02")
INVOICE: Final = evidence("E8", "custom.pdf", "invoice", "2025-06-20")
Change = Callable[[Rows], Rows]


def said(word: str, named: str, *papers: dict[str, str], kind: str = "operation", row: int = 3) -> Rows:
    """Return the clean season with one row that says how it is known, the evidence it names, and further evidence."""
    rows = changed(clean_season(), kind, row, known_by=word, evidence=named)
    for paper in papers:
        rows = with_row(rows, "evidence", **paper)
    return rows


def grade_of(judged: Assessment, kind: str, at: int = 0) -> str | None:
    """Return how a row of the farm is known by its evidence."""
    rows = judged.rows("F1")
    return evidence_of.grade(rows, rows[KINDS[kind].row][at]).known_by


def changed_paper(paper: dict[str, str], **cells: str) -> dict[str, str]:
    return {**paper, **cells}


@pytest.mark.parametrize(("rows", "case"), cases("known_by.jsonl"))
def test_a_pass_is_known_by_what_its_evidence_can_hold(rows: Rows, case: dict[str, str]) -> None:
    judged = assess(book_of(rows))
    shown = grade_of(judged, "operation", 3)
    assert shown == ("typed_after_harvest" if case["known_by"] == "typed" else case["known_by"])
    problems = [one for one in judged.problems if one.code == "known_by_not_held"]
    assert bool(problems) == (shown != rows["operation"][3]["known_by"])
    for one in problems:
        assert (one.place.file, one.place.row, one.place.column) == ("operation.csv", 5, "known_by")
        assert (one.cite, "O4 says" in one.cause, bool(one.remedy)) == ("2100.051(c)", True, True)


def test_depth_counts_with_its_log_and_readings_on_two_sides_with_a_machines_own() -> None:
    rows = with_row(official_rows(), "evidence", **changed_paper(LOG, unit_id="S12"))
    rows = changed(rows, "operation", 3, known_by="machine", evidence="E17")
    assert grade_of(assess(book_of(rows)), "operation", 3) == "typed_after_harvest"
    rows = changed(said("machine", "E17", LOG), "operation", 3, depth_in="0.5")
    assert list(shallow_passes(assess(book_of(rows)).rows("F1"))) == []
    rows = changed(clean_season(), "operation", 3, operation="Chisel, st. pt.", depth_in="2.5", speed_mph="4")
    words = [changed(rows, "operation", at, known_by="machine") for at in range(5)]
    assert verdict_of(words[0], "no_till_stir_within_limit") == verdict_of(rows, "no_till_stir_within_limit")


@pytest.mark.parametrize(
    ("kind", "day"), [("cover_crop", "2024-10-09"), ("nutrient_application", "2025-04-28"), ("planting", "2025-04-28")]
)
def test_other_kinds_are_held_by_a_log_of_their_day_too(kind: str, day: str) -> None:
    for paper, shown in ((changed_paper(LOG, taken_on=day), "machine"), (INVOICE, "typed_after_harvest")):
        rows = said("machine", paper["evidence_id"], paper, kind=kind, row=0)
        assert grade_of(assess(book_of(rows)), kind) == shown


@pytest.mark.parametrize("word", ["machine", "third_party"])
def test_nothing_makes_the_producers_own_declaration_more_than_typed(word: str) -> None:
    rows = said(word, "E17; E8", LOG, INVOICE, kind="declaration", row=0)
    assert grade_of(assess(book_of(rows)), "declaration") == "typed_after_harvest"


SHALLOW: Final[dict[str, Change]] = {
    "nothing": lambda rows: rows,
    "a name that names nothing": lambda rows: changed(rows, "operation", 3, evidence="E77"),
    "machine as a word": lambda rows: changed(rows, "operation", 3, known_by="machine"),
}


@pytest.mark.parametrize("change", SHALLOW.values(), ids=SHALLOW)
def test_a_depth_below_the_published_least_needs_a_file(change: Change) -> None:
    rows = change(changed(clean_season(), "operation", 3, depth_in="0.5"))
    assert [one.id for one in shallow_passes(assess(book_of(rows)).rows("F1"))] == ["O4"]


def test_the_first_page_grades_by_evidence_and_not_by_words() -> None:
    kinds = ("operation", "cover_crop", "nutrient_application", "planting", "nutrient_budget", "declaration")
    rows: Rows = official_rows()
    for kind in kinds:
        for at in range(len(rows[kind])):
            rows = changed(rows, kind, at, known_by="third_party")
    report: dict[str, Any] = report_of(rows)
    assert {one["grade"]: one["percent"] for one in report["evidence_grades"]}["typed_after_harvest"] == "100"
    assert {pass_["known_by"] for unit in report["units"] for one in unit["intervals"] for pass_ in one["passes"]} == {
        "typed_after_harvest", "implied",
    }  # fmt: skip


UNNAMED: Final = ("other", "unknown")
COLUMNS: Final = tuple(
    (kind, name, word)
    for kind, of in KINDS.items()
    for name, field in of.fields.items()
    for word in UNNAMED
    if word in field.options
)


def _rows() -> Rows:
    """Return a farm with a row of each of these columns, an expert's opinion among them."""
    rows = opinion()(official_rows())
    rows = changed(rows, "reported_acres", acres="62")
    rows = with_row(rows, "reported_acres", report_id="A2", crop="corn", harvest_year="2025", acres="10",
                    source="FSA-578", what="abandoned", evidence="E8")  # fmt: skip
    rows = with_row(rows, "land_use", unit_id="N40", year="2024", land_use="cropland")
    return with_row(rows, "evidence", **evidence("E90", "more.pdf", "form", "2025-03-01"))


def _changes() -> Iterator[tuple[str, str, int, str]]:
    """Yield each column, row and word that is no answer."""
    for kind, name, word in COLUMNS:
        for at, row in enumerate(_rows()[kind]):
            if row.get(name):
                yield kind, name, at, word


CHANGES: Final = tuple(_changes())


@pytest.fixture(scope="module")
def judged_answer() -> tuple[Assessment, dict[str, dict[str, Any]]]:
    """Judge the farm as it is, with each word, and without an answer.

    That is a blank, or no row where the column may not be blank.
    """
    farms = {"F0": _rows()}
    for at, (kind, name, row, word) in enumerate(CHANGES):
        farms[f"O{at}"] = changed(_rows(), kind, row, **{name: word})
        is_required = KINDS[kind].fields[name].required
        farms[f"B{at}"] = without(_rows(), kind, row) if is_required else changed(_rows(), kind, row, **{name: ""})
    assessment = assess(book_of_farms(farms))
    return assessment, reports_of(farms, {}, assessment)


def met(assessment: Assessment, farm: str) -> set[tuple[str, str]]:
    found = (one for one in assessment.intervals if one.farm_id == farm)
    return {(one.harvest_id, name) for one in found for name, each in one.requirements.items()
            if each.verdict is Verdict.MET}  # fmt: skip


def test_every_column_with_such_a_word_has_a_row_here() -> None:
    assert {(kind, name) for kind, name, _, _ in CHANGES} == {(kind, name) for kind, name, _ in COLUMNS}


@pytest.mark.parametrize("at", [pytest.param(at, id=".".join(map(str, one))) for at, one in enumerate(CHANGES)])
def test_a_word_of_no_answer_shows_nothing(
    at: int, judged_answer: tuple[Assessment, dict[str, dict[str, Any]]]
) -> None:
    assessment, reports = judged_answer
    kind, name, _, _ = CHANGES[at]
    assert met(assessment, f"O{at}") <= met(assessment, "F0")
    if not KINDS[kind].fields[name].required:
        assert met(assessment, f"O{at}") <= met(assessment, f"B{at}")
    assert refusals(reports[f"O{at}"]) or not refusals(reports[f"B{at}"])


OPINION: Final = KINDS["expert_opinion"]


def test_the_template_offers_the_list() -> None:
    book = openpyxl.load_workbook(io.BytesIO(template_workbook(as_of=date(2026, 11, 21))))
    page = book[sheet_name(OPINION)]
    (across,) = (
        cell.column for row in page.iter_rows(max_row=HEADING_ROWS) for cell in row if cell.value == "works_on"
    )
    place = f"{get_column_letter(across)}{HEADING_ROWS + 1}"
    (rule,) = (one for one in page.data_validations.dataValidation if place in one.sqref)
    assert str(rule.formula1).strip('"').split(",") == list(WORK)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [("soil_fertility", "soil_fertility"), ("Soil fertility", "soil_fertility"), ("", None), ("Corn agronomy", None)],
)
def test_a_table_is_read_by_the_label_and_other_words_refused(typed: str, expected: str | None) -> None:
    text = f"Opinion,Expert,Works on,Specialty\nX1,A. Agronomist,{typed},Nitrogen on corn\n"
    read = read_table(OPINION, parse_csv(text, "expert_opinion.csv"), farm_id="F1")
    (row,) = read.rows
    assert (row["works_on"], row["specialty"]) == (expected, "Nitrogen on corn")
    assert [one.place.column for one in read.problems] == ([] if expected or not typed else ["works_on"])
