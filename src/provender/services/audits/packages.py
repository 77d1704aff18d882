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
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from provender.audit.findings import write_log
from provender.audit.package.layout import ENTRIES, Pin, pins_document, read_pins
from provender.audit.package.write import Allowance
from provender.audit.programme import Role as AuditRole
from provender.audit.statement.statement import ADDENDUM_KIND
from provender.audit.statement.statement import KIND as STATEMENT
from provender.custody.documents.receive import TYPS
from provender.custody.model.entities import Contract, fingerprint_of
from provender.database.actor import Actor
from provender.database.models.accounts import Organisation
from provender.database.models.audits import Audit, AuditEntry, EntryKind, VerifierKey
from provender.database.models.farm import (
    Book,
    BookKind,
    PartyKey,
    ProducerKey,
    ReportVersion,
    SignedDocument,
    SignedSlip,
    Upload,
)
from provender.database.store.custody import SqlStore
from provender.database.store.party_book import book_of, own_entries_file
from provender.problem import ProblemsError, refuse
from provender.records.folder import write_csv
from provender.records.kind import KINDS
from provender.report.typ import TYP
from provender.report.versions import ENDING, leaves_document
from provender.schema import write
from provender.services import transparency
from provender.services.audits import audits, package_worker
from provender.services.audits.audits import add_entry
from provender.services.background import OUTCOME, REQUEST, Progress, progress_in, spawn, write_json
from provender.services.custody.context import READER
from provender.services.farm.book import FARM, FarmBook, head_of, texts_of
from provender.services.farm.boundaries import kept_files, leaf_secret_of_book
from provender.services.farm.files import path_of
from provender.services.farm.folder import side_files, write_files
from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import DOCUMENT, check
from provender.signing.keys import PublicKey

# What lies in the database as the folders that packages are made from: a farm's book, an entity's papers.

REPORTS: Final = "reports"
_PAPER_BYTES: Final = 4 * 2**20
"""No document of subpart D is larger; what is larger is evidence of another kind."""


def farm_of(organisation: Organisation) -> FarmBook | None:
    """Return the last version of a farm's book, or None where it keeps none here."""
    book = Book.objects.filter(organisation=organisation, kind=BookKind.FARM).first()
    head = head_of(book) if book else None
    return FarmBook(book, head.number) if book and head else None


def write_farm(farm: FarmBook, folder: Path) -> None:
    """Write a farm's records, evidence, boundaries and reports as a RecordBook folder."""
    for name, kind in KINDS.items():
        rows = [texts_of(kind, row) | {FARM: farm.farm_id} for row in farm.of(kind).values()]
        if rows:
            columns = list(kind.typed_fields)
            lines = [columns, *([row[column] for column in columns] for row in rows)]
            _put(folder / f"{name}.csv", write_csv(lines).encode())
    # Rejected rows make incomplete the book and maps say how files were read: both belong to what is judged.
    write_files(side_files(farm.files), folder)
    for path, stored in kept_files(farm):
        _link(folder / path, stored)
    for report in ReportVersion.objects.filter(book=farm.book):
        _put(folder / REPORTS / _report_name(report), canonical_json(envelope_of(report)))
        opening = leaves_document(json.loads(report.document), leaf_secret_of_book(farm), {})
        _put(folder / REPORTS / _report_name(report).replace(".json", ENDING), canonical_json(opening))


def _report_name(report: ReportVersion) -> str:
    """Return the file name of a report, such as ``corn-2025-v1.json``."""
    return f"{report.crop}-{report.harvest_year}-v{report.number}.json"


def envelope_of(report: ReportVersion) -> dict[str, Any]:
    """Return a report with its signature as it was signed; without one where nobody signed it."""
    return _envelope(report.document, report.signature)


def _envelope(document: str, signature: str) -> dict[str, Any]:
    signed = {"signature": signature} if signature else {}
    return {"document": json.loads(document), **signed}


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _link(path: Path, stored: Path) -> None:
    """Put a stored file where it belongs without copying it: what is stored under its hash never changes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    try:
        path.hardlink_to(stored)
    except OSError:  # another disk, or one that knows no links
        shutil.copyfile(stored, path)


def write_entity(organisation: Organisation, folder: Path) -> tuple[Path, Path, Path, list[Pin]]:
    """Write an entity's custody book, the documents and the statements it keeps.

    Returns:
        The book, the folder of documents, the folder of statements, and the keys of the parties behind them.
    """
    book, documents, statements = folder / "book.jsonl", folder / "documents", folder / "statements"
    for one in (documents, statements):
        one.mkdir(parents=True)
    _put(book, book_of(organisation.handle))
    _put(book.with_name(ENTRIES), own_entries_file(organisation.handle))
    papers = dict(_papers(organisation))
    for name, paper in papers.items():
        kind = str(paper.get("document", {}).get("kind", ""))
        _put((statements if kind in (STATEMENT, ADDENDUM_KIND) else documents) / name, canonical_json(paper))
    return book, documents, statements, list(pins_of(organisation, papers.values()))


def _papers(organisation: Organisation) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield names and envelopes: reports of the farms that supplied it, statements about it, papers it keeps."""
    for report in _reports_behind(organisation):
        yield f"{report.book.organisation.handle}-{_report_name(report)}", envelope_of(report)
    for audit, envelope in audits.signed_about(organisation):
        yield f"statement-{audit.handle}.json", envelope
        for entry in audits.entries(audit, EntryKind.ADDENDUM):
            yield f"statement-{audit.handle}-later-{entry.number}.json", entry.said
    for number, paper in _signed_here(organisation):
        yield f"{paper['document']['type']}-{number}.json".replace("/", "-"), paper
    for upload in Upload.objects.filter(organisation=organisation, size__lte=_PAPER_BYTES):
        kept = _read_paper(upload)
        if kept is not None:
            yield f"{upload.handle}.json", kept


def _signed_here(organisation: Organisation) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what parties signed on this server, by number: its own papers, sales to it, and slips that farms gave it.

    A paper is called as it is kept: figures of the same days that say something else are another paper.
    """
    with SqlStore(Actor(None, "audit")).reading() as facts:
        steps = facts.steps(organisation.handle)
    sales = {one.movement for one in steps if one.type == "sale" and one.after.owner == organisation.handle}
    own, sold = (SignedDocument.objects.filter(**of) for of in ({"organisation": organisation}, {"number__in": sales}))
    for kept in (own, sold):
        for number, text in kept.order_by("id").values_list("number", "text"):
            yield number, json.loads(text)
    for slip in SignedSlip.objects.filter(organisation__handle__in=audits.farms_behind(organisation.handle)):
        envelope = _envelope(slip.document, slip.signature)
        if envelope["document"].get("buyer", {}).get("id") == organisation.handle:
            yield str(envelope["document"]["number"]), envelope


def _reports_behind(organisation: Organisation) -> Iterable[ReportVersion]:
    found = ReportVersion.objects.filter(book__organisation__handle__in=audits.farms_behind(organisation.handle))
    return found.select_related("book__organisation").order_by("id")


def _read_paper(upload: Upload) -> dict[str, Any] | None:
    """Return a signed document of subpart D or a statement; None for any other file."""
    path = path_of(upload.sha256)
    if not path.is_file():
        return None
    content = path.read_bytes()
    if not content.lstrip().startswith(b"{"):
        return None
    try:
        found = read_json(content, file=upload.name)
    except ProblemsError:
        return None
    inner = found.get("document") if isinstance(found, dict) else None
    known = isinstance(inner, dict) and (inner.get("type") in TYPS or inner.get("kind") in (STATEMENT, ADDENDUM_KIND))
    return found if known and isinstance(found, dict) else None


def pins_of(organisation: Organisation, papers: Iterable[Mapping[str, Any]]) -> Iterator[Pin]:
    """Yield the public keys that an entity's contracts name, taken from the signatures made with them."""
    with SqlStore(Actor(None, "audit")).reading() as facts:
        contracts = [one for one in facts.many(Contract, organisation.handle) if one.signing_key]
    wanted = {(one.counterparty, fingerprint_of(one.signing_key)): one.id for one in contracts}
    for paper in papers:
        if not wanted:
            return  # of thousands of papers the first ones of each party have shown every key
        document = paper.get("document", {})
        checked = check(paper, {}, typ=DOCUMENT if "kind" in document else TYPS.get(document.get("type"), TYP))
        if checked.key is None:
            continue
        for one in [one for one in wanted if one[1] == checked.kid]:
            yield Pin(one[0], checked.key, f"contract {wanted.pop(one)}")


def _write_rotations(farms: Iterable[str], folder: Path) -> None:
    """Write the statements by which keys of farms took over from others, into a folder that is made for them."""
    folder.mkdir(parents=True)
    for held in ProducerKey.objects.filter(organisation__handle__in=list(farms)).exclude(replaces="").order_by("id"):
        _put(folder / f"rotation-{held.fingerprint[:12]}.json", canonical_json(held.statement))


def _pins_of_farm(farm: FarmBook) -> Iterator[Pin]:
    """Yield a farm's keys: those registered here, and those its producers state, taken from its reports' signatures."""
    seen: set[str] = set()
    for held in ProducerKey.objects.filter(organisation=farm.book.organisation).order_by("id"):
        seen.add(held.fingerprint)
        yield Pin(farm.farm_id, PublicKey.from_jwk(held.public), f"registered by {held.producer_id}")
    stated = {str(row.get("key_fingerprint") or "") for row in farm.of(KINDS["producer"]).values()} - {""}
    for report in ReportVersion.objects.filter(book=farm.book).order_by("id"):
        key = check(envelope_of(report), {}, typ=TYP).key
        if key is not None and key.fingerprint in stated - seen:
            seen.add(key.fingerprint)
            yield Pin(farm.farm_id, key, "the farm's own records")


FOLDER: Final = "packages"
KEPT: Final = timedelta(days=1)
"""How long a package that no statement names can be downloaded; then it is asked for again."""

BY_SERVER: Final = "server, as asked for"
MADE_BY_SERVER: Final = (EntryKind.PACKAGE, EntryKind.RESULT)
"""Entries of what the server made beside its pages; they bear the name of who asked."""


def package_said(what: str) -> str:
    """Return what a package is of in words; of a farm its code."""
    said = {package_worker.ENTITY: "the party's books and documents", package_worker.WHOLE: "the whole audit"}
    return said.get(what, what)


def choices(audit: Audit, today: date) -> list[tuple[str, str]]:
    """Return what packages an audit can ask for today, with their names."""
    if audit.role == AuditRole.FARM:
        return [(audit.audited.handle, f"Records and reports of {audit.audited}")]
    found = [(package_worker.ENTITY, f"The party's books and documents, {audit.covered_first} to {audit.covered_last}")]
    drawn = audits.drawn_farms(audit)
    if drawn:
        found.append((package_worker.WHOLE, "The whole audit: party, sample and all drawn farms that let you in"))
        grants = audits.open_to(audit.verifier, drawn, today)
        found += [(one, f"Farm {grant.audited} ({one})") for one, grant in grants.items()]
    return found


def ask(audit: Audit, order: package_worker.Order, *, actor: Actor) -> AuditEntry:
    """Lay a package out and start the process that makes it; does not wait for it.

    Raises:
        ProblemsError: a farm keeps no records here; no sample; RefusedError as ``add_entry``.
    """
    _clear_old()
    said = {"what": order.what, "verify": order.verify, "allowed": order.allowed}
    # Laid out before the entry has its number: a transaction over both would keep everybody from writing meanwhile.
    made = _packages_of(audit) / f"new-{secrets.token_hex(8)}"
    try:
        with READER.reading():
            transparency.write_proofs(_laid_out(audit, order, made))
            write_json(made / REQUEST, write(order, whole=True))
        with transaction.atomic():
            entry = add_entry(audit, EntryKind.ASKED, said, actor=actor, about=order.what)
            shutil.rmtree(_folder_of(entry), ignore_errors=True)
            made.rename(_folder_of(entry))
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    spawn("provender.services.audits.package_worker", _folder_of(entry))
    return entry


def _folder_of(asked: AuditEntry) -> Path:
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
        str(entry.said["asked"]): entry.said["made"]["mark"] for entry in audits.entries(audit, EntryKind.RESULT)
    }
    said = [entry.said["document"] for entry in audits.entries(audit, EntryKind.STATEMENT)]
    if not said:
        said = [entry.said for entry in audits.entries(audit, EntryKind.DRAFT)[-1:]]
    marks = {one.get("package_mark") for one in said}
    next_named = audits.party_result(audit) if not audits.entries(audit, EntryKind.STATEMENT) else None
    latest = {str(next_named.said["asked"])} if next_named else set()
    return frozenset(latest | {number for number, mark in results.items() if mark in marks})


def _clear_work(folder: Path, package: str) -> None:
    """Remove what a package was made from; it stays itself, with the request that names it."""
    for one in folder.iterdir():
        if one.is_dir():
            shutil.rmtree(one, ignore_errors=True)
        elif one.name not in (REQUEST, OUTCOME, package):
            one.unlink()


def order_of(
    audit: Audit, what: str, allowances: Iterable[Allowance], day: date, *, verify: bool
) -> package_worker.Order:
    """Return the order of a package as of a day: one of ``choices``, what may be absent, whether it is recomputed."""
    drawn = audits.drawn_farms(audit) if what == package_worker.WHOLE else []
    grants = audits.open_to(audit.verifier, drawn, day)
    return package_worker.Order(
        what, verify, f"{audit.number or audit.handle}-{what}.zip".replace("/", "-"), audit.verifier.handle, audit.role,
        audit.covered_first, audit.covered_last, day, tuple(allowances), tuple(sorted(grants)),
        tuple(one for one in drawn if one not in grants),
    )  # fmt: skip


def _laid_out(audit: Audit, order: package_worker.Order, folder: Path) -> Path:
    """Write what the database holds into the folder, and return it."""
    (folder / package_worker.PINS).mkdir(parents=True)
    if order.what not in (package_worker.ENTITY, package_worker.WHOLE):
        _farm(Organisation.objects.get(handle=order.what), folder)
        return _with_known_keys(audit, folder)
    *_, pins = write_entity(audit.audited, folder / "entity")
    (folder / package_worker.PINS / f"{package_worker.ENTITY}.json").write_bytes(canonical_json(pins_document(pins)))
    _write_rotations(audits.farms_behind(audit.audited.handle), folder / package_worker.PINS / package_worker.ENTITY)
    if order.what == package_worker.WHOLE:
        for grant in audits.open_to(audit.verifier, audits.drawn_farms(audit), order.day).values():
            _farm(grant.audited, folder)
        (folder / package_worker.SAMPLE).write_bytes(canonical_json(audits.sample_of(audit)))
        events = audits.finding_events(audit)
        if events:
            (folder / package_worker.FINDINGS).write_bytes(write_log(events))
    return _with_known_keys(audit, folder)


def _with_known_keys(audit: Audit, folder: Path) -> Path:
    """Write the keys that the recomputation goes by: those of the lists laid out, and every one registered here."""
    lists = sorted((folder / package_worker.PINS).glob("*.json"))
    laid = [pin for path in lists for pin in read_pins(path.read_bytes(), path.name).pins]
    parties = {audit.audited.handle, *(pin.party for pin in laid)}
    with SqlStore(Actor(None, "audit")).reading() as facts:
        parties |= {one.counterparty for one in facts.many(Contract, audit.audited.handle)}
    registered = [
        Pin(row.organisation.handle, PublicKey.from_jwk(row.public), "registered on this server")
        for rows in (
            ProducerKey.objects.filter(organisation__handle__in=parties),
            PartyKey.objects.filter(organisation__handle__in=parties),
            VerifierKey.objects.all(),
        )
        for row in rows.select_related("organisation").order_by("id")
    ]
    known = canonical_json(pins_document(dict.fromkeys([*laid, *registered])))
    (folder / package_worker.KNOWN).write_bytes(known)
    return folder


def _farm(organisation: Organisation, folder: Path) -> None:
    farm = farm_of(organisation)
    if farm is None:
        cause = f"{organisation} keeps no records here."
        raise refuse(str(organisation), cause, "Ask the farm for a package of its own making.", code="no_book")
    write_farm(farm, folder / package_worker.FARMS / organisation.handle)
    pins = canonical_json(pins_document(_pins_of_farm(farm)))
    (folder / package_worker.PINS / f"{organisation.handle}.json").write_bytes(pins)
    _write_rotations([organisation.handle], folder / package_worker.PINS / organisation.handle)


def progress(asked: AuditEntry) -> Progress:
    """Return how far a package is."""
    return progress_in(_folder_of(asked))


def answer_to(asked: AuditEntry) -> AuditEntry | None:
    """Return the entry that says what became of a package, or None while nobody entered it."""
    kinds = (EntryKind.RESULT, EntryKind.PACKAGE, EntryKind.ASKED)
    found = AuditEntry.objects.filter(audit=asked.audit, number__gt=asked.number, kind__in=kinds)
    return next((one for one in found if one.said.get("asked") == asked.number), None)


def record_package(asked: AuditEntry) -> AuditEntry | None:
    """Enter what became of a package, once, in the name of who asked; None while the process is at work.

    Raises:
        RefusedError: the audit was closed meanwhile.
    """
    path = _folder_of(asked) / OUTCOME
    with transaction.atomic():
        # Two who look at the same moment enter it one after the other, and the second finds it entered.
        Audit.objects.select_for_update().get(pk=asked.audit_id)
        known = answer_to(asked)
        if known is not None or not path.is_file():
            return known
        outcome = json.loads(path.read_text("utf-8"))
        kind, said = _said(outcome)
        # Whoever opens a page sees it entered; it was the server that did the work, when somebody had asked for it.
        about = f"{asked.said['what']}, asked for on {timezone.localdate(asked.at)}"
        actor = Actor(asked.actor, BY_SERVER)
        entry = add_entry(asked.audit, kind, {**said, "asked": asked.number}, actor=actor, about=about)
    folder, package = _folder_of(asked), package_file(asked)
    if package is None or kind is EntryKind.ASKED:
        shutil.rmtree(folder, ignore_errors=True)
    elif kind is EntryKind.RESULT:
        _clear_work(folder, package.name)
    return entry


def _said(outcome: Mapping[str, Any]) -> tuple[EntryKind, dict[str, Any]]:
    if "made" not in outcome:
        return EntryKind.ASKED, {"problems": outcome["problems"]}
    made: dict[str, Any] = outcome["made"]
    if "found" in outcome:
        return EntryKind.RESULT, {**outcome["found"], "made": made, "what": made["what"]}
    return EntryKind.PACKAGE, made


def package_file(asked: AuditEntry) -> Path | None:
    """Return the zip of a package, as long as it is kept: one that a statement names always, another for a day."""
    try:
        order = json.loads((_folder_of(asked) / REQUEST).read_text("utf-8"))
    except FileNotFoundError:
        return None
    path = _folder_of(asked) / str(order["name"])
    return path if path.is_file() else None
