"""Drafting a verification statement, and taking in what was signed on the verifier's own machine."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import date
from enum import StrEnum
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from provender.audit.findings import open_of
from provender.audit.programme import DUTY, STANDARD, TASK
from provender.audit.programme import Role as AuditRole
from provender.audit.statement import opinion
from provender.audit.statement import statement as statements
from provender.audit.statement.held import statement_pdf
from provender.audit.statement.papers import Papers, Recomputed, check_to_sign, farm_rows, period_part, sample_part
from provender.custody.documents.build import PERIOD, period_document
from provender.custody.events.closing import Closing
from provender.database.actor import Actor, today
from provender.database.models.audits import Audit, AuditEntry, EntryKind
from provender.database.models.farm import PartyKey, ReportVersion, SignedDocument
from provender.database.store.custody import SqlStore
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.schema import field, infos, read, view, write
from provender.services import transparency
from provender.services.audits import audits
from provender.services.audits.programme import items_of, marks_of, outcomes_in, told
from provender.services.audits.sample import names_of
from provender.services.refused import MissingError, RefusedError
from provender.signing.canonical import canonical_json, read_json, sha256_hex
from provender.signing.jws import MEANING, Status, check, envelope_hash
from provender.signing.keys import PublicKey

# What an audit was engaged for, what was seen where, and the work that its statement carries (interpretation 74).

_CITE: Final = "2100.032(c)(1)"
KINDS: Final = (TASK, DUTY, STANDARD)
"""Sections of the work program, in the order in which people read them."""


@view
class EngagementView:
    """What verifier and client agreed on, as it was said last; empty before."""

    said: dict[str, Any] = field("Engagement")


@view
class SeenView(audits.Visited):
    """A site or a drawn farm that was audited."""

    number: int = field("Number")


def engagement_of(audit: Audit) -> dict[str, Any]:
    """Return the engagement as it was said last; empty before."""
    entry = audits.last(audit, EntryKind.ENGAGEMENT)
    return entry.said if entry else {}


def record_engagement(audit: Audit, said: audits.Said, *, actor: Actor) -> AuditEntry:
    """Keep what was agreed and planned; what is not known yet may be left out and stands against the opinion.

    Raises:
        ProblemsError: a part that is said cannot be read; RefusedError as ``add_entry``.
    """
    filled = {name: value for name, value in audits.on_one_line(said).items() if value not in ("", None, [], ())}
    try:
        audits.read_said(opinion.Engagement, filled, "engagement", _CITE)
    except RefusedError as unread:
        wrong = [one for one in unread.problems if one.place.column in filled]
        if wrong:
            raise RefusedError(wrong) from None
    return audits.add_entry(audit, EntryKind.ENGAGEMENT, filled, actor=actor, about=str(filled.get("engaged_by", "")))


def log_visit(audit: Audit, said: audits.Said, *, actor: Actor) -> AuditEntry:
    """Log how, on which day and by whom a site or a drawn farm was audited; of a farm the last line counts.

    Raises:
        ProblemsError: a part is missing, the day is to come, the books name no such site, or the farm is not drawn;
            RefusedError as ``add_entry``.
    """
    seen, problems = audits.read_said(audits.Visited, said, "visit", _CITE), list[Problem]()

    def tell(column: str, code: str, cause: str, remedy: str) -> None:
        problems.append(Problem(Place("visit", column=column), cause, remedy, _CITE, code=code))

    if seen.way is opinion.Way.EXEMPT:
        tell("way", "exempt", "An exempted farm is decided under the farm sample.", "Borrow its audit there.")
    if seen.on > today():
        tell("on", "day_to_come", f"The day {seen.on} is to come.", "Log what was seen.")
    if seen.farm and seen.farm not in audits.drawn_farms(audit):
        tell("farm", "not_drawn", f"Farm {seen.farm} is not in the sample.", "Choose a drawn farm.")
    elif not seen.farm and not seen.site:
        tell("site", "no_site", "Site: nothing is said.", "Name a site or choose a drawn farm.")
    elif not seen.farm and seen.site not in (sites := audits.sites_of(audit) or (seen.site,)):
        tell("site", "other_site", f"The books name no site {seen.site}.", f"They name {', '.join(sites)}.")
    if problems:
        raise RefusedError(problems)
    data = {**write(seen, whole=True)} | ({"site": ""} if seen.farm else {})
    return audits.add_entry(audit, EntryKind.VISIT, data, actor=actor, about=seen.farm or seen.site)


def visit_view(entry: AuditEntry) -> SeenView:
    return read(SeenView, {"number": entry.number, **entry.said})


def seen_in(audit: Audit) -> list[SeenView]:
    """Return the visit log, in the order in which it was written."""
    return [visit_view(entry) for entry in audits.entries(audit, EntryKind.VISIT)]


def farms_drawn(audit: Audit) -> dict[str, str]:
    drawn = audits.drawn_farms(audit)
    named = names_of(drawn)
    return {farm: named.get(farm, farm) for farm in drawn}


def _work_of(audit: Audit) -> dict[str, Any]:
    """Return what the papers of an audit say, as a statement carries it."""
    return {
        "lines": lines_answered(audit),
        **_seen(audit),
        **period_part(records_behind(audit)),
        "differences": _open_differences(audit),
    }


def lines_answered(audit: Audit) -> list[dict[str, str]]:
    """Return the answered lines of the work program: those that people marked, and those that recomputation settled."""
    marks, result = marks_of(audit), audits.party_result(audit)
    # Only the package that the statement names settles a line: of a drawn farm's own one it would show nothing.
    done = _recomputed(audit, result) if result else None
    rows = []
    for item in items_of(audit):
        made = marks.get(item.line)
        row = {"line": item.line, "cite": item.cite}
        if made is not None and made.said["state"] in (audits.Mark.DONE, audits.Mark.NOT_NEEDED):
            answer = opinion.Answer.DONE if made.said["state"] == audits.Mark.DONE else opinion.Answer.NOT_NEEDED
            day, why = timezone.localdate(made.at).isoformat(), made.said["reason"]
            reason = {"reason": why} if why else {}
            rows.append({**row, "answer": str(answer), "by": made.actor, "on": day, **reason})
        elif done and result and item.kind != TASK and done.settles(item.cite):
            day, by = done.facts.made_on.isoformat(), str(result.actor or "recomputation")
            rows.append({**row, "answer": str(opinion.Answer.RECOMPUTED), "by": by, "on": day})
    return rows


class OpenLines(NamedTuple):
    """How many lines of a section of the work program are open, and the first of them; empty where none is."""

    kind: str
    open: int
    whole: int
    first: str


def lines_open(audit: Audit) -> list[OpenLines]:
    """Return by section of the work program what is not answered yet, counted as the statement counts."""
    answered = {row["line"] for row in lines_answered(audit)}
    found = []
    for kind, of_kind in groupby(sorted(items_of(audit), key=lambda one: KINDS.index(one.kind)), lambda one: one.kind):
        lines = [item.line for item in of_kind]
        left = [line for line in lines if line not in answered]
        found.append(OpenLines(kind, len(left), len(lines), left[0] if left else ""))
    return found


def _seen(audit: Audit) -> dict[str, list[dict[str, Any]]]:
    log = [entry.said for entry in audits.entries(audit, EntryKind.VISIT)]
    sites = [{name: row[name] for name in infos(opinion.SeenPlace)} for row in log if not row["farm"]]
    farms = []
    if audits.drawn_farms(audit):
        sample = audits.sample_of(audit)
        visited = {row["farm"]: row for row in log if row["farm"]}
        for farm, row in zip(sample["sample"], farm_rows(sample), strict=True):
            seen = visited.get(farm)
            if seen is not None:
                farms.append({"farm": row["farm"], "way": seen["way"], "on": seen["on"], "by": seen["by"]})
            elif row["way"]:
                farms.append(row)
    return {"sites": sites, "farms": farms}


def records_behind(audit: Audit) -> list[dict[str, Any]]:
    """Return the records behind the verified quantities, in their envelopes where the party signed them.

    Of a farm they are its signed reports of the harvest year, the last version of each; of others the statements of
    the closed periods that touch the covered days.
    """
    return _reports(audit) if audit.role == AuditRole.FARM else _periods(audit)


def _periods(audit: Audit) -> list[dict[str, Any]]:
    party = audit.audited.handle
    with SqlStore(Actor(None, "audit")).reading() as facts:
        closings = [
            one
            for one in facts.many(Closing, party)
            if one.start <= audit.covered_last and one.end >= audit.covered_first
        ]
        made = [period_document(facts, party, one.start) for one in closings]
    kept = SignedDocument.objects.filter(organisation=audit.audited, kind=PERIOD).order_by("id")
    signed: dict[str, dict[str, Any]] = {row.number: json.loads(row.text) for row in kept}
    return [signed.get(str(document["number"]), document) for document in made]


def _reports(audit: Audit) -> list[dict[str, Any]]:
    rows = ReportVersion.objects.filter(book__organisation=audit.audited, harvest_year=audit.harvest_year)
    latest = {row.crop: row for row in rows.order_by("number") if row.signature}
    return [{"document": json.loads(row.document), "signature": row.signature} for _, row in sorted(latest.items())]


def _open_differences(audit: Audit) -> int:
    """Return how many differences of the last recomputation of each package no finding deals with."""
    found = [one for result in audits.latest_results(audit) for one in result["differences"]]
    return len(open_of(map(told, found), audits.findings_of(audit)))


MAX_SIGNED: Final = 2**20
"""Bytes; no signed statement is larger."""


@view
class DraftView:
    """The statement as it is to be signed today, and what stands against that."""

    document: dict[str, Any] = field("Document")
    against: tuple[audits.Doubt, ...] = field("What stands against it")


@view
class LaterView:
    """A fact found after the statement was signed, as it was signed."""

    number: int = field("Number")
    document: dict[str, Any] = field("Document")
    signature: str = field("Signature")


def draft_view(audit: Audit) -> DraftView:
    """Return the draft of a statement that is not signed yet.

    Raises:
        MissingError: there is none, or the statement is signed.
    """
    draft = draft_of(audit)
    if draft is None or audits.statement_of(audit) is not None:
        raise MissingError
    return DraftView(document=draft.document(), against=audits.doubts(against_signing(audit, draft)))


def later_view(entry: AuditEntry) -> LaterView:
    return LaterView(number=entry.number, **entry.said)


def draft_statement(audit: Audit, said: audits.Said, *, actor: Actor) -> AuditEntry:
    """Save a draft of the statement; the last one counts.

    Raises:
        ProblemsError: a part is missing or cannot be read, the verifier shows no accreditation, or the opinion is
            favourable and something is still missing, not audited, or open; RefusedError as ``add_entry``.
    """
    words = audits.read_said(audits.Words, said, "statement", _CITE)
    shown = audits.accreditation_of(audit.verifier)
    if shown is None:
        raise refuse("accreditation", "You show no accreditation.", "Enter it under Accreditation.", cite="2100.041")
    made = _made(audit, words, shown, today())
    if made.opinion is statements.Opinion.FAVOURABLE and (errors := _errors(_checked(audit, made))):
        raise ProblemsError(errors)
    return audits.add_entry(audit, EntryKind.DRAFT, made.document(), actor=actor, about=words.opinion.words)


def _made(
    audit: Audit, words: audits.Words, shown: statements.Accreditation, day: date
) -> statements.VerificationStatement:
    """Return the statement with what the audit's papers say now; a qualified one names what it leaves out."""
    result = audits.party_result(audit)
    made = statements.VerificationStatement(
        number=audit.number,
        audited=audit.audited.handle,
        audited_name=audit.audited.name,
        role=AuditRole(audit.role),
        also=audits.roles_audited(audit)[1:],
        verifier=audit.verifier.handle,
        verifier_name=audit.verifier.name,
        scope="",
        accreditation=shown,
        covered_first=audit.covered_first,
        covered_last=audit.covered_last,
        issued_on=day,
        package_mark=str(result.said["made"]["mark"]) if result else "",
        findings=tuple(finding.public() for finding in audits.findings_of(audit)),
        engagement=engagement_of(audit),
        work=_work_of(audit),
        **asdict(words),
        **(sample_part(audits.sample_of(audit)) if audits.drawn_farms(audit) else {}),
    )
    made = replace(made, scope=opinion.scope_of(made))
    return (
        replace(made, excepted=tuple(opinion.exceptions(made)))
        if made.opinion is statements.Opinion.QUALIFIED
        else made
    )


def _papers_of(audit: Audit) -> Papers:
    """Return the papers that a statement is held against, as the server keeps them."""
    result, signer = audits.party_result(audit), audits.KEYS.in_use(audit.verifier)
    # One draw a year: an audit of the same harvest or the same days draws from this point too, whoever leads it.
    alike = Q(harvest_year=audit.harvest_year)
    alike |= Q(covered_first__lte=audit.covered_last, covered_last__gte=audit.covered_first)
    others = Audit.objects.filter(alike, audited=audit.audited).exclude(pk=audit.pk)
    keys = [PublicKey.from_jwk(row.public) for row in PartyKey.objects.filter(organisation=audit.audited)]
    return Papers(
        audits.sample_of(audit) if audits.is_drawn(audit) else None,
        audits.findings_of(audit),
        records_behind(audit),
        _recomputed(audit, result) if result else None,
        {key.fingerprint: key for key in keys},
        (audit.verifier.handle,) if signer else None,
        audits.verifier_keys,
        [frozen for one in others for frozen in _frozen(one)],
        _frozen(audit),
    )


def _frozen(audit: Audit) -> list[dict[str, Any]]:
    return [entry.said["list"]["frozen"] for entry in audits.entries(audit, EntryKind.POPULATION)]


def _recomputed(audit: Audit, result: AuditEntry) -> Recomputed:
    differences = [one for each in audits.latest_results(audit) for one in each["differences"]]
    facts = read(opinion.PackageFacts, result.said["facts"])
    return Recomputed.of(str(result.said["made"]["mark"]), facts, outcomes_in([result.said]), differences)


def _checked(audit: Audit, draft: statements.VerificationStatement) -> list[Problem]:
    return check_to_sign(draft, _papers_of(audit), today())


def _errors(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.weight is Weight.ERROR]


_NOTHING_SAID: Final = audits.Words(
    lead_verifier="", independent_reviewer="", crops=(), objectives="", criteria=(),
    assurance=statements.Assurance.LIMITED, materiality_pct=0, materiality="",
    opinion=statements.Opinion.FAVOURABLE, basis="",
)  # fmt: skip
"""What a statement would say before anybody wrote one, to ask what a favourable opinion needs."""


def needs_of(audit: Audit) -> tuple[audits.Doubt, ...]:
    """Return what a favourable opinion still needs today; nothing when it can be drafted."""
    entry, shown = audits.last(audit, EntryKind.DRAFT), audits.accreditation_of(audit.verifier)
    if shown is None:
        return audits.doubts(
            refuse("accreditation", "You show no accreditation.", "Enter it.", cite="2100.041").problems
        )
    words = _words_of(entry.said) if entry else replace(_NOTHING_SAID, criteria=opinion.criteria_of(audit.covered_last))
    made = _made(audit, replace(words, opinion=statements.Opinion.FAVOURABLE), shown, today())
    return audits.doubts(_errors(against_signing(audit, made)))


def _words_of(document: audits.Said) -> audits.Words:
    return read(audits.Words, {name: document[name] for name in infos(audits.Words)})


def receive_statement(audit: Audit, content: bytes, *, actor: Actor) -> AuditEntry:
    """Keep a signed statement, as the bytes of its file; the audited party keeps it from now on.

    Raises:
        ProblemsError: it is not the draft, its signature does not fit, or an error stands against it.
    """
    draft = draft_of(audit)
    if draft is None or len(content) > MAX_SIGNED:
        raise refuse("file", "There is no draft to this file.", "Save the draft, sign it, and bring that file.")
    envelope, document = _signed(audit, content)
    if document != json.loads(canonical_json(draft.document())):
        remedy = "Download the unsigned statement again and sign that one."
        raise refuse("signed statement", "What was signed is not the draft as it stands.", remedy, code="other_draft")
    if errors := _errors(_checked(audit, draft)):
        raise ProblemsError(errors)
    audits.check_verifier(audit.verifier, audit.audited, today())
    return _kept(audit, EntryKind.STATEMENT, envelope, actor, draft.opinion.words)


@transaction.atomic
def _kept(audit: Audit, kind: EntryKind, envelope: Mapping[str, Any], actor: Actor, about: str) -> AuditEntry:
    """Keep a signed paper of the verifier, and enter it in the log of what was signed."""
    entry = audits.add_entry(audit, kind, envelope, actor=actor, about=about)
    transparency.append(audit.verifier, kind.label.lower(), audit.number, envelope)
    return entry


def receive_later_statement(audit: Audit, content: bytes, *, actor: Actor) -> AuditEntry:
    """Keep a signed fact found after the statement was signed; the statement itself stays as it is.

    Raises:
        ProblemsError: no statement is signed; the signature does not fit; it is no addendum to that statement.
    """
    signed = audits.statement_of(audit)
    if not signed:
        raise refuse("file", "There is no statement yet.", "Sign the statement first.", code="no_statement")
    envelope, said = _signed(audit, content)
    try:
        on, effect = date.fromisoformat(said["on"]), statements.LaterEffect(said["effect"])
        again = statements.addendum(envelope_hash(signed), on, said["text"], effect, said["replaced_by"])
    except (KeyError, TypeError, ValueError, AttributeError):
        again = {}
    if said != again:
        remedy = "Make it from the signed statement: `provender audit statement add`."
        raise refuse("file", "This is no fact about this statement.", remedy, code="other_statement")
    if not statements.VerificationStatement.read(signed["document"]).issued_on <= on <= today():
        raise refuse("file", "Its day is before the statement or to come.", "Sign it with today's day.", code="day")
    return _kept(audit, EntryKind.ADDENDUM, envelope, actor, str(effect))


def _signed(audit: Audit, content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the envelope of a file and the document in it, signed with the key that the verifier registered last.

    Raises:
        ProblemsError: no key is registered, or the signature is not whole and by that key.
    """
    pinned = audits.KEYS.pinned(audit.verifier)
    if not pinned:
        remedy = "A manager registers its public half under Audits, Signing key."
        raise refuse("signed statement", "You registered no signing key.", remedy, cite="2100.041", code="no_key")
    envelope = read_json(content, file="signed statement", max_bytes=MAX_SIGNED)
    checked = check(envelope, pinned)
    if checked.status is Status.SIGNER_UNKNOWN:
        cause = "This was signed with another key than the one you registered."
        remedy = "Sign it with that key, or register the other one under Audits, Signing key."
        raise refuse("signed statement", cause, remedy, cite="2100.041", code="other_key")
    if not checked.valid or not isinstance(envelope, dict) or checked.document is None:
        cause, remedy = MEANING[checked.status]
        raise ProblemsError([Problem(Place("signed statement"), cause, remedy, code=f"signature_{checked.status}")])
    return envelope, dict(checked.document)


def draft_of(audit: Audit) -> statements.VerificationStatement | None:
    """Return the draft as it was worded last, with everything else as the audit's papers stand now; None before."""
    entry = audits.last(audit, EntryKind.DRAFT)
    if entry is None:
        return None
    stored = statements.VerificationStatement.read(entry.said)
    shown = audits.accreditation_of(audit.verifier) or stored.accreditation
    return _made(audit, _words_of(entry.said), shown, stored.issued_on)


def against_signing(audit: Audit, draft: statements.VerificationStatement) -> list[Problem]:
    """Return what stands against signing: what the statement lacks, what its papers contradict, independence."""
    problems = _checked(audit, draft)
    try:
        audits.check_verifier(audit.verifier, audit.audited, today())
    except ProblemsError as refused:
        known = {problem.cause for problem in problems}
        problems += [problem for problem in refused.problems if problem.cause not in known]
    return problems


def later_of(audit: Audit) -> list[dict[str, Any]]:
    """Return the facts found later, each with the number of its entry."""
    return [{**entry.said["document"], "number": entry.number} for entry in audits.entries(audit, EntryKind.ADDENDUM)]


def statement_file(audit: Audit, ending: str) -> tuple[str, bytes]:
    """Return the statement of an audit as JSON or PDF, signed where it is signed, with its file name.

    Raises:
        MissingError: there is none, or another kind of file was asked for.
    """
    signed, draft = audits.statement_of(audit), draft_of(audit)
    statement = statements.VerificationStatement.read(signed["document"]) if signed else draft
    if statement is None or ending not in ("json", "pdf"):
        raise MissingError
    name = f"{'statement' if signed else 'statement-unsigned'}-{audit.handle}.{ending}"
    if ending == "json":
        return name, canonical_json(signed or statement.document())
    if not signed:
        return name, statement_pdf(statement)
    later = [entry.said for entry in audits.entries(audit, EntryKind.ADDENDUM)]
    return name, statement_pdf(statement, signed, check(signed, {}).kid, later)


# What a favorable opinion still needs, for whoever answers it: where that is done, and which farms are meant.
#
# The sentences themselves go into signed statements, so they count drawn farms and name none; only the verifier's own
# page says which farm stands at which place.


class AnsweredIn(StrEnum):
    """Where something that is missing is answered."""

    ENGAGEMENT = "Engagement"
    SAMPLE = "Farm sample"
    WORK = "Work program"
    PACKAGES = "Packages and recomputation"
    FINDINGS = "Findings"
    STATEMENT = "Statement"
    ACCREDITATION = "Accreditation"


@dataclass(frozen=True, slots=True)
class Need:
    """One thing that a favorable opinion still needs."""

    doubt: audits.Doubt  # what is missing, and what to do
    where: AnsweredIn | None  # where it is answered; None where only the audited party can
    part: str = ""  # the field there, empty for the whole
    # the drawn farms that are meant, each with its place in the sample; empty where it is not about farms
    farms: tuple[str, ...] = ()


_FARMS_LEFT: Final = "farm_not_audited"
_BY_CODE: Final = {
    AnsweredIn.ENGAGEMENT: (
        "retention_too_short", "no_competence", "reviewer_took_part", "unknown_paragraph", "assertion_not_tested",
        "no_site_seen", "other_site", "site_not_seen", "site_seen_too_early", "farm_not_drawn", _FARMS_LEFT,
        "work_before_engagement", "days_of_work_do_not_fit", "days_out_of_order", "ahead_of_clock",
    ),
    AnsweredIn.SAMPLE: (
        "no_sample", "sample_too_small", "draw_not_told", "no_borrowed_audit", "sample_not_shown", "other_sample",
        "other_population", "sample_of_other_year", "sample_not_in_package", "frozen_twice",
        "audited_before_not_proved",
    ),
    AnsweredIn.WORK: (
        "other_programme", "line_without_reason", "line_unanswered", "reason_not_shown", "role_left_out", "other_role",
    ),
    AnsweredIn.PACKAGES: (
        "not_recomputed", "no_package", "package_not_shown", "package_of_another", "package_of_other_days",
        "differences_not_stated", "not_settled", "record_of_other_days",
    ),
    AnsweredIn.FINDINGS: (
        "difference_open", "no_bearing", "misstatement_unmeasured", "material_misstatement", "opinion_against_findings",
        "finding_contradicted",
    ),
    AnsweredIn.STATEMENT: (
        "incomplete", "other_crop", "other_crop_verified", "crop_not_verified", "crop_not_in_package", "not_reviewed",
        "no_materiality", "materiality_too_large", "says_nothing", "rule_not_named",
    ),
    AnsweredIn.ACCREDITATION: (
        "no_scope_of_accreditation", "no_holder", "accreditation_of_other", "no_certificate", "other_standard",
        "body_not_member", "membership_to_confirm", "not_accredited_on_day", "suspended_on_day", "accreditation",
    ),
}  # fmt: skip
WHERE: Final = {code: where for where, codes in _BY_CODE.items() for code in codes}
_ENGAGED: Final = {f"no_{name}": name for name in infos(opinion.Engagement)}


def needs_to_answer(audit: Audit) -> list[Need]:
    """Return what a favorable opinion still needs today, each with where it is answered."""
    return [_need(audit, doubt) for doubt in needs_of(audit)]


def _need(audit: Audit, doubt: audits.Doubt) -> Need:
    if doubt.code in _ENGAGED:
        return Need(doubt, AnsweredIn.ENGAGEMENT, _ENGAGED[doubt.code])
    farms = _farms_left(audit) if doubt.code == _FARMS_LEFT else ()
    return Need(doubt, WHERE.get(doubt.code), farms=farms)


def _farms_left(audit: Audit) -> tuple[str, ...]:
    """Return the drawn farms that are neither audited nor exempted, each behind its place in the sample."""
    seen = {row["farm"] for row in _work_of(audit)["farms"]}
    named = enumerate(farms_drawn(audit).values(), start=1)
    return tuple(f"{place}: {name}" for place, name in named if place not in seen)


# A verifier's key that lies sealed in a browser: used to sign a statement on its page.


def mark_of(draft: statements.VerificationStatement) -> str:
    """Return the hash of a draft as it would be signed: a page signs nothing but what it shows."""
    return sha256_hex(canonical_json(draft.document()))


def statement_to_sign(audit: Audit, shown: str) -> str:
    """Return the text of the draft that somebody has read, for its reader to sign; ``shown`` is ``mark_of`` that draft.

    Raises:
        ProblemsError: there is none, it is signed or another by now, or something stands against signing it.
    """
    draft = draft_of(audit)
    if draft is None or audits.statement_of(audit) is not None:
        raise refuse("statement", "There is no draft to sign.", "Save the draft first.")
    if errors := [one for one in against_signing(audit, draft) if one.weight is Weight.ERROR]:
        raise ProblemsError(errors)
    if mark_of(draft) != shown:
        raise refuse("statement", "The draft changed meanwhile.", "Load the page and read it.", code="other_draft")
    return canonical_json(draft.document()).decode()


def sign_statement(audit: Audit, signature: str, shown: str, *, actor: Actor) -> AuditEntry:
    """Take in a signature, by the key that was registered last, over the text that ``statement_to_sign`` gives.

    Raises:
        ProblemsError: as ``statement_to_sign`` and ``receive_statement``.
    """
    text = statement_to_sign(audit, shown)
    envelope = {"document": read_json(text.encode(), file="statement"), "signature": signature}
    return receive_statement(audit, canonical_json(envelope), actor=actor)
