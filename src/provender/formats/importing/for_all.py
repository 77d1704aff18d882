"""The same answer for all fields: one declaration stands for every crop of its year that has no row of its own."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from provender.formats.importing.crop_entries import readings
from provender.formats.importing.incoming_files import IncomingFile, RowCells
from provender.formats.importing.references import folded
from provender.records.kind import KINDS
from provender.records.reading import column_names

_ALL: Final = re.compile(r"(?:same for )?all(?: fields| crops)?(?: \(?((?:19|20)\d\d)\)?)?", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


class Crop(NamedTuple):
    """A crop entry: of which field, which crop, of which harvest year (empty where no day tells it), its name."""

    unit: str
    crop: str
    year: str
    name: str


def is_for_all(table: IncomingFile) -> bool:
    """Tell whether a row of declarations is for all fields."""
    at = _columns(table).get("harvest_id") if table.kind is KINDS["declaration"] else None
    return at is not None and any(_ALL.fullmatch(_cell(cells, at)) for _, cells in table.table.rows)


def for_each_crop(table: IncomingFile, crops: Iterable[Crop]) -> IncomingFile:
    """Return a table in which each row that is for all stands once for every crop that it is about.

    It is of the year that it names, else of the last harvest before the day on which it was declared.
    """
    crops, where = list(crops), _columns(table)
    at, day = where["harvest_id"], where.get("made_on", -1)
    own = {one.name for _, cells in table.table.rows for one in crops if _means(_cell(cells, at), one)}
    rows: list[tuple[int, tuple[str, ...]]] = []
    cells_of: dict[int, RowCells] = {}
    free = max(number for number, _ in table.table.rows)
    for number, cells in table.table.rows:
        said = _ALL.fullmatch(_cell(cells, at))
        until = _YEAR.search(_cell(cells, day))
        before = [one.year for one in crops if one.year and until and one.year <= until[0]]
        year = (said[1] if said else None) or max(before, default="")
        of_year = [one for one in crops if said and one.year == year != "" and one.name not in own]
        for one in of_year:
            free += 1
            rows.append((free, (*cells[:at], one.name, *cells[at + 1 :])))
            columns = {name: table.place(number, name) for name in table.table.heading}
            cells_of[free] = RowCells(table.place(number), columns)
        if not of_year:
            rows.append((number, cells))
    return replace(table, table=replace(table.table, rows=tuple(rows)), cells={**table.cells, **cells_of})


def _means(text: str, one: Crop) -> bool:
    """Tell whether a row names a crop entry by its own name, or by its field with a crop and a year or without."""
    return folded(text) == folded(one.name) or any(
        folded(said.unit) == folded(one.unit) and said.crop in ("", one.crop) and str(said.year or one.year) == one.year
        for said in readings(text)
    )


def _columns(table: IncomingFile) -> Mapping[str, int]:
    known = column_names(table.kind) if table.kind else {}
    return {known.get(heading.casefold(), ""): at for at, heading in reversed(list(enumerate(table.table.heading)))}


def _cell(cells: tuple[str, ...], at: int) -> str:
    return cells[at].strip() if 0 <= at < len(cells) else ""
