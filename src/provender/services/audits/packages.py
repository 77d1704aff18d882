"""Asking for a package, telling how far it is, and entering what became of it in the audit.

What the database holds is laid out within the request: the process beside the server reads files of other people and so
gets no database, and a thread of the server would take as much of it and could be lost. What the request may take is
bounded: it grows with the books of the party and the drawn farms, not with the server. On a server with a million
movements an elevator with 5,000 events takes two to five seconds and 60 MB, a farm of 40 fields a thirtieth of one.
Evidence is linked, not copied.
"""

import json
import secrets
import shutil
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, cast

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from provender.audit.findings.log import write_log
from provender.audit.package.pins import pins_document
from provender.audit.package.write import Allowance
from provender.audit.programme.items import Role as AuditRole
from provender.database.actor import Actor
from provender.database.models import Audit, AuditEntry, EntryKind, Organisation
from provender.database.store.audits import (
    data_of,
    drawn_farms,
    entries,
    farms_behind,
    finding_events,
    open_to,
    sample_of,
)
from provender.formats.parsed import decode, encode
from provender.problem import refuse
from provender.services import transparency
from provender.services.audits.audits import add_entry
from provender.services.audits.package_order import ENTITY, FARMS, FINDINGS, PINS, SAMPLE, WHOLE, Order, PackageResult
from provender.services.audits.package_sources import farm_of, pins_of_farm, write_entity, write_farm, write_rotations
from provender.services.background import OUTCOME, REQUEST, Progress, progress_in, spawn, write_whole
from provender.services.custody.context import READER
from provender.signing.canonical import canonical_json

FOLDER: Final = "packages"
KEPT: Final = timedelta(days=1)
"""How long a package that no statement names can be downloaded; then it is asked for again."""

BY_SERVER: Final = "server, as asked for"
MADE_BY_SERVER: Final = (EntryKind.PACKAGE, EntryKind.RESULT)
"""Entries of what the server made beside its pages; they bear the name of who asked."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a verifier asks for.

    Attributes:
        what: ``entity`` (the party's period), ``audit`` (all of it), or the code of a farm.
        allowances: what may be absent, each with the verifier's reason.
        day: today.
        verify: recompute it here; without, it is taken away.
    """

    what: str
    allowances: tuple[Allowance, ...]
    day: date
    verify: bool


def choices(audit: Audit, today: date) -> list[tuple[str, str]]:
    """Return what packages an audit can ask for today, with their names."""
    if audit.role == AuditRole.FARM:
        return [(audit.audited.handle, f"Records and reports of {audit.audited}")]
    found = [(ENTITY, f"Books and documents of {audit.audited}, {audit.covered_first} to {audit.covered_last}")]
    drawn = drawn_farms(audit)
    if drawn:
        found.append((WHOLE, "The whole audit: party, sample and all drawn farms that let you in"))
        grants = open_to(audit.verifier, drawn, today)
        found += [(one, f"Farm {grant.audited} ({one})") for one, grant in grants.items()]
    return found


def ask(audit: Audit, wanted: Wanted, *, actor: Actor) -> AuditEntry:
    """Lay a package out and start the process that makes it; does not wait for it.

    Raises:
        ProblemsError: a farm keeps no records here; no sample; RefusedError as ``add_entry``.
    """
    _clear_old()
    allowed = [{"part": str(one.part), "reason": one.reason} for one in wanted.allowances]
    said = {"what": wanted.what, "verify": wanted.verify, "allowed": allowed}
    # Laid out before the entry has its number: a transaction over both would keep everybody from writing meanwhile.
    made = _packages_of(audit) / f"new-{secrets.token_hex(8)}"
    try:
        with READER.reading():
            transparency.write_proofs(_laid_out(audit, wanted, made))
            write_whole(made / REQUEST, encode(_order(audit, wanted)))
        with transaction.atomic():
            entry = add_entry(audit, EntryKind.ASKED, said, actor=actor, about=wanted.what)
            shutil.rmtree(folder_of(entry), ignore_errors=True)
            made.rename(folder_of(entry))
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    spawn("provender.services.audits.package_worker", folder_of(entry))
    return entry


def folder_of(asked: AuditEntry) -> Path:
    """Return the working folder of a package that was asked for."""
    return _packages_of(asked.audit) / str(asked.number)


def _packages_of(audit: Audit) -> Path:
    return Path(settings.UPLOAD_FOLDER) / FOLDER / audit.handle


def _clear_old() -> None:
    """Remove packages whose time is over, of every audit: an audit that is closed asks for none any more."""
    until = (timezone.now() - KEPT).timestamp()
    whole = Path(settings.UPLOAD_FOLDER) / FOLDER
    # Beside the folders of audits lie the slots of the workers, which are files.
    for folder in whole.iterdir() if whole.is_dir() else ():
        old = [one for one in folder.iterdir() if _is_old_folder(one, until)] if folder.is_dir() else []
        audit = Audit.objects.filter(handle=folder.name).first() if old else None
        named = named_packages(audit) if audit else frozenset[str]()
        for one in old:
            if one.name not in named:
                shutil.rmtree(one, ignore_errors=True)


def _is_old_folder(one: Path, until: float) -> bool:
    """Tell whether a folder is older than a time; what somebody else clears meanwhile is none."""
    try:
        return one.stat().st_mtime < until and one.is_dir()
    except FileNotFoundError:
        return False


def named_packages(audit: Audit) -> frozenset[str]:
    """Return the numbers of the packages that stay: those whose hash a statement names, signed or drafted.

    Before a statement is signed the last one recomputed is among them: the next draft will name it.
    """
    results = {
        str(data_of(entry)["asked"]): data_of(entry)["made"]["mark"] for entry in entries(audit, EntryKind.RESULT)
    }
    said = [data_of(entry)["document"] for entry in entries(audit, EntryKind.STATEMENT)]
    if not said:
        said = [data_of(entry) for entry in entries(audit, EntryKind.DRAFT)[-1:]]
    marks = {one.get("package_mark") for one in said}
    latest = set(list(results)[-1:]) if not entries(audit, EntryKind.STATEMENT) else set()
    return frozenset(latest | {number for number, mark in results.items() if mark in marks})


def _clear_work(folder: Path, package: str) -> None:
    """Remove what a package was made from; it stays itself, with the request that names it."""
    for one in folder.iterdir():
        if one.is_dir():
            shutil.rmtree(one, ignore_errors=True)
        elif one.name not in (REQUEST, OUTCOME, package):
            one.unlink()


def _order(audit: Audit, wanted: Wanted) -> Order:
    whole = wanted.what == WHOLE
    drawn = drawn_farms(audit) if whole else []
    grants = open_to(audit.verifier, drawn, wanted.day)
    return Order(
        wanted.what,
        wanted.verify,
        f"{audit.number or audit.handle}-{wanted.what}.zip".replace("/", "-"),
        audit.verifier.handle,
        audit.role,
        audit.covered_first,
        audit.covered_last,
        wanted.day,
        wanted.allowances,
        tuple(sorted(grants)),
        tuple(one for one in drawn if one not in grants),
    )


def _laid_out(audit: Audit, wanted: Wanted, folder: Path) -> Path:
    """Write what the database holds into the folder, and return it."""
    (folder / PINS).mkdir(parents=True)
    if wanted.what not in (ENTITY, WHOLE):
        _farm(Organisation.objects.get(handle=wanted.what), folder)
        return folder
    *_, pins = write_entity(audit.audited, folder / "entity")
    (folder / PINS / f"{ENTITY}.json").write_bytes(canonical_json(pins_document(pins)))
    write_rotations(farms_behind(audit.audited.handle), folder / PINS / ENTITY)
    if wanted.what == WHOLE:
        for grant in open_to(audit.verifier, drawn_farms(audit), wanted.day).values():
            _farm(grant.audited, folder)
        (folder / SAMPLE).write_bytes(canonical_json(sample_of(audit)))
        events = finding_events(audit)
        if events:
            (folder / FINDINGS).write_bytes(write_log(events))
    return folder


def _farm(organisation: Organisation, folder: Path) -> None:
    farm = farm_of(organisation)
    if farm is None:
        cause = f"{organisation} keeps no records here."
        raise refuse(str(organisation), cause, "Ask the farm for a package of its own making.", code="no_book")
    write_farm(farm, folder / FARMS / organisation.handle)
    pins = canonical_json(pins_document(pins_of_farm(farm)))
    (folder / PINS / f"{organisation.handle}.json").write_bytes(pins)
    write_rotations([organisation.handle], folder / PINS / organisation.handle)


def progress(asked: AuditEntry) -> Progress:
    """Return how far a package is."""
    return progress_in(folder_of(asked))


def answer_to(asked: AuditEntry) -> AuditEntry | None:
    """Return the entry that says what became of a package, or None while nobody entered it."""
    kinds = (EntryKind.RESULT, EntryKind.PACKAGE, EntryKind.ASKED)
    found = AuditEntry.objects.filter(audit=asked.audit, number__gt=asked.number, kind__in=kinds)
    return next((one for one in found if data_of(one).get("asked") == asked.number), None)


def record_package(asked: AuditEntry) -> AuditEntry | None:
    """Enter what became of a package, once, in the name of who asked; None while the process is at work.

    Raises:
        RefusedError: the audit was closed meanwhile.
    """
    path = folder_of(asked) / OUTCOME
    with transaction.atomic():
        # Two who look at the same moment enter it one after the other, and the second finds it entered.
        Audit.objects.select_for_update().get(pk=asked.audit_id)
        known = answer_to(asked)
        if known is not None or not path.is_file():
            return known
        outcome = cast("PackageResult", decode(PackageResult, json.loads(path.read_text("utf-8"))))
        kind, said = _said(outcome)
        # Whoever opens a page sees it entered; it was the server that did the work, when somebody had asked for it.
        about = f"{data_of(asked)['what']}, asked for on {timezone.localdate(asked.at)}"
        actor = Actor(asked.actor, BY_SERVER)
        entry = add_entry(asked.audit, kind, {**said, "asked": asked.number}, actor=actor, about=about)
    folder, package = folder_of(asked), package_file(asked)
    if package is None or kind is EntryKind.ASKED:
        shutil.rmtree(folder, ignore_errors=True)
    elif kind is EntryKind.RESULT:
        _clear_work(folder, package.name)
    return entry


def _said(outcome: PackageResult) -> tuple[EntryKind, dict[str, Any]]:
    if outcome.made is None:
        return EntryKind.ASKED, {"problems": [one.as_json() for one in outcome.problems]}
    made = cast("dict[str, Any]", encode(outcome.made))
    if outcome.found:
        return EntryKind.RESULT, {**json.loads(outcome.found), "made": made, "what": outcome.made.what}
    return EntryKind.PACKAGE, made


def package_file(asked: AuditEntry) -> Path | None:
    """Return the zip of a package, as long as it is kept: one that a statement names always, another for a day."""
    try:
        order = json.loads((folder_of(asked) / REQUEST).read_text("utf-8"))
    except FileNotFoundError:
        return None
    path = folder_of(asked) / str(order["name"])
    return path if path.is_file() else None
