"""How audits stand: state, steps and entries of one; the yearly cycle of a party; who lets a verifier in today."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from textwrap import shorten
from typing import Any, Final, NamedTuple

from django.utils.formats import date_format

from provender.audit.findings import Deed, Finding, Stage
from provender.audit.programme import Role as AuditRole
from provender.audit.sampling.draw import Side
from provender.audit.statement.opinion import Answer, Engagement, read_part
from provender.audit.statement.statement import Entity, Opinion, Rhythm, rhythm
from provender.database.choices import Role
from provender.database.models.accounts import Organisation, ReadGrant
from provender.database.models.audits import Audit, AuditEntry, EntryKind, VerifierKey
from provender.problem import counted
from provender.rule.law import rule_version
from provender.schema import field, view
from provender.services.accounts.grants import open_grants
from provender.services.audits import audits
from provender.services.audits.audits import KEYS, Opening
from provender.services.audits.programme import audits_of_us, findings_naming, items_of
from provender.services.audits.statement import lines_answered
from provender.services.steps import NextStep

_SOON: Final = timedelta(days=14)
"""So long before the day agreed for a statement that day is called near."""


@view
class AuditView(Opening):
    """An audit, as both sides see it."""

    role: str = field("As what")  # type: ignore[assignment]  # as it is stored: the description names no roles here
    audit: str = field("Code")
    verifier: str = field("Verifier")
    audited: str = field("Party")
    state: str = field("State", help="As lists on pages say it.")
    findings_open: int = field("Findings open")
    statement_signed: bool = field("Statement signed")
    verifier_key: str = field("Verifier's key", help="Fingerprint of the key under which the verifier signs now.")


@view
class AuditStep:
    """One step of an audit; ``done`` is null where nothing was begun."""

    step: str = field("Step")
    stands: str = field("How it stands")
    done: bool | None = field("Done")


@view
class StandingView:
    """How an audit stands for its verifier."""

    steps: tuple[AuditStep, ...] = field("Steps")
    days_left: int = field("Days to the agreed day", help="Until the day agreed for the statement; negative after it.")
    access_until: date | None = field("Access until", help="Null where the party does not let the verifier in today.")


@view
class PartyView:
    """A party that lets the verifier in today; farms have no yearly rhythm of their own."""

    party: str = field("Code")
    name: str = field("Party")
    roles: tuple[AuditRole, ...] = field("As")
    access_until: date = field("Access ends")
    rhythm: Rhythm | None = field("Yearly audit")


@view
class EntryView:
    """Something that happened in an audit."""

    number: int = field("Number")
    kind: str = field("Kind")
    at: str = field("When (UTC)")
    said: dict[str, Any] = field("What it says")


def audit_view(audit: Audit, day: date) -> AuditView:
    """Return an audit as both sides see it on a day."""
    held = KEYS.in_use(audit.verifier)
    return AuditView(
        audit=audit.handle, number=audit.number, verifier=str(audit.verifier), audited=str(audit.audited),
        role=audit.role, harvest_year=audit.harvest_year, covered_first=audit.covered_first,
        covered_last=audit.covered_last, due_on=audit.due_on, state=state_of(audit, day),
        findings_open=len(unresolved(audits.findings_of(audit))),
        statement_signed=audits.statement_of(audit) is not None,
        verifier_key=held.fingerprint if held else "",
    )  # fmt: skip


def state_of(audit: Audit, day: date) -> str:
    """Say whether the statement is out, or how the day agreed for it stands; the rule's day is the rhythm's."""
    signed = audits.statement_of(audit)
    if signed:
        return f"Stated: {_opinion(signed)}"
    if day > audit.due_on:
        return "Past the agreed day"
    return "Agreed day is near" if audit.due_on - day <= _SOON else "Running"


def _opinion(signed: Mapping[str, Any]) -> str:
    return Opinion(signed["document"]["opinion"]).words


def entry_view(entry: AuditEntry) -> EntryView:
    said = {name: value for name, value in entry.said.items() if name != audits.KEPT}
    return EntryView(number=entry.number, kind=entry.kind, at=entry.at.isoformat(), said=said)


def standing_of(audit: Audit, day: date) -> StandingView:
    """Return what is done in an audit, what comes next, and until when the party lets its verifier in."""
    grant = audits.open_grant(audit.verifier, audit.audited, day)
    return StandingView(
        steps=tuple(steps_of(audit, day)),
        days_left=(audit.due_on - day).days,
        access_until=grant.last_day if grant else None,
    )


def steps_of(audit: Audit, day: date) -> list[AuditStep]:
    """Return the steps of an audit in their order."""
    sample = [_sample(audit)] if audit.role == AuditRole.FIRST_POINT else []
    return [
        _engagement(audit),
        *sample,
        _work(audit),
        _packages(audit),
        _findings(audits.findings_of(audit), day),
        _statement(audit),
    ]


def next_step(steps: Iterable[AuditStep]) -> AuditStep | None:
    """Return what the verifier has begun before what is to begin, each in order; None where all is done.

    Open findings wait for those who answer them, and a statement for all the rest; where no finding was raised none
    waits.
    """
    left = [step for step in steps if not step.done and (step.step != "Findings" or step.done is False)]
    begun = [step for step in left if step.done is False and step.step not in ("Findings", "Statement")]
    return next(iter([*begun, *left]), None)


def _engagement(audit: Audit) -> AuditStep:
    said, seen = audits.last(audit, EntryKind.ENGAGEMENT), len(audits.entries(audit, EntryKind.VISIT))
    missing = [words for _, words in read_part(Engagement, said.said)[1]] if said else []
    words = f"parts missing: {len(missing)}" if missing else "said" if said else "to begin"
    visits = f", {seen} visit{'s'[: seen != 1]} logged" if seen else ""
    return AuditStep(step="Engagement", stands=words + visits, done=not missing if said else None)


def _sample(audit: Audit) -> AuditStep:
    frozen, drawn = audits.last(audit, EntryKind.POPULATION), audits.drawn_farms(audit)
    words = f"farms drawn: {len(drawn)}" if drawn else "farms frozen, seed open" if frozen else "to begin"
    return AuditStep(step="Farm sample", stands=words, done=bool(drawn) if frozen else None)


def _work(audit: Audit) -> AuditStep:
    # Counted as the statement counts: what recomputation settled is answered too.
    rows, whole = lines_answered(audit), len(items_of(audit))
    alone = sum(row["answer"] == Answer.RECOMPUTED for row in rows)
    words = f"{len(rows)} of {whole} lines answered" + (f", {alone} of them by recomputation" if alone else "")
    return AuditStep(
        step="Work program", stands=words if rows else "to begin", done=len(rows) == whole if rows else None
    )


def _packages(audit: Audit) -> AuditStep:
    results, asked = audits.latest_results(audit), audits.last(audit, EntryKind.ASKED)
    words, clean = "asked for" if asked else "to begin", False if asked else None
    if results:
        count, clean = sum(len(one["differences"]) for one in results), all(one["clean"] for one in results)
        words = counted(count, "difference") if count else "nothing differs"
    return AuditStep(step="Packages and recomputation", stands=words, done=clean)


def _findings(findings: list[Finding], day: date) -> AuditStep:
    left = unresolved(findings)
    late = [finding for finding in left if finding.overdue(day)]
    words = f"{len(left)} of {len(findings)} open" + (f", {len(late)} overdue" if late else "")
    return AuditStep(step="Findings", stands=words if findings else "none", done=not left if findings else None)


def _statement(audit: Audit) -> AuditStep:
    signed, draft = audits.statement_of(audit), audits.last(audit, EntryKind.DRAFT)
    words = f"signed, {_opinion(signed)}" if signed else "drafted, to be signed" if draft else "to begin"
    return AuditStep(step="Statement", stands=words, done=bool(signed) if signed or draft else None)


def unresolved(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.stage is not Stage.RESOLVED]


def trading_roles(party: Organisation) -> list[AuditRole]:
    """Return the roles of a party that are audited yearly; a farm alone has none."""
    return [role for role in audits.roles_of(party) if role is not AuditRole.FARM]


def cycle_of(party: Organisation, day: date) -> Rhythm:
    """Return how a party stands in the yearly cycle; of several roles the last in the order of the rule counts."""
    roles = trading_roles(party)
    entity = Entity(party.name, AuditRole.FARM, None)
    if roles:
        entity = Entity(
            party.name, roles[-1], audits.first_handled(party.handle), audits.contracted_until(party.handle)
        )
    statements = [statement for _, statement in audits.statements_about(party)]
    return rhythm(entity, statements, day, rule_version(day))


def party_view(grant: ReadGrant, day: date) -> PartyView:
    party = grant.audited
    cycle = cycle_of(party, day) if trading_roles(party) else None
    return PartyView(
        party=party.handle,
        name=party.name,
        roles=tuple(audits.roles_of(party)),
        access_until=grant.last_day,
        rhythm=cycle,
    )


# The days of a verification in words: agreed, by the rule, covered. Every page asks here, so that no two differ.
#
# Three days are easily taken for one another: the one that verifier and party agreed for the statement, the last one
# that the rule leaves for it, and the last one that a statement covers. Each has one name, and none goes without it.


def day_said(day: date) -> str:
    return date_format(day, "DATE_FORMAT")


def agreed_said(audit: Audit, day: date) -> str:
    """Say which day is agreed for the statement of an audit, and how far off it is while the statement is not out."""
    agreed, left = day_said(audit.due_on), (audit.due_on - day).days
    if audits.statement_of(audit) is not None:
        return agreed
    if left == 0:
        return f"{agreed}, today"
    apart = counted(abs(left), "day")
    return f"{agreed}, {apart} from now" if left > 0 else f"{agreed}, {apart} ago"


def _agreed_sentence(audit: Audit, day: date, cycle: Rhythm) -> str:
    """Say the same as a sentence, for a list of what is to be done, with the last day that the rule leaves."""
    agreed = day_said(audit.due_on)
    said = f"The statement was agreed for {agreed}." if audit.due_on < day else f"The statement is agreed for {agreed}."
    if cycle.due_on is None or audit.role == AuditRole.FARM:
        return said
    return " ".join([said, f"The rule's last day for it is {day_said(cycle.due_on)}."])


def late_said(audit: Audit, cycle: Rhythm) -> str:
    """Say how many days the agreed day lies after the last one that the rule leaves; nothing where it does not."""
    if cycle.due_on is None or audit.role == AuditRole.FARM or audits.statement_of(audit) is not None:
        return ""
    late = (audit.due_on - cycle.due_on).days
    return f"{counted(late, 'day')} after the rule's last day, {day_said(cycle.due_on)}" if late > 0 else ""


def rule_said(cycle: Rhythm) -> str:
    """Say the last day that the rule leaves for the next statement; nothing where none is needed."""
    return f"{day_said(cycle.due_on)} at the latest ({cycle.cite})" if cycle.due_on else ""


def covered_said(first: date, last: date) -> str:
    """Say which days a statement or an audit covers, both included."""
    return f"from {day_said(first)} to {day_said(last)}"


class YearlyDays(NamedTuple):
    """The days of a party's yearly rhythm in words, wherever it reads them; empty where there is nothing to say."""

    rule: str
    uncovered: str


def yearly_said(cycle: Rhythm) -> YearlyDays:
    """Return the last day for the next statement and the days that none covers, in words."""
    return YearlyDays(rule_said(cycle), "; ".join(covered_said(*span) for span in cycle.uncovered))


def agreed_ending(verifier: str) -> str:
    """Say what ends with the day that is agreed for the statement of an audit, which is none before it is signed."""
    return f"Audit by {verifier}: statement agreed for"


def covered_ending(party: str, *, contracted: bool) -> str:
    """Say what ends with the last day of a party's verification, one's own without a name.

    Before the first statement there is only an audit that was contracted: claims go on under it, and it covers nothing.
    """
    if contracted and party:
        return f"Audit that {party} contracted, no statement yet: last day that it carries claims"
    if contracted:
        return "Your contracted audit, no statement yet: last day that it carries claims"
    return f"Statement of {party}: last day that it covers" if party else "Your statement: last day that it covers"


class AuditDays(NamedTuple):
    """The days of an audit in words, as both sides read them; empty where there is nothing to say."""

    covers: str
    agreed: str
    late: str
    rule: str
    uncovered: str


def days_of(audit: Audit, cycle: Rhythm, day: date) -> AuditDays:
    return AuditDays(
        covered_said(audit.covered_first, audit.covered_last),
        agreed_said(audit, day),
        late_said(audit, cycle),
        *yearly_said(cycle),
    )


# What an audited party, or one that a finding names, does next: it answers.

_FEW: Final = 60
"""Letters in which a line names what a finding is about."""


def shortened(text: str) -> str:
    """Return the beginning of a text in whole words, where it is long."""
    return shorten(text, _FEW, placeholder=" …")


def about(audit: Audit, one: Finding) -> str:
    """Return in a few words what a finding is about; that it is about the audited party says nothing."""
    told = one.text if one.subject == str(audit.audited) else f"{one.subject}: {one.text}"
    return shortened(told)


def answer_steps(party: Organisation) -> list[NextStep]:
    """Return the findings that wait for an answer of a party, the one due first in front."""
    return [answer_step(audit, one) for audit, one in to_answer(party)]


def to_answer(party: Organisation) -> list[tuple[Audit, Finding]]:
    """Return the findings that wait for an answer of a party with their audits, the one due first in front."""
    of_us = [(audit, one) for audit in audits_of_us(party) for one in audits.findings_of(audit) if not one.party]
    waiting = [(audit, one) for audit, one in [*of_us, *findings_naming(party)] if one.stage is Stage.OPEN]
    return sorted(waiting, key=lambda each: (each[1].due, each[1].number))


def answer_step(audit: Audit, one: Finding) -> NextStep:
    why = f"{audit.verifier} raised it. The answer is due by {day_said(one.due)}."
    what = about(audit, one)
    return NextStep("audit_of_us_finding", f"Answer finding {one.number}: {what}", why, (audit.handle, one.number))


# What a verifier does next: its accreditation and key, the audits that are due, whom to audit.

_MOST: Final = 5
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
    if audits.accreditation_of(verifier) is None:
        why = "An audit opens only under an accreditation to ISO 14065."
        yield NextStep("audit_accreditation", "Enter your accreditation", why)
    if not VerifierKey.objects.filter(organisation=verifier).exists():
        why = "Your statements are taken in under it; its private half stays on your machine."
        yield NextStep("audit_key", "Register your signing key", why)


def open_audits(verifier: Organisation, day: date) -> list[NextStep]:
    """Return the audits of a verifier whose statement is not out, the one agreed for the first day first."""
    mine = Audit.objects.filter(verifier=verifier).select_related("audited").order_by("due_on")
    running = [one for one in mine if audits.statement_of(one) is None]
    return [_open(one, day) for one in running[:_MOST]]


def _open(audit: Audit, day: date) -> NextStep:
    due = _agreed_sentence(audit, day, cycle_of(audit.audited, day))
    coming = next_step(steps_of(audit, day))
    why = f"{due} {NEXT[coming.step]}" if coming else due
    return NextStep("audit", f"Audit {audit.audited}", why, (audit.handle,))


def answers_to_judge(verifier: Organisation) -> list[NextStep]:
    """Return the answered findings that a verifier has not judged since, of audits without a statement."""
    mine = Audit.objects.filter(verifier=verifier).select_related("audited").order_by("due_on")
    steps = []
    for audit in mine:
        answered = audits.findings_of(audit) if audits.statement_of(audit) is None else []
        for one in answered:
            if one.stage is Stage.RESPONDED:
                words = f"Judge the answer to finding {one.number}: {about(audit, one)}"
                of_other = f", in the audit of {audit.audited}" if one.owner != str(audit.audited) else ""
                why = f"{one.owner} answered it{of_other}: it is resolved, or goes on."
                steps.append(NextStep("audit_finding", words, why, (audit.handle, one.number)))
    return steps


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


# What happened in an audit, entry by entry, in sentences.

DONE: Final[Mapping[str, str]] = {
    Deed.RAISED: "was raised",
    Deed.RESPONDED: "was answered",
    Deed.RESOLVED: "was resolved",
    Deed.REOPENED: "was opened again",
    Deed.CHANGED: "was changed",
}
"""What each deed did to a finding."""
_COMMITTED: Final[Mapping[str, str]] = {Side.AUDITED: "The audited party", Side.VERIFIER: "The verifier"}
"""Who committed to a part of the seed."""


_SENTENCES: Final[Mapping[str, str | Callable[[Mapping[str, Any]], str]]] = {
    EntryKind.POPULATION: lambda said: (
        f"The list of supplying farms was frozen: {counted(said['list']['frozen']['farms'], 'farm')}."
    ),
    EntryKind.PROOF: lambda said: f"Proof of the audit of {said['sample']['year']} was brought.",
    EntryKind.COMMITMENT: lambda said: f"{_COMMITTED[said['side']]} committed to a part of the seed.",
    EntryKind.OPENING: "A part of the seed was opened.",
    EntryKind.SEED: "The farm sample was drawn.",
    EntryKind.TREATMENT: lambda said: f"A borrowed audit of farm {said['farm_id']} was decided on.",
    EntryKind.FAILURE: lambda said: f"Farm {said['farm_id']} failed, and the sample was decided on again.",
    EntryKind.ENGAGEMENT: "The engagement was recorded.",
    EntryKind.VISIT: lambda said: f"A visit was logged: {said['site'] or said['farm']}.",
    EntryKind.TASK: lambda said: f"A line of the work program was marked {said['state']}: {shortened(said['note'])}",
    EntryKind.ASKED: lambda said: f"A package {'could not be made' if 'problems' in said else 'was asked for'}.",
    EntryKind.PACKAGE: "A package was made.",
    EntryKind.RESULT: lambda said: (
        f"A package was recomputed: {counted(len(said['differences']), 'difference')}."
        if said["differences"]
        else "A package was recomputed: nothing differs."
    ),
    EntryKind.FINDING: lambda said: f"Finding {said['finding']} {DONE[said['deed']]}: {shortened(said['text'])}",
    EntryKind.DRAFT: "The statement was drafted.",
    EntryKind.STATEMENT: "The statement was signed.",
    EntryKind.ADDENDUM: "A fact found later was signed.",
}
"""By kind of an entry: its sentence, or what makes it of what the entry says."""


def happened(entry: AuditEntry) -> str:
    sentence = _SENTENCES[entry.kind]
    return sentence if isinstance(sentence, str) else sentence(entry.said)
