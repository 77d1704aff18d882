"""One change each from a report that can be signed: nobody can sign it, and the farmer reads why (2100.020(a), .031).

Each case stands for its neighbours: a name without a file, a name that names nothing, a file exchanged, of another
unit, kind or day, a purchase without day, supplier or paper, a calculator that no list names.
"""

import re
from collections.abc import Callable
from datetime import date
from typing import Any, Final

import pytest

from provender.intensity.quantify import quantify
from provender.problem import Problem
from provender.report.document import Edition, build
from provender.report.print_view import view
from provender.report.signing import refusals
from provender.rule.crops import Crop
from provender.rule.version import NOT_CURRENT
from tests.practices.season import Rows, changed, with_row, without
from tests.report.official import KNOWN, judged, official_rows, report_of

COVER, SEED, SOIL, INHIBITOR, _LOG, RUN, _ACRES, TICKETS = range(8)


def evidence_is(row: int, **cells: str) -> Callable[[Rows], Rows]:
    return lambda rows: changed(rows, "evidence", row, **cells)


def record_is(kind: str, **cells: str) -> Callable[[Rows], Rows]:
    return lambda rows: changed(rows, kind, 0, **cells)


def photo_of_two_units(rows: Rows) -> Rows:
    rows = changed(rows, "evidence", COVER, unit_id="")
    cover = {**rows["cover_crop"][0], "cover_id": "C9", "unit_id": "S12", "harvest_id": "S25"}
    return with_row(rows, "cover_crop", **cover)


def fed(rows: Rows, **cells: str) -> Rows:
    row = {"total_id": "B2", "crop": "corn", "harvest_year": "2025", "what": "fed", "bushels": "500", "evidence": "E9"}
    return with_row(rows, "bushel_total", **row | cells)


WHOLE: Final = "2100.031(c)(3)(iii)"
UNHASHED: Final = "no SHA-256 of the file"
CASES: Final[dict[str, tuple[Callable[[Rows], Rows], str, str]]] = {
    "photograph: a name without a file": (evidence_is(COVER, file="gone.jpg"), "2100.052(b)(5)", "is not there"),
    "photograph: no hash on record": (evidence_is(COVER, sha256=""), "2100.052(b)(5)", UNHASHED),
    "photograph: exchanged": (evidence_is(COVER, sha256="ab" * 32), "2100.052(b)(5)", "changed or exchanged"),
    "photograph: an invoice": (evidence_is(COVER, what="invoice"), "2100.052(b)(5)", "is a invoice"),
    "photograph: of another unit": (evidence_is(COVER, unit_id="S12"), "2100.052(b)(5)", "belongs to unit S12"),
    "photograph: one for two units": (photo_of_two_units, "2100.052(b)(5)", "rows of several units name it"),
    "photograph: before seeding": (evidence_is(COVER, taken_on="2024-10-08"), "2100.052(b)(5)", "2024-10-08"),
    "photograph: after termination": (evidence_is(COVER, taken_on="2025-04-17"), "2100.052(b)(5)", "2025-04-17"),
    "photograph: none named": (record_is("cover_crop", established_photo=""), "2100.052(b)(5)", ""),
    "seed: file deleted": (evidence_is(SEED, file="gone.pdf"), "2100.052(b)(1)", "is not there"),
    "seed: a photograph as invoice": (record_is("seed_purchase", evidence="E1"), "2100.052(b)(1)", "is a photograph"),
    "seed: a name that names nothing": (
        record_is("seed_purchase", evidence="E77"), "2100.052(b)(1)", "E77 is the name of no evidence record",
    ),
    "seed: no paper": (record_is("seed_purchase", evidence=""), "2100.052(b)(1)", ""),
    "seed: no day": (record_is("seed_purchase", received_on=""), "2100.052(b)(1)", ""),
    "seed: no supplier": (record_is("seed_purchase", supplier=""), "2100.052(b)(1)", ""),
    "seed: received after seeding": (record_is("seed_purchase", received_on="2024-10-10"), "2100.052(b)(1)", ""),
    "seed: paper of another year": (evidence_is(SEED, taken_on="2026-09-20"), "2100.052(b)(1)", "2026-09-20"),
    "soil test: no report": (record_is("soil_test", evidence=""), "2100.053(e)(2)", ""),
    "soil test: report older than sample": (
        evidence_is(SOIL, taken_on="2023-11-04"), "2100.053(e)(2)", "cannot have been made",
    ),
    "soil test: exchanged": (evidence_is(SOIL, sha256="cd" * 32), "2100.053(e)(2)", "changed or exchanged"),
    "inhibitor: no day": (record_is("inhibitor_purchase", received_on=""), "2100.053(b)(1)", ""),
    "inhibitor: no supplier": (record_is("inhibitor_purchase", supplier=""), "2100.053(b)(1)", ""),
    "inhibitor: no paper": (record_is("inhibitor_purchase", evidence=""), "2100.053(b)(1)", ""),
    "inhibitor: received after it was used": (
        record_is("inhibitor_purchase", received_on="2025-04-29"), "2100.053(b)(1)", "",
    ),
    "inhibitor: file deleted": (evidence_is(INHIBITOR, file="gone.pdf"), "2100.053(b)(1)", "is not there"),
    "printout: none": (record_is("calculator_run", evidence=""), "2100.031(c)(3)(iii)", "No printout of this run"),
    "printout: names nothing": (record_is("calculator_run", evidence="E77"), "2100.031(c)(3)(iii)", "E77"),
    "printout: file deleted": (evidence_is(RUN, file="gone.pdf"), "2100.031(c)(3)(iii)", "is not there"),
    "printout: exchanged": (evidence_is(RUN, sha256="ef" * 32), "2100.031(c)(3)(iii)", "changed or exchanged"),
    "printout: no hash on record": (evidence_is(RUN, sha256=""), "2100.031(c)(3)(iii)", UNHASHED),
    "printout: of another unit": (evidence_is(RUN, unit_id="S12"), "2100.031(c)(3)(iii)", "belongs to unit S12"),
    "printout: older than the run": (
        evidence_is(RUN, taken_on="2025-12-18"), "2100.031(c)(3)(iii)", "cannot have been made",
    ),
    "printout: a photograph of rye": (record_is("calculator_run", evidence="E1"), "2100.031(c)(3)(iii)", "photograph"),
    "harvest: counted nowhere": (
        lambda rows: without(without(rows, "reported_acres"), "bushel_total"), WHOLE, "Neither an acreage report",
    ),
    "harvest: tickets and acres that no paper shows": (
        lambda rows: changed(record_is("bushel_total", evidence="")(rows), "reported_acres", evidence=""), WHOLE,
        "Neither an acreage report",
    ),
    "harvest: measured bins that no paper shows, and no acreage report": (
        lambda rows: without(record_is("bushel_total", what="bin_measurement", evidence="")(rows), "reported_acres"),
        WHOLE, "no evidence is named",
    ),
    "harvest: counted by a yield log, and no acreage report": (
        lambda rows: without(evidence_is(TICKETS, what="machine_file")(rows), "reported_acres"), WHOLE,
        "which counts nothing",
    ),
    "harvest: tickets of the year before, and no acreage report": (
        lambda rows: without(evidence_is(TICKETS, taken_on="2024-11-03")(rows), "reported_acres"), WHOLE,
        "before the first day of this harvest",
    ),
    "harvest: a count whose file is gone, and no acreage report": (
        lambda rows: without(evidence_is(TICKETS, file="gone.pdf")(rows), "reported_acres"), WHOLE, "E9: missing",
    ),
    "harvest: tickets 1.1 % short": (record_is("bushel_total", bushels="9395"), WHOLE, "more than counted"),
    "harvest: 3.2 % of the acres missing": (record_is("reported_acres", acres="53.7"), WHOLE, "more than the units"),
    "harvest: feed without evidence": (
        lambda rows: fed(record_is("bushel_total", bushels="9000")(rows), evidence=""), WHOLE, "no evidence is named",
    ),
    "harvest: feed by a file that is gone": (
        lambda rows: fed(record_is("bushel_total", bushels="9000")(rows), evidence="E77"), WHOLE, "E77: nothing",
    ),
    "calculator: GREET 2024": (
        record_is("calculator_run", calculator="GREET", version="2024"), "2100.031(c)(2)(i)", "UNLISTED",
    ),
    "calculator: FD-CIC 2025 beta 0.9 as final": (
        record_is("calculator_run", calculator="FD-CIC", version="2025 beta 0.9"), "2100.031(c)(2)(i)", "UNLISTED",
    ),
    "calculator: a listed beta as final": (
        record_is("calculator_run", version="made up 9.9 beta"), "2100.031(c)(2)(i)", "PRELIMINARY",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "cite", "says"), CASES.values(), ids=CASES)
def test_what_the_records_do_not_bear_out_is_not_signed_and_says_why(
    change: Callable[[Rows], Rows], cite: str, says: str
) -> None:
    report = report_of(change(official_rows()))
    refused = refusals(report)
    assert cite in [one.cite for one in refused], refused
    assert all(one.remedy for one in refused)
    found = [*map(str, refused), *(told(one) for one in report["problems"])]
    assert says in " ".join([*found, *(one["cause"] for one in report["findings"])])


def told(problem: dict[str, Any]) -> str:
    return f"{problem['place']['file']} row {problem['place']['row']}: {problem['cause']}"


def test_a_broken_link_names_its_row_and_paragraph() -> None:
    report = report_of(evidence_is(SEED, file="gone.pdf")(official_rows()))
    (problem,) = [one for one in report["problems"] if one["code"] == "evidence_missing"]
    assert (problem["place"]["file"], problem["place"]["row"], problem["place"]["column"]) == (
        "seed_purchase.csv", 2, "evidence",
    )  # fmt: skip
    assert problem["cite"] == "2100.052(b)(1)"


def test_evidence_named_by_a_row_that_needs_none_is_told_when_it_is_gone() -> None:
    rows = changed(official_rows(), "reported_acres", evidence="E77")
    assert "evidence_nothing" in [one["code"] for one in report_of(rows)["problems"]]


@pytest.mark.parametrize("day", ["", "2024-10-09", "2025-04-16"])
def test_a_photograph_without_a_day_or_on_the_first_or_last_possible_day_counts(day: str) -> None:
    assert refused(evidence_is(COVER, taken_on=day)) == []


def test_one_sound_paper_beside_a_broken_one_is_enough() -> None:
    assert refused(record_is("seed_purchase", evidence="E77; E3")) == []


def test_own_seed_needs_no_supplier() -> None:
    assert refused(record_is("seed_purchase", supplier="", bin_run="yes")) == []


def test_an_explained_difference_signs_and_stands_on_the_first_page() -> None:
    rows = fed(record_is("bushel_total", bushels="9000")(official_rows()))
    report = report_of(rows)
    assert refusals(report) == []
    assert report["completeness"] == {"whole_harvest_shown": True, "explained": ["500 bu fed"]}
    remarks = view(report, signed=False, refused=[])["remarks"]
    assert "Explained, with evidence: 500 bu fed." in [one["whole"] for one in remarks]


@pytest.mark.parametrize(("kind", "shown"), [("reported_acres", True), ("bushel_total", False)])
def test_one_of_report_and_count_is_enough_to_sign_and_only_a_count_shows_the_whole(kind: str, *, shown: bool) -> None:
    report = report_of(without(official_rows(), kind))
    assert refusals(report) == []
    assert report["completeness"]["whole_harvest_shown"] is shown


def refused(change: Callable[[Rows], Rows]) -> list[Problem]:
    return refusals(report_of(change(official_rows())))


def test_the_report_names_the_list_that_knows_its_calculator() -> None:
    calculator = report_of(official_rows())["calculator"]
    assert calculator["listed_by"]["supplier"] == "nobody"
    assert len(calculator["listed_by"]["sha256"]) == 64
    assert (calculator["status"], calculator["example"]) == ("final", False)


def later(text: str) -> str:
    return re.sub(r"\b(2023|2024|2025)-", lambda year: f"{int(year[1]) + 1}-", text)


def next_year(rows: Rows) -> Rows:
    """Return the season a year later, after the last day up to which the text has been read."""
    moved = {kind: [{name: later(text) for name, text in row.items()} for row in of] for kind, of in rows.items()}
    return changed(changed(moved, "reported_acres", 0, harvest_year="2026"), "bushel_total", 0, harvest_year="2026")


def report_of_next_year(under: str) -> dict[str, Any]:
    assessment = judged(next_year(official_rows()))
    found = quantify(assessment, "F1", Crop.field_corn, 2026, known=KNOWN)
    return build(assessment, found, as_of=date(2027, 1, 15), edition=Edition(under=under))


@pytest.mark.parametrize("under", ["", "final-2026"])
def test_a_harvest_after_the_text_was_read_is_signed_only_under_the_text_that_the_signer_names(under: str) -> None:
    report = report_of_next_year(under)
    (problem,) = refusals(report)
    assert (problem.code, "--under interim-2025" in problem.remedy) == ("rule_not_current", True)
    assert refusals(report_of_next_year("interim-2025")) == []


def test_one_unit_harvested_after_the_text_was_read_is_enough() -> None:
    rows = next_year(official_rows())
    at = next(n for n, row in enumerate(rows["harvest"]) if row["unit_id"] == "N40" and row["last_day"] > "2026")
    rows = changed(rows, "harvest", at, first_day="2026-07-20", last_day="2026-07-20")
    assessment = judged(rows)
    found = quantify(assessment, "F1", Crop.field_corn, 2026, known=KNOWN)
    assert (assessment.of("F1", Crop.field_corn, 2026)[0].rule.state, found.rule_state) == ("", NOT_CURRENT)
    report = build(assessment, found, as_of=date(2027, 1, 15))
    assert (report["rule"]["state"], report["official"]["rule_current"]) == (NOT_CURRENT, False)


def test_the_state_of_the_rule_is_said_first_and_official_is_three_flags() -> None:
    report = report_of_next_year("interim-2025")
    shown = view(report, signed=True, refused=[])
    assert "not shown to be the rule in force" in shown["remarks"][0]["whole"]
    assert shown["remarks"][1]["whole"].startswith("Next step")
    assert shown["watermark"] == "UNDER THE INTERIM TEXT"
    assert report["official"] == {"calculator_final": True, "records_complete": True, "rule_current": False}
    assert set(report_of(official_rows())["official"].values()) == {True}
