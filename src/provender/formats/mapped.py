"""Anyone's table to rows of a target: a saved map that fits the headings, or a suggestion for a person to confirm."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

from provender.formats.child import parse_limited
from provender.formats.column_map import ColumnMap
from provender.formats.map_apply import apply_map, heading_of
from provender.formats.map_suggest import suggest
from provender.formats.mapped_table import MappedTable, without_future
from provender.formats.parsed import Parsed
from provender.formats.sheet import Sheet, WorkbookFile
from provender.formats.shipped_maps import shipped_for
from provender.formats.targets import target
from provender.problem import Place, Problem

# Days that may lie ahead: delivery windows, ends of agreements.
_AHEAD: Final = frozenset({"first_day", "last_day", "until"})


@dataclass(frozen=True, slots=True)
class Mapped:
    """What came of one file.

    Attributes:
        tables: one for each sheet that fits.
        maps: the map used for each table; an unconfirmed one is a suggestion to be saved once a person agrees.
    """

    tables: tuple[MappedTable, ...]
    maps: tuple[ColumnMap, ...]


def map_book(
    book: WorkbookFile, wanted: str, saved: Iterable[ColumnMap] = (), order: str = "", otherwise: str = ""
) -> Parsed[Mapped]:
    """Turn a book that was read as text into rows of a target.

    Args:
        book: see ``spreadsheet``.
        wanted: the name of a target.
        saved: maps that people confirmed; the first one for this target whose headings a sheet has is used.
        order: which of two numbers of a day is the month, where a person said so and the map does not.
        otherwise: likewise, where nothing tells; it is asked about.

    Raises:
        KeyError: there is no such target.
    """
    known = target(wanted)
    maps = [each for each in saved if each.target == wanted]
    tables: list[MappedTable] = []
    used: list[ColumnMap] = []
    problems: list[Problem] = []
    for sheet in book.sheets:
        if not sheet.lines:
            continue
        fitting = next((each for each in maps if heading_of(sheet, each)), None)
        if fitting is None:
            fitting, questions = shipped_for(sheet, wanted, book.file) or _suggested(sheet, wanted, book.file)
            problems += questions
        if fitting is None:
            continue
        table, found = apply_map(sheet, fitting, known, book.file, order=order, otherwise=otherwise)
        problems += found
        if table is not None:
            tables.append(table)
            used.append(fitting)
    if not tables:
        return Parsed(None, tuple(problems))
    return Parsed(Mapped(tuple(tables), tuple(used)), tuple(problems))


def _suggested(sheet: Sheet, wanted: str, file: str) -> tuple[ColumnMap | None, list[Problem]]:
    found = suggest(sheet, target(wanted), file)
    if found is not None:
        return found.map, list(found.problems)
    cause = f"no row looks like headings of {wanted.replace('_', ' ')}; the {len(sheet.lines)} rows were not imported."
    remedy = "Say which column is which in a column map, or use the template."
    return None, [Problem(Place(file, sheet.name), cause, remedy, code="no_headings")]


def import_table(
    path: Path, wanted: str, *, as_of: dt.date, name: str = "", saved: Iterable[ColumnMap] = ()
) -> Parsed[Mapped]:
    """Read a CSV, XLSX, XLS or ODS file in a limited child and turn it into rows of a target.

    Args:
        path: the file.
        wanted: the name of a target; see ``targets.target_names``.
        as_of: today; days after it, on which something is said to have happened, are taken out and told.
        name: the name people know the file by.
        saved: see ``map_book``.
    """
    parsed = parse_limited("spreadsheet", path, name=name or path.name)
    if parsed.result is None:
        return Parsed(None, parsed.problems)
    mapped = map_book(cast("WorkbookFile", parsed.result), wanted, saved)
    problems = [*parsed.problems, *mapped.problems]
    if mapped.result is None:
        return Parsed(None, tuple(problems))
    past = [field.name for field in target(wanted).fields.values() if field.kind == "day" and field.name not in _AHEAD]
    tables: list[MappedTable] = []
    for table in mapped.result.tables:
        kept, future = without_future(table, past, as_of)
        tables.append(kept)
        problems += future
    return Parsed(Mapped(tuple(tables), mapped.result.maps), tuple(problems))
