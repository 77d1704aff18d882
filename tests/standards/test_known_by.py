"""One word each: a row is machine or third party only where a file that can hold it is linked (interpretation 62)."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from provender.records.kind import KINDS
from provender.standards import evidence as evidence_of
from provender.verdicts.assess import Assessment, assess, shallow_passes
from tests.report.official import official_rows, report_of
from tests.standards.season import Rows, book_of, changed, clean_season, evidence, verdict_of, with_row

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


CASES: Final[dict[str, tuple[Rows, str]]] = {
    "machine by its log": (said("machine", "E17", LOG), "machine"),
    "machine by a log without a day": (said("machine", "E17", changed_paper(LOG, taken_on="")), "machine"),
    "machine by a log of this unit": (said("machine", "E17", changed_paper(LOG, unit_id="N40")), "machine"),
    "machine by one sound log beside a broken name": (said("machine", "E177; E17", LOG), "machine"),
    "third party by an invoice": (said("third_party", "E8", INVOICE), "third_party"),
    "third party by a log is a machine's": (said("third_party", "E17", LOG), "machine"),
    "typed stays typed, whatever it names": (said("typed_in_season", "E17", LOG), "typed_in_season"),
    "machine by nothing": (said("machine", ""), "typed"),
    "machine by a name that names nothing": (said("machine", "E77"), "typed"),
    "machine by a log that is gone": (said("machine", "E17", changed_paper(LOG, file="gone.zip")), "typed"),
    "machine by a log that was exchanged": (said("machine", "E17", changed_paper(LOG, sha256="ab" * 32)), "typed"),
    "machine by a log without a hash": (said("machine", "E17", changed_paper(LOG, sha256="")), "typed"),
    "machine by a log older than the pass": (
        said("machine", "E17", changed_paper(LOG, taken_on="2025-06-01")), "typed",
    ),
    "machine by an invoice": (said("machine", "E8", INVOICE), "typed"),
    "machine by a photograph": (said("machine", "E1"), "typed"),
    "machine by a letter called a log": (
        said("machine", "E17", {**evidence("E17", "I did it on that day.txt", "machine_file", "2025-06-02")}), "typed",
    ),
    "third party by nothing": (said("third_party", ""), "typed"),
    "third party by an invoice that is gone": (
        said("third_party", "E8", changed_paper(INVOICE, file="gone.pdf")), "typed",
    ),
    "third party by an invoice of another year": (
        said("third_party", "E8", changed_paper(INVOICE, taken_on="2024-06-20")), "typed",
    ),
    "third party by a seed tag": (said("third_party", "E8", changed_paper(INVOICE, what="seed_tag")), "typed"),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "known_by"), CASES.values(), ids=CASES)
def test_a_pass_is_known_by_what_its_evidence_can_hold(rows: Rows, known_by: str) -> None:
    judged = assess(book_of(rows))
    shown = grade_of(judged, "operation", 3)
    assert shown == ("typed_after_harvest" if known_by == "typed" else known_by)
    problems = [one for one in judged.problems if one.code == "known_by_not_held"]
    assert bool(problems) == (shown != rows["operation"][3]["known_by"])
    for one in problems:
        assert (one.place.file, one.place.row, one.place.column) == ("operation.csv", 5, "known_by")
        assert (one.cite, "O4 says" in one.cause, bool(one.remedy)) == ("2100.051(c)", True, True)


def test_a_shallow_depth_counts_with_its_log_and_a_log_of_another_unit_holds_nothing() -> None:
    rows = with_row(official_rows(), "evidence", **changed_paper(LOG, unit_id="S12"))
    rows = changed(rows, "operation", 3, known_by="machine", evidence="E17")
    assert grade_of(assess(book_of(rows)), "operation", 3) == "typed_after_harvest"
    rows = changed(said("machine", "E17", LOG), "operation", 3, depth_in="0.5")
    assert list(shallow_passes(assess(book_of(rows)).rows("F1"))) == []


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


def test_two_stir_values_on_both_sides_of_the_limit_need_a_machines_log_and_not_its_name() -> None:
    rows = changed(clean_season(), "operation", 3, operation="Chisel, st. pt.", depth_in="2.5", speed_mph="4")
    words = [changed(rows, "operation", at, known_by="machine") for at in range(5)]
    assert verdict_of(words[0], "no_till_stir_within_limit") == verdict_of(rows, "no_till_stir_within_limit")


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
