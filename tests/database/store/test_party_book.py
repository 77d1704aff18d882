"""A party's own book, taken out of the shared one, stands by itself (decision 0007)."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from provender.cli.custody.reconcile import read_book
from provender.custody.book_file import seal
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.gathered import older_parts, put_together
from provender.custody.store import post
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.database.store.party_book import book_of
from tests.custody.model.test_lots import ACCEPT, BASE, SLIP, line, paper
from tests.custody.world import ADA_SOY, Event, bought, ev, posted

RESOLD = [
    *BASE, *bought("other", "ada", "coop", ADA_SOY, "1000", day="2026-01-06", site="north"),
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
        pytest.param([*BASE, SLIP, paper(line("2000", "600")), ACCEPT], 600, id="from a trader elsewhere"),
    ],
)
def test_who_bought_of_one_report_from_the_farm_and_from_a_trader_has_a_whole_book(
    events: list[Event], came: int
) -> None:
    shared, own = SqlStore(Actor(None, "test")), MemoryStore()
    posted(shared, events)
    lines = [json.loads(text)["event"] for text in book_of("mill").decode().splitlines()[1:]]
    for event in lines:
        assert post(own, read_event(event)).status == "posted", event
    with shared.reading() as facts:
        theirs = {(lot.start, lot.stop, lot.supplier) for lot in facts.lots_of("mill", "soybeans")}
    assert {(lot.start, lot.stop, lot.supplier) for lot in own.lots_of("mill", "soybeans")} == theirs
    assert len(theirs) > 1
    # Of what else the trader bought from the farm the book says nothing.
    slips = [event for event in lines if event["type"] == "slip" and event["taker"] != "mill"]
    assert sum(float(stop) - float(start) for one in slips for start, stop in one["spans"]) == came


@pytest.mark.django_db(databases=["default"])
def test_every_earlier_export_of_a_partys_book_is_known_beside_the_latest_and_says_nothing_of_its_own(
    tmp_path: Path,
) -> None:
    """Each export is sealed anew, and a later sale puts who its seller is, and the farm's slip, further up."""
    shared, exports = SqlStore(Actor(None, "test")), list[Path]()
    posted(shared, BASE)
    for number, event in enumerate(RESOLD[len(BASE) :]):
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
