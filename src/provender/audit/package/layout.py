"""Where things lie in a verification package: one folder for each kind of content, safe names for every party.

    package.json                      what the package is (``package.Header``)
    request.json                      the verifier's request, signed
    keys.json                         public keys by party, as the audited party holds them
    farms/F1-3fa1b2c4/records/        a RecordBook's CSV files, sources.csv, boundaries/, maps/, rejected/
    farms/F1-3fa1b2c4/evidence/       photographs, invoices, machine files, printouts
    farms/F1-3fa1b2c4/reports/        corn-2026-v1.json, ...: every version, signed
    entities/prairie-0d55e1aa/book.jsonl      movements and physical stock
    entities/prairie-0d55e1aa/entries.jsonl   of a book that many share: what the entity entered itself
    entities/prairie-0d55e1aa/documents/      transfer documents given and received, by hash
    entities/prairie-0d55e1aa/statements/     verification statements and addenda, by hash
    keys/rotation-2026.json           what keys say of themselves: rotations and revocations
    ....json.tsr                      beside a document: a timestamping authority's answer about it
    ....json.logproof                 beside a document: the proof that it stands in a transparency log
    audit/sample.json, audit/findings.jsonl   the draw; the findings so far
    audit/evidence.json               the index of the evidence: what each file supports, which finding it answers

An id can hold anything a farm calls itself; its folder is a readable part and the beginning of its SHA-256.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Final

from provender.audit.sampling.sample_file import PATH as SAMPLE
from provender.signing.bag_sources import name_fault
from provender.signing.hashes import sha256_hex

HEADER: Final = "package.json"
REQUEST: Final = "request.json"
KEYS: Final = "keys.json"
KEY_STATEMENTS: Final = "keys/"
FINDINGS: Final = "audit/findings.jsonl"
EVIDENCE_INDEX: Final = "audit/evidence.json"
"""What each file of evidence supports; it is made from the rest of the package."""
BOOK: Final = "book.jsonl"
ENTRIES: Final = "entries.jsonl"
STAMP: Final = ".tsr"
"""What the name of an authority's answer adds to that of its document: it lies beside it and is of the same part."""
LOG_PROOF: Final = ".logproof"
"""The same, for the proof that the document stands in a transparency log."""
BESIDE: Final = (STAMP, LOG_PROOF)
"""What lies beside a document and is none itself."""
SLUG_MAX: Final = 40
HASH_DIGITS: Final = 8


class Part(StrEnum):
    """A kind of content, by which requests ask and leave out."""

    RECORDS = "records"
    EVIDENCE = "evidence"
    REPORTS = "reports"
    BOOK = "book"
    DOCUMENTS = "documents"
    STATEMENTS = "statements"
    SAMPLE = "sample"
    FINDINGS = "findings"
    KEYS = "keys"


_FIXED: Final = {SAMPLE: Part.SAMPLE, FINDINGS: Part.FINDINGS, EVIDENCE_INDEX: Part.FINDINGS, KEYS: Part.KEYS}
_BELOW: Final = {
    "farms": {
        "records": Part.RECORDS,
        "evidence": Part.EVIDENCE,
        "reports": Part.REPORTS,
    },
    "entities": {
        BOOK: Part.BOOK,
        ENTRIES: Part.BOOK,
        "documents": Part.DOCUMENTS,
        "statements": Part.STATEMENTS,
    },
}


def folder_name(identifier: str) -> str:
    """Return the folder of a farm or entity: the same id gives the same folder, two ids never share one."""
    slug = re.sub(r"[^A-Za-z0-9]+", "-", identifier).strip("-")[:SLUG_MAX] or "x"
    return f"{slug}-{sha256_hex(identifier.encode('utf-8'))[:HASH_DIGITS]}"


def farm_path(farm_id: str, part: Part, name: str) -> str:
    """Return the path of a farm's file.

    Raises:
        ValueError: the part is none of a farm, or the name cannot stand in a package.
    """
    return _path("farms", farm_id, part, name)


def entity_path(entity_id: str, part: Part, name: str = "") -> str:
    """Return the path of an entity's file; its book needs no name, its own entries in a shared one do.

    Raises:
        ValueError: the part is none of an entity, or the name cannot stand in a package.
    """
    return _path("entities", entity_id, part, name)


def _path(kind: str, identifier: str, part: Part, name: str) -> str:
    folders = {found: folder for folder, found in _BELOW[kind].items()}
    if part not in folders:
        raise ValueError(f"{kind} have no {part}")
    inner = (name or BOOK) if part is Part.BOOK else f"{folders[part]}/{name}"
    path = f"{kind}/{folder_name(identifier)}/{inner}"
    if fault := name_fault(path):
        raise ValueError(f"{name!r} cannot be a file of a package: {fault}")
    return path


def part_of(path: str) -> Part | None:
    """Return the part a path belongs to; None for the package's own two files and for what belongs nowhere."""
    path = path.removesuffix(STAMP).removesuffix(LOG_PROOF)
    if path in _FIXED:
        return _FIXED[path]
    if path.startswith(KEY_STATEMENTS):
        return Part.KEYS if path.endswith(".json") and path.count("/") == 1 else None
    kind, _, rest = path.partition("/")
    folder, _, rest = rest.partition("/")
    inner, _, name = rest.partition("/")
    found = _BELOW.get(kind, {}).get(inner) if folder else None
    return found if found is not None and (found is Part.BOOK) != bool(name) else None


def check_paths(header: Mapping[str, Any]) -> None:
    """Refuse a header whose paths lead out of the package, before anything is written anywhere.

    Raises:
        ValueError: a folder of a party, or a file left out, is no path inside a package.
    """
    for folder, party in header["parties"].items():
        kind, _, name = folder.partition("/")
        if kind not in _BELOW or "/" in name or name_fault(folder) or not isinstance(party, str):
            raise ValueError(f"{folder!r} is no folder of a party")
    for one in header["left_out"]:
        if fault := name_fault(one["path"]):
            raise ValueError(f"{one['path']!r} is no path in a package: {fault}")
