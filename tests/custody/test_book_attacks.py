"""A trader whose book tells otherwise than the farm's or another seller's: told when they lie side by side."""

from dataclasses import replace
from datetime import date
from typing import Any, Final

import pytest

from provender.custody.documents.read import read_transfer
from provender.custody.events.reports import NoticeKind, ReportEvent
from provender.custody.model.lots import origin_id
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.discrepancies import Discrepancy, DiscrepancyKind
from provender.custody.reconcile.gathered import ReconcileInput
from provender.custody.store import MemoryStore
from tests.custody.papers import (
    ADA,
    DAY,
    buyer_book,
    elevator_book,
    gather_books,
    letter,
    owned,
    salted,
    take,
    told_of,
    vouched,
)
from tests.custody.test_attacks import LINE, SALE, own
from tests.custody.test_attacks import PAPER as LETTER
from tests.custody.world import BEN_SOY, CAST, Event, bought, ev, favourable, posted, report
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__, ADA=ADA, REPORT=salted())


def signed(bushels: int, version: int, day: date, digest: str) -> ReportEvent:
    about: dict[str, Any] = {"entity": "ada", "crop": "soybeans", "harvest_year": 2025, "ci": 500_000}
    return ReportEvent(id=f"v{version}", day=day, bushels=bushels, version=version, report=digest, **about)


def beside(*books: tuple[str, MemoryStore]) -> list[str]:
    """Return the kinds of what several parties' own books tell, but for what lies between them and is not here."""
    return [str(one.kind) for one in found_in(*books)]


def found_in(*books: tuple[str, MemoryStore]) -> list[Discrepancy]:
    return told_of(gather_books(*books))


SIGNED: Final = bought("p1", "ada", "coop", ADA, "4000", day="2026-01-10", site="north")[0]


def farm(*more: Event) -> MemoryStore:
    return posted(MemoryStore("ada"), [*CAST, salted(), *more])


def test_a_farms_own_book_is_held_against_its_buyers() -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    sellers = ("coop", own())
    assert beside(("ada", farm(SIGNED)), sellers, ("crush", buyer)) == []


@ROWS
def test_a_farms_own_book_that_says_otherwise_than_its_buyers_is_told(mine: list[Event], kind: str) -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    assert kind in beside(("ada", farm(*mine)), ("coop", own()), ("crush", buyer))


@ROWS
def test_who_sold_before_a_report_got_worse_is_not_told_of(later: list[Event]) -> None:
    assert "origin_differs" not in beside(("ada", farm(SIGNED, *later)), ("coop", own()))


LATE: Final = ev("entity", "ben", "2026-03-01", entity="ben", name="Ben", roles=["farm"])
"""Something of a later day: what stands behind it in a book was entered on that day at the earliest."""


@ROWS
def test_what_was_sold_before_an_earlier_change_was_entered_is_in_good_faith(change: Event, words: str) -> None:
    books = ("coop", own())
    (told,) = [one for one in found_in(("ada", farm(SIGNED, LATE, change)), books) if one.kind != "shortfall_differs"]
    borne = 1_500_500 if "fewer" in words else 2_500_500
    assert (told.kind, told.bushels) == (DiscrepancyKind.CHANGED_LATER, borne)
    assert words in told.said
    assert "ada.jsonl has that behind entries of 2026-03-01, so it was in good faith" in told.said
    # One that was entered on the last day before the sale is held against it, and so is one that a second book had.
    early = {**LATE, "day": "2026-01-31"}
    assert "origin_differs" in beside(("ada", farm(SIGNED, early, change)), books)
    assert "changed_later" not in beside(("ada", farm(SIGNED, early, change)), books)


def test_a_closing_for_a_coming_day_makes_no_later_entry_good_faith() -> None:
    ahead = ev("close_site", "x", "2026-05-01", entity="coop", site="south", ahead=True)
    rest = ev("suspend", "w", "2026-01-20", origin=ADA, reason="x")
    other = posted(MemoryStore("coop"), [*CAST, salted(), ahead, rest])
    assert "origin_differs" in beside(("coop", other), ("coop", own()))


def test_of_two_books_with_one_change_the_one_that_had_it_in_time_counts() -> None:
    rest = ev("suspend", "w", "2026-01-20", origin=ADA, reason="x")
    late, early = farm(SIGNED, LATE, rest), farm(SIGNED, rest)
    for pair in ((late, early), (early, late)):
        kinds = beside(*(("ada", one) for one in pair), ("coop", own()))
        assert "origin_differs" in kinds
        assert "changed_later" not in kinds


@ROWS
def test_a_second_change_of_one_day_entered_late_makes_no_good_faith_of_a_timely(timely: Event, late: Event) -> None:
    (told,) = [one for one in found_in(("ada", farm(SIGNED, timely, LATE, late)), ("coop", own()))
               if one.kind == "origin_differs"]  # fmt: skip
    assert told.bushels == 2_500_500


REST: Final = ev("suspend", "w", "2026-01-12", origin=ADA, reason="x")
AGAIN: Final = ev("reinstate", "w2", "2026-01-14", origin=ADA, reason="x")
WORSE: Final = {**salted(), "id": "v2", "version": 2, "ci": "5500", "day": "2026-01-15"}


@pytest.mark.parametrize(
    ("both", "second"),
    [
        ([REST, AGAIN], ev("suspend", "w3", "2026-01-20", origin=ADA, reason="y")),
        ([WORSE], {**salted(), "id": "v3", "version": 3, "ci": "7000", "day": "2026-01-20"}),
    ],
    ids=["suspended once more", "still worse"],
)
def test_a_second_change_of_a_kind_that_the_sellers_book_has_once_is_told(both: list[Event], second: Event) -> None:
    seller = ("coop", owned("coop", elevator_book(*both)))
    assert "origin_differs" not in beside(("ada", farm(SIGNED, *both)), seller)
    told = [one for one in found_in(("ada", farm(SIGNED, *both, second)), seller) if one.kind == "origin_differs"]
    assert [one.bushels for one in told] == [2_500_500]


@pytest.mark.parametrize(
    ("heard", "kinds"),
    [
        ([("suspended", 30)], []),
        ([("suspended", 13), ("suspended", 20), ("suspended", 30)], []),
        ([("suspended", 13), ("reinstated", 15), ("suspended", 30)], ["origin_differs"]),
    ],
    ids=["late of the one change", "from several of the one change", "of the next one"],
)
def test_a_late_notice_is_of_the_change_that_the_seller_has(heard: list[tuple[str, int]], kinds: list[str]) -> None:
    book = owned("coop", elevator_book(REST, AGAIN))
    gathered = gather_books(("coop", book), ("ada", farm(SIGNED, REST, AGAIN)))
    for kind, number in heard:
        day = date(2026, 1, number)
        gathered.changes.append((1, ADA, day, day, NoticeKind(kind), 0, ((0, 4_000_000),)))
    gathered.changes = [one for one in gathered.changes if one[0] == 0 or one[-1]]
    assert [str(one.kind) for one in told_of(gathered) if one.kind == "origin_differs"] == kinds


def of_two_sellers(coop: Event, mill: Event) -> list[str]:
    """Return what is told of sales to one buyer by two parties that each keep a book of their own."""
    ben = {**report("ben", "soybeans", "10000", "5000"), "salt": "another salt of sixteen bytes"}
    grown = origin_id("ben", "soybeans", 2025, "another salt of sixteen bytes")
    buy = bought("pm", "ben", "mill", grown, "400", day="2026-01-12", site="mill")
    sale = {**SALE, "id": "m1", "giver": "mill", "taker": "crush", "site": "mill", **mill}
    other = posted(MemoryStore(), [*CAST, ben, *buy, sale])
    mine = own({**SALE, "id": "s8", "taker": "crush", "site": "north", **coop})
    return beside(("coop", mine), ("mill", owned("mill", other)))


D_1: Final = {"number": "D-1", "bushels": "10"}


def test_one_ticket_behind_the_sales_of_two_sellers_is_told_unless_scales_printed_it_twice() -> None:
    assert "same_ticket" in of_two_sellers({"tickets": [D_1]}, {"tickets": [D_1]})
    assert "same_ticket" not in of_two_sellers({"tickets": [{**D_1, "number": "D-2"}]}, {"tickets": [D_1]})
    later = {"destination": [{**D_1, "day": "2026-02-04"}]}
    assert "same_ticket" in of_two_sellers({"destination": [D_1]}, later)
    the_day_before = {"tickets": [{**D_1, "day": "2026-02-04"}]}
    assert "same_ticket" not in of_two_sellers({"tickets": [D_1]}, the_day_before)


def test_a_report_with_fewer_bushels_that_the_sellers_book_lacks_is_told_without_blame_by_the_report_alone() -> None:
    gathered, later = (gather_books(("coop", own())) for _ in range(2))
    fewer = signed(8_000_000, 2, date(2026, 1, 20), "")
    gathered.add_report("report.json", fewer, ADA)
    (found,) = told_of(gathered)
    assert (found.kind, found.bushels) == (DiscrepancyKind.SHORTFALL_DIFFERS, 2_000_000)
    assert "coop.jsonl does not have that and report.json has" in found.said
    later.add_report("report.json", replace(fewer, day=date(2026, 2, 1)), ADA)
    assert told_of(later) == []


def test_what_a_refiner_retired_after_a_report_was_withdrawn_is_told_and_a_notice_about_other_serials_is_not() -> None:
    paper = ev("document", "d", "2026-01-15", giver="coop", taker="fuel", number="s7",
               lines=[{**LINE, "bushels": "100"}])  # fmt: skip
    burned = ev("retire", "r", "2026-02-05", entity="fuel", crop="soybeans", bushels="100", fuel="biodiesel", batch="B")
    taken = ev("accept", "a", "2026-01-16", taker="fuel", movement="d", site="works")
    fuel = posted(MemoryStore(), [*CAST, favourable("coop", "soybeans"), paper, taken, burned])
    owned("fuel", fuel)
    gone = ev("withdraw", "w", "2026-01-20", origin=ADA, reason="x")
    assert beside(("fuel", fuel)) == []
    assert "origin_differs" in beside(("fuel", fuel), ("ada", farm(gone)))
    lines = [{**LINE, "start": "100", "bushels": "9"}]
    to_other = {**paper, "id": "d2", "taker": "mill", "number": "s8", "lines": lines}
    told = ev("notice", "n", "2026-01-20", giver="coop", taker="mill", number="1", origin=ADA, reason="withdrawn",
              spans=[["100", "109"]])  # fmt: skip
    other = owned("mill", posted(MemoryStore(), [*CAST, to_other, told]))
    assert beside(("fuel", fuel), ("mill", other)) == []


def test_serials_that_no_version_of_a_report_gave_are_told() -> None:
    def told(*bushels: int) -> list[str]:
        buyer = posted(buyer_book(), [{**LETTER, "lines": [{**LINE, "start": "10000", "bushels": "1"}]}])
        gathered = gather_books(("crush", buyer))
        for number, amount in enumerate(bushels, 1):
            gathered.add_report(f"v{number}.json", signed(amount * 1000, number, DAY, f"{number}"), ADA)
        return [str(one.kind) for one in told_of(gathered) if "the versions of its report" in one.said]

    assert told(10_000) == ["broken_chain"]
    assert told(10_001) == []
    assert told(10_000, 9_000, 9_001) == []  # what a version adds has serials after the last
    assert told(10_000, 9_000, 9_000) == ["broken_chain"]


def test_a_report_whose_paper_is_not_here_is_asked_for_once_and_one_that_was_typed_in_is_told_as_that() -> None:
    ghost = bought("pg", "ben", "coop", BEN_SOY, "500", day="2026-01-12", site="north")
    made_up = own(report("ben", "soybeans", "8000", "5000"), *ghost)
    gathered = gather_books(("coop", made_up))
    gathered.add_book("again.jsonl", made_up, made_up.events(), "coop")
    (once,) = [one for one in reconcile(gathered) if one.kind is not DiscrepancyKind.TYPED_ENTRY]
    said = "Nothing here is shown to be signed: ask for the reports of ada."
    assert (once.kind, once.bushels, once.said) == (DiscrepancyKind.LINK_NOT_SHOWN, 0, said)
    gathered = gather_books(("coop", made_up))
    gathered.add_report("ada.json", signed(10_000_000, 1, DAY, "d"), ADA, "a key")
    assert [one.kind for one in reconcile(gathered)] == [DiscrepancyKind.TYPED_ENTRY] * 2


def test_a_seller_that_took_an_accepted_sale_back_and_sold_again_is_told_by_its_first_paper_alone() -> None:
    seller = own(ev("correct", "c", "2026-02-03", entity="coop", movement="s1", reason="typed twice"))
    paper, _ = read_transfer(letter(elevator_book())["document"], "first.json")
    posted(seller, [vouched(), {**SALE, "id": "again", "bushels": "4000"}])
    gathered = gather_books(("coop", seller))
    assert paper is not None
    gathered.add_transfer("first.json", paper)
    (one,) = told_of(gathered)
    assert (one.kind, one.bushels) == (DiscrepancyKind.MISSING_COUNTERPART, 2_500_500)


def test_origins_that_differ_in_letter_case_are_one() -> None:
    """A blinded id is read in one spelling; of a name in the open the books are told to differ in case alone."""
    lines = [{**LINE, "origin": ADA.upper()}]
    (event,) = posted(MemoryStore(), [*CAST, {**LETTER, "lines": lines}]).events()[-1:]
    assert event.event.lines[0].origin == ADA  # type: ignore[attr-defined]
    paper: Any = letter(elevator_book())["document"]
    read, _ = read_transfer(
        {**paper, "lines": [{**one, "origin": one["origin"].upper()} for one in paper["lines"]]}, "x"
    )
    assert read is not None
    assert read.lines[0].origin == ADA
    gathered = ReconcileInput()
    for seller, origin in (("coop", "ada/soybeans/2025"), ("mill", "Ada/Soybeans/2025")):
        one = {**LETTER, "giver": seller, "lines": [{**LINE, "origin": origin}]}
        store = posted(MemoryStore("crush"), [*CAST, one])
        gathered.add_book(f"{seller}.jsonl", store, store.events(), "crush")
    assert any("differ in letter case and are one" in one.said for one in told_of(gathered))
