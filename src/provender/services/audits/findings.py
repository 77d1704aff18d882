"""What is said about findings: raised, also out of a recomputation, answered, changed, resolved, reopened."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import date, timedelta
from typing import Any, Final

from django.db import transaction

from provender.audit.findings import Deed, Event, Finding, Severity, open_of, words_of
from provender.audit.programme import Role as AuditRole
from provender.database.actor import Actor, today, write_log
from provender.database.models.accounts import Organisation
from provender.database.models.audits import Audit, AuditEntry
from provender.schema import field, view
from provender.services.accounts.grants import open_grants
from provender.services.audits.audits import write_finding
from provender.services.audits.paragraphs import cited
from provender.services.audits.records import finding_events, findings_of
from provender.services.refused import refusal

ANSWER_TIME: Final = timedelta(days=30)
"""How long the audited party has where nobody says another day."""


CHANGING: Final = ("severity", "cite", "owner", "due")
"""What a change may say anew, and its log shows with what stood before."""


@view
class FindingView:
    """A finding as it stands."""

    number: str = field("No.")
    severity: Severity = field("Weight")
    cite: str = field("Paragraph", help="Such as 2100.034(d).")
    subject: str = field("What it is about")
    text: str = field("What was found")
    owner: str = field("Must answer")
    due: date = field("Due")
    overdue: bool = field("Overdue")
    stage: str = field("State")
    response: str = field("Answer")
    resolution: str = field("How it ended")
    effect_bushels: str = field("Bushels whose claim depends on it")
    effect_g_co2e: str = field("Grams CO2e by which claims are wrong")
    bearing: str = field("Bearing on misstatement", help="Empty before the verifier judged it.")


@view
class FindingWholeView(FindingView):
    """A finding with everything that was said, the first event first."""

    events: tuple[dict[str, Any], ...] = field("What was said")


def finding_view(finding: Finding) -> FindingView:
    return FindingView(**_fields(finding))


def finding_whole(finding: Finding, events: Sequence[Event]) -> FindingWholeView:
    return FindingWholeView(**_fields(finding), events=tuple(dict(event) for event in events))


def _fields(finding: Finding) -> dict[str, Any]:
    shown = {each.name: getattr(finding, each.name, None) for each in fields(FindingView)}
    said = {"stage": str(finding.stage), "resolution": str(finding.resolution or "")}
    said |= {"bearing": str(finding.bearing or "")}
    return {**shown, **said, "overdue": finding.overdue(today())}


def party_named(audit: Audit, owner: str) -> str:
    """Return the code of the party that an owner's name or code means, where it answers a finding for itself.

    That is a party that lets the verifier read today; empty for the audited party, and for everybody else, whom only
    the audited party can ask.

    Raises:
        RefusedError: several parties bear the name.
    """
    said = owner.strip().casefold()
    parties = [grant.audited for grant in open_grants(audit.verifier, today())]
    codes = [one.handle for one in parties if said in (one.name.casefold(), one.handle.casefold())]
    if audit.audited.handle in codes or said == audit.audited.name.casefold():
        return ""
    if len(codes) > 1:
        remedy = f"Write the code of the one that is meant: {', '.join(codes)}."
        raise refusal("owner_unclear", f"Several parties that let you read are called {owner}.", remedy, column="owner")
    return "".join(codes)


def readers_of(audit: Audit, one: Finding) -> str:
    """Say who is told of a finding, and who passes it on to an owner that cannot read it here."""
    if one.party:
        return f"{audit.audited} and {one.owner} see it, and each can answer it."
    if one.owner.casefold() == audit.audited.name.casefold():
        return f"{audit.audited} sees it."
    return f"Only {audit.audited} sees it and answers: {one.owner} has no account that lets you read."


@transaction.atomic
def add_finding_event(audit: Audit, deed: Deed, number: str, said: Mapping[str, str], *, actor: Actor) -> Finding:
    """Add what somebody says about a finding today to the log, and return the finding as it stands then.

    Particulars that are blank are left out.

    Raises:
        ProblemsError: it does not fit the log; RefusedError as ``add_entry``.
    """
    particulars = {name: value.strip() for name, value in said.items() if value.strip()}
    common = {"deed": str(deed), "finding": number, "on": today().isoformat(), "by": str(actor.person)}
    before = {one.party for one in findings_of(audit) if one.number == number}
    write_finding(audit, {**common, **particulars}, actor=actor)
    after = next(one for one in findings_of(audit) if one.number == number)
    # What the audited party answers is between it and the verifier.
    told_too = {particulars.get("party", "")} if deed is Deed.RESPONDED else {*before, after.party}
    for party in Organisation.objects.filter(handle__in=told_too):
        # Whose audit it is, is not the party's business: its log names the verifier alone.
        write_log(actor, "audit: finding", organisation=party, about=f"{audit.verifier}, {deed} {number}")
    return after


def raise_finding(audit: Audit, said: Mapping[str, str], *, actor: Actor) -> Finding:
    """Raise a finding under the next number; errors as ``add_finding_event`` and ``cited``."""
    number = str(sum(1 for event in finding_events(audit) if event["deed"] == Deed.RAISED) + 1)
    known = {**said, "cite": cited(said["cite"], AuditRole(audit.role)), "party": party_named(audit, said["owner"])}
    return add_finding_event(audit, Deed.RAISED, number, known, actor=actor)


def raise_findings_from(audit: Audit, difference: Mapping[str, Any], *, actor: Actor) -> Finding:
    """Make a difference of a recomputation a finding: its words, bushels and paragraph."""
    said = {
        "severity": str(Severity.MAJOR),
        "cite": difference["cite"],
        "subject": difference["place"],
        "text": told(difference)[1],
        "owner": str(audit.audited),
        "due": (today() + ANSWER_TIME).isoformat(),
        "effect_bushels": difference["effect_bushels"] or "",
    }
    return raise_finding(audit, said, actor=actor)


def change_finding(audit: Audit, one: Finding, said: Mapping[str, str], *, actor: Actor) -> Finding:
    """Change weight, paragraph, owner or due date of a finding, with the reason as ``text``.

    What is said as it stands already is left out; a change of nothing is refused. Errors as ``add_finding_event`` and
    ``cited``.
    """
    now = {name: str(value) for name, value in one.document().items()}
    if said.get("cite"):
        said = {**said, "cite": cited(said["cite"], AuditRole(audit.role))}
    changed = {name: value for name, value in said.items() if now.get(name) != value}
    if "owner" in changed:
        changed["party"] = party_named(audit, changed["owner"])
    return add_finding_event(audit, Deed.CHANGED, one.number, changed, actor=actor)


def answer_finding(
    audit: Audit, one: Finding, said: Mapping[str, str], answering: Organisation, *, actor: Actor
) -> Finding:
    """Answer a finding for the audited party or the party it names; errors as ``add_finding_event``."""
    party = "" if answering == audit.audited else answering.handle
    return add_finding_event(audit, Deed.RESPONDED, one.number, {**said, "party": party}, actor=actor)


def with_changes(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return the events of a finding, a change with each particular that it changed: its name, old and new words."""
    now: dict[str, str] = {}
    found = []
    for event in events:
        said = {name: str(event[name]) for name in CHANGING if name in event}
        changed = (
            [(name, now.get(name, ""), new) for name, new in said.items()] if event["deed"] == Deed.CHANGED else []
        )
        found.append({**event, "changes": changed})
        now |= said
    return found


def told(difference: Mapping[str, Any]) -> tuple[str, str]:
    return difference["place"], words_of(difference["claimed"], difference["recomputed"])


def raised_of(audit: Audit, result: AuditEntry) -> list[tuple[Mapping[str, Any], bool]]:
    """Return the differences of a recomputation, each with whether it was made a finding."""
    differences = result.said["differences"]
    left = set(open_of(map(told, differences), findings_of(audit)))
    return [(one, told(one) not in left) for one in differences]
