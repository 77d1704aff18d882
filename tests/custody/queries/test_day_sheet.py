"""The sheet of a day, its differences and bands, and the documented system of 2100.032(a)."""

from datetime import date
from io import BytesIO
from typing import Any, cast

import pytest
from pypdf import PdfReader

from provender.custody.documents.print import manual_pdf
from provender.custody.model.balances import Balance, BalanceLine, Key
from provender.custody.model.entities import Entity
from provender.custody.model.grain import Direction, GrainEntry
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.queries.day_sheet import (
    NONE_KNOWN,
    Band,
    DaySheet,
    Defaults,
    Difference,
    Light,
    PlaceToday,
    Reach,
    Why,
    band_of,
    day_sheet,
    reach_of,
    said,
    sheet_document,
    sheet_text,
)
from provender.custody.queries.manual import manual, table_lines
from provender.custody.store import MemoryStore
from tests.custody.papers import elevator_book, vouched
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, ev, posted, record_of, run, serials

# The sheet of a day with claims stored with another party: what the close would say, and nothing of its own.

DAY = date(2026, 2, 1)


def in_the_tank(measured: str | None) -> MemoryStore:
    """Two parties have beans in the tank of a third: 100 bushels of coop, 50 of mill."""
    store = posted(MemoryStore(), [*CAST, *REPORTS])
    posted(store, bought("b1", "ada", "coop", ADA_SOY, "100", day="2026-01-05", site="north"))
    posted(store, bought("b2", "ben", "mill", BEN_SOY, "50", day="2026-01-05", site="mill"))
    for owner, origin, bushels in (("coop", ADA_SOY, 100), ("mill", BEN_SOY, 50)):
        away = {"custodian": "tank", "lots": [serials(origin, 0, bushels)]}
        posted(store, [ev("storage", f"st-{owner}", "2026-01-06", owner=owner, **away)])
    if measured is not None:
        entry = ev("measurement", "m1", "2026-01-20", entity="tank", site="tank", form="soybeans", amount=measured)
        posted(store, [{**entry, "number": "M-1"}])
    return store


@pytest.mark.parametrize(
    ("measured", "light"),
    [(None, Light.NO_GRAIN_BOOK), ("149.999", Light.SHORT), ("150", Light.COVERED), ("0", Light.SHORT)],
)
def test_the_light_elsewhere_is_that_of_its_close_and_tells_no_amount(measured: str | None, light: Light) -> None:
    store = in_the_tank(measured)
    sheet = day_sheet(store, record_of(store, Entity, "coop"), DAY)
    (there,) = [one for one in sheet.places if one.place[0] == "tank"]
    assert (there.light, there.claims, there.grain, there.measured) == (light, 100_000, None, None)
    said = f"{sheet_document(sheet)} {sheet_text(sheet)}"
    assert not any(secret in said for secret in ("150", "149.999", "'50'")), "what others have there is theirs"


def test_all_claims_are_held_against_grain_at_home_and_elsewhere_ones_own() -> None:
    store = in_the_tank("149.999")
    (there,) = day_sheet(store, record_of(store, Entity, "tank"), DAY).places
    assert (there.light, there.claims, there.grain) == (Light.SHORT, 150_000, 149_999)
    store = in_the_tank("77.777")
    posted(store, bought("b3", "ada", "coop", ADA_SOY, "10", day="2026-01-07", site="south"))
    posted(store, [ev("measurement", "m2", "2026-01-20", entity="coop", site="south", form="soybeans", amount="4",
                      number="M-2")])  # fmt: skip
    coop = record_of(store, Entity, "coop")
    said = [one.said for one in alerts(store, coop, DAY) if one.kind is AlertKind.CLAIMS_WITHOUT_GRAIN]
    assert "south holds 4 bu, claims are 10 bu." in said


def refused_close(store: MemoryStore, owner: str) -> str:
    """Return what the refusal of a close says that releases nothing."""
    close = ev("close", f"close-{owner}", "2026-03-31", entity=owner, closed_on="2026-04-02", surplus="refused")
    [answer] = run(store, [close])
    assert answer.status == "claims_exceed_grain"
    return answer.message


@pytest.mark.parametrize(("owner", "own", "others"), [("coop", "100 bu", "50"), ("mill", "50 bu", "100")])
def test_a_refused_close_and_an_alert_elsewhere_name_only_the_askers(owner: str, own: str, others: str) -> None:
    store = in_the_tank("77.777")
    said = [refused_close(store, owner)]
    entity = record_of(store, Entity, owner)
    told = [one for one in alerts(store, entity, DAY) if one.kind is AlertKind.CLAIMS_WITHOUT_GRAIN]
    said += [one.said for one in told]
    assert [own in one and "tank has less soybeans than there are claims" in one for one in said] == [True, True]
    secrets = ("77.777", "150", f" {others} bu", "72.223", "mill" if owner == "coop" else "coop")
    assert not [(one, secret) for one in said for secret in secrets if secret in one]
    assert [one.bushels for one in told] == [int(own.split(maxsplit=1)[0]) * 1000], (
        "what is at stake is the asker's own"
    )


def test_numbers_of_a_printed_table_stand_under_each_other_and_a_name_of_no_column_is_a_mistake() -> None:
    rows = [("a", "1,234.5 bu", "7", "none"), ("b", "-2 bu", "1,000", "3.25")]
    assert list(table_lines(("", "Amount", "n", "odd"), rows, amounts=("Amount", "n", "odd"))) == [
        "|  | Amount | n | odd |", "|---|---:|---:|---|",
        "| a | 1,234.5 bu | 7 | none |", "| b | -2.0 bu | 1,000 | 3.25 |",
    ]  # fmt: skip
    assert list(table_lines(("",), [("1",)]))[1] == "|---|", "only where it is asked for"
    assert list(table_lines(("n",), [], amounts=("n",))) == ["None."]
    with pytest.raises(ValueError, match="Weight"):
        list(table_lines(("Amount",), [("1",)], amounts=("Weight",)))


@pytest.mark.parametrize("odd", [("T", "100", "100.1", "100.10"), ("Site", "7", "7.5", "7.50")])
def test_only_a_column_that_is_called_one_of_amounts_is_written_with_other_decimals(odd: tuple[str, ...]) -> None:
    head, *names = odd
    rows = [(name, f"{place} bu") for place, name in enumerate(names)]
    lines = list(table_lines((head, "Amount"), rows, amounts=("Amount",)))[2:]
    assert [line.split(" | ")[0] for line in lines] == [f"| {name}" for name in names]


def numbered() -> Entity:
    """Return a party whose name, sites, tickets and claims are all numbers."""
    return Entity("1", "1", (), ("7", "7.5"))


def a_day(*lines: BalanceLine, defaults: Defaults = NONE_KNOWN) -> DaySheet:
    weighed = (("100", "7", 100_500), ("100.1", "7.5", 5_000), ("100.10", "7.5", 12_000))
    tickets = tuple(
        GrainEntry("1", site, "corn", number, DAY, Direction.IN, amount, claim=f"{number}0")
        for number, site, amount in weighed
    )
    place = [PlaceToday(("1", site, "corn"), 500, 0, 500, 0, None, 0, Light.COVERED) for site in ("7", "7.5")]
    return DaySheet(numbered(), DAY, tickets, tuple(place), Balance("1", DAY, DAY, tuple(lines)), defaults)


def cells(text: str, part: str) -> list[list[str]]:
    """Return the rows of the table under a heading."""
    rows = text.split(f"## {part}")[1].split("##", maxsplit=1)[0].strip().splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_paper_of_a_day_names_tickets_sites_and_claims_without_signs_of_markup() -> None:
    text = sheet_text(a_day())
    assert [(row[0], row[1], row[4], row[5]) for row in cells(text, "Tickets")] == [
        ("100", "7", "100.5 bu", "1000"), ("100.1", "7.5", "5.0 bu", "100.10"), ("100.10", "7.5", "12.0 bu", "100.100"),
    ]  # fmt: skip
    assert [row[0] for row in cells(text, "Grain and claims at the end of the day")] == ["7", "7.5"]
    pages = PdfReader(BytesIO(manual_pdf(words(book(), "coop"), MANUAL_DAY))).pages
    shown = " ".join(" ".join(page.extract_text() for page in pages).replace("\u200b", "").split())
    assert "Odd | Sons (odd) recipient K-2 2026-01-01 pinned" in shown
    assert "Mass balance time periods (2100.034(b))" in shown
    assert not any(mark in shown for mark in ("##", "---", "\\|"))


def test_one_band_of_two_years_has_two_rows_and_one_that_ends_at_nothing_stands_first() -> None:
    lines = [BalanceLine(Key("corn", year, ci), beginning=1_000) for year, ci in ((2024, 850_000), (2025, 850_000))]
    sheet = a_day(*lines, defaults={("corn", 2024): 900_000, ("corn", 2025): 880_000})
    rows = cells(sheet_text(sheet), "Claims by carbon intensity, bushels")
    assert [row[:2] for row in rows] == [["corn 2024", "under 10 % below"], ["corn 2025", "under 10 % below"]]
    told = sheet_document(sheet)["claims"]
    assert [one["harvest_year"] for one in told] == [2024, 2025]  # type: ignore[attr-defined]
    sheet = a_day(*(BalanceLine(Key("corn", 2025, ci), beginning=1_000) for ci in (-5, 0, 250_000)))
    assert [reach.high for _, _, reach in sheet.bands()] == [0, 100_000, 300_000]


# A day sheet says what its differences are made of: what was entered without a ticket, and what nothing explains.

DIFFERENCES_DAY = date(2026, 1, 20)


def sheet_of(events: list[dict[str, Any]], day: date = DIFFERENCES_DAY, who: str = "coop") -> DaySheet:
    store = posted(MemoryStore(), [*CAST, *REPORTS, *events])
    return day_sheet(store, record_of(store, Entity, who), day)


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
    assert (one.why, one.amount, one.since, one.until) == (Why.MEASURED, 350_000, date(2026, 1, 5), DIFFERENCES_DAY)
    assert [each.number for each in sheet.tickets] == ["M-1"], "those of the day alone"
    assert [(each.movement, each.came, each.amount) for each in one.untold] == [("b1", True, 300_000)]
    assert (one.told, one.rest, one.missing) == (300_000, 50_000, {"receipt"})
    words = " ".join(said(one))
    assert "measured on 2026-01-20 is 350 bu more than the tickets say" in words
    assert "1 entry brought 300 bu here without a ticket. With their tickets 50 bu more would be left" in words
    assert words in sheet_text(sheet)
    (plain,) = cast("list[Any]", sheet_document(sheet)["differences"])
    assert plain["said"] == words
    assert (plain["without_ticket"][0]["entry"], plain["without_ticket"][0]["party"]) == ("b1", "ada")


def test_what_left_without_a_ticket_is_told_and_grain_moved_with_its_tickets_lacks_none() -> None:
    sale = ev("sale", "s1", "2026-01-15", giver="coop", taker="crush", crop="soybeans", bushels="100", site="north")
    start = bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-12", site="north")
    one = only(sheet_of([*start, sale, ticket("measurement", "M-1", "200")]))
    assert (one.amount, one.told, one.rest, one.missing) == (-100_000, -100_000, 0, {"shipment"})
    assert [each.party for each in one.untold] == ["crush"]
    assert "1 entry took 100 bu away without a ticket. With their tickets nothing is left" in " ".join(said(one))
    bare = only(sheet_of([*start, ticket("receipt", "R-0", "200"), ticket("measurement", "M-1", "490.5")]))
    assert (bare.untold, bare.rest) == ((), -9_500)
    assert "9.5 bu less" in said(bare)[0]
    assert "No entry lacks its ticket" in " ".join(said(bare))
    out = ticket("shipment", "O-1", "100") | {"id": "mv/out"}
    came = ticket("receipt", "O-2", "100") | {"id": "mv/in", "site": "south"}
    move = ev("move", "mv", "2026-01-20", entity="coop", crop="soybeans", bushels="100", site="north", to_site="south")
    assert sheet_of([*start, out, came, move]).differences == ()
    found = sheet_of([*start, move | {"id": "bare"}]).differences
    assert {(one.place[1], one.why) for one in found} == {("north", Why.DAY), ("south", Why.NO_GRAIN_BOOK)}
    assert all([each.movement for each in one.untold] == ["bare"] for one in found)


def test_the_claims_of_a_day_are_those_before_later_sales_cut_their_lot() -> None:
    start = bought("b1", "ada", "coop", ADA_SOY, "300", day="2026-01-12", site="north")
    sale = ev("sale", "s1", "2026-01-21", giver="coop", taker="crush", crop="soybeans", bushels="100", site="north")
    (place,) = sheet_of([*start, sale, sale | {"id": "s2", "bushels": "50"}]).places
    assert place.claims == 300_000


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


def test_only_what_stands_alone_and_is_ones_own_explains_a_day() -> None:
    start = [ticket("receipt", "R-0", "1000", "2026-01-05")]
    one = only(sheet_of([*start, ticket("receipt", "R-1", "200"), *without_ticket("b1", "30", "2026-01-20")]))
    assert (one.why, one.amount, one.alone_in) == (Why.DAY, 0, (1, 200_000))
    assert [each.movement for each in one.untold] == ["b1"]
    assert "Behind no purchase: 1 ticket in, 200 bu." in " ".join(said(one))
    assert sheet_of(start).differences == ()
    start = [ticket("receipt", "R-0", "1000", "2026-01-05"), *without_ticket("b1", "30", "2026-01-20")]
    back = ev("correct", "c1", "2026-01-20", entity="coop", movement="b1", reason="typed wrongly")
    assert sheet_of([*start, back]).differences == ()
    stored = ev(
        "storage", "st", "2026-01-20", owner="coop", custodian="tank", site="tank", lots=[serials(ADA_SOY, 0, 30)]
    )
    (away,) = sheet_of([*start[:1], *without_ticket("b1", "30", "2026-01-10"), stored]).differences
    assert [(each.movement, each.came) for each in away.untold] == [("st", False)]


# Five bands against the national default: at, just under and just over each border, for both signs.

CASES = [
    (0, Band.THIRTY), (629_999, Band.THIRTY), (630_000, Band.THIRTY), (630_001, Band.TWENTY), (720_000, Band.TWENTY),
    (720_001, Band.TEN), (810_000, Band.TEN), (810_001, Band.LESS), (899_999, Band.LESS), (900_000, Band.DEFAULT),
    (900_001, Band.DEFAULT), (-1, Band.THIRTY),
]  # fmt: skip


@pytest.mark.parametrize(("ci", "band"), CASES)
def test_a_border_belongs_to_the_band_farther_below(ci: int, band: Band) -> None:
    assert band_of(ci, 900_000) is band


def test_the_borders_of_a_band_hold_what_it_holds_also_of_a_default_that_is_no_round_number() -> None:
    assert (band_of(1_999, 2_857), band_of(2_000, 2_857)) == (Band.THIRTY, Band.TWENTY)
    for default in (700_000, 900_001, 3, -0):
        for ci in (*range(-3, 12), *range(489_990, 490_010), *range(699_990, 700_010), 899_999, 900_001):
            low, high, band = reach_of(ci, default)
            assert (low is None or low <= ci) and (high is None or ci < high)  # noqa: PT018 - one claim
            if default:
                assert band == band_of(ci, default)
                assert low is None or band_of(low, default) == band
                assert high is None or band_of(high, default) != band
    assert reach_of(612_345, None) == Reach(600_000, 700_000, "")


# The documented system of 2100.032(a) says what the rule asks for, from the book alone, as text and as paper.

MANUAL_DAY = date(2026, 2, 10)


def book() -> MemoryStore:
    store = elevator_book(vouched())
    odd = ev("entity", "e-odd", "2026-01-02", entity="odd", name="Odd | Sons", roles=["intermediary"], sites=["yard"])
    signed = {"start_day": "2026-01-01", "signing_key": "thumb"}
    farm = ev(
        "contract", "k-1", "2026-01-02", entity="coop", counterparty="ada", role="supplier", number="K|1", **signed
    )
    buyer = ev(
        "contract", "k-2", "2026-01-02", entity="coop", counterparty="odd", role="recipient", number="K-2", **signed
    )
    proof = ev(
        "statement", "s-ada", "2026-01-02", entity="ada", verifier="Veri", number="V7", start_day="2026-01-01",
        end_day="2026-12-31", crops=["corn"], opinion="first_audit_contracted",
    )  # fmt: skip
    posted(store, [odd, farm, buyer, proof])
    return store


def words(store: MemoryStore, name: str) -> str:
    return manual(store, record_of(store, Entity, name), MANUAL_DAY)


def test_the_manual_names_partners_by_name_role_contract_and_key_and_says_who_buys_from_farms() -> None:
    text = words(book(), "coop")
    ada = book().one(Entity, "ada")
    assert ada is not None
    assert f"| {ada.name} (ada) | supplier | K\\|1 | 2026-01-01 | pinned |" in text
    assert "| Odd \\| Sons (odd) | recipient | K-2 | 2026-01-01 | pinned |" in text
    assert "(ada): first year, audit contracted with Veri, 2026-01-01 to 2026-12-31, corn (no. V7)." in text
    assert "Reports of farms behind what we bought: 1 on file" in text
    store = book()
    assert "From a farm we buy" in words(store, "coop")
    assert "From a farm we buy" not in words(store, "odd")
    assert "No contract is on file." in words(store, "odd")
