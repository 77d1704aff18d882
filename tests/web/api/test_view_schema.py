"""The API describes a view by its declaration, and what ``plain`` writes fits the description."""

from datetime import date
from enum import StrEnum

import pytest
from pydantic import ValidationError

from provender.exact import Bushels, Ci
from provender.schema import Day, field, view, write
from provender.web.api.schema import schema_of


class State(StrEnum):
    HELD = "held"
    IN_TRANSIT = "in_transit"


@view
class ShownLot:
    """A lot that only this test shows."""

    id: str = field("Lot", help="Its first serial.", cite="2100.034(d)")
    bushels: Bushels = field("Bushels", example="12.5")


@view
class ShownStock:
    """Some lots."""

    lots: tuple[ShownLot, ...] = field("Lots")
    ci: Ci | None = field("Carbon intensity")
    day: Day = field("Day")
    state: State = field("State", default=State.HELD)
    year: int = field("Harvest year", default=0)
    facts: dict[str, str] = field("Facts")


STOCK = ShownStock(lots=(ShownLot(id="a", bushels=1500),), ci=None, day=date(2026, 1, 2), facts={"a": "b"})


def test_names_labels_help_and_units_come_from_the_declaration() -> None:
    described = schema_of(ShownStock, name="StockOfTest").model_json_schema()
    assert described["title"] == "StockOfTest"
    assert described["description"] == "Some lots."
    assert described["properties"]["state"]["enum"] == ["held", "in_transit"]
    assert described["properties"]["day"]["format"] == "date"
    assert described["properties"]["ci"]["x-unit"] == "g CO2e/bu"
    assert described["properties"]["year"] == {"title": "Harvest year", "type": "integer"}
    assert described["$defs"]["ShownLot"]["properties"] == {
        "id": {"title": "Lot", "description": "Its first serial.", "type": "string", "x-cite": "2100.034(d)"},
        "bushels": {"title": "Bushels", "type": "string", "x-unit": "bu", "example": "12.5"},
    }
    assert set(described["required"]) == {"lots", "ci", "day", "state", "year", "facts"}


def test_what_the_codec_writes_fits_the_schema_as_it_stands() -> None:
    plain = write(STOCK, whole=True)
    assert schema_of(ShownStock).model_validate(plain).model_dump() == plain


def test_a_caller_may_leave_out_what_has_a_default_and_nothing_else() -> None:
    body = schema_of(ShownStock, name="StockAsked", open_ended=True)
    plain = write(STOCK)
    assert "state" not in plain
    assert body.model_validate(plain).model_dump(exclude_unset=True) == plain
    with pytest.raises(ValidationError):
        body.model_validate({"ci": "1"})


def test_a_schema_is_made_once() -> None:
    assert schema_of(ShownStock) is schema_of(ShownStock)
