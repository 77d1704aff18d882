"""A day sheet says what its differences are made of: what was entered without a ticket, and what nothing explains."""

from datetime import date
from typing import Any, cast

from provender.custody.memory_store import MemoryStore
from provender.custody.model.entities import Entity
from provender.custody.queries.day_sheet import DaySheet, Difference, Why, day_sheet, said, sheet_document, sheet_text
from tests.custody.world import ADA_SOY, CAST, REPORTS, bought, ev, posted, serials

DAY = date(2026, 1, 20)


def sheet_of(events: list[dict[str, Any]], day: date = DAY, who: str = "coop") -> DaySheet:
    store = MemoryStore()
    posted(store, [*CAST, *REPORTS, *events])
    with store.reading() as facts:
        entity = facts.one(Entity, who)
        assert entity is not None
        return day_sheet(facts, entity, day)


def ticket(kind: str, number: str, amount: str, day: str = "2026-01-20", **more: object) -> dict[str, Any]:
    fields = {"entity": "coop", "site": "north", "form": "soybeans", "amount": amount, "number": number}
    return ev(kind, f"t-{number}", day, **fields, **more)


def without_ticket(name: str, bushels: str, day: str) -> list[dict[str, Any]]:
    made = bought(name, "ada", "coop", ADA_SOY, bushels, day=day, site="north")
    made[-1].pop("tickets")
    return made


def only(sheet: DaySheet) -> Difference:
    (one,) = sheet.differences
    return one


def test_what_was_measured_above_the_tickets_is_what_was_bought_without_one_and_a_rest() -> None:
    sheet = sheet_of([
        ticket("measurement", "M-0", "1000", "2026-01-05"), ticket("receipt", "R-1", "200", "2026-01-10"),
        *without_ticket("b1", "300", "2026-01-12"), ticket("measurement", "M-1", "1550"),
    ])  # fmt: skip
    one = only(sheet)
    assert (one.why, one.amount, one.since, one.until) == (Why.MEASURED, 350_000, date(2026, 1, 5), DAY)
    assert [(each.movement, each.came, each.amount) for each in one.untold] == [("b1", True, 300_000)]
    assert (one.told, one.rest, one.missing) == (300_000, 50_000, {"receipt"})
    words = " ".join(said(one))
    assert "measured on 2026-01-20 is 350 bu more than the tickets say" in words
    assert "1 entry brought 300 bu here without a ticket. With their tickets 50 bu more would be left" in words
    assert words in sheet_text(sheet)
    (plain,) = cast("list[Any]", sheet_document(sheet)["differences"])
    assert plain["said"] == words
    assert (plain["without_ticket"][0]["entry"], plain["without_ticket"][0]["party"]) == ("b1", "ada")


def test_what_left_without_a_ticket_is_told_and_what_nothing_explains_too() -> None:
    sale = ev("sale", "s1", "2026-01-15", giver="coop", taker="crush", crop="soybeans", bushels="100", site="north")
    start = bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-12", site="north")
    one = only(sheet_of([*start, sale, ticket("measurement", "M-1", "200")]))
    assert (one.amount, one.told, one.rest, one.missing) == (-100_000, -100_000, 0, {"shipment"})
    assert "1 entry took 100 bu away without a ticket. With their tickets nothing is left" in " ".join(said(one))
    bare = only(sheet_of([*start, ticket("receipt", "R-0", "200"), ticket("measurement", "M-1", "490.5")]))
    assert (bare.untold, bare.rest) == ((), -9_500)
    assert "9.5 bu less" in said(bare)[0]
    assert "No entry lacks its ticket" in " ".join(said(bare))


def test_claims_above_the_grain_are_explained_by_grain_that_left_alone_and_by_purchases_without_a_ticket() -> None:
    one = only(sheet_of([
        *bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-12", site="north"),
        *without_ticket("b2", "50", "2026-01-13"), ticket("shipment", "S-1", "120"),
    ]))  # fmt: skip
    assert (one.why, one.amount, one.told, one.rest) == (Why.SHORT, 170_000, 50_000, 120_000)
    assert one.alone_out == (1, 120_000)
    words = " ".join(said(one))
    assert "The claims are 170 bu more than the grain. 1 entry brought 50 bu here without a ticket." in words
    assert "Behind no sale: 1 ticket out, 120 bu." in words
    none = only(sheet_of(without_ticket("b2", "50", "2026-01-13")))
    assert (none.why, none.amount, none.rest) == (Why.NO_GRAIN_BOOK, 50_000, 0)


def test_a_day_without_a_difference_tells_what_stands_alone_and_a_quiet_one_tells_nothing() -> None:
    start = [ticket("receipt", "R-0", "1000", "2026-01-05")]
    one = only(sheet_of([*start, ticket("receipt", "R-1", "200"), *without_ticket("b1", "30", "2026-01-20")]))
    assert (one.why, one.amount, one.alone_in) == (Why.DAY, 0, (1, 200_000))
    assert [each.movement for each in one.untold] == ["b1"]
    assert "Behind no purchase: 1 ticket in, 200 bu." in " ".join(said(one))
    assert sheet_of(start).differences == ()


def test_what_was_taken_back_or_is_the_business_of_others_explains_nothing() -> None:
    start = [ticket("receipt", "R-0", "1000", "2026-01-05"), *without_ticket("b1", "30", "2026-01-20")]
    back = ev("correct", "c1", "2026-01-20", entity="coop", movement="b1", reason="typed wrongly")
    assert sheet_of([*start, back]).differences == ()
    stored = ev(
        "storage", "st", "2026-01-20", owner="coop", custodian="tank", site="tank", lots=[serials(ADA_SOY, 0, 30)]
    )
    (away,) = sheet_of([*start[:1], *without_ticket("b1", "30", "2026-01-10"), stored]).differences
    assert [(each.movement, each.came) for each in away.untold] == [("st", False)]


def test_grain_moved_with_its_tickets_lacks_none() -> None:
    start = bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-12", site="north")
    out = ticket("shipment", "O-1", "100") | {"id": "mv/out"}
    came = ticket("receipt", "O-2", "100") | {"id": "mv/in", "site": "south"}
    move = ev("move", "mv", "2026-01-20", entity="coop", crop="soybeans", bushels="100", site="north", to_site="south")
    assert sheet_of([*start, out, came, move]).differences == ()
    bare = sheet_of([*start, move | {"id": "bare"}])
    assert {(one.place[1], one.why) for one in bare.differences} == {("north", Why.DAY), ("south", Why.NO_GRAIN_BOOK)}
    assert all([each.movement for each in one.untold] == ["bare"] for one in bare.differences)
