"""A problem is left out of a report only where its row is surely of another crop; its words decide nothing."""

from typing import Any

import pytest

from provender.report.document import build
from tests.practices.season import Rows, with_row
from tests.report.official import DAY, judged, official_rows, quantified


def with_other(unit: str, **cells: str) -> Rows:
    """Return the corn with another unit that grew sorghum, whose entry and pass bear these cells."""
    rows = with_row(official_rows(), "unit", unit_id=unit, name="Secret", acres="5", county_fips="20177")
    rows = with_row(rows, "harvest", harvest_id="O25", unit_id=unit, crop="sorghum", use="grain", ending="harvested",
                    first_day="2025-10-01", last_day="2025-10-01", bushels="9")  # fmt: skip
    return with_row(rows, "operation", **{"operation_id": "OX1", "unit_id": unit, "day": "2025-04-11",
                                          "operation": "Do all", **cells})  # fmt: skip


def codes(rows: Rows) -> list[tuple[str, str]]:
    assessment = judged(rows)
    report: dict[str, Any] = build(assessment, quantified(assessment), as_of=DAY)
    return [(one["code"], one["cause"]) for one in report["problems"]]


def new(rows: Rows, unit: str) -> list[tuple[str, str]]:
    before = codes(with_other(unit))
    return [one for one in codes(rows) if one not in before]


def test_a_count_in_the_words_is_not_the_field_of_that_name() -> None:
    """A field of another crop called 2 does not take away what "stands there 2 times" says of the corn."""
    rows = with_other("2")
    corn = next(row for row in rows["operation"] if row["unit_id"] == "N40")
    (found,) = new(with_row(rows, "operation", **{**corn, "day": "2025-04-19"}), "2")
    assert found[0] == "double_key"
    assert "stands there 2 times" in found[1]


def test_a_value_of_the_corn_is_told_though_it_is_called_like_another_field() -> None:
    rows = with_other("0.3")
    n40 = {"unit_id": "N40", "day": "2025-04-19", "operation": "Do all"}
    found = new(with_row(rows, "operation", operation_id="W1", depth_in="0.3", **n40), "0.3")
    assert "shallow_pass" in [code for code, _ in found]


@pytest.mark.parametrize("depth", ["0.3", "99"])
def test_what_is_wrong_with_a_row_of_another_crop_is_not_told(depth: str) -> None:
    assert new(with_other("OTHER7", depth_in=depth), "OTHER7") == []


def test_a_row_of_a_field_that_nobody_knows_is_told() -> None:
    rows = with_other("OTHER7")
    cells = {"operation_id": "W1", "unit_id": "N4O", "day": "2025-04-19", "operation": "Do all"}
    assert [code for code, _ in new(with_row(rows, "operation", **cells), "OTHER7")] == ["unknown_reference"]


def test_an_entry_that_stands_there_twice_may_have_been_of_this_crop() -> None:
    rows = with_other("OTHER7")
    twice = {**rows["harvest"][-1], "crop": "corn"}
    assert any(code == "double_key" for code, _ in new(with_row(rows, "harvest", **twice), "OTHER7"))


def test_a_fault_of_the_crop_before_on_the_same_field_is_told() -> None:
    rows = official_rows()
    at = next(row for row in rows["harvest"] if row["harvest_id"] == "H24")
    rest = {**rows, "harvest": [row for row in rows["harvest"] if row is not at]}
    told = codes({**rest, "harvest": [{**at, "bushels": "99999999999"}, *rest["harvest"]]})
    assert "out_of_bounds" in dict(told)
    assert "out_of_bounds" not in dict(codes(rows))
