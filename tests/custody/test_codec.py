"""Every record of a custody book comes back from JSON as it went in."""

import json
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, cast

import pytest

from provender.custody.codec import read_record, write_record
from provender.custody.events.changed_report import Notice, NoticeKind
from provender.custody.memory_store import MemoryStore
from provender.custody.model.grain_book import Direction, GrainEntry
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
    return [record for held in store._records.values() for record in held.values()]


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
            assert read_record(type(record), json.loads(canonical_json(write_record(record)))) == record
            seen.add(record.kind)
    assert {"entity", "origin", "slip", "period", "closing", "statement", "contract", "grain", "yield"} <= seen


def test_a_record_stored_before_a_field_was_added_stands_at_its_default() -> None:
    entry = GrainEntry("coop", "north", "corn", "T1", date(2026, 1, 5), Direction.IN, 1_000, name="Ada")
    plain = cast("dict[str, object]", write_record(entry))
    assert read_record(GrainEntry, {name: value for name, value in plain.items() if name != "name"}) == replace(
        entry, name=""
    )
    told = Notice("v2/notice/1", "mill", "o", 0, 9, date(2026, 1, 5), NoticeKind.WITHDRAWN, "It was withdrawn.")
    before = {name: value for name, value in cast("dict[str, object]", write_record(told)).items() if name != "change"}
    assert read_record(Notice, before).changed is NoticeKind.WITHDRAWN


def test_a_record_without_a_field_that_has_no_default_is_no_record() -> None:
    with pytest.raises(KeyError, match="number"):
        read_record(GrainEntry, {"entity": "coop", "site": "north", "form": "corn"})


def test_a_field_that_json_could_not_give_back_is_refused() -> None:
    @dataclass(frozen=True)
    class Priced:
        price: Decimal

    with pytest.raises(TypeError, match="no fields of type"):
        read_record(Priced, {"price": "1"})
