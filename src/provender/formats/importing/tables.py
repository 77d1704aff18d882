"""Files on their way into a book: what each is, which kind its tables are, and through which map they are read."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Final, cast

from provender.days import MIXED, order_in
from provender.formats.columns import (
    LOAD_COLUMNS,
    asked_by_position,
    best_heading,
    is_positioned,
    kind_by_headings,
    matched,
    positioned,
    target,
    without_unit,
)
from provender.formats.detect import LEFT, advice
from provender.formats.detect import Kind as FileKind
from provender.formats.happened import is_heading, without_undone
from provender.formats.importing import foreign
from provender.formats.importing.crop_entries import Crop, readings
from provender.formats.importing.foreign import acreage
from provender.formats.importing.from_mapped import (
    EVIDENCE_OF,
    OF_OTHERS,
    RUN,
    adapted,
    from_mapped,
    is_shipped,
    joined,
    kept_as_paper,
    kept_file,
    keys_of,
    units_named,
    with_entries,
)
from provender.formats.importing.incoming_files import (
    PAPER_READ,
    Arrival,
    Choices,
    IncomingFile,
    RowCells,
    Source,
    cell_at,
)
from provender.formats.importing.invoice import take_invoice
from provender.formats.importing.loads import TICKETS, beside_loads, with_buyer
from provender.formats.importing.logs import added_up, machine_data, yields
from provender.formats.importing.references import folded
from provender.formats.importing.short import short_tables, species_of, species_rules, without_used
from provender.formats.mapped import heading_of, in_our_words, map_book, shipped_maps, with_read_rates
from provender.formats.parsed import Sheet, TextRow, WorkbookFile
from provender.formats.rows import table_of
from provender.formats.short_layout import BY_NAME
from provender.formats.template_layout import column_of, is_help, kind_named
from provender.problem import Place, Problem
from provender.records.book import RecordBook, days_of, kept_as, year_of
from provender.records.kind import KINDS, Kind
from provender.records.reading import TextTable, column_names, day_texts, read_table

_FOR_ALL: Final = re.compile(r"(?:same for )?all(?: fields| crops)?(?: \(?((?:19|20)\d\d)\)?)?", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
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
    whole = cast("WorkbookFile", parsed.result)
    arrival.workbook = replace(whole, sheets=tuple(map(positioned, whole.sheets)))
    sheets = [sheet for sheet in arrival.workbook.sheets if sheet.lines and not is_help(sheet)]
    arrival.short = tuple(sheet for sheet in sheets if sheet.name.casefold() in BY_NAME)
    sheets = [sheet for sheet in sheets if sheet not in arrival.short]
    arrival.alone = single = len(sheets) == 1 and not arrival.short
    claimed: set[int] = set()
    for sheet in sheets:
        said = [each for each in parsed.problems if each.place.sheet in ("", sheet.name)]
        claimed |= {id(each) for each in said}
        if (sheet.name or source.name).casefold() in choices.skip_sheets:
            continue
        kind = kind_named(sheet.name) or (kind_of_file(source.name, choices) if single else None)
        _sheet(arrival, sheet, kind, said, choices)
    arrival.problems += [each for each in parsed.problems if id(each) not in claimed]
    arrival.tables = _with_order(arrival.tables, choices)
    return arrival


def with_crops_known(arrivals: Iterable[Arrival], choices: Choices) -> None:
    """Write the rows of short workbooks, and declarations for all, once all files have said which crops are there."""
    arrivals = list(arrivals)
    if not any(one.short or any(map(_is_for_all, one.tables)) for one in arrivals):
        return
    fields = dict(choices.fields) | dict.fromkeys(choices.expected_units - choices.fields.keys(), "")
    crops = list(choices.entries)
    for one in arrivals:
        there = Counter(crop[:3] for crop in crops)  # in the book or in a file before, whatever they are called here
        for table in one.tables:
            if table.kind is KINDS["unit"]:
                rows = (values for values in table.texts() if values.get("unit_id"))
                fields |= {values["unit_id"]: values.get("acres", "") for values in rows}
            for crop in _crops_of(table, fields) if table.kind is KINDS["harvest"] else ():
                if there[crop[:3]]:
                    there[crop[:3]] -= 1
                else:
                    crops.append(crop)
    for one in arrivals:
        one.tables = [_for_each_crop(table, crops) if _is_for_all(table) else table for table in one.tables]
        if one.short:
            made, told = short_tables(one.short, one.source, fields, crops)
            one.tables += _with_order(made, choices)
            one.problems += told


def _is_for_all(table: IncomingFile) -> bool:
    """Tell whether a row of declarations is for all fields."""
    at = table.columns.get("harvest_id") if table.kind is KINDS["declaration"] else None
    return at is not None and any(_FOR_ALL.fullmatch(cell_at(cells, at)) for _, cells in table.table.rows)


def _for_each_crop(table: IncomingFile, crops: Sequence[Crop]) -> IncomingFile:
    """Return a table in which each row that is for all stands once for every crop that it is about.

    It is of the year that it names, else of the last harvest before the day on which it was declared. A crop that has
    a row of its own is not among them.
    """
    at, day = table.columns["harvest_id"], table.columns.get("made_on")
    own = {one.name for _, cells in table.table.rows for one in crops if _means(cell_at(cells, at), one)}
    rows: list[tuple[int, tuple[str, ...]]] = []
    cells_of: dict[int, RowCells] = {}
    free = max(number for number, _ in table.table.rows)
    for number, cells in table.table.rows:
        said = _FOR_ALL.fullmatch(cell_at(cells, at))
        until = _YEAR.search(cell_at(cells, day))
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
    return replace(table.with_rows(rows), cells={**table.cells, **cells_of})


def _means(text: str, one: Crop) -> bool:
    """Tell whether a row names a crop entry by its own name, or by its field with a crop and a year or without."""
    return folded(text) == folded(one.name) or any(
        folded(said.unit) == folded(one.unit) and said.crop in ("", one.crop) and str(said.year or one.year) == one.year
        for said in readings(text)
    )


def _crops_of(table: IncomingFile, fields: Iterable[str]) -> Iterable[Crop]:
    """Yield the crop entries that another file of the import brings."""
    called = {folded(unit): unit for unit in fields}
    for row in read_table(KINDS["harvest"], table.table, farm_id="", order=table.date_order).rows:
        unit, year = str(row["unit_id"]), year_of(*days_of(row))
        yield Crop(called.get(folded(unit), unit), str(row["crop"]), str(year or ""), str(row["harvest_id"]))


def _with_order(tables: list[IncomingFile], choices: Choices) -> list[IncomingFile]:
    """Let every sheet know what the days of all sheets tell of their order."""
    days = [text for one in tables if one.kind for _, _, text in day_texts(one.kind, one.table)]
    order = choices.date_order or order_in(days)
    return [replace(one, date_order="" if order == MIXED else order) for one in tables]


def _sheet(arrival: Arrival, sheet: Sheet, kind: Kind | None, told: list[Problem], choices: Choices) -> None:
    """Read one sheet: as a record kind where all headings are its own, through a column map otherwise."""
    said = choices.kinds.get(f"{arrival.source.name}|{sheet.name}") or choices.kind
    wanted = kind or (KINDS[said] if said else None)
    plain = wanted or _kind_by_headings(sheet)
    fitting = [each for each in choices.maps if each.target in KINDS and heading_of(sheet, each)]
    fitting = [each for each in fitting if wanted is None or each.target == wanted.name]
    own = plain is not None and _knows_all(sheet, plain) and not _says_whose(sheet, plain)
    through: Kind | None = None  # the kind whose column map it is read through
    if fitting and not own:
        through = KINDS[fitting[0].target]
    elif plain is None:
        through = _shipped(sheet)
    elif not own and (said or _foreign(sheet, plain) or _says_units(sheet, plain) or _says_whose(sheet, plain)):
        through = plain
    if through is not None:
        _mapped(arrival, sheet, through, told, choices)
    elif plain is not None:
        table, problems = table_of(sheet, plain, arrival.source.name)
        whole = with_read_rates(plain, table or _as_it_is(sheet, arrival.source.name))
        done, undone = without_undone(plain, whole)
        ours = IncomingFile(plain, done, arrival.source, (*told, *problems, *undone))
        read = cache(partial(in_our_words, plain))
        arrival.tables.append(ours.with_cells(lambda _, row: {name: read(name, text) for name, text in row.items()}))
    elif take_invoice(arrival, sheet, told, choices, paper=False):
        return
    elif named := kind_by_headings(sheet, arrival.source.name):
        _mapped(arrival, sheet, named[0], [*told, named[1]], choices)
    else:
        what = f"the sheet {sheet.name!r}" if sheet.name else "this table"
        rows = len(sheet.lines) - is_positioned(sheet)
        cause = f"nobody can tell what kind of record {what} holds; its {rows} rows were not imported."
        remedy = "Name it like a kind of record (`provender template --list`), or say --kind NAME"
        remedy += f", or --skip-sheet {sheet.name!r} if it holds no records." if sheet.name else "."
        unknown = Problem(Place(arrival.source.name, sheet.name), cause, remedy, code="unknown_sheet")
        asked = [asked_by_position(sheet, arrival.source.name)] if is_positioned(sheet) else []
        table = _as_it_is(sheet, arrival.source.name)
        arrival.tables.append(IncomingFile(None, table, arrival.source, (*told, unknown, *asked)))


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


def _says_whose(sheet: Sheet, kind: Kind) -> bool:
    """Tell whether a list of loads says whose they are, or which of them were taken back."""
    asked = [target(kind.name).fields[name] for name in LOAD_COLUMNS] if kind.name == TICKETS else []
    return any(best_heading(line, one) for one in asked for line in sheet.lines[:5])


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


def _headings(line: TextRow) -> list[str]:
    """Return the headings of a row, but for that of the column that says whether a row happened."""
    return [column_of(cell).casefold() for cell in line.cells if cell.strip() and not is_heading(cell)]


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
        # A list as a laboratory or an elevator exports it is its paper; a workbook of several sheets is a farm's own.
        of_others = kind.name in OF_OTHERS and not paper and (arrival.alone or is_shipped(column_map))
        sown = species_rules(sheet, column_map)
        problems = [*said, *(without_used(parsed.problems, column_map, sown) if sown else parsed.problems)]
        whole = with_entries(adapted(mapped, arrival.source, head, paper=paper or of_others))
        whole, more = with_buyer(whole, sheet, column_map, choices)
        made = from_mapped(whole, arrival.source, [*problems, *more], choices, waits=waits, paper=paper)
        headings = {rule.field: rule.heading for rule in column_map.columns}
        arrival.tables.append(replace(made, beside=beside_loads(whole), accepted=choices.accept, headings=headings))
        if of_others:
            of_paper = [kept_as_paper(kind, column_map, file)]
            paper_of = kept_file(arrival.source, EVIDENCE_OF[kind.name], choices, told=of_paper, waits=waits)
            arrival.tables.append(replace(paper_of, paper_of_rows=True))
        mix, told = species_of(sheet, column_map, sown, keys_of(made), file) if sown else (None, [])
        if mix is not None:
            arrival.tables.append(from_mapped(mix, arrival.source, told, choices, waits=waits))


# What may hold rows of records: if it cannot be read, nobody knows which rows the book lacks.
_TABLE_SUFFIXES: Final = frozenset({".csv", ".tsv", ".txt", ".xls", ".xlsx", ".xlsm", ".xlsb", ".ods"})
_TEXT_SUFFIXES: Final = frozenset({".csv", ".tsv", ".txt"})
_LOGS: Final = {"yield_log": "harvest", "applied_points": "nutrient_application"}
"""Readers of points in rows, and the kind of record that they make."""


@dataclass(frozen=True, slots=True)
class SniffedFile:
    """A file and what it is; None where nobody can tell, with the reason among the problems."""

    path: Path
    source: Source
    kind: FileKind | None
    problems: Sequence[Problem]
    empty: bool

    @property
    def reader(self) -> str:
        """Return what reads it; empty where nothing does."""
        return self.kind.reader if self.kind is not None else ""


def sniff_files(paths: Sequence[Path], choices: Choices) -> list[SniffedFile]:
    """Find out what each file is."""
    choices.announce("sniff", [(path, path.name) for path in paths])
    return [_sniffed(path, choices) for path in paths]


def read_files(sniffed: Sequence[SniffedFile], choices: Choices, book: RecordBook | None) -> list[Arrival]:
    """Read files; photographs and logs are held against the units and boundaries of the book."""
    tables_first = [_read(one, choices, book) for one in sniffed if one.reader == "spreadsheet"]
    read = dict(zip((one.path for one in sniffed if one.reader == "spreadsheet"), tables_first, strict=True))
    knowing = replace(choices, units=units_named(tables_first, book, choices.units))
    logs = [(one.path, one.source.name) for one in sniffed if one.reader == "yield_log"]
    if logs:
        boundary = foreign.boundary_of(book, knowing.units.get("", ""), knowing)
        knowing.announce("yield_log", logs, boundary=boundary)
    arrivals = joined([read.get(one.path) or _read(one, knowing, book) for one in sniffed], book, choices)
    return added_up(arrivals) if logs else arrivals


def _sniffed(path: Path, choices: Choices) -> SniffedFile:
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError:
        data = b""
    sha256 = hashlib.sha256(data).hexdigest()
    parsed = choices.parse("sniff", path, name=path.name)
    source = Source(path.name, sha256, kept_as(path.name, sha256))
    kind = cast("FileKind | None", parsed.result)
    meant = None if kind is None else _as_named(path, kind, choices)
    # What was told of points is not true of a table.
    return SniffedFile(path, source, meant, parsed.problems if meant == kind else (), not data)


def _read(sniffed: SniffedFile, choices: Choices, book: RecordBook | None) -> Arrival:
    """Read one file."""
    path = sniffed.path
    if sniffed.kind is None:
        found = Arrival(sniffed.source, "a file that cannot be read", problems=list(sniffed.problems))
        found.lost = path.suffix.lower() in _TABLE_SUFFIXES and not sniffed.empty
        found.kind = kind_of_file(path.name, choices)
        return found
    kind = sniffed.kind
    found = _by_kind(path, sniffed.source, kind, choices, book)
    # What stands in rows may be records: where none came of it, nobody knows what the book lacks (interpretation 2).
    if (
        path.suffix.lower() in _TEXT_SUFFIXES
        and kind.reader in _LOGS
        and not any(one.table.rows for one in found.tables)
    ):
        found.lost, found.kind = True, kind_of_file(path.name, choices)
    return found


def _as_named(path: Path, kind: FileKind, choices: Choices) -> FileKind:
    """Take points in rows for a table where it is called, or said to be, a kind of record that no such points make."""
    named = kind_of_file(path.name, choices)
    points = path.suffix.lower() in _TEXT_SUFFIXES and kind.kind.startswith("points_")
    if named is None or not points or named.name == _LOGS.get(kind.reader):
        return kind
    return FileKind("delimited", "text in rows and columns", "spreadsheet")


def _by_kind(path: Path, source: Source, kind: FileKind, choices: Choices, book: RecordBook | None) -> Arrival:
    match kind.reader:
        case "spreadsheet":
            return spreadsheet(path, source, choices)
        case "boundaries" | "fieldview" if kind.kind in ("acrsi", "fieldview_planting") and not kind.inside:
            return acreage(path, source, choices, book, kind)
        case "boundaries":
            return foreign.boundaries(path, source, choices, book)
        case "photo":
            return foreign.photograph(path, source, choices, book)
        case "yield_log":
            return yields(path, source, choices, book)
        case "isoxml" | "leaf" | "farmos" | "adapt" | "applied_points":
            return machine_data(path, source, choices, book, kind)
        case "lab_soil":
            return foreign.laboratory(path, source, choices)
        case "crop_sequence":
            return foreign.crop_history(path, source, kind.label, choices, book)
        case "paper" if path.suffix.lower() not in _TABLE_SUFFIXES - {".txt"} or (kind.kind == "pdf" and choices.kind):
            return _paper(path, source, kind, choices)
    # What says by its name that it is a table may hold records, whatever it is.
    told = advice(replace(kind, reader=""), source.name)
    found = Arrival(source, kind.label, problems=[told] if told else [], keep=False)
    found.lost = path.suffix.lower() in _TABLE_SUFFIXES and kind.kind != LEFT
    found.kind = kind_of_file(path.name, choices)
    return found


def _paper(path: Path, source: Source, kind: FileKind, choices: Choices) -> Arrival:
    """Read a PDF as what a person named, or as the invoice that it is; any other paper is kept as it is."""
    if kind.kind != "pdf":
        return foreign.paper(source, kind.label, choices)
    return _paper_rows(path, source, choices) if choices.kind else _printed_goods(path, source, kind.label, choices)


def _paper_rows(path: Path, source: Source, choices: Choices) -> Arrival:
    """Read a PDF into rows of the kind that a person named, who holds each against the paper; it is kept with them."""
    arrival = spreadsheet(path, source, choices, reader="pdf_text")
    arrival.what, arrival.lost = "paper", False
    if any(table.kind is not None and table.table.rows for table in arrival.tables):
        what = EVIDENCE_OF.get(choices.kind, "other")
        arrival.tables.append(kept_file(source, what, choices, waits=not choices.accept))
    return arrival


def _printed_goods(path: Path, source: Source, label: str, choices: Choices) -> Arrival:
    """Read a PDF that nobody named: an invoice, a blend ticket or a calculator's printout; any other is kept."""
    parsed = choices.parse("pdf_text", path, name=source.name)
    arrival = Arrival(source, label)
    if parsed.result is not None:
        for sheet in cast("WorkbookFile", parsed.result).sheets:
            if take_invoice(arrival, sheet, parsed.problems, choices, paper=True):
                return arrival
            if matched(sheet, RUN):
                return _paper_rows(path, source, replace(choices, kind=RUN))
    return foreign.paper(source, label, choices)
