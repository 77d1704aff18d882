"""Files on their way into a book: what each is, which kind its tables are, and through which map they are read."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path, PurePath
from typing import Final, cast

from provender.days import MIXED, order_in
from provender.formats import columns as column_match
from provender.formats.detect import LEFT, advice
from provender.formats.detect import Kind as FileKind
from provender.formats.happened import IN_PASSES, OF_WORK, PASSES, by_pass, is_heading, says_passes, without_unsown
from provender.formats.importing import foreign, papers
from provender.formats.importing.crop_entries import Crop, readings, written
from provender.formats.importing.incoming_files import (
    PAPER_READ,
    Arrival,
    Choices,
    IncomingTable,
    RowCells,
    SheetRead,
    Source,
    number_of,
    tables_of,
)
from provender.formats.importing.loads import TICKETS, add_buyer, beside_loads
from provender.formats.importing.logs import add_up, machine_data, yields
from provender.formats.importing.match import called_new
from provender.formats.importing.references import folded
from provender.formats.importing.short import COVERS, SPECIES, short_tables, species_of
from provender.formats.mapped import heading_of, in_our_words, map_book, shipped_maps, with_read_rates
from provender.formats.parsed import MappedTable, Sheet, TextRow, WorkbookFile, doubt, note
from provender.formats.template_layout import BY_NAME, column_of, is_help, kind_named, table_of
from provender.formats.units import decimal_of, number_out, read_number
from provender.problem import Place, Problem
from provender.records.book import RecordBook, days_of, harvests_of, kept_as, year_of, years_of
from provender.records.folder import write_cell
from provender.records.kind import KINDS, Kind
from provender.records.kinds.season import Harvest, Planting
from provender.records.reading import TextTable, column_names, day_texts, read_table

_FOR_ALL: Final = re.compile(r"(?:same for )?all(?: fields| crops)?(?: \(?((?:19|20)\d\d)\)?)?", re.IGNORECASE)
_YEAR: Final = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ENTRY: Final = "harvest_id"
_EXPORTED: Final = re.compile(r"[-_ ](?:\d{4}|export|template|final|v\d+)$", re.IGNORECASE)


def _kind_of_file(name: str, choices: Choices) -> Kind | None:
    """Return the kind that a person named, or that a file is named after, or None."""
    if choices.kind:
        return KINDS[choices.kind]
    stem = Path(name).stem.partition("--")[0]
    return kind_named(stem) or kind_named(_EXPORTED.sub("", stem))


def spreadsheet(arrival: Arrival, reader: str = "spreadsheet") -> None:
    """Read a workbook, a text file or, by another reader, the text of a paper into tables of record kinds."""
    name, choices = arrival.source.name, arrival.choices
    parsed = arrival.parse(reader)
    if parsed.result is None:
        arrival.keep = all(problem.code == "no_rows" for problem in parsed.problems)
        arrival.lost = None if arrival.keep else _kind_of_file(name, choices)
        arrival.problems += parsed.problems
        return
    whole = map(column_match.positioned, cast("WorkbookFile", parsed.result).sheets)
    sheets = [sheet for sheet in whole if sheet.lines and not is_help(sheet)]
    arrival.short = tuple(sheet for sheet in sheets if sheet.name.casefold() in BY_NAME)
    sheets = [sheet for sheet in sheets if sheet not in arrival.short]
    arrival.alone = single = len(sheets) == 1 and not arrival.short
    claimed: set[int] = set()
    for sheet in sheets:
        said = [each for each in parsed.problems if each.place.sheet in ("", sheet.name)]
        claimed |= {id(each) for each in said}
        if (sheet.name or name).casefold() in choices.skip_sheets:
            continue
        kind = kind_named(sheet.name) or (_kind_of_file(name, choices) if single else None)
        before = len(arrival.tables), len(arrival.maps)
        _sheet(arrival, sheet, kind, said)
        taken_for = next((one.kind.name for one in arrival.tables[before[0] :] if one.kind), "")
        used = next(iter(arrival.maps[before[1] :]), None)
        arrival.sheets.append(SheetRead(name, sheet, taken_for, used))
    arrival.problems += [each for each in parsed.problems if id(each) not in claimed]
    _set_order(arrival.tables, choices)


def with_crops_known(arrivals: Iterable[Arrival], choices: Choices, book: RecordBook | None) -> None:
    """Write the rows of short workbooks, and declarations for all, once all files have said which crops are there."""
    arrivals = list(arrivals)
    if not any(one.short or any(map(_is_for_all, one.tables)) for one in arrivals):
        return
    acres = KINDS["unit"].fields["acres"]
    fields = {str(row["unit_id"]): write_cell(row["acres"], acres) for row in book["unit"]} if book else {}
    fields |= dict.fromkeys(choices.expected_units - fields.keys(), "")
    crops = list(_entries(book)) if book else []
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
    crops = list(dict.fromkeys(crops))
    for one in arrivals:
        for table in filter(_is_for_all, one.tables):
            _repeat_for_crops(table, crops)
        if one.short:
            made, told = short_tables(one.short, one.source, fields, crops)
            _set_order(made, choices)
            one.tables += made
            one.problems += told


def _entries(book: RecordBook) -> Iterable[Crop]:
    """Yield each crop of the book; of parts the first one alone."""
    entries, planted = book.every(Harvest), book.every(Planting)
    years = years_of(entries, planted)
    later = {(row.farm_id, row.harvest_id) for parts, _ in harvests_of(entries, planted) for row in parts[1:]}
    for row in entries:
        key = row.farm_id, row.harvest_id
        if key not in later:
            yield Crop(row.unit_id, row.crop, str(years[key] or ""), row.harvest_id)


def _is_for_all(table: IncomingTable) -> bool:
    """Tell whether a row of declarations is for all fields."""
    rows = table.texts() if table.kind is KINDS["declaration"] else ()
    return any(_FOR_ALL.fullmatch(row.get(_ENTRY, "")) for row in rows)


def _repeat_for_crops(table: IncomingTable, crops: Sequence[Crop]) -> None:
    """Let each row that is for all stand once for every crop that it is about.

    It is of the year that it names, else of the last harvest before the day on which it was declared. A crop that has
    a row of its own is not among them.
    """
    own = {one.name for row in table.texts() for one in crops if _means(row[_ENTRY], one)}
    rows: list[tuple[int, tuple[str, ...]]] = []
    entries: dict[int, str] = {}
    free = max(number for number, _ in table.table.rows)
    for (number, cells), row in zip(table.table.rows, table.texts(), strict=True):
        said, until = _FOR_ALL.fullmatch(row[_ENTRY]), _YEAR.search(row.get("made_on", ""))
        before = [one.year for one in crops if one.year and until and one.year <= until[0]]
        year = (said[1] if said else None) or max(before, default="")
        of_year = [one for one in crops if said and one.year == year != "" and one.name not in own]
        for one in of_year:
            free += 1
            rows.append((free, cells))
            entries[free] = one.name
            columns = {name: table.place(number, name) for name in table.table.heading}
            table.cells[free] = RowCells(table.place(number), columns)
        if not of_year:
            rows.append((number, cells))
    table.set_rows(rows)
    table.set_cells(lambda number, _: {_ENTRY: entries[number]} if number in entries else {})


def _means(text: str, one: Crop) -> bool:
    """Tell whether a row names a crop entry by its own name, or by its field with a crop and a year or without."""
    return folded(text) == folded(one.name) or any(
        folded(said.unit) == folded(one.unit) and said.crop in ("", one.crop) and str(said.year or one.year) == one.year
        for said in readings(text)
    )


def _crops_of(table: IncomingTable, fields: Iterable[str]) -> Iterable[Crop]:
    """Yield the crop entries that another file of the import brings."""
    called = {folded(unit): unit for unit in fields}
    for row in read_table(KINDS["harvest"], table.table, farm_id="", order=table.date_order).rows:
        unit, year = called.get(folded(str(row["unit_id"])), str(row["unit_id"])), str(year_of(*days_of(row)) or "")
        own = called_new({**row, "unit_id": unit}, KINDS["harvest"])
        name = own if number_of(row) in table.made_keys else str(row["harvest_id"])
        yield Crop(unit, str(row["crop"]), year, name)


def _set_order(tables: Sequence[IncomingTable], choices: Choices) -> None:
    """Let every sheet know what the days of all sheets tell of their order."""
    days = [text for one in tables if one.kind for _, _, text in day_texts(one.kind, one.table)]
    order = choices.date_order or order_in(days)
    for one in tables:
        one.date_order = "" if order == MIXED else order


def _sheet(arrival: Arrival, sheet: Sheet, kind: Kind | None, told: list[Problem]) -> None:
    """Read one sheet: as a record kind where all headings are its own, through a column map otherwise."""
    choices = arrival.choices
    said = choices.kinds.get(f"{arrival.source.name}|{sheet.name}") or choices.kind
    wanted = kind or (KINDS[said] if said else None)
    plain = wanted or _kind_by_headings(sheet)
    fitting = [each for each in choices.maps if each.target in KINDS and heading_of(sheet, each)]
    fitting = [each for each in fitting if wanted is None or each.target == wanted.name]
    needs_map = plain is not None and (column_match.is_positioned(sheet) or _needs_map(sheet, plain))
    own = plain is not None and _knows_all(sheet, plain) and not needs_map
    through: Kind | None = None  # the kind whose column map it is read through
    if fitting and not own:
        through = KINDS[fitting[0].target]
    elif plain is None:
        through = _shipped(sheet)
    elif needs_map or (not own and (said or _foreign(sheet, plain))):
        through = plain
    if through is not None:
        _mapped(arrival, sheet, through, told)
    elif plain is not None:
        table, problems = table_of(sheet, plain, arrival.source.name)
        whole = with_read_rates(plain, table or _as_it_is(sheet, arrival.source.name))
        ours = IncomingTable(plain, whole, arrival.source, [*told, *problems])
        read = cache(partial(in_our_words, plain))
        ours.set_cells(lambda _, row: {name: read(name, text) for name, text in row.items()})
        arrival.tables.append(ours)
    elif papers.take_invoice(arrival, sheet, told, paper=False):
        return
    elif named := column_match.kind_by_headings(sheet, arrival.source.name):
        _mapped(arrival, sheet, named[0], [*told, named[1]])
    else:
        what = f"the sheet {sheet.name!r}" if sheet.name else "this table"
        rows = len(sheet.lines) - column_match.is_positioned(sheet)
        cause = f"nobody can tell what kind of record {what} holds; its {rows} rows were not imported."
        remedy = "Name it like a kind of record (`provender template --list`), or say --kind NAME"
        remedy += f", or --skip-sheet {sheet.name!r} if it holds no records." if sheet.name else "."
        unknown = Problem(Place(arrival.source.name, sheet.name), cause, remedy, code="unknown_sheet")
        asked = (
            [column_match.asked_by_position(sheet, arrival.source.name)] if column_match.is_positioned(sheet) else []
        )
        table = _as_it_is(sheet, arrival.source.name)
        arrival.tables.append(IncomingTable(None, table, arrival.source, [*told, unknown, *asked]))


def _foreign(sheet: Sheet, kind: Kind) -> bool:
    """Tell whether a table that is called a kind has other headings than ours, by which that kind is known."""
    known = column_names(kind)
    required = {name for name, found in kind.typed_fields.items() if found.required} - {"farm_id"}
    ours = any(required <= {known.get(name) for name in _headings(line)} for line in sheet.lines[:5])
    return not ours and column_match.matched(sheet, kind.name) > 0


def _needs_map(sheet: Sheet, kind: Kind) -> bool:
    """Tell whether a table of ours says what a map alone reads.

    That is whose a load is, whether a row happened, other units than ours, fractions behind a comma.
    """
    table, _ = table_of(sheet, kind, "")
    ours, of = IncomingTable(kind, table or _as_it_is(sheet, ""), Source("", "", "")), column_match.target(kind.name)
    heading, known = TextRow(0, ours.table.heading), column_names(kind)
    numbers = {name: found for name, found in of.fields.items() if found.kind == "quantity"}
    rates = {name for name, found in numbers.items() if column_match.unit_column(of, found) not in {"", *ours.columns}}
    cells = [(name, text) for row in ours.texts() for name, text in row.items() if name in numbers]
    return (
        (kind.name == TICKETS and any(column_match.best_heading(heading, of, one) for one in column_match.LOAD_COLUMNS))
        or (kind.name in OF_WORK and any(map(is_heading, heading.cells)))
        or any(says_passes(row.get(name, "")) for _, name in IN_PASSES.values() for row in ours.texts())
        or any(_column(known, name) and name not in known for name in _headings(heading))
        or decimal_of(text for _, text in cells) != "."
        or any(column_match.behind(text)[1] for name, text in cells if name in rates)
    )


def _column(known: Mapping[str, str], name: str) -> str:
    """Return the column that a heading names, alone or with a unit in brackets behind it; empty for none."""
    return known.get(name) or known.get(column_match.without_unit(name), "")


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


def _mapped(arrival: Arrival, sheet: Sheet, kind: Kind, said: list[Problem]) -> None:
    """Read a foreign table through a saved map, or through a suggestion that waits for a nod."""
    file, choices = arrival.source.name, arrival.choices
    parsed = map_book(
        WorkbookFile(file, (sheet,)), kind.name, choices.maps, choices.date_order, choices.otherwise, choices.zones
    )
    if parsed.result is None:
        table = _as_it_is(sheet, file)
        arrival.tables.append(IncomingTable(kind, table, arrival.source, [*said, *parsed.problems]))
        return
    (mapped,), (column_map,) = parsed.result.tables, parsed.result.maps
    lost = [one for one in parsed.problems if one.code == "rows_in_heading"]
    if not column_map.columns:
        cause = f"nobody can tell which of its columns are those of {kind.label.lower()}."
        remedy = "Say in a column map which column is which."
        lost = [one for one in parsed.problems if one.code == "columns_by_position"]
        lost.append(Problem(Place(file, sheet.name), cause, remedy, code="no_headings"))
    if lost:
        arrival.tables.append(IncomingTable(kind, _as_it_is(sheet, file), arrival.source, [*said, *lost]))
        return
    arrival.maps.append(column_map)
    paper = any(problem.code == PAPER_READ for problem in said)
    waits = paper or not column_map.confirmed
    # A list as a laboratory or an elevator exports it is its paper; a workbook of several sheets is a farm's own.
    of_others = kind.name in papers.OF_OTHERS and not paper and (arrival.alone or papers.is_shipped(column_map))
    if kind.name == papers.RUN:
        papers.complete_runs(mapped.rows, (cell for line in sheet.lines for cell in line.cells))
    headings = {rule.field: rule.heading for rule in column_map.columns}
    _name_entries(mapped)
    if kind.name in IN_PASSES:
        mapped, counted = by_pass(mapped, headings.get(PASSES, PASSES))
        said = [*said, *counted]
    if kind.name == COVERS:
        mapped, unsown = without_unsown(mapped, headings.get("species", "species"))
        said = [*said, *unsown]
    said = [*said, *_bushels_by_yield(mapped)]
    required = (name for name, one in column_match.target(kind.name).fields.items() if one.required)
    if mapped.rows and not all(any(row.values.get(name) for row in mapped.rows) for name in required):
        at = partial(Place, file, sheet.name, 0)
        cause, remedy = "this column was not recognized.", "Say in the column map what it is."
        said = [*said, *(note(at(name), cause, remedy, "unknown_column") for name in column_map.ignored)]
    more = add_buyer(mapped, sheet, column_map, choices)
    # What is said of the mix that was sown is said of its own rows.
    of_mix = (
        {headings.get(name) for name in column_match.SOWN_COLUMNS} - {None}
        if kind.name == COVERS
        else set[str | None]()
    )
    told = [*said, *(one for one in parsed.problems if one.place.column not in of_mix), *more]
    named = choices.rows if paper else frozenset()
    rows = [row for row in mapped.rows if not named or row.number in named]
    made = arrival.add(kind.name, rows, sheet=sheet.name, told=told, waits=waits, on_file=paper or of_others)
    made.beside, made.accepted, made.headings = beside_loads(mapped), choices.accept, headings
    if of_others:
        arrival.keep_as(papers.EVIDENCE_OF[kind.name], told=[papers.kept_as_paper(kind, column_map, file)], waits=waits)
    mix, told = species_of(mapped, keys_of(made)) if of_mix else ([], [])
    if mix:
        told += [one for one in parsed.problems if one.place.column in of_mix]
        arrival.add(SPECIES, mix, sheet=sheet.name, told=told, waits=waits)


def _name_entries(mapped: MappedTable) -> None:
    """Let rows that say field, crop and harvest year name their crop entry so: nobody writes an identifier of ours.

    A row that need not name one names it only where it says the crop or the year.
    """
    entry = KINDS[mapped.target].fields.get(_ENTRY)
    for row in mapped.rows if entry is not None and entry.refers else ():
        crop, year = (row.values.pop(name, "") for name in column_match.ENTRY_COLUMNS)
        own = row.values.get(_ENTRY, "")
        named = own or row.values.get("unit_id", "")
        if named and (crop or year or (entry is not None and entry.required and not own)):
            row.values[_ENTRY] = written(named, crop, year)


def _bushels_by_yield(mapped: MappedTable) -> list[Problem]:
    """Give harvests of which a list says yield and acres alone their bushels; ask about them."""
    rows = [row for row in mapped.rows if mapped.target == "harvest" and row.values.get(column_match.YIELD)]
    found = [row for row in rows if row.values.get("harvested_acres") and not row.values.get("bushels")]
    for row in found:
        acres, yielded = (read_number(row.values[name]) for name in ("harvested_acres", column_match.YIELD))
        row.values["bushels"] = number_out(acres * yielded)[0]
    if not found:
        return []
    cause = f"the bushels of {len(found)} rows were worked out as yield times acres."
    place = Place(mapped.file, mapped.sheet, found[0].number, "bushels")
    return [doubt(place, cause, "Hold them against scale tickets, and confirm them.", "bushels_by_yield")]


def keys_of(made: IncomingTable) -> dict[int, str]:
    """Return what each row of such a table is called, by its number; empty where its kind has no key of its own."""
    own = column_match.own_key(made.kind) if made.kind else ""
    return {number: row[own] for number, row in made.numbered() if own in row}


# What may hold rows of records: if it cannot be read, nobody knows which rows the book lacks.
_TABLE_SUFFIXES: Final = frozenset({".csv", ".tsv", ".txt", ".xls", ".xlsx", ".xlsm", ".xlsb", ".ods"})
_TEXT_SUFFIXES: Final = frozenset({".csv", ".tsv", ".txt"})
_LOGS: Final = {"yield_log": "harvest", "applied_points": "nutrient_application"}
"""Readers of points in rows, and the kind of record that they make."""
_OF_ACRES: Final = ("acrsi", "fieldview_planting")


def sniff_files(paths: Sequence[Path], choices: Choices) -> list[Arrival]:
    """Find out what each file is; nothing of it is read yet."""
    choices.announce("sniff", [(path, path.name) for path in paths])
    return [_sniffed(path, choices) for path in paths]


def read_files(arrivals: Sequence[Arrival], choices: Choices, book: RecordBook | None) -> list[Arrival]:
    """Read files; photographs and logs are held against the units and boundaries of the book."""
    tables = [one for one in arrivals if one.reader == "spreadsheet"]
    others = [one for one in arrivals if one.reader != "spreadsheet"]
    for one in tables:
        _read(one, choices, book)
    knowing = replace(choices, units=_units_named(tables, book, choices.units))
    logs = [(one.path, one.source.name) for one in others if one.reader == "yield_log" and one.path is not None]
    if logs:
        boundary = foreign.boundary_of(book, knowing.units.get("", ""), knowing)
        knowing.announce("yield_log", logs, boundary=boundary)
    for one in others:
        _read(one, knowing, book)
    found = joined(list(arrivals), book)
    if logs:
        add_up(found)
    return found


def _sniffed(path: Path, choices: Choices) -> Arrival:
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError:
        data = b""
    sha256 = hashlib.sha256(data).hexdigest()
    arrival = Arrival(Source(path.name, sha256, kept_as(path.name, sha256)), choices, path=path)
    parsed = arrival.parse("sniff")
    form = cast("FileKind | None", parsed.result)
    arrival.form = None if form is None else _as_named(path, form, choices)
    if form is None:
        arrival.lost = _may_be_lost(arrival) if data else None
        arrival.problems += parsed.problems
    return arrival


def _may_be_lost(arrival: Arrival) -> Kind | None:
    """Return the kind of the records that a file may hold of which nothing was read; None where it is no table."""
    name = arrival.source.name
    return _kind_of_file(name, arrival.choices) if Path(name).suffix.lower() in _TABLE_SUFFIXES else None


def _read(arrival: Arrival, choices: Choices, book: RecordBook | None) -> None:
    arrival.choices, arrival.book = choices, book
    if arrival.form is None:
        return
    _by_form(arrival, arrival.form)
    # What stands in rows may be records: where none came of it, nobody knows what the book lacks (interpretation 2).
    is_text = Path(arrival.source.name).suffix.lower() in _TEXT_SUFFIXES
    if is_text and arrival.reader in _LOGS and not any(one.table.rows for one in arrival.tables):
        arrival.lost = _kind_of_file(arrival.source.name, choices)


def _as_named(path: Path, form: FileKind, choices: Choices) -> FileKind:
    """Take points in rows for a table where it is called, or said to be, a kind of record that no such points make."""
    named = _kind_of_file(path.name, choices)
    points = path.suffix.lower() in _TEXT_SUFFIXES and form.kind.startswith("points_")
    if named is None or not points or named.name == _LOGS.get(form.reader):
        return form
    return FileKind("delimited", "text in rows and columns", "spreadsheet")


_READ_BY: Final[Mapping[str, Callable[[Arrival], None]]] = {
    "spreadsheet": spreadsheet,
    "boundaries": foreign.boundaries,
    "photo": foreign.photograph,
    "yield_log": yields,
    "lab_soil": foreign.laboratory,
    "crop_sequence": foreign.crop_history,
    **dict.fromkeys(("isoxml", "leaf", "farmos", "adapt", "applied_points"), machine_data),
}


def _by_form(arrival: Arrival, form: FileKind) -> None:
    suffix, is_pdf = Path(arrival.source.name).suffix.lower(), form.kind == "pdf"
    if form.reader in ("boundaries", "fieldview") and form.kind in _OF_ACRES and not form.inside:
        foreign.acreage(arrival)
    elif form.reader in _READ_BY:
        _READ_BY[form.reader](arrival)
    elif form.reader == "paper" and is_pdf and arrival.choices.kind:
        _paper_rows(arrival)
    elif form.reader == "paper" and suffix not in _TABLE_SUFFIXES - {".txt"}:
        (_printed_goods if is_pdf else foreign.paper)(arrival, form.label)
    else:  # what says by its name that it is a table may hold records, whatever it is
        told = advice(replace(form, reader=""), arrival.source.name)
        arrival.problems += [told] if told else []
        arrival.keep = False
        arrival.lost = _may_be_lost(arrival) if form.kind != LEFT else None


def _paper_rows(arrival: Arrival) -> None:
    """Read a PDF into rows of the kind that a person named, who holds each against the paper; it is kept with them."""
    spreadsheet(arrival, reader="pdf_text")
    arrival.lost = None
    if any(table.kind is not None and table.table.rows for table in arrival.tables):
        arrival.keep_as(papers.EVIDENCE_OF.get(arrival.choices.kind, "other"), waits=True)


def _printed_goods(arrival: Arrival, label: str) -> None:
    """Read a PDF that nobody named: an invoice, a blend ticket or a calculator's printout; any other is kept."""
    parsed = arrival.parse("pdf_text")
    for sheet in cast("WorkbookFile", parsed.result).sheets if parsed.result is not None else ():
        if papers.take_invoice(arrival, sheet, parsed.problems, paper=True):
            return
        if column_match.matched(sheet, papers.RUN):
            arrival.choices = replace(arrival.choices, kind=papers.RUN)
            _paper_rows(arrival)
            return
    foreign.paper(arrival, label)


# Files that a table beside them, or the book already, names: one row of evidence, under the identifier given there.

_EVIDENCE_KIND: Final = KINDS["evidence"]
KEY, FILE, UNIT, MARK = "evidence_id", "file", "unit_id", "sha256"
HELD: Final = "held"
"""Marks a row of the book whose very file lies there already."""
_OF_HELD: Final = frozenset({FILE, "known_by", "note"})
"""What such a row says, or leaves blank, as it was."""


def _file_called(text: str) -> str:
    """Return what a file is called, for comparing: no folder, no case."""
    return PurePath(text.strip().replace("\\", "/")).name.casefold()


def _in_book(book: RecordBook | None, incoming: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yield the book's rows; without those whose own file is there already and is none of the incoming ones."""
    if book is None:
        return
    for row in book[_EVIDENCE_KIND.name]:
        mark = row[MARK] or ""
        held = book.files.hash_of(row["farm_id"], row[FILE] or "", mark or None)
        if held and not mark and held not in incoming:
            continue
        words = {name: write_cell(row[name], found) for name, found in _EVIDENCE_KIND.typed_fields.items()}
        yield {**words, HELD: HELD} if mark and held == mark.lower() else words


def _named(arrivals: Iterable[Arrival], book: RecordBook | None) -> dict[str, dict[str, str]]:
    """Return the row of evidence that names a file, by what the file is called; one that two rows name is nobody's.

    A row with a hash names the incoming file of these bytes, whatever either is called, and before any row without.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    arrivals = list(arrivals)
    incoming = {one.source.sha256: _file_called(one.source.name) for one in arrivals}
    own = {_own(one) for one in arrivals}
    for row in (
        *_in_book(book, frozenset(incoming)),
        *(row for table in tables_of(arrivals, "evidence") for row in table.texts()),
    ):
        mark = row.get(MARK, "").lower()
        name = incoming.get(mark, "") if mark else _file_called(row.get(FILE, ""))
        if name and row.get(FILE) and row.get(KEY) and row[KEY] not in own:
            found.setdefault(name, {})[row[KEY]] = row
    meant = {name: _the_one(list(rows.values())) for name, rows in found.items()}
    return {name: one for name, one in meant.items() if one is not None}


def _the_one(rows: list[dict[str, str]]) -> dict[str, str] | None:
    meant = [row for row in rows if row.get(MARK)] or rows
    return meant[0] if len(meant) == 1 else None


def _units_named(arrivals: Iterable[Arrival], book: RecordBook | None, said: Mapping[str, str]) -> dict[str, str]:
    """Return the management unit of each file that a row names; what a person said of a file counts before it."""
    known = {name.casefold() for name in said}
    told = {name: row.get(UNIT, "") for name, row in _named(arrivals, book).items()}
    return {**said, **{name: unit for name, unit in told.items() if unit and name not in known}}


def joined(arrivals: list[Arrival], book: RecordBook | None) -> list[Arrival]:
    """Let each file be the evidence that a table of the same import, or the book, names.

    The row goes in once, with the file: under the identifier and with the words given there; what they leave blank
    (day, hash, how known) the file fills. Rows that rest on the file name it so.
    """
    named = _named(arrivals, book)
    arrivals = [_as_paper(one) if _file_called(one.source.name) in named else one for one in arrivals]
    brought = {_file_called(one.source.name): one for one in arrivals if one.keep and _own(one) is not None}
    # Of two files of one name nobody can say which one a row without a hash means.
    several = Counter(name for name, _ in {(_file_called(one.source.name), one.source.sha256) for one in arrivals})
    brought = {name: one for name, one in brought.items() if several[name] == 1}
    named = {name: row for name, row in named.items() if name in brought}
    for one in arrivals:
        for table in one.tables:
            if table.kind is _EVIDENCE_KIND and _file_called(one.source.name) not in named:
                gone = {number for number, row in table.numbered() if row in named.values()}
                table.set_rows(row for row in table.table.rows if row[0] not in gone)
    for name, row in named.items():
        _take_name(brought[name], row)
    return arrivals


def _as_paper(one: Arrival) -> Arrival:
    """Keep what only people can read, or rows of no kind of record, as what a row says it is; anything else stays."""
    unread = any(each.code == "paper_kept" for each in one.problems)
    if not unread and (not one.tables or any(table.kind is not None for table in one.tables)):
        return one
    paper = Arrival(one.source, one.choices, one.book, one.path, one.form)
    paper.keep_as("other")
    return paper


def _own(one: Arrival) -> str | None:
    """Return the identifier of the row of evidence that a file makes of itself; None where it makes none."""
    rows = [row for table in one.tables if table.kind is _EVIDENCE_KIND for _, row in table.numbered()]
    return next((row[KEY] for row in rows if row.get(MARK) == one.source.sha256), None)


def _take_name(one: Arrival, said: Mapping[str, str]) -> None:
    """Put what a table says of a file into the rows that the file brings."""
    as_it_was = _OF_HELD if said.get(HELD) else frozenset()
    words = {name: text for name, text in said.items() if name in as_it_was or (text and name != FILE)}
    own = _own(one)
    for table in one.tables:
        if table.kind is _EVIDENCE_KIND:
            table.set_cells(lambda _, row: {name: text for name, text in words.items() if name in row})
            table.overrules = {number for number, _ in table.table.rows}
        else:
            table.set_cells(lambda _, row: {name: said[KEY] for name, text in row.items() if text == own})
