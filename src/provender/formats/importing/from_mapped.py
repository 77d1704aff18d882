"""Rows of a foreign file as a table of their kind, with keys of our own, and the files that rows rest on.

Of a printout only what is printed is taken: what it does not show is left blank, not filled from the book.
"""

import re
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Final

from provender.catalog.places import counties
from provender.days import DayTextError, read_day
from provender.formats.column_map import ColumnMap
from provender.formats.columns import ENTRY_COLUMNS, own_key, without_days_ahead
from provender.formats.importing.crop_entries import written
from provender.formats.importing.incoming_files import Arrival, Choices, IncomingFile, Source
from provender.formats.mapped import shipped_maps
from provender.formats.parsed import MappedRow, MappedTable, doubt, note
from provender.formats.units import identifier
from provender.problem import Place, Problem
from provender.records.book import HASH_SHOWN, RecordBook
from provender.records.folder import write_cell
from provender.records.kind import KINDS, Kind
from provender.records.reading import TextTable
from provender.rule.calculators import packaged_calculators

ENTRY: Final = "harvest_id"
_ALWAYS_NAMED: Final = frozenset({"farm", "unit", "producer", "related_party", "evidence"})
"""Kinds of which no record goes without a name of its own."""


def from_mapped(
    mapped: MappedTable,
    source: Source,
    problems: Iterable[Problem],
    choices: Choices,
    *,
    waits: bool = False,
    paper: bool = False,
) -> IncomingFile:
    """Return rows of a foreign file as a table of their kind, with a person's units and keys of our own where none.

    Of a paper only those rows are left that a person named, where they named some.
    """
    kind = KINDS[mapped.target]
    if paper and choices.rows:
        mapped = replace(mapped, rows=tuple(row for row in mapped.rows if row.number in choices.rows))
    mapped, future = without_days_ahead(mapped, choices.as_of)
    told = [*problems, *future]
    names = [name for name in kind.typed_fields if name != "farm_id"]
    own = own_key(kind)
    rows = []
    for row in mapped.rows:
        values = {**{name: text for name, text in choices.constants.items() if name in kind.fields}, **row.values}
        if "unit_id" in kind.fields:
            unit = choices.unit_for(values.get("unit_id", ""))
            values |= {"unit_id": unit} if unit else {}
        if kind.name in _ALWAYS_NAMED and own and not values.get(own):
            values[own] = f"{re.sub(r'[^A-Za-z0-9]+', '-', Path(source.name).stem).strip('-') or 'row'}-{row.number}"
        rows.append((row.number, tuple(values.get(name, "") for name in names)))
    if waits:
        cause = "this reading of the file needs your confirmation; nothing of it was imported yet."
        remedy = "Look at what is asked above, then run the same command with --accept."
        told.append(doubt(Place(source.name, mapped.sheet), cause, remedy, "waits"))
    table = TextTable(source.name, mapped.sheet, tuple(names), tuple(rows))
    return key_unnamed(IncomingFile(kind, table, source, tuple(told), waits))


def kept_file(
    source: Source, what: str, choices: Choices, *, unit_id: str = "", told: Iterable[Problem] = (), waits: bool = False
) -> IncomingFile:
    """Return a file that is kept as one row of ``evidence``."""
    values = {
        "evidence_id": evidence_id(source), "file": source.stored, "what": what, "sha256": source.sha256,
        "note": f"Imported as {source.name}.", **({"unit_id": unit_id} if unit_id else {}),
    }  # fmt: skip
    table = MappedTable(source.name, "", "evidence", (MappedRow(0, values),))
    return from_mapped(table, source, told, choices, waits=waits)


def with_entries(mapped: MappedTable) -> MappedTable:
    """Let rows that say field, crop and harvest year name their crop entry so: nobody writes an identifier of ours.

    A row that need not name one names it only where it says the crop or the year.
    """
    kind = KINDS.get(mapped.target)
    if kind is None or ENTRY not in kind.fields or not kind.fields[ENTRY].refers:
        return mapped
    return replace(mapped, rows=tuple(MappedRow(row.number, _with_entry(kind, row.values)) for row in mapped.rows))


def _with_entry(kind: Kind, values: Mapping[str, str]) -> dict[str, str]:
    own = {name: text for name, text in values.items() if name not in ENTRY_COLUMNS}
    crop, year = (values.get(name, "") for name in ENTRY_COLUMNS)
    named = own.get(ENTRY) or own.get("unit_id", "")
    if named and (crop or year or (kind.fields[ENTRY].required and not own.get(ENTRY))):
        own = {ENTRY: written(named, crop, year), **{name: text for name, text in own.items() if name != ENTRY}}
    return own


def key_unnamed(incoming: IncomingFile) -> IncomingFile:
    """Return a table in which rows that name no record of their own have a name by which others find them meanwhile."""
    kind, table = incoming.kind, incoming.table
    own = own_key(kind) if kind else ""
    if kind is None or not own or kind.name in _ALWAYS_NAMED:
        return incoming
    mark = zlib.crc32(f"{incoming.source.sha256} {table.file} {table.sheet}".encode())
    made, taken = set(incoming.made_keys), set[str]()

    def named(number: int, row: Mapping[str, str]) -> dict[str, str]:
        if row.get(own) or not any(row.values()):
            return {}
        made.add(number)
        name = f"row-{mark:08x}-{number}"
        return {own: _entry_called(row, name, taken) if kind is KINDS["harvest"] else name}

    return replace(incoming.with_cells(named, fill_up=True), made_keys=frozenset(made))


def _entry_called(row: Mapping[str, str], otherwise: str, taken: set[str]) -> str:
    """Return what people call a crop entry that its file does not name: by its field, crop and year."""
    year = re.search(r"(?<!\d)(?:19|20)\d\d(?!\d)", row.get("last_day") or row.get("first_day") or "")
    parts = (row.get("unit_id", ""), row.get("crop", "").lower(), year[0] if year else "")
    name = identifier("-".join(part for part in parts if part)) if all(parts[:2]) else otherwise
    while name in taken:
        name += "-2"
    taken.add(name)
    return name


def keys_of(made: IncomingFile) -> dict[int, str]:
    """Return what each row of such a table is called, by its number; empty where its kind has no key of its own."""
    own = own_key(made.kind) if made.kind else ""
    return {number: row[own] for number, row in made.numbered() if own in row}


# What the headings of a table cannot say of its rows: the calculator and its version, a county's code, the paper.

RUN: Final = "calculator_run"
_DAY: Final = r"\d{4}-\d\d?-\d\d?|\d\d?[/.-]\d\d?[/.-](?:\d{4}|\d\d)|[a-z]{3,9}\.? \d\d?,? \d{4}|\d\d? [a-z]{3,9} \d{4}"
_BESIDE: Final[Mapping[str, re.Pattern[str]]] = {
    "run_on": re.compile(rf"\b(?:run|calculation|report) (?:date|on)\s*:?\s*({_DAY})(?!\d)", re.IGNORECASE),
    "county_fips": re.compile(
        r"\bcounty\s*[:\n]\s*(?:[^\n(]*\((?=\d{5}\)))?(\d{5}\b|[a-z .']+,\s*[a-z ]+?)(?=[\n()]|\s\s|$)", re.IGNORECASE
    ),
}
"""What a printout says of all its runs, with a word before it: the day, and the county by code or by name."""


EVIDENCE_OF: Final[Mapping[str, str]] = {
    RUN: "printout",
    "soil_test": "laboratory_report",
    "reported_acres": "usda_record",
    "planting": "usda_record",
    "inhibitor_purchase": "invoice",
    "seed_purchase": "invoice",
    "scale_ticket": "ticket",
    "sale": "receipt",
}
"""What a paper is, by the kind of record that it shows; any other is kept as other."""
OF_OTHERS: Final = ("soil_test", "scale_ticket", "sale")
"""Kinds whose lists a laboratory or a buyer hands out as a table: the file is the paper."""


def evidence_id(source: Source) -> str:
    """Return the identifier under which a kept file is named in records that rest on it."""
    return f"file-{source.sha256[:HASH_SHOWN]}"


def is_shipped(column_map: ColumnMap) -> bool:
    """Tell whether a layout is one that a laboratory or an elevator is known to write."""
    return any(each.name == column_map.name for each in shipped_maps())


def kept_as_paper(kind: Kind, column_map: ColumnMap, file: str) -> Problem:
    """Say that a list is kept as the paper of its rows; one whose layout no map knows may be a farm's own."""
    what = EVIDENCE_OF[kind.name].replace("_", " ")
    cause = f"the file is kept as evidence of its rows, as a {what}."
    place = Place(file)
    if is_shipped(column_map):
        return note(place, cause, "Nothing to do.", "kept_as_paper")
    remedy = "Confirm that it is as the laboratory or the buyer made it; a list of your own goes into our template."
    return doubt(place, cause, remedy, "kept_as_paper")


def adapted(mapped: MappedTable, source: Source, head: Iterable[str], *, paper: bool) -> MappedTable:
    """Return rows with what their headings cannot say: calculator and version, the county's code, the paper itself.

    Calculator, day and county may stand beside the table, among all texts of the file.
    """
    common = {"evidence": evidence_id(source)} if paper else {}
    if mapped.target == RUN:
        texts = [text.strip() for text in head if text.strip()]
        common |= _calculator(texts) | _above_the_runs(texts)
    if not common and mapped.target != RUN:
        return mapped
    rows = [MappedRow(row.number, _run({**common, **row.values}, mapped.target)) for row in mapped.rows]
    return replace(mapped, rows=tuple(rows))


def _run(values: Mapping[str, str], target: str) -> dict[str, str]:
    """Return values of a run with the crop entry it is of, by its unit, and the code of its county."""
    if target != RUN:
        return dict(values)
    entry = {"harvest_id": values["unit_id"]} if values.get("unit_id") and not values.get("harvest_id") else {}
    return {**_with_county(values), **entry}


def _calculator(texts: Iterable[str]) -> dict[str, str]:
    """Return calculator, version and status where a listed version stands in the file; the longest name counts."""
    whole = f" {_folded(' '.join(texts))} "
    found = {}
    versions = packaged_calculators().versions
    for (tool, version), known in sorted(versions.items(), key=lambda each: len(each[0][1])):
        if f" {_folded(tool)} " in whole and f" {_folded(version)} " in whole:
            found = {"calculator": known.calculator, "version": known.version, "status": str(known.status)}
    return found


def _above_the_runs(texts: Iterable[str]) -> dict[str, str]:
    """Return day and county that stand beside a table once for all its runs; what stands there in two ways is none."""
    whole, found = "\n".join(texts), {}
    for name, pattern in _BESIDE.items():
        said = {match[1].strip(" .;|") for match in pattern.finditer(whole)}
        if len(said) == 1:
            found[name] = said.pop()
    try:
        # The calculator is USDA's, which writes the month first.
        return found | ({"run_on": read_day(found["run_on"], "mdy").isoformat()} if "run_on" in found else {})
    except DayTextError:
        return {name: text for name, text in found.items() if name != "run_on"}


def _folded(text: str) -> str:
    return " ".join(re.sub(r"[^\w.]+", " ", text.casefold()).split())


def _with_county(values: Mapping[str, str]) -> dict[str, str]:
    """Return values with the code of a county that is named in words: ``Story County, IA``."""
    named = values.get("county_fips", "")
    if not named or named.isdigit():
        return dict(values)
    wanted = _plain(named)
    codes = [
        one.fips
        for one in counties().values()
        if wanted in {_plain(f"{one.name} {one.state}"), _plain(f"{one.name} {one.state_name}")}
    ]
    return {**values, "county_fips": codes[0]} if len(codes) == 1 else dict(values)


def _plain(county: str) -> str:
    return " ".join(re.sub(r"\b(county|parish)\b", " ", re.sub(r"\W+", " ", county.casefold())).split())


# Files that a table beside them, or the book already, names: one row of evidence, under the identifier given there.

EVIDENCE_KIND: Final = KINDS["evidence"]
KEY, FILE, UNIT, MARK = "evidence_id", "file", "unit_id", "sha256"
HELD: Final = "held"
"""Marks a row of the book whose very file lies there already."""
OF_HELD: Final = frozenset({FILE, "known_by", "note"})
"""What such a row says, or leaves blank, as it was."""


def _file_called(text: str) -> str:
    """Return what a file is called, for comparing: no folder, no case."""
    return PurePath(text.strip().replace("\\", "/")).name.casefold()


def _in_book(book: RecordBook | None, incoming: frozenset[str]) -> Iterator[dict[str, str]]:
    """Yield the book's rows; without those whose own file is there already and is none of the incoming ones."""
    if book is None:
        return
    for row in book[EVIDENCE_KIND.name]:
        mark = row[MARK] or ""
        held = book.files.hash_of(row["farm_id"], row[FILE] or "", mark or None)
        if held and not mark and held not in incoming:
            continue
        words = {name: write_cell(row[name], found) for name, found in EVIDENCE_KIND.typed_fields.items()}
        yield {**words, HELD: HELD} if mark and held == mark.lower() else words


def _named(arrivals: Iterable[Arrival], book: RecordBook | None) -> dict[str, dict[str, str]]:
    """Return the row of evidence that names a file, by what the file is called; one that two rows name is nobody's.

    A row with a hash names the incoming file of these bytes, whatever either is called, and before any row without.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    arrivals = list(arrivals)
    tables = (table for one in arrivals for table in one.tables if table.kind is EVIDENCE_KIND)
    incoming = {one.source.sha256: _file_called(one.source.name) for one in arrivals}
    own = {_own(one) for one in arrivals}
    for row in (*_in_book(book, frozenset(incoming)), *(row for table in tables for _, row in table.numbered())):
        mark = row.get(MARK, "").lower()
        name = incoming.get(mark, "") if mark else _file_called(row.get(FILE, ""))
        if name and row.get(FILE) and row.get(KEY) and row[KEY] not in own:
            found.setdefault(name, {})[row[KEY]] = row
    meant = {name: _the_one(list(rows.values())) for name, rows in found.items()}
    return {name: one for name, one in meant.items() if one is not None}


def _the_one(rows: list[dict[str, str]]) -> dict[str, str] | None:
    meant = [row for row in rows if row.get(MARK)] or rows
    return meant[0] if len(meant) == 1 else None


def units_named(arrivals: Iterable[Arrival], book: RecordBook | None, said: Mapping[str, str]) -> dict[str, str]:
    """Return the management unit of each file that a row names; what a person said of a file counts before it."""
    known = {name.casefold() for name in said}
    told = {name: row.get(UNIT, "") for name, row in _named(arrivals, book).items()}
    return {**said, **{name: unit for name, unit in told.items() if unit and name not in known}}


def joined(arrivals: list[Arrival], book: RecordBook | None, choices: Choices) -> list[Arrival]:
    """Let each file be the evidence that a table of the same import, or the book, names.

    The row goes in once, with the file: under the identifier and with the words given there; what they leave blank
    (day, hash, how known) the file fills. Rows that rest on the file name it so.
    """
    named = _named(arrivals, book)
    arrivals = [_as_paper(one, choices) if _file_called(one.source.name) in named else one for one in arrivals]
    brought = {_file_called(one.source.name): one for one in arrivals if one.keep and _own(one) is not None}
    # Of two files of one name nobody can say which one a row without a hash means.
    several = Counter(name for name, _ in {(_file_called(one.source.name), one.source.sha256) for one in arrivals})
    brought = {name: one for name, one in brought.items() if several[name] == 1}
    named = {name: row for name, row in named.items() if name in brought}
    for one in arrivals:
        if _file_called(one.source.name) not in named:
            one.tables = [_without(table, named) if table.kind is EVIDENCE_KIND else table for table in one.tables]
    for name, row in named.items():
        _take_name(brought[name], row)
    return arrivals


def _as_paper(one: Arrival, choices: Choices) -> Arrival:
    """Keep what only people can read, or rows of no kind of record, as what a row says it is; anything else stays."""
    unread = any(each.code == "paper_kept" for each in one.problems)
    if not unread and (not one.tables or any(table.kind is not None for table in one.tables)):
        return one
    return Arrival(one.source, "evidence that a row names", tables=[kept_file(one.source, "other", choices)])


def _own(one: Arrival) -> str | None:
    """Return the identifier of the row of evidence that a file makes of itself; None where it makes none."""
    rows = [row for table in one.tables if table.kind is EVIDENCE_KIND for _, row in table.numbered()]
    return next((row[KEY] for row in rows if row.get(MARK) == one.source.sha256), None)


def _without(table: IncomingFile, named: Mapping[str, dict[str, str]]) -> IncomingFile:
    gone = {number for number, row in table.numbered() if row in named.values()}
    return table.with_rows(row for row in table.table.rows if row[0] not in gone)


def _take_name(one: Arrival, said: Mapping[str, str]) -> None:
    """Put what a table says of a file into the rows that the file brings."""
    as_it_was = OF_HELD if said.get(HELD) else frozenset()
    words = {name: text for name, text in said.items() if name in as_it_was or (text and name != FILE)}
    own = _own(one)
    for place, table in enumerate(one.tables):
        if table.kind is EVIDENCE_KIND:
            whole = table.with_cells(lambda _, row: {name: text for name, text in words.items() if name in row})
            one.tables[place] = replace(whole, overrules=frozenset(number for number, _ in whole.table.rows))
        else:
            one.tables[place] = table.with_cells(
                lambda _, row: {name: said[KEY] for name, text in row.items() if text == own}
            )
