"""What goes into a verification package: a farm's record book, an entity's custody book, or both for a whole audit."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

from provender import __version__
from provender.audit.findings import findings_now, read_log
from provender.audit.package import layout
from provender.audit.package.layout import Pin, pins_document
from provender.audit.package.write import Allowance, Header, LeftOut, Package, Subject
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.days import MIXED, DayTextError, is_open, order_in, order_of_country, read_day
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.records.book import RecordBook, kept_as, place_of
from provender.records.field import ColumnKind
from provender.records.folder import BOUNDARIES, EVIDENCE, MAPS, REJECTED, SOURCES, load_book
from provender.records.kind import KINDS, Kind
from provender.records.kinds.season import Harvest, Operation
from provender.report.versions import ENDING
from provender.rule.law import parameters
from provender.signing.bags import collision_key, left_by_system
from provender.signing.canonical import canonical_json, hash_file, read_json, sha256_hex
from provender.signing.transparency import mark_of, stands_in
from provender.standards.evidence import NEEDS

# The index of a package's evidence: file, hash, what rests on it, by which paragraph, which finding it answers.
#
# It is made from the tables as they lie in the package, so that whoever has the package can make it again. Beside each
# row stands the day on which the thing happened, and beside each file the day on which its record says it was made.

KIND: Final = "provender/evidence-index"
FORMAT: Final = 1
_CITES: Final = {(need.kind, need.column): need.cite for need in NEEDS}
Row = Mapping[str, str]


def evidence_index(
    parties: Mapping[str, str], paths: Iterable[str], read: Callable[[str], bytes], hashed: Callable[[str], str]
) -> dict[str, Any]:
    """Return the index as plain data, in the order of farms and files.

    Args:
        parties: folder -> id, of the package's header.
        paths: every file of the package, and of those left out.
        read: gives the content of a table; empty bytes where it was left out.
        hashed: gives the SHA-256 of a file, also of one left out; empty where there is none.
    """
    there = sorted(paths)
    answers = _answers(read(layout.FINDINGS) if layout.FINDINGS in there else b"")
    lines = []
    for folder, party in sorted(parties.items()):
        if not folder.startswith("farms/"):
            continue
        tables = {name: list(_rows(read(f"{folder}/records/{name}.csv"))) for name in KINDS}
        otherwise = order_of_country(next((row.get("country", "") for row in tables["farm"]), ""))
        tables = {name: _dated(KINDS[name], rows, otherwise) for name, rows in tables.items()}
        named = {row.get("evidence_id", "").strip(): row for row in tables["evidence"]}
        used = _used(tables)
        start = f"{folder}/evidence/"
        digest_at = cache(lambda file, start=start: hashed(start + file))
        # Of two rows that name one file, the one of the smallest id: rows in another order are the same index.
        files = {
            place_of(row.get("file", ""), row.get("sha256"), digest_at): (name, row)
            for name, row in sorted(named.items(), reverse=True)
            if name
        }
        packed = (path for path in there if path.startswith(start) and layout.part_of(path) is layout.Part.EVIDENCE)
        found = {path.removeprefix(start) for path in packed if not path.endswith(layout.BESIDE)}
        for file in sorted({*found, *files} - {""}):
            name, row = files.get(file, ("", {}))
            lines.append({
                "farm": party, "file": file, "sha256": digest_at(file), "evidence": name,
                "what": row.get("what", ""), "made_on": row.get("taken_on", ""), "supports": used.get(name, []),
                "answers": [number for number, said in answers if {name, file, digest_at(file)} & said - {""}],
            })  # fmt: skip
    return {"kind": KIND, "format": FORMAT, "files": lines}


def _rows(raw: bytes) -> Iterator[Row]:
    """Yield the rows of a table; what cannot be read as one has none, and reading the records says so."""
    try:
        for row in csv.DictReader(io.StringIO(raw.decode("utf-8-sig"), newline="")):
            yield {str(name): value for name, value in row.items() if isinstance(value, str)}
    except (UnicodeDecodeError, csv.Error):
        return


def _dated(kind: Kind, rows: list[Row], otherwise: str) -> list[Row]:
    """Return rows with their days as the record book reads them; what it cannot read stays as written."""
    days = [name for name, field in kind.fields.items() if field.kind is ColumnKind.DAY]
    told = order_in(row.get(name, "") for row in rows for name in days)
    order = "" if told == MIXED else told or otherwise
    return [{**row, **{name: _day(row[name], order) for name in days if row.get(name)}} for row in rows]


def _day(text: str, order: str) -> str:
    try:
        return read_day(text, order if is_open(text) else "").isoformat()
    except DayTextError:
        return text


def _used(tables: Mapping[str, list[Row]]) -> dict[str, list[dict[str, str]]]:
    """Return what names each evidence record: kind and key of the row, the day it tells of, the paragraph."""
    used: dict[str, list[dict[str, str]]] = {}
    for record, rows in tables.items():
        kind = KINDS[record]
        columns = [name for name, field in kind.fields.items() if name == "evidence" or field.refers == "evidence"]
        day = next((column for column, field in kind.fields.items() if field.kind is ColumnKind.DAY), "")
        for row in rows if record != "evidence" else ():
            for column in columns:
                own = kind.fields[column].cite if column != "evidence" else ""
                cite = _CITES.get((kind.name, column)) or own or kind.cite
                for one in filter(None, map(str.strip, row.get(column, "").split(";"))):
                    line = {
                        "record": record,
                        "row": ", ".join(row.get(column, "") for column in kind.key_columns if column != "farm_id"),
                        "happened_on": row.get(day, "") if day else "",
                    }
                    used.setdefault(one, []).append(line | {"cite": cite})
    # Rows in another order are the same records.
    return {name: sorted(lines, key=lambda one: sorted(one.items())) for name, lines in used.items()}


def _answers(raw: bytes) -> list[tuple[str, frozenset[str]]]:
    """Return each finding's number with the names that its answer gives as evidence."""
    try:
        log = read_log(raw, layout.FINDINGS) if raw else []
        findings_now(log, layout.FINDINGS)
    except ProblemsError:
        return []
    said: dict[str, set[str]] = {}
    for event in log:
        names = str(event.get("evidence") or "").replace(",", ";").split(";")
        said.setdefault(str(event["finding"]), set()).update(name.strip() for name in names)
    return [(number, frozenset(names)) for number, names in said.items()]


_STAMPED: Final = (".json", ".jsonl")
"""Endings of documents beside which an authority's answer and the proof from a log come along."""


@dataclass
class Content:
    """Files of a package in the making, and whose folders they lie in."""

    subject: Subject  # kind of package
    audited: str  # id of the party; name: its name
    name: str
    first: date  # the days that the records cover
    last: date  # the days that the records cover
    files: dict[str, bytes | Path] = field(default_factory=dict)  # content or file by path
    parties: dict[str, str] = field(default_factory=dict)  # folder -> id
    left_out: tuple[LeftOut, ...] = ()  # files left out

    def read(self, path: str) -> bytes:
        """Return a file; empty where there is none."""
        inside = self.files.get(path, b"")
        return inside.read_bytes() if isinstance(inside, Path) else inside

    def digest(self, path: str) -> str:
        """Return the SHA-256 of a file that is there."""
        inside = self.files[path]
        return hash_file(inside) if isinstance(inside, Path) else sha256_hex(inside)


def collect_farm(folder: Path, reports: Iterable[Path]) -> Content:
    """Collect a farm's records with rejected rows, boundaries, maps, evidence and reports (JSON, PDF, all versions).

    Raises:
        ProblemsError: the folder holds no record book, or one of several farms.
    """
    book = load_book(folder)
    if len(book.farm_ids) != 1:
        cause = f"A package is about one farm; in the book there {'is none' if not book.farm_ids else 'are several'}."
        raise refuse(folder.name, cause, "Make a book for each farm.", cite="2100.030(d)")
    farm_id = book.farm_ids[0]
    days = days_of_records(book)
    if days is None:
        raise refuse("harvest.csv", "The book has no day in it.", "Enter the harvest first.", cite="2100.030(d)")
    first, last = days
    content = Content(Subject.FARM_REPORT, farm_id, str(book["farm"][0]["name"]), first, last)
    content.parties[f"farms/{layout.folder_name(farm_id)}"] = farm_id
    for name in KINDS:
        _add(content, layout.farm_path(farm_id, layout.Part.RECORDS, f"{name}.csv"), folder / f"{name}.csv")
    _add(content, layout.farm_path(farm_id, layout.Part.RECORDS, SOURCES), folder / SOURCES)
    # Rejected rows make incomplete the book: without them a verifier would recompute a better book than the farmer has.
    for below in (BOUNDARIES, MAPS, REJECTED):
        for path in sorted((folder / below).rglob("*")):
            _add(content, layout.farm_path(farm_id, layout.Part.RECORDS, path.relative_to(folder).as_posix()), path)
    inside = folder / EVIDENCE
    packed: set[str] = set()
    for path in sorted(inside.rglob("*")):
        file = path.relative_to(inside).as_posix()
        if path.is_file() and collision_key(file) in packed:  # one system's second file is another system's first
            file = kept_as(file, hash_file(path))
        packed.add(collision_key(file))
        _add(content, layout.farm_path(farm_id, layout.Part.EVIDENCE, file), path)
    for path in _all_of(reports, ("*.json", "*.pdf")):
        _add(content, layout.farm_path(farm_id, layout.Part.REPORTS, path.name), path)
        # What opens a report's roots lies beside it.
        opening = path.with_name(f"{path.stem}{ENDING}")
        _add(content, layout.farm_path(farm_id, layout.Part.REPORTS, opening.name), opening)
    return content


def _add(content: Content, name: str, path: Path) -> None:
    if path.is_symlink():
        cause = "The book holds a link; what it points to lies outside."
        raise ProblemsError([Problem(Place(path.name), cause, "Put the file itself there.", weight=Weight.ERROR)])
    if path.is_file() and not left_by_system(path.name):
        content.files[name] = path
        for ending in layout.BESIDE if path.suffix in _STAMPED else ():
            if (beside := path.with_name(path.name + ending)).is_file():
                content.files[name + ending] = beside


def _all_of(given: Iterable[Path], patterns: Iterable[str]) -> list[Path]:
    """Return the files given, and of each folder given those of a pattern."""
    found: list[Path] = []
    for one in given:
        found += [path for pattern in patterns for path in sorted(one.glob(pattern))] if one.is_dir() else [one]
    return list(dict.fromkeys(found))


def json_files(given: Iterable[Path]) -> list[Path]:
    """Return the JSON files given, and those in each folder given, each once."""
    return _all_of(given, ("*.json",))


def days_of_records(book: RecordBook) -> tuple[date, date] | None:
    """Return the first and last day of a book's harvests and passes; None where it has none."""
    days = [
        *(day for row in book.every(Harvest) for day in (row.first_day, row.last_day) if day is not None),
        *(row.day for row in book.every(Operation) if row.day is not None),
    ]
    return (min(days), max(days)) if days else None


def collect_entity(
    book: Path, documents: Iterable[Path], statements: Iterable[Path], days: tuple[date, date] | None = None
) -> Content:
    """Collect an entity's book (claims and grain) with the documents and statements it gave and received.

    Args:
        book: the custody book.
        documents: transfer documents, slips, statements of periods, farm reports: files or folders of JSON and PDF.
        statements: verification statements and addenda; those kept beside the book come along.
        days: the days covered; else those of the declared periods.

    Raises:
        ProblemsError: it is no custody book, or no days are given and it declares no period.
    """
    entity, name, declared = _entity_of(book)
    if days is None and not declared:
        raise refuse(book.name, "The book declares no period.", "Say which days (--first, --last).", cite="2100.034(b)")
    first, last = days or (min(declared)[0], max(one[1] for one in declared))
    content = Content(Subject.ENTITY_PERIOD, entity, name, first, last)
    content.parties[f"entities/{layout.folder_name(entity)}"] = entity
    _add(content, layout.entity_path(entity, layout.Part.BOOK), book)
    if (entries := book.with_name(layout.ENTRIES)).is_file():
        _add(content, layout.entity_path(entity, layout.Part.BOOK, layout.ENTRIES), entries)
    kept = layout.kept_folder(book)
    filed = [*statements, *([kept] if kept.is_dir() else [])]
    for part, given in ((layout.Part.DOCUMENTS, documents), (layout.Part.STATEMENTS, filed)):
        for path in _all_of(given, ("*.json", "*.pdf")):
            # Two parties may give their papers one file name: the beginning of the hash tells them apart.
            _add(content, layout.entity_path(entity, part, f"{hash_file(path)[:8]}-{path.name}"), path)
    return content


def _entity_of(book: Path) -> tuple[str, str, list[tuple[date, date]]]:
    """Return id, name and declared periods of the book's owner, read from its lines."""
    entity, name = "", ""
    periods = []
    try:
        for number, line in enumerate(book.read_text(encoding="utf-8").splitlines()):
            data = json.loads(line, parse_float=str)
            if number == 0:
                entity = name = str(data["entity"])
                continue
            event = data["event"]
            if event["type"] == "entity" and event["entity"] == entity:
                name = str(event["name"])
            if event["type"] == "period" and event["entity"] == entity:
                periods.append((date.fromisoformat(event["start_day"]), date.fromisoformat(event["end_day"])))
    except (OSError, KeyError, TypeError, ValueError):
        raise refuse(book.name, "The file is no custody book.", "Give a book of `provender custody`.") from None
    return entity, name, periods


def collect_audit(entity: Content, farms: Iterable[Package], sample: Path, findings: Path | None) -> Content:
    """Put an entity's content together with the packages of its sampled farms, the draw and the findings so far."""
    content = Content(
        Subject.AUDIT, entity.audited, entity.name, entity.first, entity.last,
        dict(entity.files), dict(entity.parties), entity.left_out,
    )  # fmt: skip
    for farm in farms:
        for path in farm.files:
            if path.startswith(("farms/", layout.KEY_STATEMENTS)):  # the index is made anew for the whole
                content.files[path] = farm.files[path]
        content.parties |= {folder: name for folder, name in farm.header.parties.items() if folder.startswith("farms/")}
        content.left_out += farm.header.left_out
    _add(content, SAMPLE, sample)
    if findings is not None:
        _add(content, layout.FINDINGS, findings)
    return content


def with_keys(content: Content, pins: Iterable[Pin], statements: Iterable[Path] = ()) -> None:
    """Add the public keys that the audited party has pinned to others, and what keys said of themselves.

    Rotations and revocations are files or folders of JSON.
    """
    content.files[layout.KEYS] = canonical_json(pins_document(pins))
    for path in json_files(statements):
        _add(content, f"{layout.KEY_STATEMENTS}{hash_file(path)[:8]}-{path.name}", path)


def with_log_proofs(content: Content, proofs: Iterable[Path]) -> None:
    """Lay each proof from a transparency log beside the document that it is of, wherever that stands.

    Args:
        content: changed in place.
        proofs: what ``provender log prove`` wrote, files or folders of JSON.

    Raises:
        ProblemsError: one, or one that lay beside its document already, is of no document in the package as it is: a
            verifier would take the document for one that was exchanged.
    """
    found = [path for path in content.files if path.endswith(layout.LOG_PROOF)]
    given = json_files(proofs)
    marks = (
        {
            path: mark_of(content.read(path))
            for path in content.files
            if (
                path.endswith(_STAMPED)
                and not path.endswith(ENDING)
                and path != layout.KEYS
                and layout.part_of(path) is not None
            )
        }
        if given or found
        else {}
    )
    wrong = [
        path for path in found if not _stands(content.read(path), marks.get(path.removesuffix(layout.LOG_PROOF), ""))
    ]
    for proof in given:
        raw = proof.read_bytes()
        of = [path for path, mark in marks.items() if _stands(raw, mark)]
        content.files |= {f"{path}{layout.LOG_PROOF}": proof for path in of}
        wrong += [] if of else [proof.name]
    if wrong:
        cause = "This proof from a log is of no document in the package as it is."
        remedy = "Give the document it was made of, or get a proof anew (`provender log prove`)."
        raise ProblemsError([Problem(Place(one), cause, remedy, "2100.030(d)", code="not_in_log") for one in wrong])


def _stands(raw: bytes, mark: str) -> bool:
    try:
        return stands_in(read_json(raw), mark)  # type: ignore[arg-type]  # what it is not is answered by the except
    except (KeyError, TypeError, ValueError, AttributeError, ProblemsError):
        return False


def leave_out(content: Content, wanted: Iterable[tuple[layout.Part, str]], allowances: Iterable[Allowance]) -> None:
    """Take files out, keeping path and hash with the verifier's reason.

    Args:
        content: changed in place.
        wanted: part, and the beginning of the paths (empty for all of it).
        allowances: of the verifier's request; a file it does not allow is marked so, and the package refused later.
    """
    given = list(allowances)
    for part, below in wanted:
        for path in [path for path in content.files if layout.part_of(path) is part and path.startswith(below)]:
            reason = next((one.reason for one in given if one.allows(path)), "")
            content.left_out += (LeftOut(path, content.digest(path), reason),)
            del content.files[path]


def with_index(content: Content) -> None:
    """Add the index of the evidence, after everything else was added or left out; a package without farms has none."""
    out = {one.path: one.sha256 for one in content.left_out}

    def hashed(path: str) -> str:
        return content.digest(path) if path in content.files else out.get(path, "")

    index = evidence_index(content.parties, [*content.files, *out], content.read, hashed)
    if index["files"]:
        content.files[layout.EVIDENCE_INDEX] = canonical_json(index)


def header_of(content: Content, first: date, last: date, day: date) -> Header:
    """Return what a package of some content, made on a day by this program, says of itself."""
    rule = rule_of(content.files, parameters().id)
    return Header(
        content.subject, content.audited, content.name, first, last, rule, f"provender {__version__}", day,
        content.parties, content.left_out,
    )  # fmt: skip


def rule_of(files: Mapping[str, bytes | Path], otherwise: str) -> str:
    """Return the rule version under which the package's reports were made; the one given where there is none."""
    for path, inside in files.items():
        if layout.part_of(path) is layout.Part.REPORTS and path.endswith(".json"):
            try:
                data = json.loads(inside.read_bytes() if isinstance(inside, Path) else inside)
                return str(data.get("document", data)["rule"]["id"])
            except (AttributeError, KeyError, TypeError, ValueError):
                continue
    return otherwise
