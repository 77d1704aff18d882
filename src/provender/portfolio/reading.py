"""Files of a portfolio as the checked records of many farms: whatever another program wrote, nothing lost in silence.

A cell or row that cannot be read spoils what rests on it, as in a book (interpretation 2): the row's interval, its unit
or its farm. A row without a farm could be anybody's, and so it is of every farm of its partition; the same holds where
a file cannot be read or rows are missing.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Final, NamedTuple

import polars as pl

from provender.exact import show
from provender.portfolio import layout
from provender.portfolio.export import GEOMETRY, HELD, stated_files
from provender.portfolio.export import SCHEMA as HELD_SCHEMA
from provender.portfolio.frames import INCOMPLETE as INCOMPLETE_SCHEMA
from provender.portfolio.frames import FrameBook, schema_of
from provender.portfolio.layout import FAILURES, unreadable, words
from provender.problem import Place, Problem, Weight
from provender.records.field import ColumnKind, Field
from provender.records.kind import COMMON, KINDS, IncompleteRow, Kind, incomplete_row_of
from provender.records.reading import CellError, reach_of, read_cell

# Names that a reader takes for one and the same, whatever their case, width, blanks and look-alike letters.

_LIKE: Final = dict(zip("аеорсухіѕкмтнвαορνκτoil|", "ae0pcyx1skmthba0pvkt0111", strict=True))  # noqa: RUF001 - on purpose
"""Small letters of other alphabets that are drawn like Latin ones; o and zero, i and l and one."""


def alike(name: pl.Expr) -> pl.Expr:
    """Return a text that is the same for names which look the same; null for null."""
    plain = name.str.normalize("NFKC").str.to_lowercase().str.replace_all(r"[\s\p{Cf}]", "")
    return plain.str.replace_all(r"\p{Pd}", "-").str.replace_many(_LIKE)


def of_names(names: pl.Series) -> pl.Series:
    """Return ``alike`` of some names, in their order."""
    return names.to_frame("name").select(alike(pl.col("name"))).to_series()


def tidy(name: pl.Expr) -> pl.Expr:
    """Return a name as the records keep it: trimmed and composed."""
    return name.str.normalize("NFC").str.strip_chars()


def farms_meant(written: pl.Series, recorded: pl.Series) -> pl.DataFrame:
    """Return which farm each name means: ``name``, ``farm`` and ``also``, the other names written for that farm.

    Whoever writes a name anew has no second farm, so names that look alike mean one farm: the one that has a record. A
    farm with a record is one of its own, whatever it looks like; a name that looks like several means none of them.

    Args:
        written: tidy names, as often as they occur.
        recorded: tidy names of the farms that have records.
    """
    both = pl.concat([written.cast(pl.String), recorded.cast(pl.String)]).drop_nulls().unique().alias("name").to_frame()
    of = both.with_columns(
        pl.col("name").is_in(recorded.implode()).alias("own"), pl.col("name").is_in(written.implode()).alias("there"),
        alike(pl.col("name")).alias("like"),
    ).sort(~pl.col("own"), "name")  # fmt: skip
    itself = pl.col("own") | (pl.col("own").sum().over("like") > 1)
    named = of.with_columns(pl.when(itself).then("name").otherwise(pl.col("name").first().over("like")).alias("farm"))
    others = pl.col("name").filter(pl.col("there") & (pl.col("name") != pl.col("farm"))).alias("also")
    also = named.group_by("farm", maintain_order=True).agg(others)
    return named.filter("there").join(also, on="farm", maintain_order="left").select("name", "farm", "also")


def distinct(names: pl.Series) -> pl.Series:
    """Return the distinct names of a column in which equal ones mostly lie beside each other; none for null."""
    return names.filter((names != names.shift(1)).fill_null(value=True)).drop_nulls().unique(maintain_order=True)


def spelled_otherwise(frames: Mapping[str, pl.DataFrame]) -> tuple[list[Problem], list[IncompleteRow], list[str]]:
    """Tell of rows under a name that no farm has and that looks like a farm's: they may be its own, and so spoil it.

    Returns:
        Problems, the rows as incomplete ones of the farm that is meant, and the names as they are written.
    """
    farms = frames["farm"]["farm_id"].unique() if "farm" in frames else pl.Series([], dtype=pl.String)
    strangers = {
        kind: [name for name in distinct(frame["farm_id"]) if name not in farms_of]
        for farms_of in (set(farms),)
        for kind, frame in frames.items()
    }
    if not any(strangers.values()):
        return [], [], []
    meant = dict(zip(of_names(farms), farms, strict=True))
    problems, spoiled, found = [], [], set[str]()
    for kind, names in strangers.items():
        for name, like in zip(names, of_names(pl.Series(names, dtype=pl.String)), strict=True):
            if (farm := meant.get(like)) is None:
                continue
            found.add(name)
            rows = frames[kind].filter(pl.col("farm_id") == name)
            spoiled += [incomplete_row_of(kind, row | {"farm_id": farm}) for row in rows.iter_rows(named=True)]
            cause = f"{rows.height} rows are of the farm {name!r}, which has no farm record and looks like {farm!r}."
            remedy = f"Write {farm} in these rows, or add the farm record of the other farm."
            place = Place(str(rows["source_file"][0] or kind), row=int(rows["source_row"][0] or 0), column="farm_id")
            problems.append(Problem(place, cause, remedy, "2100.031(c)(1)", code="farm_spelled_otherwise"))
    return problems, spoiled, sorted(found)


# A column of somebody's Parquet as a column of a record: what fits is taken, what does not is marked, cell by cell.
#
# Programs write one and the same value in many types. A quantity is always a whole number of thousandths, whatever the
# type that holds it; a column of floats in which any value has a fraction, or of decimals with room for one, was meant
# otherwise, and then nobody can know what its whole numbers mean: all of it is marked.

_WHOLE_TEXT: Final = r"^[+-]?\d{1,18}$"
_PLAIN: Final = r"^[!-~](?:[ -~]*[!-~])?$"
"""A text without anything to tidy, and one look at each: letters of ASCII, with neither blank before nor after."""
_UNTIDY: Final = r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]"
_EXACT: Final[Mapping[type[pl.DataType], int]] = {pl.Float16: 2**11, pl.Float32: 2**24, pl.Float64: 2**53}
"""Below which a float holds every whole number; others may have been rounded."""
_COUNTY: Final = "county_fips"
_FIPS: Final = 5
"""Digits of a county: a whole number has lost the nought that Alabama to Connecticut begin with."""


def read_column(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    """Return the column typed, null where a cell could not be read, and where that is; None where all could be."""
    if raw.null_count() == raw.len():
        return pl.Series(raw.name, [None], dtype).new_from_index(0, raw.len()), None
    if raw.dtype != dtype:
        raw = _as_text(raw)
    if raw.dtype == dtype:
        return _tidied(raw, field, dtype) if field.kind in (ColumnKind.KEY, ColumnKind.TEXT) else (raw, None)
    match field.kind:
        case ColumnKind.KEY | ColumnKind.TEXT | ColumnKind.CHOICE:
            value, bad = _text(raw, field, dtype)
        case ColumnKind.QUANTITY | ColumnKind.WHOLE:
            value, bad = _number(raw, thousandths=field.kind is ColumnKind.QUANTITY)
        case ColumnKind.DAY:
            value, bad = _day(raw, field)
        case ColumnKind.YES_NO:
            value, bad = _yes_no(raw, field)
    return value, bad if bad is not None and bad.any() else None


def _as_text(raw: pl.Series) -> pl.Series:
    """Return categories and bytes as the text they stand for; bytes that are no text stay what they are."""
    if isinstance(raw.dtype, pl.Categorical | pl.Enum):
        return raw.cast(pl.String)
    if raw.dtype == pl.Binary:
        text = _decoded(raw)
        return text if text.null_count() == raw.null_count() else raw
    return raw


def _decoded(raw: pl.Series) -> pl.Series:
    """Return bytes as text, null where they are none."""
    try:
        return raw.cast(pl.String)
    except pl.exceptions.ComputeError:
        return pl.Series(raw.name, [None if one is None else _utf8(one) for one in raw], pl.String)


def _utf8(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def _none(raw: pl.Series, dtype: pl.DataType | type[pl.DataType]) -> tuple[pl.Series, pl.Series | None]:
    """Return a column of which nothing could be read."""
    return pl.Series(raw.name, [None], dtype).new_from_index(0, raw.len()), raw.is_not_null()


def _text(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        quick = raw.cast(dtype, strict=False)
        return (quick, None) if quick.null_count() == raw.null_count() else _by_value(raw, field, dtype)
    if raw.dtype == pl.Binary:
        text = _decoded(raw)
        value, bad = read_column(text, field, dtype)
        lost = raw.is_not_null() & text.is_null()
        return value, lost if bad is None else lost | bad
    # Numbers as names; 17.0 where a data frame had a blank among them, which what is required has not.
    numbers = raw.dtype.is_integer() or (raw.dtype.is_numeric() and not field.required)
    if numbers and field.kind is not ColumnKind.CHOICE:
        whole, bad = _number(raw, thousandths=False)
        text = (raw if raw.dtype.is_integer() else whole).cast(pl.String)
        named = text.str.zfill(_FIPS) if raw.name.endswith(_COUNTY) else text
        return named, None if raw.dtype.is_integer() else bad
    return _none(raw, dtype)


def _tidied(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    """Return texts as a cell of a CSV file would have them: trimmed, composed, blank ones null.

    Keys are looked at once a run; other texts have few distinct values, and those are looked at.
    """
    if field.internal:
        return raw, None
    looked = raw.filter(raw.ne_missing(raw.shift(1))) if field.kind is ColumnKind.KEY else raw.unique()
    if looked.str.contains(_PLAIN).all():
        return raw, None
    trimmed = looked.str.strip_chars()
    untidy = (trimmed != looked).any() or (looked.str.len_bytes() == 0).any()
    foreign = (looked.str.len_bytes() != looked.str.len_chars()).any()
    if not untidy and not foreign and (field.kind is ColumnKind.KEY or not looked.str.contains(_UNTIDY).any()):
        return raw, None
    value, bad = _by_value(raw, field, dtype)
    return value, bad if bad is not None and bad.any() else None


def _by_value(raw: pl.Series, field: Field, dtype: pl.DataType) -> tuple[pl.Series, pl.Series | None]:
    """Read each distinct text once, as a cell of a CSV file is read."""
    texts = raw.drop_nulls().unique()
    values: list[object] = []
    for text in texts:
        try:
            values.append(read_cell(text, field))
        except CellError:
            values.append(CellError)
    bad = pl.Series("bad", [value is CellError for value in values], pl.Boolean)
    read = pl.Series("value", [None if value is CellError else value for value in values], dtype)
    table = pl.DataFrame({"raw": texts, "value": read, "bad": bad})
    joined = raw.to_frame("raw").join(table, on="raw", how="left", maintain_order="left")
    return joined["value"].alias(raw.name), joined["bad"].fill_null(value=False)


def _number(raw: pl.Series, *, thousandths: bool) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        value = pl.when(raw.str.contains(_WHOLE_TEXT)).then(raw.str.to_integer(strict=False))
        read = raw.to_frame().select(value.cast(pl.Int64).alias(raw.name)).to_series()
        blank = raw.str.strip_chars() == ""
        return read, raw.is_not_null() & read.is_null() & ~blank
    if isinstance(raw.dtype, pl.Decimal) and raw.dtype.scale and thousandths:
        # Room for fractions of the unit itself: 80.000 acres and 80 thousandths would look the same.
        return _none(raw, pl.Int64)
    if not raw.dtype.is_numeric():
        return _none(raw, pl.Int64)
    whole = raw.cast(pl.Int64, strict=False)
    bad = raw.is_not_null() & whole.is_null()
    if raw.dtype.is_integer():
        return whole, bad
    fractions = (whole.cast(raw.dtype, strict=False) != raw).fill_null(value=False)
    if fractions.any():
        return _none(raw, pl.Int64)
    if most := _EXACT.get(raw.dtype.base_type()):
        bad = bad | (whole.abs() >= most).fill_null(value=False)
    return whole.to_frame().select(pl.when(~bad).then(pl.col(raw.name))).to_series(), bad


def _day(raw: pl.Series, field: Field) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        return _by_value(raw, field, pl.Date())
    if isinstance(raw.dtype, pl.Datetime):
        day = raw.dt.date()
        odd = raw.is_not_null() & (raw.dt.time() != dt.time())
        return day.to_frame().select(pl.when(~odd).then(pl.col(raw.name))).to_series(), odd
    return _none(raw, pl.Date)


def _yes_no(raw: pl.Series, field: Field) -> tuple[pl.Series, pl.Series | None]:
    if raw.dtype == pl.String:
        return _by_value(raw, field, pl.Boolean())
    if raw.dtype.is_numeric():
        bad = raw.is_not_null() & (raw != 0) & (raw != 1)
        return raw.to_frame().select(pl.when(~bad).then(pl.col(raw.name) == 1)).to_series(), bad
    return _none(raw, pl.Boolean)


def shown(value: object, field: Field) -> str:
    """Write a value that could not be read, for people."""
    if isinstance(value, int) and field.kind is ColumnKind.QUANTITY:
        return show(value, field.scale)
    return repr(value)[:80]


def remedy(field: Field) -> str:
    """Say what a column must hold."""
    match field.kind:
        case ColumnKind.QUANTITY:
            unit = f"10^-{field.scale} {field.unit}"
            return f"Write a 64-bit whole number of {unit}: {show(2500, field.scale)} {field.unit} is 2500."
        case ColumnKind.WHOLE:
            return "Write a whole number."
        case ColumnKind.DAY:
            return "Write a date without a time of day."
        case ColumnKind.YES_NO:
            return "Write a Boolean, or yes and no."
        case ColumnKind.CHOICE:
            return f"Write one of: {', '.join(field.options)}."
        case _:
            return "Write it as UTF-8 text."


TOLD: Final = 1_000
"""Problems told one by one of a file and column; the rest is counted."""
_ROW: Final = "_row"
# What geometry programs and data frames add, and what the partition's folders say again.
_KNOWN_OTHERS: Final = frozenset(
    {"id", "collection", GEOMETRY, "bbox", "metrics:area", "metrics:perimeter", "determination:datetime",
     "determination:method", "determination:details", "category", "__index_level_0__", layout.YEAR, layout.STATE}
)  # fmt: skip


class Farms(NamedTuple):
    """Which farms of a file are meant."""

    least: str | None = None  # borders of the identifier as it is written; None is open
    below: str | None = None  # borders of the identifier as it is written; None is open
    also: tuple[str, ...] = ()  # identifiers beyond the borders that are meant too
    away: tuple[str, ...] = ()  # identifiers within them that are not: another batch has their rows

    def meant(self, farm: pl.Expr) -> pl.Expr:
        """Return which rows are meant; rows without a farm are of all."""
        inside = pl.lit(value=True)
        inside = inside & (farm >= self.least) if self.least is not None else inside
        inside = inside & (farm < self.below) if self.below is not None else inside
        inside = inside & ~farm.is_in(self.away) if self.away else inside
        return inside | farm.is_null() | (farm.is_in(self.also) if self.also else pl.lit(value=False))


_EVERYONE: Final = Farms()
_NOBODY: Final = ""
"""No name is at least this and below it."""
_PLACE: Final = ("source_file", "source_sheet", "source_row")


class Guest(NamedTuple):
    """A file of another partition that holds rows of farms which are judged in this one."""

    data_set: str  # what it holds
    inside: Path  # its path within the portfolio
    farms: tuple[str, ...]  # the identifiers of those farms, as they are written there


@dataclass(slots=True)
class Gathered:
    """What was read so far of some farms."""

    # per kind and partition, one frame a file
    frames: dict[str, dict[layout.Partition, list[pl.DataFrame]]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)  # what a person must fix
    incomplete_rows: list[IncompleteRow] = field(default_factory=list)  # rows that could not be read in full
    whole: set[str] = field(default_factory=set)  # kinds of which something is missing for every farm
    held: list[pl.DataFrame] = field(default_factory=list)  # the files of evidence that the exporters held
    guests: frozenset[str] = frozenset()  # the farms that files of other partitions have rows of, as records name them


def read_farms(
    root: Path,
    files: Iterable[tuple[str, Path]],
    farms: Farms = _EVERYONE,
    *,
    lacking: Collection[str] = (),
    guests: Iterable[Guest] = (),
) -> FrameBook:
    """Read the records of the farms of a partition whose identifier is at least the first and below the second.

    Args:
        root: the portfolio.
        files: data set and path of each file of the partition.
        farms: which of the partition's.
        lacking: kinds of which rows are known to be missing.
        guests: files of other partitions with rows of these farms.
    """
    rows = [(data_set, inside, farms) for data_set, inside in sorted(files)]
    rows += [(one.data_set, one.inside, Farms(_NOBODY, _NOBODY, one.farms)) for one in guests]
    book = _book(_gather(root, rows, placed=False), lacking)
    if not book.problems:
        return book
    # Something is wrong: the same again, with the place of every row, which costs more and is seldom needed.
    return _book(_gather(root, rows, placed=True), lacking)


def _gather(root: Path, files: Sequence[tuple[str, Path, Farms]], *, placed: bool) -> Gathered:
    names = pl.Series([name for _, _, farms in files if farms.least == _NOBODY for name in farms.also], dtype=pl.String)
    found = Gathered(guests=frozenset(names.to_frame("name").select(tidy(pl.col("name"))).to_series()))
    for data_set, inside, farms in files:
        if data_set == layout.INCOMPLETE:
            found.incomplete_rows += _incomplete_rows(root, inside, farms, found)
        elif data_set == HELD:
            found.held += _held(root, inside, farms, found)
        elif layout.is_kind(data_set):
            _add(found, root, inside, KINDS[data_set], farms, placed=placed)
    return found


def _book(found: Gathered, lacking: Collection[str]) -> FrameBook:
    frames = {kind: _put_together(parts, found.guests) for kind, parts in found.frames.items()}
    known = _known(frames)
    told = list(found.problems)
    short = KINDS.keys() if layout.INCOMPLETE in lacking else {*found.whole, *lacking}
    everyone = [IncompleteRow(kind, farm) for kind in sorted(short & KINDS.keys()) for farm in known]
    unnamed = sorted(set(known) - (set(frames["farm"]["farm_id"]) if "farm" in frames else set()))
    strangers = [IncompleteRow(kind, farm) for farm in unnamed for kind in KINDS]
    told += [_stranger(farm) for farm in unnamed]
    more, spoiled, names = spelled_otherwise(frames)
    book = FrameBook.of_frames(
        frames,
        problems=[*told, *more],
        incomplete_rows=[*found.incomplete_rows, *everyone, *strangers, *spoiled],
        files=stated_files(found.held),
    )
    # The farm that is meant is spoiled; under a name that nothing else bears they would spoil every farm.
    bare = sorted(set(names) - set(known))
    return replace(book, incomplete_rows=book.incomplete_rows.filter(~pl.col("farm_id").is_in(bare)))


def _put_together(parts: Mapping[layout.Partition, Sequence[pl.DataFrame]], spread: Collection[str]) -> pl.DataFrame:
    """Put the rows of several files together; what two partitions say word for word of a spread farm counts once.

    What one of them says twice stays twice: that is the farm's own record, and may be wrong as it stands.
    """
    whole = [pl.concat(several) for several in parts.values()]
    rows = pl.concat(whole)
    if len(whole) == 1:
        return rows
    content = [name for name in rows.columns if name not in _PLACE]
    part = pl.Series("_part", [number for number, one in enumerate(whole) for _ in range(one.height)], dtype=pl.UInt32)
    mine = rows.with_columns(part).with_row_index("_row").filter(pl.col("farm_id").is_in(sorted(spread)))
    time = pl.int_range(pl.len()).over("_part", *content).alias("_time")
    once = mine.with_columns(time).unique([*content, "_time"], keep="first")["_row"]
    again = mine.filter(~pl.col("_row").is_in(once.implode()))["_row"]
    return rows.filter(~pl.int_range(pl.len()).is_in(again.implode()))


def _known(frames: Mapping[str, pl.DataFrame]) -> list[str]:
    names = [frame["farm_id"].unique() for kind, frame in frames.items() if kind in ("farm", "unit", "harvest")]
    return pl.concat(names).unique().sort().to_list() if names else []


def _stranger(farm: str) -> Problem:
    cause = f"Records name the farm {farm}, and the farm records of the partition have none."
    return Problem(Place("farm"), cause, "Add its row, or correct the name.", "2100.031(c)(1)", code="unknown_farm")


def scan(root: Path, inside: Path, *, placed: bool = False) -> pl.LazyFrame:
    """Scan a file, rows numbered from 0 if ``placed``; extension types as they are stored: GeoPandas marks its WKB."""
    lazy = pl.scan_parquet(root / inside, hive_partitioning=False, glob=False, row_index_name=_ROW if placed else None)
    stored = [name for name, of in lazy.collect_schema().items() if isinstance(of, pl.BaseExtension)]
    return lazy.with_columns(pl.col(stored).ext.storage()) if stored else lazy


def farm_ids(root: Path, inside: Path) -> pl.Series:
    """Return the farm of each row of a file, as it is written; none where the file cannot be read."""
    with suppress(*FAILURES):  # reading the file tells of it
        lazy = scan(root, inside)
        names = [name for name in lazy.collect_schema().names() if name.casefold() == "farm_id"]
        if names:
            return lazy.select(pl.col(names[0]).cast(pl.String).alias("farm_id")).collect()["farm_id"]
    return pl.Series("farm_id", [], pl.String)


def read_columns(root: Path, files: Iterable[Path], kind: Kind, columns: Sequence[str]) -> pl.DataFrame:
    """Return some columns of a kind from files of it, typed; cells that cannot be read are left out.

    For searches over all farms: reading the records whole tells of what is wrong with them. A file that cannot be read
    ends it with one of ``layout.FAILURES``.
    """
    schema = {name: schema_of(kind)[name] for name in columns}
    parts = [pl.DataFrame(schema=schema)]
    for inside in files:
        lazy = scan(root, inside)
        named = _columns(kind, lazy.collect_schema())
        wanted = [name for name in columns if name in named]
        raw = lazy.select(pl.col(named[name]).alias(name) for name in wanted).collect()
        typed = [read_column(raw[name], kind.fields[name], schema[name])[0].alias(name) for name in wanted]
        blank = [pl.lit(None, dtype).alias(name) for name, dtype in schema.items() if name not in wanted]
        parts.append(pl.DataFrame(typed).with_columns(blank).select(columns))
    return pl.concat(parts)


def _add(found: Gathered, root: Path, inside: Path, kind: Kind, farms: Farms, *, placed: bool) -> None:
    """Read one file of one kind and add what came of it."""
    try:
        names = scan(root, inside).collect_schema()
        columns = _columns(kind, names)
        raw = scan(root, inside, placed=placed)
        if farms != _EVERYONE and "farm_id" in columns:
            farm = pl.col(columns["farm_id"])
            raw = raw.filter(farms.meant(farm if names[columns["farm_id"]] == pl.String else farm.cast(pl.String)))
        wanted = {**columns, _ROW: _ROW} if placed else columns
        frame = raw.select(pl.col(written).alias(name) for name, written in wanted.items()).collect()
    except FAILURES as wrong:
        remedy = "Get it again; until then its kind counts as incomplete on every farm of the partition."
        found.problems.append(unreadable(inside, words(wrong), remedy))
        found.whole.add(kind.name)
        return
    sheet = _Sheet(found, kind, inside.as_posix())
    sheet.columns(names, columns)
    of = found.frames.setdefault(kind.name, {}).setdefault(layout.Partition.of(inside), [])
    of.append(sheet.rows(frame))


def _columns(kind: Kind, names: Mapping[str, object]) -> dict[str, str]:
    """Return the name in the file of each column that the file has."""
    meant = layout.column_names(kind)
    columns: dict[str, str] = {}
    for name in names:
        column = meant.get(name.casefold())
        # A column of our own name counts before one that is only called like the partition's folder.
        if column and (column not in columns or name == layout.written_name(kind, column)):
            columns[column] = name
    return columns


@dataclass(slots=True)
class _Sheet:
    """One file on its way to a frame."""

    found: Gathered
    kind: Kind
    file: str

    def tell(self, cause: str, remedy: str, code: str, *, column: str = "", row: int = -1, cite: str = "") -> None:
        self.found.problems.append(Problem(Place(self.file, "", row + 1, column), cause, remedy, cite, code=code))

    def columns(self, names: Mapping[str, object], columns: Mapping[str, str]) -> None:
        """Tell of columns that are missing, and of those that no record has."""
        missing = [name for name in self.kind.typed_fields if name not in columns and name not in COMMON]
        for name in missing:
            written = layout.written_name(self.kind, name)
            cite = self.kind.fields[name].cite
            self.tell(f"Column {written} is missing.", "Add it; its cells may be null.", "missing_column",
                      column=written, cite=cite)  # fmt: skip
            self.found.whole.add(self.kind.name)
        if "farm_id" not in columns:
            self.tell("Column farm_id is missing.", "Name the farm in every row.", "missing_column", column="farm_id")
            self.found.whole.add(self.kind.name)
        for name in names:
            bare = name.removeprefix(layout.PREFIX)
            if name in columns.values() or bare in columns or name in _KNOWN_OTHERS or bare in _KNOWN_OTHERS:
                continue
            near = get_close_matches(bare.casefold(), missing, n=1)
            cause = f"No record has the column {name}."
            if near:
                self.tell(cause, f"Did you mean {near[0]}?", "unknown_column", column=name)
                continue
            place = Place(self.file, column=name)
            remedy = "It is not read. Drop it, or put what it says into a column of the record."
            self.found.problems.append(Problem(place, cause, remedy, weight=Weight.CONFIRM, code="unknown_column"))

    def rows(self, raw: pl.DataFrame) -> pl.DataFrame:
        """Return the rows typed; tell of cells that could not be read, and drop rows that lost a required one."""
        marks: dict[str, pl.Series] = {}
        typed: list[pl.Series] = []
        for name, dtype in schema_of(self.kind).items():
            if name not in raw.columns:
                typed.append(pl.Series(name, [None], dtype).new_from_index(0, raw.height))
                continue
            value, bad = read_column(raw[name].rechunk(), self.kind.fields[name], dtype)
            typed.append(value.alias(name))
            if bad is not None:
                marks[name] = bad
        frame = pl.DataFrame(typed)
        required = [name for name, found in self.kind.fields.items() if found.required]
        blank = frame.select(pl.any_horizontal(pl.col(name).is_null() for name in required)).to_series()
        spoiled = pl.any_horizontal(blank, *marks.values())
        if raw.height and (marks or blank.any()):
            self._spoil(raw, frame, frame.select(spoiled).to_series(), marks, required)
            frame, raw = frame.filter(~blank), raw.filter(~blank)
        if _ROW not in raw.columns:
            return frame
        number = raw[_ROW].cast(pl.Int64) + 1
        if self.found.guests:
            # Rows of several partitions: two books may both call theirs operation.csv, row 2.
            here = pl.lit(self.file).alias("source_file"), number.alias("source_row")
            return frame.with_columns(*here, pl.lit(None, pl.String).alias("source_sheet"))
        placed = pl.coalesce("source_file", pl.lit(self.file)).alias("source_file")
        own = pl.when(pl.col("source_file").is_null()).then(number).otherwise("source_row").alias("source_row")
        return frame.with_columns(placed, own)

    def _spoil(
        self, raw: pl.DataFrame, frame: pl.DataFrame, spoiled: pl.Series, marks: dict[str, pl.Series],
        required: list[str],
    ) -> None:  # fmt: skip
        """Tell of the cells of spoiled rows and say how far each row reaches."""
        told: dict[str, int] = {}
        marked = frame.with_columns(mark.alias(f"bad:{name}") for name, mark in marks.items()).filter(spoiled)
        written = raw.filter(spoiled)
        for row, as_written in zip(marked.iter_rows(named=True), written.iter_rows(named=True), strict=True):
            wrong = [name for name in marks if row[f"bad:{name}"]]
            lacking = [name for name in required if row[name] is None]
            for name in dict.fromkeys([*wrong, *lacking]):
                told[name] = told.get(name, 0) + 1
                if told[name] <= TOLD:
                    self._cell(name, as_written, unreadable=name in wrong)
            if row["farm_id"] is None:
                self.found.whole.add(self.kind.name)
            else:
                self.found.incomplete_rows.append(reach_of(self.kind, row, lacking))
        for name, count in told.items():
            if count > TOLD:
                more = f"{count - TOLD:,} more cells of column {name} are blank or cannot be read."
                self.tell(more, remedy(self.kind.fields[name]), "more_cells", column=name)

    def _cell(self, name: str, as_written: Mapping[str, object], *, unreadable: bool) -> None:
        described = self.kind.fields[name]
        row = as_written.get(_ROW, -1)
        number = row if isinstance(row, int) else -1
        if unreadable:
            cause = f"{described.label}: {shown(as_written.get(name), described)} cannot be read."
            self.tell(cause, remedy(described), f"unreadable_{described.kind}", column=name, row=number,
                      cite=described.cite)  # fmt: skip
        else:
            self.tell(f"{described.label} is blank.", "Fill it in.", "blank_required", column=name, row=number,
                      cite=described.cite)  # fmt: skip


def _exactly(root: Path, inside: Path, schema: Mapping[str, type[pl.DataType]]) -> pl.LazyFrame:
    """Scan a file of one of our own data sets, whose columns have one type each; names count without case."""
    lazy = scan(root, inside)
    names = {name.casefold(): name for name in lazy.collect_schema().names()}
    return lazy.select(pl.col(names.get(name, name)).cast(dtype).alias(name) for name, dtype in schema.items())


def _held(root: Path, inside: Path, farms: Farms, found: Gathered) -> list[pl.DataFrame]:
    """Read which files of evidence there were; without them their records are not shown."""
    try:
        rows = _exactly(root, inside, HELD_SCHEMA)
        return [rows.filter(farms.meant(pl.col("farm_id"))).collect()]
    except FAILURES as wrong:
        remedy = "Get it again; until then no file of evidence counts."
        found.problems.append(unreadable(inside, words(wrong), remedy))
        return []


def _incomplete_rows(root: Path, inside: Path, farms: Farms, found: Gathered) -> list[IncompleteRow]:
    """Read the rows that the books behind a portfolio could not read."""
    try:
        rows = _exactly(root, inside, INCOMPLETE_SCHEMA).filter(farms.meant(pl.col("farm_id"))).collect()
    except FAILURES as wrong:
        remedy = "Get it again; until then every kind counts as incomplete on every farm of the partition."
        found.problems.append(unreadable(inside, words(wrong), remedy))
        found.whole |= KINDS.keys()
        return []
    sound = rows.filter(pl.col("kind").is_in(list(KINDS)) & pl.col("farm_id").is_not_null())
    if sound.height < rows.height:
        found.whole |= KINDS.keys()
    return [IncompleteRow(*row) for row in sound.iter_rows()]
