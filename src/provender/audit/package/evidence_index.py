"""The index of a package's evidence: file, hash, what rests on it, by which paragraph, which finding it answers.

It is made from the tables as they lie in the package, so that whoever has the package can make it again. Beside each
row stands the day on which the thing happened, and beside each file the day on which its record says it was made.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from typing import Any, Final

from provender.audit.findings.log import findings_now, read_log
from provender.audit.package.layout import BESIDE, FINDINGS, Part, part_of
from provender.days import MIXED, DayTextError, is_open, order_in, order_of_country, read_day
from provender.practices.evidence_links import NEEDS
from provender.problem import ProblemsError
from provender.records.evidence_files import place_of
from provender.records.field import ColumnKind
from provender.records.kind import KINDS, Kind

KIND: Final = "provender/evidence-index"
FORMAT: Final = 1
_CITES: Final = {(need.kind, need.column): need.cite for need in NEEDS}
Row = Mapping[str, str]


def evidence_index(
    parties: Mapping[str, str],
    paths: Iterable[str],
    read: Callable[[str], bytes],
    hashed: Callable[[str], str],
) -> dict[str, Any]:
    """Return the index as plain data, in the order of farms and files.

    Args:
        parties: folder -> id, of the package's header.
        paths: every file of the package, and of those left out.
        read: gives the content of a table; empty bytes where it was left out.
        hashed: gives the SHA-256 of a file, also of one left out; empty where there is none.
    """
    there = sorted(paths)
    answers = _answers(read(FINDINGS) if FINDINGS in there else b"")
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
        digest_at = cache(partial(_hash_at, hashed, start))
        # Of two rows that name one file, the one of the smallest id: rows in another order are the same index.
        files = {
            place_of(row.get("file", ""), row.get("sha256"), digest_at): (name, row)
            for name, row in sorted(named.items(), reverse=True)
            if name
        }
        packed = (path for path in there if path.startswith(start) and part_of(path) is Part.EVIDENCE)
        found = {path.removeprefix(start) for path in packed if not path.endswith(BESIDE)}
        for file in sorted({*found, *files} - {""}):
            name, row = files.get(file, ("", {}))
            lines.append({
                "farm": party, "file": file, "sha256": digest_at(file), "evidence": name,
                "what": row.get("what", ""), "made_on": row.get("taken_on", ""), "supports": used.get(name, []),
                "answers": [number for number, said in answers if {name, file, digest_at(file)} & said - {""}],
            })  # fmt: skip
    return {"kind": KIND, "format": FORMAT, "files": lines}


def _hash_at(hashed: Callable[[str], str], start: str, file: str) -> str:
    return hashed(start + file)


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
                for one in filter(None, map(str.strip, row.get(column, "").split(";"))):
                    line = {"record": record, "row": _key(kind, row), "happened_on": row.get(day, "") if day else ""}
                    used.setdefault(one, []).append(line | {"cite": _cite(kind, column)})
    # Rows in another order are the same records.
    return {name: sorted(lines, key=lambda one: sorted(one.items())) for name, lines in used.items()}


def _key(kind: Kind, row: Row) -> str:
    return ", ".join(row.get(column, "") for column in kind.key_columns if column != "farm_id")


def _cite(kind: Kind, column: str) -> str:
    own = kind.fields[column].cite if column != "evidence" else ""
    return _CITES.get((kind.name, column)) or own or kind.cite


def _answers(raw: bytes) -> list[tuple[str, frozenset[str]]]:
    """Return each finding's number with the names that its answer gives as evidence."""
    try:
        log = read_log(raw, FINDINGS) if raw else []
        findings_now(log, FINDINGS)
    except ProblemsError:
        return []
    said: dict[str, set[str]] = {}
    for event in log:
        names = str(event.get("evidence") or "").replace(",", ";").split(";")
        said.setdefault(str(event["finding"]), set()).update(name.strip() for name in names)
    return [(number, frozenset(names)) for number, names in said.items()]
