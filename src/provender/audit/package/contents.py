"""A package taken apart once, for all checks: its header, its farms, its entities, the keys that count.

Beside the package's own files stand those the verifier brings from elsewhere: his list of pinned keys, and copies of
signed documents that other parties hold. They lie under ``verifier/``, a name no package may use.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar

from provender.audit.package.farm_section import FarmPart, ReportFile, report_in
from provender.audit.package.key_statements import KeyStatements, read_statements
from provender.audit.package.layout import HEADER, KEY_STATEMENTS, KEYS, Part, entity_path, part_of
from provender.audit.package.pins import Pins, read_pins
from provender.audit.package.write import Header, Subject
from provender.audit.programme.items import Role
from provender.custody.model.entities import Role as CustodyRole
from provender.problem import ProblemsError
from provender.rule.calculators import Calculators, packaged_calculators
from provender.signing.canonical import read_json

T = TypeVar("T")

VERIFIER: Final = "verifier/"
PINNED: Final = VERIFIER + "keys.json"
CALCULATORS: Final = VERIFIER + "calculators.toml"
ROOTS: Final = VERIFIER + "roots.pem"
FORUMS: Final = VERIFIER + "forums.csv"
HELD: Final = VERIFIER + "held/"

_RECORDS: Final = "records/"
_EVIDENCE: Final = "evidence/"


def with_verifiers_files(
    package: Mapping[str, bytes],
    pinned: bytes | None,
    held: Mapping[str, bytes],
    lists: Mapping[str, bytes] | None = None,
) -> dict[str, bytes]:
    """Return a package's files with what the verifier brings; names a package stole from him are dropped.

    ``lists`` are his ``CALCULATORS``, ``ROOTS`` and ``FORUMS``, as far as he has them.
    """
    files = {path: content for path, content in package.items() if not path.startswith(VERIFIER)}
    if pinned is not None:
        files[PINNED] = pinned
    return {**files, **(lists or {}), **{f"{HELD}{name}": content for name, content in held.items()}}


class PackageContents(Mapping[str, bytes]):
    """The files of a package, and what several checks read from them.

    Args:
        files: content by path.
        folder: an empty folder of this machine for records and evidence to be read from.
    """

    def __init__(self, files: Mapping[str, bytes], folder: Path) -> None:
        self._files = files
        self._folder = folder
        self._read: dict[str, object] = {}
        self._made: dict[Callable[[PackageContents], Any], Any] = {}

    def once(self, make: Callable[["PackageContents"], T]) -> T:
        """Return what a function makes of this case, made once however many checks ask for it."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    def json(self, path: str) -> object:
        """Return what a JSON file of the package holds, read once for all checks; None where it cannot be read."""
        if path not in self._read:
            try:
                self._read[path] = read_json(self[path], file=path) if path in self else None
            except ProblemsError:
                self._read[path] = None
        return self._read[path]

    def __getitem__(self, path: str) -> bytes:
        """Return a file."""
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    @cached_property
    def header(self) -> Header | None:
        """What the package says of itself; None where it says nothing readable."""
        try:
            return Header.read(read_json(self[HEADER], file=HEADER))  # type: ignore[arg-type]  # answered by the except
        except (KeyError, TypeError, ValueError, AttributeError, ProblemsError):
            return None

    @cached_property
    def pins(self) -> Pins:
        """The keys that count: the verifier's list, else the package's, with those that rotations bind to them.

        Raises:
            ProblemsError: the list cannot be read.
        """
        if PINNED in self:
            return read_pins(self[PINNED], "the list of pinned keys", own=True).following(self.key_statements)
        return (read_pins(self[KEYS], KEYS) if KEYS in self else Pins()).following(self.key_statements)

    @cached_property
    def key_statements(self) -> KeyStatements:
        """What keys say of themselves, in the package and among what the verifier brought."""
        said = [path for path in self if path.startswith((KEY_STATEMENTS, HELD)) and path.endswith(".json")]
        return read_statements(self, said, self.get(ROOTS, b""))

    @cached_property
    def farms(self) -> tuple[FarmPart, ...]:
        """Every farm of the package, written out for reading."""
        parties = self.header.parties if self.header else {}
        return tuple(self._farm(prefix, name) for prefix, name in parties.items() if prefix.startswith("farms/"))

    def _farm(self, prefix: str, farm_id: str) -> FarmPart:
        folder = self._folder / prefix
        folder.mkdir(parents=True, exist_ok=True)
        for path in self:
            inner = path.removeprefix(f"{prefix}/")
            if inner == path or part_of(path) not in (Part.RECORDS, Part.EVIDENCE):
                continue
            target = folder / inner.removeprefix(_RECORDS)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(self[path])
        start = f"{prefix}/{_EVIDENCE}"
        out = self.header.left_out if self.header else ()
        left = {one.path.removeprefix(start): one.sha256 for one in out if one.path.startswith(start)}
        return FarmPart(farm_id, prefix, folder, self, left, self.calculators)

    @cached_property
    def calculators(self) -> Calculators:
        """The lists of calculators that the verifier judges by: the packaged one and what he brought, no farm's own.

        Raises:
            ProblemsError: what he brought is no list.
        """
        brought = self.get(CALCULATORS)
        known = packaged_calculators()
        return known if brought is None else known.with_list(brought, CALCULATORS)

    @cached_property
    def entities(self) -> Mapping[str, str]:
        """Folder by id of every entity."""
        parties = self.header.parties if self.header else {}
        return {name: prefix for prefix, name in parties.items() if prefix.startswith("entities/")}

    @cached_property
    def held_reports(self) -> tuple[ReportFile, ...]:
        """Copies of farm reports in other hands: entities' documents, and what the verifier brought."""
        found = []
        for path in self:
            if part_of(path) is not Part.DOCUMENTS and not path.startswith(HELD):
                continue
            one = report_in(path, self.json(path))
            if one is not None:
                found.append(one)
        return tuple(found)


_OF: Final[Mapping[str, Role]] = {
    CustodyRole.FIRST_POINT: Role.FIRST_POINT,
    CustodyRole.INTERMEDIARY: Role.INTERMEDIARY,
    CustodyRole.REFINER: Role.REFINER,
    CustodyRole.FARM: Role.FARM,
}


def roles_of(header: Header, files: Mapping[str, bytes]) -> tuple[Role, ...]:
    """Return the roles that decide which tasks an audit has, in the order of ``Role``.

    A house has the roles under which it stands in its own book, and is a processor besides where the book processes
    crop (2100.040(d), (e)); a first point where the book says nothing. The farms of a whole audit bring theirs.
    """
    if header.subject is Subject.FARM_REPORT:
        return (Role.FARM,)
    found = set(_in_book(header.audited, files)) or {Role.FIRST_POINT}
    if any(folder.startswith("farms/") for folder in header.parties):
        found.add(Role.FARM)
    return tuple(role for role in Role if role in found)


def _in_book(entity: str, files: Mapping[str, bytes]) -> Iterator[Role]:
    path = entity_path(entity, Part.BOOK)
    for event in _events(files.get(path, b"")):
        if event.get("type") == "process" and event.get("entity") == entity:
            yield Role.PROCESSOR
        if event.get("type") == "entity" and event.get("entity") == entity:
            named = event.get("roles")
            yield from (_OF[str(one)] for one in (named if isinstance(named, list) else ()) if str(one) in _OF)


def _events(book: bytes) -> Iterator[Mapping[str, Any]]:
    for line in book.splitlines():
        if b'"process"' not in line and b'"entity"' not in line:
            continue  # most lines are loads and sales
        try:
            data = json.loads(line)
            event = data.get("event")
        except (ValueError, AttributeError, RecursionError):
            continue
        if isinstance(event, dict):
            yield event
