"""A signed report is reopened by what it rests on, and by nothing that was done for another crop year."""

from datetime import date, timedelta

import pytest

from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, farm_book_of, key_of
from provender.services.reports import drafts
from provender.services.reports.drafts import DraftState, ReportState, draft_of, standings_of
from tests.web.farm.test_signing import producer, registered
from tests.web.producer_keys import Producer

__all__ = ["producer", "registered"]

NEXT = {"harvest_id": "N40-2027", "unit_id": "N40", "crop": "soybeans", "ending": "not_yet"}
RYE = {
    "cover_id": "RYE", "unit_id": "N40", "harvest_id": "N40-2027", "seeded_on": "2026-10-20", "seeded_acres": "40",
    "method": "drilled",
}  # fmt: skip
SPECIES = {"cover_id": "RYE", "species": "Cereal Rye, Winter", "rate_lb_per_ac": "50"}
PASS = {"operation_id": "O1", "unit_id": "N40", "operation": "Sprayer, post emergence"}


@pytest.fixture
def signed(registered: Producer) -> Producer:
    assert registered.sign().status_code == 200
    return registered


def write(signed: Producer, *edits: Edit) -> None:
    change_book(signed.cast.book, list(edits), reason="typed", actor=signed.cast.actor("owner"))


def corn(signed: Producer) -> DraftState:
    (found,) = [one for one in standings_of(farm_book_of(signed.cast.farm)) if one.crop == "corn"]
    assert found.is_news == draft_of(farm_book_of(signed.cast.farm), "corn", 2025).is_news
    return found


def entry(**more: str) -> Edit:
    return Edit("harvest", "N40-2027", {**NEXT, **more})


def test_a_cover_and_the_crop_that_follows_it_reopen_no_report_of_an_earlier_year(signed: Producer) -> None:
    write(signed, entry(), Edit("cover_crop", "RYE", RYE))
    assert (corn(signed).state, corn(signed).reopened_by) == (ReportState.SIGNED, "")
    sown = key_of(KINDS["cover_species"], SPECIES)
    write(signed, Edit("cover_species", sown, SPECIES))
    assert corn(signed).state is ReportState.SIGNED
    write(signed, Edit("cover_crop", "RYE", {**RYE, "terminated_on": "2027-04-20"}))
    assert corn(signed).state is ReportState.SIGNED
    write(signed, Edit("planting", "P9", {"planting_id": "P9", "harvest_id": "N40-2027", "planted_on": "2027-05-01"}))
    assert corn(signed).state is ReportState.SIGNED
    write(signed, entry(ending="harvested", first_day="2027-10-01", last_day="2027-10-02", bushels="2000"))
    assert corn(signed).state is ReportState.SIGNED
    gone = ("planting", "P9"), ("cover_species", sown), ("cover_crop", "RYE"), ("harvest", "N40-2027")
    write(signed, *(Edit(kind, key, None) for kind, key in gone))
    assert corn(signed).state is ReportState.SIGNED


@pytest.mark.parametrize(
    ("day", "unit", "reopens"),
    [
        ("2024-10-02", "N40", True),  # the day on which the harvest before began, and the interval with it
        ("2025-04-20", "N40", True),
        ("2025-09-26", "N40", True),  # the last day of harvest
        ("2025-09-27", "N40", False),
        ("", "N40", True),  # of no known day: it may have been any
        ("2025-04-20", "B50", False),
    ],
)
def test_a_pass_reopens_the_report_of_the_interval_it_may_lie_in(
    signed: Producer, day: str, unit: str, reopens: bool
) -> None:
    write(signed, Edit("operation", "O1", {**PASS, "unit_id": unit, "day": day}))
    assert corn(signed).is_news is reopens
    write(signed, Edit("operation", "O1", None))
    assert not corn(signed).is_news, "what was added and removed again leaves the records as they were signed"


def test_a_pass_corrected_into_the_interval_and_one_removed_from_it_reopen_the_report(signed: Producer) -> None:
    write(signed, Edit("operation", "O1", {**PASS, "day": "2026-04-20"}))
    assert not corn(signed).is_news
    write(signed, Edit("operation", "O1", {**PASS, "day": "2025-04-20"}))
    assert corn(signed).reopened_by.endswith("Added to Field operations: O1.")
    write(signed, Edit("operation", "O1", None))
    write(signed, Edit("operation", "N40-06", None))
    assert corn(signed).reopened_by.endswith("Removed from Field operations: N40-06.")


def test_an_entry_that_turns_out_to_end_in_the_interval_reopens_the_report(signed: Producer) -> None:
    write(signed, entry())
    assert not corn(signed).is_news
    write(signed, entry(ending="terminated", first_day="2025-05-01", last_day="2025-05-01"))
    assert corn(signed).is_news


def test_seed_that_came_later_reopens_no_report(signed: Producer, monkeypatch: pytest.MonkeyPatch) -> None:
    seed = {"purchase_id": "S9", "species": "Cereal Rye, Winter", "pounds": "2000", "supplier": "Co-op"}
    day = date.fromisoformat(draft_of(farm_book_of(signed.cast.farm), "corn", 2025).document["made_on"])
    later = day + timedelta(days=300)
    monkeypatch.setattr(drafts, "today", lambda: later)
    for days, reopens in ((0, True), (1, False), (200, False)):
        received = (day + timedelta(days=days)).isoformat()
        write(signed, Edit("seed_purchase", "S9", {**seed, "received_on": received}))
        assert corn(signed).is_news is reopens, received


def test_a_row_of_no_report_that_moves_a_verdict_of_one_reopens_it(signed: Producer) -> None:
    """Seed is weighed over the whole farm: what is sown on another field on an early day is missing on this one."""
    cover = {**RYE, "unit_id": "B50", "harvest_id": "B50-2025", "seeded_on": "2024-10-01", "seeded_acres": "50"}
    sown = {**SPECIES, "rate_lb_per_ac": "900"}
    write(signed, Edit("cover_crop", "RYE", cover), Edit("cover_species", key_of(KINDS["cover_species"], sown), sown))
    assert corn(signed).is_news
    assert corn(signed).reopened_by == "The records say something else by now."
