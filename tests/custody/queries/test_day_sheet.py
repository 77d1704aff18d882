"""The sheet of a day where claims lie in another's house: what the close would say, and nothing of what is its own."""

from datetime import date

import pytest

from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import Balance, BalanceLine, Key
from provender.custody.model.entities import Entity
from provender.custody.model.grain import Direction, GrainEntry
from provender.custody.queries.alerts import AlertKind, alerts
from provender.custody.queries.day_sheet import (
    NONE_KNOWN,
    DaySheet,
    Defaults,
    Light,
    PlaceToday,
    day_sheet,
    sheet_document,
    sheet_text,
)
from provender.custody.queries.manual import table_lines
from tests.custody.world import ADA_SOY, BEN_SOY, CAST, REPORTS, bought, ev, posted, run, serials

DAY = date(2026, 2, 1)


def in_the_tank(measured: str | None) -> MemoryStore:
    """Two houses have beans in the tank of a third: 100 bushels of coop, 50 of mill."""
    store = MemoryStore()
    posted(store, [*CAST, *REPORTS])
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
def test_the_light_in_another_house_is_that_of_its_close_and_tells_no_amount(
    measured: str | None, light: Light
) -> None:
    store = in_the_tank(measured)
    with store.reading() as facts:
        coop = facts.one(Entity, "coop")
        assert coop is not None
        sheet = day_sheet(facts, coop, DAY)
    (there,) = [one for one in sheet.places if one.place[0] == "tank"]
    assert (there.light, there.claims, there.grain, there.measured) == (light, 100_000, None, None)
    said = f"{sheet_document(sheet)} {sheet_text(sheet)}"
    assert not any(secret in said for secret in ("150", "149.999", "'50'")), "what others have there is theirs"


def test_in_its_own_house_all_claims_are_held_against_the_grain() -> None:
    store = in_the_tank("149.999")
    with store.reading() as facts:
        tank = facts.one(Entity, "tank")
        assert tank is not None
        (there,) = day_sheet(facts, tank, DAY).places
    assert (there.light, there.claims, there.grain) == (Light.SHORT, 150_000, 149_999)


def refused_close(store: MemoryStore, owner: str) -> str:
    """Return what the refusal of a close says that releases nothing."""
    close = ev("close", f"close-{owner}", "2026-03-31", entity=owner, closed_on="2026-04-02", surplus="refused")
    [answer] = run(store, [close])
    assert answer.status == "claims_exceed_grain"
    return answer.message


@pytest.mark.parametrize(("owner", "own", "others"), [("coop", "100 bu", "50"), ("mill", "50 bu", "100")])
def test_a_refused_close_and_an_alert_over_another_house_name_only_what_is_the_askers(
    owner: str, own: str, others: str
) -> None:
    store = in_the_tank("77.777")
    said = [refused_close(store, owner)]
    with store.reading() as facts:
        entity = facts.one(Entity, owner)
        assert entity is not None
        told = [one for one in alerts(facts, entity, DAY) if one.kind is AlertKind.CLAIMS_WITHOUT_GRAIN]
    said += [one.said for one in told]
    assert [own in one and "tank has less soybeans than there are claims" in one for one in said] == [True, True]
    secrets = ("77.777", "150", f" {others} bu", "72.223", "mill" if owner == "coop" else "coop")
    assert not [(one, secret) for one in said for secret in secrets if secret in one]
    assert [one.bushels for one in told] == [int(own.split(maxsplit=1)[0]) * 1000], (
        "what is at stake is the asker's own"
    )


def test_the_keeper_of_the_house_is_told_its_own_grain() -> None:
    store = in_the_tank("77.777")
    posted(store, bought("b3", "ada", "coop", ADA_SOY, "10", day="2026-01-07", site="south"))
    posted(store, [ev("measurement", "m2", "2026-01-20", entity="coop", site="south", form="soybeans", amount="4",
                      number="M-2")])  # fmt: skip
    with store.reading() as facts:
        coop = facts.one(Entity, "coop")
        assert coop is not None
        said = [one.said for one in alerts(facts, coop, DAY) if one.kind is AlertKind.CLAIMS_WITHOUT_GRAIN]
    assert "south holds 4 bu, claims are 10 bu." in said


def test_numbers_of_a_printed_table_stand_under_each_other_with_their_decimals_and_words_do_not() -> None:
    rows = [("a", "1,234.5 bu", "7", "none"), ("b", "-2 bu", "1,000", "3.25")]
    assert list(table_lines(("", "Amount", "n", "odd"), rows, amounts=("Amount", "n", "odd"))) == [
        "|  | Amount | n | odd |", "|---|---:|---:|---|",
        "| a | 1,234.5 bu | 7 | none |", "| b | -2.0 bu | 1,000 | 3.25 |",
    ]  # fmt: skip
    assert list(table_lines(("",), [("1",)]))[1] == "|---|", "only where it is asked for"
    assert list(table_lines(("n",), [], amounts=("n",))) == ["None."]


@pytest.mark.parametrize("odd", [("T", "100", "100.1", "100.10"), ("Site", "7", "7.5", "7.50")])
def test_only_a_column_that_is_called_one_of_amounts_is_written_with_other_decimals(odd: tuple[str, ...]) -> None:
    head, *names = odd
    rows = [(name, f"{place} bu") for place, name in enumerate(names)]
    lines = list(table_lines((head, "Amount"), rows, amounts=("Amount",)))[2:]
    assert [line.split(" | ")[0] for line in lines] == [f"| {name}" for name in names]


def test_a_name_of_amounts_that_no_column_has_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="Weight"):
        list(table_lines(("Amount",), [("1",)], amounts=("Weight",)))


def numbered() -> Entity:
    """Return a house whose name, sites, tickets and claims are all numbers."""
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


def test_the_paper_of_a_day_names_tickets_sites_and_claims_as_they_are() -> None:
    text = sheet_text(a_day())
    assert [(row[0], row[1], row[4], row[5]) for row in cells(text, "Tickets")] == [
        ("100", "7", "100.5 bu", "1000"), ("100.1", "7.5", "5.0 bu", "100.10"), ("100.10", "7.5", "12.0 bu", "100.100"),
    ]  # fmt: skip
    assert [row[0] for row in cells(text, "Grain and claims at the end of the day")] == ["7", "7.5"]


def test_one_band_of_two_years_has_two_rows_that_say_their_year_the_lowest_first() -> None:
    lines = [BalanceLine(Key("corn", year, ci), beginning=1_000) for year, ci in ((2024, 850_000), (2025, 850_000))]
    sheet = a_day(*lines, defaults={("corn", 2024): 900_000, ("corn", 2025): 880_000})
    rows = cells(sheet_text(sheet), "Claims by carbon intensity, bushels")
    assert [row[:2] for row in rows] == [["corn 2024", "under 10 % below"], ["corn 2025", "under 10 % below"]]
    told = sheet_document(sheet)["claims"]
    assert [one["harvest_year"] for one in told] == [2024, 2025]  # type: ignore[attr-defined]


def test_a_band_that_ends_at_nothing_stands_before_those_above_it() -> None:
    sheet = a_day(*(BalanceLine(Key("corn", 2025, ci), beginning=1_000) for ci in (-5, 0, 250_000)))
    assert [reach.high for _, _, reach in sheet.bands()] == [0, 100_000, 300_000]
