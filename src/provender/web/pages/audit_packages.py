"""Making verification packages out of the database, as the verifier's request lets them be (READINGS 53)."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from provender import __version__
from provender.audit.collect import Content, collect_audit, collect_entity, collect_farm, rule_of, with_keys
from provender.audit.findings import write_log
from provender.audit.package import Allowance, Header, PackageRequest, Subject, make_package, open_package
from provender.audit.pins import Pin
from provender.audit.statement import Role as AuditRole
from provender.database.audits import finding_events, open_to
from provender.database.models import Audit, Organisation
from provender.problem import refuse
from provender.rule.parameters import parameters
from provender.signing.canonical import canonical_json
from provender.signing.jws import sign
from provender.signing.keys import SigningKey
from provender.web.pages.audit_draw import drawn_farms, sample_of
from provender.web.pages.audit_folders import farm_of, pins_of_farm, write_entity, write_farm

ENTITY: Final = "entity"
WHOLE: Final = "audit"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a verifier asks for.

    Attributes:
        what: ``entity`` (the party's period), ``audit`` (all of it), or the code of a farm.
        allowances: what may be absent, each with the verifier's reason.
        day: today.
    """

    what: str
    allowances: tuple[Allowance, ...]
    day: date


@dataclass(frozen=True, slots=True)
class Made:
    """A package in a file that goes with its folder.

    Attributes:
        path: the zip.
        mark: the hash that stands for all of it.
        header: what it says of itself.
        count: how many files it holds.
        absent: drawn farms that are not in it because they let the verifier in no longer or not yet.
    """

    path: Path
    mark: str
    header: Header
    count: int
    absent: tuple[str, ...] = ()

    def entry(self, wanted: Wanted) -> dict[str, Any]:
        """Return what the audit keeps of it."""
        return {
            "what": wanted.what,
            "subject": str(self.header.subject),
            "mark": self.mark,
            "files": self.count,
            "first": self.header.first.isoformat(),
            "last": self.header.last.isoformat(),
            "allowed": [{"part": str(one.part), "reason": one.reason} for one in wanted.allowances],
            "absent": list(self.absent),
        }


def choices(audit: Audit, today: date) -> list[tuple[str, str]]:
    """Return what packages an audit can ask for today, with their names."""
    if audit.role == AuditRole.FARM:
        return [(audit.audited.handle, f"Records and reports of {audit.audited}")]
    found = [(ENTITY, f"Books and documents of {audit.audited}, {audit.covered_first} to {audit.covered_last}")]
    drawn = drawn_farms(audit)
    if drawn:
        found.append((WHOLE, "The whole audit: party, sample and all drawn farms that let you in"))
        found += [(one, f"Farm {open_one.audited} ({one})") for one, open_one in _open(audit, drawn, today).items()]
    return found


def _open(audit: Audit, farms: Iterable[str], today: date) -> Mapping[str, Any]:
    return open_to(audit.verifier, farms, today)


@contextmanager
def made_package(audit: Audit, wanted: Wanted) -> Iterator[Made]:
    """Make a package in a folder of its own, which is removed at the end.

    Raises:
        ProblemsError: something is missing that the request does not spare, or a farm keeps no records here.
    """
    with TemporaryDirectory(prefix="provender-package-") as folder:
        yield _make(audit, wanted, Path(folder))


def _make(audit: Audit, wanted: Wanted, folder: Path) -> Made:
    absent: tuple[str, ...] = ()
    if wanted.what == ENTITY:
        content, _ = _entity(audit, folder / "entity")
    elif wanted.what == WHOLE:
        content, absent = _whole(audit, wanted, folder)
    else:
        content = _farm(Organisation.objects.get(handle=wanted.what), folder / "farm")
    path = folder / f"{audit.number or audit.handle}-{wanted.what}.zip".replace("/", "-")
    return _pack(audit, wanted, content, path, absent)


def _pack(audit: Audit, wanted: Wanted, content: Content, path: Path, absent: tuple[str, ...] = ()) -> Made:
    first, last = content.first, content.last
    request = PackageRequest(
        audit.verifier.handle, content.audited, content.subject, first, last, wanted.allowances, wanted.day
    )
    header = Header(
        content.subject, content.audited, content.name, first, last, rule_of(content.files, parameters().id),
        f"provender {__version__}", wanted.day, content.parties, content.left_out,
    )  # fmt: skip
    # The request must be whole to be followed; who asked stands in the logs of both sides, not in this key.
    mark = make_package(path, header, content.files, sign(request.document(), SigningKey.generate()))
    return Made(path, mark, header, len(content.files), absent)


def _farm(organisation: Organisation, folder: Path) -> Content:
    farm = farm_of(organisation)
    if farm is None:
        cause = f"{organisation} keeps no records here."
        raise refuse(str(organisation), cause, "Ask the farm for a package of its own making.", code="no_book")
    write_farm(farm, folder)
    content = collect_farm(folder, [folder / "reports"])
    with_keys(content, pins_of_farm(farm))
    return content


def _entity(audit: Audit, folder: Path) -> tuple[Content, list[Pin]]:
    book, documents, statements, pins = write_entity(audit.audited, folder)
    days = (audit.covered_first, audit.covered_last)
    content = collect_entity(book, [documents], [statements], days)
    with_keys(content, pins)
    return content, pins


def _whole(audit: Audit, wanted: Wanted, folder: Path) -> tuple[Content, tuple[str, ...]]:
    entity, pins = _entity(audit, folder / "entity")
    drawn = drawn_farms(audit)
    grants = _open(audit, drawn, wanted.day)
    farms = []
    for handle, grant in sorted(grants.items()):
        content = _farm(grant.audited, folder / handle)
        farm = farm_of(grant.audited)
        pins += list(pins_of_farm(farm)) if farm else []
        path = folder / f"{handle}.zip"
        _pack(audit, wanted, content, path)
        farms.append(open_package(path))
    sample = folder / "sample.json"
    sample.write_bytes(canonical_json(sample_of(audit)))
    events = finding_events(audit)
    findings = folder / "findings.jsonl"
    if events:
        findings.write_bytes(write_log(events))
    content = collect_audit(entity, farms, sample, findings if events else None)
    with_keys(content, dict.fromkeys(pins))
    return content, tuple(one for one in drawn if one not in grants)


def roles_for(audit: Audit, subject: Subject) -> tuple[AuditRole, ...]:
    """Return in which role the party of a package is audited."""
    return (AuditRole.FARM,) if subject is Subject.FARM_REPORT else (AuditRole(audit.role),)
