"""Verification packages: everything a verifier needs on a machine without a network (2100.030(d), .034(c), .040(b)).

A package is a BagIt folder or zip for a farm's report, an entity's period, or a whole audit. The verifier's request
says what may be left out, never the audited party (interpretation 53); what is left out stands in the header with its
hash and reason, so that it can be asked for later and compared. A package is whole when every part of its kind is there
or was allowed to be absent; it proves content, and signatures inside prove who made it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from provender.audit.outcome import read_marked
from provender.audit.package.layout import HEADER, REQUEST, Part, Pins, check_paths, folder_name, part_of
from provender.problem import Place, Problem, ProblemsError, refuse
from provender.schema import write
from provender.signing.bags import Bag, Limits, Payload, read_bag, write_folder, write_zip
from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import MEANING, check

KIND: Final = "provender/verification-package"
_REQUEST_KIND: Final = "provender/package-request"
_CITE: Final = "2100.030(d)"
_FORMAT: Final = "1"

_UNREADABLE: Final = (KeyError, TypeError, ValueError, AttributeError)


class Subject(StrEnum):
    """What a package is about."""

    FARM_REPORT = "farm report"
    ENTITY_PERIOD = "entity period"
    AUDIT = "audit"


PARTS: Final[Mapping[Subject, frozenset[Part]]] = {
    Subject.FARM_REPORT: frozenset({Part.RECORDS, Part.EVIDENCE, Part.REPORTS, Part.KEYS}),
    Subject.ENTITY_PERIOD: frozenset({Part.BOOK, Part.DOCUMENTS, Part.KEYS}),
    Subject.AUDIT: frozenset(Part) - {Part.FINDINGS, Part.STATEMENTS},
}
"""What a package of each kind must hold: a part without any file is missing. An entity in its first year has no
statement yet; which ones must be there, its book says (``recompute.statements``)."""


_OF_PARTY: Final[Mapping[str, frozenset[Part]]] = {
    "farms": frozenset({Part.RECORDS, Part.EVIDENCE, Part.REPORTS}),
    "entities": frozenset({Part.BOOK, Part.DOCUMENTS}),
}
"""What every farm and every entity of a package must bring, so that none is there by name only."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What the verifier lets the audited party leave out."""

    part: Part  # the kind of content
    below: str  # only paths that begin with this; empty for all of the part
    reason: str  # the verifier's reason

    def allows(self, path: str) -> bool:
        """Tell whether a file may be left out."""
        return part_of(path) is self.part and path.startswith(self.below)


@dataclass(frozen=True, slots=True)
class PackageRequest:
    """What a verifier asks an audited party for; it travels signed."""

    verifier: str  # ids
    audited: str  # ids
    subject: Subject  # kind of package
    first: date  # the days the records must cover, both included
    last: date  # the days the records must cover, both included
    allowances: tuple[Allowance, ...]  # what may be left out
    asked_on: date  # the day

    def document(self) -> dict[str, Any]:
        """Return plain data, to be signed by the verifier."""
        return {"kind": _REQUEST_KIND, **write(self, whole=True)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "PackageRequest":
        """Read what ``document`` wrote; errors as ``read_marked``."""
        return read_marked(cls, data, kind=_REQUEST_KIND)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that exists and is not in the package: its path, SHA-256 and the reason."""

    path: str
    sha256: str
    reason: str


_YEARS: Final = range(2000, 3000)
"""Of a package: beside the first and the last day of the calendar stands none that could be compared."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a package says of itself."""

    subject: Subject  # kind of package
    audited: str  # id of the party; audited_name: its name
    audited_name: str
    first: date  # the days covered
    last: date  # the days covered
    rule_version: str  # id of the rule version the numbers were made under
    software: str  # name and version of the program that made them
    made_on: date  # the day of the package
    parties: Mapping[str, str]  # folder -> id, for every farm and entity in it
    left_out: tuple[LeftOut, ...] = ()  # files left out

    def document(self) -> dict[str, Any]:
        return {"kind": KIND, "format": _FORMAT, **write(self, whole=True)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "Header":
        """Read what ``document`` wrote; errors as ``read_marked``."""
        if (data["kind"], data["format"]) == (KIND, _FORMAT):
            check_paths(data)
        found = read_marked(cls, data, kind=KIND, format=_FORMAT)
        if beyond := {day.isoformat() for day in (found.first, found.last, found.made_on) if day.year not in _YEARS}:
            raise ValueError(f"{min(beyond)} is no day of a package")
        return found


@dataclass(frozen=True, slots=True)
class Package:
    """A package that was opened: whole by its manifest."""

    files: Bag  # content by path
    header: Header  # what it says of itself
    request: PackageRequest | None  # the verifier's, None where there is none or it cannot be read
    problems: tuple[Problem, ...]  # what is missing, left out without leave, or belongs nowhere


def check_content(
    header: Header, paths: Iterable[str], request: PackageRequest | None, file: str = HEADER
) -> list[Problem]:
    """Return what does not fit between header, request and files.

    Without a request nothing may be left out, and every part of the kind must be there.
    """
    present = [path for path in paths if path not in (HEADER, REQUEST)]
    allowances = request.allowances if request else ()
    faults: list[tuple[str, str, str]] = []
    for path in sorted(present):
        folder = "/".join(path.split("/")[:2])
        if part_of(path) is None or (path.startswith(("farms/", "entities/")) and folder not in header.parties):
            faults.append((f"The file {path} belongs to no part or party of the package.", "Remove it.", "stray_file"))
    for one in header.left_out:
        if one.path in present:
            faults.append((f"{one.path} is said to be left out but is there.", "Say which.", "left_out_present"))
        elif not any(allowance.allows(one.path) for allowance in allowances):
            cause = f"{one.path} was left out, and the verifier's request does not allow it."
            faults.append((cause, "Add the file, or ask the verifier.", "left_out_without_leave"))
    faults += _parts_missing(header, present, allowances)
    if request is not None:
        faults += _fits(header, request)
    return [Problem(Place(file), cause, remedy, _CITE, code=code) for cause, remedy, code in faults]


def _parts_missing(
    header: Header, present: Iterable[str], allowances: Iterable[Allowance]
) -> Iterable[tuple[str, str, str]]:
    paths = [*present, *(one.path for one in header.left_out)]
    held = {part_of(path) for path in paths}
    free = {one.part for one in allowances if not one.below}
    for part in sorted(PARTS[header.subject] - held - free):
        yield f"The package holds no {part}.", "Add them, or ask the verifier.", "part_missing"
    by_party = {("/".join(path.split("/")[:2]), part_of(path)) for path in paths}
    for folder, identifier in header.parties.items():
        whole = _OF_PARTY.get(folder.partition("/")[0], frozenset()) & PARTS[header.subject] & held - free
        for part in sorted(one for one in whole if (folder, one) not in by_party):
            yield f"The package holds no {part} of {identifier}.", "Add them, or ask the verifier.", "part_missing"
    for folder, identifier in header.parties.items():
        if folder.partition("/")[2] != folder_name(identifier):
            cause = f"The folder {folder} is not that of {identifier}."
            yield cause, "Make the package with provender.", "wrong_folder"


def _fits(header: Header, request: PackageRequest) -> Iterable[tuple[str, str, str]]:
    if (header.subject, header.audited) != (request.subject, request.audited):
        cause = (
            f"The package is a {header.subject} of {header.audited}; asked was {request.subject} of {request.audited}."
        )
        yield cause, "Make the package that was asked for.", "other_package"
    if header.first > request.first or header.last < request.last:
        cause = f"It covers {header.first} to {header.last}; asked was {request.first} to {request.last}."
        yield cause, "Cover all days that were asked for.", "days_missing"


def make_package(
    target: Path, header: Header, files: Payload, request: Mapping[str, object] | None = None, *, zipped: bool = True
) -> str:
    """Write a package.

    Args:
        target: a zip to write, or an empty or new folder.
        header: what it says of itself.
        files: content or the file that holds it, by path as ``layout`` gives it.
        request: the verifier's signed request.
        zipped: a zip, else a folder.

    Returns:
        The hash that stands for the whole package.

    Raises:
        ProblemsError: the content does not fit header and request, or a name cannot stand in a package.
    """
    asked = _read_request(request.get("document")) if request is not None else None
    problems = check_content(header, files, asked)
    if problems:
        raise ProblemsError(problems)
    payload: dict[str, bytes | Path] = {**files, HEADER: canonical_json(header.document())}
    if request is not None:
        payload[REQUEST] = canonical_json(request)
    info = {"Source-Organization": _one_line(header.audited_name), "Bag-Software-Agent": _one_line(header.software)}
    if zipped:
        return write_zip(target, payload, name=target.stem, as_of=header.made_on, info=info)
    return write_folder(target, payload, as_of=header.made_on, info=info)


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _read_request(document: object) -> PackageRequest:
    try:
        return PackageRequest.read(document)  # type: ignore[arg-type]  # anything at all is answered by the except
    except _UNREADABLE:
        cause = "The request is no request for a package, or parts of it cannot be read."
        raise refuse(REQUEST, cause, "Ask the verifier for it.", code="unreadable_request") from None


def open_package(path: Path, pinned: Pins | None = None, limits: Limits | None = None) -> Package:
    """Open a package that somebody sent.

    Args:
        path: folder or zip.
        pinned: keys by party, against which the request's signature is checked: only a key of the verifier it names
            counts. Without them nobody's signature is known, and what the request allows is shown as unconfirmed.
        limits: what it may ask of this machine.

    Raises:
        ProblemsError: the container is unsafe, damaged or changed, or its header cannot be read; codes ``bag_...`` of
            ``read_bag``, and ``unreadable_header``.
    """
    bag = read_bag(path, limits)
    if HEADER not in bag:
        cause = "The package does not say what it is: package.json is missing."
        raise refuse(path.name, cause, "Ask the sender to make it with provender.", code="unreadable_header")
    try:
        header = Header.read(read_json(bag[HEADER], file=HEADER))  # type: ignore[arg-type]  # answered by the except
    except _UNREADABLE as wrong:
        cause = f"The header of the package cannot be read: {wrong}."
        raise refuse(path.name, cause, "Use the version that made it.", code="unreadable_header") from None
    request, problems = _request_of(bag, header, pinned or Pins())
    return Package(bag, header, request, (*problems, *check_content(header, bag, request, path.name)))


def _request_of(bag: Bag, header: Header, pinned: Pins) -> tuple[PackageRequest | None, list[Problem]]:
    """Return the request, if it may be followed, and what is wrong with it (interpretation 53)."""
    if REQUEST not in bag:
        return None, []
    try:
        envelope = read_json(bag[REQUEST], file=REQUEST)
        checked = check(envelope, {})
        request = _read_request(checked.document) if checked.document is not None else None
    except ProblemsError as refused:
        return None, list(refused.problems)
    if request is None:
        return None, [_refused(*MEANING[checked.status], f"signature_{checked.status}")]
    if request.verifier in (header.audited, *header.parties.values()):
        cause = f"The request is that of {request.verifier}, a party of this package."
        return None, [_refused(cause, "Only the verifier says what may be left out.", "request_of_own")]
    checked = check(envelope, pinned.keys_of(request.verifier))
    if checked.valid:
        return request, []
    if others := pinned.others(checked.kid, request.verifier):
        cause = f"The request names {request.verifier} and was signed by {', '.join(others)}."
        return None, [_refused(cause, "Only the verifier says what may be left out.", "request_of_other")]
    return request, [_refused(*MEANING[checked.status], f"signature_{checked.status}")]


def _refused(cause: str, remedy: str, code: str) -> Problem:
    return Problem(Place(REQUEST), cause, remedy, _CITE, code=code)
