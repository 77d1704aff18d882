"""Which practices a CI rests on is said once: the page, the command line and the paper tell of one unit the same."""

from typing import Any

import pytest

from provender.cli.intensity import units_table
from provender.intensity.calculator import ARGONNE
from provender.report.print_view import view
from provender.services.farm.intensity import quantify_all
from provender.web.farm.pages.intensity import _table
from tests.practices.season import Rows, changed
from tests.report.official import judged, official_rows, quantified, report_of

RUNS: dict[str, tuple[Rows, str]] = {
    "entered as the records show": (official_rows(), "No-till"),
    "entered without the tillage": (changed(official_rows(), "calculator_run", tillage="conventional"), ""),
    "entered as the milder of two": (
        changed(official_rows(), "calculator_run", tillage="reduced_till"),
        "Reduced till",
    ),
    "without a CI": (changed(official_rows(), "calculator_run", ci_g_per_bu=""), "no CI yet"),
}


def on_page(rows: Rows, side: str) -> dict[str, str]:
    (one,) = quantify_all(judged(rows))
    return {str(row[0]): str(row[1]) for row in _texts(_table(one, side).rows)[:-1]}


def _texts(rows: Any) -> list[list[str]]:  # noqa: ANN401 - cells of either make
    return [[getattr(cell, "text", cell) for cell in row] for row in rows]


@pytest.mark.parametrize("case", RUNS)
def test_page_paper_and_command_line_say_the_same_of_each_unit(case: str) -> None:
    rows, tillage = RUNS[case]
    report = report_of(rows)
    paper = view(report, signed=False, refused=())["behind"]
    assert on_page(rows, "official") == paper
    assert {row[2]: row[4] for row in _texts(units_table(quantified(judged(rows))).rows)[:-1]} == paper
    said = paper["N40"]
    assert tillage in said
    assert ("No-till" in said, "Reduced till" in said) == (tillage == "No-till", tillage == "Reduced till")


def test_the_estimate_rests_on_the_stricter_of_two_exclusive_practices_on_page_and_paper() -> None:
    rows = official_rows()
    paper = view(report_of(rows, ARGONNE), signed=False, refused=())["behind"]
    assert on_page(rows, "estimate") == paper
    assert "No-till" in paper["N40"]
    assert "Reduced till" not in paper["N40"]
