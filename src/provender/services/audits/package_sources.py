"""What lies in the database as the folders that packages are made from: a farm's book, an entity's papers."""

import json
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from provender.audit.package.layout import ENTRIES
from provender.audit.package.pins import Pin
from provender.audit.statement.statement import ADDENDUM_KIND
from provender.audit.statement.statement import KIND as STATEMENT
from provender.custody.documents.sign import TYPS
from provender.custody.model.entities import Contract
from provender.custody.model.pinned_keys import fingerprint_of
from provender.database.actor import Actor
from provender.database.models import (
    Book,
    BookKind,
    EntryKind,
    Organisation,
    ProducerKey,
    ReportVersion,
    SignedDocument,
    SignedSlip,
    Upload,
)
from provender.database.store.audits import data_of, entries, farms_behind, signed_about
from provender.database.store.custody import SqlStore
from provender.database.store.own_chain import own_entries_file
from provender.database.store.party_book import book_of
from provender.problem import ProblemsError
from provender.records.folder import write_csv
from provender.records.kind import KINDS
from provender.report.leaves_file import ENDING, leaves_document
from provender.report.typ import TYP
from provender.services.farm.book import FARM, FarmBook, head_of, texts_of
from provender.services.farm.bound_files import kept_files, leaf_secret_of_book
from provender.services.farm.folder import side_files, write_files
from provender.services.farm.uploads import path_of
from provender.signing.canonical import canonical_json, read_json
from provender.signing.jws import check
from provender.signing.keys import PublicKey

REPORTS: Final = "reports"
PAPER_BYTES: Final = 4 * 2**20
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
        _put(folder / REPORTS / report_name(report), canonical_json(envelope_of(report)))
        opening = leaves_document(json.loads(report.document), leaf_secret_of_book(farm), {})
        _put(folder / REPORTS / report_name(report).replace(".json", ENDING), canonical_json(opening))


def report_name(report: ReportVersion) -> str:
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
        yield f"{report.book.organisation.handle}-{report_name(report)}", envelope_of(report)
    for audit, envelope in signed_about(organisation):
        yield f"statement-{audit.handle}.json", envelope
        for entry in entries(audit, EntryKind.ADDENDUM):
            yield f"statement-{audit.handle}-later-{entry.number}.json", data_of(entry)
    for number, paper in _signed_here(organisation):
        yield f"{paper['document']['type']}-{number}.json".replace("/", "-"), paper
    for upload in Upload.objects.filter(organisation=organisation, size__lte=PAPER_BYTES):
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
    for slip in SignedSlip.objects.filter(organisation__handle__in=farms_behind(organisation.handle)):
        envelope = _envelope(slip.document, slip.signature)
        if envelope["document"].get("buyer", {}).get("id") == organisation.handle:
            yield str(envelope["document"]["number"]), envelope


def _reports_behind(organisation: Organisation) -> Iterable[ReportVersion]:
    found = ReportVersion.objects.filter(book__organisation__handle__in=farms_behind(organisation.handle))
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
        checked = check(paper, {}, typ=TYPS.get(document.get("type"), TYP))
        if checked.key is None:
            continue
        for one in [one for one in wanted if one[1] == checked.kid]:
            yield Pin(one[0], checked.key, f"contract {wanted.pop(one)}")


def write_rotations(farms: Iterable[str], folder: Path) -> None:
    """Write the statements by which keys of farms took over from others, into a folder that is made for them."""
    folder.mkdir(parents=True)
    for held in ProducerKey.objects.filter(organisation__handle__in=list(farms)).exclude(replaces="").order_by("id"):
        _put(folder / f"rotation-{held.fingerprint[:12]}.json", canonical_json(held.statement))


def pins_of_farm(farm: FarmBook) -> Iterator[Pin]:
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
