"""Stock by shelves: whatever goes in and out, it holds what a list of the same lots holds."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.custody.model.lots import Lot, LotState, Stock, age, oldest_first, shelf_of

DAY: Final = date(2026, 1, 1)
LOT: Final = Lot(
    "", "", "", "corn", 2025, 0, 0, "coop", "coop", "", "corn", 0, 0, 0, LotState.HELD, DAY, DAY, DAY, "", "", ""
)


@st.composite
def some_lots(draw: st.DrawFn) -> list[Lot]:
    """Draw lots that do not overlap, few places and carbon intensities, so that shelves are shared."""
    made = []
    for number in range(draw(st.integers(0, 30))):
        origin, site = draw(st.sampled_from("ab")), draw(st.sampled_from(["north", "south"]))
        days = [DAY + timedelta(draw(st.integers(0, 3))) for _ in range(2)]
        state = draw(st.sampled_from([LotState.HELD, LotState.UNVERIFIED]))
        spans = {"start": number * 10, "stop": number * 10 + draw(st.integers(1, 10))}
        marks: dict[str, Any] = {"origin": origin, "site": site, "state": state, "ci": draw(st.integers(1, 3)), **spans}
        made.append(replace(LOT, id=str(number), since=days[0], acquired=days[1], **marks))
    return made


@given(some_lots(), st.data())
def test_a_stock_holds_what_went_in_and_did_not_go_out(lots: list[Lot], data: st.DataObject) -> None:
    stock = Stock(lots)
    gone = data.draw(st.lists(st.sampled_from(lots), unique=True)) if lots else []
    for lot in gone:
        stock.remove(lot)
    left = sorted((lot for lot in lots if lot not in gone), key=age)
    assert list(stock.lots) == left
    assert list(oldest_first(stock.shelves.values())) == left
    assert stock.amount == sum(lot.amount for lot in left)
    assert {key: shelf.amount for key, shelf in stock.shelves.items()} == {
        key: sum(lot.amount for lot in left if shelf_of(lot) == key) for key in map(shelf_of, left)
    }
    assert set(stock.origins) == {lot.origin for lot in left}
    for day in (DAY - timedelta(1), DAY, DAY + timedelta(2), DAY + timedelta(3), date.max):
        assert {lot.id for lot in stock.later_than(day)} == {lot.id for lot in left if lot.since > day}


def test_a_changed_lot_is_the_lot_with_other_fields() -> None:
    changes: dict[str, Any] = {"id": "m/1", "start": 5, "stop": 9, "state": LotState.LOST, "since": DAY + timedelta(1)}
    assert LOT.changed(changes) == replace(LOT, **changes)
    with pytest.raises(KeyError):
        LOT.changed({"colour": "red"})
