"""What cannot be refuses an official signature in words: each case changes one thing of a report that can be signed."""

from datetime import date

import pytest

from provender.report.document import build
from provender.report.signing import refusals
from tests.practices.season import Rows, changed, evidence, with_row
from tests.report.official import judged, official_rows, quantified

DAY = date(2026, 1, 15)


def told(rows: Rows, as_of: date = DAY) -> dict[str, str]:
    """Return the reasons against a signature by their code."""
    assessment = judged(rows)
    return {one.code: one.cause for one in refusals(build(assessment, quantified(assessment), as_of=as_of))}


def sale(**cells: str) -> Rows:
    """Return the farm with a sale as reduced-CI crop."""
    row = {"sale_id": "L1", "crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci",
           "buyer": "Big Blue Ethanol", "day": "2025-12-01", "bushels": "9500"}  # fmt: skip
    return with_row(official_rows(), "sale", **row | cells)


def test_an_honest_report_and_sale_are_signed() -> None:
    assert told(sale()) == {}


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        ({"bushels": "9500.001"}, "sold_beyond_harvest"),
        ({"buyer": ""}, "sale_without_buyer"),
        ({"day": ""}, "sale_without_day"),
        ({"day": "2025-10-16"}, "sale_before_harvest"),
        ({"day": "2025-10-17"}, None),
        ({"disposition": "fed", "buyer": "", "day": ""}, None),
    ],
)
def test_sales_that_cannot_be(cells: dict[str, str], code: str | None) -> None:
    assert set(told(sale(**cells))) == ({code} if code else set())


def test_grain_left_before_the_last_day_of_a_harvest_whose_first_nobody_stated() -> None:
    rows = with_row(sale(day="2025-10-16"), "scale_ticket", ticket_id="T1", buyer="Co-op", day="2025-10-16",
                    crop="corn", harvest_year="2025", net_bushels="900")  # fmt: skip
    assert set(told(rows)) == {"sale_before_harvest", "ticket_before_harvest"}
    assert told(changed(rows, "harvest", 3, first_day="")) == {}


@pytest.mark.parametrize(
    ("kind", "cells", "wrong"),
    [
        ("sale", {"sale_id": "L2", "harvest_year": "2025", "disposition": "fed", "day": "2026-03-01"}, False),
        ("sale", {"sale_id": "L2", "harvest_year": "2025", "disposition": "fed", "day": "2025-12-01"}, True),
        ("bushel_total", {"total_id": "B7", "harvest_year": "2026", "what": "fed"}, False),
        ("bushel_total", {"total_id": "B7", "harvest_year": "2025", "what": "fed"}, True),
    ],
)
def test_papers_that_only_later_rows_name_are_none_of_the_report(
    kind: str, cells: dict[str, str], *, wrong: bool
) -> None:
    rows = with_row(official_rows(), "evidence", **evidence("E99", "later.pdf", "ticket", "2026-03-01"))
    rows = with_row(rows, kind, crop="corn", bushels="1", evidence="E99", **cells)
    assert ("day_ahead" in told(rows)) is wrong


@pytest.mark.parametrize(("ci", "wrong"), [("4.32", True), ("38.27", True), ("38.28", False), ("22962.96", False),
                                           ("22962.97", True), ("-4321", False)])  # fmt: skip
def test_a_ci_far_from_its_unit(ci: str, *, wrong: bool) -> None:
    """Half a percent to three times the default of 7,654.32; below zero soil may hold more than it gave."""
    assert ("ci_far_from_unit" in told(changed(official_rows(), "calculator_run", ci_g_per_bu=ci))) is wrong


@pytest.mark.parametrize(("ci", "wrong"), [("7.65", True), ("499.99", True), ("60000.01", True), ("7654.32", False)])
def test_a_default_far_from_its_unit(ci: str, *, wrong: bool) -> None:
    assert ("ci_far_from_unit" in told(changed(official_rows(), "national_default", ci_g_per_bu=ci))) is wrong


@pytest.mark.parametrize(("bushels", "wrong"), [("26000", False), ("26000.04", True)])
def test_a_yield_beyond_any_on_record(bushels: str, *, wrong: bool) -> None:
    assert ("yield_impossible" in told(changed(official_rows(), "harvest", 1, bushels=bushels))) is wrong


@pytest.mark.parametrize(("goal", "wrong"), [("650", False), ("650.001", True)])
def test_a_yield_goal_beyond_any_on_record(goal: str, *, wrong: bool) -> None:
    rows = changed(official_rows(), "nutrient_budget", yield_goal_bu_per_ac=goal)
    assert ("yield_impossible" in told(rows)) is wrong


@pytest.mark.parametrize(
    ("pct", "wrong"), [("5", False), ("4.999", True), ("40", False), ("40.001", True), ("", False)]
)
def test_a_moisture_that_no_grain_has(pct: str, *, wrong: bool) -> None:
    assert ("moisture_impossible" in told(changed(official_rows(), "harvest", 1, moisture_pct=pct))) is wrong


@pytest.mark.parametrize(("day", "wrong"), [("2025-10-20", True), ("2025-10-21", False), ("2026-01-15", False),
                                            ("2026-01-16", True)])  # fmt: skip
def test_a_run_before_the_harvest_or_after_the_report(day: str, *, wrong: bool) -> None:
    assert ("run_day_impossible" in told(changed(official_rows(), "calculator_run", run_on=day))) is wrong


@pytest.mark.parametrize(
    ("cells", "wrong"),
    [({"county": "Riley"}, True), ({"state": "IA"}, True), ({"county_fips": "20999"}, True),
     ({"county": "Shawnee County"}, False), ({"county": ""}, False)],
)  # fmt: skip
def test_a_countys_name_agrees_with_its_code(cells: dict[str, str], *, wrong: bool) -> None:
    assert ("county_contradicted" in told(changed(official_rows(), "farm", 0, **cells))) is wrong


@pytest.mark.parametrize(("day", "wrong"), [(date(2025, 10, 20), True), (date(2026, 1, 15), False)])
def test_a_report_is_made_after_its_harvest(day: date, *, wrong: bool) -> None:
    assert ("report_before_harvest" in told(official_rows(), day)) is wrong


@pytest.mark.parametrize(
    ("since", "until", "wrong"),
    [
        ("2024-01-01", "2024-10-01", False),  # ended before the season began
        ("2024-01-01", "2024-10-02", True),
        ("2025-01-01", "2025-08-31", True),  # over before harvest, and of this crop year
        ("2025-10-21", "", True),
        ("2025-10-22", "", False),
    ],
)
def test_a_program_that_took_the_benefit_of_this_crop_contradicts_the_promise(
    since: str, until: str, *, wrong: bool
) -> None:
    rows = with_row(official_rows(), "enrolment", enrolment_id="X1", unit_id="N40", program="Carbon bank",
                    sells_benefit="yes", since=since, until=until)  # fmt: skip
    assert ("attestation_contradicted" in told(rows)) is wrong
