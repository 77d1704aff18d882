"""A kind of record: its schema with name, label and paragraph, and the registry of all kinds."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final, TypeVar

import dataframely as dy
import polars as pl

from provender.exact import show
from provender.problem import Place, Problem, Weight
from provender.records import field
from provender.records.field import KEY_PATTERN, TEXT_MAX, ColumnKind, Field, describe

# How a fact is known, strongest first (interpretation 57): a report shows the credited bushels resting on each.
BASES: Final = ("third_party", "machine", "typed_in_season", "typed_after_harvest")


AS_TYPED: Final = "What was written where a name was taken for one of the list."


class Record(dy.Schema):
    """What every record has: its farm, how it is known, its evidence, and where the row came from."""

    farm_id = field.key("Farm", "The farm's identifier; one farm's book may leave it blank, the reader fills it in.")
    known_by = field.choice(
        BASES, "How known", "Third party, machine, typed in season, or typed after harvest.", cite="2100.051(c)"
    )
    evidence = field.text("Evidence", "Identifiers of evidence records, separated by semicolons.", cite="2100.051(c)")
    note = field.text("Note", "Anything a verifier should know.")
    source_file = field.internal("File")
    source_sheet = field.internal("Sheet")
    source_row = field.internal_whole("Row")


@dataclass(frozen=True, slots=True)
class Kind:
    """A registered kind of record."""

    name: str  # the file and sheet name, such as ``operation``
    schema: type[Record]  # the dataframely schema; its columns carry ``Field`` metadata
    label: str  # what a person calls it, in the plural
    help: str  # one sentence on what the records are
    cite: str  # the paragraph that asks for them

    @property
    def fields(self) -> dict[str, Field]:
        """Return every column's description, in the order of the template."""
        return dict(_fields(self.schema))

    @property
    def typed_fields(self) -> dict[str, Field]:
        """Return the columns a person types, in the order of the template."""
        return dict(_typed(self.schema))

    @property
    def required(self) -> tuple[str, ...]:
        """Return the columns without which no row can be used."""
        return _required(self.schema)

    @property
    def key_columns(self) -> tuple[str, ...]:
        """Return the columns that together identify a record."""
        return _keys(self.schema)

    def empty(self) -> pl.DataFrame:
        """Return a frame of this kind without rows."""
        return _empty(self.schema)

    def nulls(self) -> pl.DataFrame:
        """Return a frame of this kind with one row, in which no column says anything."""
        return _nulls(self.schema)


# What a schema declares never changes, and asking it is slow: a book asks some thousand times.
@cache
def _typed(schema: type[Record]) -> dict[str, Field]:
    return {name: found for name, found in _fields(schema).items() if not found.internal}


@cache
def _required(schema: type[Record]) -> tuple[str, ...]:
    return tuple(name for name, found in _typed(schema).items() if found.required)


@cache
def _fields(schema: type[Record]) -> dict[str, Field]:
    columns = schema.columns()
    own = [name for name in columns if name not in Record.columns()]
    common = [name for name in Record.columns() if name != "farm_id"]
    return {name: describe(columns[name]) for name in ("farm_id", *own, *common)}


@cache
def _keys(schema: type[Record]) -> tuple[str, ...]:
    return tuple(schema.primary_key())


@cache
def _empty(schema: type[Record]) -> pl.DataFrame:
    return schema.create_empty()


@cache
def _nulls(schema: type[Record]) -> pl.DataFrame:
    # `clear(1)` plans and runs a query for each column, which is a fifth of a small farm's report.
    types = _empty(schema).schema
    return pl.DataFrame([pl.Series(name, [None], dtype=said) for name, said in types.items()])


KINDS: Final[dict[str, Kind]] = {}

_S = TypeVar("_S", bound=type[Record])


def kind(name: str, label: str, hint: str, *, cite: str) -> Callable[[_S], _S]:
    """Register a schema as a kind of record."""

    def register(schema: _S) -> _S:
        KINDS[name] = Kind(name, schema, label, hint, cite)
        return schema

    return register


# The kinds of record in the groups in which a farm thinks of them.

GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "Fields and people": (
        "farm", "producer", "unit", "control", "related_party", "land_use", "crop_history", "tillage_history",
        "enrolment",
    ),
    "Season": ("harvest", "planting", "operation", "operation_tool", "declaration"),
    "Cover crops": ("cover_crop", "cover_species", "seed_purchase"),
    "Nutrients": (
        "nutrient_application", "nutrient_budget", "budget_source", "soil_test", "in_season_test", "expert_opinion",
        "inhibitor_purchase", "inhibitor_acceptance",
    ),
    "Harvest and sales": ("bushel_total", "reported_acres", "scale_ticket", "sale", "report_delivery"),
    "Calculator": ("calculator_run", "national_default"),
    "Papers and words": ("evidence", "word"),
}  # fmt: skip
"""By what a group is called, the names of its kinds in the order in which they are entered."""


def kinds_in_groups() -> list[tuple[str, list[Kind]]]:
    """Return each group with its kinds."""
    return [(group, [KINDS[name] for name in names]) for group, names in GROUPS.items()]


# The order of days between a row and the row that it names: a cover crop stands before the crop that follows it.

COVER: Final = "cover_crop"
CITE: Final = "2100.052(a)(1)"


def seeded_after_harvest(place: Place, cover: str, seeded: date | None, crop: str, last: date | None) -> Problem | None:
    """Return what is wrong where a cover was seeded after the crop that should follow it was harvested.

    Args:
        place: of the row of the cover.
        cover: its identifier.
        seeded: the day it was seeded; None where that is not recorded.
        crop: the identifier of the crop entry that it names.
        last: the last day of that harvest; None where that is not recorded.
    """
    if seeded is None or last is None or seeded <= last:
        return None
    cause = f"Cover crop {cover} was seeded on {seeded}, and {crop}, which should follow it, was harvested by {last}."
    remedy = "Name the crop that follows it; where it is not entered yet, enter it first, with the ending not yet."
    return Problem(place, cause, remedy, CITE, Weight.CONFIRM, "cover_after_crop")


# JSON Schema (2020-12) of every kind of record, from the same declarations as checks and template.
#
# Quantities are decimal strings, as in all JSON of this project: a float would lose what was typed. Units, paragraphs
# and references stand beside each property under names of ours (``x-unit``, ``x-cite``, ``x-refers``), which validators
# pass over.

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
