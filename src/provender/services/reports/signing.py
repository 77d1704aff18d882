"""Signing a report: the document that a key signs on the page, and taking in what was signed there or elsewhere."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet

from provender.custody.documents.build import SLIP
from provender.custody.documents.print import document_pdf
from provender.custody.documents.receive import TYPS
from provender.database.actor import Actor, today
from provender.database.models.accounts import Organisation, SupplyContract
from provender.database.models.farm import ReportVersion, SignedSlip
from provender.exact import parse
from provender.problem import Problem, ProblemsError, refuse
from provender.records.kind import KINDS
from provender.records.reading import CellError, read_cell
from provender.report.attestation import WITH_CI, Delivery, deliveries
from provender.report.signing import RULE_NOT_CURRENT, check_salt
from provender.report.versions import document_of as report_in
from provender.schema import field, read, view, write
from provender.services.custody.entry import Offer, OriginRemaining
from provender.services.custody.entry import bushels_left as left_of
from provender.services.custody.entry import draft_slip as do_draft_slip
from provender.services.custody.entry import sign_slip as do_sign_slip
from provender.services.farm.book import FarmBook
from provender.services.farm.keys import registered_fingerprint
from provender.services.farm.verdicts import cached_result
from provender.services.refused import MissingError
from provender.services.reports.checklist import ReportView, standings_of
from provender.services.reports.drafts import ReportDraft, draft_of, keep_report
from provender.signing.canonical import canonical_json, sha256_hex
from provender.signing.jws import check

_CITE = "2100.031(c)(3)"


def text_to_sign(
    draft: ReportDraft, *, attested: bool, salt_signature: str, under: str = ""
) -> tuple[ReportDraft, bytes]:
    """Return a report with the salt that the first signature made, and its text as it is to be signed.

    Args:
        draft: the report.
        attested: whether the producer has attested to its statements.
        salt_signature: over the origin's name, where the report has no salt yet.
        under: the text that the signer names, where it is not shown to be the rule in force.

    Raises:
        ProblemsError: nobody has attested, something blocks the signature, or the salt is not the key's.
    """
    if not attested:
        cause = "You have not attested to the statements."
        raise refuse("attested", cause, "Read them and tick the box.", cite=_CITE)
    if draft.text_to_name and under != draft.text_to_name:
        cause = f"The harvest is {draft.document['rule']['state']}."
        remedy = f"Name the text under which you sign: {draft.text_to_name}."
        raise refuse("under", cause, remedy, cite="2100.020", code=RULE_NOT_CURRENT)
    if draft.in_the_way:
        raise ProblemsError(draft.in_the_way)
    name = draft.salt_name
    salt = check_salt(name, salt_signature, draft.fingerprint_on_file) if name else ""
    draft = draft_of(draft.farm, draft.crop, draft.harvest_year, salt=salt, under=under)
    return draft, canonical_json(draft.document)


def keep_signature(draft: ReportDraft, signature: str, sha256: str, *, actor: Actor) -> ReportVersion:
    """Keep a report signed on the page.

    Args:
        draft: the report as ``text_to_sign`` gives it now.
        signature: over its text.
        sha256: of the text that was signed.
        actor: who hands it in.

    Raises:
        ProblemsError: the records have changed meanwhile, no key is on file, or ``keep_report`` refuses it.
    """
    if sha256 != sha256_hex(canonical_json(draft.document)):
        raise refuse("report", "The records have changed since you began.", "Look at the report again, then sign it.")
    return _keep(draft, signature, actor)


def keep_signed(draft: ReportDraft, content: object, *, actor: Actor) -> ReportVersion:
    """Keep a report that was signed elsewhere, if it is the one that is made here today.

    Args:
        draft: the report as it would be signed today, without a salt.
        content: what was handed in: document and detached signature.
        actor: who hands it in.

    Raises:
        ProblemsError: it is not signed, is another report, or ``keep_report`` refuses it.
    """
    signed = report_in(content, "the signed report")
    if not isinstance(content, dict) or not isinstance(content.get("signature"), str):
        raise refuse(
            "file", "The file is not signed.", "Sign it with `provender keys sign`, then upload what that wrote."
        )
    salt = signed["edition"].get("salt", "")
    made = draft_of(
        draft.farm, draft.crop, draft.harvest_year, salt=salt if isinstance(salt, str) else "", under=_under_of(signed)
    )
    if made.document != signed:
        cause = "The signed report is not the one that the records give today."
        raise refuse("file", cause, "Download the unsigned report again and sign it on the same day.")
    return _keep(made, content["signature"], actor)


def _under_of(signed: Mapping[str, Any]) -> str:
    """Return the text under which a report was signed elsewhere; empty where it names none."""
    rule = signed.get("rule")
    named = rule.get("signed_under") if isinstance(rule, Mapping) else ""
    return named if isinstance(named, str) else ""


def _keep(draft: ReportDraft, signature: str, actor: Actor) -> ReportVersion:
    if not draft.document["rests_on"]["records"]:
        raise TypeError(draft)  # without the roots of its records it is made to look at, never to sign
    on_file = draft.fingerprint_on_file
    if not on_file:
        cause = "The producer's record names no signing key."
        raise refuse("producer", cause, "Register the key first.", cite=_CITE, code="no_key")
    return keep_report(
        draft.farm.book, draft.document, signature, fingerprint_on_file=on_file, today=today(), actor=actor
    )


# Selling a farm's bushels by slips: what is left, the slip as it would be signed, taking it in signed, its paper.

SALE: Final = KINDS["sale"]
STORED: Final = "in_storage"


@dataclass(frozen=True, slots=True)
class BushelsLeft:
    """Where the bushels of one report are, thousandths."""

    standing: ReportView  # which report
    harvested: int | None  # of all its units; None where one is not recorded
    with_claim: int | None  # sold with the claim, by the sale records; None where a record cannot be read
    otherwise: int | None  # gone another way by the sale records, such as fed; None where a record cannot be read
    serials: OriginRemaining | None  # by the custody book; None while no report is signed

    @property
    def recorded(self) -> int | None:
        """Return what has gone by the sale records alone; None where one cannot be read."""
        return None if self.with_claim is None or self.otherwise is None else self.with_claim + self.otherwise

    @property
    def unsold_by_records(self) -> int | None:
        """Return what was harvested less what has gone by the sale records alone; None if not known."""
        return None if self.harvested is None or self.recorded is None else self.harvested - self.recorded

    @property
    def gone(self) -> int | None:
        """Return what has gone: by the sale records, by slips that no record names, and to landowners.

        A slip that is signed here writes its own record, one that is signed elsewhere none: what sold with the claim is
        the larger of the two sums, never both. A landowner's share is in no record of the farm's sales.
        """
        if self.with_claim is None or self.otherwise is None:
            return None
        sold, shared = (self.serials.sold, self.serials.shared) if self.serials else (0, 0)
        return self.otherwise + max(self.with_claim, sold) + shared

    @property
    def without_record(self) -> int:
        """Return how much of what has gone stands in no sale record: on a slip or with a landowner; 0 if not known."""
        return (self.gone or 0) - (self.recorded or 0)

    @property
    def rest(self) -> int | None:
        """Return what is not gone: negative where more went away than was harvested, None if not known."""
        return None if self.harvested is None or self.gone is None else self.harvested - self.gone

    @property
    def left(self) -> int | None:
        """Return what is left to sell: no more than is there, nor than has a serial once a report is signed."""
        known = [self.rest, self.serials.free if self.serials else None]
        return max(0, min(one for one in known if one is not None)) if any(one is not None for one in known) else None

    @property
    def unrecorded(self) -> int:
        """Return how much more buyers hold by the serials than the sale records say has gone; 0 where not known."""
        sold = self.serials.issued - self.serials.held if self.serials else 0
        return 0 if self.recorded is None else max(0, sold - self.recorded)


def bushels_left(farm: FarmBook) -> list[BushelsLeft]:
    return [bushels_of(farm, one) for one in standings_of(farm)]


def bushels_of(farm: FarmBook, standing: ReportView) -> BushelsLeft:
    """Return where the bushels of one report of a book are: overview, steps and the page of sales show the same."""
    crop, year = standing.crop, standing.harvest_year
    harvested = None if standing.total_bushels is None else parse(standing.total_bushels)
    rows = [row for row in farm.of(SALE).values() if (row.get("crop"), row.get("harvest_year")) == (crop, str(year))]
    gone = {True: 0, False: 0}
    serials = left_of(farm.book.organisation, crop, year)
    try:
        for row in rows:
            if row.get("disposition") != STORED:
                gone[row.get("disposition") == WITH_CI] += parse(str(row.get("bushels") or ""))
    except ValueError:
        return BushelsLeft(standing, harvested, None, None, serials)
    return BushelsLeft(standing, harvested, gone[True], gone[False], serials)


def _read_offer(farm: FarmBook, told: Mapping[str, str]) -> tuple[Offer, str]:
    """Read what is to be sold.

    Args:
        farm: the version of the book.
        told: texts: ``crop``, ``harvest_year``, ``buyer`` (an organisation's code), ``bushels``, ``day``, ``contract``.

    Returns:
        The offer, and the fingerprint of the key on file for the producer who signs it.

    Raises:
        ProblemsError: every text that cannot be used, or no key is on file.
    """
    crop, year = told.get("crop", ""), told.get("harvest_year", "")
    draft = next((one for one in standings_of(farm) if (one.crop, str(one.harvest_year)) == (crop, year)), None)
    code = told.get("buyer", "").strip().lower()
    buyer = Organisation.objects.filter(handle=code).first() if code.isprintable() else None
    problems: list[Problem] = []
    if draft is None:
        problems += refuse("report", "No such report.", "Choose the crop again.").problems
    if buyer is None:
        problems += refuse("buyer", "No organization has this code.", "Ask the buyer for theirs.").problems
    values: dict[str, Any] = {}
    for name in ("bushels", "day"):
        try:
            values[name] = read_cell(told.get(name, ""), SALE.fields[name])
        except CellError as wrong:
            problems += refuse(name, f"{wrong.cause}.", wrong.remedy).problems
        else:
            if values[name] is None:
                problems += refuse(name, f"{SALE.fields[name].label}: nothing is written.", "Fill it in.").problems
    if problems or draft is None or buyer is None:
        raise ProblemsError(problems)
    fingerprint = registered_fingerprint(farm, draft.producer_id)
    if not fingerprint:
        raise refuse("key", "The producer's record names no signing key.", "Register the key first.")
    contract = told.get("contract", "").strip()
    return Offer(crop, draft.harvest_year, buyer, values["bushels"], values["day"], contract), fingerprint


def draft_slip(farm: FarmBook, told: Mapping[str, str], *, actor: Actor) -> dict[str, Any]:
    """Return the slip as it would be signed; nothing is assigned.

    Raises:
        ProblemsError: see ``_read_offer``.
        RefusedError: the custody book refuses it, and why.
    """
    offer, _ = _read_offer(farm, told)
    return do_draft_slip(farm.book, offer, actor=actor)


def sign_slip(
    farm: FarmBook, told: Mapping[str, str], signature: str, document_hash: str, *, actor: Actor
) -> tuple[SignedSlip, Organisation]:
    """Take a signature over the slip that ``draft_slip`` gives: its serials are assigned, the sale is written down.

    Returns:
        The slip, and the buyer.

    Raises:
        ProblemsError: see ``_read_offer`` and ``do_sign_slip``.
    """
    offer, fingerprint = _read_offer(farm, told)
    made = do_sign_slip(
        farm.book, offer, signature, document_hash=document_hash, fingerprint_on_file=fingerprint, actor=actor
    )
    return made, offer.buyer


def envelope_of(slip: SignedSlip) -> dict[str, object]:
    """Return a signed slip: the document and its detached signature."""
    return {"document": json.loads(slip.document), "signature": slip.signature}


def slip_pdf(slip: SignedSlip) -> bytes:
    envelope = envelope_of(slip)
    kid = check(envelope, {}, typ=TYPS[SLIP]).kid
    return document_pdf(json.loads(slip.document), envelope=envelope, fingerprint=kid)


def slips_of(organisation: Organisation) -> QuerySet[SignedSlip]:
    return SignedSlip.objects.filter(organisation=organisation)


def slip_named(organisation: Organisation, code: str) -> SignedSlip:
    """Return a signed slip of a farm.

    Raises:
        MissingError: it has no such slip.
    """
    slip = slips_of(organisation).filter(handle=code).first()
    if slip is None:
        raise MissingError
    return slip


def buyers_of(organisation: Organisation) -> list[Organisation]:
    """Return the buyers with whom a farm has a contract."""
    contracts = SupplyContract.objects.filter(seller=organisation).select_related("buyer")
    return list({each.buyer.pk: each.buyer for each in contracts}.values())


@view
class SlipView:
    """A signed slip by its code, and the document with its detached signature."""

    code: str = field("Code")
    document: Mapping[str, Any] = field("Document")
    signature: str = field("Signature")


def slip_view(slip: SignedSlip) -> SlipView:
    return SlipView(code=slip.handle, document=json.loads(slip.document), signature=slip.signature)


# Delivery of a farm's reports to their buyers: who bought, and when each was given the report (2100.031(c)).


def deliveries_of(farm: FarmBook) -> list[Delivery]:
    """Return every buyer of the book's reduced-CI crop, the first sale first within a crop and year."""
    kept = cached_result(
        farm, "deliveries 2", lambda judged: [write(one, whole=True) for one in deliveries(judged.book)]
    )
    return [read(Delivery, one) for one in kept]


def awaited(farm: FarmBook) -> list[Delivery]:
    """Return the buyers without a recorded delivery whose report is signed."""
    signed = set(ReportVersion.objects.filter(book=farm.book).values_list("crop", "harvest_year"))
    return [one for one in deliveries_of(farm) if one.given_on is None and (one.crop, one.harvest_year) in signed]
