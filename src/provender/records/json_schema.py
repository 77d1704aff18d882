"""JSON Schema (2020-12) of every kind of record, from the same declarations as checks and template.

Quantities are decimal strings, as in all JSON of this project: a float would lose what was typed. Units, paragraphs and
references stand beside each property under names of ours (``x-unit``, ``x-cite``, ``x-refers``), which validators
pass over.
"""

from typing import Any, Final

from provender.quantity import show
from provender.records.field import KEY_PATTERN, TEXT_MAX, ColumnKind, Field
from provender.records.kind import Kind

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def record_schema(kind: Kind) -> dict[str, Any]:
    """Return the schema of one record; the farm's identifier may be left out in the book of one farm."""
    columns = kind.schema.columns()
    properties = {name: property_schema(field, columns[name]) for name, field in kind.typed_fields.items()}
    return {
        "$schema": DIALECT,
        "$id": f"urn:provender:record:{kind.name}",
        "title": kind.label,
        "description": kind.help,
        "x-cite": kind.cite,
        "x-key": list(kind.key_columns),
        "type": "object",
        "properties": properties,
        "required": [name for name, field in kind.typed_fields.items() if field.required and name != "farm_id"],
        "additionalProperties": False,
    }


def property_schema(field: Field, column: object) -> dict[str, Any]:
    """Return the schema of one property; ``column`` is its declaration, whose bounds are told with it."""
    found: dict[str, Any] = {"title": field.label}
    if field.help:
        found["description"] = field.help
    found |= _type(field, column)
    for name, value in (("x-cite", field.cite), ("x-unit", field.unit), ("x-refers", field.refers)):
        if value:
            found[name] = value
    return found


def _type(field: Field, column: object) -> dict[str, Any]:
    least, most = getattr(column, "min", None), getattr(column, "max", None)
    match field.kind:
        case ColumnKind.KEY:
            return {"type": "string", "pattern": KEY_PATTERN}
        case ColumnKind.TEXT:
            return {"type": "string", "minLength": 1, "maxLength": TEXT_MAX}
        case ColumnKind.CHOICE:
            return {"type": "string", "enum": list(field.options)}
        case ColumnKind.WHOLE:
            return {"type": "integer", "minimum": least, "maximum": most}
        case ColumnKind.DAY:
            return {"type": "string", "format": "date", "x-least": str(least), "x-most": str(most)}
        case ColumnKind.YES_NO:
            return {"type": "boolean"}
        case ColumnKind.QUANTITY:
            bounds = {"x-least": show(int(least or 0), field.scale), "x-most": show(int(most or 0), field.scale)}
            return {"type": "string", "pattern": rf"^-?[0-9]{{1,15}}(\.[0-9]{{1,{field.scale}}})?$", **bounds}
