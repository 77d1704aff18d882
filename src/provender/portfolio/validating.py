"""``portfolio validate``: everything wrong with a portfolio as Parquet, each with file, row and remedy."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import polars as pl
import shapely
from pyproj import CRS
from pyproj.exceptions import CRSError

from provender.catalog.places import STATE_BY_FIPS
from provender.formats.geometry import ACRE_M2, UNITED_STATES, acres_of
from provender.portfolio import export, layout
from provender.portfolio.custody import SCHEMAS as CUSTODY
from provender.portfolio.custody import custody_problems
from provender.portfolio.export import GEOMETRY, geometry_column
from provender.portfolio.frames import HARVEST_COLUMNS, FrameBook, problem_frame, with_year_of_many
from provender.portfolio.jobs import Done, batch, read_batch, read_records, read_result, run, spread
from provender.portfolio.layout import FAILURES, PREFIX, DataFile, Portfolio
from provender.portfolio.reading import Farms, read_columns, scan, tidy
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


def _problems_of(book: FrameBook) -> Mapping[str, pl.DataFrame]:
    """Return what a person must fix in the records of whole farms."""
    return {layout.PROBLEM: problem_frame(book.problems)}


def validate(portfolio: layout.Portfolio, out: Path) -> tuple[Done, pl.DataFrame]:
    """Check every row of a portfolio; the problems lie in ``out`` by partition, and come back in one frame."""
    done = run("validate", portfolio, _problems_of, out)
    found = read_result(out, layout.PROBLEM).collect()
    several, elsewhere = _in_several(portfolio), misplaced(portfolio)
    # What judging the farms does not read: books of custody, and the outlines of fields.
    sound, broken = layout.without_broken(portfolio, (*CUSTODY, "unit"))
    told = problem_frame(
        (*done.problems, *several, *elsewhere, *broken, *custody_problems(sound), *_outline_problems(sound))
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


# Fields of two farms that lie on each other: boxes in a tree, then outlines, then acres on the ellipsoid.

# Outlines of units against their acres and the map: axes exchanged, metres for degrees, acres for thousandths.
#
# Only what no honest field is: whether an outline fits its acres and county closely is asked where a report is signed
# (``report.plausibility``).

_DEGREE_M: Final = 111_320.0
_TIMES: Final = 20.0
"""An outline of so many times the acres, or of so small a part of them, is of another unit of measurement."""


def _outline_problems(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of outlines that lie nowhere in the United States, and of acres that are of another order than theirs."""
    yield from unread_outlines(portfolio)
    for one in portfolio.parquet("unit"):
        with suppress(*FAILURES):  # ``validate`` tells of it
            yield from _of_file(portfolio, one)


def unread_outlines(portfolio: Portfolio) -> Iterator[Problem]:
    """Tell of outlines that are no WKB or in no degrees: their fields are compared with nothing."""
    for one in portfolio.parquet("unit"):
        try:
            schema = scan(portfolio.root, one.inside).collect_schema()
            name = geometry_column(schema)
            system = _other_system(portfolio, one, name)
        except FAILURES:
            continue  # ``validate`` tells of it
        if name and schema[name] not in (pl.Binary, pl.Null):
            cause = f"The outlines are of type {schema[name]}, which is not read; no field of the file is compared."
            remedy = "Write them as WKB in a binary column: in GeoPandas `to_parquet`."
            yield Problem(Place(one.path, column=name), cause, remedy, code="outlines_unread")
        elif system:
            cause = f"The outlines are in {system}, not in longitude and latitude; no field of the file is compared."
            remedy = "Write them in degrees (OGC:CRS84): in GeoPandas `to_crs('OGC:CRS84')`."
            yield Problem(Place(one.path, column=name), cause, remedy, code="other_coordinates")


def _of_file(portfolio: Portfolio, one: DataFile) -> Iterator[Problem]:
    schema = scan(portfolio.root, one.inside).collect_schema()
    column = geometry_column(schema)
    if schema.get(column) != pl.Binary or _other_system(portfolio, one, column):
        return
    units = read_columns(portfolio.root, [one.inside], KINDS["unit"], ("farm_id", "unit_id", "acres"))
    drawn: Any = scan(portfolio.root, one.inside).select(column).collect()[column].to_numpy()
    shapes: Any = shapely.from_wkb(drawn, on_invalid="ignore")
    bounds, area = shapely.bounds(shapes), shapely.area(shapes)
    (west, east), (south, north) = UNITED_STATES
    there = ~np.isnan(bounds[:, 0])
    inside = (bounds[:, 0] >= west) & (bounds[:, 2] <= east) & (bounds[:, 1] >= south) & (bounds[:, 3] <= north)
    yield from _tell(one, units.filter(pl.Series(there & ~inside)), "lie outside the United States",
                     "Write longitude before latitude, in degrees.", "outline_elsewhere")  # fmt: skip
    ground = area * np.cos(np.radians((bounds[:, 1] + bounds[:, 3]) / 2)) * _DEGREE_M**2 / ACRE_M2
    share = pl.Series(np.where(there & inside, ground, np.nan)) * 1000 / units["acres"]
    wrong = share.is_finite() & ((share > _TIMES) | (share < 1 / _TIMES))
    yield from _tell(one, units.filter(wrong.fill_null(value=False)), "cover ground of another order than their acres",
                     "Acres are whole thousandths: 80.25 acres is 80250.", "acres_of_another_unit")  # fmt: skip


def _tell(one: DataFile, units: pl.DataFrame, what: str, remedy: str, code: str) -> Iterator[Problem]:
    if units.height:
        named = [f"{farm} unit {unit}" for farm, unit, _ in units.head(_NAMED).iter_rows()]
        more = f" and {units.height - _NAMED:,} more" if units.height > _NAMED else ""
        yield Problem(Place(one.path), f"The outlines of {', '.join(named)}{more} {what}.", remedy, code=code)


def _other_system(portfolio: Portfolio, one: DataFile, column: str) -> str:
    """Return the name of the coordinates that a GeoParquet file says it has, where they are no degrees; else ""."""
    told = pl.read_parquet_metadata(portfolio.root / one.path).get("geo")
    try:
        columns = json.loads(told)["columns"] if told else {}
        said = columns.get(column, {}).get("crs")
        system = CRS.from_user_input(said) if said else None
    except (ValueError, KeyError, TypeError, AttributeError, CRSError):
        return "coordinates that the file does not explain"
    return "" if system is None or system.is_geographic else str(system.name)


_LEAST: Final = 1_000
"""Thousandths of an acre above which two fields are the same ground; lines drawn twice differ by less."""
_ACRE_DEGREES: Final = 4046.8564224 / 111_320**2
"""An acre in square degrees at the equator; away from it a degree of longitude is shorter, and an acre is more."""
_GLOBE: Final = (180.0, 90.0, 180.0, 90.0)
_SLACK: Final = 0.9
"""Of an acre: below it by the coarse measure no pair is measured well."""

_SCHEMA: Final = {
    "farm_a": pl.String, "unit_a": pl.String, "farm_b": pl.String, "unit_b": pl.String, "crop_year": pl.Int32,
    "acres": pl.Int64, "bushels": pl.Int64,
}  # fmt: skip


def overlaps(portfolio: Portfolio) -> pl.DataFrame:
    """Return pairs of fields of two farms that share more than an acre and bore feedstock in one year.

    Columns of ``_SCHEMA``; acres in whole thousandths, ``bushels`` the fewer of the two fields' harvests.
    """
    pairs = same_ground(_units(portfolio))
    if pairs.is_empty():
        return pl.DataFrame(schema=_SCHEMA)
    grown = _grown(portfolio)
    keys = ["farm_a", "unit_a", "farm_b", "unit_b"]
    left = grown.rename({"farm_id": "farm_a", "unit_id": "unit_a", "bushels": "bushels_a"})
    right = grown.rename({"farm_id": "farm_b", "unit_id": "unit_b", "bushels": "bushels_b"})
    both = pairs.join(left, on=keys[:2]).join(right, on=[*keys[2:], "crop_year"])
    return both.with_columns(pl.min_horizontal("bushels_a", "bushels_b").alias("bushels")).select(list(_SCHEMA))


def _units(portfolio: Portfolio) -> pl.DataFrame:
    parts = [pl.DataFrame(schema={"farm_id": pl.String, "unit_id": pl.String, GEOMETRY: pl.Binary})]
    for one in portfolio.parquet("unit"):
        lazy = scan(portfolio.root, one.inside)
        schema = lazy.collect_schema()
        names = {name.casefold().removeprefix(PREFIX): name for name in schema}
        # Outlines of another type or in other coordinates are told (``unread_outlines``).
        outline = geometry_column(schema)
        degrees = schema.get(outline) == pl.Binary and not _other_system(portfolio, one, outline)
        if {"farm_id", "unit_id"} <= names.keys() and degrees:
            text = [tidy(pl.col(names[name]).cast(pl.String)).alias(name) for name in ("farm_id", "unit_id")]
            parts.append(lazy.select(*text, pl.col(outline).alias(GEOMETRY)).collect())
    # A unit may stand there twice, with two outlines: each is ground that it lies on.
    return pl.concat(parts).drop_nulls().unique(maintain_order=True)


def _grown(portfolio: Portfolio) -> pl.DataFrame:
    """Return the bushels of feedstock of each unit and harvest year; zero where they are not recorded."""
    rows = read_records(portfolio, "harvest", (*HARVEST_COLUMNS, "bushels"))
    planting = partial(read_records, portfolio, "planting", ("farm_id", "harvest_id", "planted_on"))
    fed = with_year_of_many(rows, planting).filter(
        pl.col("crop").cast(pl.String).is_in(FEEDSTOCKS) & (pl.col("ending").cast(pl.String) == "harvested")
    )
    year = pl.col("harvest_year")
    # What grew before the farm had the field stands in its book as history, without bushels: nobody reports it.
    reported = fed.filter((year == year.max().over("farm_id")) | pl.col("bushels").is_not_null())
    return reported.group_by("farm_id", "unit_id", year.alias("crop_year")).agg(pl.col("bushels").sum())


def same_ground(units: pl.DataFrame) -> pl.DataFrame:
    """Return pairs of fields of two farms that share more than an acre: ``farm_a``, ``unit_a``, ..., ``acres``.

    Args:
        units: ``farm_id``, ``unit_id`` and ``geometry`` (WKB, degrees).
    """
    shapes = shapely.from_wkb(units[GEOMETRY].to_numpy(), on_invalid="ignore")
    usable = np.array([shape is not None for shape in shapes], dtype=bool) & ~shapely.is_empty(shapes)
    # What lies on no globe is in other coordinates, whatever the file says.
    usable &= (np.abs(shapely.bounds(shapes)) <= _GLOBE).all(axis=1)
    drawn, shapes = units.filter(pl.Series(usable)), shapes[usable]
    broken = ~shapely.is_valid(shapes)
    shapes[broken] = shapely.make_valid(shapes[broken])
    if drawn.height < 2:  # noqa: PLR2004 - two fields are needed
        return pl.DataFrame(schema={name: of for name, of in _SCHEMA.items() if name not in ("crop_year", "bushels")})
    first, second = _near(shapes, drawn["farm_id"].rank("dense").to_numpy())
    shared = shapely.intersection(shapes[first], shapes[second])
    least = _SLACK * _ACRE_DEGREES
    kept = shapely.area(shared) > least
    acres = [acres_of(shape) for shape in shared[kept]]
    a, b = drawn[first[kept]], drawn[second[kept]]
    found = pl.DataFrame({"farm_a": a["farm_id"], "unit_a": a["unit_id"], "farm_b": b["farm_id"],
                          "unit_b": b["unit_id"], "acres": pl.Series(acres, dtype=pl.Int64)})  # fmt: skip
    pair = ["farm_a", "unit_a", "farm_b", "unit_b"]
    return found.filter(pl.col("acres") > _LEAST).group_by(pair, maintain_order=True).agg(pl.col("acres").max())


def _near(shapes: Any, farms: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays of NumPy, whose types say nothing here
    """Return the numbers of fields of different farms whose boxes share more than about an acre."""
    bounds = shapely.bounds(shapes)
    boxes: Any = shapely.box(*bounds.T)
    tree = shapely.STRtree(boxes)
    firsts, seconds = [], []
    step = 100_000
    for start in range(0, len(shapes), step):
        found, other = tree.query(boxes[start : start + step])
        found = found + start
        pair = (found < other) & (farms[found] != farms[other])
        found, other = found[pair], other[pair]
        wide = np.minimum(bounds[found, 2], bounds[other, 2]) - np.maximum(bounds[found, 0], bounds[other, 0])
        high = np.minimum(bounds[found, 3], bounds[other, 3]) - np.maximum(bounds[found, 1], bounds[other, 1])
        large = wide * high > _SLACK * _ACRE_DEGREES
        firsts.append(found[large])
        seconds.append(other[large])
    return np.concatenate(firsts), np.concatenate(seconds)
