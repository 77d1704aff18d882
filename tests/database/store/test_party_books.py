"""A party's own book, taken out of the shared one, stands by itself and holds the very same (decision 0007).

``PROVENDER_SEASONS="1:2500 2:2500"`` runs longer seasons instead, each a seed and a number of movements.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from provender.cli.custody.reconcile import read_book
from provender.custody.book_file import seal
from provender.custody.events.closing import Closing
from provender.custody.events.registry import post, read_posted
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import joined
from provender.custody.model.store_view import StoreView
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.gathered import ReconcileInput, older_parts, put_together
from provender.custody.store import MemoryStore
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.database.store.party_book import book_of
from provender.rule.crops import Crop
from tests.custody.model.test_lots import ACCEPT, SLIP, line, paper
from tests.custody.model.test_lots import BASE as RESALE
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, bought, entity, ev, favourable, on_record, posted, report
from tests.simulation.season import season


def replayed(party: str) -> tuple[MemoryStore, list[Event]]:
    """Return what a party's own book holds by itself, every event of it posted."""
    own, events = MemoryStore(), [json.loads(text)["event"] for text in book_of(party).decode().splitlines()[1:]]
    for event in events:
        outcome = post(own, read_posted(event))
        assert outcome.status == "posted", (party, event, outcome.message)
    return own, events


RESOLD = [
    *RESALE, *bought("other", "ada", "coop", ADA_SOY, "1000", day="2026-01-06", site="north"),
    ev("sale", "s1", "2026-01-20", giver="coop", taker="mill", crop="soybeans", bushels="400"),
    ev("accept", "a1", "2026-01-21", taker="mill", movement="s1"),
    ev("return", "r1", "2026-01-22", giver="mill", taker="coop", movement="s1", amount="100",
       site="north"),
    ev("sale", "s2", "2026-01-23", giver="coop", taker="mill", crop="soybeans", bushels="300"),
    ev("accept", "a2", "2026-01-24", taker="mill", movement="s2"),
]  # fmt: skip


@pytest.mark.django_db(databases=["default"])
@pytest.mark.parametrize(
    ("events", "came"),
    [
        pytest.param(RESOLD, 700, id="from a trader of this server"),
        pytest.param([*RESALE, SLIP, paper(line("2000", "600")), ACCEPT], 600, id="from a trader elsewhere"),
    ],
)
def test_who_bought_of_one_report_from_farm_and_trader_has_a_whole_book(events: list[Event], came: int) -> None:
    shared = SqlStore(Actor(None, "test"))
    posted(shared, events)
    own, lines = replayed("mill")
    with shared.reading() as facts:
        theirs = {(lot.start, lot.stop, lot.supplier) for lot in facts.lots_of("mill", "soybeans")}
    assert {(lot.start, lot.stop, lot.supplier) for lot in own.lots_of("mill", "soybeans")} == theirs
    assert len(theirs) > 1
    # Of what else the trader bought from the farm the book says nothing.
    slips = [event for event in lines if event["type"] == "slip" and event["taker"] != "mill"]
    assert sum(float(stop) - float(start) for one in slips for start, stop in one["spans"]) == came


@pytest.mark.django_db(databases=["default"])
def test_every_earlier_export_of_a_book_is_known_and_says_nothing_of_its_own(tmp_path: Path) -> None:
    """Each export is sealed anew, and a later sale puts who its seller is, and the farm's slip, further up."""
    shared, exports = SqlStore(Actor(None, "test")), list[Path]()
    posted(shared, RESALE)
    for number, event in enumerate(RESOLD[len(RESALE) :]):
        posted(shared, [event])
        path = tmp_path / f"{number}.jsonl"
        path.write_bytes(book_of("mill"))
        if not exports or path.read_bytes() != exports[-1].read_bytes():
            exports.append(path)
    chains = [[json.loads(line)["chain"] for line in one.read_bytes().splitlines()[1:]] for one in exports]
    assert any(chains[-1][: len(chain)] != chain for chain in chains), "something was put in between"
    parts = [read_book(one).gathered for one in reversed(exports)]
    assert older_parts(parts) == set(range(1, len(exports))) != set()
    assert reconcile(put_together(parts)) == reconcile(parts[0])
    # One in which something was changed since says something of its own.
    changed = exports[-2].read_text().splitlines()[:-1]
    (other := tmp_path / "other.jsonl").write_text("\n".join([*changed, _ending_otherwise(changed)]) + "\n")
    assert older_parts([parts[0], read_book(other).gathered]) == set()


def _ending_otherwise(lines: Sequence[str]) -> str:
    event = {"type": "entity", "id": "new", "day": "2026-01-23", "entity": "new", "name": "New", "roles": ["farm"]}
    return json.dumps({"event": event, "chain": seal(json.loads(lines[-1])["chain"], event)})


BASE = [*CAST, *(favourable(name, "soybeans") for name in ("coop", "mill", "crush")), *REPORTS]
COOP = bought("b", "ada", "coop", ADA_SOY, "1000", day="2026-01-05", site="north")
MILL = bought("m", "ada", "mill", ADA_SOY, "2000", day="2026-01-06", site="mill")


def sold(name: str, giver: str, taker: str, bushels: str, day: str, **more: Any) -> list[Event]:  # noqa: ANN401
    sale = ev("sale", name, day, giver=giver, taker=taker, crop="soybeans", bushels=bushels, **more)
    place = {"site": "north"} if taker == "coop" else {}
    return [sale, ev("accept", f"in-{name}", day, taker=taker, movement=name, **place)]


def yields(plant: str, site: str) -> Event:
    return ev("yield", "y", "2026-01-01", entity=plant, site=site, made_of="soybeans", output="soybean_oil",
              campaign="C", rate="11.069317", start_day="2026-01-01", end_day="2026-03-31")  # fmt: skip


SHARED: list[Event] = [
    *MILL, ev("share", "sh", "2026-01-07", giver="ada", taker="lena", origin=ADA_SOY, bushels="500"),
    *bought("l", "lena", "coop", ADA_SOY, "200", day="2026-01-08", site="north"),
]  # fmt: skip
RETURNED: list[Event] = [
    *COOP, *sold("v", "coop", "crush", "400", "2026-01-10"), *sold("on", "crush", "fuel", "100", "2026-01-11"),
    ev("return", "back", "2026-01-12", giver="crush", taker="coop", movement="v", amount="150", site="north"),
]  # fmt: skip
SHRUNK: list[Event] = [
    *MILL, *COOP, {**report("ada", "soybeans", "2500", "5000", day="2026-02-01"), "id": "less", "version": 2},
]  # fmt: skip
SUSPENDED: list[Event] = [
    *COOP, *MILL, *sold("v1", "coop", "crush", "300", "2026-01-10"), *sold("v2", "mill", "crush", "300", "2026-01-11"),
    *bought("o", "ben", "coop", "ben/soybeans/2025", "500", day="2026-01-12", site="north"),
    *sold("v3", "coop", "crush", "400", "2026-01-13", ci_min="6000"),
    ev("suspend", "rest", "2026-01-20", origin=ADA_SOY), *sold("v4", "crush", "fuel", "400", "2026-01-21"),
]  # fmt: skip
TOLLED: list[Event] = [
    *COOP, yields("crush", "plant"),
    ev("storage", "st", "2026-01-08", owner="coop", custodian="crush",
       lots=[{"origin": ADA_SOY, "start": "0", "stop": "100"}]),
    ev("process", "p", "2026-01-10", entity="coop", plant="crush", crop="soybeans", bushels="90", output="soybean_oil"),
]  # fmt: skip
STORED: list[Event] = [
    *COOP, ev("storage", "st", "2026-01-08", owner="coop", custodian="tank",
              lots=[{"origin": ADA_SOY, "start": "0", "stop": "300"}]),
    ev("measurement", "m1", "2026-03-30", entity="tank", site="tank", form="soybeans", amount="250", number="M1"),
    ev("measurement", "m2", "2026-03-30", entity="coop", site="north", form="soybeans", amount="700", number="M2"),
    ev("close", "q", "2026-03-31", entity="coop", closed_on="2026-04-01"),
]  # fmt: skip
TAKEN_BACK: list[Event] = [
    *COOP, *sold("v", "coop", "crush", "400", "2026-01-10"),
    ev("correct", "c1", "2026-01-12", entity="coop", movement="v", reason="typed twice"),
    ev("correct", "c2", "2026-01-13", entity="coop", movement="c1", reason="it was right"),
    ev("correct", "c3", "2026-01-14", entity="crush", movement="c2", reason="it was not"),
    *sold("w", "coop", "crush", "100", "2026-01-15"),
]  # fmt: skip
THIRD_PARTY: list[Event] = [
    *COOP, *MILL, *sold("v", "mill", "crush", "500", "2026-01-10"), *sold("w", "crush", "coop", "200", "2026-01-12"),
]  # fmt: skip
ROUND: list[Event] = [
    *COOP, *sold("v", "coop", "crush", "400", "2026-01-10"), *sold("w", "crush", "mill", "300", "2026-01-12"),
    *sold("x", "mill", "coop", "200", "2026-01-14"),
]  # fmt: skip
CUT: list[Event] = [
    *bought("m", "ada", "mill", ADA_SOY, "50.001", day="2026-01-04", site="mill"),
    ev("return", "r", "2026-01-05", giver="mill", taker="ada", movement="m"),
    *bought("b", "ada", "coop", ADA_SOY, "100", day="2026-01-06", site="north"), yields("coop", "north"),
    ev("process", "p", "2026-01-07", entity="coop", site="north", crop="soybeans", bushels="100", output="soybean_oil"),
]  # fmt: skip


def on_paper(name: str, day: str, *spans: tuple[str, str], origin: str = ADA_SOY) -> Event:
    about = {"crop": "soybeans", "harvest_year": 2025, "ci": "5000", "form": "soybeans", "origin": origin}
    lines = [{**about, "start": start, "bushels": bushels} for start, bushels in spans]
    return ev("document", name, day, giver="east", taker="coop", number=name, lines=lines)


EAST: list[Event] = [
    entity("east", "first_point", "yard"),
    ev("slip", "s-east", "2026-01-03", giver="ada", taker="east", origin=ADA_SOY, spans=[["2000", "3000"]]),
    favourable("east", "soybeans"),
]
REFUSED: list[Event] = [
    *EAST, on_paper("x", "2026-01-05", ("0", "100"), origin="theirs"),
    ev("reject", "no", "2026-01-06", taker="coop", giver="east", movement="x"),
    on_paper("y", "2026-01-07", ("0", "40"), ("40", "60"), origin="theirs"),
    ev("accept", "yes", "2026-01-08", taker="coop", movement="y", site="north"),
]  # fmt: skip
WORSE: list[Event] = [
    *EAST, on_paper("x", "2026-01-05", ("2000", "600")),
    ev("accept", "yes", "2026-01-06", taker="coop", movement="x", site="north"),
    *sold("v", "coop", "crush", "100", "2026-01-07", lots=[{"origin": ADA_SOY, "start": "2000", "stop": "2100"}]),
    {**report("ada", "soybeans", "10000", "6100", day="2026-02-01"), "id": "worse", "version": 2},
]  # fmt: skip
BETTER: list[Event] = [
    *MILL, {**report("ada", "soybeans", "10000", "4000", day="2026-01-07"), "id": "better", "version": 2},
    ev("return", "back", "2026-01-08", giver="mill", taker="ada", movement="m"),
    *bought("b", "ada", "coop", ADA_SOY, "3000", day="2026-01-09", site="north"),
]  # fmt: skip
TWICE: list[Event] = [
    *MILL, *bought("c", "ada", "coop", ADA_SOY, "100", day="2026-01-06", site="north"),
    *sold("v", "mill", "coop", "300", "2026-01-10", lots=[{"origin": ADA_SOY, "start": "0", "stop": "300"}]),
    ev("correct", "c1", "2026-01-11", entity="mill", movement="v", reason="typed twice"),
    ev("settle", "agreed", "2026-01-11", entity="coop", movement="c1"),
    *sold("w", "mill", "coop", "500", "2026-01-12", lots=[{"origin": ADA_SOY, "start": "0", "stop": "500"}]),
]  # fmt: skip
ENDED: list[Event] = [
    *EAST, on_paper("x", "2026-01-05", ("0", "100"), origin="theirs"),
    ev("accept", "yes", "2026-01-06", taker="coop", movement="x", site="north"),
    *sold("v", "coop", "crush", "100", "2026-01-07"),
    ev("loss", "gone", "2026-01-08", entity="crush", crop="soybeans", bushels="100", reason="fire"),
    *COOP,
    ev("notice", "n1", "2026-01-10", giver="east", taker="coop", number="N1", origin="theirs", reason="withdrawn",
       spans=[["0", "100"]]),
    ev("notice", "n2", "2026-01-11", giver="coop", taker="crush", number="N2", origin="theirs", reason="worse_ci",
       spans=[["0", "100"]], ci="6000"),
]  # fmt: skip
STATED_ELSEWHERE: list[Event] = [
    EAST[0], on_record("f", "2025-11-02", "crush"),
    {**favourable("east", "corn"), "typed_by": "crush", "id": "untyped", "number": "V2"},
    {**favourable("east", "soybeans"), "typed_by": "crush", "evidence": "a" * 64},
    on_paper("x", "2026-01-05", ("0", "100"), origin="theirs"),
    ev("accept", "yes", "2026-01-06", taker="coop", movement="x", site="north"),
]  # fmt: skip


@pytest.mark.django_db(databases=["default"])
@pytest.mark.parametrize(("party", "events"), [
    pytest.param("coop", SHARED, id="a share of what others left free"),
    pytest.param("coop", RETURNED, id="a buyer returns what it still has"),
    pytest.param("coop", SHRUNK, id="the report shrinks and the later buyer bears it"),
    pytest.param("mill", SHRUNK, id="the report shrinks and the earlier buyer is spared"),
    pytest.param("crush", SUSPENDED, id="two sellers of a suspended report"),
    pytest.param("coop", TOLLED, id="crushed at another's plant"),
    pytest.param("coop", STORED, id="stored with another at a close with too little grain"),
    pytest.param("crush", TAKEN_BACK, id="the seller takes its sale back and again"),
    pytest.param("coop", THIRD_PARTY, id="a trader had them from a third party"),
    pytest.param("coop", ROUND, id="sold and bought again through two others"),
    pytest.param("coop", REFUSED, id="a paper from elsewhere is refused and its serials come on another"),
    pytest.param("coop", WORSE, id="a report reaches what came on a paper from elsewhere"),
    pytest.param("coop", ENDED, id="its own notice about what it sees as ended"),
    pytest.param("coop", BETTER, id="bushels that another gave back after a better version keep the worse one"),
    pytest.param("coop", TWICE, id="a sale taken back and a wider one, of serials that its own farm had"),
    pytest.param("coop", STATED_ELSEWHERE, id="another party has the statement of its seller on file"),
    pytest.param("coop", CUT, id="a lot that another's purchase had cut is rounded twice"),
])  # fmt: skip
def test_a_partys_own_book_replays_whole_and_holds_the_same(party: str, events: list[Event]) -> None:
    shared = SqlStore(Actor(None, "test"))
    posted(shared, [*BASE, *events])
    own, _ = replayed(party)
    with shared.reading() as facts:
        assert holdings(own, party) == holdings(facts, party)
        assert holdings(own, party)


@pytest.mark.django_db(databases=["default"])
def test_a_partys_own_book_names_no_stock_of_the_house_that_stores_for_it() -> None:
    posted(SqlStore(Actor(None, "test")), [*BASE, *STORED[:3], {**STORED[3], "amount": "777.777"}, *STORED[4:]])
    _, events = replayed("coop")
    assert [one["amount"] for one in events if (one["type"], one.get("entity")) == ("measurement", "tank")] == ["300"]
    assert "777.777" not in book_of("coop").decode()


@pytest.mark.django_db(databases=["default"])
def test_a_partys_own_book_tells_of_no_other_party_that_deals_with_its_seller() -> None:
    posted(SqlStore(Actor(None, "test")), [*BASE, *STATED_ELSEWHERE])
    _, events = replayed("coop")
    assert [one["number"] for one in events if one["type"] == "statement" and one["entity"] == "east"] == ["V-east"]
    assert '"typed_by": "crush"' not in book_of("coop").decode()


SEASONS = [tuple(map(int, one.split(":"))) for one in os.environ.get("PROVENDER_SEASONS", "20261121:60").split()]

ACCUSING: Final = frozenset({"double_sale", "overlap", "broken_chain", "missing_counterpart", "legs_differ"})
"""What books out of one server, in which serials cannot be sold twice, never say of each other."""


def holdings(facts: StoreView, party: str) -> set[tuple[object, ...]]:
    """What a party has in stock: bushels joined where nothing but a cut tells them apart, products lot by lot."""
    found = set()
    spans: dict[tuple[object, ...], list[tuple[int, int]]] = {}
    for lot in (lot for crop in Crop for lot in facts.lots_of(party, crop)):
        what = (lot.origin, lot.form, lot.ci, str(lot.state), lot.custodian, lot.site)
        if lot.is_product:
            found.add((*what, lot.start, lot.stop, lot.product))
        else:
            spans.setdefault((*what, lot.acquired), []).append((lot.start, lot.stop))
    return found | {(*what, *span) for what, own in spans.items() for span in joined(own)}


@pytest.mark.django_db(databases=["default"])
@pytest.mark.parametrize(("seed", "movements"), SEASONS)
def test_each_partys_own_book_of_a_season_replays_whole_and_holds_the_same(seed: int, movements: int) -> None:
    shared = SqlStore(Actor(None, "test"))
    season(shared, seed, movements)
    with shared.reading() as facts:
        traders = [one.id for one in facts.many(Entity, "") if facts.many(Period, one.id)]
        assert len(traders) > 10
        beside = ReconcileInput()
        for party in traders:
            own, _ = replayed(party)
            assert holdings(own, party) == holdings(facts, party), (seed, party)
            shut = [{one.key: one.digest for one in book.many(Closing, party)} for book in (own, facts)]
            assert shut[0] == shut[1], (seed, party)
            sums = [period_balances(book, party) for book in (own, facts)]
            assert sums[0] == sums[1], (seed, party)
            beside.add_book(party, own, own.events(), party)
        found = (one.said for one in reconcile(beside) if one.kind in ACCUSING)
        # A season's buyers enter no tickets of their own scales; those that sales name are told for that.
        assert [said for said in found if "is not in the buyer's book" not in said] == []
