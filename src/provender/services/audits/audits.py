"""Opening audits and writing what happens in them. What an entry may say is the core's business."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils import timezone

from provender.audit.findings import append
from provender.audit.statement.accreditation import Accreditation, check_accreditation
from provender.database.actor import Actor, today, write_log
from provender.database.models.accounts import Organisation, ReadGrant
from provender.database.models.audits import Audit, AuditEntry, EntryKind, VerifierAccreditation, VerifierKey
from provender.problem import Problem, Weight
from provender.schema import field, view
from provender.services.accounts.access import check_independent
from provender.services.accounts.grants import log_look
from provender.services.audits.deeds import Opening
from provender.services.audits.records import accreditation_of, finding_events, open_grant, roles_of
from provender.services.organisation_keys import Ring
from provender.services.refused import RefusedError, refusal
from provender.signing.canonical import canonical_json

HARVESTS: Final = (2020, 2100)
"""The first and the last harvest whose audit can be opened."""


@transaction.atomic
def record_accreditation(verifier: Organisation, shown: Accreditation, *, actor: Actor) -> VerifierAccreditation:
    """Keep what a verifier shows of its accreditation; what was shown before stays readable."""
    text = canonical_json(shown.document()).decode()
    row = VerifierAccreditation.objects.create(organisation=verifier, text=text, at=timezone.now(), actor=actor.person)
    new = {"body": shown.body, "number": shown.number, "last": shown.last.isoformat()}
    write_log(actor, "record accreditation", organisation=verifier, about=shown.standard, new=new)
    return row


@transaction.atomic
def open_audit(verifier: Organisation, audited: Organisation, opening: Opening, *, actor: Actor) -> Audit:
    """Open an audit of a party that lets the verifier in today.

    Raises:
        RefusedError: no access today, no such role, days out of order, a number used before, no independence
            (interpretation 55), or an accreditation that does not hold today (2100.041).
    """
    day = today()
    if open_grant(verifier, audited, day) is None:
        remedy = "Ask them to let you in, under Verifier access."
        raise refusal("no_access", f"{audited} does not let you read today.", remedy, column="audited")
    if opening.role not in roles_of(audited):
        raise refusal("other_role", f"{audited} is no {opening.role} here.", "Choose another role.", column="role")
    if not opening.covered_first <= opening.covered_last <= opening.due_on:
        remedy = "The covered days come first to last, and the statement after them."
        raise refusal("days_out_of_order", "These days do not fit.", remedy, column="covered_last")
    check_verifier(verifier, audited, day)
    try:
        with transaction.atomic():
            about: dict[str, Any] = {**asdict(opening), "role": str(opening.role), "number": opening.number.strip()}
            audit = Audit.objects.create(
                verifier=verifier, audited=audited, **about, opened_at=timezone.now(), opened_by=actor.person
            )
    except IntegrityError:
        raise refusal("number_used", "You have an audit of this number.", "Choose another.", column="number") from None
    new = {
        "verifier": verifier.name,
        "role": audit.role,
        "first": str(audit.covered_first),
        "last": str(opening.covered_last),
    }
    write_log(actor, "open audit", organisation=verifier, about=str(audit), new=new)
    write_log(actor, "open audit", organisation=audited, about=audit.number, new=new)
    return audit


def check_verifier(verifier: Organisation, audited: Organisation, day: date) -> None:
    """Make sure that a verifier may verify a party on a day.

    Raises:
        RefusedError: it is not independent of the party or its suppliers, or its accreditation does not hold.
    """
    check_independent(verifier, audited, column="audited")
    shown = accreditation_of(verifier)
    if shown is None:
        remedy = "Enter it under Accreditation first."
        raise refusal("no_accreditation", "You show no accreditation to ISO 14065.", remedy, cite="2100.041")
    errors = [one for one in check_accreditation(shown, day) if one.weight is Weight.ERROR]
    if errors:
        raise RefusedError(errors)


@transaction.atomic
def add_entry(audit: Audit, kind: EntryKind, data: Mapping[str, Any], *, actor: Actor, about: str = "") -> AuditEntry:
    """Add an entry to an audit, with a line in the verifier's log.

    Raises:
        RefusedError: somebody else added one at the same moment, or the statement is signed and the audit closed.
    """
    # Findings go on: what stands open in a statement is answered after it, and what is found later is added to it.
    if (
        kind not in (EntryKind.FINDING, EntryKind.ADDENDUM)
        and AuditEntry.objects.filter(audit=audit, kind=EntryKind.STATEMENT).exists()
    ):
        remedy = "Open another audit for what came to light since."
        raise refusal("audit_closed", "The statement of this audit is signed.", remedy)
    before = AuditEntry.objects.filter(audit=audit).order_by("-number").values_list("number", flat=True).first()
    try:
        with transaction.atomic():
            entry = AuditEntry.objects.create(
                audit=audit,
                number=(before or 0) + 1,
                kind=kind,
                text=canonical_json(dict(data)).decode(),
                at=timezone.now(),
                actor=actor.person,
            )
    except IntegrityError:
        cause = "Somebody else wrote in this audit a moment ago."
        raise refusal("overtaken", cause, "Look at their entry, then write yours again.") from None
    about = about or str(kind.label)
    write_log(actor, f"audit: {kind.label.lower()}", organisation=audit.verifier, about=f"{audit.number}, {about}")
    if kind in (EntryKind.FINDING, EntryKind.STATEMENT, EntryKind.ADDENDUM, EntryKind.PACKAGE, EntryKind.PROOF):
        write_log(actor, f"audit: {kind.label.lower()}", organisation=audit.audited, about=f"{audit.number}, {about}")
    return entry


@transaction.atomic
def write_finding(audit: Audit, event: Mapping[str, str], *, actor: Actor) -> AuditEntry:
    """Add an event to the audit's log of findings.

    Raises:
        ProblemsError: the event does not fit the log; RefusedError as ``add_entry``.
    """
    *_, made = append(finding_events(audit), event)
    about = f"{event['deed']} {event['finding']}"
    return add_entry(audit, EntryKind.FINDING, made, actor=actor, about=about)


def record_visit(audit: Audit, parties: Iterable[Organisation], what: str, *, actor: Actor) -> list[ReadGrant]:
    """Enter the records of the audited party or drawn farms; the log of each of them says what is looked at.

    Raises:
        PermissionDenied: one of them does not let the verifier in today; then nothing is written.
    """
    found = []
    for party in parties:
        grant = open_grant(audit.verifier, party, today())
        if grant is None:
            raise PermissionDenied(f"{party} does not let you read today.")
        found.append(grant)
    for grant in found:
        log_look(grant, what, actor=actor)
    return found


# What a verifier shows of itself: its accreditation, and the key under which it signs.
#
# A key is registered by an upload, and moved by a rotation that the key before signed.

CITE: Final = "2100.041"
KEYS: Final = Ring(VerifierKey, "verifier", CITE, "register verifier key")
"""The keys under which verifiers sign."""


@view
class Doubt:
    """A problem, with how much it weighs."""

    at: str = field("Where")
    cause: str = field("What is wrong")
    remedy: str = field("What to do")
    cite: str = field("Paragraph", default="")
    code: str = field("Code", default="")
    weight: Weight = field("Weight")


@view
class AccreditationView:
    """The accreditation shown last, null before, and what stands against it today."""

    shown: dict[str, Any] | None = field("Accreditation")
    against: tuple[Doubt, ...] = field("What stands against it")


def doubts(problems: Iterable[Problem]) -> tuple[Doubt, ...]:
    return tuple(
        Doubt(
            at=str(each.place), cause=each.cause, remedy=each.remedy, cite=each.cite, code=each.code, weight=each.weight
        )
        for each in problems
    )


def accreditation_view(verifier: Organisation, day: date) -> AccreditationView:
    """Return the accreditation that a verifier shows, and what stands against it on a day."""
    shown = accreditation_of(verifier)
    against = doubts(check_accreditation(shown, day)) if shown else ()
    return AccreditationView(shown=shown.document() if shown else None, against=against)
