"""The no-till promise of 2100.031(c)(3)(vi): per parcel, through history and verdicts (interpretation 14)."""

import re
from typing import Final

import pytest

from provender.intensity.quantify import quantify
from provender.report.attestation import Claim, parcels, promise_problems, statements
from provender.rule.crops import Crop
from tests.report.official import KNOWN, judged, official_rows
from tests.report.test_statements import CONTRADICTED, WORD, statement
from tests.standards.season import Rows, changed, with_row

LATER: Final = 4
"""By how many years the seasons are moved on, so that the rule has been in force for as long."""


def moved() -> Rows:
    """Return the rows of the farm as they would stand in 2029."""
    on = re.compile(r"\b(20\d\d)(?=-|$)")
    return {
        kind: [{name: on.sub(lambda year: str(int(year[1]) + LATER), text) for name, text in row.items()} for row in of]
        for kind, of in official_rows().items()
    }


def plowed(parcel: str, *history: tuple[int, str]) -> Rows:
    """S12 is plowed in 2029; its parcel has a history."""
    rows = changed(moved(), "unit", 1, parcel_id=parcel)
    for year, tillage in history:
        rows = with_row(rows, "tillage_history", parcel_id="L7", harvest_year=str(year), tillage=tillage)
    return rows


@pytest.mark.parametrize(
    ("written", "named"), [(None, ()), ("", ()), (" ; ", ()), ("L7", ("L7",)), ("L7; L8", ("L7", "L8"))]
)
def test_a_unit_names_the_parcels_it_lies_on(written: str | None, named: tuple[str, ...]) -> None:
    assert parcels(written) == named


CASES = [
    (((2025, "no_till"), (2026, "tilled")), ("2026, 2029",)),
    (((2025, "no_till"), (2028, "tilled")), ("2028, 2029",)),
    (((2025, "no_till"),), ()),
    (((2027, "no_till"), (2026, "tilled")), ()),
    (((2024, "no_till"), (2026, "tilled")), ()),
    (((2028, "tilled"),), ()),
    ((), ()),
]


@pytest.mark.parametrize(("history", "years"), CASES)
def test_a_second_tilled_year_in_five_is_told_when_one_of_them_is_the_books_own_verdict(
    history: tuple[tuple[int, str], ...], years: tuple[str, ...]
) -> None:
    found = promise_problems(judged(plowed("L7", *history)))
    assert len(found) == len(years)
    assert all(f"tilled in {year}:" in problem.cause for problem, year in zip(found, years, strict=True))


def test_a_parcel_keeps_its_promise_whatever_unit_takes_it_in_and_whatever_a_row_says() -> None:
    history = ((2025, "no_till"), (2028, "tilled"))
    assert promise_problems(judged(plowed("L6; L7", *history)))
    assert not promise_problems(judged(plowed("L6", *history)))
    assert not promise_problems(judged(plowed("", *history)))
    assert promise_problems(judged(plowed("L7", (2025, "no_till"), (2028, "tilled"), (2029, "no_till"))))
    rows = plowed("L7", (2025, "no_till"), (2028, "tilled"))
    rows["operation"] = [row for row in rows["operation"] if row["unit_id"] != "S12"]
    assert not promise_problems(judged(rows))


def test_the_attestation_is_contradicted_through_any_parcel_of_a_claimed_unit() -> None:
    rows = changed(moved(), "unit", 0, parcel_id="L6;L7")
    for year, tillage in ((2025, "no_till"), (2026, "tilled"), (2028, "tilled")):
        rows = with_row(rows, "tillage_history", parcel_id="L7", harvest_year=str(year), tillage=tillage)
    assessment = judged(rows)
    q = quantify(assessment, "F1", Crop.field_corn, 2025 + LATER, known=KNOWN)
    found = statements(Claim(assessment, q, "P1", assessment.of("F1", q.crop, q.harvest_year)[0].rule))[5]
    assert found.footing is CONTRADICTED
    assert "Parcel L7 was tilled in 2026, 2028." in found.why


def test_a_claimed_unit_without_a_parcel_is_named() -> None:
    footing, why = statement(official_rows(), "vi")
    assert footing == WORD
    assert "No parcel is named for N40" in why
    assert "No parcel" not in statement(changed(official_rows(), "unit", 0, parcel_id="L7"), "vi")[1]
