"""Books written as a portfolio: one data set per kind, partitioned by harvest year and State."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import polars as pl
from shapely import to_wkb

from provender.catalog.counties import STATE_BY_FIPS
from provender.portfolio import footer, geometry, layout
from provender.portfolio.evidence import HELD, held_files
from provender.portfolio.layout import Partition
from provender.portfolio.manifest import Manifest, write_manifest
from provender.portfolio.required_columns import RequiredColumns
from provender.portfolio.tables import incomplete_frame, problem_frame
from provender.portfolio.whole import whole_folder
from provender.practices.stands import FEEDSTOCKS
from provender.problem import Place, Problem, ProblemsError
from provender.records import KINDS
from provender.records.book import RecordBook
from provender.records.harvest_years import with_year

FILE: Final = "part-0.parquet"
ROW_GROUP: Final = 131_072
"""Rows of a row group: a batch of farms reads a few of them, not the whole file."""


def partition_of(book: RecordBook) -> Partition:
    """Return where a book belongs: its newest harvest of a feedstock, and the State of its farm or first county."""
    harvests = with_year(book["harvest"], book["planting"])
    crops = harvests.filter(pl.col("crop").cast(pl.String).is_in(FEEDSTOCKS))
    year = (crops if crops.height else harvests)["harvest_year"].max()
    written = book["farm"]["state"].drop_nulls()
    counties = pl.concat([book["farm"]["county_fips"], book["unit"]["county_fips"]]).drop_nulls()
    state = written[0].strip().upper() if written.len() else None
    if state not in STATE_BY_FIPS.values():
        state = STATE_BY_FIPS.get(counties[0][:2]) if counties.len() else None
    return Partition(None if year is None else int(str(year)), state)


def export_books(
    books: Iterable[tuple[str, RecordBook]], root: Path, *, custody: Mapping[str, pl.DataFrame] | None = None
) -> Manifest:
    """Write books, each under the name people know it by, as a new portfolio.

    ``custody`` holds the data sets of books of custody (``portfolio.custody``).

    Raises:
        ProblemsError: the folder holds something already, or two books are of one farm.
    """
    if root.exists() and any(root.iterdir()):
        cause = "The folder is not empty; a portfolio is written whole."
        raise ProblemsError([Problem(Place(str(root)), cause, "Name a new folder.", code="folder_not_empty")])
    parts: dict[Partition, dict[str, list[pl.DataFrame]]] = {}
    seen: dict[str, str] = {}
    for name, book in books:
        _once(seen, name, book)
        frames = parts.setdefault(partition_of(book), {})
        for data_set, frame in _data_sets(book).items():
            if frame.height:
                frames.setdefault(data_set, []).append(frame)
    if root.exists():
        root.rmdir()
    with whole_folder(root) as aside:
        for partition, frames in parts.items():
            for data_set, rows in frames.items():
                write_part(aside, data_set, partition, pl.concat(rows))
        for data_set, found in (custody or {}).items():
            if found.height:
                (aside / data_set).mkdir()
                found.write_parquet(aside / data_set / FILE, row_group_size=ROW_GROUP)
        return write_manifest(aside)


def _once(seen: dict[str, str], name: str, book: RecordBook) -> None:
    for farm in book.farm_ids:
        if farm in seen:
            cause = f"The farm {farm} is in {seen[farm]} already."
            remedy = "Export one book a farm; where two farms bear one identifier, give one of them another."
            raise ProblemsError([Problem(Place(name), cause, remedy, "2100.031(c)(1)", code="farm_twice")])
        seen[farm] = name


def _data_sets(book: RecordBook) -> dict[str, pl.DataFrame]:
    """Return the frames of a book as files hold them."""
    found = {name: book[name].rename(_renamed(name)) for name in KINDS if name != "unit"}
    units = book["unit"]
    farms = units["farm_id"].unique().to_list()
    shapes = {
        (farm, unit): to_wkb(shape)
        for farm in farms
        for unit, shape in geometry.outlines(book.folder, units.filter(pl.col("farm_id") == farm)).items()
    }
    found["unit"] = geometry.as_fields(units, shapes)
    found[HELD] = held_files(book)
    found[layout.INCOMPLETE] = incomplete_frame(book.incomplete_rows)
    farm_id = pl.lit(book.farm_ids[0] if book.farm_ids else None, pl.String).alias("farm_id")
    found[layout.PROBLEM] = problem_frame(book.problems).select(farm_id, pl.all())
    return found


def _renamed(name: str) -> Mapping[str, str]:
    return {column: layout.written_name(KINDS[name], column) for column in KINDS[name].empty().columns}


def write_part(root: Path, data_set: str, partition: Partition, frame: pl.DataFrame) -> None:
    """Write one data set's rows of a partition as one file, farm by farm, so that a range of farms is quickly found."""
    folder = root / data_set / partition.folder
    folder.mkdir(parents=True, exist_ok=True)
    ordered = frame.sort("farm_id", maintain_order=True)
    path = folder / FILE
    if data_set != "unit":
        ordered.write_parquet(path, row_group_size=ROW_GROUP)
        return
    schema = RequiredColumns(ordered.schema, geometry.REQUIRED)
    ordered.write_parquet(path, row_group_size=ROW_GROUP, metadata=geometry.footer(ordered), arrow_schema=schema)
    footer.hide_arrow_schema(path)
