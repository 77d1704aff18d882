"""Ways to outwit a book: refused, put in dispute, or told when books lie side by side. Plain faults: ``ladders``."""

import json
from datetime import date
from typing import Any, Final

import pytest

from provender.custody.documents.build import period_document
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
    oil_yield,
    on_paper,
    posted,
    report,
    run,
    serials,
    status,
)

LINE: Final[dict[str, Any]] = {"crop": "soybeans", "harvest_year": 2025,
                               "ci": "5000", "form": "soybeans", "origin": ADA,
                               "start": "0", "bushels": "2500.5"}  # fmt: skip
PAPER: Final = ev("document", "d", "2026-02-01", giver="coop", taker="crush", number="s1", lines=[LINE])
SALE: Final = ev("sale", "x", "2026-02-05", giver="coop", taker="mill", crop="soybeans", bushels="10")
SHUT: Final = ev("close", "q", "2026-03-31", entity="coop", closed_on="2026-04-01")
GRAIN: Final = ev("measurement", "g", "2026-03-30", entity="coop", site="north", form="soybeans", amount="9000",
                  number="M")  # fmt: skip
RATE: Final = oil_yield("y", "2026-01-01", entity="coop", site="north", rate="11")

DEAL: Final = ev("contract", "k", "2026-01-02", entity="coop", counterparty="mill", role="recipient", number="K7",
                 start_day="2026-01-01", form="soybeans", amount="1000", ci_max="4000")  # fmt: skip
LAST: Final = ev("contract", "l", "2026-01-02", entity="coop", counterparty="mill", role="recipient", number="K8",
                 start_day="2025-01-01", end_day="2025-12-31")  # fmt: skip
OPINION: Final = ev("statement", "o", "2025-11-05", entity="coop", verifier="verity", number="V9", opinion="favourable",
                    start_day="2025-10-01", end_day="2026-09-30", crops=["soybeans"])  # fmt: skip
MILLS: Final = {**PAPER, "giver": "mill"}
SECOND: Final = bought("p2", "ada", "coop", ADA, "10", day="2026-01-12", site="north")


PIN_ADA: Final = ev("contract", "pin-ada", "2025-11-03", entity="coop", counterparty="ada", role="supplier",
                    number="K-ada", start_day="2025-11-01", signing_key=key_of("ada").fingerprint)  # fmt: skip


def own(*more: Event) -> MemoryStore:
    return posted(owned("coop", elevator_book()), more)


def role(name: str, kind: str) -> Event:
    return ev("entity", f"role-{name}", "2026-04-02", entity=name, name=name, roles=[kind])


# Each row: what was entered before, the attack, and the answer.
REFUSED: Final[list[tuple[str, list[Event], Event, str]]] = [
    ("serials of the farm", [], {**SALE, "lots": [serials(ADA, 5000, 5100)], "bushels": "0"}, "not_held"),
    ("serials twice", [], {**SALE, "lots": [serials(ADA, 3000, 3100)] * 2, "bushels": "0"}, "span_not_possible"),
    ("oil of corn", [], {**SALE, "form": "ground_corn", "bushels": "0", "pounds": "10"}, "form_not_possible"),
    ("a loss of what looks like oil", [], ev("loss", "x", "2026-02-05", entity="coop", site="north", crop="soybeans",
     form="s\u043eybean_oil", pounds="10", shared=True), "form_not_possible"),
    ("oil counted in bushels", [], {**SALE, "form": "soybean_oil"}, "amount_not_positive"),
    ("a report from before the rule", [], {**report("ben", "soybeans", "500", "4000", year=2019), "id": "r3"},
     "harvest_year_not_possible"),
    ("soybeans of a year whose crop is not sown", [],
     {**report("ben", "soybeans", "500", "4000", year=2026), "id": "r3"}, "harvest_year_not_possible"),
    ("soybeans of a year in the month before any are cut", [],
     {**report("ben", "soybeans", "500", "4000", year=2026, day="2026-05-31"), "id": "r3"},
     "harvest_year_not_possible"),
    ("an opening into a closed period", [GRAIN, SHUT],
     ev("opening", "o", "2026-03-01", entity="coop", site="north", crop="soybeans", harvest_year=2025, ci="4000",
        bushels="10", number="1", evidence="bins"), "opening_too_late"),
    ("an opening before a first period that is closed", [GRAIN, SHUT],
     ev("opening", "o", "2025-12-31", entity="coop", site="north", crop="soybeans", harvest_year=2025, ci="4000",
        bushels="10", number="1", evidence="bins"), "opening_too_late"),
    ("a closed period after the role is changed", [GRAIN, SHUT, role("coop", "farm")],
     ev("release", "r", "2026-03-05", entity="coop", crop="soybeans", bushels="5"), "period_closed"),
    ("a closed period after the role is changed and changed back",
     [GRAIN, SHUT, role("coop", "farm"), {**role("coop", "first_point"), "id": "back"}],
     ev("loss", "r", "2026-03-05", entity="coop", crop="soybeans", bushels="5"), "period_closed"),
    ("a paper in the name of one whose closed book is here", [GRAIN, SHUT],
     {**PAPER, "id": "d9", "number": "s9", "lines": [{**LINE, "start": "3000", "bushels": "5"}]}, "period_closed"),
    ("a close over claims sold without grain", [
        ev("receipt", "void", "2026-01-10", entity="coop", site="north", form="soybeans", amount="1", number="X"),
        PIN_ADA, *[{**one, "tickets": []} if one["type"] == "purchase" else on_paper(one, key_of("ada").fingerprint)
          for one in bought("p9", "ada", "coop", ADA, "3000", day="2026-01-12", site="north")],
        {**SALE, "id": "s8", "bushels": "4000"}], SHUT, "claims_exceed_grain"),
    ("crushing what is in dispute",
     [RATE, ev("return", "r", "2026-02-05", giver="crush", taker="coop", movement="s1", site="north")],
     ev("process", "p", "2026-02-06", entity="coop", site="north", crop="soybeans", output="soybean_oil",
        lots=[serials(ADA, 0, 100)]), "in_dispute"),
    ("a contract that asks for less carbon", [DEAL], {**SALE, "contract": "K7"}, "outside_ci_range"),
    ("lots named that the contract does not ask for", [DEAL],
     {**SALE, "contract": "K7", "lots": [serials(ADA, 3000, 3010)], "bushels": "0"}, "outside_ci_range"),
    ("the contract of another buyer", [{**DEAL, "counterparty": "crush"}], {**SALE, "contract": "K7"},
     "parties_differ"),
    ("the contract of another seller", [{**DEAL, "entity": "crush"}], {**SALE, "contract": "K7"}, "record_not_found"),
    ("a contract in another spelling", [DEAL], {**SALE, "contract": "k7"}, "record_not_found"),
    ("a contract about another crop", [{**DEAL, "form": "corn"}], {**SALE, "contract": "K7"}, "parties_differ"),
    ("a contract of last year", [{**LAST, "amount": "500", "form": "soybeans"}], {**SALE, "contract": "K8"},
     "record_not_found"),
    ("a contract of last year without terms", [LAST], {**SALE, "contract": "K8"}, "record_not_found"),
    ("a contract of next month", [{**LAST, "start_day": "2026-03-01", "end_day": "2026-12-31"}],
     {**SALE, "contract": "K8"}, "record_not_found"),
    ("a sale under a contract to buy", [{**DEAL, "role": "supplier", "ci_max": "9000"}], {**SALE, "contract": "K7"},
     "parties_differ"),
    ("a contract with oneself", [], {**LAST, "counterparty": "coop"}, "parties_are_one"),
    ("a contract handed to another buyer after the fact", [DEAL], {**DEAL, "id": "k2", "counterparty": "crush"},
     "parties_differ"),
    ("a purchase under last year's contract", [{**LAST, "counterparty": "ada", "role": "supplier"}, SECOND[0]],
     {**SECOND[1], "contract": "K8"}, "record_not_found"),
    ("a purchase under a contract to sell",
     [{**LAST, "counterparty": "ada", "end_day": "2026-12-31"}, SECOND[0]], {**SECOND[1], "contract": "K8"},
     "parties_differ"),
    ("verified by oneself", [], {**OPINION, "verifier": "coop"}, "parties_are_one"),
    ("verified by the buyer", [], {**OPINION, "verifier": "crush"}, "role_not_allowed"),
    ("a ticket from before the harvest", [SECOND[0]],
     {**SECOND[1], "tickets": [{"number": "T-9", "bushels": "10", "day": "2020-01-10"}]}, "not_held_yet"),
    ("a ticket twice in one purchase", [SECOND[0]],
     {**SECOND[1], "tickets": [{"number": "T-9", "bushels": "5"}] * 2}, "ticket_differs"),
    ("a ticket of a million", [], ev("receipt", "r", "2026-01-12", entity="coop", site="north", form="soybeans",
                                     amount="99999999", number="T-9"), "amount_too_large"),
    ("a range of carbon intensities that is none", [], {**SALE, "ci_min": "6000", "ci_max": "4000"},
     "outside_ci_range"),
    ("a harvest that was not bought", [], {**SALE, "harvest_year": 2024}, "exceeds_stock"),
    ("retired by an elevator", [], ev("retire", "r", "2026-02-05", entity="coop", crop="soybeans", bushels="5",
                                      fuel="biodiesel", batch="B1"), "role_not_allowed"),
    ("moved to another's site", [], ev("move", "m", "2026-02-05", entity="coop", crop="soybeans", bushels="5",
                                       site="north", to_site="plant"), "site_not_found"),
    ("moved from where it never was", [], ev("move", "m", "2026-02-05", entity="coop", crop="soybeans", bushels="5",
                                             site="south", to_site="north"), "other_site"),
    ("one origin on the papers of two", [{**MILLS, "lines": [{**LINE, "origin": "o", "bushels": "10"}]}],
     {**PAPER, "id": "d5", "number": "z", "lines": [{**LINE, "origin": "o", "bushels": "10"}]}, "broken_chain"),
    ("serials twice on one paper", [],
     {**MILLS, "lines": [{**LINE, "origin": "o", "bushels": "10"}, {**LINE, "origin": "o", "start": "5",
                                                                    "bushels": "10"}]}, "span_not_possible"),
]  # fmt: skip


SPELLINGS: Final = [
    "01001",
    "#1001",
    "0001001",
    "\uff11\uff10\uff10\uff11",
    " # 1001",
    "No. 1001",
    "no 1001",
    "\u0661\u0660\u0660\u0661",
]
WEIGHED: Final = ev("receipt", "w", "2026-01-11", entity="coop", site="north", form="soybeans", amount="10",
                    number="1001")  # fmt: skip
REFUSED.extend((f"one load behind two purchases, the second as {number}",
             [SECOND[0], {**SECOND[1], "tickets": [{"number": "1001", "bushels": "10"}]},
              bought("p3", "ada", "coop", ADA, "10", day="2026-01-12", site="north")[0]],
             {**SECOND[1], "id": "p3", "slip": "slip-p3", "tickets": [{"number": number, "bushels": "10"}]},
             "ticket_used") for number in SPELLINGS)  # fmt: skip
REFUSED.extend((f"one ticket over the scale twice, the second as {number}", [WEIGHED],
             {**WEIGHED, "id": "w2", "number": number}, "ticket_differs") for number in SPELLINGS)  # fmt: skip
REFUSED.extend([
    ("one load twice in one purchase in two spellings", [SECOND[0]],
     {**SECOND[1], "tickets": [{"number": "1001", "bushels": "5"}, {"number": "#01001", "bushels": "5"}]},
     "ticket_differs"),
    ("a ticket of the destination behind two sales in two spellings",
     [{**SALE, "id": "s7", "destination": [{"number": "77", "bushels": "10"}]}],
     {**SALE, "destination": [{"number": "077", "bushels": "10"}]}, "ticket_used"),
])  # fmt: skip


@pytest.mark.parametrize(("before", "attack", "answer"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
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


def leg(**changes: object) -> Event:
    fields = {name: value for name, value in changes.items() if name in ("day", "number")}
    rest = {name: value for name, value in changes.items() if name not in fields}
    line = {name: value for name, value in {**LINE, **rest}.items() if value is not None}
    return {**PAPER, **fields, "lines": [line]}


TOLD: Final[dict[str, tuple[list[Event], str]]] = {
    "a better carbon intensity": ([leg(ci="4000")], "legs_differ"),
    "a worse carbon intensity": ([leg(ci="6000")], "legs_differ"),
    "a carbon intensity better than the report's": ([leg(ci="4000")], "origin_differs"),
    "another harvest year": ([leg(harvest_year=2024)], "legs_differ"),
    "another crop": ([leg(crop="corn", form="corn")], "legs_differ"),
    "one origin under two crops": ([leg(crop="corn", form="corn")], "origin_differs"),
    "oil for beans": ([leg(form="soybean_oil", pounds="1000")], "legs_differ"),
    "another title date": ([leg(day="2026-02-09")], "legs_differ"),
    "other serials": ([leg(start="1000")], "legs_differ"),
    "another origin": ([leg(origin="somebody's")], "legs_differ"),
    "no serials": ([leg(origin="", start=None)], "legs_differ"),
    "fewer bushels": ([leg(bushels="2000")], "missing_counterpart"),
    "more bushels": ([leg(bushels="3000")], "missing_counterpart"),
    "never booked": ([], "missing_counterpart"),
    "another number": ([leg(number="s7")], "missing_counterpart"),
    "a number that looks alike": ([leg(), {**leg(number="S-1", origin="o", start="0"), "id": "d2"}], "look_alike"),
}


@pytest.mark.parametrize("name", TOLD)
def test_a_leg_that_the_other_book_tells_otherwise_is_told(name: str) -> None:
    papers, kind = TOLD[name]
    buyer = buyer_book()
    posted(buyer, papers)
    assert kind in told(elevator_book(), buyer)


def test_books_that_agree_tell_nothing() -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    assert told(elevator_book(), buyer) == told(own(), buyer) == set()


@pytest.mark.parametrize(("bushels", "beyond"), [("999.999", ""), ("1000", ""), ("1000.001", "0.001 bu")])
def test_a_sale_beyond_its_contract_says_so(bushels: str, beyond: str) -> None:
    deal = {name: value for name, value in DEAL.items() if name != "ci_max"}
    sale = {**SALE, "contract": "K7", "bushels": bushels}
    store = own(deal, sale)
    entered = read_event(sale)
    assert isinstance(entered, SaleEvent)
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


AFTER: Final = {**GRAIN, "id": "late", "number": "M2", "amount": "4000"}
BEHIND: Final[dict[str, tuple[list[Event], list[Event], bool]]] = {
    "a measurement": ([AFTER], [], True),
    "a measurement of nothing": ([{**AFTER, "amount": "0"}], [], True),
    "a measurement on the last day": ([{**AFTER, "day": "2026-03-31"}], [], True),
    "a measurement on the first day": ([{**AFTER, "day": "2026-01-01"}], [], True),
    "a measurement taken back": ([{**GRAIN, "id": "late", "void": True}], [], True),
    "a ticket in": ([{**AFTER, "type": "receipt"}], [], True),
    "a ticket out": ([{**AFTER, "type": "shipment"}], [], True),
    "a ticket behind a purchase": (
        [bought("p5", "ada", "coop", ADA, "10", day="2026-04-02", site="north")[0],
         {**bought("p5", "ada", "coop", ADA, "10", day="2026-04-02", site="north")[1],
          "tickets": [{"number": "T-5", "bushels": "10", "day": "2026-03-30"}]}], [], True),
    "a measurement of the next period": ([{**AFTER, "day": "2026-04-01"}], [], False),
    "a measurement in time": ([], [AFTER], False),
}  # fmt: skip


@pytest.mark.parametrize("name", BEHIND)
def test_grain_that_is_entered_behind_the_close_of_its_day_is_told_with_the_statement_beside(name: str) -> None:
    after, before, is_told = BEHIND[name]
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


@pytest.mark.parametrize(
    "act",
    [
        ev("return", "r", "2026-02-05", giver="crush", taker="coop", movement="s1", site="north"),
        ev("reject", "r", "2026-02-05", giver="coop", taker="crush", movement="s1", site="north"),
        ev("correct", "r", "2026-02-05", entity="coop", movement="s1", reason="x"),
        ev("correct", "r", "2026-02-05", entity="crush", movement="s1", reason="x"),
    ],
    ids=lambda one: f"{one['type']} by {one.get('entity', 'the book')}",
)
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


THERE: Final = ev("receipt", "w", "2026-02-05", entity="crush", site="plant", form="soybeans", amount="10",
                  number="0077")  # fmt: skip


@pytest.mark.parametrize(
    ("weighed", "ticket", "found"),
    [
        ([THERE], {}, set()),
        ([{**THERE, "name": "Coop Elevator"}], {}, set()),
        ([THERE], {"number": "#77"}, set()),
        ([], {}, {"missing_counterpart"}),
        ([{**THERE, "number": "78"}], {}, {"missing_counterpart"}),
        ([{**THERE, "type": "shipment"}], {}, {"missing_counterpart"}),
        ([THERE, {**THERE, "id": "v", "void": True}], {}, {"missing_counterpart"}),
        ([{**THERE, "amount": "9.999"}], {}, {"legs_differ"}),
        ([{**THERE, "day": "2026-02-04"}], {}, {"legs_differ"}),
        ([{**THERE, "form": "corn"}], {}, {"legs_differ"}),
        ([{**THERE, "name": "Mill"}], {}, {"same_ticket"}),
    ],
    ids=["there", "in the seller's name", "spelled otherwise", "no ticket", "another", "one out", "void", "less",
         "another day", "another crop", "of another owner"],
)  # fmt: skip
def test_a_ticket_at_the_destination_is_held_against_the_buyers_book(
    weighed: list[Event], ticket: dict[str, str], found: set[str]
) -> None:
    assert at_destination(*weighed, **ticket) == found


def test_a_ticket_of_another_owner_behind_a_purchase_is_told_by_reconcile_too() -> None:
    bens = {**WEIGHED, "name": "Ben Farms"}
    used = {**SECOND[1], "tickets": [{"number": "1001", "bushels": "10", "day": "2026-01-11"}]}
    assert "same_ticket" in told(own(bens, SECOND[0], used), buyer_book())
    assert "same_ticket" not in told(own({**bens, "name": "Ada Farms"}, SECOND[0], used), buyer_book())


LOAD: Final = {**WEIGHED, "name": "Ada"}
SOUTH: Final = {"id": "w2", "site": "south", "number": "01001"}


@pytest.mark.parametrize(
    ("other", "is_told"),
    [(SOUTH, True), ({**SOUTH, "name": ""}, True), ({**SOUTH, "name": "Ben"}, False),
     ({**SOUTH, "amount": "10.001"}, False), ({**SOUTH, "day": "2026-01-12"}, False),
     ({**SOUTH, "form": "corn"}, False),
     ({**SOUTH, "type": "shipment"}, False), ({**SOUTH, "number": "1002"}, False)],
    ids=["spelled otherwise", "without a name", "another's", "more", "another day", "another crop", "out", "another"],
)  # fmt: skip
def test_one_load_at_two_sites_of_a_house_is_told(other: Event, is_told: bool) -> None:
    seller = own(LOAD, {**LOAD, **other})
    assert ("same_ticket" in told(seller, buyer_book())) is is_told
    assert (AlertKind.ONE_LOAD_TWICE in alerted(seller, DAY)) is is_told


def test_of_a_ticket_like_no_other_at_its_house_no_claim_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a database each claim is a message, and the alerts look at every ticket of a house."""
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


@pytest.mark.parametrize(
    ("other", "is_told"),
    [({}, True), ({"number": "#01001"}, True), ({"name": "ADA"}, True), ({"name": ""}, False),
     ({"name": "Ben"}, False), ({"day": "2026-01-12"}, False)],
    ids=["the same", "spelled otherwise", "in capitals", "without a name", "another's", "another day"],
)  # fmt: skip
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


STATED: Final = ev("statement", "v", "2025-11-02", entity="coop", verifier="verity", number="V1",
                   opinion="favourable", start_day="2025-10-01", end_day="2026-09-30", crops=["soybeans"])  # fmt: skip
KEYED: Final = ev("contract", "k9", "2025-11-03", entity="crush", counterparty="mill", role="supplier", number="K9",
                  start_day="2025-11-01", signing_key=key_of("coop").fingerprint)  # fmt: skip
LATE: Final = {"tickets": [{"number": "T-p2", "bushels": "10", "day": "2026-01-13"}]}
PIT: Final = ev("entity", "e9", "2025-11-03", entity="pit", name="Pit", roles=["first_point"], sites=["pit"])

CONTRADICTED: Final[dict[str, tuple[list[Event], list[Event], str]]] = {
    "a party renamed to another's name":
        ([], [PIT, {**PIT, "id": "e10", "name": "COOP"}], "one_for_two"),
    "a party that had another's name before": ([], [{**PIT, "name": "Coop"}, {**PIT, "id": "e10"}], "one_for_two"),
    "a party renamed to a name that looks like another's":
        ([], [PIT, {**PIT, "id": "e10", "name": "C\u043eop"}], "one_for_two"),
    "one key for two parties": ([], [KEYED], "one_for_two"),
    "one statement number for two parties": ([STATED], [{**STATED, "id": "v2", "entity": "mill"}], "one_for_two"),
    "one number of a seller for two buyers": (
        [{**MILLS, "taker": "coop", "lines": [{**LINE, "origin": "o", "bushels": "10"}]}],
        [{**MILLS, "lines": [{**LINE, "origin": "o", "start": "50", "bushels": "10"}]}], "one_for_two"),
    "one slip for two buyers": (
        [], [salted(), {**SECOND[0], "id": "slip-p1", "taker": "mill", "bushels": "10"}], "one_for_two"),
    "one statement with two opinions": ([STATED], [{**STATED, "opinion": "adverse"}], "statements_differ"),
    "one statement over other days": ([STATED], [{**STATED, "end_day": "2026-10-31"}], "statements_differ"),
    "one statement of two verifiers": ([STATED], [{**STATED, "verifier": "other"}], "statements_differ"),
    "an adverse statement made favourable under its number":
        ([], [{**STATED, "opinion": "adverse"}, {**STATED, "id": "v2"}], "statements_differ"),
    "a statement over ten years": ([{**STATED, "end_day": "2035-09-30"}], [], "statements_differ"),
    "a statement over a day more than fifteen months": ([{**STATED, "end_day": "2027-01-01"}], [], "statements_differ"),
    "one statement over more crops": ([STATED], [{**STATED, "crops": ["soybeans", "corn"]}], "statements_differ"),
    "a statement number that looks like another's":
        ([STATED], [{**STATED, "id": "v2", "entity": "mill", "number": "v-1"}], "look_alike"),
    "a ticket of a day after its title": ([SECOND[0], {**SECOND[1], **LATE}], [], "late_ticket"),
}  # fmt: skip


@pytest.mark.parametrize("name", CONTRADICTED)
def test_what_stands_for_two_or_is_told_in_two_ways_is_told(name: str) -> None:
    mine, theirs, kind = CONTRADICTED[name]
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    posted(buyer, theirs)
    assert kind in told(own(*mine), buyer), "test_books_that_agree_tell_nothing shows that nothing is told before"


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        ([STATED, {**STATED, "id": "v2", "opinion": "adverse"}], [{**STATED, "opinion": "adverse"}]),
        (
            [STATED],
            [STATED, {**STATED, "id": "v2", "number": "V2", "start_day": "2026-10-01", "end_day": "2027-09-30"}],
        ),
        ([STATED], [{**STATED, "id": "v2", "entity": "mill", "verifier": "other"}]),
        ([{**STATED, "end_day": "2026-12-31"}], []),
        ([], [PIT, {**PIT, "id": "e10", "name": "Pit and Sons"}]),
        ([], [{**PIT, "name": "Coop"}]),
        ([SECOND[0], {**SECOND[1], "tickets": [{"number": "T-p2", "bushels": "10", "day": "2026-01-12"}]}], []),
        ([], [{**KEYED, "counterparty": "coop"}]),
    ],
)
def test_what_is_honest_of_names_keys_and_statements_is_not_told(mine: list[Event], theirs: list[Event]) -> None:
    buyer = buyer_book()
    take(buyer, letter(elevator_book()))
    posted(buyer, theirs)
    assert not told(own(*mine), buyer) & {"one_for_two", "statements_differ", "late_ticket"}


def test_the_sale_of_which_the_attacks_are_changes_stands() -> None:
    assert post(own(), read_event(SALE)).status is Status.POSTED


# A trader who plays with returns, refusals, closings and papers out of order: refused, in dispute or told.

TAKEN: Final = ev("accept", "in", "2026-02-02", taker="crush", movement="s1")
BACK: Final = ev("return", "r", "2026-02-05", giver="crush", taker="coop", movement="s1", site="north")
NO: Final = ev("reject", "x", "2026-02-03", giver="coop", taker="crush", movement="s1", site="north")
AGAIN: Final = ev("sale", "s2", "2026-02-06", giver="coop", taker="mill", crop="soybeans", bushels="4000")
HOME: Final = ev("return", "h", "2026-02-05", giver="coop", taker="ada", movement="p1", amount="500")
SHUT_BY_TRADER: Final = ev("close_site", "shut", "2026-02-02", entity="coop", site="south")
REST: Final = ev("suspend", "w", "2026-02-07", origin=ADA)
GONE: Final = {**REST, "type": "withdraw"}
BREAK: Final = ev("document", "d9", "2026-02-02", giver="mill", taker="coop", number="n1",
                  lines=[{**LINE, "origin": "o", "bushels": "10"}])  # fmt: skip


def undo(movement: str, by: str, day: str = "2026-02-07") -> Event:
    return ev("correct", f"c-{movement}", day, entity=by, movement=movement, reason="x")


def shared(*more: Event) -> MemoryStore:
    store = elevator_book(favourable("coop", "soybeans"))
    posted(store, more)
    return store


REFUSED_TRADE: Final[dict[str, tuple[list[Event], Event, str]]] = {
    "given back twice": ([TAKEN, BACK], {**BACK, "id": "r2"}, "not_held"),
    "more given back than was sold": ([TAKEN], {**BACK, "amount": "2500.501"}, "exceeds_stock"),
    "given back before it was sold": ([TAKEN], {**BACK, "day": "2026-01-31"}, "not_held_yet"),
    "refused after it was accepted": ([TAKEN], {**NO, "day": "2026-02-03"}, "already_answered"),
    "accepted after it was refused": ([NO], {**TAKEN, "day": "2026-02-04"}, "already_answered"),
    "taken back by both": ([TAKEN, BACK], undo("s1", "coop"), "not_held"),
    "a refusal taken back after the resale": ([NO, AGAIN], undo("x", "crush"), "not_held"),
    "a return taken back after the resale": ([TAKEN, BACK, AGAIN], undo("r", "crush"), "not_held"),
    "a slip taken back after the purchase": ([], undo("slip-p1", "ada"), "already_answered"),
    "a purchase taken back after the sale": ([], undo("p1", "coop"), "not_held"),
    "more to the farm than is left": ([HOME], {**HOME, "id": "h2", "amount": "1500"}, "exceeds_stock"),
    "a purchase taken back of which a part went home": ([HOME], undo("p1", "coop"), "not_held"),
    "signed away before it came home": (
        [HOME], ev("slip", "sl", "2026-02-04", giver="ada", taker="mill", origin=ADA, bushels="6500"),
        "exceeds_stock"),
    "signed away across what was sold": (
        [], ev("slip", "sl", "2026-02-04", giver="ada", taker="mill", origin=ADA, spans=[["3999", "4001"]]),
        "not_held"),
    "a new version of a report that was withdrawn": (
        [GONE], {**salted(), "id": "v2", "version": 2, "day": "2026-02-08"}, "report_withdrawn"),
    "a withdrawn report put in force again": (
        [GONE], ev("reinstate", "re", "2026-02-08", origin=ADA), "report_withdrawn"),
    "an early day for a sale of what is suspended": ([REST], {**AGAIN, "bushels": "10"}, "report_suspended"),
    "what is suspended given back": ([TAKEN, REST], {**BACK, "day": "2026-02-08"}, "report_suspended"),
    "another's site closed": ([], {**SHUT_BY_TRADER, "site": "plant"}, "site_not_found"),
    "a closing put off by another": (
        [SHUT_BY_TRADER],
        {**SHUT_BY_TRADER, "id": "shut-2", "day": "2026-03-01"},
        "already_answered",
    ),
    "a number again after its paper was taken back": (
        [BREAK, undo("d9", "coop")], {**BREAK, "id": "d10", "lines": [{**LINE, "origin": "o", "bushels": "99"}]},
        "document_seen"),
    "a better intensity on the second paper": (
        [BREAK, undo("d9", "coop")],
        {**BREAK, "id": "d10", "number": "n2", "lines": [{**LINE, "origin": "o", "bushels": "99", "ci": "4000"}]},
        "ci_differs"),
    "from another giver after it was taken back": (
        [BREAK, undo("d9", "coop")], {**BREAK, "id": "d10", "number": "n2", "giver": "crush"}, "broken_chain"),
    "one paper twice in two spellings": ([BREAK], {**BREAK, "id": "d10", "number": "N1"}, "broken_chain"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED_TRADE)
def test_what_a_hostile_trader_tries_is_refused(name: str) -> None:
    before, attack, answer = REFUSED_TRADE[name]
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
