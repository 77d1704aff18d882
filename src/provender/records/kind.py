"""A kind of record: the class of its rows with name, label and paragraph, and the registry of all kinds."""

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, ClassVar, Final, NamedTuple, TypeVar, dataclass_transform

from provender.catalog.tables import find_operation
from provender.catalog.words import About, meaning
from provender.exact import show
from provender.problem import Place, Problem, Weight
from provender.records import field
from provender.records.field import KEY, KEY_PATTERN, METADATA, TEXT_MAX, ColumnKind, Field

# How a fact is known, strongest first (interpretation 57): a report shows the credited bushels resting on each.
BASES: Final = ("third_party", "machine", "typed_in_season", "typed_after_harvest")


AS_TYPED: Final = "What was written where a name was taken for one of the list."

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, kw_only_default=True)
def _row(cls: type[_T]) -> type[_T]:
    return dataclasses.dataclass(frozen=True, kw_only=True)(cls)


@_row
class Record(Mapping[str, Any]):
    """What every row has: its farm, how it is known, its evidence, and where it came from. Equal rows are one.

    Quantities are whole numbers in the digits of their column (thousandths as a rule), choices are words. Where a kind
    is known by its name alone, a row is a mapping of its columns.
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
    source_row: int | None = field.internal("Row", ColumnKind.WHOLE)
    kind_name: ClassVar[str]
    key_names: ClassVar[tuple[str, ...]]  # the columns that tell a row from others of its farm

    @property
    def id(self) -> str:
        """Return its key; several key columns are joined by a slash."""
        values, (first, *others) = vars(self), self.key_names
        return "/".join([str(values[first]), *(str(values[name]) for name in others)]) if others else str(values[first])

    def __getitem__(self, column: str) -> Any:  # noqa: ANN401 - of any column
        return vars(self)[column]

    def __iter__(self) -> Iterator[str]:
        return iter(vars(self))

    def __len__(self) -> int:
        """Return how many columns there are."""
        return len(vars(self))


def _columns_of(record: type[Any]) -> dict[str, Field]:
    """Return the columns of a class of rows, those of every record first."""
    return {one.name: one.metadata[METADATA] for one in dataclasses.fields(record)}


COMMON: Final = tuple(_columns_of(Record))
"""The columns of every record."""


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
        """Return every column's description, as the class declares them."""
        return _columns_of(self.row)

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
    def bounded(self) -> Mapping[str, Field]:
        """Return the columns in which what was read may yet be wrong: required, of a form, or between two bounds."""
        kinds = (ColumnKind.KEY, ColumnKind.TEXT)
        return {
            name: found
            for name, found in self.columns.items()
            if found.required or found.least is not None or (found.kind in kinds and not found.internal)
        }

    @cached_property
    def key_columns(self) -> tuple[str, ...]:
        """Return the columns that together identify a record."""
        return tuple(name for name, found in self.columns.items() if found.part)

    def row_of(self, values: Mapping[str, Any]) -> Record:
        """Return a typed row of values by column, those that are absent blank, and blank too what it may not lack."""
        every: dict[str, Any] = {name: values.get(name) for name in self.columns}
        return self.row(**every)


KINDS: Final[dict[str, Kind]] = {}

_R = TypeVar("_R", bound=Record)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def kind(name: str, label: str, hint: str, *, cite: str) -> Callable[[type[_R]], type[_R]]:
    """Register a class of rows as a kind of record."""

    def register(cls: type[_R]) -> type[_R]:
        made = _row(cls)
        keys = (column for column, found in _columns_of(made).items() if found.part and column != "farm_id")
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
    return [(group, [KINDS[name] for name in names]) for group, names in GROUPS.items()]


# The order of days between a row and the row that it names: a cover crop stands before the crop that follows it.

COVER: Final = "cover_crop"
_CITE: Final = "2100.052(a)(1)"


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
    return Problem(place, cause, remedy, _CITE, Weight.CONFIRM, "cover_after_crop")


# JSON Schema (2020-12) of every kind of record, from the same declarations as checks and template.
#
# Quantities are decimal strings, as in all JSON of this project: a float would lose what was typed. Units, paragraphs
# and references stand beside each property under names of ours (``x-unit``, ``x-cite``, ``x-refers``), which validators
# pass over.

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def record_schema(kind: Kind) -> dict[str, Any]:
    """Return the schema of one record; the farm's identifier may be left out in the book of one farm."""
    properties = {name: _property_schema(field) for name, field in kind.typed_fields.items()}
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


def _property_schema(field: Field) -> dict[str, Any]:
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


# Rows that could not be read in full: an unreadable row is not a missing row (interpretations 2, 3).
#
# An incomplete row makes everything that needs completeness in its unit and interval *not shown*. Without a unit it
# does so for its kind of record on the whole farm.

# The kinds whose rows stand on one day of one unit: only there does a readable day narrow an incomplete row to an
# interval.
DAY_COLUMNS: Final = {"operation": "day", "nutrient_application": "day"}


class IncompleteRow(NamedTuple):
    """One row that could not be used in full."""

    kind: str  # the kind of record
    farm_id: str  # its farm
    unit_id: str | None = None  # its management unit, or None when that is unknown: then the whole farm is meant
    day: dt.date | None = None  # its day, or None: then every interval of the unit is meant
    harvest_id: str | None = None  # the crop entry it names, from which a missing unit is found
    crop: str | None = None  # those it names, or None: then any may be meant
    harvest_year: int | None = None  # those it names, or None: then any may be meant
    file: str | None = None  # where it stands, or None
    row: int | None = None  # where it stands, or None


def incomplete_row_of(kind: str, row: Mapping[str, object], *, is_placed: bool = True) -> IncompleteRow:
    """Say how far a damaged row reaches: its interval or its unit; if it is not placed, its kind on the whole farm."""
    day = row.get(DAY_COLUMNS.get(kind, "")) if is_placed else None
    unit, entry = (_text(row.get(name)) if is_placed else None for name in ("unit_id", "harvest_id"))
    year, number = (value if isinstance(value, int) else None for value in map(row.get, ("harvest_year", "source_row")))
    where = day if isinstance(day, dt.date) else None, entry, _text(row.get("crop")), year
    return IncompleteRow(kind, str(row["farm_id"]), unit, *where, _text(row.get("source_file")), number)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def with_units(rows: Iterable[IncompleteRow], harvests: Iterable[Record]) -> tuple[IncompleteRow, ...]:
    """Return incomplete rows without repeats; one that names a crop entry and no unit gets the unit of that entry."""
    every = tuple(dict.fromkeys(rows))
    if not any(row.harvest_id and row.unit_id is None for row in every):
        return every
    units = {(row.farm_id, row["harvest_id"]): row["unit_id"] for row in harvests}
    return tuple(
        row if row.unit_id is not None else row._replace(unit_id=units.get((row.farm_id, row.harvest_id)))
        for row in every
    )


# Checks of rows from the declarations alone: keys, bounds, references. Findings become problems and incomplete rows.

_NOWHERE: Final[dict[str, Any]] = dict.fromkeys(("source_file", "source_sheet", "source_row"))
"""The columns that say where a row stands, not what it says."""


def check_rows(kind: Kind, rows: Sequence[Record]) -> tuple[list[Record], list[Problem], list[IncompleteRow]]:
    """Check rows against what their kind declares.

    A value out of bounds is set to None and its row marked incomplete, and goes where it was required; of rows with the
    same key the first stays and is marked incomplete, unless they say the same. Returns the usable rows, problems and
    incomplete rows.
    """
    rows, problems, incomplete_rows = _drop_repeats(kind, rows)
    kept = []
    for row in rows:
        if broken := _broken_columns(kind, row):
            problems += [_out_of_bounds(kind, row, name) for name in broken]
            blank: dict[str, Any] = dict.fromkeys(broken)
            # A day, unit or year that cannot be right says nothing of how far the damage reaches.
            incomplete_rows.append(incomplete_row_of(kind.name, {**row, **blank}))
            if any(kind.columns[name].required for name in broken):
                continue
            row = dataclasses.replace(row, **blank)  # noqa: PLW2901 - what is left of it
        kept.append(row)
    return kept, problems, incomplete_rows


def _broken_columns(kind: Kind, row: Record) -> list[str]:
    """Return the columns of a row whose value cannot be right."""
    values = vars(row)
    return [
        name
        for name, found in kind.bounded.items()
        if (found.required if (value := values[name]) is None else not _may_be(found, value, row))
    ]


def _may_be(found: Field, value: Any, row: Record) -> bool:  # noqa: ANN401 - a cell that is not blank
    if found.kind is ColumnKind.KEY:
        return KEY.fullmatch(value) is not None
    if found.kind is ColumnKind.TEXT:
        return 0 < len(value) <= TEXT_MAX
    if found.least is None or found.least <= value <= found.most:
        return True
    of_implement = found.when is not None and found.when.field == "operation"
    return of_implement and value >= found.least and _is_without_implement(row["operation"])


@lru_cache(maxsize=1_024)
def _is_without_implement(operation: str | None) -> bool:
    """Tell whether no implement does an operation, by whatever name: an airplane's 120 mph is none of one.

    A name that no list knows may be one of them, and so may one with several meanings; the bounds hold as soon as
    somebody says what it means.
    """
    if operation is None:
        return False
    listed = [find_operation(name) for name in meaning(About.OPERATION, operation).names]
    return not listed or any(one is not None and one.is_still for one in listed)


def _drop_repeats(kind: Kind, rows: Sequence[Record]) -> tuple[Sequence[Record], list[Problem], list[IncompleteRow]]:
    keys = kind.key_columns
    key_of = attrgetter(*keys)
    if len({key_of(row) for row in rows}) == len(rows):
        return rows, [], []
    by_key: dict[object, list[Record]] = {}
    for row in rows:
        by_key.setdefault(key_of(row), []).append(row)
    problems: list[Problem] = []
    incomplete_rows: list[IncompleteRow] = []
    for same in by_key.values():
        if len(same) == 1:
            continue
        first = same[0]
        alike = len({dataclasses.replace(row, **_NOWHERE) for row in same}) == 1
        named = ", ".join(str(first[name]) for name in keys if name != "farm_id") or first.farm_id
        places = "; ".join(str(_place(row)) for row in same[1:])
        cause = f"{kind.label}: {named} stands there {len(same)} times (also {places})."
        weight = Weight.CONFIRM if alike else Weight.ERROR
        remedy = (
            "Remove the repeats; they say the same."
            if alike
            else "Give each its own identifier, or remove the wrong one."
        )
        problems.append(Problem(_place(first, keys[-1]), cause, remedy, kind.cite, weight, "double_key"))
        if not alike:
            incomplete_rows += [incomplete_row_of(kind.name, row) for row in same]
    return [same[0] for same in by_key.values()], problems, incomplete_rows


def _out_of_bounds(kind: Kind, row: Mapping[str, object], name: str) -> Problem:
    found = kind.fields[name]
    cause = f"{found.label} of {_written(row[name], found)} cannot be right."
    remedy = f"It lies between {_written(found.least, found)} and {_written(found.most, found)}; check the unit."
    if found.least is None:
        cause, remedy = f"{found.label} is blank or not well formed.", "Fill it in."
    return Problem(_place(row, name), cause, remedy, found.cite, code="out_of_bounds")


def _written(value: object, field: Field) -> str:
    if isinstance(value, int) and field.kind is ColumnKind.QUANTITY:
        return f"{show(value, field.scale)} {field.unit}".strip()
    return "nothing" if value is None else str(value)


def _place(row: Mapping[str, object], column: str = "") -> Place:
    return Place(
        str(row["source_file"] or "records"), str(row["source_sheet"] or ""), int(str(row["source_row"] or 0)), column
    )


# References between records.


def missing_references(rows: Mapping[str, Sequence[Record]]) -> tuple[list[Problem], list[IncompleteRow]]:
    """Find rows that name a record which does not exist on their farm.

    Such a row cannot be placed, so its kind is marked incomplete on the whole farm, as an unreadable key is.
    """
    problems: list[Problem] = []
    incomplete_rows: list[IncompleteRow] = []
    known: dict[str, set[object]] = {}
    for kind, column, target in links():
        names = attrgetter("farm_id", column)
        named = [(row, name) for row in rows[kind.name] if (name := names(row))[1] is not None]
        if named and target not in known:
            known[target] = {*map(attrgetter("farm_id", own_key(KINDS[target])), rows[target])}
        for row, name in named:
            if name not in known[target]:
                problem, mark = unknown_reference(kind, row, column)
                problems.append(problem)
                incomplete_rows.append(mark)
    return problems, incomplete_rows


def unknown_reference(kind: Kind, row: Record, column: str) -> tuple[Problem, IncompleteRow]:
    target = KINDS[kind.columns[column].refers]
    cause = f"{row[column]!r} is not among the {target.label.lower()} of farm {row.farm_id}."
    remedy = f"Write one that the {target.name} records name, or add it there."
    place = Place(row.source_file or kind.name, row.source_sheet or "", row.source_row or 0, column)
    problem = Problem(place, cause, remedy, kind.columns[column].cite, code="unknown_reference")
    return problem, incomplete_row_of(kind.name, row, is_placed=False)


def own_key(kind: Kind) -> str:
    """Return the first column that tells a record from others of its farm; the farm's own where it has none."""
    return next((name for name in kind.key_columns if name != "farm_id"), "farm_id")


def links() -> Iterator[tuple[Kind, str, str]]:
    """Yield each column that names other records: its kind, its name, and their kind."""
    for kind in KINDS.values():
        for name, found in kind.fields.items():
            if found.refers:
                yield kind, name, found.refers
