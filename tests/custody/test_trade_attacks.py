"""A trader who plays with returns, refusals, closings and papers out of order: refused, in dispute or told."""

from typing import Final

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.lots import LotState
from tests.custody.papers import ADA, buyer_book, elevator_book, salted
from tests.custody.test_attacks import LINE, own, told
from tests.custody.world import Event, ev, favourable, posted, serials, status

TAKEN: Final = ev("accept", "in", "2026-02-02", taker="crush", movement="s1")
BACK: Final = ev("return", "r", "2026-02-05", giver="crush", taker="coop", movement="s1", site="north")
NO: Final = ev("reject", "x", "2026-02-03", giver="coop", taker="crush", movement="s1", site="north")
AGAIN: Final = ev("sale", "s2", "2026-02-06", giver="coop", taker="mill", crop="soybeans", bushels="4000")
HOME: Final = ev("return", "h", "2026-02-05", giver="coop", taker="ada", movement="p1", amount="500")
SHUT: Final = ev("close_site", "shut", "2026-02-02", entity="coop", site="south")
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


REFUSED: Final[dict[str, tuple[list[Event], Event, str]]] = {
    "given back twice": ([TAKEN, BACK], {**BACK, "id": "r2"}, "not_held"),
    "more given back than was sold": ([TAKEN], {**BACK, "amount": "2500.501"}, "exceeds_stock"),
    "given back before it was sold": ([TAKEN], {**BACK, "day": "2026-01-31"}, "not_held_yet"),
    "given back to another": ([TAKEN], {**BACK, "taker": "mill", "site": "mill"}, "parties_differ"),
    "given back by another": ([TAKEN], {**BACK, "giver": "mill"}, "parties_differ"),
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
    "another's site closed": ([], {**SHUT, "site": "plant"}, "site_not_found"),
    "a closing put off by another": ([SHUT], {**SHUT, "id": "shut-2", "day": "2026-03-01"}, "already_answered"),
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


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_hostile_trader_tries_is_refused(name: str) -> None:
    before, attack, answer = REFUSED[name]
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
    assert "look_alike" not in told(own(SHUT), buyer_book())
    assert "look_alike" in told(own(SHUT, more), buyer_book())


def test_how_a_partner_writes_the_sites_of_a_house_is_not_told() -> None:
    theirs = buyer_book()
    posted(theirs, [ev("entity", "e2", "2026-02-03", entity="coop", name="Coop", roles=["first_point"],
                       sites=["North", "South"])])  # fmt: skip
    assert "look_alike" not in told(own(), theirs)
