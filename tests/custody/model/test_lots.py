"""Lots: spans of serials, stock by shelves, and one report's bushels from a farm and from a trader."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provender.custody.documents.build import slip_document
from provender.custody.documents.receive import open_document, sign_document
from provender.custody.events.registry import problem_of
from provender.custody.model.entities import Entity
from provender.custody.model.grain import (
    Direction,
    GrainEntry,
    alike,
    append_shortfall_warning,
    grain_group,
    shortfalls,
    stock_on,
)
from provender.custody.model.lots import (
    Lot,
    LotState,
    Slip,
    Span,
    Stock,
    age,
    bucket_of,
    common_spans,
    layers,
    subtract_spans,
)
from provender.custody.model.store_view import Store, printed
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.queries.claims import claims_of_book
from provender.custody.queries.double_claims import counted_once, double_claims, frame
from provender.custody.queries.trace import chain_of
from provender.custody.store import MemoryStore
from tests.custody.papers import key_of
from tests.custody.world import (
    ADA_SOY,
    CAST,
    REPORTS,
    Event,
    bought,
    entity,
    ev,
    favourable,
    posted,
    record_of,
    run,
    status,
)
from tests.draws import part_of_draws
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

# Spans of serials: what is left, what is common, what lies on each stretch, held against serial by serial.

SPAN = st.tuples(st.integers(0, 60), st.integers(1, 20)).map(lambda one: (one[0], one[0] + one[1]))
SPANS = st.lists(SPAN, max_size=12)


def serials(spans: list[Span]) -> list[int]:
    return [serial for start, stop in spans for serial in range(start, stop)]


@given(SPANS, SPANS)
def test_what_is_left_and_what_is_common_is_so_serial_by_serial(mine: list[Span], its: list[Span]) -> None:
    left, common = subtract_spans(mine, its), common_spans(mine, its)
    assert serials(left) == [serial for serial in serials(mine) if serial not in set(serials(its))]
    assert serials(common) == sorted({*serials(mine)} & {*serials(its)})


@given(SPANS)
def test_each_stretch_has_what_lies_on_it_in_the_order_given(spans: list[Span]) -> None:
    found = list(layers([(*span, number) for number, span in enumerate(spans)]))
    borders = {border for span in spans for border in span}
    for low, high, here in found:
        assert not any(low < border < high for border in borders)
        assert here == [number for number, (start, stop) in enumerate(spans) if start <= low and high <= stop]
    assert serials([(low, high) for low, high, _ in found]) == sorted(set(serials(spans)))


# Stock by shelves: whatever goes in and out, it holds what a list of the same lots holds.

DAY: Final = date(2026, 1, 1)
LOT: Final = Lot(
    "", "", "", "corn", 2025, 0, 0, "coop", "coop", "", "corn", 0, 0, 0, LotState.HELD, DAY, DAY, DAY, "", "", ""
)


@st.composite
def some_lots(draw: st.DrawFn) -> list[Lot]:
    """Draw lots that do not overlap, few places and carbon intensities, so that shelves are shared."""
    made = []
    for number in range(draw(st.integers(0, 30))):
        origin, site = draw(st.sampled_from("ab")), draw(st.sampled_from(["north", "south"]))
        days = [DAY + timedelta(draw(st.integers(0, 3))) for _ in range(2)]
        state = draw(st.sampled_from([LotState.HELD, LotState.UNVERIFIED]))
        spans = {"start": number * 10, "stop": number * 10 + draw(st.integers(1, 10))}
        marks: dict[str, Any] = {"origin": origin, "site": site, "state": state, "ci": draw(st.integers(1, 3)), **spans}
        made.append(replace(LOT, id=str(number), since=days[0], acquired=days[1], **marks))
    return made


@settings(max_examples=part_of_draws(2))
@given(some_lots(), st.data())
def test_a_stock_holds_what_went_in_and_did_not_go_out(lots: list[Lot], data: st.DataObject) -> None:
    stock = Stock(lots)
    gone = data.draw(st.lists(st.sampled_from(lots), unique=True)) if lots else []
    for lot in gone:
        stock.remove(lot)
    left = sorted((lot for lot in lots if lot not in gone), key=age)
    assert list(stock.lots) == left
    assert stock.shelves == {
        key: sum(lot.amount for lot in left if bucket_of(lot) == key) for key in map(bucket_of, left)
    }
    assert set(stock.origins) == {lot.origin for lot in left}
    for day in (DAY - timedelta(1), DAY, DAY + timedelta(2), DAY + timedelta(3), date.max):
        assert {lot.id for lot in stock.later_than(day)} == {lot.id for lot in left if lot.since > day}


def test_a_changed_lot_is_the_lot_with_other_fields() -> None:
    changes: dict[str, Any] = {"id": "m/1", "start": 5, "stop": 9, "state": LotState.LOST, "since": DAY + timedelta(1)}
    assert LOT.changed(changes) == replace(LOT, **changes)
    with pytest.raises(KeyError):
        LOT.changed({"colour": "red"})


def test_a_code_too_long_for_a_line_is_cut() -> None:
    assert [printed("x" * length) for length in (28, 29)] == ["x" * 28, f"{'x' * 10}…"]


# A party buys of one report both from the farm and from a trader, whose own purchase its book never saw.

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
        assert record_of(facts, Slip, "s-east").open_spans == ((2_700_000, 3_000_000),)
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


def test_it_may_come_as_a_product_and_never_at_a_better_ci_than_the_reports(store: MemoryStore) -> None:
    posted(store, [*BASE, SLIP])
    assert status(store, paper(line("2000", "100", ci="4999.99"))) == "ci_differs"
    oil = line("2000", "100", ci="5000.01", form="soybean_oil", pounds="1100", rate="11")
    posted(store, [paper(oil), ACCEPT])
    lot = store.lots_at(ADA_SOY, 2_000_000, 2_000_001)[0]
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
    store = posted(MemoryStore(), [*BASE, pin])
    seller = posted(MemoryStore(), [*BASE, SLIP])
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


def test_a_seller_whose_book_is_elsewhere_gets_back_what_is_not_taken_without_a_period_here(store: MemoryStore) -> None:
    posted(store, [*BASE, SLIP, paper(line("2000", "600"))])
    posted(store, [ev("reject", "no", "2026-01-21", taker="mill", giver="east", movement="paper", reason="wet")])
    assert [(lot.owner, lot.state) for lot in store.lots_at(ADA_SOY, 2_000_000, 2_600_000)] == [("east", "held")]
    period = {"start_day": "2026-02-01", "end_day": "2026-03-31", "policy": "oldest_first"}
    posted(store, [ev("period", "q-east", "2026-01-22", entity="east", **period)])
    posted(store, [paper(line("2000", "600"), name="again", day="2026-01-23")])
    back = ev("reject", "late", "2026-01-24", taker="mill", giver="east", movement="again", reason="wet")
    assert status(store, back) == "period_not_declared"


# Grain behind claims: its stock by day, what is sold beyond it, and tickets in somebody else's name.

# The grain of a site is what reading its book plainly says, whatever was voided or stated anew.

FIRST: Final = date(2026, 1, 1)
DAYS: Final = st.integers(0, 6).map(lambda number: FIRST + timedelta(days=number))
ENTRIES: Final = st.builds(
    GrainEntry, st.just("coop"), st.just("north"), st.just("corn"), st.sampled_from(["T1", "T2", "T3", "M1", "M2"]),
    DAYS, st.sampled_from(Direction), st.integers(0, 5_000), void=st.booleans(),
    source=st.sampled_from(["", "", "coop/south/S1", "coop/south/S2"]),
)  # fmt: skip


def plain_stock_on(entries: list[GrainEntry], day: date) -> int | None:
    """Return the stock at the end of a day by reading every entry, in thousandths; None with no entry up to it."""
    known = [one for one in entries if not one.void and one.day <= day]
    if not known:
        return None
    measured = [one for one in known if one.direction is Direction.MEASURED]
    # Of two measurements of one day the later entry counts: max keeps the first of equals, so look from the end.
    base = max(reversed(measured), key=lambda one: one.day, default=None)
    total = base.amount if base else 0
    for one in known:
        if one.direction is Direction.MEASURED or (base and one.day <= base.day):
            continue
        total += one.amount if one.direction is Direction.IN else -one.amount
    return total


@given(st.lists(ENTRIES, max_size=14), DAYS)
def test_it_says_what_the_plain_book_says(stated: list[GrainEntry], day: date) -> None:
    book = list({entry.number: entry for entry in stated}.values())
    assert stock_on(book, day) == plain_stock_on(book, day)
    earlier = [one for one in book if one.day < day or one.direction is not Direction.MEASURED]
    assert stock_on(book, day, before_measuring=True) == plain_stock_on(earlier, day)
    for number in ("T1", "M1", "unknown"):
        others = [one for one in book if one.number != number]
        assert stock_on(book, day, without=number) == plain_stock_on(others, day)


def test_a_day_without_entries_before_it_knows_no_stock() -> None:
    entry = GrainEntry("coop", "north", "corn", "M1", FIRST, Direction.MEASURED, 700)
    assert stock_on([entry], FIRST - timedelta(days=1)) is None
    assert (stock_on([entry], FIRST), stock_on([entry], FIRST, before_measuring=True)) == (700, None)
    assert stock_on([replace(entry, void=True)], FIRST) is None


@settings(max_examples=part_of_draws(2))
@given(st.lists(st.tuples(ENTRIES, st.sampled_from(["corn", "soybeans"])), max_size=14))
def test_a_store_keeps_tickets_of_another_crop_apart(stated: list[tuple[GrainEntry, str]]) -> None:
    records, book = MemoryStore(), dict[str, GrainEntry]()
    for entry, form in stated:
        book[entry.number] = replace(entry, form=form)
        records._put(book[entry.number])
        for of in ("corn", "soybeans"):
            listed = records.many(GrainEntry, grain_group("coop", "north", of))
            assert {one.number: one for one in listed} == {name: one for name, one in book.items() if one.form == of}


# Claims need grain on every day: what is sold beyond it is told, listed, and bars the close (interpretation 77).

END = date(2026, 3, 31)
CLOSE = ev("close", "q1", "2026-03-31", entity="coop", closed_on="2026-04-01")
BUY = [
    ev("slip", "slip", "2026-01-05", giver="ada", taker="coop", origin=ADA_SOY, bushels="1000"),
    ev("purchase", "buy", "2026-01-05", giver="ada", taker="coop", slip="slip", site="north"),
]
SALE: Final = ROWS.named["SALE"]


def at_north(kind: str, number: str, day: str, amount: str) -> Event:
    place = {"entity": "coop", "site": "north", "form": "soybeans"}
    return ev(kind, number, day, **place, number=number, amount=amount)


def sold(*more: Event) -> MemoryStore:
    return posted(MemoryStore(), [*CAST, *REPORTS, *BUY, *more])


def short(store: MemoryStore, end: date = END) -> list[tuple[str, int, int]]:
    found = shortfalls(store, record_of(store, Entity, "coop"), date(2026, 1, 1), end)
    return [(str(one.first), one.worst // 1000, one.left // 1000) for one in found]


@ROWS
def test_claims_sold_beyond_the_grain_bar_the_close_until_it_has_come(
    events: list[Event], expected: list[list[object]], answer: str
) -> None:
    store = sold(*events)
    assert [list(one) for one in short(store)] == expected
    assert status(store, CLOSE) == answer


STORED: Final = ROWS.named["STORED"]


@ROWS
def test_what_is_sold_out_of_anothers_house_is_held_against_grain_too_and_told(events: list[Event], told: int) -> None:
    store = sold(*events)
    coop = record_of(store, Entity, "coop")
    found = [one for one in alerts(store, coop, END) if one.kind is AlertKind.DAILY_SHORTFALL and "tank" in one.said]
    assert [one.bushels for one in found] == ([told] if told else [])
    if told:
        assert "Enter the tickets of the elevator" in found[0].said
        assert status(store, CLOSE) == "posted"


def test_a_ticket_of_the_destination_stands_behind_one_sale_only() -> None:
    half = {**SALE, "bushels": "500", "destination": [{"number": "W1", "bushels": "500"}]}
    store = sold(half)
    assert status(store, {**half, "id": "again"}) == "ticket_used"
    assert status(store, {**half, "id": "again", "taker": "mill"}) == "posted"


def test_a_shortfall_is_told_with_the_sale_and_leads_the_list() -> None:
    store = sold()
    answer = run(store, [SALE])[0]
    told = append_shortfall_warning(store, "coop", "soybeans", date(2026, 1, 10), answer)
    assert ("daily_shortfall", "1,000 bu") in told.details
    assert "more claims than grain received" in told.message
    assert alerts(store, record_of(store, Entity, "coop"), END)[0].kind is AlertKind.DAILY_SHORTFALL
    posted(store, [at_north("receipt", "T", "2026-01-06", "1000")])
    assert append_shortfall_warning(store, "coop", "soybeans", date(2026, 1, 10), answer) == answer


REFUSED = ev("reject", "no", "2026-01-12", taker="crush", giver="coop", movement="sale", site="north")
AGAIN = ev("correct", "c1", "2026-01-13", entity="crush", movement="no", reason="the wrong sale")
AFTER_ALL = ev("correct", "c2", "2026-01-14", entity="crush", movement="c1", reason="it was right")
TAKEN = ev("accept", "yes", "2026-01-11", taker="crush", movement="sale", site="plant")
RETURNED = ev("return", "no", "2026-01-12", giver="crush", taker="coop", movement="sale", site="north")


@pytest.mark.parametrize("back", [[REFUSED], [TAKEN, RETURNED]], ids=["refused", "returned"])
@pytest.mark.parametrize(("later", "left"), [([], 0), ([AGAIN], 1000), ([AGAIN, AFTER_ALL], 0)])
def test_what_came_back_and_went_on_again_needs_grain_again(back: list[Event], later: list[Event], left: int) -> None:
    store = posted(MemoryStore(), [*CAST, *REPORTS, *BUY, SALE, *back, *later])
    assert short(store) == [("2026-01-10", 1000, left)]


def test_what_came_back_twice_counts_once() -> None:
    """A refusal, its taking back, and that taken back: bushels that are there once stand behind no second sale."""
    more = ev("sale", "more", "2026-01-20", giver="coop", taker="crush", crop="soybeans", bushels="1000")
    store = sold(SALE, REFUSED, AGAIN, AFTER_ALL, more)
    assert short(store) == [("2026-01-10", 1000, 1000)]
    assert status(store, CLOSE) == "claims_exceed_grain"


# A ticket in somebody else's name behind a claim is told; the same name written otherwise is not.


@ROWS
def test_names_are_alike_when_they_share_a_word_that_not_every_farm_has(printed: str, name: str, same: bool) -> None:
    assert alike(printed, name) == same
    assert alike(name, printed) == same


def told(store: MemoryStore, name: str | None, *more: dict[str, object]) -> list[str]:
    """Ada's purchase of 100 bu, whose ticket came over the scale in some name."""
    ticket = ev(
        "receipt", "t", "2026-01-05", entity="coop", site="north", form="soybeans", amount="100", number="T1",
        **({"name": name} if name is not None else {}),
    )  # fmt: skip
    slip = ev("slip", "s", "2026-01-05", giver="ada", taker="coop", origin=ADA_SOY, bushels="100")
    behind = [{"number": "T1", "bushels": "100"}]
    buy = ev("purchase", "b", "2026-01-05", giver="ada", taker="coop", slip="s", site="north", tickets=behind)
    posted(store, [*CAST, *REPORTS, ticket, slip, buy, *more])
    found = alerts(store, record_of(store, Entity, "coop"), date(2026, 2, 1))
    return [one.said for one in found if one.kind is AlertKind.OTHER_NAME_ON_TICKET]


@pytest.mark.parametrize("name", [None, "", "ADA", "Ben, Ada", "(field Ben 40)", "Ada (field Ben 40)"])
def test_a_ticket_in_the_owners_name_or_in_no_name_tells_nothing(store: MemoryStore, name: str | None) -> None:
    assert told(store, name) == []


def test_a_ticket_in_another_name_is_told_with_both_names(store: MemoryStore) -> None:
    assert told(store, "Ben") == ["Ticket T1 at north is in the name of Ben; b is from Ada."]


def test_a_field_beside_a_name_is_nobody(store: MemoryStore) -> None:
    assert len(told(store, "Ben (field Ada 40)")) == 1


def test_a_ticket_keeps_its_name_when_a_purchase_names_it_and_when_it_is_freed(store: MemoryStore) -> None:
    back = ev("correct", "c", "2026-01-06", entity="coop", movement="b", reason="typed twice")
    assert told(store, "Ben", back) == []
    again = {"entity": "coop", "site": "north", "form": "soybeans", "amount": "100", "number": "T1", "void": True}
    assert run(store, [ev("receipt", "v", "2026-01-05", **again)])[0].status == "posted"


def test_claims_need_grain_at_each_site(store: MemoryStore) -> None:
    """North was measured at nothing: what south has carries no claim that was sold from north (readings 49, 77)."""
    buy = bought("n", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")
    buy[1].pop("tickets")
    south = ev("receipt", "S1", "2026-01-04", entity="coop", site="south", form="soybeans", number="S1", amount="9000")
    events = [
        *CAST,
        favourable("coop", "soybeans"),
        *REPORTS,
        south,
        at_north("measurement", "M", "2026-01-06", "0"),
        *buy,
    ]
    close = ev("close", "q", "2026-03-31", entity="coop", closed_on="2026-04-01")
    posted(store, [*events, SALE])
    assert [
        (one.site, one.left) for one in shortfalls(store, record_of(store, Entity, "coop"), date(2026, 1, 1), END)
    ] == [("north", 1_000_000)]
    assert status(store, close) == "claims_exceed_grain"
    posted(store, [at_north("receipt", "N1", "2026-01-20", "999")])
    assert status(store, close) == "claims_exceed_grain"
    posted(store, [at_north("receipt", "N2", "2026-01-20", "1")])
    assert status(store, close) == "posted"
