"""Folders against what lies in them: year and State of a partition are said twice, and two sayings can differ.

Verdicts rest on the records, never on the folder's name, so what differs is told and spoils nothing.
"""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import polars as pl

from provender.catalog.counties import STATE_BY_FIPS
from provender.portfolio import layout
from provender.portfolio.layout import STATE, YEAR, Partition
from provender.portfolio.manifest import DataFile
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.reading import read_columns, scan
from provender.portfolio.unreadable import FAILURES
from provender.practices.stands import FEEDSTOCKS
from provender.problem import Place, Problem, Weight
from provender.records import KINDS
from provender.records.harvest_years import COLUMNS, with_year_of_many

_NAMED: Final = 5
"""Farms named in one message; the rest is counted."""


def misplaced(portfolio: Portfolio) -> Iterator[Problem]:
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


def _unreadable(files: list[DataFile]) -> Iterator[Problem]:
    for folder in dict.fromkeys(one.inside.parent for one in files):
        year, state = layout.written(folder)
        of = Partition.of(folder)
        if (year and of.harvest_year is None) or (state and of.state not in STATE_BY_FIPS.values()):
            cause = f"The folder names the partition {year or 'no year'}, {state or 'no State'}, which nobody can read."
            remedy = f"Name it {YEAR}=2025/{STATE}=KS: four digits, two letters."
            yield Problem(Place(folder.as_posix()), cause, remedy, code="unreadable_partition")


def _read(portfolio: Portfolio, files: list[DataFile], kind: str, *columns: str) -> pl.DataFrame:
    wanted = ("farm_id", *columns)
    parts = [read_columns(portfolio.root, [], KINDS[kind], wanted)]
    for one in files:
        if one.data_set == kind:
            with suppress(*FAILURES):  # reading the file tells of it
                parts.append(read_columns(portfolio.root, [one.inside], KINDS[kind], wanted))
    return pl.concat(parts)


def _of_other_states(portfolio: Portfolio, state: str, files: list[DataFile]) -> pl.DataFrame:
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


def _of_other_years(portfolio: Portfolio, year: int, files: list[DataFile]) -> pl.DataFrame:
    """Return farms (``farm_id``, ``found``) whose newest harvest of a feedstock is of another year."""
    rows = _read(portfolio, files, "harvest", *(name for name in COLUMNS if name != "farm_id"))
    planting = partial(_read, portfolio, files, "planting", "harvest_id", "planted_on")
    fed = with_year_of_many(rows, planting).filter(pl.col("crop").cast(pl.String).is_in(FEEDSTOCKS))
    newest = fed.group_by("farm_id").agg(pl.col("harvest_year").max().alias("found"))
    return newest.filter(pl.col("found") != year).select("farm_id", pl.col("found").cast(pl.String))


def _told(partition: Partition, farms: pl.DataFrame, code: str) -> Iterator[Problem]:
    for (found,), rows in farms.sort("found", "farm_id").group_by("found", maintain_order=True):
        names = ", ".join(rows["farm_id"].head(_NAMED))
        more = f" and {rows.height - _NAMED:,} more" if rows.height > _NAMED else ""
        cause = f"The folder is of {partition}, and the records of {names}{more} are of {found}."
        remedy = "Put them into the folder of their own year and State, or correct the records."
        yield Problem(Place(partition.folder), cause, remedy, weight=Weight.CONFIRM, code=code)


def _said_again(portfolio: Portfolio, partition: Partition, one: DataFile) -> Iterator[Problem]:
    """Tell of a file that has the partition's year or State as a column of its own, with other values in it."""
    try:
        lazy = scan(portfolio.root, one.inside)
        for name, value in ((YEAR, partition.harvest_year), (STATE, partition.state)):
            if name not in lazy.collect_schema() or value is None:
                continue
            said = lazy.select(pl.col(name).cast(pl.String).unique()).collect()[name].drop_nulls().sort()
            others = [text for text in said if text.strip().upper() not in (str(value), f"{value}.0")]
            if others:
                cause = f"The folder says {value} and the column {name} says {', '.join(others[:_NAMED])}."
                remedy = f"Put the rows into the folder of their own {name}; the column itself is not read."
                yield Problem(Place(one.path, column=name), cause, remedy, weight=Weight.CONFIRM, code=f"other_{name}")
    except FAILURES:
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
