"""What cannot be refuses an official signature in words: each case changes one thing of a report that can be signed."""

from datetime import date
from typing import Final

import pytest

from provender.report.signing import refusals
from tests.proof import changes as c
from tests.proof.world import reports_of
from tests.report.official import official_rows
from tests.standards.season import evidence


def sale(**cells: str) -> c.Change:
    """Sell the whole harvest as reduced-CI crop."""
    return c.sold(**{"day": "2025-12-01", "bushels": "9500"} | cells)


SALES: Final = {
    "an honest one": (sale(), set()),
    "beyond the harvest": (sale(bushels="9500.001"), {"sold_beyond_harvest"}),
    "to nobody": (sale(buyer=""), {"sale_without_buyer"}),
    "on no day": (sale(day=""), {"sale_without_day"}),
    "before the harvest": (sale(day="2025-10-16"), {"sale_before_harvest"}),
    "on its first day": (sale(day="2025-10-17"), set()),
    "fed": (sale(disposition="fed", buyer="", day=""), set()),
    "weighed too before the harvest": (
        c.both(sale(day="2025-10-16"), c.weighed(day="2025-10-16")), {"sale_before_harvest", "ticket_before_harvest"},
    ),
    "before the last day of a harvest whose first nobody stated": (
        c.both(sale(day="2025-10-16"), c.weighed(day="2025-10-16"), c.of("harvest", 3, first_day="")), set(),
    ),
}  # fmt: skip


def later(kind: str, **cells: str) -> c.Change:
    """Add a row whose paper is of a day after the report."""
    paper = c.more("evidence", **evidence("E99", "later.pdf", "ticket", "2026-03-01"))
    return c.both(paper, c.more(kind, crop="corn", bushels="1", evidence="E99", **cells))


def took(since: str, until: str) -> c.Change:
    """Enroll the unit in a program that takes the benefit."""
    return c.enrolled(sells_benefit="yes", since=since, until=until)


RUN, FARM, DEFAULT = "calculator_run", "farm", "national_default"
LIMITS: Final[dict[str, tuple[tuple[c.Change, ...], tuple[c.Change, ...]]]] = {
    "day_ahead": (
        (later("sale", sale_id="L2", harvest_year="2025", disposition="fed", day="2025-12-01"),
         later("bushel_total", total_id="B7", harvest_year="2025", what="fed")),
        (later("sale", sale_id="L2", harvest_year="2025", disposition="fed", day="2026-03-01"),
         later("bushel_total", total_id="B7", harvest_year="2026", what="fed")),
    ),
    # Half a percent to three times the default of 7,654.32; below zero soil may hold more than it gave.
    "ci_far_from_unit": (
        (*(c.of(RUN, ci_g_per_bu=ci) for ci in ("4.32", "38.27", "22962.97")),
         *(c.of(DEFAULT, ci_g_per_bu=ci) for ci in ("7.65", "499.99", "60000.01"))),
        (*(c.of(RUN, ci_g_per_bu=ci) for ci in ("38.28", "22962.96", "-4321")), c.of(DEFAULT, ci_g_per_bu="7654.32")),
    ),
    "yield_impossible": (
        (c.of("harvest", 1, bushels="26000.04"), c.of("nutrient_budget", yield_goal_bu_per_ac="650.001")),
        (c.of("harvest", 1, bushels="26000"), c.of("nutrient_budget", yield_goal_bu_per_ac="650")),
    ),
    "moisture_impossible": (
        tuple(c.of("harvest", 1, moisture_pct=pct) for pct in ("4.999", "40.001")),
        tuple(c.of("harvest", 1, moisture_pct=pct) for pct in ("5", "40", "")),
    ),
    "run_day_impossible": (  # before the harvest or after the report
        tuple(c.of(RUN, run_on=day) for day in ("2025-10-20", "2026-01-16")),
        tuple(c.of(RUN, run_on=day) for day in ("2025-10-21", "2026-01-15")),
    ),
    "county_contradicted": (
        (c.of(FARM, county="Riley"), c.of(FARM, state="IA"), c.of(FARM, county_fips="20999")),
        (c.of(FARM, county="Shawnee County"), c.of(FARM, county="")),
    ),
    "attestation_contradicted": (
        (took("2024-01-01", "2024-10-02"),
         took("2025-01-01", "2025-08-31"),  # over before harvest, and of this crop year
         took("2025-10-21", "")),
        (took("2024-01-01", "2024-10-01"),  # ended before the season began
         took("2025-10-22", "")),
    ),
}  # fmt: skip


BEYOND: Final = {
    f"{code} {at}, {'beyond' if wrong else 'on'} it": (one, code, wrong)
    for code, sides in LIMITS.items()
    for wrong, changes in zip((True, False), sides, strict=True)
    for at, one in enumerate(changes)
}
EARLY: Final = "made on the day before its harvest"
MADE: Final = "made after it"


@pytest.fixture(scope="module")
def told() -> dict[str, set[str]]:
    """Return by case the codes of the reasons against a signature: each is a farm of one book that is judged once."""
    changes = {name: one[0] for name, one in SALES.items()} | {name: one[0] for name, one in BEYOND.items()}
    base = official_rows()
    names = [*changes, EARLY, MADE]
    farms = {f"F{at}": changes[name](base) if name in changes else base for at, name in enumerate(names)}
    found = reports_of(farms, {f"F{names.index(EARLY)}": date(2025, 10, 20)})
    return {name: {one.code for one in refusals(found[f"F{at}"])} for at, name in enumerate(names)}


@pytest.mark.parametrize("name", SALES)
def test_sales_that_cannot_be(name: str, told: dict[str, set[str]]) -> None:
    assert told[name] == SALES[name][1]


@pytest.mark.parametrize("name", BEYOND)
def test_what_lies_beyond_its_limit_is_refused_and_what_lies_on_it_is_not(name: str, told: dict[str, set[str]]) -> None:
    _, code, wrong = BEYOND[name]
    assert (code in told[name]) is wrong


def test_a_report_is_made_after_its_harvest(told: dict[str, set[str]]) -> None:
    assert ["report_before_harvest" in told[name] for name in (EARLY, MADE)] == [True, False]
