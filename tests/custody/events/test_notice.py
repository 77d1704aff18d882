"""A changed report reaches houses that keep their own books, by a signed notice, as far down as its bushels went."""

import json
from datetime import date
from typing import Any

import pytest

from provender.custody.documents.build import restatements
from provender.custody.documents.consents import NOTICE, holders_to_notify, notice_document, read_notice
from provender.custody.documents.print import document_pdf
from provender.custody.documents.receive import Answered, enter_document, open_document
from provender.custody.documents.sign import sign_document
from provender.custody.events.reports import Notice, NoticeKind
from provender.custody.memory_store import MemoryStore
from provender.custody.model.lots import LIVE, Lot, LotState
from provender.custody.store import post
from provender.problem import ProblemsError
from provender.signing.jws import Status as Signature
from tests.custody.ladders_of_papers import HANDED, told
from tests.custody.papers import ADA, DAY, buyer_book, changed, elevator_book, key_of, letter, salted, take, vouched
from tests.custody.world import CAST, bought, ev, favourable, posted, run

LATER = date(2026, 3, 2)
AMENDED = {**salted(), "id": "v2", "day": "2026-03-01", "version": 2}


def two_books(*, accepted: bool = True) -> tuple[MemoryStore, MemoryStore]:
    """The elevator's book and the crusher's, which took 2,500.5 bu from it on a signed document."""
    elevator, crusher = elevator_book(vouched()), buyer_book(vouched())
    if accepted:
        take(crusher, letter(elevator))
    return elevator, crusher


def notice(elevator: MemoryStore, event: str = "v2", *, signer: str = "coop") -> dict[str, Any]:
    made = notice_document(elevator, "coop", event, "crush", as_of=LATER)
    return sign_document(made, key_of(signer))


def enter(crusher: MemoryStore, raw: object, day: date = LATER) -> list[Answered]:
    incoming = open_document(raw, crusher, "crush", "notice.json")
    assert incoming.problems == ()
    return enter_document(incoming, crusher, lambda one: post(crusher, one), day=day)


def lots(store: MemoryStore) -> list[Lot]:
    return list(store.lots_at(ADA, 0, 10_000_000))


def test_a_notice_does_not_name_the_farm_whatever_the_event_is_called() -> None:
    elevator, _ = two_books()
    name = "report-ada-soybeans-2025-v2"
    posted(elevator, [{**AMENDED, "id": name, "ci": "5100"}])
    made = notice_document(elevator, "coop", name, "crush", as_of=LATER)
    assert "ada" not in json.dumps({**made, "origin": ""})
    assert made["number"].endswith("/crush")
    again = notice_document(elevator, "coop", name, "crush", as_of=LATER)
    assert again["number"] == made["number"]
    with pytest.raises(ProblemsError, match="not said who is to be told"):
        notice_document(elevator, "coop", name, "", as_of=LATER)


@pytest.mark.parametrize(("ci", "reached"), [("5000.01", True), ("5000", False), ("4999.99", False)])
def test_a_worse_carbon_intensity_reaches_the_buyers_book_and_an_equal_or_better_one_does_not(
    ci: str, reached: bool
) -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "ci": ci}])
    if not reached:
        assert holders_to_notify(elevator, "v2", "coop") == []
        with pytest.raises(ProblemsError, match="changed nothing for crush"):
            notice(elevator)
        return
    assert holders_to_notify(elevator, "v2", "coop") == ["crush"]
    assert [one.outcome.status for one in enter(crusher, notice(elevator))] == ["posted"]
    assert {(lot.ci, lot.state) for lot in lots(crusher)} == {(500_001, LotState.HELD)}


def test_bushels_that_left_the_report_end_in_the_buyers_book_and_no_others() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "bushels": "2000"}])
    cut = sum(lot.crop_amount for lot in lots(elevator) if lot.state is LotState.VOID and lot.owner == "crush")
    assert 0 < cut < 2_500_500
    enter(crusher, notice(elevator))
    assert sum(lot.crop_amount for lot in lots(crusher) if lot.state is LotState.VOID) == cut
    assert sum(lot.crop_amount for lot in lots(crusher) if lot.state is LotState.HELD) == 2_500_500 - cut
    live = [(lot.start, lot.stop) for lot in lots(crusher) if lot.state in LIVE]
    assert all(any(one.start <= low and high <= one.stop for one in lots(elevator)) for low, high in live)


def test_fewer_bushels_at_a_worse_carbon_intensity_are_two_changes_of_one_notice() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "bushels": "2000", "ci": "5100"}])
    assert [one.request.id.rsplit("-", 1)[1] for one in enter(crusher, notice(elevator))] == [
        "worse_ci", "fewer_bushels",
    ]  # fmt: skip
    assert {lot.ci for lot in lots(crusher) if lot.state in LIVE} == {510_000}


@pytest.mark.parametrize("deed", ["suspend", "withdraw"])
def test_a_suspended_or_withdrawn_report_stops_sales_in_the_buyers_book(deed: str) -> None:
    elevator, crusher = two_books()
    posted(elevator, [ev(deed, "stop", "2026-03-01", origin=ADA)])
    enter(crusher, notice(elevator, "stop"))
    sale = ev("sale", "on", "2026-03-05", giver="crush", taker="fuel", crop="soybeans", bushels="10")
    refused = "report_suspended" if deed == "suspend" else "exceeds_stock"
    assert run(crusher, [sale])[0].status == refused


def test_a_reinstated_report_lets_the_buyer_sell_again() -> None:
    elevator, crusher = two_books()
    for deed, day in (("suspend", "2026-03-01"), ("reinstate", "2026-03-02")):
        posted(elevator, [ev(deed, deed, day, origin=ADA)])
        enter(crusher, notice(elevator, deed))
    sale = ev("sale", "on", "2026-03-05", giver="crush", taker="fuel", crop="soybeans", bushels="10")
    assert run(crusher, [sale])[0].status == "posted"


def test_who_bought_on_is_told_in_turn_and_what_was_retired_is_a_shortfall() -> None:
    elevator, crusher = two_books()
    on = [
        ev("sale", "on", "2026-02-05", giver="crush", taker="fuel", crop="soybeans", bushels="500"),
        ev("accept", "on-a", "2026-02-06", taker="fuel", movement="on"),
        ev("retire", "r", "2026-02-07", entity="fuel", crop="soybeans", bushels="100", fuel="biodiesel", batch="B1",
           gallons="150"),
    ]  # fmt: skip
    posted(crusher, [favourable("crush", "soybeans"), *on])
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    answers = enter(crusher, notice(elevator))
    named = list(crusher.many(Notice, "fuel"))
    assert {(one.reason, one.change) for one in named} == {
        (NoticeKind.WORSE_CI, NoticeKind.WORSE_CI), (NoticeKind.SHORTFALL, NoticeKind.WORSE_CI),
    }  # fmt: skip
    passed_on = notice_document(crusher, "crush", answers[0].request.id, "fuel", as_of=LATER)
    assert (passed_on["ci_g_per_bu"], passed_on["changes"][0]["bushels"]) == ("5100", "500")


def test_a_closed_period_is_restated_beside_its_statement() -> None:
    elevator, crusher = two_books()
    grain = ev("measurement", "m", "2026-03-31", entity="crush", form="soybeans", amount="9000", number="M1")
    posted(crusher, [grain, ev("close", "q1", "2026-03-31", entity="crush", closed_on="2026-04-01")])
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    assert restatements(crusher, "crush") == []
    enter(crusher, notice(elevator), date(2026, 4, 2))
    assert len(restatements(crusher, "crush")) == 1


def test_a_notice_entered_twice_changes_nothing_even_on_another_day() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    enter(crusher, notice(elevator))
    assert [one.outcome.status for one in enter(crusher, notice(elevator), date(2026, 3, 20))] == ["exists"]


def test_a_notice_is_taken_from_the_pinned_seller_only_and_as_signed() -> None:
    elevator, crusher = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    stranger = open_document(notice(elevator, signer="mill"), crusher, "crush", "n.json")
    assert (stranger.signature, stranger.content) == (Signature.SIGNER_UNKNOWN, None)
    forged = open_document(changed(notice(elevator), ci_g_per_bu="9000"), crusher, "crush", "n.json")
    assert (forged.signature, forged.content) == (Signature.SIGNATURE_WRONG, None)


def test_a_seller_cannot_end_claims_that_it_did_not_give() -> None:
    store = MemoryStore()
    posted(store, HANDED)
    other = told("n", "2026-02-01", giver="coop", origin="blind", reason="withdrawn", spans=[["0", "1000"]])
    assert run(store, [other])[0].status == "parties_differ"
    assert {lot.state for lot in store.lots_at("blind", 0, 10**6)} == {LotState.UNVERIFIED}


@pytest.mark.parametrize(("reason", "left"), [("suspended", "750"), ("withdrawn", "750")])
def test_a_seller_stops_only_the_bushels_it_gave(reason: str, left: str) -> None:
    store = posted(MemoryStore(), CAST)
    line = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "origin": "blind"}
    for giver, start, stop in (("mill", "0", "250"), ("coop", "250", "1000")):
        lot = {**line, "bushels": str(int(stop) - int(start)), "start": start}
        paper = ev("document", f"d-{giver}", "2026-01-10", giver=giver, taker="crush", number=giver, lines=[lot])
        posted(store, [favourable(giver, "soybeans"), paper])
        posted(store, [ev("accept", f"a-{giver}", "2026-01-12", taker="crush", movement=f"d-{giver}")])
    sale = ev("sale", "on", "2026-02-05", giver="crush", taker="fuel", crop="soybeans", bushels=left)
    mills = told("n", "2026-02-01", origin="blind", reason=reason, spans=[["0", "250"]])
    assert run(store, [{**mills, "spans": [["0", "250.001"]]}])[0].status == "outside_origin"
    posted(store, [favourable("crush", "soybeans"), mills])
    assert run(store, [{**mills, "id": "n2", "number": "n2"}])[0].status == "already_answered"
    more = {"suspended": "report_suspended", "withdrawn": "exceeds_stock"}[reason]
    assert run(store, [{**sale, "id": "much", "bushels": "750.001"}])[0].status == more
    named = {name: value for name, value in sale.items() if name != "bushels"}
    lots = [{"origin": "blind", "start": "249", "stop": "251"}]
    both = {"suspended": "report_suspended", "withdrawn": "not_held"}[reason]
    assert run(store, [{**named, "id": "named", "lots": lots}])[0].status == both
    posted(store, [sale])
    if reason == "suspended":
        posted(store, [{**mills, "id": "n3", "number": "n3", "reason": "reinstated", "day": "2026-02-06"}])
        posted(store, [{**sale, "id": "rest", "day": "2026-02-07", "bushels": "250"}])


def test_a_book_that_never_had_the_bushels_says_so() -> None:
    elevator, crusher = two_books(accepted=False)
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    assert [one.outcome.status for one in enter(crusher, notice(elevator))] == ["record_not_found"]


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"changes": []}, "changes"),
        ({"ci_g_per_bu": None}, "ci_g_per_bu"),
        ({"ci_g_per_bu": "many"}, "ci_g_per_bu"),
        ({"origin": ""}, "origin"),
        ({"day": "2026-02-30"}, "day"),
        ({"type": "letter"}, "type"),
    ],
)
def test_a_field_of_a_notice_that_cannot_be_right_is_named(fields: dict[str, object], named: str) -> None:
    elevator, _ = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    found, problems = read_notice({**notice_document(elevator, "coop", "v2", "crush", as_of=DAY), **fields}, "n.json")
    assert found is None
    assert named in {problem.place.column for problem in problems}


def test_bushels_of_a_notice_that_differ_from_its_serials_and_unknown_changes_are_told() -> None:
    row = {"change": "gift", "bushels": "9", "spans": [{"start": "0", "stop": "10"}]}
    elevator, _ = two_books()
    posted(elevator, [{**AMENDED, "ci": "5100"}])
    made = notice_document(elevator, "coop", "v2", "crush", as_of=DAY)
    _, problems = read_notice({**made, "changes": [row, row]}, "n.json")
    assert {one.place.column for one in problems} == {
        "changes", "changes[0].bushels", "changes[0].change", "changes[1].bushels", "changes[1].change",
    }  # fmt: skip


def test_a_notice_prints_and_never_names_the_farm() -> None:
    elevator, _ = two_books()
    posted(elevator, [{**AMENDED, "bushels": "2000", "ci": "5100"}])
    made = notice_document(elevator, "coop", "v2", "crush", as_of=DAY)
    assert made["type"] == NOTICE
    assert "ada" not in str(made).casefold()
    assert document_pdf(made).startswith(b"%PDF")
    assert document_pdf(notice(elevator)["document"], envelope=notice(elevator), fingerprint="f").startswith(b"%PDF")


def test_an_event_that_the_book_does_not_have_makes_no_notice() -> None:
    elevator, _ = two_books()
    with pytest.raises(ProblemsError, match="no event of this name"):
        notice_document(elevator, "coop", "nothing", "crush", as_of=DAY)


WENT = ev("return", "r1", "2026-02-03", giver="crush", taker="coop", movement="s1", site="north")
HOME = ev("return", "r2", "2026-02-04", giver="coop", taker="ada", movement="p1")
WORSE = {**AMENDED, "ci": "5100"}


def test_whoever_gave_the_bushels_back_is_not_told() -> None:
    elevator = elevator_book(vouched())
    posted(elevator, [WENT, HOME, *bought("p2", "ada", "fuel", ADA, "4000", day="2026-02-10", site="works"), WORSE])
    assert holders_to_notify(elevator, "v2", "coop") == []
    with pytest.raises(ProblemsError, match="changed nothing for crush"):
        notice(elevator)


def test_whoever_bought_again_what_another_gave_back_is_told_alone() -> None:
    elevator = elevator_book(vouched())
    again = ev("sale", "s2", "2026-02-05", giver="coop", taker="mill", crop="soybeans", bushels="2500.5")
    posted(elevator, [WENT, {**again, "bushels": "4000"}, WORSE])
    assert holders_to_notify(elevator, "v2", "coop") == ["mill"]


@pytest.mark.parametrize("change", [WORSE, {**AMENDED, "bushels": "10"}])
def test_what_was_taken_back_without_the_buyers_paper_is_told_to_the_buyer(change: dict[str, Any]) -> None:
    elevator = elevator_book(vouched())
    elevator.owner = "coop"
    posted(elevator, [WENT, change])
    assert holders_to_notify(elevator, "v2", "coop") == ["crush"]
