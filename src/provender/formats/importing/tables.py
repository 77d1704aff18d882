"""Spreadsheets and text files on their way into a book: which kind each table is, and through which map it is read."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, cast

from provender.days import MIXED, order_in
from provender.formats.column_map import ColumnMap
from provender.formats.columns import kind_by_headings, matched, without_unit
from provender.formats.happened import is_heading, without_undone
from provender.formats.importing.covers import species_of, species_rules, without_used
from provender.formats.importing.entry_columns import with_entries
from provender.formats.importing.from_mapped import from_mapped, keys_of
from provender.formats.importing.incoming_files import PAPER_READ, Arrival, Choices, IncomingFile, Source
from provender.formats.importing.invoice import take_invoice
from provender.formats.importing.printed import adapted
from provender.formats.importing.short import is_short, short_tables
from provender.formats.mapped import heading_of, map_book, shipped_maps
from provender.formats.parsed import Sheet, TextRow, WorkbookFile
from provender.formats.positions import asked_by_position, is_positioned, positioned
from provender.formats.rates import with_read_cells
from provender.formats.rows import table_of
from provender.formats.template_layout import column_of, is_help, kind_named
from provender.problem import Place, Problem
from provender.records.folder import BECAUSE, FROM, REJECTED
from provender.records.kind import KINDS, Kind
from provender.records.reading import TextTable, column_names, day_texts

_EXPORTED: Final = re.compile(r"[-_ ](?:\d{4}|export|template|final|v\d+)$", re.IGNORECASE)


def kind_of_file(name: str, choices: Choices) -> Kind | None:
    """Return the kind that a person named, or that a file is named after, or None."""
    if choices.kind:
        return KINDS[choices.kind]
    stem = Path(name).stem.partition("--")[0]
    return kind_named(stem) or kind_named(_EXPORTED.sub("", stem))


def spreadsheet(path: Path, source: Source, choices: Choices, reader: str = "spreadsheet") -> Arrival:
    """Read a workbook, a text file or, by another reader, the text of a paper into tables of record kinds."""
    arrival = Arrival(source, "table of records")
    parsed = choices.parse(reader, path, name=source.name)
    if parsed.result is None:
        empty = all(problem.code == "no_rows" for problem in parsed.problems)
        arrival.lost, arrival.keep = not empty, not empty
        arrival.kind = kind_of_file(source.name, choices)
        arrival.problems += parsed.problems
        return arrival
    sheets = [
        positioned(sheet) for sheet in cast("WorkbookFile", parsed.result).sheets if sheet.lines and not is_help(sheet)
    ]
    if is_short(sheets):
        arrival.tables, told = short_tables(sheets, source, choices)
        arrival.problems += [*parsed.problems, *told]
        arrival.tables = _with_order(arrival.tables, choices)
        return arrival
    single = len(sheets) == 1
    claimed: set[int] = set()
    for sheet in sheets:
        said = [each for each in parsed.problems if each.place.sheet in ("", sheet.name)]
        claimed |= {id(each) for each in said}
        if sheet.name and sheet.name.casefold() in choices.skip_sheets:
            continue
        kind = kind_named(sheet.name) or (kind_of_file(source.name, choices) if single else None)
        _sheet(arrival, sheet, kind, said, choices)
    arrival.problems += [each for each in parsed.problems if id(each) not in claimed]
    arrival.tables = _with_order(arrival.tables, choices)
    return arrival


def _with_order(tables: list[IncomingFile], choices: Choices) -> list[IncomingFile]:
    """Let every sheet know what the days of all sheets tell of their order."""
    days = [text for one in tables if one.kind for _, _, text in day_texts(one.kind, one.table)]
    order = choices.date_order or order_in(days)
    return [replace(one, date_order="" if order == MIXED else order) for one in tables]


def _sheet(arrival: Arrival, sheet: Sheet, kind: Kind | None, said: list[Problem], choices: Choices) -> None:
    """Read one sheet: as a record kind where all headings are its own, through a column map otherwise."""
    wanted = kind or (KINDS[choices.kind] if choices.kind else None)
    plain = wanted or _kind_by_headings(sheet)
    fitting = [each for each in choices.maps if each.target in KINDS and heading_of(sheet, each)]
    fitting = [each for each in fitting if wanted is None or each.target == wanted.name]
    own = plain is not None and _knows_all(sheet, plain)
    if fitting and not own:
        _mapped(arrival, sheet, KINDS[fitting[0].target], said, choices)
    elif choices.kind and wanted is not None and not own:
        _mapped(arrival, sheet, wanted, said, choices)
    elif plain is None and (known := _shipped(sheet)):
        _mapped(arrival, sheet, known, said, choices)
    elif plain is not None and not own and (_foreign(sheet, plain) or _says_units(sheet, plain)):
        _mapped(arrival, sheet, plain, said, choices)
    elif plain is not None:
        table, problems = table_of(sheet, plain, arrival.source.name)
        whole = with_read_cells(plain, table or _as_it_is(sheet, arrival.source.name))
        done, undone = without_undone(plain, _without_ours(whole))
        arrival.tables.append(
            IncomingFile(plain, done, arrival.source, (*said, *problems, *undone), origins=_origins(whole))
        )
    elif take_invoice(arrival, sheet, said, choices, paper=False):
        return
    elif told := kind_by_headings(sheet, arrival.source.name):
        _mapped(arrival, sheet, told[0], [*said, told[1]], choices)
    else:
        what = f"the sheet {sheet.name!r}" if sheet.name else "this table"
        rows = len(sheet.lines) - is_positioned(sheet)
        cause = f"nobody can tell what kind of record {what} holds; its {rows} rows were not imported."
        remedy = "Name it like a kind of record (`provender template --list`), or say --kind NAME"
        remedy += f", or --skip-sheet {sheet.name!r} if it holds no records." if sheet.name else "."
        unknown = Problem(Place(arrival.source.name, sheet.name), cause, remedy, code="unknown_sheet")
        asked = [asked_by_position(sheet, arrival.source.name)] if is_positioned(sheet) else []
        table = _as_it_is(sheet, arrival.source.name)
        arrival.tables.append(IncomingFile(None, table, arrival.source, (*said, unknown, *asked)))


def _foreign(sheet: Sheet, kind: Kind) -> bool:
    """Tell whether a table that is called a kind has other headings than ours, by which that kind is known."""
    known = column_names(kind)
    required = {name for name, found in kind.typed_fields.items() if found.required} - {"farm_id"}
    ours = any(required <= {known.get(name) for name in _headings(line)} for line in sheet.lines[:5])
    return not ours and matched(sheet, kind.name) > 0


def _says_units(sheet: Sheet, kind: Kind) -> bool:
    """Tell whether headings of a kind have their unit behind them, as ``Rate (lb/ac)``: it may be another than ours."""
    known = column_names(kind)
    return any(_column(known, name) and name not in known for line in sheet.lines[:5] for name in _headings(line))


def _column(known: Mapping[str, str], name: str) -> str:
    """Return the column that a heading names, alone or with a unit in brackets behind it; empty for none."""
    return known.get(name) or known.get(without_unit(name), "")


def _shipped(sheet: Sheet) -> Kind | None:
    """Return the kind of record that a map which ships makes of a sheet, or None."""
    fitting = (each for each in shipped_maps() if each.target in KINDS and heading_of(sheet, each))
    return next((KINDS[each.target] for each in fitting), None)


def _as_it_is(sheet: Sheet, file: str) -> TextTable:
    """Return a sheet as a table whose first row is taken for the heading."""
    first, *rest = sheet.lines
    return TextTable(file, sheet.name, first.cells, tuple((line.number, line.cells) for line in rest or [first]))


def _origins(table: TextTable) -> dict[int, str]:
    """Return where the rows of a file of rejected rows first came from, whatever the file is called now."""
    at = next((index for index, cell in enumerate(table.heading) if cell == FROM), None)
    return {} if at is None else {number: cells[at] for number, cells in table.rows if at < len(cells) and cells[at]}


def _without_ours(table: TextTable) -> TextTable:
    """Take the two columns out that a file of rejected rows has before its own."""
    ours = [index for index, cell in enumerate(table.heading) if cell in (FROM, BECAUSE)]
    if not ours:
        return table

    def left(cells: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(cell for index, cell in enumerate(cells) if index not in ours)

    return replace(
        table, heading=left(table.heading), rows=tuple((number, left(cells)) for number, cells in table.rows)
    )


def _headings(line: TextRow) -> list[str]:
    """Return the headings of a row, but for those of ours and of the column that says whether a row happened."""
    cells = [cell for cell in line.cells if cell.strip() and cell.strip() not in (FROM, BECAUSE)]
    return [column_of(cell).casefold() for cell in cells if not is_heading(cell)]


def _knows_all(sheet: Sheet, kind: Kind) -> bool:
    """Tell whether one of the first rows holds headings of a kind and nothing else."""
    known = column_names(kind)
    return any(all(name in known for name in _headings(line)) for line in sheet.lines[:5] if len(_headings(line)) > 1)


def _kind_by_headings(sheet: Sheet) -> Kind | None:
    """Return the one kind whose key is among the headings and which knows all of them; None for none or several."""
    found = []
    for kind in KINDS.values():
        keys = set(kind.key_columns) - {"farm_id"}
        known = column_names(kind)
        for line in sheet.lines[:5]:
            names = {_column(known, name) for name in _headings(line)}
            if keys and keys <= names and "" not in names and len(names) > 1:  # a lone word is no heading
                found.append(kind)
                break
    return found[0] if len(found) == 1 else None


def _mapped(arrival: Arrival, sheet: Sheet, kind: Kind, said: list[Problem], choices: Choices) -> None:
    """Read a foreign table through a saved map, or through a suggestion that waits for a nod."""
    file = arrival.source.name
    parsed = map_book(
        WorkbookFile(file, (sheet,)), kind.name, choices.maps, choices.date_order, choices.otherwise, choices.zones
    )
    if parsed.result is None:
        table = _as_it_is(sheet, file)
        arrival.tables.append(IncomingFile(kind, table, arrival.source, (*said, *parsed.problems)))
        return
    paper = any(problem.code == PAPER_READ for problem in said)
    head = [cell for line in sheet.lines for cell in line.cells]
    for mapped, column_map in zip(parsed.result.tables, parsed.result.maps, strict=True):
        arrival.maps.append(column_map)
        waits = not choices.accept and (paper or not column_map.confirmed)
        sown = species_rules(sheet, column_map)
        problems = [*said, *(without_used(parsed.problems, column_map, sown) if sown else parsed.problems)]
        whole = with_entries(adapted(mapped, arrival.source, head, paper=paper))
        made = from_mapped(whole, arrival.source, problems, choices, waits=waits, paper=paper)
        made = replace(made, headings={rule.field: rule.heading for rule in column_map.columns})
        arrival.tables.append(made)
        mix, told = species_of(sheet, column_map, sown, keys_of(made), file) if sown else (None, [])
        if mix is not None:
            arrival.tables.append(from_mapped(mix, arrival.source, told, choices, waits=waits))


def is_rejected_file(path: Path, book: Path) -> bool:
    """Tell whether a file is one of the book's own files of rejected rows."""
    return path.resolve().parent == (book / REJECTED).resolve()


def used_maps(arrivals: Iterable[Arrival]) -> list[ColumnMap]:
    """Return the maps of all files, each once."""
    return list({each.fingerprint + each.target: each for one in arrivals for each in one.maps}.values())
