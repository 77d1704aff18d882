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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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
from provender.problem import Problem, ProblemsError, refuse
from provender.signing import jws
from provender.signing.bags import name_fault
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.keys import PublicKey
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
_SLUG_MAX: Final = 40
_HASH_DIGITS: Final = 8


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
    slug = re.sub(r"[^A-Za-z0-9]+", "-", identifier).strip("-")[:_SLUG_MAX] or "x"
    return f"{slug}-{sha256_hex(identifier.encode('utf-8'))[:_HASH_DIGITS]}"


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

_SUFFIX: Final = ".statements"
AS_AUDITED: Final[Mapping[str, Role]] = {
    CustodyRole.FIRST_POINT: Role.FIRST_POINT,
    CustodyRole.INTERMEDIARY: Role.INTERMEDIARY,
    CustodyRole.REFINER: Role.REFINER,
    CustodyRole.FARM: Role.FARM,
}
"""As what a party is audited that stands in a book in a role."""


def kept_folder(book: Path) -> Path:
    """Return the folder beside a custody book in which its entity keeps the statements it received."""
    return book.with_suffix(_SUFFIX)


def kept_statements(book: Path, store: MemoryStore) -> list[VerificationStatement]:
    """Return the statements on file that stand by the book, whoever they are about; other files do not count."""
    booked = {
        (one.entity, one.number): (one.verifier, one.start_day, one.end_day, tuple(sorted(one.crops)), one.opinion)
        for one in (posted.event for posted in store.events())
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


# What keys say of themselves: the old key names the new one, a key takes itself out of use (interpretation 33).

_ROTATES: Final = "key rotation"
_REVOKES: Final = "key revocation"
KINDS: Final = frozenset({_ROTATES, _REVOKES})
_TYP: Final = {_ROTATES: jws.ROTATION, _REVOKES: jws.REVOCATION}


@dataclass(frozen=True, slots=True)
class Rotation:
    """A whole rotation: ``new`` signs from the day ``on``, ``old`` up to that day.

    ``proved_on`` is the day on which the statement is proved to have existed, None where only the signer says when.
    """

    path: str
    old: PublicKey
    new: PublicKey
    on: date
    proved_on: date | None = None


@dataclass(frozen=True, slots=True)
class KeyFault:
    """A statement of a key that does not count: its file, a code, what it claims and what it is."""

    path: str
    code: str
    claimed: str
    found: str


@dataclass
class KeyStatements:
    """Statements of keys that count."""

    # in the order of their days; a key is in at most one as the old, and in at most one as the new one
    rotations: list[Rotation] = field(default_factory=list)
    # the day from which a key's signatures no longer count, by fingerprint
    revoked: dict[str, date] = field(default_factory=dict)
    faults: list[KeyFault] = field(default_factory=list)  # statements that do not count
    # the files that were read as statements of keys, whether they count or not
    read: set[str] = field(default_factory=set)

    def family(self, kids: Iterable[str]) -> frozenset[str]:
        """Return these keys with those before and after them."""
        known = set(kids)
        grown = True
        while grown:
            pairs = [{one.old.fingerprint, one.new.fingerprint} for one in self.rotations]
            more = {kid for pair in pairs if pair & known for kid in pair}
            grown = not more <= known
            known |= more
        return frozenset(known)

    def keys(self) -> Mapping[str, PublicKey]:
        return {key.fingerprint: key for one in self.rotations for key in (one.old, one.new)}

    def days(self, kid: str) -> tuple[date | None, date | None]:
        """Return the first and the last day of a key, as far as a rotation says; the day itself belongs to both."""
        first = next((one.on for one in self.rotations if one.new.fingerprint == kid), None)
        last = next((one.on for one in self.rotations if one.old.fingerprint == kid), None)
        return first, last


def read_statements(
    files: Mapping[str, bytes], paths: Iterable[str], roots: "Sequence[Certificate]" = ()
) -> KeyStatements:
    """Read the statements of keys among some files.

    Args:
        files: content by path, with the answers of timestamping authorities beside them.
        paths: where to look; a file that is no statement of a key is none of these.
        roots: certificates that the answers must chain to.
    """
    found = KeyStatements()
    rotations: list[Rotation] = []
    for path in sorted(paths):
        raw = files[path]
        if not any(kind.encode() in raw for kind in KINDS):
            continue
        try:
            envelope = read_json(raw, file=path)
        except ProblemsError:
            continue
        document = envelope.get("document") if isinstance(envelope, dict) else None
        kind = str(document.get("kind")) if isinstance(document, Mapping) else ""
        if kind not in KINDS:
            continue
        found.read.add(path)
        checked = jws.check(envelope, {}, typ=_TYP[kind])
        if checked.key is None or checked.status is not jws.Status.SIGNER_UNKNOWN:
            found.faults.append(KeyFault(path, "key_statement_forged", f"a {kind}", jws.MEANING[checked.status][0]))
            continue
        proof, _ = stamped(files, path, roots)
        _take(found, rotations, path, kind, envelope, checked.key, proof.on if proof else None)
    _follow(found, rotations)
    return found


def _take(
    found: KeyStatements, rotations: list[Rotation], path: str, kind: str, envelope: object, key: PublicKey,
    proved_on: date | None,
) -> None:  # fmt: skip
    own = {key.fingerprint: key}
    if kind == _REVOKES:
        revoked = jws.read_revocation(envelope, own)
        if revoked is None:
            found.faults.append(KeyFault(path, "key_statement_unreadable", f"a {kind}", "it names no day"))
        else:
            found.revoked[key.fingerprint] = min(revoked[1], found.revoked.get(key.fingerprint, date.max))
        return
    rotated = jws.read_rotation(envelope, own)
    if rotated.new is None or rotated.on is None:
        said = f"another key takes over from {key.fingerprint[:12]}"
        found.faults.append(KeyFault(path, "rotation_not_agreed", said, "the other key did not sign it"))
    elif not any((one.old, one.new, one.on) == (key, rotated.new, rotated.on) for one in rotations):
        rotations.append(Rotation(path, key, rotated.new, rotated.on, proved_on))


def _follow(found: KeyStatements, rotations: list[Rotation]) -> None:
    """Keep the rotations that count; whoever has a stolen key can write one, so it has to be the only one in time."""
    for one in sorted(rotations, key=lambda each: each.on):
        old, new = one.old.fingerprint, one.new.fingerprint
        said = f"{new[:12]} takes over from {old[:12]} on {one.on}"
        rivals = [each for each in rotations if each is not one and (each.old == one.old or each.new == one.new)]
        before = (each.on for each in rotations if each.new == one.old and each.old != one.new)
        first = next(before, None)
        gone = found.revoked.get(old)
        why = ""
        if rivals:
            why = f"so says {rivals[0].path} of {rivals[0].new.fingerprint[:12]} and {rivals[0].old.fingerprint[:12]}"
            found.faults.append(KeyFault(one.path, "key_rotated_twice", said, why))
        elif first is not None and one.on < first:
            why = f"{old[:12]} signs only from {first} on"
            found.faults.append(KeyFault(one.path, "rotation_out_of_time", said, why))
        elif new in found.family([old]):
            found.faults.append(KeyFault(one.path, "rotation_out_of_time", said, "one of them came before the other"))
        elif gone is not None and (one.proved_on is None or one.proved_on >= gone):
            why = f"{old[:12]} was revoked from {gone} on, and nothing proves that it said so before"
            found.faults.append(KeyFault(one.path, "rotation_by_revoked_key", said, why))
        else:
            found.rotations.append(one)


# Public keys pinned to parties: who a signature must come from (interpretation 33).
#
# A list travels in a package as the audited party holds it; the verifier's own list, from supply contracts he has seen,
# comes from outside the package and counts before it.

KIND: Final = "provender/pinned-keys"


@dataclass(frozen=True, slots=True)
class Pin:
    """One key of one party, and where the binding stands, such as the number of a supply contract."""

    party: str  # whose; key: which; source: where that stands
    key: PublicKey
    source: str = ""
    first: date | None = None  # the days on which it signs for the party, both included; None where nobody said
    last: date | None = None  # the days on which it signs for the party, both included; None where nobody said

    def document(self) -> dict[str, Any]:
        """Return plain data; a day that nobody said is left out."""
        days = {"first": self.first, "last": self.last}
        said = {name: day.isoformat() for name, day in days.items() if day is not None}
        return {"party": self.party, "key": self.key.export(), "source": self.source} | said


@dataclass(frozen=True, slots=True)
class Pins:
    """A list of pinned keys."""

    # in the order of the list; a party may have several, one for each key it ever signed with
    pins: tuple[Pin, ...] = ()
    own: bool = False  # the verifier's own list, not the word of the audited party

    @property
    def keys(self) -> Mapping[str, PublicKey]:
        return {pin.key.fingerprint: pin.key for pin in self.pins}

    def of(self, party: str) -> frozenset[str]:
        return frozenset(self.keys_of(party))

    def keys_of(self, party: str) -> Mapping[str, PublicKey]:
        """Return the keys pinned to a party by fingerprint: with another party's key it has signed nothing."""
        return {pin.key.fingerprint: pin.key for pin in self.pins if pin.party == party}

    def following(self, said: KeyStatements) -> "Pins":
        """Return the list with the keys before and after those on it, each with the days that rotations give it."""
        keys = said.keys()
        more = [
            Pin(party, keys[kid], "by rotation")
            for party in dict.fromkeys(pin.party for pin in self.pins)
            for kid in sorted(said.family(self.of(party)) - self.of(party))
        ]
        spans = {pin: _shared((pin.first, pin.last), said.days(pin.key.fingerprint)) for pin in (*self.pins, *more)}
        return replace(self, pins=tuple(replace(pin, first=first, last=last) for pin, (first, last) in spans.items()))

    def keepers(self, kid: str, log: str) -> frozenset[str]:
        """Return who keeps a log under a key: the party that the log is named after, else all to whom it is pinned."""
        whose = frozenset(pin.party for pin in self.pins if pin.key.fingerprint == kid)
        return whose & {log} or whose

    def days_of_log(self, log: str) -> Mapping[str, list[jws.Span]]:
        """Return on which days each key signs for the keeper of a log, by fingerprint.

        The days of another party's binding of the same key are no days of the keeper. Where nobody knows which of
        several is the keeper, only days of all of them are.
        """
        return {kid: self._of_all(kid, self.keepers(kid, log)) for kid in self.keys}

    def _of_all(self, kid: str, parties: Iterable[str]) -> list[jws.Span]:
        found: list[jws.Span] = [(None, None)]
        for party in sorted(parties):
            both = (_shared(one, other) for one in found for other in self.days_of(kid, party))
            found = [(first, last) for first, last in both if first is None or last is None or first <= last]
        return found or [_NEVER]

    def days_of(self, kid: str, party: str) -> list[jws.Span]:
        """Return the spans of days on which a key signs for a party: one for each binding, such as a contract."""
        return [(pin.first, pin.last) for pin in self.pins if (pin.party, pin.key.fingerprint) == (party, kid)]

    def others(self, kid: str, party: str) -> tuple[str, ...]:
        """Return to whom a key is pinned where it is not pinned to this party, sorted."""
        whose = {pin.party for pin in self.pins if pin.key.fingerprint == kid}
        return () if party in whose else tuple(sorted(whose))


_NEVER: Final[jws.Span] = (date.max, date.min)


def _shared(one: jws.Span, other: jws.Span) -> jws.Span:
    """Return the days that two spans share; where there are none, the last stands before the first."""
    starts = [day for day in (one[0], other[0]) if day is not None]
    ends = [day for day in (one[1], other[1]) if day is not None]
    return max(starts, default=None), min(ends, default=None)


def pins_document(pins: Iterable[Pin]) -> dict[str, Any]:
    return {"kind": KIND, "keys": [pin.document() for pin in pins]}


def read_pins(raw: bytes, file: str, *, own: bool = False) -> Pins:
    """Read a list of pins.

    Raises:
        ProblemsError: it is no such list (``unreadable_pins``), or a key in it is none (codes of ``PublicKey``).
    """
    data: Any = read_json(raw, file=file)
    try:
        right = data["kind"] == KIND
        pins = tuple(
            Pin(
                str(one["party"]),
                PublicKey.from_jwk(one["key"], file=file),
                str(one["source"]),
                _day(one.get("first")),
                _day(one.get("last")),
            )
            for one in data["keys"]
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        right, pins = False, ()
    if not right:
        remedy = "Write one with `provender audit pins`."
        raise refuse(file, "This is no list of pinned keys.", remedy, code="unreadable_pins")
    return Pins(pins, own)


def _day(text: object) -> date | None:
    return None if text is None else date.fromisoformat(str(text))
