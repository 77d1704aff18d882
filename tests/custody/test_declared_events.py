"""An event is declared once: who is a party, who enters it and who may take it back follow from its fields."""

import pytest

from provender.custody.events.corrections import ReturnEvent
from provender.custody.events.registry import TYPES, read_event
from provender.custody.model.event import EVERYONE, Event, Party, event, roles_of
from provender.custody.model.store_view import Store
from provender.schema import Text, field, infos
from tests.custody.world import ev, posted, run

PROCESS = {
    "type": "process", "id": "p", "day": "2026-05-01", "entity": "owner", "crop": "corn", "output": "corn_starch",
    "plant": "plant",
}  # fmt: skip
SALE = {"type": "sale", "id": "s", "day": "2026-05-01", "giver": "b", "taker": "a", "crop": "corn"}
ACCEPT = {"type": "accept", "id": "x", "day": "2026-05-01", "taker": "mill", "movement": "s", "custodian": "house"}


def test_parties_are_the_values_of_the_fields_that_name_one() -> None:
    assert read_event(SALE).parties() == ("a", "b")
    assert read_event(PROCESS).parties() == ("owner", "plant")
    assert read_event({**PROCESS, "plant": "owner"}).parties() == ("owner",)
    assert read_event({**PROCESS, "plant": ""}).parties() == ("owner",)


def test_a_buyer_is_only_read_and_who_hosts_the_goods_is_no_principal() -> None:
    assert read_event(SALE).only_reads() == ("a",)
    assert read_event(ACCEPT).parties() == ("house", "mill")
    assert read_event(ACCEPT).principals() == ("mill",)
    assert read_event(ACCEPT).only_reads() == ()


def test_what_may_reach_anybody_locks_everyone_and_still_knows_its_parties() -> None:
    back = read_event(
        {"type": "correct", "id": "c", "day": "2026-05-01", "entity": "e", "movement": "m", "reason": "r"}
    )
    assert back.locks() == (EVERYONE,)
    assert back.parties() == ("e",)


@pytest.mark.parametrize("cls", TYPES.values(), ids=TYPES)
def test_every_field_says_what_it_is(cls: type[Event]) -> None:
    assert cls.means.endswith(".")
    assert all(info.label for info in infos(cls).values())
    assert set(roles_of(cls).values()) <= set(Party)
    entering = [name for name, party in roles_of(cls).items() if party is Party.ENTERS]
    assert entering == [cls.entered_by()] * bool(cls.entered_by())


def test_an_event_with_a_text_that_is_not_cleaned_or_with_two_who_enter_it_is_refused() -> None:
    with pytest.raises(TypeError, match="bare"):

        @event("bare")
        class Bare(Event):
            bare: str = field("Bare")

    with pytest.raises(TypeError, match="two parties"):

        @event("twice")
        class Twice(Event):
            giver: Text = field("Seller", party=Party.ENTERS)
            taker: Text = field("Buyer", party=Party.ENTERS)


STORED = [
    ev("entity", "e-ada", "2025-11-01", entity="ada", name="Ada", roles=["farm"]),
    ev("entity", "e-coop", "2025-11-01", entity="coop", name="Coop", roles=["first_point"], sites=["North"]),
    ev("entity", "e-mill", "2025-11-01", entity="mill", name="Mill", roles=["intermediary"], sites=["Mill"]),
    ev("period", "p-coop", "2025-11-01", entity="coop", start_day="2026-01-01", end_day="2026-03-31", policy="named"),
    ev("report", "r-1", "2025-12-01", entity="ada", crop="corn", harvest_year=2025, bushels="1000", ci="29000"),
    ev(
        "storage", "st-1", "2026-01-05", owner="ada", custodian="coop",
        lots=[{"origin": "ada/corn/2025", "start": "0", "stop": "100"}],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("who", "status"), [("coop", "posted"), ("ada", "posted"), ("mill", "parties_differ")])
def test_who_entered_a_storage_may_take_it_back(store: Store, who: str, status: str) -> None:
    """The custodian enters it, and could not take it back: corrections knew every party but that one."""
    posted(store, STORED)
    (answer,) = run(store, [ev("correct", "c-1", "2026-01-06", entity=who, movement="st-1", reason="typed twice")])
    assert answer.status == status, answer.message


def test_who_gives_a_purchase_back_is_called_its_buyer() -> None:
    labels = {name: one.label for name, one in infos(ReturnEvent).items()}
    assert labels["giver"].startswith("Buyer")
    assert labels["taker"].startswith("Seller")
