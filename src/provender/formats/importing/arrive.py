"""Files on their way into a book: each is recognised and read, boundaries before what is held against them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from provender.formats.columns import matched
from provender.formats.detect import LEFT, advice
from provender.formats.detect import Kind as FileKind
from provender.formats.importing import foreign, tables
from provender.formats.importing.acreage import acreage
from provender.formats.importing.from_mapped import kept_file
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.invoice import take_invoice
from provender.formats.importing.logs import added_up
from provender.formats.importing.machine_data import machine_data
from provender.formats.importing.named_evidence import joined, units_named
from provender.formats.importing.printed import EVIDENCE_OF, RUN
from provender.problem import Problem
from provender.records.book import RecordBook, kept_as

if TYPE_CHECKING:
    from provender.formats.parsed import WorkbookFile

# What may hold rows of records: if it cannot be read, nobody knows which rows the book lacks.
_TABLES: Final = frozenset({".csv", ".tsv", ".txt", ".xls", ".xlsx", ".xlsm", ".xlsb", ".ods"})
_TEXTS: Final = frozenset({".csv", ".tsv", ".txt"})
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
    boundary = foreign.boundary_of(book, knowing.units.get("", ""), knowing)
    logs = [(one.path, one.source.name) for one in sniffed if one.reader == "yield_log"]
    knowing.announce("yield_log", logs, boundary=boundary)
    arrivals = [read.get(one.path) or _read(one, knowing, book) for one in sniffed]
    return added_up(joined(arrivals, book, choices))


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
        found.lost = path.suffix.lower() in _TABLES and not sniffed.empty
        found.kind = tables.kind_of_file(path.name, choices)
        return found
    kind = sniffed.kind
    found = _by_kind(path, sniffed.source, kind, choices, book)
    # What stands in rows may be records: where none came of it, nobody knows what the book lacks (interpretation 2).
    if path.suffix.lower() in _TEXTS and kind.reader in _LOGS and not any(one.table.rows for one in found.tables):
        found.lost, found.kind = True, tables.kind_of_file(path.name, choices)
    return found


def _as_named(path: Path, kind: FileKind, choices: Choices) -> FileKind:
    """Take points in rows for a table where it is called, or said to be, a kind of record that no such points make."""
    named = tables.kind_of_file(path.name, choices)
    points = path.suffix.lower() in _TEXTS and kind.kind.startswith("points_")
    if named is None or not points or named.name == _LOGS.get(kind.reader):
        return kind
    return FileKind("delimited", "text in rows and columns", "spreadsheet")


def _by_kind(path: Path, source: Source, kind: FileKind, choices: Choices, book: RecordBook | None) -> Arrival:
    match kind.reader:
        case "spreadsheet":
            return tables.spreadsheet(path, source, choices)
        case "boundaries" | "fieldview" if kind.kind in ("acrsi", "fieldview_planting") and not kind.inside:
            return acreage(path, source, choices, book, kind)
        case "boundaries":
            return foreign.boundaries(path, source, choices, book)
        case "photo":
            return foreign.photograph(path, source, choices, book)
        case "yield_log":
            return foreign.yields(path, source, choices, book)
        case "isoxml" | "leaf" | "farmos" | "adapt" | "applied_points":
            return machine_data(path, source, choices, book, kind)
        case "lab_soil":
            return foreign.laboratory(path, source, choices)
        case "crop_sequence":
            return foreign.crop_history(path, source, kind.label, choices, book)
        case "paper" if path.suffix.lower() not in _TABLES - {".txt"} or (kind.kind == "pdf" and choices.kind):
            return _paper(path, source, kind, choices)
    # What says by its name that it is a table may hold records, whatever it is.
    told = advice(replace(kind, reader=""), source.name)
    found = Arrival(source, kind.label, problems=[told] if told else [], keep=False)
    found.lost = path.suffix.lower() in _TABLES and kind.kind != LEFT
    found.kind = tables.kind_of_file(path.name, choices)
    return found


def _paper(path: Path, source: Source, kind: FileKind, choices: Choices) -> Arrival:
    """Read a PDF as what a person named, or as the invoice that it is; any other paper is kept as it is."""
    if kind.kind != "pdf":
        return foreign.paper(source, kind.label, choices)
    return _paper_rows(path, source, choices) if choices.kind else _printed_goods(path, source, kind.label, choices)


def _paper_rows(path: Path, source: Source, choices: Choices) -> Arrival:
    """Read a PDF into rows of the kind that a person named, who holds each against the paper; it is kept with them."""
    arrival = tables.spreadsheet(path, source, choices, reader="pdf_text")
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
