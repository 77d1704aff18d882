"""JSON Schema says of each record what its declaration says."""

import json
import re

import pytest

from provender.records.field import ColumnKind
from provender.records.kind import DIALECT, KINDS, record_schema


@pytest.mark.parametrize("name", KINDS)
def test_each_column_is_a_property_and_each_required_one_is_required(name: str) -> None:
    schema, fields = record_schema(KINDS[name]), KINDS[name].typed_fields
    assert schema["$schema"] == DIALECT
    assert list(schema["properties"]) == list(fields)
    assert set(schema["required"]) == {one for one, field in fields.items() if field.required} - {"farm_id"}
    assert not any(one.startswith("source_") for one in schema["properties"])
    assert json.loads(json.dumps(schema)) == schema


def test_a_quantity_is_a_decimal_string_with_the_digits_and_bounds_of_its_column() -> None:
    depth = record_schema(KINDS["operation"])["properties"]["depth_in"]
    assert (depth["type"], depth["x-unit"], depth["x-least"], depth["x-most"]) == ("string", "in", "0", "60")
    pattern = re.compile(depth["pattern"])
    assert [bool(pattern.search(text)) for text in ("2.5", "2.500", "2.5001", "1e5", "2,5", "")] == [
        True, True, False, False, False, False,
    ]  # fmt: skip
    assert record_schema(KINDS["calculator_run"])["properties"]["ci_g_per_bu"]["pattern"].count("1,2") == 1


def test_choices_references_days_and_answers_are_told_and_every_column_has_a_type() -> None:
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
