"""Drafting a verification statement, and taking in what was signed on the verifier's own machine."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import date
from typing import Any, Final

from django.db import transaction

from provender.audit.programme.items import Role as AuditRole
from provender.audit.statement.accreditation import Accreditation
from provender.audit.statement.opinion import check_signing, exceptions
from provender.audit.statement.print import statement_pdf
from provender.audit.statement.statement import (
    Assurance,
    LaterEffect,
    Opinion,
    VerificationStatement,
    addendum,
)
from provender.database.actor import Actor, today
from provender.database.models import Audit, AuditEntry, EntryKind
from provender.database.store.audits import (
    accreditation_of,
    data_of,
    drawn_farms,
    entries,
    findings_of,
    last,
    sample_of,
    statement_of,
)
from provender.plain import field, view
from provender.problem import Place, Problem, ProblemsError, Weight, refuse
from provender.services import transparency
from provender.services.audits.audits import add_entry, check_verifier
from provender.services.audits.engagement import engagement_of, work_of
from provender.services.audits.verifier import KEYS, Doubt, doubts
from provender.services.refused import MissingError
from provender.signing.canonical import canonical_json, read_json
from provender.signing.hashes import document_hash
from provender.signing.jws import MEANING, Status, check, envelope_hash

MAX_SIGNED: Final = 2**20
"""Bytes; no signed statement is larger."""


@dataclass(frozen=True, slots=True)
class Words:
    """What people say in a statement; sample, findings and days come from the audit.

    Attributes:
        lead_verifier, independent_reviewer: two people.
        crops: crops or products covered.
        objectives, scope: what was to be found out, and where the audit ended.
        criteria: what was verified against.
        assurance: reasonable or limited.
        materiality_pct: thousandths of a percent; materiality: how it was applied.
        opinion: the result; basis: why, and for a qualified opinion what is excepted.
    """

    lead_verifier: str
    independent_reviewer: str
    crops: tuple[str, ...]
    objectives: str
    scope: str
    criteria: tuple[str, ...]
    assurance: Assurance
    materiality_pct: int
    materiality: str
    opinion: Opinion
    basis: str


@view
class DraftView:
    """The statement as it is to be signed today, and what stands against that."""

    document: dict[str, Any] = field("Document")
    against: tuple[Doubt, ...] = field("What stands against it")


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
    if draft is None or statement_of(audit) is not None:
        raise MissingError
    return DraftView(document=draft.document(), against=doubts(against_signing(audit, draft)))


def later_view(entry: AuditEntry) -> LaterView:
    """Return a fact found later."""
    return LaterView(number=entry.number, **data_of(entry))


def draft_statement(audit: Audit, words: Words, *, actor: Actor) -> AuditEntry:
    """Save a draft of the statement; the last one counts.

    Raises:
        ProblemsError: the verifier shows no accreditation, or the opinion is favourable and something is still
            missing, not audited, or open; RefusedError as ``add_entry``.
    """
    shown = accreditation_of(audit.verifier)
    if shown is None:
        raise refuse("accreditation", "You show no accreditation.", "Enter it under Accreditation.", cite="2100.041")
    made = _made(audit, words, shown, today())
    if made.opinion is Opinion.FAVOURABLE and (errors := _errors(check_signing(made))):
        raise ProblemsError(errors)
    return add_entry(audit, EntryKind.DRAFT, made.document(), actor=actor, about=words.opinion.words)


def _made(audit: Audit, words: Words, shown: Accreditation, day: date) -> VerificationStatement:
    """Return the statement with what the audit's papers say now; a qualified one names what it leaves out."""
    made = VerificationStatement(
        number=audit.number,
        audited=audit.audited.handle,
        audited_name=audit.audited.name,
        role=AuditRole(audit.role),
        verifier=audit.verifier.handle,
        accreditation=shown,
        covered_first=audit.covered_first,
        covered_last=audit.covered_last,
        issued_on=day,
        package_mark=_mark(audit),
        findings=tuple(public_findings(audit)),
        engagement=engagement_of(audit),
        work=work_of(audit),
        **asdict(words),
        **_sample(audit),
    )
    return replace(made, excepted=tuple(exceptions(made))) if made.opinion is Opinion.QUALIFIED else made


def _errors(problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.weight is Weight.ERROR]


NOTHING_SAID: Final = Words(
    lead_verifier="", independent_reviewer="", crops=(), objectives="", scope="", criteria=(),
    assurance=Assurance.LIMITED, materiality_pct=0, materiality="", opinion=Opinion.FAVOURABLE, basis="",
)  # fmt: skip
"""What a statement would say before anybody wrote one, to ask what a favourable opinion needs."""


def needs_of(audit: Audit) -> tuple[Doubt, ...]:
    """Return what a favourable opinion still needs today; nothing when it can be drafted."""
    entry, shown = last(audit, EntryKind.DRAFT), accreditation_of(audit.verifier)
    if shown is None:
        return doubts(refuse("accreditation", "You show no accreditation.", "Enter it.", cite="2100.041").problems)
    words = _words_of(data_of(entry)) if entry else NOTHING_SAID
    made = _made(audit, replace(words, opinion=Opinion.FAVOURABLE), shown, today())
    return doubts(_errors(against_signing(audit, made)))


def _words_of(document: Mapping[str, Any]) -> Words:
    stored = VerificationStatement.read(document)
    return Words(**{each.name: getattr(stored, each.name) for each in fields(Words)})


def lines_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Return texts without those that are blank, and without blanks around them."""
    return tuple(one.strip() for one in texts if one.strip())


def _sample(audit: Audit) -> dict[str, Any]:
    if not drawn_farms(audit):
        return {}
    document = sample_of(audit)
    return {
        "farms": document["farms"],
        "sampled": len(document["sample"]),
        "sample_hash": document_hash(document),
    }


def _mark(audit: Audit) -> str:
    result = last(audit, EntryKind.RESULT)
    return str(data_of(result)["made"]["mark"]) if result else ""


def receive_statement(audit: Audit, content: bytes, *, actor: Actor) -> AuditEntry:
    """Keep a signed statement; the audited party keeps it from now on.

    Args:
        audit: the audit.
        content: the file as it was signed.
        actor: who hands it in.

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
    if errors := _errors(check_signing(draft)):
        raise ProblemsError(errors)
    check_verifier(audit.verifier, audit.audited, today())
    return _kept(audit, EntryKind.STATEMENT, envelope, actor, draft.opinion.words)


@transaction.atomic
def _kept(audit: Audit, kind: EntryKind, envelope: Mapping[str, Any], actor: Actor, about: str) -> AuditEntry:
    """Keep a signed paper of the verifier, and enter it in the log of what was signed."""
    entry = add_entry(audit, kind, envelope, actor=actor, about=about)
    transparency.append(audit.verifier, kind.label.lower(), audit.number, envelope)
    return entry


def receive_later_statement(audit: Audit, content: bytes, *, actor: Actor) -> AuditEntry:
    """Keep a signed fact found after the statement was signed; the statement itself stays as it is.

    Raises:
        ProblemsError: no statement is signed; the signature does not fit; it is no addendum to that statement.
    """
    signed = statement_of(audit)
    if not signed:
        raise refuse("file", "There is no statement yet.", "Sign the statement first.", code="no_statement")
    envelope, said = _signed(audit, content)
    try:
        on, effect = date.fromisoformat(said["on"]), LaterEffect(said["effect"])
        again = addendum(envelope_hash(signed), on, said["text"], effect, said["replaced_by"])
    except (KeyError, TypeError, ValueError, AttributeError):
        again = {}
    if said != again:
        remedy = "Make it from the signed statement: `provender audit statement add`."
        raise refuse("file", "This is no fact about this statement.", remedy, code="other_statement")
    if not VerificationStatement.read(signed["document"]).issued_on <= on <= today():
        raise refuse("file", "Its day is before the statement or to come.", "Sign it with today's day.", code="day")
    return _kept(audit, EntryKind.ADDENDUM, envelope, actor, str(effect))


def _signed(audit: Audit, content: bytes) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the envelope of a file and the document in it, signed with the key that the verifier registered last.

    Raises:
        ProblemsError: no key is registered, or the signature is not whole and by that key.
    """
    pinned = KEYS.pinned(audit.verifier)
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


def draft_of(audit: Audit) -> VerificationStatement | None:
    """Return the draft as it was worded last, with everything else as the audit's papers stand now; None before."""
    entry = last(audit, EntryKind.DRAFT)
    if entry is None:
        return None
    stored = VerificationStatement.read(data_of(entry))
    shown = accreditation_of(audit.verifier) or stored.accreditation
    return _made(audit, _words_of(data_of(entry)), shown, stored.issued_on)


def public_findings(audit: Audit) -> list[dict[str, str]]:
    """Return the findings as a statement tells them."""
    return [finding.public() for finding in findings_of(audit)]


def against_signing(audit: Audit, draft: VerificationStatement) -> list[Problem]:
    """Return what stands against signing: gaps, days, sample, opinion, accreditation, independence."""
    problems = check_signing(draft)
    try:
        check_verifier(audit.verifier, audit.audited, today())
    except ProblemsError as refused:
        known = {problem.cause for problem in problems}
        problems += [problem for problem in refused.problems if problem.cause not in known]
    return problems


def later_of(audit: Audit) -> list[dict[str, Any]]:
    """Return the facts found later, each with the number of its entry."""
    return [{**data_of(entry)["document"], "number": entry.number} for entry in entries(audit, EntryKind.ADDENDUM)]


def statement_file(audit: Audit, ending: str) -> tuple[str, bytes]:
    """Return the statement of an audit as JSON or PDF, signed where it is signed, with its file name.

    Raises:
        MissingError: there is none, or another kind of file was asked for.
    """
    signed, draft = statement_of(audit), draft_of(audit)
    statement = VerificationStatement.read(signed["document"]) if signed else draft
    if statement is None or ending not in ("json", "pdf"):
        raise MissingError
    name = f"{'statement' if signed else 'statement-unsigned'}-{audit.handle}.{ending}"
    if ending == "json":
        return name, canonical_json(signed or statement.document())
    if not signed:
        return name, statement_pdf(statement)
    later = [data_of(entry) for entry in entries(audit, EntryKind.ADDENDUM)]
    return name, statement_pdf(statement, signed, check(signed, {}).kid, later)
