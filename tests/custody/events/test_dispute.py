"""Acts in another party's name: in dispute until its signed paper is there (interpretation 78)."""

import json
from typing import Any, Final

import pytest

from provender.custody.documents.consents import consent_document
from provender.custody.documents.receive import sign_document
from provender.custody.model.entities import Entity
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.store import MemoryStore
from tests.custody.papers import ADA, DAY, buyer_book, changed, elevator_book, key_of, letter, owned, take, vouched
from tests.custody.world import BEN_SOY, REPORTS, Event, bought, ev, on_paper, posted, record_of, run, serials, status

PIN = ev("contract", "contract-crush", "2025-11-03", entity="coop", counterparty="crush", role="recipient",
         number="K2", start_day="2025-11-01", signing_key=key_of("crush").fingerprint)  # fmt: skip
BACK = ev("return", "r1", "2026-02-03", giver="crush", taker="coop", movement="s1", site="north")
REFUSED = ev("reject", "r1", "2026-02-03", giver="coop", taker="crush", movement="s1", site="north")
IN_ITS_NAME = ev("accept", "a1", "2026-02-01", taker="crush", movement="s1")
UNDONE = ev("correct", "r1", "2026-02-03", entity="coop", movement="s1", reason="another buyer")
ACTS = {"return": [BACK], "reject": [REFUSED], "correct": [IN_ITS_NAME, UNDONE],
        "correct in its name": [IN_ITS_NAME, {**UNDONE, "entity": "coop"}]}  # fmt: skip
AGAIN = ev("sale", "s2", "2026-02-05", giver="coop", taker="mill", crop="soybeans", lots=[serials(ADA, 0, 100)])


def own(*more: Event) -> MemoryStore:
    """The elevator's own book, in which it enters everything."""
    return posted(owned("coop", elevator_book(PIN)), more)


def agreed(act: Event = BACK, signer: str = "crush", **fields: object) -> dict[str, object]:
    """The crusher's paper: it took the delivery in, and its own book then does the act."""
    store = buyer_book()
    take(store, letter(elevator_book()))
    posted(store, [{**act, "movement": "document-coop-s1", "day": "2026-02-03", **fields}])
    return sign_document(consent_document(store, "crush", act["id"], as_of=DAY), key_of(signer))


VERITY: Final = ev("entity", "e-verity", "2025-11-01", entity="verity", name="Verity", roles=["service_provider"])
PIN_VERITY: Final = {**PIN, "id": "contract-verity", "counterparty": "verity", "number": "K3",
                     "role": "service_provider", "signing_key": key_of("verity").fingerprint}  # fmt: skip
VOUCHED: Final = ev("statement", "st", "2026-02-05", entity="coop", verifier="verity", number="V", crops=["soybeans"],
                    start_day="2025-10-01", end_day="2026-09-30", opinion="favourable")  # fmt: skip


def by_verity() -> str:
    """Return evidence as the verifier signed it."""
    document: Any = agreed()["document"]
    seller = {"id": "verity", "name": "Verity"}
    return json.dumps(sign_document({**document, "seller": seller}, key_of("verity")))


def received(store: MemoryStore, paper: object) -> list[str]:
    from provender.custody.documents.receive import enter_document, open_document
    from provender.custody.events.registry import post

    incoming = open_document(paper, store, "coop", "paper.json")
    if incoming.content is None:
        return [one.code for one in incoming.problems]
    answers = enter_document(incoming, store, lambda one: post(store, one), day=DAY)
    return [str(one.outcome.status) for one in answers]


@pytest.mark.parametrize("act", ACTS)
def test_what_one_party_takes_back_alone_is_not_resold_and_is_told(act: str) -> None:
    store = own(*ACTS[act])
    assert status(store, AGAIN) == "in_dispute"
    told = {one.kind: one.bushels for one in alerts(store, record_of(store, Entity, "coop"), DAY)}
    assert told[AlertKind.IN_DISPUTE] == 2_500_500


@pytest.mark.parametrize("act", ACTS)
def test_a_dispute_ends_by_paper_by_release_or_by_taking_the_act_back(act: str) -> None:
    assert received(own(*ACTS[act]), agreed()) == ["posted"]
    store = own(*ACTS[act])
    received(store, agreed())
    assert status(store, AGAIN) == "posted"
    gone = ev("release", "rel", "2026-02-05", entity="coop", crop="soybeans", lots=[serials(ADA, 0, 2500)])
    assert status(own(*ACTS[act]), gone) == "posted"
    store = own(*ACTS[act])
    undo = ev("correct", "undo", "2026-02-05", entity="coop", movement="r1", reason="it has not agreed")
    assert status(store, undo) == "posted"
    assert status(store, AGAIN) in ("not_held", "in_transit")


def test_with_the_paper_first_there_is_no_dispute() -> None:
    store = own()
    assert received(store, agreed()) == ["posted"]
    assert received(store, agreed()) == ["exists"]
    assert status(store, AGAIN) == "posted"


@pytest.mark.parametrize(
    ("paper", "answers"),
    [
        (lambda: agreed(signer="coop"), {"signer_unknown"}),
        (lambda: agreed(signer="mill"), {"signer_unknown"}),
        (lambda: changed(agreed(), movement="s9"), {"signature_wrong"}),
        (lambda: agreed(amount="100", lots=[]), {"paper_not_shown"}),
    ],
)
def test_a_paper_that_is_not_the_others_or_not_about_this_settles_nothing(paper: Any, answers: set[str]) -> None:  # noqa: ANN401 - makes a paper
    store = own(BACK)
    assert set(received(store, paper())) == answers
    assert status(store, AGAIN) == "in_dispute"


def test_a_paper_typed_into_the_event_is_checked_like_one_received() -> None:
    whole = json.dumps(agreed(), sort_keys=True)
    assert status(own(), {**BACK, "paper": "deadbeef"}) == "paper_not_shown"
    assert status(own(), {**BACK, "paper": whole.replace("s1", "s9", 1)}) == "paper_not_shown"
    assert status(own(), {**BACK, "paper": whole}) == "posted"
    settle = ev("settle", "x", "2026-02-05", entity="crush", movement="r1")
    assert status(own(BACK), settle) == "paper_not_shown"
    assert status(own(BACK), {**settle, "entity": "coop", "paper": whole}) == "posted"


@pytest.mark.parametrize(
    ("statement", "answer"),
    [([], "paper_not_shown"), ([VOUCHED], "posted"), ([{**VOUCHED, "crops": ["corn"]}], "paper_not_shown"),
     ([{**VOUCHED, "crops": ["corn", "soybeans"]}], "posted"),
     ([{**VOUCHED, "opinion": "first_audit_contracted"}], "paper_not_shown")],
    ids=["of nobody", "of the crop", "of another crop", "of both", "of a first audit to come"],
)  # fmt: skip
def test_evidence_ends_a_dispute_that_a_verifier_of_the_crop_signed(statement: list[Event], answer: str) -> None:
    store = own(VERITY, PIN_VERITY, *map(on_paper, statement), BACK)
    settle = ev("settle", "x", "2026-02-06", entity="coop", movement="r1", paper=by_verity())
    assert status(store, settle) == answer


def test_in_a_shared_book_the_other_party_enters_that_it_agrees(store: Store) -> None:
    from tests.custody.first_sale import BUY, SELL, TAKE, base

    undone = ev("correct", "c", "2026-01-20", entity="coop", movement="v", reason="another buyer")
    posted(store, [*base(), *BUY, SELL, TAKE, undone])
    more = ev("sale", "more", "2026-01-21", giver="coop", taker="mill", crop="soybeans", bushels="900")
    assert status(store, more) == "exceeds_stock"
    agrees = ev("settle", "x", "2026-01-21", entity="crush", movement="c")
    assert status(store, {**agrees, "entity": "coop"}) == "paper_not_shown"
    assert status(store, agrees) == "posted"
    assert status(store, {**agrees, "id": "again"}) == "already_answered"
    assert status(store, more) == "posted"
    assert status(store, ev("correct", "d", "2026-01-22", entity="crush", movement="more", reason="x")) != "posted"


def test_a_paper_counts_only_for_whom_it_gives_the_bushels_to() -> None:
    """Whoever gets them pins the key; whom a paper names as buyer says nothing about whose contract counts."""
    forged: Any = agreed(signer="coop")["document"]
    forged = sign_document({**forged, "buyer": {"id": "mill", "name": "Mill"}}, key_of("coop"))
    pin = {**PIN, "id": "contract-mill", "entity": "mill", "signing_key": key_of("coop").fingerprint}
    shared = elevator_book(PIN)
    posted(shared, [pin])
    for store in (shared, own(pin)):
        assert status(store, {**BACK, "paper": json.dumps(forged)}) == "paper_not_shown"


def test_a_paper_that_names_another_buyer_shows_nothing() -> None:
    document: Any = agreed()["document"]
    other = sign_document({**document, "buyer": {"id": "mill", "name": "Mill"}}, key_of("crush"))
    assert status(own(), {**BACK, "paper": json.dumps(other)}) == "paper_not_shown"


@pytest.mark.parametrize("part", ["buyer", "seller", "spans", "day", "movement"])
@pytest.mark.parametrize("value", [None, 7, [], "abc", {}, [7], [{"origin": "a", "start": 5, "stop": 6}]])
def test_a_paper_of_any_shape_is_answered(part: str, value: object) -> None:
    whole: Any = agreed()
    bare = {name: content for name, content in whole["document"].items() if name != part}
    for document in (bare, {**bare, part: value}):
        paper = json.dumps({**whole, "document": document})
        assert status(own(), {**BACK, "paper": paper}) == "paper_not_shown"


WORSE = ev("notice", "worse", "2026-02-03", giver="coop", taker="crush", number="n1", origin=ADA, reason="worse_ci",
           spans=[["0", "1000"]], ci="5600")  # fmt: skip
"""Amended while the crusher had the bushels: the elevator's own book need not know it of those it sold."""


def agreed_after(worse: Event, act: Event) -> Any:  # noqa: ANN401 - a paper
    store = buyer_book()
    take(store, letter(elevator_book()))
    mine = {**act, "movement": "document-coop-s1", "entity": "crush"}
    posted(
        store, [worse, {name: value for name, value in mine.items() if act["type"] == "correct" or name != "entity"}]
    )
    return sign_document(consent_document(store, "crush", act["id"], as_of=DAY), key_of("crush"))


@pytest.mark.parametrize("act", [BACK, REFUSED, UNDONE], ids=lambda one: one["type"])
@pytest.mark.parametrize("first", [True, False], ids=["paper first", "in dispute first"])
def test_bushels_come_back_at_the_carbon_intensity_they_have_now(act: Event, *, first: bool) -> None:
    later = {**act, "day": "2026-02-03"}
    store = own(*([] if first else ACTS[act["type"]]))
    if act["type"] == "reject":
        later = {**later, "type": "return", "giver": "crush", "taker": "coop"}
    assert received(store, agreed_after(WORSE, later)) == ["posted"]
    cis = [(lot.start, lot.stop, lot.ci) for lot in store.lots_at(ADA, 0, 2_500_500)]
    assert cis == [(0, 1_000_000, 560_000), (1_000_000, 2_500_500, 500_000)]
    assert {lot.owner for lot in store.lots_at(ADA, 0, 2_500_500)} == {"coop"}


def test_a_paper_makes_no_carbon_intensity_better_and_none_impossible() -> None:
    document: Any = agreed()["document"]

    def told(*cis: str) -> list[str]:
        half = [{**document["spans"][0], "ci_g_per_bu": ci} for ci in cis]
        return received(own(BACK), sign_document({**document, "spans": half}, key_of("crush")))

    assert told("9000000") == ["ci_not_possible"]
    assert told("much") != ["posted"]
    store = own(BACK)
    both = [{**document["spans"][0], "ci_g_per_bu": ci} for ci in ("4000", "5500", "5200")]
    assert received(store, sign_document({**document, "spans": both}, key_of("crush"))) == ["posted"]
    assert {lot.ci for lot in store.lots_at(ADA, 0, 2_500_500)} == {550_000}
    store = own(BACK)
    less = [{**document["spans"][0], "ci_g_per_bu": "4000"}]
    assert received(store, sign_document({**document, "spans": less}, key_of("crush"))) == ["posted"]
    assert {lot.ci for lot in store.lots_at(ADA, 0, 2_500_500)} == {500_000}


def test_a_consent_puts_each_lot_back_to_the_site_that_it_was_sold_from() -> None:
    both = [serials(ADA, 3000, 3100), serials(ADA, 4000, 4100)]
    sale = ev("sale", "s9", "2026-02-01", giver="coop", taker="crush", crop="soybeans", lots=both)
    south = bought("p2", "ada", "coop", ADA, "500", day="2026-01-12", site="south")
    seller = owned("coop", posted(elevator_book(PIN), [*south, sale]))
    buyer = buyer_book()
    take(buyer, letter(seller, "s9"))
    back = ev("return", "b", "2026-02-03", giver="crush", taker="coop", movement="document-coop-s9", site="north")
    posted(buyer, [back])
    paper = sign_document(consent_document(buyer, "crush", "b", as_of=DAY), key_of("crush"))
    assert received(seller, paper) == ["posted"]
    lots = [seller.lots_at(ADA, start * 1000, start * 1000 + 1)[0] for start in (3000, 4000)]
    assert [(lot.owner, lot.state, lot.site) for lot in lots] == [("coop", "held", "north"), ("coop", "held", "south")]


def test_a_return_of_several_origins_one_of_them_withdrawn_says_which_lots_to_name() -> None:
    sale = ev("sale", "s9", "2026-02-01", giver="coop", taker="crush", crop="soybeans",
              lots=[serials(ADA, 3000, 3100), serials(BEN_SOY, 0, 50)])  # fmt: skip
    ben = bought("p2", "ben", "coop", BEN_SOY, "100", day="2026-01-12", site="north")
    store = posted(elevator_book(vouched(), REPORTS[1]), [
        *ben, sale, ev("accept", "a", "2026-02-02", taker="crush", movement="s9"),
        ev("withdraw", "w", "2026-02-03", origin=ADA, reason="x"),
    ])  # fmt: skip
    back = ev("return", "b", "2026-02-04", giver="crush", taker="coop", movement="s9", site="north")
    (refused,) = run(store, [back])
    assert refused.status == "report_withdrawn"
    assert f"Name the lots that go back; these may: {BEN_SOY} 0 to 50." in refused.message
    assert status(store, {**back, "lots": [serials(BEN_SOY, 0, 50)]}) == "posted"
