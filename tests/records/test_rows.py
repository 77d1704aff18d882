"""A row is typed as its declaration says, a book gives each farm's rows once, JSON Schema says what is declared."""

import datetime as dt
import json
import re
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any, assert_type, get_type_hints

import pytest

from provender.records.field import ColumnKind, Field
from provender.records.folder import load_book
from provender.records.kind import DIALECT, KINDS, record_schema
from provender.records.kinds.farm import Unit
from provender.records.kinds.season import Harvest

BLUESTEM = Path(__file__).parents[2] / "examples" / "bluestem-farm"
TYPES: dict[ColumnKind, type] = {
    ColumnKind.KEY: str,
    ColumnKind.TEXT: str,
    ColumnKind.CHOICE: str,
    ColumnKind.QUANTITY: int,
    ColumnKind.WHOLE: int,
    ColumnKind.DAY: dt.date,
    ColumnKind.YES_NO: bool,
}


def annotation(found: Field) -> object:
    held = TYPES[found.kind]
    return held if found.required else held | None


@pytest.mark.parametrize("name", KINDS)
def test_each_column_is_annotated_as_it_is_declared(name: str) -> None:
    kind = KINDS[name]
    said = get_type_hints(kind.row)
    assert {column: said[column] for column in kind.columns} == {
        column: annotation(found) for column, found in kind.columns.items()
    }
    assert kind.row.kind_name == name


def any_row(cls: Any) -> Any:  # noqa: ANN401 - of any kind
    """Return a row in which only what is required is said."""
    needed = {"str": "x", "int": 1, "bool": True, "date": dt.date(2026, 5, 1)}
    return cls(**{one.name: needed[one.type.__name__] for one in fields(cls) if isinstance(one.type, type)})


@pytest.mark.parametrize("name", KINDS)
def test_a_row_needs_what_is_required_cannot_be_changed_and_equals_what_says_the_same(name: str) -> None:
    kind = KINDS[name]
    row = any_row(kind.row)
    assert {column for column in kind.columns if getattr(row, column) is not None} == set(kind.required)
    assert {row, any_row(kind.row)} == {row}
    assert replace(row, note="else") != row
    with pytest.raises(FrozenInstanceError):
        row.note = "else"
    with pytest.raises(TypeError):
        kind.row()


def test_a_book_gives_the_rows_of_a_farm_by_class_or_name_with_all_that_it_holds() -> None:
    book = load_book(BLUESTEM)
    (farm,) = book.farm_ids
    harvests = book.rows(Harvest, farm)
    assert_type(harvests, tuple[Harvest, ...])
    assert_type(harvests[0].bushels, int | None)
    assert_type(harvests[0].crop, str)
    assert harvests is book.rows(Harvest, farm)
    for name, kind in KINDS.items():
        rows = book.rows(kind.row, farm)
        assert [{column: getattr(row, column) for column in kind.columns} for row in rows] == [*map(dict, book[name])]
        assert all(type(row) is kind.row for row in rows)
    assert book.rows(Harvest, "another") == ()


def test_each_farm_has_its_own_rows_in_the_order_of_the_book(tmp_path: Path) -> None:
    (tmp_path / "farm.csv").write_text("farm_id,name\nF1,One\nF2,Two\n", encoding="utf-8")
    (tmp_path / "unit.csv").write_text("farm_id,unit_id,acres\nF2,B,1.5\nF1,A,\nF2,A,2\n", encoding="utf-8")
    book = load_book(tmp_path)
    assert [(row.unit_id, row.acres) for row in book.rows(Unit, "F2")] == [("B", 1500), ("A", 2000)]
    assert [(row.unit_id, row.acres) for row in book.rows(Unit, "F1")] == [("A", None)]


@pytest.mark.parametrize("name", KINDS)
def test_each_column_is_a_property_and_each_required_one_is_required(name: str) -> None:
    schema, fields = record_schema(KINDS[name]), KINDS[name].typed_fields
    assert schema["$schema"] == DIALECT
    assert list(schema["properties"]) == list(fields)
    assert set(schema["required"]) == {one for one, field in fields.items() if field.required} - {"farm_id"}
    assert not any(one.startswith("source_") for one in schema["properties"])
    assert json.loads(json.dumps(schema)) == schema


def test_quantities_have_digits_and_bounds_and_every_column_its_type() -> None:
    depth = record_schema(KINDS["operation"])["properties"]["depth_in"]
    assert (depth["type"], depth["x-unit"], depth["x-least"], depth["x-most"]) == ("string", "in", "0", "60")
    pattern = re.compile(depth["pattern"])
    assert [bool(pattern.search(text)) for text in ("2.5", "2.500", "2.5001", "1e5", "2,5", "")] == [
        True, True, False, False, False, False,
    ]  # fmt: skip
    assert record_schema(KINDS["calculator_run"])["properties"]["ci_g_per_bu"]["pattern"].count("1,2") == 1
    cover = record_schema(KINDS["cover_crop"])["properties"]
    assert "drilled" in cover["method"]["enum"]
    assert cover["unit_id"]["x-refers"] == "unit"
    assert cover["seeded_on"]["format"] == "date"
    assert cover["planted_green"]["type"] == "boolean"
    met = {field.kind for kind in KINDS.values() for field in kind.typed_fields.values()}
    assert met >= set(ColumnKind)
    assert all(
        "type" in described for kind in KINDS.values() for described in record_schema(kind)["properties"].values()
    )
