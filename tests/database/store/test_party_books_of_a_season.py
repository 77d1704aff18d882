"""A season of honest and false requests in the shared book: each party's own book, taken out of it, says the same.

``PROVENDER_SEASONS="1:2500 2:2500"`` runs longer ones instead, each a seed and a number of movements.
"""

import json
import os
from typing import Final

import pytest

from provender.custody.events.closing import Closing
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Entity, Period
from provender.custody.model.lots import joined
from provender.custody.model.store_view import StoreView
from provender.custody.reconcile.books import reconcile
from provender.custody.reconcile.gathered import Gathered
from provender.custody.store import post
from provender.database.actor import Actor
from provender.database.store.custody import SqlStore
from provender.database.store.party_book import book_of
from provender.rule import Crop
from tests.simulation.season import season

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
        beside = Gathered()
        for party in traders:
            own = MemoryStore()
            for text in book_of(party).decode().splitlines()[1:]:
                event = json.loads(text)["event"]
                outcome = post(own, read_event(event))
                assert outcome.status == "posted", (seed, party, event, outcome.message)
            assert holdings(own, party) == holdings(facts, party), (seed, party)
            shut = [{one.key: one.digest for one in book.many(Closing, party)} for book in (own, facts)]
            assert shut[0] == shut[1], (seed, party)
            sums = [period_balances(book.steps(party), party, book.many(Period, party)) for book in (own, facts)]
            assert sums[0] == sums[1], (seed, party)
            beside.add_book(party, own, own.events(), party)
        assert [one.said for one in reconcile(beside) if one.kind in ACCUSING] == []
