"""Ways to outwit a book: refused, put in dispute, or told when books lie side by side. Plain faults: ``ladders``."""

import json
from datetime import date
from typing import Final

import pytest

from provender.custody.documents.build import period_document
from provender.custody.events.farm_trade import PurchaseEvent
from provender.custody.events.registry import post, read_event
from provender.custody.events.trade import SaleEvent
from provender.custody.model.entities import Entity
from provender.custody.model.event import Status
from provender.custody.model.grain import GrainEntry, grain_key, loads_of
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import Decision
from provender.custody.queries.alerts import AlertKind
from provender.custody.queries.deliveries import append_contract_warning
from provender.custody.queries.trace import retired_into
from provender.custody.reconcile.comparison import compared
from provender.custody.store import MemoryStore, run_lines
from tests.custody.model.test_event import HOSTILE
from tests.custody.papers import (
    ADA,
    DAY,
    buyer_book,
    elevator_book,
    gather_books,
    key_of,
    letter,
    owned,
    salted,
    take,
    told_of,
)
from tests.custody.world import (
    BEN_SOY,
    CAST,
    Event,
    alerted,
    bought,
    ev,
    favourable,
    posted,
    report,
    run,
    serials,
    status,
)
from tests.rows import CaseRows

SECOND: Final = bought("p2", "ada", "coop", ADA, "10", day="2026-01-12", site="north")

ROWS: Final = CaseRows(
    __file__,
    ADA=ADA,
    SLIP=SECOND[0],
    BOUGHT=SECOND[1],
    REPORT=salted(),
    COOPS_KEY=key_of("coop").fingerprint,
    ADAS_KEY=key_of("ada").fingerprint,
)
LINE: Final = ROWS.named["LINE"]
PAPER: Final = ROWS.named["PAPER"]
SALE: Final = ROWS.named["SALE"]
SHUT: Final = ROWS.named["SHUT"]
GRAIN: Final = ROWS.named["GRAIN"]

DEAL: Final = ROWS.named["DEAL"]


def own(*more: Event) -> MemoryStore:
    return posted(owned("coop", elevator_book()), more)


WEIGHED: Final = ROWS.named["WEIGHED"]


@ROWS
def test_an_attack_within_one_book_is_refused(before: list[Event], attack: Event, answer: str) -> None:
    assert status(own(*before), attack) == answer


HIDDEN: Final = [text for text in HOSTILE if text.strip() not in ("", "a", "a\u0301")]


def test_text_that_hides_something_enters_no_field() -> None:
    fields = [*(("number", text) for text in HIDDEN), ("id", HIDDEN[0]), ("taker", HIDDEN[0])]
    lines = [json.dumps({**PAPER, field: text}) for field, text in fields]
    answers = [one.status for one in run_lines(buyer_book(), lines)]
    assert len(answers) == len(lines)
    assert set(answers) <= {Status.FIELD_UNREADABLE, Status.LINE_UNREADABLE}


def told(seller: MemoryStore, buyer: MemoryStore) -> set[str]:
    return {str(one.kind) for one in told_of(gather_books(("coop", seller), ("crush", buyer)))}


@ROWS
def test_a_leg_that_the_other_book_tells_otherwise_is_told(papers: list[Event], kind: str) -> None:
    buyer = buyer_book()
    posted(buyer, papers)
    assert kind in told(elevator_book(), buyer)


def test_books_that_agree_tell_nothing() -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    assert told(elevator_book(), buyer) == told(own(), buyer) == set()


@pytest.mark.parametrize(("agreed", "beyond"), [("10.001", ""), ("10", ""), ("9.999", "0.001 bu")])
@pytest.mark.parametrize(
    ("before", "trade", "role", "partner"),
    [([], SALE, "recipient", "mill"), (SECOND[:1], SECOND[1], "supplier", "ada")],
)
def test_a_trade_beyond_its_contract_says_so(
    before: list[Event], trade: Event, role: str, partner: str, agreed: str, beyond: str
) -> None:
    deal = {name: value for name, value in DEAL.items() if name != "ci_max"}
    deal |= {"counterparty": partner, "role": role, "amount": agreed}
    store = own(deal, *before, {**trade, "contract": "K7"})
    entered = read_event({**trade, "contract": "K7"})
    assert isinstance(entered, SaleEvent | PurchaseEvent)
    answer = append_contract_warning(store, entered, Decision(Status.POSTED, "Done."))
    assert dict(answer.details).get("beyond_contract", "") == beyond
    assert ("more than contract K7 asks for" in answer.message) is bool(beyond)


def test_a_batch_of_fuel_is_traced_to_what_was_retired_into_it() -> None:
    paper = {**PAPER, "taker": "fuel", "number": "s7", "lines": [{**LINE, "bushels": "100"}]}
    burn = ev("retire", "r", "2026-02-05", entity="fuel", crop="soybeans", bushels="60", fuel="biodiesel", batch="B-1")
    other = {**burn, "id": "r2", "bushels": "10", "batch": "B-2"}
    undone = {**burn, "id": "r3", "bushels": "20"}
    store = MemoryStore()
    posted(store, [*CAST, favourable("coop", "soybeans"), paper,
                   ev("accept", "a", "2026-02-02", taker="fuel", movement="d", site="works"), burn, other, undone,
                   ev("correct", "c", "2026-02-06", entity="fuel", movement="r3", reason="x")])  # fmt: skip
    assert [lot.crop_amount for lot in retired_into(store, "fuel", " B-1 ")] == [60_000]
    assert retired_into(store, "fuel", "B-3") == []


@ROWS
def test_grain_that_is_entered_behind_the_close_of_its_day_is_told_with_the_statement_beside(
    after: list[Event], before: list[Event], is_told: bool
) -> None:
    store = own(GRAIN, *before, SHUT, *after)
    gathered = gather_books(("coop", store))
    assert "late_ticket" not in {str(one.kind) for one in told_of(gathered)}
    gathered.add_paper("q1.json", period_document(store, "coop", date(2026, 1, 1)))
    assert ("late_ticket" in {str(one.kind) for one in told_of(gathered)}) is is_told


@pytest.mark.parametrize("number", ["opening", "share", "back of s1", "s1 at 1", "opening/1"])
def test_a_number_is_a_number_like_any_other(number: str) -> None:
    seller = own({**SALE, "id": number, "taker": "crush"})
    buyer = buyer_book()
    for movement in ("s1", number):
        take(buyer, letter(seller, movement))
    assert told(seller, buyer) == set()


def test_a_document_numbered_opening_is_no_opening_stock() -> None:
    stock = ev("opening", "o", "2025-12-31", entity="coop", site="north", crop="soybeans", harvest_year=2025, ci="4000",
               bushels="10", number="1", evidence="bins")  # fmt: skip
    paper = {**PAPER, "id": "d9", "number": "opening", "lines": [{**LINE, "origin": "", "bushels": "5"}]}
    for events in ([stock, paper], [paper, stock]):
        assert {one.status for one in run(own(), events)} == {Status.POSTED}


@pytest.mark.parametrize(("sold_on", "found"), [("2026-02-04", set()), ("2026-02-20", {"origin_differs"})])
def test_a_notice_of_a_worse_one_counts_from_its_day_on(sold_on: str, found: set[str]) -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    gathered = gather_books(("crush", buyer))
    ((_, leg),) = next(iter(gathered.legs.values())).items()
    spans = tuple((part.start, part.stop) for part in leg.parts)
    gathered.noticed.append((leg.parts[0].origin, 600_000, date(2026, 2, 10), spans))
    gathered.legs["crush", "mill", "s9"][0] = leg._replace(day=date.fromisoformat(sold_on))
    assert {str(one.kind) for one in compared(gathered)} == found


@ROWS
def test_what_only_the_sellers_book_has_back_is_told(act: Event) -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    assert "missing_counterpart" in told(own(act), buyer)


def test_a_sale_that_stands_again_without_its_ticket_says_where_that_is() -> None:
    truck = {"site": "north", "tickets": [{"number": "O-1", "bushels": "10"}]}
    store = own({**SALE, "id": "one", **truck},
                ev("correct", "c", "2026-02-06", entity="coop", movement="one", reason="x"),
                {**SALE, "id": "two", "day": "2026-02-07", **truck, "lots": [serials(ADA, 3000, 3010)], "bushels": "0",
                 "tickets": [{"number": "O-1", "bushels": "10", "day": "2026-02-05"}]})  # fmt: skip
    again = post(store, read_event(ev("correct", "c2", "2026-02-08", entity="coop", movement="c", reason="y")))
    assert again.status is Status.POSTED
    assert "one stands again without all its tickets: O-1 of north stands behind two." in again.message
    whole = own({**SALE, "id": "one", **truck},
                ev("correct", "c", "2026-02-06", entity="coop", movement="one", reason="x"))  # fmt: skip
    quiet = post(whole, read_event(ev("correct", "c2", "2026-02-08", entity="coop", movement="c", reason="y")))
    assert "ticket" not in quiet.message


@pytest.mark.parametrize("other", ["c\u043eop", "Coop", "\uff43oop", "c-oop", "c0op"])
def test_a_party_whose_name_looks_like_anothers_is_told(other: str) -> None:
    buyer = buyer_book(ev("entity", "e", "2025-11-01", entity=other, name="Coop", roles=["first_point"]))
    assert "look_alike" in told(own(), buyer)


def test_one_ticket_at_two_sites_and_tickets_that_look_alike_are_told() -> None:
    again = ev("purchase", "p2", "2026-01-12", giver="ada", taker="coop", slip="slip-p2", site="south",
               tickets=[{"number": "t-P1", "bushels": "4000", "day": "2026-01-10"}])  # fmt: skip
    slip = bought("p2", "ada", "coop", ADA, "4000", day="2026-01-12", site="south")[0]
    assert "same_ticket" in told(own(slip, again), buyer_book())
    assert "look_alike" in told(own(slip, {**again, "site": "north"}), buyer_book())


def test_one_report_under_two_farms_is_told() -> None:
    same = {"report": "ab" * 32}
    two = MemoryStore()
    posted(two, [*CAST, {**report("ada", "soybeans", "10000", "5000"), **same},
                 {**report("ben", "soybeans", "10000", "5000"), **same}])  # fmt: skip
    assert BEN_SOY != ADA
    assert "second_origin" in told(two, buyer_book())
    assert "second_origin" in told(own({**report("ben", "corn", "10000", "5000"), "report": "AB" * 32}), two)


def at_destination(*weighed: Event, **ticket: str) -> set[str]:
    """Return what is told of a sale that names a ticket of the buyer's scale, beside the buyer's own book."""
    seller = own({**SALE, "id": "s8", "taker": "crush", "destination": [{"number": "77", "bushels": "10", **ticket}]})
    buyer = buyer_book(*weighed)
    for movement in ("s1", "s8"):
        take(buyer, letter(seller, movement))
    return told(seller, buyer)


@ROWS
def test_a_ticket_at_the_destination_is_held_against_the_buyers_book(
    weighed: list[Event], ticket: dict[str, str], found: list[str]
) -> None:
    assert at_destination(*weighed, **ticket) == set(found)


def test_a_ticket_of_another_owner_behind_a_purchase_is_told_by_reconcile_too() -> None:
    bens = {**WEIGHED, "name": "Ben Farms"}
    used = {**SECOND[1], "tickets": [{"number": "1001", "bushels": "10", "day": "2026-01-11"}]}
    assert "same_ticket" in told(own(bens, SECOND[0], used), buyer_book())
    assert "same_ticket" not in told(own({**bens, "name": "Ada Farms"}, SECOND[0], used), buyer_book())


LOAD: Final = {**WEIGHED, "name": "Ada"}


@ROWS
def test_one_load_at_two_sites_of_a_party_is_told(other: Event, is_told: bool) -> None:
    seller = own(LOAD, {**LOAD, **other})
    assert ("same_ticket" in told(seller, buyer_book())) is is_told
    assert (AlertKind.ONE_LOAD_TWICE in alerted(seller, DAY)) is is_told


def test_of_a_ticket_like_no_other_at_its_house_no_claim_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a database each claim is a message, and the alerts look at every ticket of a party."""
    used = {**SECOND[1], "tickets": [{"number": "1001", "bushels": "10", "day": "2026-01-11"}]}
    seller = own({**WEIGHED, "name": ""}, SECOND[0], used)
    coop = seller.one(Entity, "coop")
    assert coop
    asked = list[str]()
    monkeypatch.setattr(MemoryStore, "posted", lambda _store, name: asked.append(name))
    claims = [one.claim for one in loads_of(seller, coop, alone=True)]
    assert used["id"] in claims
    assert asked == []
    assert [one.claim for one in loads_of(seller, coop)] == claims
    assert used["id"] in asked


@ROWS
def test_one_load_at_two_elevators_is_told_by_reconcile(other: Event, is_told: bool) -> None:
    there = buyer_book({**LOAD, "entity": "crush", "site": "plant", **other})
    take(there, letter(elevator_book()))
    assert ("same_ticket" in told(own(LOAD), there)) is is_told


@pytest.mark.parametrize(("day", "answer"), [("2026-01-11", "posted"), ("2026-01-12", "posted"),
                                             ("2026-01-13", "ticket_differs")])  # fmt: skip
def test_a_purchase_finds_the_ticket_that_was_imported_with_its_day_and_spelling(day: str, answer: str) -> None:
    store = own({**WEIGHED, "day": day}, SECOND[0])
    assert status(store, {**SECOND[1], "tickets": [{"number": "#01001", "bushels": "10"}]}) == answer
    held = store.one(GrainEntry, grain_key("coop", "north", "1001"))
    assert held
    assert (held.number, held.day.isoformat(), held.claim) == ("1001", day, "p2" if answer == "posted" else "")


def test_a_ticket_of_a_part_beside_the_whole_is_said() -> None:
    for first, second in (("1001", "1001 A"), ("1001 A", "1001"), ("1001", "1001-b")):
        store = own({**WEIGHED, "number": first})
        answer = post(store, read_event({**WEIGHED, "id": "w2", "number": second}))
        assert answer.status is Status.POSTED
        assert f"Ticket {first} stands there too" in answer.message
    parts = own({**WEIGHED, "number": "1001 A"})
    answer = post(parts, read_event({**WEIGHED, "id": "w2", "number": "1001 B"}))
    assert "stands there too" not in answer.message


@ROWS
def test_what_stands_for_two_or_is_told_in_two_ways_is_told(mine: list[Event], theirs: list[Event], kind: str) -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    posted(buyer, theirs)
    assert kind in told(own(*mine), buyer), "test_books_that_agree_tell_nothing shows that nothing is told before"


@ROWS
def test_what_is_honest_of_names_keys_and_statements_is_not_told(mine: list[Event], theirs: list[Event]) -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    posted(buyer, theirs)
    assert not told(own(*mine), buyer) & {"one_for_two", "statements_differ", "late_ticket"}


def test_the_sale_of_which_the_attacks_are_changes_stands() -> None:
    assert post(own(), read_event(SALE)).status is Status.POSTED


# A trader who plays with returns, refusals, closings and papers out of order: refused, in dispute or told.

TAKEN: Final = ROWS.named["TAKEN"]
BACK: Final = ROWS.named["BACK"]
AGAIN: Final = ROWS.named["AGAIN"]
HOME: Final = ROWS.named["HOME"]
SHUT_BY_TRADER: Final = ROWS.named["SHUT_BY_TRADER"]
REST: Final = ROWS.named["REST"]


def undo(movement: str, by: str, day: str = "2026-02-07") -> Event:
    return ev("correct", f"c-{movement}", day, entity=by, movement=movement, reason="x")


def shared(*more: Event) -> MemoryStore:
    store = elevator_book(favourable("coop", "soybeans"))
    posted(store, more)
    return store


@ROWS
def test_what_a_hostile_trader_tries_is_refused(before: list[Event], attack: Event, answer: str) -> None:
    assert status(shared(*before), attack) == answer


def test_a_return_taken_back_after_the_farm_signed_it_anew_is_in_dispute() -> None:
    anew = ev("slip", "sl", "2026-02-06", giver="ada", taker="mill", origin=ADA, bushels="6500")
    store = shared(HOME, anew, undo("h", "coop"))
    assert "in_dispute" in told(store, buyer_book())
    spent = ev("sale", "s3", "2026-02-08", giver="coop", taker="mill", crop="soybeans", bushels="1500")
    assert status(store, spent) == "exceeds_stock"
    [lot] = [lot for lot in store.lots_at(ADA, 0, 10_000_000) if lot.state is LotState.DISPUTED]
    assert lot.crop_amount == 500_000
    named = {**spent, "bushels": "0", "lots": [serials(ADA, lot.start // 1000 + 1, lot.stop // 1000 - 1)]}
    assert status(store, named) == "in_dispute"
    assert status(store, ev("purchase", "p9", "2026-02-09", giver="ada", taker="mill", slip="sl")) == "not_held"


@pytest.mark.parametrize("site", ["South", "s\u043euth", "so\u00fath"])
def test_a_closed_site_opened_again_under_a_name_that_looks_alike_is_told(site: str) -> None:
    more = ev("entity", "e2", "2026-02-03", entity="coop", name="Coop", roles=["first_point"], sites=[site])
    assert "look_alike" not in told(own(SHUT_BY_TRADER), buyer_book())
    assert "look_alike" in told(own(SHUT_BY_TRADER, more), buyer_book())


def test_how_a_partner_writes_the_sites_of_a_house_is_not_told() -> None:
    theirs = buyer_book()
    posted(theirs, [ev("entity", "e2", "2026-02-03", entity="coop", name="Coop", roles=["first_point"],
                       sites=["North", "South"])])  # fmt: skip
    assert "look_alike" not in told(own(), theirs)
