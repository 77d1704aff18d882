"""One farm of a portfolio as a record book of its own: CSV files, boundaries, and what could not be read."""

from contextlib import suppress
from pathlib import Path
from typing import Final

import polars as pl

from provender.portfolio import geometry, layout
from provender.portfolio.layout import PREFIX, Partition
from provender.portfolio.on_disk import Portfolio
from provender.portfolio.reading import Farms, read_farms, scan
from provender.portfolio.unreadable import FAILURES
from provender.portfolio.whereabouts import batch, lacking, spread
from provender.problem import Place, Problem, ProblemsError
from provender.records import KINDS
from provender.records.book import RecordBook
from provender.records.field import ColumnKind
from provender.records.folder import BOUNDARIES, save_book, write_cell, write_csv
from provender.records.kind import Kind
from provender.records.rejected import BECAUSE, FROM, REJECTED

_AFTER: Final = "\x00"
"""What follows an identifier directly in the order of texts."""
_NAME: Final = "portfolio"


def read_farm(portfolio: Portfolio, farm_id: str) -> tuple[RecordBook, Partition]:
    """Read one farm's book, as it is judged: from the newest partition that has it, with its rows in others.

    Raises:
        ProblemsError: the portfolio has no such farm.
    """
    homes = spread(portfolio).get(farm_id, tuple(portfolio.partitions))
    for partition in sorted(homes, key=lambda one: (one != homes[0], -(one.harvest_year or 0))):
        paths = [(one.data_set, one.inside) for one in portfolio.partitions[partition]]
        mine = batch(portfolio, partition, farm_id, farm_id + _AFTER)
        book = read_farms(portfolio.root, paths, mine.farms, lacking=lacking(portfolio), guests=mine.guests)
        if farm_id in book.farm_ids:
            return book, partition
    cause = f"The portfolio holds no farm {farm_id}."
    raise ProblemsError([Problem(Place(str(portfolio.root)), cause, "Name one that its farm records have.",
                                 "2100.031(c)(1)", code="no_such_farm")])  # fmt: skip


def import_farm(portfolio: Portfolio, farm_id: str, folder: Path) -> RecordBook:
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
    for kind, rows in book.incomplete_rows.group_by("kind", maintain_order=True):
        _reject(folder, KINDS[str(kind[0])], rows)
    return book


def _boundaries(portfolio: Portfolio, partition: Partition, farm_id: str) -> dict[str, str]:
    paths = [Path(one.path) for one in portfolio.partitions[partition] if one.data_set == "unit"]
    found: list[pl.DataFrame] = []
    for path in paths:
        with suppress(*FAILURES):  # reading the farm's records told of the file
            lazy = scan(portfolio.root, path)
            schema = lazy.collect_schema()
            names = {name.casefold().removeprefix(PREFIX): name for name in schema}
            outline = geometry.geometry_column(schema)
            if {"farm_id", "unit_id", "boundary"} <= names.keys() and schema.get(outline) == pl.Binary:
                mine = lazy.filter(Farms(farm_id, farm_id + _AFTER).meant(pl.col(names["farm_id"]).cast(pl.String)))
                text = [pl.col(names[name]).cast(pl.String).alias(name) for name in ("unit_id", "boundary")]
                found.append(mine.select(*text, pl.col(outline).alias(geometry.GEOMETRY)).collect())
    texts = geometry.boundary_files(pl.concat(found)) if found else {}
    # An outline cannot be written as a shapefile again; the book then names a file that its owner still has.
    return {name: text for name, text in texts.items() if name.lower().endswith((".geojson", ".json"))}


def _reject(folder: Path, kind: Kind, rows: pl.DataFrame) -> None:
    """Write incomplete rows as rejected ones, under made-up keys: each reaches as far as it did, or wider."""
    fields = kind.typed_fields
    lines = [[FROM, BECAUSE, *fields]]
    for number, row in enumerate(rows.iter_rows(named=True), 1):
        known = {**row, "day": row["day"]}
        cells = [
            write_cell(known[name], field) if name in known else _made_up(number, field.kind, required=field.required)
            for name, field in fields.items()
        ]
        lines.append([layout.INCOMPLETE, "the row could not be read in the portfolio", *cells])
    path = folder / REJECTED / f"{kind.name}--{_NAME}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(write_csv(lines), encoding="utf-8", newline="")


def _made_up(number: int, kind: ColumnKind, *, required: bool) -> str:
    return f"unread-{number}" if kind is ColumnKind.KEY and required else ""
