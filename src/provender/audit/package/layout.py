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
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from provender.audit.programme import Role
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.statement.statement import Entity, VerificationStatement, favourable
from provender.custody.events.parties import StatementEvent
from provender.custody.model.entities import Entity as Party
from provender.custody.model.entities import Opinion, Verification
from provender.custody.model.entities import Role as CustodyRole
from provender.custody.model.store_view import StoreView
from provender.custody.store import MemoryStore
from provender.problem import Problem, ProblemsError
from provender.signing.bags import name_fault
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.timestamps import Proof, prove

if TYPE_CHECKING:
    from cryptography.x509 import Certificate


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
    "farms": {"records": Part.RECORDS, "evidence": Part.EVIDENCE, "reports": Part.REPORTS},
    "entities": {BOOK: Part.BOOK, ENTRIES: Part.BOOK, "documents": Part.DOCUMENTS, "statements": Part.STATEMENTS},
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


# What an authority's answer beside a file proves of it: the bytes of that file, or the same JSON in canonical form.


def stamped(
    files: Mapping[str, bytes], path: str, roots: "Sequence[Certificate]"
) -> tuple[Proof | None, tuple[Problem, ...]]:
    """Return what the answer beside a file proves, or why it proves nothing; neither where there is no answer."""
    answer = files.get(f"{path}{STAMP}")
    wrong: list[Problem] = []
    for content in _forms(files[path], path) if answer is not None else ():
        try:
            return prove(content, answer or b"", roots, file=path), ()
        except ProblemsError as refused:
            wrong.append(refused.problems[0])
    return None, tuple(wrong)


def _forms(raw: bytes, path: str) -> Iterator[bytes]:
    """Yield a file as it is, and a JSON document in canonical form."""
    yield raw
    if path.endswith(".json"):
        try:
            canonical = canonical_json(read_json(raw, file=path))
        except (ProblemsError, ValueError):
            return
        if canonical != raw:
            yield canonical


# Verifications that an entity received and keeps (2100.030(d), .032(b)(2)): the event in its book, the file beside it.
#
# A statement is entered into the book once its signature, its parts and its accreditation were checked, and its signed
# file is laid into a folder beside the book. Later only a file that says what the sealed event says counts.

SUFFIX: Final = ".statements"
AS_AUDITED: Final[Mapping[str, Role]] = {
    CustodyRole.FIRST_POINT: Role.FIRST_POINT,
    CustodyRole.INTERMEDIARY: Role.INTERMEDIARY,
    CustodyRole.REFINER: Role.REFINER,
    CustodyRole.FARM: Role.FARM,
}
"""As what a party is audited that stands in a book in a role."""


def kept_folder(book: Path) -> Path:
    """Return the folder beside a custody book in which its entity keeps the statements it received."""
    return book.with_suffix(SUFFIX)


def kept_statements(book: Path, store: MemoryStore) -> list[VerificationStatement]:
    """Return the statements on file that stand by the book, whoever they are about; other files do not count."""
    booked = {
        (one.entity, one.number): (one.verifier, one.start_day, one.end_day, tuple(sorted(one.crops)), one.opinion)
        for one in (posted.request for posted in store.events())
        if isinstance(one, StatementEvent) and not one.opinion.contracted
    }
    return [one for one in _on_file(kept_folder(book)) if booked.get((one.audited, one.number)) == _as_booked(one)]


def _as_booked(one: VerificationStatement) -> tuple[str, date, date, tuple[str, ...], Opinion]:
    """Return what the book says of a statement that stands; of one taken back its last event says adverse."""
    opinion = Opinion.FAVOURABLE if favourable([], one) else Opinion.ADVERSE
    return one.verifier, one.covered_first, one.covered_last, tuple(sorted(one.crops)), opinion


def _on_file(folder: Path) -> Iterator[VerificationStatement]:
    for path in sorted(folder.glob("*.json")):
        try:
            data = read_json(path.read_bytes(), file=path.name)
            yield VerificationStatement.read(data["document"])  # type: ignore[index]  # answered by the except
        except (KeyError, TypeError, ValueError, ProblemsError):
            continue


def first_handled(store: StoreView, entity: str) -> date | None:
    """Return the first day of an entity's incoming claims in a book, None before."""
    return min((step.day for step in store.steps(entity) if step.came and step.after.owner == entity), default=None)


def contracted_until(store: StoreView, entity: str) -> date | None:
    """Return the last day covered by its contract for its first audit, None without (interpretation 46)."""
    stated = store.many(Verification, entity)
    return max((one.end for one in stated if one.opinion.contracted), default=None)


def rhythm_entity(store: MemoryStore, entity: str) -> Entity:
    """Return what the yearly rhythm needs to know of a book's owner, from the book alone."""
    party = store.one(Party, entity)
    roles = party.roles if party else ()
    role = next((mine for theirs, mine in AS_AUDITED.items() if theirs in roles), Role.FARM)
    name = party.name if party else entity
    return Entity(name, role, first_handled(store, entity), contracted_until(store, entity))
