"""Files on their way into a book: each is recognised and read, boundaries before what is held against them."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, cast

from provender.formats.importing import foreign, tables
from provender.formats.importing.acreage import acreage
from provender.formats.importing.incoming_files import Arrival, Choices, Source
from provender.formats.importing.logs import added_up
from provender.formats.importing.machine_data import machine_data
from provender.formats.importing.named_evidence import joined, units_named
from provender.formats.importing.papers import paper_rows
from provender.formats.sniff import Kind as FileKind
from provender.formats.sniff import advice
from provender.problem import Problem
from provender.records.book import RecordBook
from provender.records.evidence_files import kept_as
from provender.records.rejected import REJECTED

# What may hold rows of records: if it cannot be read, nobody knows which rows the book lacks.
_TABLES: Final = frozenset({".csv", ".tsv", ".txt", ".xls", ".xlsx", ".xlsm", ".xlsb", ".ods"})


def read_files(paths: Sequence[Path], choices: Choices, folder: Path, book: RecordBook | None) -> list[Arrival]:
    """Read all files; boundaries and tables first, so that photographs and logs are held against them."""
    choices.announce("sniff", [(path, _name(path, folder)) for path in paths])
    sniffed = {path: _sniffed(path, choices, folder) for path in paths}
    found: dict[Path, Arrival] = {}
    knowing = choices
    for reader in ("boundaries", "spreadsheet"):
        for path in (path for path, each in sniffed.items() if each.kind is not None and each.kind.reader == reader):
            found[path] = _arrival(path, sniffed[path], knowing, book)
        outlines = {unit: text for one in found.values() for unit, text in one.outlines.items()}
        knowing = replace(choices, outlines=outlines)
    knowing = replace(knowing, units=units_named(found.values(), book, choices.units))
    logs = [path for path, each in sniffed.items() if each.kind is not None and each.kind.reader == "yield_log"]
    boundary = foreign.boundary_of(book, knowing.units.get("", ""), knowing)
    knowing.announce("yield_log", [(path, sniffed[path].source.name) for path in logs], boundary=boundary)
    return added_up(joined([found.get(path) or _arrival(path, sniffed[path], knowing, book) for path in paths], book))


@dataclass(frozen=True, slots=True)
class _Sniffed:
    """A file and what it is; None where nobody can tell, with the reason among the problems."""

    source: Source
    kind: FileKind | None
    problems: Sequence[Problem]
    empty: bool


def _name(path: Path, folder: Path) -> str:
    return f"{REJECTED}/{path.name}" if tables.is_rejected_file(path, folder) else path.name


def _sniffed(path: Path, choices: Choices, folder: Path) -> _Sniffed:
    try:
        data = path.read_bytes() if path.is_file() else b""
    except OSError:
        data = b""
    sha256 = hashlib.sha256(data).hexdigest()
    name = _name(path, folder)
    parsed = choices.parse("sniff", path, name=name)
    source = Source(name, sha256, kept_as(path.name, sha256))
    return _Sniffed(source, cast("FileKind | None", parsed.result), parsed.problems, not data)


def _arrival(path: Path, sniffed: _Sniffed, choices: Choices, book: RecordBook | None) -> Arrival:
    """Read one file that was recognised."""
    if sniffed.kind is None:
        found = Arrival(sniffed.source, "a file that cannot be read", problems=list(sniffed.problems))
        found.lost = path.suffix.lower() in _TABLES and not sniffed.empty
        found.kind = tables.kind_of_file(path.name, choices)
        return found
    return _by_kind(path, sniffed.source, sniffed.kind, choices, book)


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
        case "paper" if kind.kind == "pdf" and choices.kind:
            return paper_rows(path, source, choices)
        case "paper" if path.suffix.lower() not in _TABLES - {".txt"}:
            return foreign.paper(source, kind.label, choices)
    # What says by its name that it is a table may hold records, whatever it is.
    told = advice(replace(kind, reader=""), source.name)
    found = Arrival(source, kind.label, problems=[told] if told else [], keep=False)
    found.lost = path.suffix.lower() in _TABLES and not kind.kind.startswith("points_of_")
    found.kind = tables.kind_of_file(path.name, choices)
    return found
