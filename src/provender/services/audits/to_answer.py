"""What an audited party, or one that a finding names, does next: it answers."""

from textwrap import shorten
from typing import Final

from provender.audit.findings.log import Finding, Stage
from provender.database.models import Audit, Organisation
from provender.database.store.audits import findings_of
from provender.services.audits.days_said import day_said
from provender.services.audits.lookup import audits_of_us, findings_naming
from provender.services.steps import NextStep

FEW: Final = 60
"""Letters in which a line names what a finding is about."""


def shortened(text: str) -> str:
    """Return the beginning of a text in whole words, where it is long."""
    return shorten(text, FEW, placeholder=" …")


def about(audit: Audit, one: Finding) -> str:
    """Return in a few words what a finding is about; that it is about the audited party says nothing."""
    told = one.text if one.subject == str(audit.audited) else f"{one.subject}: {one.text}"
    return shortened(told)


def answer_steps(party: Organisation) -> list[NextStep]:
    """Return the findings that wait for an answer of a party, the one due first in front."""
    return [answer_step(audit, one) for audit, one in to_answer(party)]


def to_answer(party: Organisation) -> list[tuple[Audit, Finding]]:
    """Return the findings that wait for an answer of a party with their audits, the one due first in front."""
    of_us = [(audit, one) for audit in audits_of_us(party) for one in findings_of(audit) if not one.party]
    waiting = [(audit, one) for audit, one in [*of_us, *findings_naming(party)] if one.stage is Stage.OPEN]
    return sorted(waiting, key=lambda each: (each[1].due, each[1].number))


def answer_step(audit: Audit, one: Finding) -> NextStep:
    """Return the step that answers a finding."""
    why = f"{audit.verifier} raised it. The answer is due by {day_said(one.due)}."
    what = about(audit, one)
    return NextStep("audit_of_us_finding", f"Answer finding {one.number}: {what}", why, (audit.handle, one.number))
