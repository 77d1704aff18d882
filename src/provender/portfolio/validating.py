"""``portfolio validate``: everything wrong with a portfolio as Parquet, each with file, row group, row and remedy."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import polars as pl

from provender.catalog.places import STATE_BY_FIPS
from provender.portfolio import export, layout
from provender.portfolio.custody import SCHEMAS as CUSTODY
from provender.portfolio.custody import custody_problems
from provender.portfolio.frame_book import FrameBook
from provender.portfolio.frames import HARVEST_COLUMNS, problem_frame, with_year_of_many
from provender.portfolio.jobs import Done, batch, read_batch, read_result, run, spread
from provender.portfolio.polygons import outline_problems
from provender.portfolio.reading import Farms, read_columns, scan
from provender.problem import Place, Problem, ProblemsError, Weight
from provender.records.book import RecordBook, grouped
from provender.records.field import ColumnKind
from provender.records.folder import BOUNDARIES, REJECTED, RejectedRow, save_book, write_cell, write_rejected
from provender.records.kind import KINDS, IncompleteRow, Kind
from provender.records.kinds.quantification import FEEDSTOCKS

# Folders against what lies in them: year and State of a partition are said twice, and two sayings can differ.
#
# Verdicts rest on the records, never on the folder's name, so what differs is told and spoils nothing.

_NAMED: Final = 5
"""Farms named in one message; the rest is counted."""


def misplaced(portfolio: layout.Portfolio) -> Iterator[Problem]:
    """Tell of folders whose name cannot be read, and of rows that are of another year or State than their folder's."""
    for partition, files in portfolio.partitions.items():
        mine = [one for one in files if layout.is_kind(one.data_set) and one.sha256]
        yield from _unreadable(mine)
        if partition.state is not None:
            yield from _told(partition, _of_other_states(portfolio, partition.state, mine), "other_state")
        if partition.harvest_year is not None:
            yield from _told(partition, _of_other_years(portfolio, partition.harvest_year, mine), "other_year")
        for one in mine:
            yield from _said_again(portfolio, partition, one)
    yield from _passed_over(portfolio.root)


def _unreadable(files: list[layout.DataFile]) -> Iterator[Problem]:
    for folder in dict.fromkeys(one.inside.parent for one in files):
        year, state = layout.written(folder)
        of = layout.Partition.of(folder)
        if (year and of.harvest_year is None) or (state and of.state not in STATE_BY_FIPS.values()):
            cause = f"The folder names the partition {year or 'no year'}, {state or 'no State'}, which nobody can read."
            remedy = f"Name it {layout.YEAR}=2025/{layout.STATE}=KS: four digits, two letters."
            yield Problem(Place(folder.as_posix()), cause, remedy, code="unreadable_partition")


def _read(portfolio: layout.Portfolio, files: list[layout.DataFile], kind: str, *columns: str) -> pl.DataFrame:
    wanted = ("farm_id", *columns)
    parts = [read_columns(portfolio.root, [], KINDS[kind], wanted)]
    for one in files:
        if one.data_set == kind:
            with suppress(*layout.FAILURES):  # reading the file tells of it
                parts.append(read_columns(portfolio.root, [one.inside], KINDS[kind], wanted))
    return pl.concat(parts)


def _of_other_states(portfolio: layout.Portfolio, state: str, files: list[layout.DataFile]) -> pl.DataFrame:
    """Return farms (``farm_id``, ``found``) of another State: by their record, or else by all of their units."""
    written = _read(portfolio, files, "farm", "state").select(
        "farm_id", pl.col("state").str.strip_chars().str.to_uppercase()
    )
    county = pl.col("county_fips").str.slice(0, 2).replace_strict(STATE_BY_FIPS, default=None)
    units = _read(portfolio, files, "unit", "county_fips").select("farm_id", county.alias("lies")).drop_nulls()
    lies = units.group_by("farm_id").agg(pl.col("lies").min(), (pl.col("lies") == state).any().alias("here"))
    found = written.join(lies, on="farm_id", how="full", coalesce=True)
    elsewhere = pl.when(~pl.col("here")).then(pl.col("lies"))
    other = pl.when(pl.col("state") != state).then(pl.col("state")).otherwise(elsewhere).alias("found")
    return found.select("farm_id", other).drop_nulls()


def _of_other_years(portfolio: layout.Portfolio, year: int, files: list[layout.DataFile]) -> pl.DataFrame:
    """Return farms (``farm_id``, ``found``) whose newest harvest of a feedstock is of another year."""
    rows = _read(portfolio, files, "harvest", *(name for name in HARVEST_COLUMNS if name != "farm_id"))
    planting = partial(_read, portfolio, files, "planting", "harvest_id", "planted_on")
    fed = with_year_of_many(rows, planting).filter(pl.col("crop").cast(pl.String).is_in(FEEDSTOCKS))
    newest = fed.group_by("farm_id").agg(pl.col("harvest_year").max().alias("found"))
    return newest.filter(pl.col("found") != year).select("farm_id", pl.col("found").cast(pl.String))


def _told(partition: layout.Partition, farms: pl.DataFrame, code: str) -> Iterator[Problem]:
    for (found,), rows in farms.sort("found", "farm_id").group_by("found", maintain_order=True):
        names = ", ".join(rows["farm_id"].head(_NAMED))
        more = f" and {rows.height - _NAMED:,} more" if rows.height > _NAMED else ""
        cause = f"The folder is of {partition}, and the records of {names}{more} are of {found}."
        remedy = "Put them into the folder of their own year and State, or correct the records."
        yield Problem(Place(partition.folder), cause, remedy, weight=Weight.CONFIRM, code=code)


def _said_again(portfolio: layout.Portfolio, partition: layout.Partition, one: layout.DataFile) -> Iterator[Problem]:
    """Tell of a file that has the partition's year or State as a column of its own, with other values in it."""
    try:
        lazy = scan(portfolio.root, one.inside)
        for name, value in ((layout.YEAR, partition.harvest_year), (layout.STATE, partition.state)):
            if name not in lazy.collect_schema() or value is None:
                continue
            said = lazy.select(pl.col(name).cast(pl.String).unique()).collect()[name].drop_nulls().sort()
            others = [text for text in said if text.strip().upper() not in (str(value), f"{value}.0")]
            if others:
                cause = f"The folder says {value} and the column {name} says {', '.join(others[:_NAMED])}."
                remedy = f"Put the rows into the folder of their own {name}; the column itself is not read."
                yield Problem(Place(one.path, column=name), cause, remedy, weight=Weight.CONFIRM, code=f"other_{name}")
    except layout.FAILURES:
        return  # reading the file tells of it


def _passed_over(root: Path) -> Iterator[Problem]:
    """Tell of files that lie among the data and are not read, because their names do not end as Parquet's do."""
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        hidden = any(part.startswith(("_", ".")) for part in inside.parts)
        if len(inside.parts) < 2 or hidden or not path.is_file() or layout.is_data(path):  # noqa: PLR2004 - in a folder
            continue
        cause = "The file does not end in .parquet and is not read."
        remedy = "If it holds records, give it that ending; else put it elsewhere."
        yield Problem(Place(inside.as_posix()), cause, remedy, code="file_not_read")


def problems_of(book: FrameBook) -> Mapping[str, pl.DataFrame]:
    """Return what a person must fix in the records of whole farms."""
    return {layout.PROBLEM: problem_frame(book.problems)}


def validate(portfolio: layout.Portfolio, out: Path) -> tuple[Done, pl.DataFrame]:
    """Check every row of a portfolio; the problems lie in ``out`` by partition, and come back in one frame."""
    done = run("validate", portfolio, problems_of, out)
    found = read_result(out, layout.PROBLEM).collect()
    several, elsewhere = _in_several(portfolio), misplaced(portfolio)
    # What judging the farms does not read: books of custody, and the outlines of fields.
    sound, broken = layout.without_broken(portfolio, (*CUSTODY, "unit"))
    told = problem_frame(
        (*done.problems, *several, *elsewhere, *broken, *custody_problems(sound), *outline_problems(sound))
    )
    return done, pl.concat([told, found]).unique(maintain_order=True) if found.height else told


def _in_several(portfolio: layout.Portfolio) -> list[Problem]:
    """Tell of farms that lie in several partitions."""
    told: list[Problem] = []
    for farm, (home, *others) in spread(portfolio).items():
        where = " and in ".join(str(one) for one in (home, *others))
        cause = f"The farm {farm} lies in {where}; it is judged once, in the first, with its rows from all of them."
        remedy = "If these are two farms, give one of them another identifier; else put its records into one partition."
        place = Place(f"farm/{home.folder}")
        told.append(Problem(place, cause, remedy, weight=Weight.CONFIRM, code="farm_in_two_partitions"))
    return told


# One farm of a portfolio as a record book of its own: CSV files, boundaries, and what could not be read.

_AFTER: Final = "\x00"
"""What follows an identifier directly in the order of texts."""


def read_farm(portfolio: layout.Portfolio, farm_id: str) -> tuple[RecordBook, layout.Partition]:
    """Read one farm's book, as it is judged: from the newest partition that has it, with its rows in others.

    Raises:
        ProblemsError: the portfolio has no such farm.
    """
    homes = spread(portfolio).get(farm_id, tuple(portfolio.partitions))
    for partition in sorted(homes, key=lambda one: (one != homes[0], -(one.harvest_year or 0))):
        book = read_batch(portfolio, partition, batch(portfolio, partition, farm_id, farm_id + _AFTER))
        if farm_id in book["farm"]["farm_id"]:
            return book.as_records(), partition
    cause = f"The portfolio holds no farm {farm_id}."
    raise ProblemsError([Problem(Place(str(portfolio.root)), cause, "Name one that its farm records have.",
                                 "2100.031(c)(1)", code="no_such_farm")])  # fmt: skip


def import_farm(portfolio: layout.Portfolio, farm_id: str, folder: Path) -> RecordBook:
    """Write one farm's records as a new record book.

    Rows that could not be read go to ``rejected/``, where they keep on spoiling what rests on them. Evidence files are
    not in a portfolio: their rows and hashes are, the files come from the farm.

    Raises:
        ProblemsError: no such farm, or the folder holds something already.
    """
    if folder.exists() and any(folder.iterdir()):
        cause = "The folder is not empty; a farm is imported into a new book."
        raise ProblemsError([Problem(Place(str(folder)), cause, "Name a new folder.", code="folder_not_empty")])
    book, partition = read_farm(portfolio, farm_id)
    save_book(book, folder)
    for name, text in _boundaries(portfolio, partition, farm_id).items():
        path = folder / BOUNDARIES / Path(name).name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    lost = grouped((row.kind, row) for row in book.incomplete_rows)
    rejected = [row for kind, rows in lost.items() for row in _rejected(KINDS[kind], rows)]
    for name, text in write_rejected(rejected).items():
        (folder / REJECTED).mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return book


def _boundaries(portfolio: layout.Portfolio, partition: layout.Partition, farm_id: str) -> dict[str, str]:
    paths = [Path(one.path) for one in portfolio.partitions[partition] if one.data_set == "unit"]
    found: list[pl.DataFrame] = []
    for path in paths:
        with suppress(*layout.FAILURES):  # reading the farm's records told of the file
            lazy = scan(portfolio.root, path)
            schema = lazy.collect_schema()
            names = {name.casefold().removeprefix(layout.PREFIX): name for name in schema}
            outline = export.geometry_column(schema)
            if {"farm_id", "unit_id", "boundary"} <= names.keys() and schema.get(outline) == pl.Binary:
                mine = lazy.filter(Farms(farm_id, farm_id + _AFTER).meant(pl.col(names["farm_id"]).cast(pl.String)))
                text = [pl.col(names[name]).cast(pl.String).alias(name) for name in ("unit_id", "boundary")]
                found.append(mine.select(*text, pl.col(outline).alias(export.GEOMETRY)).collect())
    texts = export.boundary_files(pl.concat(found)) if found else {}
    # An outline cannot be written as a shapefile again; the book then names a file that its owner still has.
    return {name: text for name, text in texts.items() if name.lower().endswith((".geojson", ".json"))}


def _rejected(kind: Kind, rows: Iterable[IncompleteRow]) -> Iterator[RejectedRow]:
    """Yield incomplete rows as rejected ones, under made-up keys: each reaches as far as it did, or wider."""
    keys = {name for name, field in kind.typed_fields.items() if field.kind is ColumnKind.KEY and field.required}
    for number, row in enumerate(rows, 1):
        made_up = dict.fromkeys(keys, f"unread-{number}")
        cells = tuple(
            (name, write_cell(getattr(row, name), field) if hasattr(row, name) else made_up.get(name, ""))
            for name, field in kind.typed_fields.items()
        )
        place = Place(layout.INCOMPLETE, row=number)
        cause = "The row could not be read in the portfolio."
        why = Problem(place, cause, "Correct it at its source.", kind.cite, code="unreadable_row")
        yield RejectedRow(kind.name, place, cells, (why,))
