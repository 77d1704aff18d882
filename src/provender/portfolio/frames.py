"""Columns of names, joins by number, and the catalog's lists as frames."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, reduce
from operator import and_
from typing import Final, Self, cast

import polars as pl

from provender.catalog.materials import PRODUCT_FACTS, grades, inhibitors, species
from provender.catalog.tables import INTEGERS, FieldOperation, operations
from provender.custody.queries.columns import begins
from provender.problem import Place, Problem, Weight
from provender.records.book import ENDINGS, NO_FILES, TERMINATED, EvidenceFiles, RecordBook, over_new_year_days
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


def folded(column: str | pl.Expr) -> pl.Expr:
    """Return a column of names for joins, spelled as ``lookup_name`` spells one; null stays null."""
    text = pl.col(column) if isinstance(column, str) else column
    return text.str.replace_all(r"\s+", " ").str.strip_chars().str.to_lowercase()


def spellings(names: pl.Series) -> tuple[pl.Series, pl.Series]:
    """Return the distinct names of a column and for each of its rows the number of its own; null for null."""
    distinct = names.drop_nulls().unique()
    return distinct, names.cast(pl.Enum(distinct)).to_physical()


# What a frame gives without a query, and queries over few rows: planning one costs more than a farm's rows do.
#
# A farm is judged by hundreds of small steps over some dozens of rows, a nation by the same steps over millions.

_FEW: Final = 10_000
"""Rows below which planning a query takes longer than the plan saves."""
_UNPLANNED: Final = getattr(pl.QueryOptFlags, "_eager", pl.QueryOptFlags.none)()
"""What the engine takes for a frame's own methods, or no plan at all where it no longer says so."""


def rows_at(table: pl.DataFrame, numbers: pl.Series) -> pl.DataFrame:
    """Return the rows of a table that have these numbers, counted from nought; nulls for null."""
    return table[numbers]


def without(frame: pl.DataFrame, *names: str) -> pl.DataFrame:
    found = frame.clone()  # the columns themselves are shared, not copied
    for name in names:
        found.drop_in_place(name)
    return found


def collected(query: pl.LazyFrame, rows: int) -> pl.DataFrame:
    """Return what a query over about so many rows finds."""
    return query.collect(optimizations=_UNPLANNED) if rows < _FEW else query.collect()


def at_once(steps: pl.LazyFrame) -> pl.DataFrame:
    """Return what steps give that are taken one after the other, as a frame's own methods take them.

    Each of those methods is a query of its own; a chain of them as one query takes a third of the time over few rows.
    """
    return steps.collect(optimizations=_UNPLANNED)


def rows_of(table: pl.DataFrame, key: str, numbers: pl.Series) -> pl.DataFrame:
    """Return for each of these numbers the row of a table whose key it is, without the key; nulls where there is none.

    Keys are numbers of rows and stand once each, so that a place is looked up for them and nothing is joined.
    """
    known = table.filter(pl.col(key).is_not_null()) if table[key].null_count() else table
    size = 1 + max(cast("int", of.max() or 0) for of in (known[key], numbers))
    nowhere = pl.Series([None], dtype=pl.UInt32).new_from_index(0, size)
    places = nowhere.scatter(known[key], pl.int_range(known.height, dtype=pl.UInt32, eager=True))
    return rows_at(without(known, key), places.gather(numbers))


def beside(rows: pl.DataFrame, table: pl.DataFrame, key: str) -> pl.DataFrame:
    """Put beside rows what a table has of their key, as ``rows_of`` finds it; a left join by number."""
    return rows.hstack(rows_of(table, key, rows[key]))


@cache
def operations_frame() -> pl.DataFrame:
    """Return the list with a column per attribute of ``FieldOperation``; join on ``operation_key``."""
    names = [one.name for one in fields(FieldOperation)]
    data = [{name: getattr(one, name) for name in names} for one in operations()]
    return pl.DataFrame(data, schema_overrides=dict.fromkeys(INTEGERS, pl.Int64), infer_schema_length=None)


@cache
def products_frame() -> pl.DataFrame:
    """Return one row per name: ``product_key`` and what the list says of it (``PRODUCT_FACTS``)."""
    found = grades()
    columns = {name: [getattr(one, name) for one in found.values()] for name in PRODUCT_FACTS}
    types = {**dict.fromkeys(PRODUCT_FACTS[:4], pl.Int64), "product_inhibitor": pl.String}
    return pl.DataFrame({"product_key": list(found), **columns}, schema_overrides=types)


@cache
def inhibitors_frame() -> pl.DataFrame:
    """Return one row per name: ``inhibitor_key``, ``ingredient``; ``counts``, ``least_oz_per_ac``: null if unknown."""
    types = {"inhibitor_key": pl.String, "ingredient": pl.String, "counts": pl.Boolean, "least_oz_per_ac": pl.Int64}
    rows = [tuple(getattr(one, name) for name in types) for one in inhibitors().values()]
    return pl.DataFrame(rows, schema=types, orient="row")


@cache
def species_frame() -> pl.DataFrame:
    """Return one row per name: ``species_key``, ``legume``."""
    found = species()
    return pl.DataFrame({"species_key": list(found), "legume": [one.legume for one in found.values()]})


# Frames that every job writes alike: what a person must fix, and rows as the portfolio keeps them.

_PROBLEM_SCHEMA: Final = {
    "file": pl.String, "sheet": pl.String, "row": pl.Int64, "column": pl.String, "weight": pl.String,
    "cause": pl.String, "remedy": pl.String, "cite": pl.String, "code": pl.String,
}  # fmt: skip
"""``row`` is counted from 1; 0 is the file as a whole."""


def problem_frame(problems: Iterable[Problem]) -> pl.DataFrame:
    """Return problems as a frame with the columns of ``_PROBLEM_SCHEMA``, each once."""
    rows = [
        (one.place.file, one.place.sheet, one.place.row, one.place.column, str(one.weight), one.cause, one.remedy,
         one.cite, one.code)
        for one in dict.fromkeys(problems)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=_PROBLEM_SCHEMA, orient="row")


def problems_in(frame: pl.DataFrame) -> list[Problem]:
    return [
        Problem(Place(file, sheet, row, column), cause, remedy, cite, Weight(weight), code)
        for file, sheet, row, column, weight, cause, remedy, cite, code in frame.select(*_PROBLEM_SCHEMA).iter_rows()
    ]


def incomplete_frame(rows: pl.DataFrame) -> pl.DataFrame:
    """Return incomplete rows with the farm first."""
    return rows.select("farm_id", *(name for name in INCOMPLETE if name != "farm_id"))


# The harvest year of each crop entry of many farms, in columns (2100.020), as ``records.book.harvests`` says it.

_UNIT: Final = ("farm_id", "unit_id")
HARVEST_COLUMNS: Final = (*_UNIT, "harvest_id", "crop", "ending", "first_day", "last_day")
_OWN: Final = pl.coalesce("last_day", "first_day").dt.year().cast(pl.Int32)
_DAYS: Final = 2**32
"""More than there are days."""


def with_both_days(harvest: pl.DataFrame) -> pl.DataFrame:
    """Return the entries that end a crop; where one of their two days is recorded, it is both."""
    return harvest.filter(pl.col("ending").cast(pl.String).is_in(ENDINGS)).with_columns(
        pl.coalesce("first_day", "last_day").alias("first_day"), pl.coalesce("last_day", "first_day").alias("last_day")
    )


def with_harvest_years(ended: pl.DataFrame, planting: pl.DataFrame, over: int, unit: Sequence[str]) -> pl.DataFrame:
    """Add ``planted_on`` (the first one), ``harvest_year``, and ``part``: an entry goes on with the one before.

    Args:
        ended: entries that end a crop, sorted by ``unit`` and their days.
        planting: ``planting`` records; what was planted after the entry before was cut is a crop of its own.
        over: days that a harvest over New Year takes at most.
        unit: columns that name a management unit.
    """
    planted = planting.lazy().group_by("farm_id", "harvest_id").agg(pl.col("planted_on").min())
    rows = ended.lazy().join(planted, on=["farm_id", "harvest_id"], how="left", maintain_order="left")
    harvested = pl.col("ending").cast(pl.String) != TERMINATED
    same = pl.all_horizontal((pl.col(name) == pl.col(name).shift(1)).fill_null(False) for name in (*unit, "crop"))
    planted_between = (pl.col("planted_on") >= pl.col("first_day").shift(1)).fill_null(False)
    follows = same & harvested & harvested.shift(1, fill_value=False) & ~planted_between
    dated = rows.with_columns(follows.alias("_follows")).with_columns(_harvest_year(over).alias("harvest_year"))
    same_year = (pl.col("harvest_year") == pl.col("harvest_year").shift(1)).fill_null(False)
    return at_once(dated.select(pl.exclude("_follows"), (pl.col("_follows") & same_year).alias("part")))


def with_year_of_many(harvest: pl.DataFrame, planting: Callable[[], pl.DataFrame]) -> pl.DataFrame:
    """Add ``harvest_year`` alone, as ``records.book.years_of`` says it, to the records of many farms.

    Args:
        harvest: ``harvest`` records, with ``HARVEST_COLUMNS`` at least.
        planting: reads the ``planting`` records; asked only where something may have run over New Year.
    """
    rows = harvest.with_row_index("_row")
    # What was not cut early in a year cannot have run over New Year: few units are worth being put in order.
    early = with_both_days(rows).filter(pl.col("last_day").dt.ordinal_day() <= over_new_year_days())
    if early.is_empty():
        return harvest.with_columns(_OWN.alias("harvest_year"))
    return _with(rows, rows.join(early, on=_UNIT, how="semi"), planting()).drop("_row", "part")


def _with(rows: pl.DataFrame, turned: pl.DataFrame, planting: pl.DataFrame) -> pl.DataFrame:
    ended = with_both_days(turned).sort(*_UNIT, "first_day", "last_day", nulls_last=True)
    found = with_harvest_years(ended, planting, over_new_year_days(), _UNIT).select("_row", "harvest_year", "part")
    return rows.join(found, on="_row", how="left", maintain_order="left").with_columns(
        pl.coalesce("harvest_year", _OWN).alias("harvest_year"), pl.col("part").fill_null(value=False)
    )


def _harvest_year(over: int) -> pl.Expr:
    """Return the year of a harvest: of its last day, or of its first one where it ran over New Year.

    A row whose crop also ``_follows`` ran over it with what was last cut before; the next crop does not, though nobody
    recorded its planting.
    """
    first, last = pl.col("first_day"), pl.col("last_day")
    turned = first.dt.year() != first.dt.year().shift(1)
    cut = pl.when(~pl.col("_follows")).then(pl.date(1, 1, 1)).when(turned).then(first.shift(1)).forward_fill()
    until = _latest_so_far(last, (~pl.col("_follows")).cum_sum())
    own = pl.when(_over_new_year(first, last, over)).then(first.dt.year()).otherwise(last.dt.year())
    return pl.when(_over_new_year(cut, until, over)).then(cut.dt.year()).otherwise(own).cast(pl.Int32)


def _latest_so_far(day: pl.Expr, run: pl.Expr) -> pl.Expr:
    """Return the latest day of a run of rows up to each; null where the row's own is. Runs are numbered upwards.

    Run and day are one number that only grows from run to run, so that no rows are grouped: most runs are one row.
    """
    both = run.cast(pl.Int64) * _DAYS + day.cast(pl.Int32).cast(pl.Int64) + _DAYS // 2
    return (both.cum_max() % _DAYS - _DAYS // 2).cast(pl.Int32).cast(pl.Date)


def _over_new_year(first: pl.Expr, last: pl.Expr, over: int) -> pl.Expr:
    return (last.dt.year() == first.dt.year() + 1) & (last - first <= pl.duration(days=over))
