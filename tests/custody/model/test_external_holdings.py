"""A house buys of one report both from the farm and from a trader, whose own purchase its book never saw."""

from datetime import date
from typing import Any

from provender.custody.documents.build import slip_document
from provender.custody.documents.receive import open_document
from provender.custody.documents.sign import sign_document
from provender.custody.events.refusals import problem_of
from provender.custody.memory_store import MemoryStore
from provender.custody.model.lots import LotState
from provender.custody.model.origins import Slip
from provender.custody.model.store_view import Store
from provender.custody.queries.claims import claims_of_book
from provender.custody.queries.double_claims import counted_once, double_claims, frame
from provender.custody.queries.trace import chain_of
from tests.custody.papers import key_of
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, entity, ev, posted, run, status

EAST = entity("east", "first_point", "yard")
"""An elevator whose book is elsewhere: it declares no periods here."""
SLIP = ev("slip", "s-east", "2026-01-04", giver="ada", taker="east", origin=ADA_SOY, spans=[["2000", "3000"]])
BASE = [*CAST, EAST, *REPORTS, *bought("own", "ada", "mill", ADA_SOY, "1000", day="2026-01-05", site="mill")]


def line(start: str, bushels: str, **more: str) -> dict[str, Any]:
    about = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "origin": ADA_SOY}
    return {**about, "start": start, "bushels": bushels, **more}


def paper(*lines: dict[str, Any], name: str = "paper", day: str = "2026-01-20") -> Event:
    return ev("document", name, day, giver="east", taker="mill", number=name, lines=list(lines))


ACCEPT = ev("accept", "in", "2026-01-21", taker="mill", movement="paper")


def test_without_the_farms_slip_nobodys_document_takes_its_bushels(store: Store) -> None:
    posted(store, BASE)
    answer = run(store, [paper(line("2000", "600"))])[0]
    assert answer.status == "chain_not_shown"
    assert "the sale slip of the farm" in problem_of(answer).remedy


def test_what_the_farm_signed_away_comes_back_from_the_trader_and_goes_back_to_the_trader(store: Store) -> None:
    posted(store, [*BASE, SLIP, paper(line("2000", "600"), line("2600", "100")), ACCEPT])
    with store.reading() as facts:
        mine = [(lot.start, lot.stop, lot.supplier) for lot in facts.lots_of("mill", "soybeans")]
        assert sorted(mine) == [
            (0, 1_000_000, "ada"), (2_000_000, 2_600_000, "east"), (2_600_000, 2_700_000, "east"),
        ]  # fmt: skip
        slip = facts.one(Slip, "s-east")
        assert slip is not None
        assert slip.open_spans == ((2_700_000, 3_000_000),)
        rest = facts.lots_at(ADA_SOY, 2_700_000, 10_000_000)
        assert {(lot.owner, lot.state) for lot in rest} == {("ada", LotState.HELD)}
        chain = chain_of(facts, facts.lots_at(ADA_SOY, 2_000_000, 2_000_001)[0])
        hands = [(one.giver, one.taker) for one in chain.links]
        assert hands == [("", "ada"), ("ada", "east"), ("east", "mill"), ("mill", "mill")]
    posted(store, [ev("return", "back", "2026-01-22", giver="mill", taker="east", movement="paper", amount="50")])
    with store.reading() as facts:
        assert [lot.owner for lot in facts.lots_at(ADA_SOY, 2_000_000, 2_050_000)] == ["east"]
    assert status(store, paper(line("2000", "50"), name="again", day="2026-01-23")) == "posted"


def test_a_slip_covers_its_own_serials_and_only_a_buyer_elsewhere(store: Store) -> None:
    here = ev("slip", "s-coop", "2026-01-04", giver="ada", taker="coop", origin=ADA_SOY, spans=[["4000", "5000"]])
    posted(store, [*BASE, SLIP, here])
    outside, against = "chain_not_shown", "broken_chain"
    for start, bushels, answer in (
        ("1999.999", "1", outside), ("2999", "1.001", outside), ("5000", "1", outside), ("3999", "1", outside),
        ("4000", "1", against), ("3999", "1.001", against), ("0", "1", against), ("999.999", "0.002", against),
    ):  # fmt: skip
        assert status(store, paper(line(start, bushels))) == answer, start
    assert status(store, paper(line("2999", "1"))) == "posted"


def test_it_may_come_as_a_product_and_never_at_a_better_ci_than_the_reports(store: Store) -> None:
    posted(store, [*BASE, SLIP])
    assert status(store, paper(line("2000", "100", ci="4999.99"))) == "ci_differs"
    oil = line("2000", "100", ci="5000.01", form="soybean_oil", pounds="1100", rate="11")
    posted(store, [paper(oil), ACCEPT])
    with store.reading() as facts:
        lot = facts.lots_at(ADA_SOY, 2_000_000, 2_000_001)[0]
        assert (lot.form, lot.product, lot.rate, lot.ci) == ("soybean_oil", 1_100_000, 11_000_000, 500_001)


def test_both_books_beside_each_other_show_one_chain() -> None:
    theirs, ours = MemoryStore(), MemoryStore()
    terms = {"start_day": "2026-01-01", "end_day": "2026-03-31", "policy": "oldest_first"}
    period = ev("period", "q-east", "2025-11-01", entity="east", **terms)
    buy = ev("purchase", "b", "2026-01-06", giver="ada", taker="east", slip="s-east")
    sell = ev("sale", "paper", "2026-01-20", giver="east", taker="mill", crop="soybeans", bushels="600")
    posted(theirs, [*CAST, EAST, period, *REPORTS, SLIP, buy, sell])
    posted(ours, [*BASE, SLIP, paper(line("2000", "600")), ACCEPT])
    alone = frame(claims_of_book(0, ours, ours.events()))
    both = frame([*claims_of_book(0, ours, ours.events()), *claims_of_book(1, theirs, theirs.events())])
    for claims in (alone, both):
        assert double_claims(counted_once(claims), {ADA_SOY: "ada"}) == []


def test_the_farms_slip_to_somebody_else_is_taken_in_under_the_farms_key() -> None:
    pin = ev(
        "contract", "contract-ada", "2025-11-03", entity="mill", counterparty="ada", role="supplier", number="K",
        start_day="2025-11-01", signing_key=key_of("ada").fingerprint,
    )  # fmt: skip
    store = MemoryStore()
    posted(store, [*BASE, pin])
    seller = MemoryStore()
    posted(seller, [*BASE, SLIP])
    made = slip_document(seller, "s-east", as_of=date(2026, 1, 4))
    assert open_document(sign_document(made, key_of("ada")), store, "mill", "slip.json").problems == ()
    assert open_document(sign_document(made, key_of("east")), store, "mill", "slip.json").problems != ()


def test_several_lines_of_one_known_lot_are_one_movement(store: Store) -> None:
    posted(store, [*BASE, SLIP, paper(line("2000", "600")), ACCEPT])
    posted(store, [ev("return", "back", "2026-01-22", giver="mill", taker="east", movement="paper")])
    again = paper(line("2300", "100"), line("2000", "100"), line("2100", "200"), name="again", day="2026-01-23")
    assert status(store, again) == "posted"
    fresh = [line("500", "100", origin="blind"), line("0", "100", origin="blind")]
    posted(store, [paper(*fresh, name="blind")])
    with store.reading() as facts:
        assert [lot.owner for lot in facts.lots_at(ADA_SOY, 2_000_000, 2_600_000)] == ["mill"] * 3 + ["east"]
        changed = ev("notice", "n", "2026-01-24", giver="east", taker="mill", number="1", origin="blind",
                     reason="withdrawn", spans=[["0", "100"], ["500", "600"]])  # fmt: skip
    posted(store, [changed])


def test_a_seller_whose_book_is_elsewhere_gets_back_what_is_not_taken_without_a_period_here(store: Store) -> None:
    posted(store, [*BASE, SLIP, paper(line("2000", "600"))])
    posted(store, [ev("reject", "no", "2026-01-21", taker="mill", giver="east", movement="paper", reason="wet")])
    with store.reading() as facts:
        assert [(lot.owner, lot.state) for lot in facts.lots_at(ADA_SOY, 2_000_000, 2_600_000)] == [("east", "held")]
    period = {"start_day": "2026-02-01", "end_day": "2026-03-31", "policy": "oldest_first"}
    posted(store, [ev("period", "q-east", "2026-01-22", entity="east", **period)])
    posted(store, [paper(line("2000", "600"), name="again", day="2026-01-23")])
    back = ev("reject", "late", "2026-01-24", taker="mill", giver="east", movement="again", reason="wet")
    assert status(store, back) == "period_not_declared"
