"""Checks of typed frames from the schema alone: bounds and keys. Findings become problems and incomplete rows."""

from collections.abc import Mapping, Sequence
from functools import cache, reduce
from operator import and_
from typing import Final

import polars as pl

from provender.problem import Place, Problem, Weight
from provender.quantity import show
from provender.records.field import KEY_FIRST, KEY_LETTER, KEY_MAX, KEY_PATTERN, ColumnKind, Field, describe
from provender.records.incomplete_row import IncompleteRow, incomplete_row_of
from provender.records.kind import Kind, Record
from provender.records.runs import MANY, begins

_SOURCE: Final = ("source_file", "source_sheet", "source_row")
_NOT_CONTENT: Final = frozenset(_SOURCE)


def check_frame(kind: Kind, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem], list[IncompleteRow]]:
    """Check one frame against its schema.

    A value out of bounds is set to null and its row marked incomplete; of rows with the same key the first stays and is
    marked incomplete, unless they say the same. Returns the usable frame, problems and incomplete rows.
    """
    if frame.is_empty() or _holds(kind, frame):
        return frame, [], []
    frame, problems, incomplete_rows = _drop_repeats(kind, frame)
    failure = kind.schema.filter(frame).failure
    if len(failure) == 0:
        return frame, problems, incomplete_rows
    for row in failure.details().iter_rows(named=True):
        columns = [name.partition("|")[0] for name, verdict in row.items() if "|" in name and verdict == "invalid"]
        problems += [_out_of_bounds(kind, row, name) for name in dict.fromkeys(columns)]
        # A day, unit or year that cannot be right says nothing of how far the damage reaches.
        incomplete_rows.append(incomplete_row_of(kind.name, {**row, **dict.fromkeys(columns)}))
    return _null_out(kind, frame), problems, incomplete_rows


def _holds(kind: Kind, frame: pl.DataFrame) -> bool:
    """Return whether every rule of the schema holds: the quick answer, since frames are clean as a rule.

    Distinct hashes prove distinct keys; equal ones prove nothing, and the slow way looks closer. A column in which
    nothing stands, as most do, breaks no rule where it may be blank.
    """
    rules, keys = _all_rules(kind.schema, once=frame.height >= MANY)
    asked = [
        rule for name, rule, nullable in rules if not (nullable and frame.get_column(name).null_count() == frame.height)
    ]
    # One column after the other: of few rows, dealing them out to threads takes longer than the answers.
    answer = frame.select if frame.height >= MANY else frame.select_seq
    return all(answer(*asked, keys).row(0))


@cache
def _all_rules(schema: type[Record], *, once: bool) -> tuple[Sequence[tuple[str, pl.Expr, bool]], pl.Expr]:
    """Return one answer a column, with whether it may be blank, and one for the keys.

    They are asked in one query, since a hundred small ones take far longer. ``once`` looks at names of other records
    once a run of rows: those stay the same for many, as a record's own name does not.
    """
    answers = []
    for name, column in schema.columns().items():
        rules = dict(column.validation_rules(pl.col(name)))
        if getattr(column, "regex", None) == KEY_PATTERN:
            repeats = once and (name == "farm_id" or describe(column).refers)
            rules["regex"] = is_key(pl.col(name).filter(begins(name)) if repeats else pl.col(name))
        if rules:
            holds = [rule.all() for rule in rules.values()]  # a rule that says nothing of a blank is not broken
            answers.append((name, reduce(and_, holds).alias(name), column.nullable))
    keys = pl.sum_horizontal(pl.col(name).hash(place) for place, name in enumerate(schema.primary_key()))
    return answers, (keys.n_unique() == pl.len()).alias("distinct keys")


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


def _null_out(kind: Kind, frame: pl.DataFrame) -> pl.DataFrame:
    """Set every value that breaks its column's rules to null; drop rows that lose a required one."""
    cleaned = []
    for name, column in kind.schema.columns().items():
        rules = column.validation_rules(pl.col(name))
        holds = [rule for rule_name, rule in rules.items() if rule_name != "nullability"]
        if holds:
            cleaned.append(pl.when(pl.all_horizontal(holds)).then(pl.col(name)).alias(name))
    needed = [name for name, column in kind.schema.columns().items() if not column.nullable]
    return frame.with_columns(cleaned).drop_nulls(needed)


def _out_of_bounds(kind: Kind, row: Mapping[str, object], name: str) -> Problem:
    found = kind.fields[name]
    column = kind.schema.columns()[name]
    least, most = getattr(column, "min", None), getattr(column, "max", None)
    cause = f"{found.label} of {_written(row[name], found)} cannot be right."
    remedy = f"It lies between {_written(least, found)} and {_written(most, found)}; check the unit."
    if least is None:
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
