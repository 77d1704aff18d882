"""Every record of a custody book comes back from JSON as it went in: what stores keep of it is written so."""

import json
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from cattrs.errors import StructureHandlerNotFoundError

from provender import schema
from provender.custody.memory_store import MemoryStore
from provender.custody.model.grain import GrainEntry
from provender.schema import UnreadableError
from provender.signing.canonical import canonical_json
from tests.custody.ladders import LADDERS
from tests.custody.world import ev, favourable, posted, run

CONTRACT = ev(
    "contract",
    "contract-1",
    "2025-11-02",
    entity="coop",
    counterparty="mill",
    role="supplier",
    number="K1",
    start_day="2025-11-02",
)


def records_of(store: MemoryStore) -> list[Any]:
    return [*store.all_records()]


def test_every_kind_of_record_comes_back_equal() -> None:
    seen = set()
    for ladder in LADDERS:
        store = MemoryStore()
        posted(store, ladder.world)
        run(store, [favourable("mill", "soybeans"), CONTRACT])
        event = ladder.event
        for _, repair in ladder.rungs:
            event = {name: value for name, value in {**event, **repair}.items() if value is not None}
        run(store, [event])
        for record in records_of(store):
            assert schema.read(type(record), json.loads(canonical_json(schema.write(record, whole=True)))) == record
            seen.add(record.kind)
    assert {"entity", "origin", "slip", "period", "closing", "statement", "contract", "grain", "yield"} <= seen


def test_a_record_without_a_field_that_has_no_default_is_no_record() -> None:
    with pytest.raises(UnreadableError, match="number"):
        schema.read(GrainEntry, {"entity": "coop", "site": "north", "form": "corn"})


def test_a_field_that_json_could_not_give_back_is_refused() -> None:
    @dataclass(frozen=True)
    class Priced:
        price: Decimal

    with pytest.raises(StructureHandlerNotFoundError, match="Unsupported type"):
        schema.read(Priced, {"price": "1"})
