"""What an honest party meets that trades with neighbours who have books of their own."""

from typing import Any, Final

import pytest

from provender.custody.documents.build import transfer_document
from provender.custody.documents.consents import consent_document, holders_to_notify, notice_document, read_consent
from provender.custody.documents.receive import document_events, events_of, open_document, sign_document
from provender.custody.events.registry import post
from provender.custody.model.lots import LotState, Origin, OriginKind, Slip
from provender.custody.model.store_view import Store
from provender.custody.reconcile.discrepancies import DiscrepancyKind
from provender.custody.store import MemoryStore
from provender.exact import show
from provender.problem import ProblemsError
from tests.custody.model.test_lots import line, paper
from tests.custody.papers import DAY, gather_books, key_of, owned, told_of
from tests.custody.queries.test_own_books import ADA, HOUSES, book, buys, sells, side_by_side, sold_on
from tests.custody.world import (
    ADA_SOY,
    Event,
    entity,
    ev,
    favourable,
    oil_yield,
    on_paper,
    periods,
    posted,
    record_of,
    report,
    serials,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

CAME: list[Event] = sold_on("e1", "east", "mill", "2000", "500", "2026-01-20")
SLIP: Event = ev(
    "slip", "s-east", "2026-01-05", giver="ada", taker="east", origin=ADA_SOY, spans=[["2000", "3000"]]
)  # fmt: skip


def own(*events: Event) -> MemoryStore:
    return owned("mill", book("mill", *events))


def test_a_house_buys_of_a_farm_whose_bushels_it_had_from_another_house_before(store: Store) -> None:
    posted(store, [*HOUSES, *periods("mill"), *CAME, *buys("mill", 0, 1000)])
    with store.reading() as facts:
        held = [(lot.owner, lot.start, lot.stop) for lot in facts.lots_at(ADA_SOY, 0, 10_000_000)]
        origin = facts.one(Origin, ADA_SOY)
    assert held == [
        ("mill", 0, 1_000_000), ("ada", 1_000_000, 2_000_000), ("mill", 2_000_000, 2_500_000),
        ("ada", 2_500_000, 10_000_000),
    ]  # fmt: skip
    assert origin is not None
    assert (origin.source, origin.issuer) == (OriginKind.REPORT, "ada")


@ROWS
def test_a_report_that_the_papers_before_it_contradict_is_refused(changes: dict[str, Any], answer: str) -> None:
    assert status(book("mill", *CAME), {**ADA, **changes}) == answer


def test_a_slip_shown_after_some_of_its_bushels_came_says_only_what_is_left_of_it() -> None:
    mill = own(*CAME, *buys("mill", 0, 1000))
    posted(mill, [SLIP])
    slip = record_of(mill, Slip, "s-east")
    assert (slip.spans, slip.open_spans) == (((2_000_000, 3_000_000),), ((2_500_000, 3_000_000),))
    posted(mill, sold_on("e2", "east", "mill", "2500", "500", "2026-01-22"))
    again = {**SLIP, "id": "twice", "taker": "coop"}
    assert status(mill, again) == "serials_assigned"
    assert status(mill, {**again, "taker": "mill", "spans": [["2000", "2100"]]}) == "not_held"
    assert kinds(("mill", mill)) == set()


def test_a_farm_signs_over_what_it_has_only_in_a_book_of_all(store: Store) -> None:
    posted(store, [*HOUSES, *periods("mill"), *CAME, *buys("mill", 0, 1000)])
    assert status(store, {**SLIP, "taker": "fuel"}) == "not_held"
    assert status(store, {**SLIP, "taker": "coop"}) == "not_held"
    assert status(store, {**SLIP, "spans": [["2500", "3000"]]}) == "posted"


def test_a_slip_to_one_without_it_is_told_and_of_a_sale_only_what_is_new_taken_in() -> None:
    mill = own(*CAME, *buys("mill", 0, 1000))
    posted(mill, [{**SLIP, "id": "s-coop", "taker": "coop"}])
    (found,) = side_by_side(mill=mill)
    assert (found.kind, found.bushels) == (DiscrepancyKind.LINK_NOT_SHOWN, 500_000)
    assert status(mill, SLIP) == "serials_assigned"
    mill = own(*buys("mill", 0, 1000), SLIP, *sold_on("e1", "east", "mill", "2000", "100", "2026-01-20"))
    between = {**paper(line("2000", "1000"), name="e0", day="2026-01-10"), "giver": "east", "taker": "west"}
    posted(mill, [between])
    held = [(lot.owner, lot.start, lot.stop) for lot in mill.lots_at(ADA_SOY, 2_000_000, 3_000_000)]
    assert held == [("mill", 2_000_000, 2_100_000), ("west", 2_100_000, 3_000_000)]
    nothing = {**between, "id": "e9", "number": "e9", "lines": [line("2000", "50")]}
    assert status(mill, nothing) == "chain_not_shown"
    assert status(mill, {**nothing, "day": "2026-01-25"}) == "broken_chain"


@pytest.mark.parametrize("sites", [("yard",), ("works", "yard")])
def test_what_went_back_between_two_others_shows_how_it_came_to_the_one_who_sells_it(sites: tuple[str, ...]) -> None:
    """Who has several sites need not have accepted in the stranger's book what came back to one of them."""
    press, pair = entity("press", "intermediary", *sites), {"giver": "press", "taker": "west"}
    mill = own(*buys("mill", 0, 1000), {**SLIP, "taker": "coop"}, press)
    pins = [
        ev("contract", f"pin-{name}", "2025-11-03", entity="mill", counterparty=name, role="supplier", number=name,
           start_day="2025-11-01", signing_key=key_of(name).fingerprint) for name in ("press", "west")
    ]  # fmt: skip
    bought = {**paper(line("2000", "1000"), name="e0", day="2026-01-08"), "giver": "coop", "taker": "press"}
    shown = {**paper(line("2000", "1000"), name="e1", day="2026-01-10"), **pair}
    posted(mill, [*pins, bought, shown])
    sale = sold_on("e2", "press", "mill", "2000", "300", "2026-01-26")
    assert status(mill, sale[0]) == "chain_not_shown"
    west = book("west", press, shown, ev("accept", "a", "2026-01-12", taker="west", movement="e1"))
    posted(west, [ev("return", "r", "2026-01-20", giver="west", taker="press", movement="e1", site="yard",
                     lots=[serials(ADA_SOY, 2000, 2400)])])  # fmt: skip
    letter = sign_document(consent_document(west, "west", "r", as_of=DAY), key_of("west"))
    incoming = open_document(letter, mill, "mill", "letter.json")
    assert (incoming.between, incoming.problems) == (True, ())
    assert incoming.content
    (back,) = events_of(incoming.content, mill, day=DAY)
    assert back.day.isoformat() == "2026-01-20"
    assert str(post(mill, back).status) == "posted"
    posted(mill, sale)


OIL: list[Event] = [
    oil_yield("y", "2025-12-01", entity="mill", site="mill", rate="10.777777"),
    *buys("mill", 0, 1000),
    ev("process", "p", "2026-01-06", entity="mill", site="mill", crop="soybeans", output="soybean_oil", bushels="900"),
    ev("sale", "o1", "2026-01-08", giver="mill", taker="fuel", crop="soybeans", form="soybean_oil", pounds="9000"),
]  # fmt: skip


def test_pounds_given_back_are_the_same_in_both_books() -> None:
    mill, fuel = book("mill", *OIL), book("fuel")
    for store, name in ((mill, "mill"), (fuel, "fuel")):
        store.owner = name
    pin = {"role": "recipient", "number": "f", "start_day": "2025-11-01", "signing_key": key_of("fuel").fingerprint}
    posted(mill, [ev("contract", "f", "2025-11-03", entity="mill", counterparty="fuel", **pin)])
    content = open_document({"document": transfer_document(mill, "o1", as_of=DAY)}, fuel, "fuel", "o.json")
    assert content.problems  # not signed: what it says is read below
    sign = sign_document(transfer_document(mill, "o1", as_of=DAY), key_of("mill"))
    keys = {"role": "supplier", "number": "m", "start_day": "2025-11-01", "signing_key": key_of("mill").fingerprint}
    posted(fuel, [ev("contract", "m", "2025-11-03", entity="fuel", counterparty="mill", **keys)])
    opened = open_document(sign, fuel, "fuel", "o.json")
    assert opened.content
    for one in events_of(opened.content, fuel, day=DAY):
        assert str(post(fuel, one).status) == "posted"
    posted(fuel, [ev("return", "r", "2026-02-10", giver="fuel", taker="mill", movement="document-mill-o1",
                     amount="1000.001", site="mill")])  # fmt: skip
    read, problems = read_consent(consent_document(fuel, "fuel", "r", as_of=DAY), "r.json")
    assert (problems, read is not None) == ([], True)
    assert read
    letter = sign_document(consent_document(fuel, "fuel", "r", as_of=DAY), key_of("fuel"))
    agreed = open_document(letter, mill, "mill", "r.json")
    assert agreed.content
    (back,) = events_of(agreed.content, mill, day=DAY)
    assert str(post(mill, back).status) == "posted"
    pounds = [
        sum(lot.product for lot in store.lots_at(ADA_SOY, 0, 1_000_000) if lot.by in ("r", back.id))
        for store in (fuel, mill)
    ]
    assert pounds == [1_000_001, 1_000_001]


@pytest.mark.parametrize("disputed", [False, True])
def test_pounds_given_back_are_those_of_their_holder_also_where_others_bought_between(*, disputed: bool) -> None:
    mill, fuel = book("mill", *OIL), book("fuel")
    mill.owner, fuel.owner = "mill", "fuel"
    posted(mill, pins("mill", "fuel"))
    posted(fuel, [*pins("fuel", "mill"), on_paper(favourable("mill", "soybeans"))])
    incoming = open_document(
        sign_document(transfer_document(mill, "o1", as_of=DAY), key_of("mill")), fuel, "fuel", "o.json"
    )
    for one in document_events(incoming, fuel, day=DAY):
        assert str(post(fuel, one).status) == "posted"
    oil = {"giver": "fuel", "taker": "west", "crop": "soybeans", "form": "soybean_oil"}
    posted(fuel, [ev("sale", "unseen", "2026-02-03", **oil, pounds="1000"),
                  ev("sale", "seen", "2026-02-04", **oil, pounds="500"),
                  ev("return", "r", "2026-02-10", giver="fuel", taker="mill", movement="document-mill-o1",
                     site="mill")])  # fmt: skip
    (cut,) = [lot for lot in fuel.lots_by("seen") if lot.by == "seen"]
    between = {**line(show(cut.start), show(cut.crop_amount)), "form": "soybean_oil", "rate": "10.777777"}
    posted(mill, [{**paper({**between, "pounds": "500"}, name="seen", day="2026-02-04"), "giver": "fuel",
                   "taker": "west"}])  # fmt: skip
    if disputed:  # the mill enters it before it has the paper
        rest = {"origin": ADA_SOY, "start": show(cut.stop), "stop": "835.052"}
        posted(mill, [ev("return", "early", "2026-02-10", giver="fuel", taker="mill", movement="o1", site="mill",
                         lots=[rest])])  # fmt: skip
        (early,) = mill.lots_at(ADA_SOY, cut.stop, 835_052)
        assert (early.state, early.product) == (LotState.DISPUTED, 7_499_993)
    assert shown(mill, fuel, "r") == "posted"
    (back,) = mill.lots_at(ADA_SOY, cut.stop, 835_052)
    assert back.state is LotState.HELD
    (gone,) = [lot for lot in fuel.lots_by("r") if lot.by == "r"]
    assert (gone.product, back.product, back.owner) == (7_499_996, 7_499_996, "mill")


def test_crop_goes_back_lot_by_lot_so_that_both_books_make_the_same_of_it() -> None:
    east = owned("east", book("east", *buys("east", 0, 1000), sells("e1", "east", "west", "1000", "2026-01-10")))
    posted(east, pins("east", "west"))
    back = ev("return", "r", "2026-01-20", giver="west", taker="east", movement="e1", site="yard",
              lots=[serials(ADA_SOY, 0, 333), serials(ADA_SOY, 333, 777)])  # fmt: skip
    sold = {**paper(line("0", "1000"), name="e1", day="2026-01-10"), "giver": "east", "taker": "west"}
    west = owned("west", book("west", sold, ev("accept", "a", "2026-01-10", taker="west", movement="e1"), back))
    assert shown(east, west, "r") == "posted"
    mine = [(lot.start, lot.stop) for lot in east.lots_at(ADA_SOY, 0, 1_000_000) if lot.owner == "east"]
    assert mine == [(0, 333_000), (333_000, 777_000)]


def test_a_paper_taken_back_is_agreed_and_a_sale_whose_resale_was_refused_returned() -> None:
    mill = own(*buys("mill", 0, 1000), SLIP, CAME[0])
    posted(mill, [ev("correct", "c", "2026-02-01", entity="mill", movement="e1", reason="typed twice")])
    assert {lot.owner for lot in mill.lots_at(ADA_SOY, 2_000_000, 2_500_000)} == {"ada"}
    assert consent_document(mill, "mill", "c", as_of=DAY)["buyer"]["id"] == "east"
    east = owned("east", book("east", *buys("east", 0, 1000), sells("e1", "east", "mill", "500", "2026-01-10")))
    resold = {**paper(line("0", "200"), name="m1", day="2026-01-15"), "giver": "mill", "taker": "east"}
    posted(east, [resold, ev("reject", "no", "2026-01-16", taker="east", giver="mill", movement="m1", site="mill")])
    assert {lot.state for lot in east.lots_at(ADA_SOY, 0, 200_000)} == {LotState.IN_TRANSIT}
    back = ev("return", "r", "2026-01-20", giver="mill", taker="east", movement="e1", site="yard")
    assert status(east, back) == "posted"


# what is shown late, or of a trade that the book never saw


def pins(me: str, *others: str) -> list[Event]:
    return [
        ev("contract", f"pin-{name}", "2025-11-03", entity=me, counterparty=name, role="supplier", number=name,
           start_day="2025-11-01", signing_key=key_of(name).fingerprint) for name in others
    ]  # fmt: skip


def between(name: str, day: str, giver: str, taker: str, bushels: str = "1000", **more: str) -> Event:
    return {**paper(line("2000", bushels, **more), name=name, day=day), "giver": giver, "taker": taker}


def shown(store: MemoryStore, writer: MemoryStore, act: str) -> str:
    """Show a book what a party gave back, and return the answer."""
    assert writer.owner
    letter = sign_document(consent_document(writer, writer.owner, act, as_of=DAY), key_of(writer.owner))
    content = open_document(letter, store, store.owner, "letter.json").content
    assert content
    (back,) = events_of(content, store, day=DAY)
    return str(post(store, back).status)


def west_book(*events: Event) -> MemoryStore:
    west = book("west", between("e1", "2026-01-10", "east", "west"), ev("accept", "a", "2026-01-10", taker="west",
                movement="e1"), *events)  # fmt: skip
    west.owner = "west"
    return west


def test_bushels_given_back_by_a_trade_that_this_book_never_saw_are_with_who_had_sold_them() -> None:
    mill = own(*pins("mill", "east", "west"))
    bought = between("w1", "2026-01-12", "west", "mill")
    posted(mill, [bought, ev("reject", "no", "2026-01-14", taker="mill", giver="west", movement="w1", site="dock")])
    east_sells = sold_on("e2", "east", "mill", "2000", "300", "2026-01-26")
    west = west_book(ev("return", "r", "2026-01-20", giver="west", taker="east", movement="e1", site="yard"))
    assert status(mill, east_sells[0]) == "chain_not_shown"
    assert shown(mill, west, "r") == "posted"
    posted(mill, east_sells)


def test_only_the_one_that_has_the_bushels_shows_that_it_gave_them_back() -> None:
    mill = own(*buys("mill", 0, 1000), *pins("mill", "east", "west"), SLIP)
    west = west_book(ev("return", "r", "2026-01-20", giver="west", taker="east", movement="e1", site="yard"))
    letter = sign_document(consent_document(west, "west", "r", as_of=DAY), key_of("west"))
    content = open_document(letter, mill, "mill", "letter.json").content
    assert content
    with pytest.raises(ProblemsError, match="nothing of e1 with west"):
        events_of(content, mill, day=DAY)
    named = [serials(ADA_SOY, 0, 500)]
    forged = ev("return", "f", "2026-01-20", giver="west", taker="east", movement="e1", lots=named, site="yard",
                paper="{}")  # fmt: skip
    assert status(mill, forged) == "not_held"
    posted(mill, [between("e1", "2026-01-10", "east", "west")])
    signed = {**forged, "movement": "e0", "lots": [serials(ADA_SOY, 2000, 2400)]}
    assert status(mill, signed) == "paper_not_shown"


@pytest.mark.parametrize(("day", "answer"), [("2026-01-20", "nothing"), ("2026-01-21", "posted")])
def test_what_went_back_before_the_same_bushels_were_sold_takes_nothing_out(day: str, answer: str) -> None:
    """East sold to west, who gave back; east then sold to mill, which sells to west: the old paper is shown last."""
    mill = own(
        ADA,
        *pins("mill", "east", "west"),
        on_paper(favourable("mill", "soybeans")),
        on_paper(favourable("east", "soybeans")),
        SLIP,
    )
    came = sold_on("e2", "east", "mill", "2000", "1000", "2026-01-20")
    posted(mill, [on_paper(came[0], key_of("east").fingerprint), *came[1:],
                  sells("m1", "mill", "west", "1000", "2026-01-20")])  # fmt: skip
    west = west_book(ev("return", "r", day, giver="west", taker="east", movement="e1", site="yard"))
    if answer == "nothing":
        with pytest.raises(ProblemsError, match="nothing of e1 with west"):
            shown(mill, west, "r")
        assert {(lot.owner, lot.by) for lot in mill.lots_at(ADA_SOY, 2_000_000, 3_000_000)} == {("west", "m1")}
        return
    # What came back to it on a later day went round by ways that this book does not see.
    assert shown(mill, west, "r") == answer


def test_a_sale_between_others_from_before_a_worse_report_is_taken_in_and_stays_at_the_worse_intensity() -> None:
    mill = own(*buys("mill", 0, 1000), SLIP)
    posted(mill, [{**ADA, "id": "v2", "day": "2026-01-15", "version": 2, "ci": "5100"}])
    assert status(mill, between("e0", "2026-01-16", "east", "west")) == "ci_differs"
    assert status(mill, between("e0", "2026-01-10", "east", "west", ci="4900")) == "ci_differs"
    posted(mill, [between("e1", "2026-01-10", "east", "west"), between("w1", "2026-01-20", "west", "mill", ci="5100")])
    assert {lot.ci for lot in mill.lots_at(ADA_SOY, 2_000_000, 3_000_000)} == {510_000}


def test_a_sale_between_others_is_shown_again_once_what_came_before_it_is_known() -> None:
    wide = {**paper(line("1500", "500"), line("2000", "500"), name="e1", day="2026-01-20"), "giver": "west"}
    wide |= {"taker": "fuel"}
    mill = own(*buys("mill", 0, 1000), {**SLIP, "spans": [["1500", "3000"]]})
    posted(mill, [between("m", "2026-01-08", "east", "coop"), {**between("k", "2026-01-08", "east", "west", "500"),
           "lines": [line("1500", "500")]}, wide])  # fmt: skip
    sale = {**between("f1", "2026-01-26", "fuel", "mill", "500"), "taker": "mill"}
    assert status(mill, sale) == "chain_not_shown"
    assert status(mill, {**wide, "id": "again"}) == "chain_not_shown"
    posted(mill, [between("c1", "2026-01-12", "coop", "west")])
    assert status(mill, {**wide, "id": "other", "lines": [line("2000", "400")]}) == "document_seen"
    posted(mill, [{**wide, "id": "again"}, sale])
    assert status(mill, {**wide, "id": "third"}) == "chain_not_shown"


def test_a_house_elsewhere_gives_back_what_had_come_back_to_it() -> None:
    east = owned("east", book("east", *buys("east", 0, 1000), sells("e1", "east", "west", "1000", "2026-01-10")))
    posted(east, pins("east", "west", "fuel"))
    gone = {**paper(line("0", "400"), name="w1", day="2026-01-12"), "giver": "west", "taker": "fuel"}
    fuel = owned("fuel", book("fuel", gone, ev("accept", "a", "2026-01-12", taker="fuel", movement="w1")))
    posted(fuel, [ev("return", "r", "2026-01-14", giver="fuel", taker="west", movement="w1", site="dock")])
    posted(east, [gone])
    assert shown(east, fuel, "r") == "posted"
    back = ev("return", "r2", "2026-01-20", giver="west", taker="east", movement="e1", site="yard",
              lots=[serials(ADA_SOY, 0, 600)])  # fmt: skip
    west = book("west", {**gone, "giver": "east", "taker": "west", "number": "e1", "id": "e1",
                         "day": "2026-01-10", "lines": [line("0", "1000")]},
                ev("accept", "a", "2026-01-10", taker="west", movement="e1"), back)  # fmt: skip
    west.owner = "west"
    assert shown(east, west, "r2") == "posted"
    assert {lot.owner for lot in east.lots_at(ADA_SOY, 0, 600_000)} == {"east"}


def test_a_changed_report_is_told_to_whoever_bought_also_when_papers_show_that_it_sold_on() -> None:
    east = owned("east", book("east", *buys("east", 0, 1000), sells("e1", "east", "west", "1000", "2026-01-10")))
    posted(east, [{**paper(line("0", "400"), name="w1", day="2026-01-12"), "giver": "west", "taker": "fuel"},
                  {**ADA, "id": "v2", "day": "2026-02-01", "version": 2, "ci": "5100"}])  # fmt: skip
    assert holders_to_notify(east, "v2", "east") == ["west"]
    (change,) = notice_document(east, "east", "v2", "west", as_of=DAY)["changes"]
    assert change["bushels"] == "1000"
    with pytest.raises(ProblemsError, match="changed nothing for fuel"):
        notice_document(east, "east", "v2", "fuel", as_of=DAY)


@pytest.mark.parametrize(
    ("rate", "pounds", "booked"),
    [("10.89", "632.316", (632_316, 10_890_000)), ("10.9", "632.897", (632_897, 10_900_000))],
)
def test_pounds_trued_up_are_taken_as_the_paper_says(rate: str, pounds: str, booked: tuple[int, int]) -> None:
    oil = {"form": "soybean_oil", "rate": "10.89"}
    first = {**paper({**line("7.128", "58.064"), **oil, "pounds": "632.315"}, name="m1", day="2026-01-10")}
    anew = {**line("7.128", "58.064"), **oil, "rate": rate, "pounds": pounds}
    again = {**paper(anew, name="m2", day="2026-01-25")}
    fuel = owned(
        "fuel", book("fuel", {**first, "taker": "fuel"}, ev("accept", "a", "2026-01-10", taker="fuel", movement="m1"))
    )
    posted(fuel, [ev("return", "r", "2026-01-12", giver="fuel", taker="east", movement="m1", site="yard"),
                  {**again, "taker": "fuel"}])  # fmt: skip
    (lot,) = fuel.lots_at(ADA_SOY, 7_128, 65_192)
    assert (lot.product, lot.rate) == booked


# laid side by side


def kinds(*books: tuple[str, MemoryStore]) -> set[str]:
    return {str(one.kind) for one in side_by_side(**dict(books))}


def test_who_trades_on_one_day_is_in_no_circle_and_a_version_without_salt_no_second_origin() -> None:
    deal = sold_on("e1", "east", "west", "0", "400", "2026-01-10")
    proven = [favourable("east", "soybeans"), favourable("mill", "soybeans")]
    west = book("west", *proven, *deal, sells("w1", "west", "mill", "400", "2026-01-10"))
    east = book("east", *buys("east", 0, 1000), sells("e1", "east", "west", "400", "2026-01-10"))
    assert kinds(("east", east), ("west", west)) == set()
    again = sold_on("m1", "mill", "west", "0", "400", "2026-01-10")
    posted(west, [*again, sells("w2", "west", "fuel", "400", "2026-01-10")])
    assert kinds(("west", west)) >= {"circular_trade"}
    store = MemoryStore()
    first = {**report("ada", "soybeans", "10000", "5000"), "salt": "a salt of sixteen bytes and more"}
    later = {**report("ada", "soybeans", "10000", "5100", day="2026-01-09"), "id": "v2", "version": 2}
    posted(store, [entity("ada", "farm"), first, later])
    assert told_of(gather_books(("ada", store))) == []


def test_who_bought_again_what_had_been_given_back_to_it_is_in_no_circle() -> None:
    east = book("east", *buys("east", 0, 1000), sells("e1", "east", "west", "400", "2026-01-10"))
    posted(east, [
        ev("return", "r", "2026-01-12", giver="west", taker="east", movement="e1", site="yard"),
        ev("return", "r2", "2026-01-14", giver="east", taker="ada", movement="b-east",
           lots=[serials(ADA_SOY, 0, 400)]),
        {**SLIP, "id": "s2", "spans": [["0", "400"]], "day": "2026-01-15"},
        ev("purchase", "b2", "2026-01-15", giver="ada", taker="east", slip="s2"),
    ])  # fmt: skip
    assert kinds(("east", east)) == set()


def test_a_paper_between_others_asks_how_its_own_bushels_came_not_all(monkeypatch: pytest.MonkeyPatch) -> None:
    mill = own(*buys("mill", 0, 1000), SLIP, *sold_on("e1", "east", "mill", "2000", "100", "2026-01-20"))

    def every(*_: object) -> list[object]:
        raise AssertionError("each paper would look at every step of the origin")

    monkeypatch.setattr(MemoryStore, "steps_of", every)
    late = {**paper(line("2000", "1000"), name="e0", day="2026-01-10"), "giver": "east", "taker": "west"}
    posted(mill, [late])
    nothing = {**late, "id": "e9", "number": "e9", "lines": [line("2000", "50")]}
    assert status(mill, {**nothing, "day": "2026-01-25"}) == "broken_chain"


def test_who_wrote_the_first_paper_over_bushels_and_has_them_again_is_told_what_another_told() -> None:
    def came(name: str, giver: str, day: str) -> Event:
        return {**paper(line("2000", "500"), name=name, day=day), "giver": giver, "taker": "mill"}

    def sold(name: str, taker: str, day: str) -> Event:
        return ev("sale", name, day, giver="mill", taker=taker, crop="soybeans", lots=[serials(ADA_SOY, 2000, 2500)])

    def taken(name: str, day: str) -> Event:
        return ev("accept", f"take-{name}", day, taker="mill", movement=name)

    round_trip = [came("w1", "west", "2026-01-10"), taken("w1", "2026-01-11"), sold("s1", "east", "2026-01-12")]
    round_trip += [came("e1", "east", "2026-01-13"), taken("e1", "2026-01-14"), sold("s2", "west", "2026-01-15")]
    worse = ev("notice", "n", "2026-01-20", giver="east", taker="mill", number="7", origin=ADA_SOY, reason="worse_ci",
               spans=[["2000", "2400"]], ci="5100")  # fmt: skip
    mill = own(favourable("west", "soybeans"), favourable("east", "soybeans"), *round_trip, worse)
    assert holders_to_notify(mill, "n", "mill") == ["west"]
    told = notice_document(mill, "mill", "n", "west", as_of=DAY)
    assert [(one["change"], one["bushels"]) for one in told["changes"]] == [("worse_ci", "400")]
    assert told["ci_g_per_bu"] == "5100"


@ROWS
def test_who_gave_serials_back_tells_those_to_whom_it_had_sold_them_before(between_the_two: list[Event]) -> None:
    def came(name: str, giver: str, taker: str, day: str) -> Event:
        return {**paper(line("2000", "500"), name=name, day=day), "giver": giver, "taker": taker}

    mill = own(
        favourable("west", "soybeans"), came("w1", "west", "mill", "2026-01-10"),
        ev("accept", "a1", "2026-01-10", taker="mill", movement="w1"),
        ev("sale", "s1", "2026-01-11", giver="mill", taker="east", crop="soybeans", bushels="500"),
        came("e1", "east", "west", "2026-01-12"), came("w2", "west", "east", "2026-01-13"),
        {**came("e2", "east", "mill", "2026-01-14")}, favourable("east", "soybeans"),
        ev("accept", "a2", "2026-01-14", taker="mill", movement="e2"), *between_the_two,
        ev("return", "r", "2026-01-15", giver="mill", taker="east", movement="e2", site="yard"),
        ev("notice", "n", "2026-01-20", giver="west", taker="mill", number="7", origin=ADA_SOY, reason="worse_ci",
           spans=[["2000", "2400"]], ci="5100"),
    )  # fmt: skip
    assert holders_to_notify(mill, "n", "mill") == ["east"]


# A signed paper between two others that contradicts the book it is shown to: it is never passed over in silence.

STRAIGHT = buys("mill", 0, 1000)
RESOLD: list[Event] = [*STRAIGHT, sells("m1", "mill", "fuel", "200", "2026-01-20")]


def both(name: str, day: str, *, giver: str = "east") -> Event:
    """A paper over bushels that the mill bought of the farm itself, beside others of the farm."""
    lines: list[dict[str, Any]] = [line("0", "100"), line("2000", "1000")]
    return {**between(name, day, giver, "west"), "lines": lines}


@pytest.mark.parametrize("day", ["2026-01-03", "2026-01-05", "2026-01-10"])
def test_what_came_straight_from_the_farm_was_with_nobody_else_before(day: str) -> None:
    assert status(own(*STRAIGHT, SLIP), both("e1", day)) == "broken_chain"


@pytest.mark.parametrize("day", ["2026-01-03", "2026-01-06", "2026-01-19"])
def test_nor_was_what_this_house_sold_on_to_one_that_may_have_sold_it_since(day: str) -> None:
    assert status(own(*RESOLD), between("e1", day, "east", "west") | {"lines": [line("0", "100")]}) == "broken_chain"


def test_what_was_sold_to_a_house_later_or_came_back_to_the_farm_was_elsewhere_before() -> None:
    paper = between("f1", "2026-01-10", "fuel", "west") | {"lines": [line("0", "100")]}
    assert status(own(*RESOLD), paper) == "broken_chain"
    assert status(own(*RESOLD), {**paper, "day": "2026-01-20"}) == "posted"
    again: Event = {**SLIP, "id": "s-again", "taker": "mill", "spans": [["2000", "2100"]], "returned": "s-east",
                    "day": "2026-01-12"}  # fmt: skip
    mill = own(*STRAIGHT, SLIP, again, ev("purchase", "b2", "2026-01-12", giver="ada", taker="mill", slip="s-again"))
    posted(mill, [between("e1", "2026-01-08", "east", "west")])
    held = [(lot.owner, lot.start) for lot in mill.lots_at(ADA_SOY, 2_000_000, 3_000_000)]
    assert held == [("mill", 2_000_000), ("west", 2_100_000)]
    assert status(mill, between("e2", "2026-01-13", "east", "west")) == "broken_chain"
    mill = own(*STRAIGHT, SLIP, *sold_on("e2", "east", "mill", "2000", "500", "2026-01-20"))
    posted(mill, [ev("return", "r", "2026-01-22", giver="mill", taker="east", movement="e2",
                     lots=[serials(ADA_SOY, 2000, 2100)]), between("e1", "2026-01-18", "east", "west")])  # fmt: skip
    assert status(mill, between("e3", "2026-01-21", "east", "west")) == "broken_chain"


def test_what_was_taken_back_contradicts_no_paper_and_one_shown_before_is_told() -> None:
    mill = own(*STRAIGHT)
    posted(mill, [ev("correct", "c", "2026-01-08", entity="mill", movement="b-mill", reason="typed twice"),
                  ev("correct", "c2", "2026-01-08", entity="mill", movement="s-mill", reason="typed twice"),
                  SLIP, both("e1", "2026-01-06")])  # fmt: skip
    assert {(lot.owner, lot.state) for lot in mill.lots_at(ADA_SOY, 0, 100_000)} == {("ada", LotState.HELD)}
    mill = own(ADA, SLIP)
    posted(mill, [both("e1", "2026-01-03")])
    assert side_by_side(mill=mill) == []
    posted(mill, STRAIGHT[1:])
    (found,) = side_by_side(mill=mill)
    assert (found.kind, found.bushels) == (DiscrepancyKind.OVERLAP, 100_000)
