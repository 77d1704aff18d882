"""A kind of record: the class of its rows with name, label and paragraph, and the registry of all kinds."""

import dataclasses
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, cached_property, reduce
from operator import and_
from typing import Any, ClassVar, Final, NamedTuple, TypeVar, dataclass_transform

import polars as pl

from provender.catalog.tables import find_operation
from provender.catalog.words import About, meaning
from provender.exact import show
from provender.problem import Place, Problem, Weight
from provender.records import field
from provender.records.field import KEY_FIRST, KEY_LETTER, KEY_MAX, KEY_PATTERN, METADATA, TEXT_MAX, ColumnKind, Field

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
    source_row: int | None = field.internal("Row", ColumnKind.WHOLE)
    kind_name: ClassVar[str]
    key_names: ClassVar[tuple[str, ...]]  # the columns that tell a row from others of its farm

    @property
    def id(self) -> str:
        """Return its key; several key columns are joined by a slash."""
        return "/".join([str(getattr(self, name)) for name in self.key_names])


def _columns_of(record: type[Any]) -> dict[str, Field]:
    """Return the columns of a class of rows, those of every record first."""
    return {one.name: one.metadata[METADATA] for one in dataclasses.fields(record)}


COMMON: Final = tuple(_columns_of(Record))
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


# Checks of frames from the declarations alone: bounds and keys. Findings become problems and incomplete rows.

# Rows in runs: those of one farm or unit mostly lie beside each other, so that names are looked at once a run.

MANY: Final = 10_000
"""Rows from which looking for runs is worth its queries."""


def begins(*names: str) -> pl.Expr:
    """Return where a row differs from the one before in one of these columns; a null is like another.

    The first row begins a run unless all of its are null. Never null itself.
    """
    return pl.any_horizontal(pl.col(name).ne_missing(pl.col(name).shift(1)) for name in names)


# Rows that could not be read in full: an unreadable row is not a missing row (interpretations 2, 3).
#
# An incomplete row makes everything that needs completeness in its unit and interval *not shown*. Without a unit it
# does so for its kind of record on the whole farm.

SCHEMA: Final = {
    "kind": pl.String,
    "farm_id": pl.String,
    "unit_id": pl.String,
    "day": pl.Date,
    "harvest_id": pl.String,
}
"""What a portfolio keeps of incomplete rows; a book in memory knows more (``REACH``)."""
REACH: Final = {**SCHEMA, "crop": pl.String, "harvest_year": pl.Int64, "file": pl.String, "row": pl.Int64}

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


def frame(incomplete_rows: list[IncompleteRow], harvest: pl.DataFrame) -> pl.DataFrame:
    """Return incomplete rows as a frame with the columns of ``REACH``, without repeats.

    A row that names no unit but a crop entry (planting, declaration, budget) gets the unit of that entry in the
    ``harvest`` records.
    """
    found = pl.DataFrame(incomplete_rows, schema=REACH, orient="row").unique(maintain_order=True)
    if found["harvest_id"].null_count() == found.height:
        return found
    units = harvest.select("farm_id", "harvest_id", pl.col("unit_id").alias("_unit"))
    joined = found.join(units, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("unit_id", "_unit").alias("unit_id")).drop("_unit")


_SOURCE: Final = ("source_file", "source_sheet", "source_row")
_NOT_CONTENT: Final = frozenset(_SOURCE)


def check_frame(kind: Kind, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem], list[IncompleteRow]]:
    """Check one frame against what its kind declares.

    A value out of bounds is set to null and its row marked incomplete, and goes where it was required; of rows with the
    same key the first stays and is marked incomplete, unless they say the same. Returns the usable frame, problems and
    incomplete rows.
    """
    if frame.is_empty() or _holds(kind, frame):
        return frame, [], []
    frame, problems, incomplete_rows = _drop_repeats(kind, frame)
    free = _without_implement(frame) if "operation" in frame.columns else []
    holds = frame.select(pl.all_horizontal(rules).alias(name) for name, rules in _rules(kind, free=free))
    broken = holds.select(~pl.all_horizontal(pl.all())).to_series()
    if not broken.any():
        return frame, problems, incomplete_rows
    for row, kept in zip(frame.filter(broken).rows(named=True), holds.filter(broken).rows(named=True), strict=True):
        columns = [name for name, right in kept.items() if right is False]
        problems += [_out_of_bounds(kind, row, name) for name in columns]
        # A day, unit or year that cannot be right says nothing of how far the damage reaches.
        incomplete_rows.append(incomplete_row_of(kind.name, {**row, **dict.fromkeys(columns)}))
    right = [pl.when(pl.lit(one)).then(pl.col(one.name)).alias(one.name) for one in holds]
    return frame.with_columns(right).drop_nulls(kind.required), problems, incomplete_rows


def _without_implement(frame: pl.DataFrame) -> list[str]:
    """Return the operations of a frame that no implement does, by whatever name: an airplane's 120 mph is none of one.

    A name that no list knows may be one of them, and so may one with several meanings; the bounds hold as soon as
    somebody says what it means.
    """
    found = []
    for text in frame["operation"].drop_nulls().unique():
        listed = [find_operation(name) for name in meaning(About.OPERATION, text).names]
        if not listed or any(one is not None and one.is_still for one in listed):
            found.append(text)
    return found


def _holds(kind: Kind, frame: pl.DataFrame) -> bool:
    """Return whether every rule of the kind holds: the quick answer, since frames are clean as a rule.

    Distinct hashes prove distinct keys; equal ones prove nothing, and the slow way looks closer. A column in which
    nothing stands, as most do, breaks no rule where it may be blank.
    """
    rules, keys = _all_rules(kind, once=frame.height >= MANY)
    asked = [
        rule
        for name, rule in rules
        if kind.columns[name].required or frame.get_column(name).null_count() < frame.height
    ]
    # One column after the other: of few rows, dealing them out to threads takes longer than the answers.
    answer = frame.select if frame.height >= MANY else frame.select_seq
    return all(answer(*asked, keys).row(0))


@cache
def _all_rules(kind: Kind, *, once: bool) -> tuple[Sequence[tuple[str, pl.Expr]], pl.Expr]:
    """Return one answer a column, and one for the keys.

    They are asked in one query, since a hundred small ones take far longer.
    """
    answers = [
        (name, reduce(and_, (rule.all() for rule in rules)).alias(name)) for name, rules in _rules(kind, once=once)
    ]
    keys = pl.sum_horizontal(pl.col(name).hash(place) for place, name in enumerate(kind.key_columns))
    return answers, (keys.n_unique() == pl.len()).alias("distinct keys")


def _rules(kind: Kind, *, once: bool = False, free: Sequence[str] = ()) -> Iterator[tuple[str, list[pl.Expr]]]:
    """Yield each column of which something must hold, with that; what says nothing of a blank is not broken by it.

    ``once`` looks at names of other records once a run of rows: those stay the same for many, as a record's own name
    does not. ``free`` are operations that no bound of an implement holds for.
    """
    for name, found in kind.columns.items():
        value = pl.col(name)
        rules = [value.is_not_null()] if found.required else []
        if found.kind is ColumnKind.KEY:
            repeats = once and (name == "farm_id" or found.refers)
            rules.append(is_key(value.filter(begins(name)) if repeats else value))
        elif found.kind is ColumnKind.TEXT and not found.internal:
            rules.append(value.str.len_chars().is_between(1, TEXT_MAX))
        elif found.least is not None:
            within = value.is_between(found.least, found.most)
            of_implement = free and found.when is not None and found.when.field == "operation"
            rules.append(
                within | ((value >= found.least) & pl.col("operation").is_in(free)) if of_implement else within
            )
        if rules:
            yield name, rules


def is_key(name: pl.Expr) -> pl.Expr:
    """Return where a text is as ``KEY_PATTERN`` says; null for null.

    The same in two steps, its letters and its length: a pattern that counts letters takes forty times as long.
    """
    return name.str.contains(f"^{KEY_FIRST}{KEY_LETTER}*$") & (name.str.len_chars() <= KEY_MAX)


def _drop_repeats(kind: Kind, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem], list[IncompleteRow]]:
    keys = list(kind.key_columns)
    content = [name for name in frame.columns if name not in _NOT_CONTENT]
    repeated = frame.filter(pl.struct(keys).is_duplicated())
    if repeated.is_empty():
        return frame, [], []
    problems, incomplete_rows = [], []
    for _, same in repeated.group_by(keys, maintain_order=True):
        rows = same.rows(named=True)
        alike = same.select(content).n_unique() == 1
        named = ", ".join(str(rows[0][name]) for name in keys if name != "farm_id") or rows[0]["farm_id"]
        places = "; ".join(str(_place(row)) for row in rows[1:])
        cause = f"{kind.label}: {named} stands there {len(rows)} times (also {places})."
        weight = Weight.CONFIRM if alike else Weight.ERROR
        remedy = (
            "Remove the repeats; they say the same."
            if alike
            else "Give each its own identifier, or remove the wrong one."
        )
        problems.append(Problem(_place(rows[0], keys[-1]), cause, remedy, kind.cite, weight, "double_key"))
        if not alike:
            incomplete_rows += [incomplete_row_of(kind.name, row) for row in rows]
    return frame.unique(keys, keep="first", maintain_order=True), problems, incomplete_rows


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


# References between records: plain anti-joins that emit problems.


def missing_references(frames: Mapping[str, pl.DataFrame]) -> tuple[list[Problem], list[IncompleteRow]]:
    """Find rows that name a record which does not exist on their farm.

    Such a row cannot be placed, so its kind is marked incomplete on the whole farm, as an unreadable key is.
    """
    problems: list[Problem] = []
    incomplete_rows: list[IncompleteRow] = []
    for kind in KINDS.values():
        for column, found in kind.fields.items():
            if not found.refers:
                continue
            frame, target = frames[kind.name], frames[found.refers]
            key = next(name for name in KINDS[found.refers].key_columns if name != "farm_id")
            if _all_known(frame, column, target, key):
                continue
            named = frame.filter(pl.col(column).is_not_null())
            keys = ["farm_id", column], ["farm_id", key]
            lost = named.join(target, left_on=keys[0], right_on=keys[1], how="anti", maintain_order="left")
            for row in lost.iter_rows(named=True):
                place = Place(
                    row["source_file"] or kind.name, row["source_sheet"] or "", row["source_row"] or 0, column
                )
                label = KINDS[found.refers].label.lower()
                cause = f"{row[column]!r} is not among the {label} of farm {row['farm_id']}."
                remedy = f"Write one that the {found.refers} records name, or add it there."
                problems.append(Problem(place, cause, remedy, found.cite, code="unknown_reference"))
                incomplete_rows.append(incomplete_row_of(kind.name, row, is_placed=False))
    return problems, incomplete_rows


def _all_known(frame: pl.DataFrame, column: str, target: pl.DataFrame, key: str) -> bool:
    """Return whether every name is there: the quick answer, of two narrow columns, since no name is lost as a rule."""
    nothing = frame.get_column(column).null_count()
    if nothing == frame.height:
        return True
    if frame.height < MANY and target.height < MANY:
        lost = set(zip(frame["farm_id"], frame[column], strict=True)) - set(
            zip(target["farm_id"], target[key], strict=True)
        )
        return all(name is None for _, name in lost)
    named = frame.select("farm_id", column)
    if named.height >= MANY:  # neighbours mostly name one and the same
        named = named.filter(begins("farm_id", column))
    if nothing:
        named = named.filter(named.get_column(column).is_not_null())
    return named.join(target, left_on=["farm_id", column], right_on=["farm_id", key], how="anti").is_empty()
