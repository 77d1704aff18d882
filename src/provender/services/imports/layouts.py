"""Sheets whose columns a person should look at: which heading is taken for what, with a few cells as examples."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from provender.formats.column_map import ColumnMap, fingerprint
from provender.formats.importing.prepare import Count, Plan
from provender.formats.map_suggest import suggest
from provender.formats.sheet import Sheet, TextRow, WorkbookFile
from provender.formats.targets import target
from provender.records import KINDS
from provender.services.imports.request import Layout

ASKED_BY: Final = frozenset({"unknown_column", "missing_column", "no_headings", "unknown_sheet", "double_column"})
SAMPLES: Final = 3
SEARCHED: Final = 30


def layouts(plan: Plan, books: Mapping[str, WorkbookFile], kinds: Mapping[str, str]) -> tuple[Layout, ...]:
    """Return the sheets of an import that are read through a column map, or need one.

    Args:
        plan: what the import found.
        books: every spreadsheet as text, by the file's name.
        kinds: what the person said of sheets that do not tell their kind, by ``file|sheet``.
    """
    asked = {(each.place.file, each.place.sheet) for each in plan.problems if each.code in ASKED_BY}
    found = []
    for book in books.values():
        for sheet in book.sheets:
            map_of = _mapped_by(sheet, plan.maps)
            if sheet.lines and (map_of is not None or (book.file, sheet.name) in asked):
                chosen = kinds.get(f"{book.file}|{sheet.name}") or _counted(plan.counts, book.file, sheet.name)
                found.append(_layout(book.file, sheet, map_of, chosen))
    return tuple(found)


def _mapped_by(sheet: Sheet, maps: Iterable[ColumnMap]) -> ColumnMap | None:
    prints = {fingerprint(line.cells) for line in sheet.lines[:SEARCHED]}
    return next((each for each in maps if each.fingerprint in prints and each.target in KINDS), None)


def _counted(counts: Iterable[Count], file: str, sheet: str) -> str:
    kinds = [count.kind for count in counts if (count.file, count.sheet) == (file, sheet)]
    return next((kind for kind in kinds if kind in KINDS), "")


def _layout(file: str, sheet: Sheet, known: ColumnMap | None, kind: str) -> Layout:
    guess = known
    if known is None and kind:
        suggested = suggest(sheet, target(kind), file)
        guess = suggested.map if suggested else None
    heading = _heading(sheet, guess)
    if guess is None and kind:
        guess = ColumnMap(f"{kind} from {file}", kind, fingerprint(heading.cells), ())
    headings = tuple(cell.strip() for cell in heading.cells)
    below = [line for line in sheet.lines if line.number > heading.number]
    samples = tuple(_first(below, lambda line, at=at: line.cell(at)) for at in range(len(headings)))  # type: ignore[misc]
    return Layout(
        file,
        sheet.name,
        guess.target if guess else "",
        guess.to_text() if guess else "",
        known is not None and known.confirmed,
        headings,
        samples,
        len(below),
    )


def _first(lines: Iterable[TextRow], cell: Callable[[TextRow], str]) -> tuple[str, ...]:
    texts = [text for line in lines if (text := cell(line))]
    return tuple(texts[:SAMPLES])


def _heading(sheet: Sheet, guess: ColumnMap | None) -> TextRow:
    """Return the row of the map's headings, else the first row with two cells, else the first row."""
    lines = sheet.lines[:SEARCHED]
    if guess is not None:
        fitting = (line for line in lines if fingerprint(line.cells) == guess.fingerprint)
        return next(fitting, lines[0])
    return next((line for line in lines if sum(bool(cell.strip()) for cell in line.cells) > 1), lines[0])
