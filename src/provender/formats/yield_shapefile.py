"""Points of a yield log out of the attributes of shapefiles, by columns where the table is plain, else row by row."""

from pathlib import Path
from typing import Final

import polars as pl

from provender.formats.parsed import doubt
from provender.formats.shapefile_table import table_cells
from provender.formats.shapefiles import BROKEN, Parts, gather
from provender.formats.yield_columns import SCHEMA, points_of
from provender.formats.yield_points import COLUMNS
from provender.problem import Place, Problem

_NAMES: Final = {**{each: each.upper() for each in COLUMNS}, "interval": "CYCLES", "grain": "CROP"}
_NEEDED: Final = tuple(_NAMES[each] for each in COLUMNS[:14])
_AGAIN: Final = "Export the shapefile again, and put all its parts in one zip."


def points_of_shapefiles(path: Path, name: str) -> tuple[pl.DataFrame, list[Problem]]:
    """Return the points of every shapefile given, and which rows and files cannot be read.

    Raises:
        ProblemsError: the zip is damaged or hostile.
    """
    frames, problems = [SCHEMA.to_frame()], []
    for parts in gather(path, name):
        cells, told = _cells(parts)
        problems += told
        if cells is not None:
            found, told = points_of(cells, COLUMNS, parts.name)
            frames.append(found)
            problems += told
    return pl.concat(frames), problems


def _cells(parts: Parts) -> tuple[pl.DataFrame | None, list[Problem]]:
    """Return the attributes of a shapefile as columns of text; of a damaged one those before its damage."""
    place = Place(parts.name)
    problems: list[Problem] = []
    try:
        reader = parts.open()
        present = {entry.name.upper() for entry in reader.fields} if parts.dbf else set()
        lacking = [wanted for wanted in _NEEDED if wanted not in present]
        if lacking:
            cause = f"the shapefile lacks the columns {', '.join(lacking)}."
            remedy = "Export harvest with the columns of Ag Leader Advanced, or give the totals by hand."
            return None, [Problem(place, cause, remedy, code="missing_column")]
        if parts.prj is None:
            cause = "there is no .prj file; LONGITUDE and LATITUDE were read as WGS 84."
            problems.append(doubt(place, cause, "Confirm, or add the .prj file.", "assumed_wgs84"))
        cells, told = table_cells(reader, parts, _NAMES)
    except BROKEN as wrong:
        cause = f"the table is damaged ({type(wrong).__name__})."
        return None, [*problems, Problem(place, cause, _AGAIN, code="bad_shapefile")]
    return cells, problems + told
