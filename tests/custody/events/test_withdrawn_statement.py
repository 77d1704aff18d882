"""A verification statement taken back, or an adverse one, reaches what the party's buyers still have in stock."""

from typing import Any

import pytest

from provender.custody.model.lots import LotState
from provender.custody.model.store_view import Store
from tests.custody.first_sale import BUY, SELL, TAKE, books, line
from tests.custody.world import ADA_SOY, CAST, REPORTS, Event, ev, favourable, posted, run, status

PROVEN = favourable("coop", "soybeans")
BACK: Event = {**PROVEN, "id": "back", "day": "2026-01-20", "opinion": "adverse"}
"""The statement entered again under its number, as its verifier took it back."""
ONWARD = ev("sale", "w", "2026-01-15", giver="crush", taker="fuel", crop="soybeans", bushels="200")
LATER = {**ONWARD, "id": "w2", "day": "2026-01-21", "bushels": "1"}
BOOK = [*CAST, PROVEN, favourable("crush", "soybeans"), *REPORTS, *BUY, SELL, TAKE]


def states(store: Store, owner: str) -> dict[str, int]:
    with store.reading() as facts:
        found: dict[str, int] = {}
        for lot in facts.lots_of(owner, "soybeans"):
            found[str(lot.state)] = found.get(str(lot.state), 0) + lot.crop_amount
        return found


@pytest.mark.parametrize(
    ("changes", "held"),
    [
        ({}, False),
        ({"number": "V2"}, False),
        ({"start_day": "2026-01-10"}, False),
        ({"start_day": "2026-01-11", "number": "V2"}, True),
        ({"end_day": "2026-01-10", "number": "V2"}, False),
        ({"end_day": "2026-01-09", "number": "V2"}, True),
        ({"crops": ["corn"], "number": "V2"}, True),
        ({"opinion": "favourable"}, True),
        ({"opinion": "favourable", "end_day": "2026-01-09"}, False),
        ({"opinion": "favourable", "crops": ["corn"]}, False),
        ({"entity": "mill"}, True),
    ],
)
def test_what_no_statement_covers_any_more_is_unverified_again(
    store: Store, changes: dict[str, Any], held: bool
) -> None:
    posted(store, [*BOOK, {**BACK, **changes}])
    assert states(store, "crush") == {"held" if held else "unverified": 600_000}
    assert status(store, LATER) == ("posted" if held else "unverified")


def test_another_statement_entered_since_still_covers_it(store: Store) -> None:
    posted(store, [*BOOK, {**PROVEN, "id": "second", "number": "V2"}, BACK])
    assert states(store, "crush") == {"held": 600_000}


def test_a_contract_for_the_first_audit_does_not_revive_behind_a_bad_result(store: Store) -> None:
    first = favourable("coop", "soybeans", opinion="first_audit_contracted", number="V0")
    posted(store, [*CAST, {**first, "id": "first"}, *BOOK[len(CAST) :], BACK])
    assert states(store, "crush") == {"unverified": 600_000}


def test_what_went_on_stands_on_its_sellers_own_verification_and_what_ended_stays_ended(store: Store) -> None:
    take = ev("accept", "x", "2026-01-16", taker="fuel", movement="w", site="works")
    burn = ev("retire", "burn", "2026-01-17", entity="fuel", crop="soybeans", bushels="50", fuel="rd", batch="B",
              gallons="1")  # fmt: skip
    posted(store, [*BOOK, ONWARD, take, burn])
    answer = run(store, [BACK])[0]
    assert answer.message.endswith("1 lot in stock is unverified again.")
    assert states(store, "crush") == {"unverified": 400_000}
    assert states(store, "fuel") == {"held": 150_000}
    with store.reading() as facts:
        assert sum(lot.crop_amount for lot in facts.lots_at(ADA_SOY, 0, 600_000) if lot.state is LotState.RETIRED)
        assert (line(facts, "crush", 5000).ending, line(facts, "crush", 5000).unverified) == (400_000, 400_000)
        assert books(facts, "fuel")[0].lines[0].unverified == 0


def test_it_may_leave_without_a_claim_and_a_new_statement_cures_it(store: Store) -> None:
    give_up = ev("release", "r", "2026-01-22", entity="crush", crop="soybeans", bushels="100")
    posted(store, [*BOOK, BACK, give_up])
    again = {**PROVEN, "id": "again", "number": "V3", "day": "2026-01-25"}
    posted(store, [again])
    assert states(store, "crush") == {"held": 500_000}
    assert status(store, LATER) == "not_held_yet"
    assert status(store, {**LATER, "day": "2026-01-25"}) == "posted"


def test_a_sale_dated_before_the_withdrawal_and_entered_after_it_finds_the_lot_as_it_is_now(store: Store) -> None:
    posted(store, [*BOOK, BACK])
    assert status(store, ONWARD) == "unverified"


def test_in_transit_it_is_decided_when_it_is_accepted(store: Store) -> None:
    posted(store, [*BOOK[:-1], BACK])
    assert run(store, [{**TAKE, "day": "2026-01-21"}])[0].facts == (("state", "unverified"),)


def test_product_made_of_it_is_unverified_too(store: Store) -> None:
    posted(store, [
        *BOOK,
        ev("yield", "y", "2026-01-01", entity="crush", site="plant", made_of="soybeans", output="soybean_oil",
           campaign="C", rate="11", start_day="2026-01-01", end_day="2026-03-31"),
        ev("process", "p", "2026-01-13", entity="crush", crop="soybeans", bushels="600", output="soybean_oil"),
        BACK,
    ])  # fmt: skip
    with store.reading() as facts:
        assert [(lot.form, lot.state) for lot in facts.lots_of("crush", "soybeans")] == [("soybean_oil", "unverified")]
