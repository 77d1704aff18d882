"""A package taken apart once, for all checks: its header, its farms, its entities, the keys that count.

Beside the package's own files stand those the verifier brings from elsewhere: his list of pinned keys, and copies of
signed documents that other parties hold. They lie under ``verifier/``, a name no package may use.
"""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from provender.audit.outcome import Form, fits, inside, rows_of, scaled
from provender.audit.package import layout
from provender.audit.package.write import Header, PackageRequest, Subject
from provender.audit.programme import Role
from provender.audit.sampling.sample import PATH as SAMPLE
from provender.audit.sampling.sample import Extent
from provender.days import iso_day
from provender.exact import SCALE
from provender.intensity import ARGONNE, OFFICIAL
from provender.intensity.calculator import Label
from provender.intensity.quantify import Quantification, quantify
from provender.problem import ProblemsError
from provender.records.book import FolderFiles, RecordBook
from provender.records.folder import EVIDENCE, load_book
from provender.report.document import Edition, build
from provender.report.supporting import BoundRows, Leaves
from provender.report.typ import TYPE
from provender.report.versions import ENDING, Opening, origin_key, read_leaves
from provender.rule.calculators import Calculators, packaged_calculators
from provender.rule.crops import Crop
from provender.signing.canonical import document_hash, read_json
from provender.signing.jws import envelope_hash
from provender.signing.timestamps import read_roots
from provender.verdicts.assess import Assessment, assess

if TYPE_CHECKING:
    from cryptography.x509 import Certificate


# A farm's share of a package, taken apart once for all checks: records judged, reports read, evidence on disk.

REPORTS: Final = "reports"
_FORM: Final[Form] = {
    "crop": str, "harvest_year": int, "made_on": date, "total_bushels": str, "label": str,
    "farm": dict, "farm/farm_id": str, "producer": dict, "producer/producer_id": str,
    "edition": dict, "edition/version": int, "edition/origin_id": str, "edition/salt": str, "edition/replaces": str,
    "edition/changes": list, "edition/changes/*": str, "units": list, "units/*": dict, "units/*/unit_id": str,
    "units/*/intervals": list, "units/*/intervals/*": dict, "units/*/intervals/*/harvest_id": str,
    "units/*/intervals/*/facts": list, "units/*/intervals/*/facts/*": dict, "rests_on": dict,
    "rests_on/records": dict, "rests_on/evidence": list, "rests_on/evidence/*": dict,
    "rests_on/evidence/*/evidence_id": str,
    "rests_on/evidence/*/file": str, "rests_on/evidence/*/sha256": str,
}  # fmt: skip
_ASKED: Final = ("crop", "harvest_year", "farm/farm_id", "edition/version", "edition/origin_id")
OriginKey = tuple[str, str, int]


@dataclass(frozen=True)
class ReportFile:
    """One version of a report as it lies somewhere."""

    path: str  # in the package, or the name it was held under
    envelope: Mapping[str, Any]  # the file as read: signed, or the bare document
    document: Mapping[str, Any]  # the report itself

    @property
    def key(self) -> OriginKey:
        """Return farm, crop and harvest year."""
        return origin_key(self.document)

    @property
    def version(self) -> int:
        return int(self.document["edition"]["version"])

    @property
    def name(self) -> str:
        """Return what a person calls it: farm, crop, year, version."""
        farm, crop, year = self.key
        return f"report of {farm}, {crop} {year}, version {self.version}"

    @cached_property
    def digest(self) -> str:
        """The hash of the report itself, which books and statements name it by."""
        return document_hash(self.document)

    @cached_property
    def mark(self) -> str:
        """The hash of the report with its signature; of one that is not signed that of the report."""
        return envelope_hash(self.envelope) if "document" in self.envelope else self.digest

    @property
    def bushels(self) -> int | None:
        """Return the bushels it claims, thousandths; None where it claims none."""
        return scaled(self.document.get("total_bushels"), SCALE)


def _day_of(report: ReportFile) -> date:
    return date.fromisoformat(report.document["made_on"])


def read_report(path: str, raw: bytes) -> ReportFile | None:
    """Read a report, signed or not; None where the file is something else.

    Raises:
        ProblemsError: the file is not strict JSON.
    """
    return _report_in(path, read_json(raw, file=path))


def _report_in(path: str, data: object) -> ReportFile | None:
    """Return the report, signed or not, that a JSON file holds; None where it holds something else."""
    if not isinstance(data, dict):
        return None
    document = inside(data)
    right = document.get("type") == TYPE and fits(document, _FORM, _ASKED)
    return ReportFile(path, data, document) if right else None


@dataclass
class FarmPart:
    """Records, evidence and reports of one farm."""

    farm_id: str  # as the header names it
    prefix: str  # its folder in the package
    folder: Path  # where records, boundaries and evidence were written for reading
    files: Mapping[str, bytes]  # the package
    left_out: Mapping[str, str] = field(default_factory=dict)  # SHA-256 of evidence files left out with leave, by name
    # the lists of calculators that the verifier judges by
    calculators: Calculators = field(default_factory=packaged_calculators)

    @cached_property
    def book(self) -> RecordBook:
        """The records, read again.

        Raises:
            ProblemsError: there is no readable ``farm.csv``.
        """
        return load_book(self.folder, self.evidence)

    @cached_property
    def evidence(self) -> FolderFiles:
        """The files of the evidence, each hashed once."""
        return FolderFiles(self.folder / EVIDENCE, self.left_out)

    @cached_property
    def assessment(self) -> Assessment:
        """Every verdict, computed again."""
        return assess(self.book)

    @cached_property
    def reports(self) -> tuple[ReportFile, ...]:
        """Every readable version of every report, by key and version."""
        found = []
        for path in self.report_paths:
            try:
                one = read_report(path, self.files[path])
            except ProblemsError:
                continue
            if one is not None:
                found.append(one)
        return tuple(sorted(found, key=lambda one: (one.key, one.version, one.path)))

    @property
    def report_paths(self) -> tuple[str, ...]:
        """Every JSON file among the reports, readable or not, but for what opens their roots."""
        return tuple(path for path in self._under_reports if not path.endswith(ENDING))

    @property
    def _under_reports(self) -> tuple[str, ...]:
        start = f"{self.prefix}/{REPORTS}/"
        return tuple(path for path in self.files if path.startswith(start) and path.endswith(".json"))

    def opening(self, claimed: ReportFile) -> Opening | None:
        """Return what opens the roots of a report; None where the package holds nothing readable that does."""
        return self._openings.get((claimed.key, claimed.version))

    @cached_property
    def _openings(self) -> dict[tuple[OriginKey, int], Opening]:
        return {(one.key, one.version): one for one in self._openings_read.values()}

    @cached_property
    def _openings_read(self) -> dict[str, Opening]:
        found = {}
        for path in self._under_reports:
            if path.endswith(ENDING):
                with contextlib.suppress(ProblemsError):
                    if one := read_leaves(read_json(self.files[path], file=path)):
                        found[path] = one
        return found

    @property
    def idle_openings(self) -> tuple[str, ...]:
        """Every file that should open the roots of a report and cannot be read, or is of no report here."""
        here = {(one.key, one.version) for one in self.reports}
        read = {path for path, one in self._openings_read.items() if (one.key, one.version) in here}
        return tuple(path for path in self._under_reports if path.endswith(ENDING) and path not in read)

    @cached_property
    def leaves(self) -> Mapping[OriginKey, Leaves]:
        """The leaves of the records of every latest report, made again with the secret that came along."""
        return {
            one.key: BoundRows(self.assessment, self._quantified[one.key], _day_of(one)).leaves(opening.secret)
            for one in self.latest
            if one.key in self._quantified and (opening := self.opening(one)) is not None
        }

    @property
    def latest(self) -> tuple[ReportFile, ...]:
        """The last version of each report: what the records must give today."""
        return tuple({one.key: one for one in self.reports}.values())

    def quantified(self, claimed: ReportFile) -> Quantification | None:
        """Quantify again what a report claims; None where the records hold no such harvest."""
        return self._quantified.get(claimed.key)

    @cached_property
    def _quantified(self) -> dict[OriginKey, Quantification]:
        return {one.key: q for one in self.latest if (q := self._quantify(one)) is not None}

    def _quantify(self, claimed: ReportFile) -> Quantification | None:
        farm, crop, year = claimed.key
        if (farm, crop, year) not in self.assessment.harvests:
            return None
        source = ARGONNE if claimed.document.get("label") == Label.ESTIMATE else OFFICIAL
        return quantify(self.assessment, farm, Crop(crop), year, source, known=self.calculators)

    @cached_property
    def recomputed(self) -> Mapping[OriginKey, Mapping[str, Any]]:
        """Every latest report made again from the records, with the edition, day and signer it claims."""
        return {one.key: self._build(one) for one in self.latest if one.key in self._quantified}

    def _build(self, claimed: ReportFile) -> Mapping[str, Any]:
        head, edition, rule = claimed.document, claimed.document["edition"], claimed.document.get("rule")
        return build(
            self.assessment,
            self._quantified[claimed.key],
            as_of=_day_of(claimed),
            leaves=self.leaves.get(claimed.key) if "leaves" in head.get("rests_on", ()) else None,
            producer_id=str(head["producer"]["producer_id"]),
            edition=Edition(
                claimed.version,
                edition["replaces"],
                tuple(edition["changes"]),
                edition["origin_id"],
                edition["salt"],
                str(rule.get("signed_under") or "") if isinstance(rule, Mapping) else "",
            ),
        )

    def harvest_days(self, *claimed: ReportFile) -> list[date]:
        """Return the last day of each crop interval that some of its reports are about."""
        keys = {one.key for one in claimed}
        return [one.last_day for key, of in self.assessment.harvests.items() if key in keys for one in of]

    def rows(self, kind: str) -> Iterator[Mapping[str, Any]]:
        """Yield the farm's rows of a kind."""
        for row in self.book[kind]:
            if row["farm_id"] == self.farm_id:
                yield row


T = TypeVar("T")

VERIFIER: Final = "verifier/"
PINNED: Final = VERIFIER + "keys.json"
CALCULATORS: Final = VERIFIER + "calculators.toml"
ROOTS: Final = VERIFIER + "roots.pem"
FORUMS: Final = VERIFIER + "forums.csv"
HELD: Final = VERIFIER + "held/"
TODAY: Final = VERIFIER + "today"
"""The day on which the verifier looks, ISO; the checks know no clock."""

_RECORDS: Final = "records/"
FARM_FILE: Final = f"{_RECORDS}farm.csv"
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
        self.made: dict[Callable[[PackageContents], Any], Any] = {}  # by what made it: see ``once``

    def json(self, path: str) -> object:
        """Return what a JSON file of the package holds, read once for all checks; None where it cannot be read."""
        if path not in self._read:
            try:
                self._read[path] = read_json(self[path], file=path) if path in self else None
            except ProblemsError:
                self._read[path] = None
        return self._read[path]

    def __getitem__(self, path: str) -> bytes:
        return self._files[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    @cached_property
    def header(self) -> Header | None:
        """What the package says of itself; None where it says nothing readable."""
        try:
            return Header.read(read_json(self[layout.HEADER], file=layout.HEADER))  # type: ignore[arg-type]  # answered by the except
        except (KeyError, TypeError, ValueError, AttributeError, ProblemsError):
            return None

    @cached_property
    def pins(self) -> layout.Pins:
        """The keys that count: the verifier's list, else the package's, with those that rotations bind to them.

        Raises:
            ProblemsError: the list cannot be read.
        """
        if PINNED in self:
            return layout.read_pins(self[PINNED], "the list of pinned keys", own=True).following(self.key_statements)
        return (layout.read_pins(self[layout.KEYS], layout.KEYS) if layout.KEYS in self else layout.Pins()).following(
            self.key_statements
        )

    @cached_property
    def key_statements(self) -> layout.KeyStatements:
        """What keys say of themselves, in the package and among what the verifier brought."""
        said = [path for path in self if path.startswith((layout.KEY_STATEMENTS, HELD)) and path.endswith(".json")]
        return layout.read_statements(self, said, self.roots)

    @cached_property
    def farms(self) -> tuple[FarmPart, ...]:
        """Every farm of the package that has records, written out for reading."""
        parties = self.header.parties if self.header else {}
        return tuple(self._farm(prefix, name) for prefix, name in parties.items() if f"{prefix}/{FARM_FILE}" in self)

    def _farm(self, prefix: str, farm_id: str) -> FarmPart:
        folder = self._folder / prefix
        folder.mkdir(parents=True, exist_ok=True)
        for path in self:
            inner = path.removeprefix(f"{prefix}/")
            if inner == path or layout.part_of(path) not in (layout.Part.RECORDS, layout.Part.EVIDENCE):
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
            if layout.part_of(path) is not layout.Part.DOCUMENTS and not path.startswith(HELD):
                continue
            one = _report_in(path, self.json(path))
            if one is not None:
                found.append(one)
        return tuple(found)

    @property
    def all_reports(self) -> tuple[ReportFile, ...]:
        """Every report at hand: the farms' own, then the copies in other hands."""
        return (*(one for farm in self.farms for one in farm.reports), *self.held_reports)

    def object(self, path: str) -> Mapping[str, Any]:
        """Return a file as a JSON object; an empty one where it is none."""
        data = self.json(path)
        return data if isinstance(data, dict) else {}

    @cached_property
    def spared(self) -> frozenset[str]:
        """The farms of the sample that a borrowed audit stands for."""
        rows = rows_of(self.object(SAMPLE).get("treatments"))
        return frozenset(str(one.get("farm_id")) for one in rows if one.get("extent") == Extent.EXEMPT)

    @cached_property
    def request(self) -> PackageRequest | None:
        """What the verifier asked for, whoever signed it; None where there is nothing readable."""
        try:
            return PackageRequest.read(inside(self.object(layout.REQUEST)))
        except (KeyError, TypeError, ValueError, AttributeError):
            return None

    @cached_property
    def today(self) -> date | None:
        """The verifier's day; None where he did not say."""
        return iso_day(self.get(TODAY, b"").decode(errors="replace"))

    @cached_property
    def roots(self) -> "list[Certificate]":
        """The root certificates that the verifier trusts; none where there are none to be read."""
        with contextlib.suppress(ProblemsError):
            return read_roots(self.get(ROOTS, b""))
        return []


def once(make: Callable[[PackageContents], T]) -> Callable[[PackageContents], T]:
    """Let a function of a package be made once for each, however many checks ask for it."""

    @wraps(make)
    def made(case: PackageContents) -> T:
        if make not in case.made:
            case.made[make] = make(case)
        found: T = case.made[make]
        return found

    return made


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
    path = layout.entity_path(entity, layout.Part.BOOK)
    for event in _events(files.get(path, b"")):
        if event.get("type") == "process" and event.get("entity") == entity:
            yield Role.PROCESSOR
        if event.get("type") == "entity" and event.get("entity") == entity:
            named = event.get("roles")
            yield from (
                layout.AS_AUDITED[str(one)]
                for one in (named if isinstance(named, list) else ())
                if str(one) in layout.AS_AUDITED
            )


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
