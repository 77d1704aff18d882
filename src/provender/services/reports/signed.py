"""Keeping a signed Biofuel Feedstock Report: verified against the producer's key before anything is written."""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from provender.custody.events.report import ReportEvent
from provender.custody.store import post
from provender.database.actor import Actor, write_log
from provender.database.models import Book, ReportVersion
from provender.database.store.custody import SqlStore
from provender.problem import Place, ProblemsError
from provender.quantity import CI_SCALE, parse
from provender.report.signing import accept_signature, example_refusals
from provender.services import transparency
from provender.services.custody.entry import register_entity
from provender.services.farm.book import head_of
from provender.services.refused import MissingError, refusal
from provender.signing.canonical import canonical_json
from provender.signing.hashes import document_hash, sha256_hex

CITE = "2100.031(c)"


def versions_of(book: Book, crop: str, harvest_year: int) -> list[ReportVersion]:
    """Return the signed versions of a report, oldest first."""
    return list(ReportVersion.objects.filter(book=book, crop=crop, harvest_year=harvest_year).order_by("number"))


def version_numbered(book: Book, crop: str, harvest_year: int, number: int) -> ReportVersion:
    """Return a signed version of a report.

    Raises:
        MissingError: there is none of this number.
    """
    version = next((each for each in versions_of(book, crop, harvest_year) if each.number == number), None)
    if version is None:
        raise MissingError
    return version


def document_of(version: ReportVersion) -> dict[str, Any]:
    """Return the document of a version as data."""
    found: dict[str, Any] = json.loads(version.document)
    return found


def envelope_of(version: ReportVersion) -> dict[str, object]:
    """Return the signed report: document and detached signature."""
    return {"document": document_of(version), "signature": version.signature}


@transaction.atomic
def keep_report(
    book: Book, document: Mapping[str, Any], signature: str, *, fingerprint_on_file: str, today: date, actor: Actor
) -> ReportVersion:
    """Verify a signature over a report that was made here, keep the report, and enter its bushels as an origin.

    Args:
        book: the farm's book; the document must rest on its last change.
        document: the report, made anew by the server.
        signature: the producer's detached JWS over it.
        fingerprint_on_file: the key that the producer's record names.
        today: the day an amendment is entered.
        actor: who hands the signature in.

    Raises:
        ProblemsError: the report may not be signed or the signature does not fit; the book has changed; the version
            does not follow the last one; or the custody book refuses the origin. Nothing is written.
    """
    head = head_of(book)
    if head is None or document["rests_on"].get("book_head") != head.hash:
        raise refusal("overtaken", "The record book has changed since.", "Look at the report again.", cite=CITE)
    example = [] if settings.DEMONSTRATION else example_refusals(document, Place("report"))
    if example:
        raise ProblemsError(example)
    envelope = accept_signature(document, signature, fingerprint_on_file=fingerprint_on_file)
    crop, year = document["crop"], document["harvest_year"]
    earlier = versions_of(book, crop, year)
    number, replaces = document["edition"]["version"], document["edition"]["replaces"]
    last = earlier[-1].document_hash if earlier else ""
    if number != len(earlier) + 1 or replaces != last:
        raise refusal("not_next", "Another version was signed meanwhile.", "Look at the report again.", cite=CITE)
    text = canonical_json(document)
    made = ReportVersion.objects.create(
        book=book,
        crop=crop,
        harvest_year=year,
        number=number,
        book_head=head.hash,
        document=text.decode(),
        document_hash=sha256_hex(text),
        signature=signature,
        at=timezone.now(),
        actor=actor.person,
    )
    new = {"document": made.document_hash, "book": head.hash, "bushels": document["total_bushels"],
           "ci_g_per_bu": document["farm_ci_g_per_bu"]}  # fmt: skip
    write_log(actor, "keep signed report", organisation=book.organisation, about=str(made), new=new)
    _enter(book, document, envelope, today=today, actor=actor)
    transparency.append(book.organisation, "signed report", str(made), envelope)
    return made


def _enter(
    book: Book, document: Mapping[str, Any], envelope: Mapping[str, object], *, today: date, actor: Actor
) -> None:
    """Enter the report into the custody book: its bushels become serials, or its amendment reaches their holders."""
    farm = book.organisation
    made_on = date.fromisoformat(document["made_on"])
    register_entity(farm, day=made_on, actor=actor)
    edition, crop, year = document["edition"], document["crop"], document["harvest_year"]
    event = ReportEvent(
        id=f"report-{farm.handle}-{crop}-{year}-v{edition['version']}",
        day=made_on if edition["version"] == 1 else max(today, made_on),
        entity=farm.handle,
        crop=crop,
        harvest_year=year,
        bushels=parse(document["total_bushels"]),
        ci=parse(document["farm_ci_g_per_bu"], CI_SCALE),
        version=edition["version"],
        salt=edition["salt"],
        report=document_hash(envelope["document"]),
    )
    outcome = post(SqlStore(actor), event)
    if not outcome.status.well:
        raise refusal(str(outcome.status), outcome.message, "Ask who entered the earlier report.", cite=CITE)
