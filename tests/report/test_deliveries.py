"""A delivery of the report is asked for once for each buyer of reduced-CI crop, and holds nothing up (2100.031(c))."""

from datetime import date

import pytest

from provender.problem import Weight
from provender.report.attestation import deliveries, delivery_notes
from provender.services.farm.due import due_records
from tests.standards.season import book_of, changed, clean_season

SOLD = {
    "farm_id": "F1", "sale_id": "S1", "crop": "corn", "harvest_year": "2025", "disposition": "sold_with_ci",
    "buyer": "Prairie Coop", "day": "2025-11-20", "bushels": "1000",
}  # fmt: skip
GIVEN = {"farm_id": "F1", "delivery_id": "D1", "sale_id": "S1", "day": "2026-01-12", "how": "by_post"}


def waits(sales: list[dict[str, str]], *given: dict[str, str]) -> list[str]:
    book = book_of({**clean_season(), "sale": sales, "report_delivery": list(given)})
    notes = list(delivery_notes(book))
    assert {one.weight for one in notes} <= {Weight.NOTE}
    due = [one.what for one in due_records(book, date(2026, 1, 1)) if one.cite == "2100.031(c)"]
    assert due == [one.remedy for one in notes]
    return [one.cause for one in notes]


def test_a_sale_asks_for_a_delivery_and_one_serves_all_sales_to_the_same_buyer() -> None:
    assert waits([]) == []
    assert waits([SOLD]) == ["No delivery of the report on corn 2025 to Prairie Coop is on file."]
    assert waits([SOLD], GIVEN) == []
    for other in ({"crop": "soybeans"}, {"harvest_year": "2026"}):
        assert len(waits([SOLD, {**SOLD, "sale_id": "S2", **other}], GIVEN)) == 1
    assert len(waits([SOLD], {**GIVEN, "sale_id": "S9"})) == 1
    again = {**SOLD, "sale_id": "S2", "day": "2025-12-01", "buyer": "prairie  coop"}
    other = {**SOLD, "sale_id": "S3", "buyer": "River Mill"}
    assert len(waits([SOLD, again, other])) == 2
    assert waits([SOLD, again, other], {**GIVEN, "sale_id": "S2"}) == [
        "No delivery of the report on corn 2025 to River Mill is on file."
    ]


@pytest.mark.parametrize("disposition", ["sold_without_claim", "fed", "in_storage"])
def test_who_buys_without_a_claim_needs_no_report(disposition: str) -> None:
    assert waits([{**SOLD, "disposition": disposition}]) == []


def test_the_first_delivery_is_the_one_shown_and_none_counts_before_the_harvest() -> None:
    later = {**GIVEN, "delivery_id": "D2", "day": "2026-03-01", "how": "in_person"}
    book = book_of({**clean_season(), "sale": [SOLD], "report_delivery": [later, GIVEN]})
    (found,) = deliveries(book)
    assert (found.given_on, found.how, found.sold_on) == (date(2026, 1, 12), "by_post", date(2025, 11, 20))
    late = changed(clean_season(), "harvest", 1, first_day="2025-12-20", last_day="2026-01-04")
    early = {**GIVEN, "day": "2025-12-10"}  # after the sale was agreed upon, before anything was cut
    book = book_of({**late, "sale": [SOLD], "report_delivery": [early]})
    assert [one.given_on for one in deliveries(book)] == [None]


@pytest.mark.parametrize(("day", "given"), [("2023-11-01", False), ("2025-10-19", False), ("2025-11-01", True)])
def test_a_delivery_before_the_harvest_gives_nothing_and_is_told(day: str, *, given: bool) -> None:
    found = waits([SOLD], {**GIVEN, "day": day})
    early = f"The delivery to Prairie Coop is dated {day}, before the corn of 2025 was harvested: "
    assert found == ([] if given else [early + "no report was there to be given."])
    assert waits([SOLD], {**GIVEN, "day": day}, {**GIVEN, "delivery_id": "D2"}) == []
