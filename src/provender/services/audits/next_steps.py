"""What a verifier does next: its accreditation and key, the audits that are due, whom to audit."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from provender.audit.findings.log import Finding, Stage
from provender.database.choices import Role
from provender.database.models import Audit, Organisation, VerifierKey
from provender.database.store.audits import accreditation_of, findings_of, statement_of
from provender.services.accounts.grants import open_grants
from provender.services.audits.days_said import agreed_sentence
from provender.services.audits.standing import cycle_of, next_step, steps_of
from provender.services.audits.to_answer import about
from provender.services.steps import NextStep, counted

MOST: Final = 5
"""Audits that the overview names."""
NEXT: Final = {
    "Engagement": "Next: say what was agreed and planned.",
    "Farm sample": "Next: draw the farms.",
    "Work program": "Next: answer the work program.",
    "Packages and recomputation": "Next: have a package recomputed.",
    "Findings": "Next: have the findings resolved.",
    "Statement": "Next: write and sign the statement.",
}
"""What is done in the step of an audit that comes next."""


def verifier_steps(verifier: Organisation, day: date) -> list[NextStep]:
    """Return what comes next for a verifier; nothing for others."""
    if not verifier.roles.filter(role=Role.VERIFIER).exists():
        return []
    return [*_ready(verifier), *_audits(verifier, day)]


def _ready(verifier: Organisation) -> Iterator[NextStep]:
    if accreditation_of(verifier) is None:
        why = "An audit opens only under an accreditation to ISO 14065."
        yield NextStep("audit_accreditation", "Enter your accreditation", why)
    if not VerifierKey.objects.filter(organisation=verifier).exists():
        why = "Your statements are taken in under it; its private half stays on your machine."
        yield NextStep("audit_key", "Register your signing key", why)


def open_audits(verifier: Organisation, day: date) -> list[NextStep]:
    """Return the audits of a verifier whose statement is not out, the one agreed for the first day first."""
    mine = Audit.objects.filter(verifier=verifier).select_related("audited").order_by("due_on")
    running = [one for one in mine if statement_of(one) is None]
    return [_open(one, day) for one in running[:MOST]]


def _open(audit: Audit, day: date) -> NextStep:
    due = agreed_sentence(audit, day, cycle_of(audit.audited, day))
    coming = next_step(steps_of(audit, day))
    why = f"{due} {NEXT[coming.step]}" if coming else due
    return NextStep("audit", f"Audit {audit.audited}", why, (audit.handle,))


def answers_to_judge(verifier: Organisation) -> list[NextStep]:
    """Return the answered findings that a verifier has not judged since, of audits without a statement."""
    mine = Audit.objects.filter(verifier=verifier).select_related("audited").order_by("due_on")
    return [
        _judging(audit, one)
        for audit in mine
        if statement_of(audit) is None
        for one in findings_of(audit)
        if one.stage is Stage.RESPONDED
    ]


def _judging(audit: Audit, one: Finding) -> NextStep:
    what, why = about(audit, one), _answered_by(one.owner, str(audit.audited))
    words = f"Judge the answer to finding {one.number}: {what}"
    return NextStep("audit_finding", words, why, (audit.handle, one.number))


def _answered_by(owner: str, audited: str) -> str:
    if owner == audited:
        return f"{owner} answered it: it is resolved, or goes on."
    return f"{owner} answered it, in the audit of {audited}: it is resolved, or goes on."


def _audits(verifier: Organisation, day: date) -> Iterator[NextStep]:
    yield from answers_to_judge(verifier)
    running = open_audits(verifier, day)
    yield from running
    if running:
        return
    if parties := len(open_grants(verifier, day)):
        why = f"{counted(parties, 'party lets', 'parties let')} you in today."
        yield NextStep("audits", "Open an audit", why)
    else:
        why = f"A party does so under Verifier access, with your code {verifier.handle}."
        yield NextStep("grants", "Have somebody let you in", why)
