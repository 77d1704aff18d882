"""What an organisation hears of lots and parties that are not its own, in a book that many share."""

from datetime import date
from typing import Final

import pytest

from provender.custody.model.event import Status
from provender.custody.model.store_view import Decision
from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.store.custody import SqlStore
from provender.services.accounts.organisations import create_organisation
from provender.services.custody.checks import contracts
from provender.services.custody.context import CustodyContext, blinded, context_of
from provender.services.custody.movements import trace
from provender.services.refused import RefusedError
from tests.custody.first_sale import BUY, SELL, TAKE, base
from tests.custody.world import ADA_SOY, ev, posted, read, serials
from tests.rows import CaseRows

ROWS: Final = CaseRows(__file__)

BY: Final = Actor(None, "test")
ON: Final = ev("sale", "on", "2026-01-20", giver="crush", taker="fuel", crop="soybeans", bushels="600")
IN: Final = ev("accept", "in", "2026-01-21", taker="fuel", movement="on", site="works")
KEPT: Final = ev("storage", "st", "2026-01-22", owner="coop", custodian="tank", lots=[serials(ADA_SOY, 600, 800)])
LOST: Final = ev("loss", "lo", "2026-01-23", entity="coop", crop="soybeans", lots=[serials(ADA_SOY, 700, 800)])
DEALS: Final = [
    ev("contract", f"k-{party}", "2025-11-03", entity="coop", counterparty=party, role=role, number=f"K-{party}",
       start_day="2025-11-01")
    for party, role in (("ada", "supplier"), ("crush", "recipient"), ("lena", "supplier"))
]  # fmt: skip


def desk(handle: str, role: Role) -> CustodyContext:
    made = create_organisation(handle.title(), roles=[role], manager=None, actor=BY, handle=handle)
    posted(SqlStore(BY), base(*DEALS, *BUY, SELL, TAKE, ON, IN, KEPT, LOST))
    context = context_of(made, actor=BY, today=date(2026, 2, 1))
    assert context is not None
    return context


@pytest.mark.django_db
@ROWS
def test_a_refusal_is_told_to_owners_and_who_keeps_lots_that_are_there(me: str, first: int, *, is_told: bool) -> None:
    posted(SqlStore(BY), base(*BUY, SELL, TAKE, ON, IN, KEPT, LOST))
    move = ev("move", "x", "2026-02-01", entity=me, to_site="south", lots=[serials(ADA_SOY, first, first + 9)])
    refused = Decision(Status.NOT_HELD, "They are elsewhere.")
    with SqlStore(BY).reading() as facts:
        if is_told:
            assert blinded(facts, read({**move, "crop": "soybeans"}), refused, me) == refused
        else:
            with pytest.raises(RefusedError):
                blinded(facts, read({**move, "crop": "soybeans"}), refused, me)


@pytest.mark.django_db
def test_a_partner_has_its_verified_crops_and_a_farm_needs_none() -> None:
    found = {one.counterparty: one.verified_crops for one in contracts(desk("coop", Role.FIRST_POINT))}
    assert found == {"ada": None, "lena": None, "crush": ("corn", "soybeans")}


@pytest.mark.django_db
def test_parties_that_the_viewer_never_met_are_told_by_their_role_alone() -> None:
    found = trace(desk("fuel", Role.REFINER), "in")
    assert found is not None
    named = {one.giver for one in found.stations} | {one.taker for one in found.stations}
    assert named == {"", "A farm", "A first point of aggregation", "Crush", "Fuel"}
