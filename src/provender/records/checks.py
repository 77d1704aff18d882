"""Checks of frames from the declarations alone: bounds and keys. Findings become problems and incomplete rows."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, reduce
from operator import and_
from typing import Final, NamedTuple

import polars as pl

from provender.catalog.operations import find_operation
from provender.catalog.words import About, meaning
from provender.exact import show
from provender.problem import Place, Problem, Weight
from provender.records.field import KEY_FIRST, KEY_LETTER, KEY_MAX, TEXT_MAX, ColumnKind, Field
from provender.records.kind import KINDS, Kind

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


def incomplete_row_of(kind: str, row: Mapping[str, object]) -> IncompleteRow:
    """Say how far a damaged row reaches: its interval, its unit, or its kind on the whole farm."""
    unit_id, harvest_id = row.get("unit_id"), row.get("harvest_id")
    day = row.get(DAY_COLUMNS.get(kind, ""))
    return IncompleteRow(
        kind,
        str(row["farm_id"]),
        unit_id if isinstance(unit_id, str) else None,
        day if isinstance(day, dt.date) else None,
        harvest_id if isinstance(harvest_id, str) else None,
        *beside(row),
    )


def beside(row: Mapping[str, object]) -> tuple[str | None, int | None, str | None, int | None]:
    """Return the crop and the harvest year that a row names, and where it stands; None for what it does not say."""
    crop, file = row.get("crop"), row.get("source_file")
    year, number = row.get("harvest_year"), row.get("source_row")
    return (
        str(crop) if crop is not None else None,
        year if isinstance(year, int) else None,
        str(file) if file is not None else None,
        number if isinstance(number, int) else None,
    )


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
    for kind, column, target in _links():
        named = frames[kind.name], column, frames[target], _own_key(KINDS[target])
        if _all_known(*named):
            continue
        rows = _lost(*named)
        for row in rows.iter_rows(named=True):
            place = Place(row["source_file"] or kind.name, row["source_sheet"] or "", row["source_row"] or 0, column)
            label = KINDS[target].label
            cause = f"{row[column]!r} is not among the {label.lower()} of farm {row['farm_id']}."
            remedy = f"Write one that the {target} records name, or add it there."
            problems.append(Problem(place, cause, remedy, kind.fields[column].cite, code="unknown_reference"))
            incomplete_rows.append(IncompleteRow(kind.name, row["farm_id"], None, None, None, *beside(row)))
    return problems, incomplete_rows


def _own_key(kind: Kind) -> str:
    return next(name for name in kind.key_columns if name != "farm_id")


def _links() -> Iterator[tuple[Kind, str, str]]:
    for kind in KINDS.values():
        for name, found in kind.fields.items():
            if found.refers:
                yield kind, name, found.refers


def _all_known(frame: pl.DataFrame, column: str, target: pl.DataFrame, key: str) -> bool:
    """Return whether every name is there: the quick answer, of two narrow columns, since no name is lost as a rule."""
    nothing = frame.get_column(column).null_count()
    if nothing == frame.height:
        return True
    if frame.height < MANY and target.height < MANY:
        lost = _names(frame, column) - _names(target, key)
        return all(name is None for _, name in lost)
    named = frame.select("farm_id", column)
    if named.height >= MANY:  # neighbours mostly name one and the same
        named = named.filter(begins("farm_id", column))
    if nothing:
        named = named.filter(named.get_column(column).is_not_null())
    return named.join(target, left_on=["farm_id", column], right_on=["farm_id", key], how="anti").is_empty()


def _names(frame: pl.DataFrame, column: str) -> set[tuple[str, str | None]]:
    return set(zip(frame["farm_id"], frame[column], strict=True))


def _lost(frame: pl.DataFrame, column: str, target: pl.DataFrame, key: str) -> pl.DataFrame:
    named = frame.filter(pl.col(column).is_not_null())
    return named.join(target, left_on=["farm_id", column], right_on=["farm_id", key], how="anti", maintain_order="left")
