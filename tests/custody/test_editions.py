"""What a book of the fourth edition took in stands when it is read again; the same is refused where it is new."""

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.editions import FOURTH, NOW
from provender.custody.model.origins import Slip
from tests.custody.events.test_site import CLOSED, EMPTIED, OPEN_AGAIN, RATE, RUN, SHUT
from tests.custody.queries.test_own_books import HOUSES, buys
from tests.custody.queries.test_papers_against_the_book import RESOLD, STRAIGHT, both
from tests.custody.queries.test_papers_between_others import CAME, SLIP
from tests.custody.world import Event, entity, ev, periods, posted, status

BATCH = ev("convert", "b1", "2026-01-12", entity="coop", site="south", made_of="soybeans", output="soybean_oil",
           campaign="C", number="1", start_day="2026-01-10", put_in="5", made="50")  # fmt: skip
IN_A_BOOK_OF_ALL = [*HOUSES, *periods("mill"), *CAME, *buys("mill", 0, 1000)]
PAPERS: dict[str, tuple[list[Event], Event]] = {
    "what this house bought of the farm that day": ([*STRAIGHT, SLIP], both("e1", "2026-01-05")),
    "what this house bought of the farm later": ([*STRAIGHT, SLIP], both("e1", "2026-01-03")),
    "what this house sold since": ([*RESOLD, SLIP], both("e1", "2026-01-06")),
}
ASKED_SINCE: dict[str, tuple[str, list[Event], Event, str]] = {
    "plant figures dated on the closing": ("", CLOSED, RUN, "site_closed"),
    "plant figures dated after the closing": ("", CLOSED, {**RUN, "day": "2026-03-02"}, "site_closed"),
    "a yield that ends after the closing": ("", [*EMPTIED, SHUT], RATE, "site_closed"),
    "a closing that comes back while another is in force": (
        "", [*CLOSED, OPEN_AGAIN, {**SHUT, "id": "shut-2", "day": "2026-01-13"}],
        ev("correct", "redo", "2026-01-14", entity="coop", movement="again", reason="it stays closed"),
        "already_answered"),
    "a closing before a batch": ("", [*EMPTIED, RATE, BATCH], SHUT, "site_in_use"),
    "a slip over what a trader brought, in a book of all": ("", IN_A_BOOK_OF_ALL, SLIP, "not_held"),
} | {f"a paper over {what}": ("mill", [*HOUSES, *periods("mill"), *before], last, "broken_chain")
     for what, (before, last) in PAPERS.items()}  # fmt: skip


@pytest.mark.parametrize("what", ASKED_SINCE)
def test_what_a_book_of_the_fourth_edition_took_in_stands_and_is_asked_more_now(what: str) -> None:
    owner, before, last, answer = ASKED_SINCE[what]
    for edition, said in ((FOURTH, "posted"), (NOW, answer)):
        store = MemoryStore()
        store.owner, store.edition = owner, edition
        posted(store, before)
        assert (edition, status(store, last)) == (edition, said)


def test_the_final_yield_past_a_closing_and_a_slip_shown_late_stand_in_a_book_of_the_fourth_edition() -> None:
    store = MemoryStore()
    store.edition = FOURTH
    final = {**RATE, "id": "y2", "day": "2026-01-15", "basis": "final", "rate": "10.9"}
    posted(store, [*CLOSED, final, {**RUN, "day": "2026-02-01"}])
    houses = MemoryStore()
    houses.edition = FOURTH
    posted(houses, [*IN_A_BOOK_OF_ALL, SLIP])
    slip = houses.one(Slip, "s-east")
    assert slip is not None
    assert slip.open_spans == ((2_500_000, 3_000_000),)


@pytest.mark.parametrize("edition", [FOURTH, NOW])
def test_a_ticket_in_is_not_refused_for_the_site_that_one_of_a_like_id_did_not_name(edition: int) -> None:
    store = MemoryStore()
    store.edition = edition
    ticket = ev("shipment", "t/out", "2026-01-08", entity="mill", form="soybeans", amount="10", number="1")
    more = {**entity("mill", "first_point", "mill", "annex"), "id": "again"}
    posted(store, [*HOUSES, ticket, more, {**ticket, "type": "receipt", "id": "t/in", "site": "annex"}])
