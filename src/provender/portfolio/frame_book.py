"""The records of many farms in columns, checked as a record book is: what breaks no rule is never made into rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import and_
from typing import Final, Self

import polars as pl

from provender.custody.queries.columns import begins
from provender.problem import Problem
from provender.records.book import NO_FILES, EvidenceFiles, RecordBook
from provender.records.field import KEY_FIRST, KEY_LETTER, KEY_MAX, TEXT_MAX, ColumnKind
from provender.records.kind import KINDS, IncompleteRow, Kind, Record, check_rows, links, own_key, unknown_reference

MANY: Final = 10_000
"""Rows from which looking for runs of one name is worth its queries: rows of a farm or unit mostly lie together."""
INCOMPLETE: Final = {
    "kind": pl.String, "farm_id": pl.String, "unit_id": pl.String, "day": pl.Date, "harvest_id": pl.String,
}  # fmt: skip
"""What a portfolio keeps of incomplete rows."""
_REACH: Final = {**INCOMPLETE, "crop": pl.String, "harvest_year": pl.Int64, "file": pl.String, "row": pl.Int64}
_TYPES: Final[dict[ColumnKind, pl.DataType]] = {
    ColumnKind.KEY: pl.String(), ColumnKind.TEXT: pl.String(), ColumnKind.QUANTITY: pl.Int64(),
    ColumnKind.WHOLE: pl.Int64(), ColumnKind.DAY: pl.Date(), ColumnKind.YES_NO: pl.Boolean(),
}  # fmt: skip


@cache
def schema_of(kind: Kind) -> pl.Schema:
    """Return the columns of a frame of a kind with their types."""
    columns = kind.columns.items()
    return pl.Schema(
        {name: pl.Enum(one.options) if one.kind is ColumnKind.CHOICE else _TYPES[one.kind] for name, one in columns}
    )


def frame_of(kind: Kind, rows: Sequence[Record]) -> pl.DataFrame:
    return pl.DataFrame([pl.Series(name, [row[name] for row in rows], of) for name, of in schema_of(kind).items()])


def records_in(kind: Kind, frame: pl.DataFrame) -> list[Record]:
    return [kind.row(**row) for row in frame.iter_rows(named=True)]


@dataclass(frozen=True, slots=True)
class FrameBook:
    """Checked records of some farms or a million; the farm is a key column of every frame."""

    frames: Mapping[str, pl.DataFrame]  # one frame per kind of record, all kinds present, of its types
    incomplete_rows: pl.DataFrame  # one row per record that could not be read in full (``IncompleteRow``)
    problems: tuple[Problem, ...]  # everything a person must fix, all at once
    files: EvidenceFiles = NO_FILES  # the files that evidence records name

    def __getitem__(self, kind: str) -> pl.DataFrame:
        return self.frames[kind]

    @classmethod
    def of_book(cls, book: RecordBook) -> Self:
        frames = {name: frame_of(kind, book[name]) for name, kind in KINDS.items()}
        return cls(frames, _incomplete(book.incomplete_rows), book.problems, book.files)

    @classmethod
    def of_frames(
        cls,
        frames: Mapping[str, pl.DataFrame],
        *,
        problems: Iterable[Problem] = (),
        incomplete_rows: Iterable[IncompleteRow] = (),
        files: EvidenceFiles = NO_FILES,
    ) -> Self:
        """Check typed frames (bounds, keys, references) and make a book of them; absent kinds are empty."""
        told, spoiled = list(problems), list(incomplete_rows)
        checked: dict[str, pl.DataFrame] = {}
        for name, kind in KINDS.items():
            frame = frames.get(name)
            if frame is None:
                checked[name] = schema_of(kind).to_frame()
                continue
            checked[name], more, also = _check(kind, frame.select(list(kind.columns)))
            told += more
            spoiled += also
        for problem, mark in _missing_references(checked):
            told.append(problem)
            spoiled.append(mark)
        return cls(checked, _with_units(_incomplete(spoiled), checked["harvest"]), tuple(told), files)

    def as_records(self) -> RecordBook:
        """Return the book in rows, as the law judges it."""
        records = {name: records_in(kind, self[name]) for name, kind in KINDS.items()}
        marks = tuple(IncompleteRow(**row) for row in self.incomplete_rows.iter_rows(named=True))
        return RecordBook(records, marks, self.problems, files=self.files)


def _incomplete(rows: Iterable[IncompleteRow]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=_REACH, orient="row").unique(maintain_order=True)


def _with_units(found: pl.DataFrame, harvest: pl.DataFrame) -> pl.DataFrame:
    """Give a row that names no unit but a crop entry the unit of that entry, as ``records.kind.with_units`` does."""
    if found["harvest_id"].null_count() == found.height:
        return found
    units = harvest.select("farm_id", "harvest_id", pl.col("unit_id").alias("_unit"))
    joined = found.join(units, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce("unit_id", "_unit").alias("unit_id")).drop("_unit")


def _check(kind: Kind, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem], list[IncompleteRow]]:
    """Check a frame; what may break a rule is looked at row by row (``check_rows``)."""
    if frame.is_empty() or _holds(kind, frame):
        return frame, [], []
    broken = pl.any_horizontal(~rule for _, rules in _rules(kind) for rule in rules).fill_null(value=False)
    numbered = frame.with_row_index("_row")
    suspect = numbered.select(broken | pl.struct(kind.key_columns).is_duplicated()).to_series()
    rows = records_in(kind, frame.filter(suspect))
    kept, problems, incomplete_rows = check_rows(kind, rows)
    places: dict[tuple[object, ...], int] = {}
    for row, place in zip(rows, numbered.filter(suspect)["_row"], strict=True):
        places.setdefault(_key(kind, row), place)
    back = frame_of(kind, kept).insert_column(
        0, pl.Series("_row", [places[_key(kind, row)] for row in kept], numbered.schema["_row"])
    )
    whole = pl.concat([numbered.filter(~suspect), back]).sort("_row").drop("_row")
    return whole, problems, incomplete_rows


def _key(kind: Kind, row: Record) -> tuple[object, ...]:
    return tuple([row[name] for name in kind.key_columns])


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


def _rules(kind: Kind, *, once: bool = False) -> Iterator[tuple[str, list[pl.Expr]]]:
    """Yield each column of which something must hold, with that; what says nothing of a blank is not broken by it.

    ``once`` looks at names of other records once a run of rows: those stay the same for many, as a record's own name
    does not.
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
            rules.append(value.is_between(found.least, found.most))
        if rules:
            yield name, rules


def is_key(name: pl.Expr) -> pl.Expr:
    """Return where a text is as ``KEY_PATTERN`` says; null for null.

    The same in two steps, its letters and its length: a pattern that counts letters takes forty times as long.
    """
    return name.str.contains(f"^{KEY_FIRST}{KEY_LETTER}*$") & (name.str.len_chars() <= KEY_MAX)


def _missing_references(frames: Mapping[str, pl.DataFrame]) -> Iterator[tuple[Problem, IncompleteRow]]:
    for kind, column, name in links():
        named = frames[kind.name].filter(pl.col(column).is_not_null())
        keys = ["farm_id", own_key(KINDS[name])]
        if named.height >= MANY and _are_known(named.filter(begins("farm_id", column)), column, frames[name], keys):
            continue
        lost = named.join(frames[name], left_on=["farm_id", column], right_on=keys, how="anti", maintain_order="left")
        yield from (unknown_reference(kind, row, column) for row in records_in(kind, lost))


def _are_known(named: pl.DataFrame, column: str, target: pl.DataFrame, keys: list[str]) -> bool:
    """Return whether every name is there: the quick answer, of two narrow columns, since neighbors mostly name one."""
    return (
        named.select("farm_id", column).join(target, left_on=["farm_id", column], right_on=keys, how="anti").is_empty()
    )
