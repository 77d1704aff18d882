"""The custody book in SQL answers like the one in memory, and the database itself keeps it true."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest
from django.db import IntegrityError, connections, transaction

from provender.custody.events.registry import read_event
from provender.custody.model.balances import period_balances
from provender.custody.model.entities import Period
from provender.custody.model.event import Status
from provender.custody.model.lots import Lot, LotState
from provender.custody.model.store_view import Decision, Store
from provender.custody.store import MemoryStore
from provender.database.actor import Actor
from provender.database.models.accounts import LogRow, Organisation
from provender.database.models.custody import CustodyLot
from provender.database.store import records
from provender.database.store.custody import NAMED_OTHERWISE, SAME, SqlStore, lot_of, values_of
from tests.custody.events.test_corrections import (
    test_it_is_grain_of_the_crop_that_it_says_now,
    test_it_may_come_back_to_the_crop_that_it_said_first,
)
from tests.custody.events.test_footing import (
    test_a_file_that_comes_shows_opening_stock,
    test_typed_statements_make_nothing_held_through_any_number_of_hands,
)
from tests.custody.events.test_refusals import (
    test_a_line_that_cannot_be_read_is_answered_and_the_rest_goes_on,
    test_a_repeat_is_recognised_and_another_event_of_that_id_is_refused,
)
from tests.custody.ladders import STOCKED
from tests.custody.model.test_lots import (
    test_several_lines_of_one_known_lot_are_one_movement,
    test_what_the_farm_signed_away_comes_back_from_the_trader_and_goes_back_to_the_trader,
)
from tests.custody.papers import elevator_book
from tests.custody.queries.test_papers_between_others import (
    test_a_house_buys_of_a_farm_whose_bushels_it_had_from_another_house_before,
)
from tests.custody.world import ADA_SOY, CAST, entity, ev, posted, run
from tests.database.test_guards import BOTH
from tests.simulation.season import season

__all__ = [
    "test_a_file_that_comes_shows_opening_stock",
    "test_a_house_buys_of_a_farm_whose_bushels_it_had_from_another_house_before",
    "test_a_line_that_cannot_be_read_is_answered_and_the_rest_goes_on",
    "test_a_repeat_is_recognised_and_another_event_of_that_id_is_refused",
    "test_it_is_grain_of_the_crop_that_it_says_now",
    "test_it_may_come_back_to_the_crop_that_it_said_first",
    "test_several_lines_of_one_known_lot_are_one_movement",
    "test_typed_statements_make_nothing_held_through_any_number_of_hands",
    "test_what_the_farm_signed_away_comes_back_from_the_trader_and_goes_back_to_the_trader",
]
TABLE: Final = "database_custodylot"
TEST: Final = Actor(None, "test")


@pytest.fixture(params=BOTH)
def using(request: pytest.FixtureRequest, db: None) -> str:
    return str(request.param)


@pytest.fixture
def store(using: str) -> Store:
    """Return an empty store: the tests of the custody room that are imported above run against it."""
    return SqlStore(TEST, using)


def test_every_fact_is_the_same_as_in_memory(store: Store) -> None:
    memory = posted(MemoryStore(), STOCKED)
    posted(store, STOCKED)
    with memory.reading() as expected, store.reading() as found:
        for party in ("ada", "coop", "mill", "crush"):
            assert list(found.steps(party)) == list(expected.steps(party))
            moved = found.first_moved(party), expected.first_moved(party)
            assert len({one and one.event.id for one in moved}) == 1
            assert _sorted(found.lots_of(party, "soybeans")) == _sorted(expected.lots_of(party, "soybeans"))
            assert list(found.many(Period, party)) == list(expected.many(Period, party))
            assert _sorted(found.lots_from(party, LotState.UNVERIFIED)) == _sorted(
                expected.lots_from(party, LotState.UNVERIFIED)
            )
            assert period_balances(found, party) == period_balances(expected, party)
        assert found.lots_at(ADA_SOY, 0, 10**9) == list(expected.lots_at(ADA_SOY, 0, 10**9))
        assert list(found.steps_of(ADA_SOY)) == list(expected.steps_of(ADA_SOY))
        assert _sorted(found.lots_in("coop", "north", "soybeans")) == _sorted(
            expected.lots_in("coop", "north", "soybeans")
        )
        assert _sorted(found.parents("b-north")) == _sorted(expected.parents("b-north"))
        assert list(found.lots_by("b-north")) == list(expected.lots_by("b-north"))
    assert [(one.event, one.digest, one.corrected_by) for one in store.events()] == [
        (one.event, one.digest, one.corrected_by) for one in memory.events()
    ]


@pytest.mark.django_db(transaction=True)
def test_a_reading_within_a_reading_sees_the_same_and_leaves_the_way_free_for_posts() -> None:
    store = SqlStore(TEST, "default")
    posted(store, STOCKED[:-1])
    with store.reading() as outer:
        before = list(outer.steps("coop"))
        with store.reading() as inner:
            assert list(inner.steps("coop")) == before
        assert list(outer.steps("coop")) == before
    posted(store, STOCKED[-1:])


def _sorted(lots: object) -> list[Lot]:
    assert isinstance(lots, list | tuple)
    return sorted(lots, key=lambda lot: lot.id)


def test_every_field_of_a_lot_has_its_column_and_a_row_read_before_makes_no_other() -> None:
    assert set(SAME) <= {field.name for field in CustodyLot._meta.get_fields()}
    assert len(SAME) + len(NAMED_OTHERWISE) == len(Lot.__dataclass_fields__)
    (lot, *_) = elevator_book().lots_of("coop", "soybeans")
    name, start, stop, state, *same = values_of(lot, 7)
    row = [name, lot.parent, lot.origin, 7, start, stop, state, *same]
    assert lot_of(row) == lot
    assert lot_of(tuple(row)) is lot_of(row)
    assert lot_of([*row[:6], "lost", *row[7:]]) == replace(lot, state=LotState.LOST)


COPY: Final = (
    f"INSERT INTO {TABLE} (name, parent_id, origin_id, crop, harvest_year, span_start, span_stop, owner, custodian, "  # noqa: S608 - our own names
    "site, form, product, rate, ci, state, since, acquired, titled, supplier, batch, by, opened_by_id, ended_by_id) "
    "SELECT 'forged', parent_id, origin_id, crop, harvest_year, {start}, {stop}, 'thief', custodian, site, form, "
    "product, rate, ci, state, since, acquired, titled, supplier, batch, by, opened_by_id, {ended} "
    f"FROM {TABLE} WHERE id = {{id}}"
)


FORGED: Final = COPY.format(start="span_stop", stop="span_stop + 1", ended="NULL", id="{id}")
BALANCE: Final = "closed balance|guard_lot_balance"
# Of mill, whose first quarter is closed, on a day in it; of coop, which has the parent only later than the deed.
INTO_A_CLOSED_PERIOD: Final = "ci, 'held', since".join(
    FORGED.replace("'thief'", "'mill'").rsplit("ci, state, since", 1)
)
BEFORE_IT_CAME: Final = FORGED.replace(
    "'forged', parent_id",
    f"'forged', (SELECT id FROM {TABLE} WHERE since = '2026-03-20' AND state = 'held' LIMIT 1)",  # noqa: S608
)


OVERLAP: Final = "serials|guard_lot_overlap"
CHANGED: Final = "changed once"
CLOSED: Final = "closed period"
ONCE: Final = "written once"
FORGERIES: Final = {
    INTO_A_CLOSED_PERIOD: BALANCE, BEFORE_IT_CAME: BALANCE,
    COPY.format(start="span_start", stop="span_stop", ended="NULL", id="{id}"): OVERLAP,
    COPY.format(start="span_stop - 1", stop="span_stop", ended="NULL", id="{id}"): OVERLAP,
    COPY.format(start="span_start", stop="span_start + 1", ended="NULL", id="{id}"): OVERLAP,
    COPY.format(start="span_stop", stop="span_stop + 1", ended="opened_by_id", id="{id}"): CHANGED,
    f"UPDATE {TABLE} SET owner = 'thief' WHERE id = {{id}}": CHANGED,  # noqa: S608 - our own names, as below
    f"UPDATE {TABLE} SET span_stop = span_stop + 1 WHERE id = {{id}}": CHANGED,  # noqa: S608
    f"UPDATE {TABLE} SET ended_by_id = NULL WHERE ended_by_id IS NOT NULL": CHANGED,  # noqa: S608
    f"DELETE FROM {TABLE} WHERE id = {{id}}": CHANGED,  # noqa: S608
    "DELETE FROM database_custodyperiod": CLOSED,
    'UPDATE database_custodyperiod SET "end" = start WHERE closed IS NOT NULL': CLOSED,
    "UPDATE database_custodyperiod SET closed = NULL WHERE closed IS NOT NULL": CLOSED,
    "DELETE FROM database_custodyrecord WHERE kind = 'closing'": CLOSED,
    "DELETE FROM database_custodyentity": CLOSED, "DELETE FROM database_custodystanding": CLOSED,
    "DELETE FROM database_custodyslip": CLOSED, "DELETE FROM database_custodygrainentry": CLOSED,
    "UPDATE database_custodyslip SET giver = taker": "slip_has_two_parties",
    "UPDATE database_custodyslip SET open_bushels = -1": "slip_is_not_overdrawn",
    "UPDATE database_custodyeventparty SET party = 'thief'": ONCE, "DELETE FROM database_custodyeventparty": ONCE,
    "UPDATE database_custodyrecord SET text = '{{}}' WHERE kind = 'closing'": CLOSED,
    "UPDATE database_custodyrecord SET final = false WHERE final": CLOSED,
    "UPDATE database_custodyevent SET day = '2026-01-01'": ONCE, "DELETE FROM database_custodystep": ONCE,
}  # fmt: skip


def refused(statement: str, words: str, lot: int, using: str) -> bool:
    """Tell whether the database refuses a statement about a lot with these words."""
    try:
        with transaction.atomic(using=using), connections[using].cursor() as cursor:
            cursor.execute(statement.format(id=lot))
    except IntegrityError as told:
        return re.search(words, str(told)) is not None
    return False


def test_the_database_itself_refuses_to_break_the_book(store: Store, using: str) -> None:
    posted(store, STOCKED)
    last = CustodyLot.objects.using(using).filter(ended_by=None).order_by("-span_stop")[0]
    before = list(CustodyLot.objects.using(using).order_by("id").values())
    assert [statement for statement, words in FORGERIES.items() if not refused(statement, words, last.pk, using)] == []
    assert list(CustodyLot.objects.using(using).order_by("id").values()) == before
    # Serials that only touch are no overlap.
    with connections[using].cursor() as cursor:
        cursor.execute(COPY.format(start="span_stop", stop="span_stop + 1", ended="NULL", id=last.pk))
    assert CustodyLot.objects.using(using).filter(name="forged").exists()


def test_an_outcome_on_lots_that_have_moved_is_not_written(store: Store, using: str) -> None:
    posted(store, STOCKED)
    lot = CustodyLot.objects.using(using).exclude(ended_by=None).first()
    assert lot is not None
    events = len(store.events())
    stale = Decision(Status.POSTED, ended=(lot.name,))
    request = read_event(entity("zoe", "farm"))
    with store.locked(("coop",)) as work, pytest.raises(ValueError, match="not decided on the lots as they are"):
        work.apply(request, stale)
    assert len(store.events()) == events


def test_each_movement_stands_in_the_log_with_its_actor(store: Store, using: str) -> None:
    run(store, CAST[:1])
    row = LogRow.objects.using(using).get(deed="post movement")
    assert (row.about, row.via, row.new) == ("entity-ada", "test", {"type": "entity", "day": "2025-11-01"})


def test_the_log_names_each_organisation_of_this_server_that_takes_part(store: Store, using: str) -> None:
    known = Organisation.objects.using(using).create(handle="coop", name="Coop")
    posted(store, STOCKED)
    rows = LogRow.objects.using(using).filter(deed="post movement", organisation=known)
    assert {row.about for row in rows} >= {"entity-coop", "b-north"}
    assert not LogRow.objects.using(using).filter(about="b-north", organisation=None).exists()


@pytest.mark.parametrize("movements", [50, pytest.param(300, marks=pytest.mark.slow)])
def test_a_season_of_random_trade_agrees_with_the_auditor(movements: int, store: Store, using: str) -> None:
    seed = {"default": 20261121, "postgres": 7}[using]
    tally = season(store, seed, movements)
    assert tally.differences == [], f"seed {seed}"
    assert tally.movements >= movements


def test_a_movement_of_more_rows_than_a_statement_takes_is_whole(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "AT_ONCE", 1)
    memory = posted(MemoryStore(), STOCKED)
    posted(store, STOCKED)
    with memory.reading() as expected, store.reading() as found:
        assert list(found.steps("coop")) == list(expected.steps("coop"))
        assert list(found.many(Period, "coop")) == list(expected.many(Period, "coop"))
        assert list(found.lots_by("b-north")) == list(expected.lots_by("b-north"))


def test_a_post_takes_four_messages_to_the_database(store: Store, using: str) -> None:
    posted(store, STOCKED)
    sold = ev("sale", "one-more", "2026-02-01", giver="coop", taker="crush", crop="soybeans", bushels="1")
    sent: list[str] = []

    def note(execute: Callable[..., Any], *arguments: Any) -> Any:  # noqa: ANN401 - as Django wraps
        sent.append(arguments[0])
        return execute(*arguments)

    with connections[using].execute_wrapper(note):
        assert run(store, [sold])[0].status is Status.POSTED
    if connections[using].vendor == "postgresql":
        assert len([one for one in sent if "SAVEPOINT" not in one]) == 4, "one of them asks for the last record's time"
