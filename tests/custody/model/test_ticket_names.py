"""A ticket in somebody else's name behind a claim is told; the same name written otherwise is not."""

from datetime import date

import pytest

from provender.custody.model.entities import Entity
from provender.custody.model.grain_claims import alike
from provender.custody.model.store_view import Store
from provender.custody.queries.alerts import AlertKind, alerts
from tests.custody.world import ADA_SOY, CAST, REPORTS, ev, posted, run


@pytest.mark.parametrize(
    ("printed", "name", "same"),
    [
        ("ADA", "Ada", True),
        ("Lovelace, Ada", "Ada Lovelace Farms LLC", True),
        ("A. Lovelace", "Ada Lovelace", True),
        ("Ben Turing", "Ada Lovelace", False),
        ("Turing Farms LLC", "Lovelace Farms LLC", False),
        ("Family Farms", "Family Farms", True),
        ("Family Farms", "Family Farm Inc", False),
        ("Farm", "Ada Lovelace", False),
    ],
)
def test_names_are_alike_when_they_share_a_word_that_not_every_farm_has(printed: str, name: str, same: bool) -> None:
    assert alike(printed, name) == same
    assert alike(name, printed) == same


def told(store: Store, name: str | None, *more: dict[str, object]) -> list[str]:
    """Ada's purchase of 100 bu, whose ticket came over the scale in some name."""
    ticket = ev(
        "receipt", "t", "2026-01-05", entity="coop", site="north", form="soybeans", amount="100", number="T1",
        **({"name": name} if name is not None else {}),
    )  # fmt: skip
    slip = ev("slip", "s", "2026-01-05", giver="ada", taker="coop", origin=ADA_SOY, bushels="100")
    behind = [{"number": "T1", "bushels": "100"}]
    buy = ev("purchase", "b", "2026-01-05", giver="ada", taker="coop", slip="s", site="north", tickets=behind)
    posted(store, [*CAST, *REPORTS, ticket, slip, buy, *more])
    with store.reading() as facts:
        coop = facts.one(Entity, "coop")
        assert coop is not None
        found = alerts(facts, coop, date(2026, 2, 1))
    return [one.said for one in found if one.kind is AlertKind.OTHER_NAME_ON_TICKET]


@pytest.mark.parametrize("name", [None, "", "ADA", "Ben, Ada", "(field Ben 40)", "Ada (field Ben 40)"])
def test_a_ticket_in_the_owners_name_or_in_no_name_tells_nothing(store: Store, name: str | None) -> None:
    assert told(store, name) == []


def test_a_ticket_in_another_name_is_told_with_both_names(store: Store) -> None:
    assert told(store, "Ben") == ["Ticket T1 at north is in the name of Ben; b is from Ada."]


def test_a_field_beside_a_name_is_nobody(store: Store) -> None:
    assert len(told(store, "Ben (field Ada 40)")) == 1


def test_a_ticket_keeps_its_name_when_a_purchase_names_it_and_when_it_is_freed(store: Store) -> None:
    back = ev("correct", "c", "2026-01-06", entity="coop", movement="b", reason="typed twice")
    assert told(store, "Ben", back) == []
    again = {"entity": "coop", "site": "north", "form": "soybeans", "amount": "100", "number": "T1", "void": True}
    assert run(store, [ev("receipt", "v", "2026-01-05", **again)])[0].status == "posted"
