"""Checking a verification statement that came with a transfer document, and keeping it (2100.030(d), .032(b)(2)).

A statement speaks for the incoming claim of a day and crop only if the verifier's key is pinned and stands, the
statement itself is sound, it is about the supplier, covers the day and crop, its opinion is favourable, and no addendum
has taken it back. Everything else leaves the claim *unverified*, with the reason (interpretation 46).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Final

from provender.audit.statement.statement import (
    ADDENDUM_KIND,
    CITE,
    FILE,
    KIND,
    LaterEffect,
    VerificationStatement,
    check_statement,
    favourable,
)
from provender.problem import Place, Problem, Weight
from provender.signing.jws import MEANING, Checked, check
from provender.signing.keys import PublicKey

TAKEN_BACK: Final = frozenset({f"statement_{one}" for one in LaterEffect if one is not LaterEffect.STANDS})
"""Codes of the problem that an addendum made of a statement that was sound."""
READABLE: Final = (KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class Received:
    """A statement as received.

    Attributes:
        hash: what addenda and transfer documents name it by; empty when it cannot be read.
        kid: fingerprint of the key that signed it, empty unless the signature fits.
        statement: its content, None when signature or content cannot be relied on.
        problems: everything that stands against it, whatever claim it is to cover.
        ends_on: the day from which addenda take it back, None while it stands.
        notes: what it does not state; nothing of it stands against it.
    """

    hash: str
    kid: str
    statement: VerificationStatement | None
    problems: tuple[Problem, ...]
    ends_on: date | None = None
    notes: tuple[Problem, ...] = ()

    def against(self, supplier: str, day: date, crop: str) -> list[Problem]:
        """Return why it does not speak for a claim from a supplier; nothing when the claim is verified."""
        problems = list(self.problems)
        one = self.statement
        if one is None:
            return problems or [_problem("No statement can be read.", "Ask the supplier for it.", "no_statement")]
        if one.audited != supplier:
            cause = f"The statement is about {one.audited}, not about {supplier}."
            problems.append(_problem(cause, "Ask for the supplier's own.", "other_party"))
        if not one.covers(day, crop):
            cause = (
                f"It covers {', '.join(one.crops)} from {one.covered_first} to {one.covered_last}, not {crop} on {day}."
            )
            problems.append(_problem(cause, "Wait for the statement that covers it.", "not_covered"))
        if not favourable([], one):
            cause = f"Its opinion is {one.opinion.words}."
            problems.append(_problem(cause, "Do not resell the claim as reduced-CI.", "not_favourable"))
        return problems


def receive(
    envelope: object,
    pinned: Mapping[str, PublicKey],
    *,
    addenda: Iterable[object] = (),
    revoked: Mapping[str, date] | None = None,
    as_of: date,
) -> Received:
    """Check a signed statement and the addenda that came with it.

    Args:
        envelope: what ``read_json`` gave; anything at all is answered.
        pinned: keys of verifiers, by fingerprint.
        addenda: signed facts found later, in any order.
        revoked: the day from which a key no longer counts, by fingerprint.
        as_of: the day of receipt; later addenda are not effective yet.
    """
    checked = check(envelope, pinned, revoked=revoked)
    problems = _signature(checked)
    statement = None
    try:
        statement = VerificationStatement.read(checked.document) if checked.document is not None else None
    except READABLE:
        cause = "What was signed is no verification statement, or parts of it cannot be read."
        problems.append(_problem(cause, f"Ask for a document of the kind {KIND}.", "unreadable_statement"))
    if statement is not None:
        problems += _stated(statement)
        if statement.issued_on > as_of:
            cause = f"It is dated {statement.issued_on}, after {as_of}."
            problems.append(_problem(cause, "Check the days.", "issued_later"))
    later, ends_on = _addenda(addenda, checked, pinned, revoked, as_of)
    notes = tuple(problem for problem in problems if problem.weight is Weight.NOTE)
    against = tuple(problem for problem in (*problems, *later) if problem.weight is not Weight.NOTE)
    return Received(checked.hash, checked.kid, statement, against, ends_on, notes)


UNSAID: Final = frozenset({"incomplete", "no_sample", "no_materiality"})
"""Parts whose absence is told and decides nothing: a statement made elsewhere enters with what it states."""


def _stated(one: VerificationStatement) -> list[Problem]:
    """Return what stands against a statement, and as a note what it does not state (interpretation 74).

    What it says against itself counts as it did; opinion, days, crops and accreditation decide what it vouches for.
    """
    found = check_statement(one)
    problems = [replace(problem, weight=Weight.NOTE) if problem.code in UNSAID else problem for problem in found]
    unsaid = [name for name, said in (("engagement", one.engagement), ("work done", one.work)) if not said]
    if unsaid:
        cause = f"It does not state: {', '.join(unsaid)}."
        note = _problem(cause, "Ask the verifier where you need it.", "not_stated")
        problems.append(replace(note, weight=Weight.NOTE))
    return problems


def _signature(checked: Checked) -> list[Problem]:
    if checked.valid:
        return []
    cause, remedy = MEANING[checked.status]
    return [_problem(cause, remedy, f"signature_{checked.status}")]


def _addenda(
    addenda: Iterable[object],
    statement: Checked,
    pinned: Mapping[str, PublicKey],
    revoked: Mapping[str, date] | None,
    as_of: date,
) -> tuple[list[Problem], date | None]:
    problems: list[Problem] = []
    ends: list[date] = []
    for envelope in addenda:
        checked = check(envelope, pinned, revoked=revoked)
        found: Mapping[str, Any] = checked.document or {}
        if found.get("kind") != ADDENDUM_KIND or found.get("statement") != statement.hash:
            cause = "An addendum beside it is about another document or cannot be read."
            problems.append(_problem(cause, "Ask for the right one.", "other_addendum"))
            continue
        if not checked.valid or checked.kid != statement.kid:
            cause = "An addendum was not signed by the verifier of the statement."
            problems.append(_problem(cause, "Ask the verifier.", "addendum_not_signed"))
            continue
        try:
            day, effect = date.fromisoformat(found["on"]), LaterEffect(found["effect"])
        except READABLE:
            problems.append(_problem("An addendum has no day or effect.", "Ask the verifier.", "addendum_unreadable"))
            continue
        if effect is not LaterEffect.STANDS and day <= as_of:
            ends.append(day)
            cause = f"The verifier has it {effect} from {day}: {found.get('text', '')}"
            problems.append(_problem(cause, "Ask for the statement that replaces it.", f"statement_{effect}"))
    return problems, min(ends, default=None)


def _problem(cause: str, remedy: str, code: str) -> Problem:
    return Problem(Place(FILE), cause, remedy, CITE, code=code)


@dataclass(frozen=True, slots=True)
class Kept:
    """A verification on file: of itself or of a supplier.

    Attributes:
        received_on: the day it came.
        sender: who handed it over.
        received: what checking it found.
    """

    received_on: date
    sender: str
    received: Received
