"""What is taken back: answers, processings, goods, statements."""

from collections.abc import Sequence
from typing import Any, Final

import pytest

from provender.custody.events.plant import CampaignTotals
from provender.custody.events.registry import post, read_event
from provender.custody.model.grain import GrainEntry, grain_group
from provender.custody.model.lots import LotState
from provender.custody.model.store_view import R, Store
from provender.custody.store import MemoryStore
from tests.custody.first_sale import BUY, SELL, TAKE, base, books, line
from tests.custody.world import (
    ADA_SOY,
    CAST,
    REPORTS,
    Event,
    bought,
    ev,
    favourable,
    oil_yield,
    posted,
    record_of,
    report,
    run,
    serials,
    status,
)
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

# A buyer's answer that was entered in error is taken back; the sale is on its way again and is answered anew.

SENT_BACK = ev("reject", "j", "2026-01-12", taker="crush", giver="coop", movement="v", site="north")
GIVEN_BACK = ev("return", "g", "2026-01-12", giver="crush", taker="coop", movement="v", amount="100", site="north")
AGAIN = {**TAKE, "id": "again", "day": "2026-01-14"}


def back(name: str, movement: str, day: str = "2026-01-13", who: str = "crush") -> Event:
    return ev("correct", name, day, entity=who, movement=movement, reason="entered for another delivery")


@pytest.mark.parametrize("answer", [TAKE, SENT_BACK, GIVEN_BACK], ids=lambda one: str(one["type"]))
def test_a_sale_whose_answer_was_taken_back_is_accepted_whole(store: MemoryStore, answer: Event) -> None:
    posted(store, [*base(), *BUY, SELL, answer, back("k", answer["id"]), AGAIN])
    assert {lot.by for lot in store.lots_at(ADA_SOY, 0, 600_000)} == {"again"}
    crush, coop = line(store, "crush", 5000), line(store, "coop", 5000)
    assert (crush.ending, coop.ending) == (600_000, 400_000)
    assert status(store, {**AGAIN, "id": "once more"}) == "already_answered"


def test_a_sale_taken_back_in_error_is_on_its_way_again(store: MemoryStore) -> None:
    twice = [back("k", "v", "2026-01-11", "coop"), back("k2", "k", "2026-01-12", "coop")]
    posted(store, [*base(), *BUY, SELL, *twice, AGAIN])
    assert line(store, "crush", 5000).ending == 600_000


@ROWS
def test_a_sale_whose_acceptance_was_taken_back_may_come_back_to_its_seller(store: MemoryStore, after: Event) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE, back("k", "a"), after])
    assert line(store, "coop", 5000).ending == 1_000_000
    assert line(store, "crush", 5000).ending == 0


def test_what_is_on_its_way_by_one_sale_is_not_accepted_as_another(store: MemoryStore) -> None:
    more = {**SELL, "id": "w", "bushels": "100"}
    posted(store, [*base(), *BUY, SELL, TAKE, more, back("k", "a"), {**AGAIN, "movement": "w"}])
    answers = run(store, [{**AGAIN, "id": "w2", "movement": "w"}, {**AGAIN, "id": "v2"}])
    assert [one.status for one in answers] == ["already_answered", "posted"]
    assert line(store, "crush", 5000).ending == 700_000


def test_the_day_of_a_new_answer_is_not_before_the_old_one_was_taken_back(store: Store) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE, back("k", "a")])
    assert status(store, {**AGAIN, "day": "2026-01-12"}) == "not_held_yet"
    assert status(store, {**AGAIN, "day": "2026-01-13"}) == "posted"


# A return takes back what its purchase or sale gave, and nothing that came by another since.

HERE = {"origin": ADA_SOY, "start": "0", "stop": "100"}
ROUND: list[Event] = [
    *CAST, *(favourable(name, "soybeans") for name in ("coop", "mill")), *REPORTS,
    *bought("m", "ada", "mill", ADA_SOY, "100", day="2026-01-05", site="mill"),
    ev("return", "back", "2026-01-06", giver="mill", taker="ada", movement="m"),
    *bought("c", "ada", "coop", ADA_SOY, "100", day="2026-01-07", site="north"),
    ev("sale", "v", "2026-01-08", giver="coop", taker="mill", crop="soybeans", bushels="100"),
    ev("accept", "in", "2026-01-09", taker="mill", movement="v", site="mill"),
]  # fmt: skip
"""The mill gave the farm's bushels back; the elevator bought them and sold them to the mill."""


@pytest.mark.parametrize(
    ("named", "answer"), [({}, "not_held"), ({"lots": [HERE]}, "outside_movement")], ids=["all of it", "lots named"]
)
def test_serials_that_came_again_go_back_to_that_seller_only(store: MemoryStore, named: Event, answer: str) -> None:
    posted(store, ROUND)
    to_the_farm = ev("return", "r1", "2026-01-10", giver="mill", taker="ada", movement="m", **named)
    assert status(store, to_the_farm) == answer
    posted(store, [ev("return", "r2", "2026-01-10", giver="mill", taker="coop", movement="v", site="north", **named)])
    (lot,) = store.lots_at(ADA_SOY, 0, 100_000)
    assert (lot.owner, lot.supplier, lot.site) == ("coop", "ada", "north")


SOLD: Final = [
    *CAST, *(favourable(name, "soybeans") for name in ("coop", "crush")), *REPORTS,
    *bought("c", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north"),
    ev("sale", "v1", "2026-01-06", giver="coop", taker="crush", crop="soybeans", bushels="100"),
    ev("accept", "in1", "2026-01-07", taker="crush", movement="v1"),
]  # fmt: skip
ON: Final = [
    ev("sale", "v2", "2026-01-08", giver="crush", taker="fuel", crop="soybeans", bushels="100"),
    ev("accept", "in2", "2026-01-09", taker="fuel", movement="v2"),
]


def goods_back(name: str, movement: str, giver: str, taker: str, **more: object) -> Event:
    site = {} if taker != "coop" else {"site": "north"}
    return ev("return", name, "2026-01-10", giver=giver, taker=taker, movement=movement, **site, **more)


def test_what_was_resold_and_came_back_goes_back_to_the_one_before_and_to_the_farm(store: MemoryStore) -> None:
    posted(store, [*SOLD, *ON, goods_back("r2", "v2", "fuel", "crush"), goods_back("r1", "v1", "crush", "coop")])
    posted(store, [goods_back("r0", "c", "coop", "ada")])
    (lot,) = store.lots_at(ADA_SOY, 0, 100_000)
    assert (lot.owner, str(lot.state)) == ("ada", "held")


BOUGHT_AGAIN: Final = [
    goods_back("r1", "v1", "crush", "coop"),
    ev("sale", "v9", "2026-01-11", giver="coop", taker="crush", crop="soybeans", bushels="100"),
    ev("accept", "in9", "2026-01-12", taker="crush", movement="v9"),
]
VOID: Final = [
    ev("correct", "undo", "2026-01-08", entity="coop", movement="v1", reason="typed twice"),
    ev("settle", "agreed", "2026-01-09", entity="crush", movement="undo"),
    *BOUGHT_AGAIN[1:],
]


@pytest.mark.parametrize("named", [{}, {"lots": [HERE]}], ids=["all of it", "lots named"])
@pytest.mark.parametrize(
    ("between", "answers"),
    [
        (BOUGHT_AGAIN, {"not_held", "outside_movement"}),
        (VOID, {"already_answered"}),
        (ON, {"not_held"}),
        ([goods_back("r1", "v1", "crush", "coop")], {"not_held"}),
    ],
    ids=["sold anew", "void", "signed away", "twice"],
)
def test_a_return_takes_only_what_it_gave(store: Store, between: list[Event], answers: set[str], named: Event) -> None:
    posted(store, [*SOLD, *between])
    again = {**goods_back("r3", "v1", "crush", "coop", **named), "day": "2026-01-13"}
    assert status(store, again) in answers


def test_a_trade_whose_correction_was_taken_back_may_be_returned(store: Store) -> None:
    undone = ev("correct", "undo", "2026-01-08", entity="crush", movement="v1", reason="typed twice")
    redone = ev("correct", "redo", "2026-01-09", entity="coop", movement="undo", reason="it was right")
    posted(store, [*SOLD, undone, redone])
    if (answer := status(store, goods_back("r1", "v1", "crush", "coop"))) != "posted":
        posted(store, [ev("settle", "s", "2026-01-10", entity="coop", movement="redo")])
        answer = status(store, goods_back("r2", "v1", "crush", "coop"))
    assert answer == "posted"


# A verification statement taken back, or an adverse one, reaches what the party's buyers still have in stock.

PROVEN = favourable("coop", "soybeans")
BACK: Event = {**PROVEN, "id": "back", "day": "2026-01-20", "opinion": "adverse"}
"""The statement entered again under its number, as its verifier took it back."""
ONWARD = ev("sale", "w", "2026-01-15", giver="crush", taker="fuel", crop="soybeans", bushels="200")
LATER = {**ONWARD, "id": "w2", "day": "2026-01-21", "bushels": "1"}
BOOK = [*CAST, PROVEN, favourable("crush", "soybeans"), *REPORTS, *BUY, SELL, TAKE]


def states(store: MemoryStore, owner: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for lot in store.lots_of(owner, "soybeans"):
        found[str(lot.state)] = found.get(str(lot.state), 0) + lot.crop_amount
    return found


@ROWS
def test_what_no_statement_covers_now_is_unverified_again(
    store: MemoryStore, changes: dict[str, Any], held: bool
) -> None:
    posted(store, [*BOOK, {**BACK, **changes}])
    assert states(store, "crush") == {"held" if held else "unverified": 600_000}
    assert status(store, LATER) == ("posted" if held else "unverified")


def test_another_statement_entered_since_still_covers_it(store: MemoryStore) -> None:
    posted(store, [*BOOK, {**PROVEN, "id": "second", "number": "V2"}, BACK])
    assert states(store, "crush") == {"held": 600_000}


def test_a_contract_for_the_first_audit_does_not_revive_behind_a_bad_result(store: MemoryStore) -> None:
    first = favourable("coop", "soybeans", opinion="first_audit_contracted", number="V0")
    posted(store, [*CAST, {**first, "id": "first"}, *BOOK[len(CAST) :], BACK])
    assert states(store, "crush") == {"unverified": 600_000}


def test_what_went_on_stands_on_its_sellers_own_verification_and_what_ended_stays_ended(store: MemoryStore) -> None:
    take = ev("accept", "x", "2026-01-16", taker="fuel", movement="w", site="works")
    burn = ev("retire", "burn", "2026-01-17", entity="fuel", crop="soybeans", bushels="50", fuel="rd", batch="B",
              gallons="1")  # fmt: skip
    posted(store, [*BOOK, ONWARD, take, burn])
    assert run(store, [BACK])[0].message.endswith("1 lot in stock is unverified again.")
    assert states(store, "crush") == {"unverified": 400_000}
    assert states(store, "fuel") == {"held": 150_000}
    assert sum(lot.crop_amount for lot in store.lots_at(ADA_SOY, 0, 600_000) if lot.state is LotState.RETIRED)
    assert (line(store, "crush", 5000).ending, line(store, "crush", 5000).unverified) == (400_000, 400_000)
    assert books(store, "fuel")[0].lines[0].unverified == 0


def test_it_may_leave_without_a_claim_and_a_new_statement_cures_it(store: MemoryStore) -> None:
    give_up = ev("release", "r", "2026-01-22", entity="crush", crop="soybeans", bushels="100")
    posted(store, [*BOOK, BACK, give_up])
    posted(store, [{**PROVEN, "id": "again", "number": "V3", "day": "2026-01-25"}])
    assert states(store, "crush") == {"held": 500_000}
    assert status(store, LATER) == "not_held_yet"
    assert status(store, {**LATER, "day": "2026-01-25"}) == "posted"


def test_a_sale_dated_before_the_withdrawal_and_entered_after_it_finds_the_lot_as_it_is_now(store: Store) -> None:
    posted(store, [*BOOK, BACK])
    assert status(store, ONWARD) == "unverified"


def test_in_transit_it_is_decided_when_it_is_accepted(store: Store) -> None:
    posted(store, [*BOOK[:-1], BACK])
    assert run(store, [{**TAKE, "day": "2026-01-21"}])[0].details == (("state", "unverified"),)


def test_product_made_of_it_is_unverified_too(store: MemoryStore) -> None:
    posted(store, [
        *BOOK,
        oil_yield("y", "2026-01-01", entity="crush", site="plant", rate="11"),
        ev("process", "p", "2026-01-13", entity="crush", crop="soybeans", bushels="600", output="soybean_oil"),
        BACK,
    ])  # fmt: skip
    assert [(lot.form, lot.state) for lot in store.lots_of("crush", "soybeans")] == [("soybean_oil", "unverified")]


# A processing taken back after its campaign was trued up takes out the oil that its claims stand for by then.

RUN: dict[str, Any] = {"made_of": "soybeans", "output": "soybean_oil", "campaign": "C", "entity": "crush"}
DAYS: dict[str, Any] = {"start_day": "2026-01-01", "end_day": "2026-03-31"}
BATCH = "crush/plant/soybeans/soybean_oil/C"
START: list[Event] = [
    *CAST, favourable("coop", "soybeans"), favourable("crush", "soybeans"), *REPORTS,
    *bought("b1", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north"),
    ev("sale", "beans", "2026-01-06", giver="coop", taker="crush", crop="soybeans", bushels="1000"),
    ev("accept", "beans-in", "2026-01-06", taker="crush", movement="beans"),
    ev("yield", "y", "2026-01-07", rate="11", **RUN, **DAYS),
]  # fmt: skip
OIL_SOLD: Event = ev(
    "sale", "oil", "2026-01-20", giver="crush", taker="fuel", crop="soybeans", form="soybean_oil", pounds="3300"
)
FINAL: Event = ev("yield", "yf", "2026-01-31", rate="10", basis="final", **RUN, **DAYS)
TRUE_UP: Event = ev("true_up", "t", "2026-01-31", **RUN)


def process(name: str, bushels: str = "300", day: str = "2026-01-13") -> Event:
    return ev("process", name, day, entity="crush", crop="soybeans", output="soybean_oil", bushels=bushels)


def undo(name: str, movement: str, day: str = "2026-02-01") -> Event:
    return ev("correct", name, day, entity="crush", movement=movement, reason="weighed twice")


def totals(used: str, made: str, day: str = "2026-01-31") -> Event:
    return ev("crush", f"k-{day}", day, crop_crushed=used, product_made=made, **RUN)


def claimed(store: MemoryStore) -> tuple[int, int]:
    one = record_of(store, CampaignTotals, f"{BATCH}/crush")
    return one.used, one.made


@pytest.mark.parametrize("rate", ["10", "11", "12"])
def test_taking_back_all_that_a_campaign_claimed_leaves_nothing_and_never_less(store: MemoryStore, rate: str) -> None:
    posted(store, [*START, process("p"), {**FINAL, "rate": rate}, TRUE_UP, undo("c", "p")])
    assert claimed(store) == (0, 0)


def test_what_a_true_up_took_for_oil_sold_too_much_stays_taken(store: MemoryStore) -> None:
    posted(store, [*START, process("p1"), OIL_SOLD, process("p2", day="2026-01-21"), FINAL, TRUE_UP])
    assert claimed(store) == (600_000, 6_000_000)
    posted(store, [undo("c", "p2")])
    # The 300 bushels that stay gave the 3,300 lb sold; the 300 lb too much are with them again.
    assert claimed(store) == (300_000, 3_300_000)
    assert dict(run(store, [totals("600", "6000", "2026-02-02")])[0].details) == {"excess": "300 lb"}
    assert run(store, [process("p3", "300", "2026-02-03")])[0].status == "beyond_actual_product"


@pytest.mark.parametrize(("made", "answer"), [("6600", "posted"), ("6599.999", "beyond_actual_product")])
def test_crop_behind_oversold_oil_is_not_taken_out_of_its_campaign(store: Store, made: str, answer: str) -> None:
    posted(
        store, [*START, process("p1"), OIL_SOLD, process("p2", day="2026-01-21"), FINAL, TRUE_UP, totals("600", made)]
    )
    assert run(store, [undo("c", "p2")])[0].status == answer


def test_a_processing_does_not_come_back_into_a_campaign_that_was_trued_up(store: MemoryStore) -> None:
    posted(store, [*START, process("p1"), process("p2"), undo("c", "p1", "2026-01-14"), FINAL, TRUE_UP])
    assert run(store, [undo("cc", "c")])[0].status == "already_answered"
    assert claimed(store) == (300_000, 3_000_000)


@pytest.mark.parametrize(("made", "answer"), [("3600", "posted"), ("3599.999", "beyond_actual_product")])
def test_a_final_yield_that_gives_more_than_was_made_is_not_taken_over(store: Store, made: str, answer: str) -> None:
    posted(store, [*START, process("p"), totals("300", made, "2026-01-30")])
    assert run(store, [{**FINAL, "rate": "12"}])[0].status == answer


@ROWS
def test_a_processing_that_comes_back_must_fit_in_as_a_new_one(store: Store, used: str, made: str, answer: str) -> None:
    posted(store, [*START, process("p1"), process("p2"), undo("c", "p1", "2026-01-14"), totals(used, made)])
    assert run(store, [undo("cc", "c")])[0].status == answer


REFINING: Event = ev("yield", "yr", "2026-01-07", made_of="soybean_oil", output="refined_soybean_oil", campaign="R",
                     entity="crush", rate="0.95", **DAYS)  # fmt: skip


def refined_and_taken_back() -> list[Event]:
    oil = {"entity": "crush", "crop": "soybeans", "form": "soybean_oil", "output": "refined_soybean_oil"}
    return [REFINING, ev("process", "r", "2026-01-22", pounds="300", **oil), undo("cr", "r", "2026-01-23"), FINAL]


def bought_back() -> list[Event]:
    """Return oil that the elevator had made at the crusher's plant and sold to it, refined there and taken back."""
    toll = [
        ev("storage", "st", "2026-01-06", owner="coop", custodian="crush", lots=[serials(ADA_SOY, 900, 1000)]),
        ev("process", "theirs", "2026-01-13", entity="coop", plant="crush", crop="soybeans", output="soybean_oil",
           bushels="100"),
        ev("sale", "oil-back", "2026-01-20", giver="coop", taker="crush", crop="soybeans", form="soybean_oil",
           pounds="1100"),
        ev("accept", "oil-in", "2026-01-20", taker="crush", movement="oil-back"),
    ]  # fmt: skip
    sold = {**START[-3], "bushels": "900"}
    return [*[sold if one["id"] == "beans" else one for one in START], *toll, *refined_and_taken_back()]


def oil_rates(store: MemoryStore) -> set[int]:
    return {lot.rate for lot in store.lots_of("crush", "soybeans") if lot.form == "soybean_oil"}


def test_bought_oil_of_the_own_plant_stays_its_suppliers_when_its_refining_is_taken_back(store: MemoryStore) -> None:
    posted(store, bought_back())
    assert run(store, [TRUE_UP])[0].status == "nothing_to_adjust"
    assert oil_rates(store) == {11_000_000}


def test_own_oil_is_still_adjusted_after_its_refining_is_taken_back(store: MemoryStore) -> None:
    posted(store, [*START, process("p"), *refined_and_taken_back(), TRUE_UP])
    assert oil_rates(store) == {10_000_000}


# A ticket typed under the wrong crop, voided and typed again, is grain of the right crop and of no other.


def ticket(name: str, form: str, bushels: str, **more: object) -> Event:
    place = {"entity": "coop", "site": "north", "number": "T1"}
    return ev("receipt", name, "2026-01-10", form=form, amount=bushels, **place, **more)


CORRECTED = [
    ticket("typed", "soybeans", "100"), ticket("void", "soybeans", "100", void=True), ticket("again", "corn", "500"),
]  # fmt: skip


def measured(form: str) -> Event:
    return ev("measurement", f"m-{form}", "2026-01-12", entity="coop", site="north", form=form, amount="7",
              number=f"M-{form}")  # fmt: skip


def said(store: Store, form: str) -> str:
    return post(store, read_event(measured(form))).message


def test_it_is_grain_of_the_crop_that_it_says_now(store: Store) -> None:
    posted(store, [*CAST, *CORRECTED])
    assert "the book had no entry" in said(store, "soybeans")
    assert "the book said 500 bu" in said(store, "corn")
    with store.reading() as facts:
        listed = {form: [one.number for one in facts.many(GrainEntry, grain_group("coop", "north", form))]
                  for form in ("soybeans", "corn")}  # fmt: skip
    assert listed == {"soybeans": ["M-soybeans"], "corn": ["T1", "M-corn"]}


@pytest.mark.parametrize("back", [False, True])
def test_it_may_come_back_to_the_crop_that_it_said_first(store: Store, *, back: bool) -> None:
    posted(store, [*CAST, *CORRECTED, ticket("void again", "corn", "500", void=True)])
    if back:
        posted(store, [ticket("after all", "soybeans", "90")])
    assert ("the book said 90 bu" if back else "the book had no entry") in said(store, "soybeans")
    assert "the book had no entry" in said(store, "corn")


class Unread(MemoryStore):
    """A store that is never asked for the whole grain book of a site."""

    def many(self, kind: type[R], group: str) -> Sequence[R]:
        assert kind is not GrainEntry, f"all of {group} was read"
        return super().many(kind, group)


def test_no_purchase_sale_loss_or_ticket_reads_the_whole_grain_book_of_a_site() -> None:
    """A book of ten years has a million tickets: what reads them all for each entry takes the square of that."""
    store = Unread()
    posted(store, [*CAST, *CORRECTED, report("ada", "soybeans", "10000", "5000"),
                   *bought("p1", "ada", "coop", ADA_SOY, "4000", day="2026-01-10", site="north")])  # fmt: skip
    out = [{"number": "OUT-1", "bushels": "1000"}]
    sale = ev(
        "sale", "s1", "2026-01-20", giver="coop", taker="crush", crop="soybeans", bushels="1000", site="north",
        tickets=out,
    )  # fmt: skip
    loss = ev("loss", "l1", "2026-01-21", entity="coop", site="north", crop="soybeans", bushels="1")
    moved = ev("shipment", "g1", "2026-01-22", entity="coop", site="north", form="soybeans", amount="5", number="S1")
    posted(store, [sale, loss, moved])
