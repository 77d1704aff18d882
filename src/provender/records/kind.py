"""A kind of record: the class of its rows with name, label and paragraph, and the registry of all kinds."""

import dataclasses
from collections.abc import Callable, Mapping
from datetime import date
from functools import cached_property
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

import polars as pl

from provender.exact import show
from provender.problem import Place, Problem, Weight
from provender.records import field
from provender.records.field import KEY_PATTERN, TEXT_MAX, ColumnKind, Field, columns_of

# How a fact is known, strongest first (interpretation 57): a report shows the credited bushels resting on each.
BASES: Final = ("third_party", "machine", "typed_in_season", "typed_after_harvest")


AS_TYPED: Final = "What was written where a name was taken for one of the list."

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def _row(cls: type[_T]) -> type[_T]:
    return dataclasses.dataclass(frozen=True, kw_only=True)(cls)


@_row
class Record:
    """What every row has: its farm, how it is known, its evidence, and where it came from. Equal rows are one.

    Quantities are whole numbers in the digits of their column (thousandths as a rule), choices are words.
    """

    farm_id: str = field.key(
        "Farm", "The farm's identifier; one farm's book may leave it blank, the reader fills it in."
    )
    known_by: str | None = field.choice(
        BASES, "How known", "Third party, machine, typed in season, or typed after harvest.", cite="2100.051(c)"
    )
    evidence: str | None = field.text(
        "Evidence", "Identifiers of evidence records, separated by semicolons.", cite="2100.051(c)"
    )
    note: str | None = field.text("Note", "Anything a verifier should know.")
    source_file: str | None = field.internal("File")
    source_sheet: str | None = field.internal("Sheet")
    source_row: int | None = field.internal_whole("Row")
    kind_name: ClassVar[str]
    key_names: ClassVar[tuple[str, ...]]  # the columns that tell a row from others of its farm

    @property
    def id(self) -> str:
        """Return its key; several key columns are joined by a slash."""
        return "/".join([str(getattr(self, name)) for name in self.key_names])


COMMON: Final = tuple(columns_of(Record))
"""The columns of every record."""
_TYPES: Final[dict[ColumnKind, pl.DataType]] = {
    ColumnKind.KEY: pl.String(), ColumnKind.TEXT: pl.String(), ColumnKind.QUANTITY: pl.Int64(),
    ColumnKind.WHOLE: pl.Int64(), ColumnKind.DAY: pl.Date(), ColumnKind.YES_NO: pl.Boolean(),
}  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Kind:
    """A registered kind of record. What it declares never changes, and a book asks some thousand times."""

    name: str  # the file and sheet name, such as ``operation``
    row: type[Record]  # the class of its rows; its columns carry ``Field`` metadata
    label: str  # what a person calls it, in the plural
    help: str  # one sentence on what the records are
    cite: str  # the paragraph that asks for them

    @cached_property
    def columns(self) -> Mapping[str, Field]:
        """Return every column's description, in the order of a frame."""
        return columns_of(self.row)

    @cached_property
    def fields(self) -> Mapping[str, Field]:
        """Return every column's description, in the order of the template."""
        own = [name for name in self.columns if name not in COMMON]
        return {name: self.columns[name] for name in (COMMON[0], *own, *COMMON[1:])}

    @cached_property
    def typed_fields(self) -> Mapping[str, Field]:
        """Return the columns a person types, in the order of the template."""
        return {name: found for name, found in self.fields.items() if not found.internal}

    @cached_property
    def required(self) -> tuple[str, ...]:
        """Return the columns without which no row can be used."""
        return tuple(name for name, found in self.fields.items() if found.required)

    @cached_property
    def key_columns(self) -> tuple[str, ...]:
        """Return the columns that together identify a record."""
        return tuple(name for name, found in self.columns.items() if found.part)

    @cached_property
    def polars_schema(self) -> pl.Schema:
        """Return the columns of a frame of this kind with their types."""
        return pl.Schema(
            {
                name: pl.Enum(found.options) if found.kind is ColumnKind.CHOICE else _TYPES[found.kind]
                for name, found in self.columns.items()
            }
        )

    @cached_property
    def nulls(self) -> pl.DataFrame:
        """Return a frame of this kind with one row, in which no column says anything."""
        # `clear(1)` plans and runs a query for each column, which is a fifth of a small farm's report.
        return pl.DataFrame([pl.Series(name, [None], dtype=said) for name, said in self.polars_schema.items()])

    def empty(self) -> pl.DataFrame:
        """Return a frame of this kind without rows."""
        return self.nulls.clear()


KINDS: Final[dict[str, Kind]] = {}

_R = TypeVar("_R", bound=Record)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def kind(name: str, label: str, hint: str, *, cite: str) -> Callable[[type[_R]], type[_R]]:
    """Register a class of rows as a kind of record."""

    def register(cls: type[_R]) -> type[_R]:
        made = _row(cls)
        keys = (column for column, found in columns_of(made).items() if found.part and column != "farm_id")
        made.kind_name, made.key_names = name, tuple(keys) or ("farm_id",)
        KINDS[name] = Kind(name, made, label, hint, cite)
        return made

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
    properties = {name: property_schema(field) for name, field in kind.typed_fields.items()}
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


def property_schema(field: Field) -> dict[str, Any]:
    """Return the schema of one property."""
    found: dict[str, Any] = {"title": field.label}
    if field.help:
        found["description"] = field.help
    found |= _type(field)
    for name, value in (("x-cite", field.cite), ("x-unit", field.unit), ("x-refers", field.refers)):
        if value:
            found[name] = value
    return found


def _type(field: Field) -> dict[str, Any]:
    match field.kind:
        case ColumnKind.KEY:
            return {"type": "string", "pattern": KEY_PATTERN}
        case ColumnKind.TEXT:
            return {"type": "string", "minLength": 1, "maxLength": TEXT_MAX}
        case ColumnKind.CHOICE:
            return {"type": "string", "enum": list(field.options)}
        case ColumnKind.WHOLE:
            return {"type": "integer", "minimum": field.least, "maximum": field.most}
        case ColumnKind.DAY:
            return {"type": "string", "format": "date", "x-least": str(field.least), "x-most": str(field.most)}
        case ColumnKind.YES_NO:
            return {"type": "boolean"}
        case ColumnKind.QUANTITY:
            pattern = rf"^-?[0-9]{{1,15}}(\.[0-9]{{1,{field.scale}}})?$"
            least, most = show(field.least, field.scale), show(field.most, field.scale)
            return {"type": "string", "pattern": pattern, "x-least": least, "x-most": most}
