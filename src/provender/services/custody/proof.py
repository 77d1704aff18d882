"""What proves the verification of a seller whose document is received: its verifier's own signature."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from provender.audit.statement.receive import receive
from provender.audit.statement.statement import VerificationStatement, favourable
from provender.custody.documents.read import Transfer, document_of
from provender.custody.documents.receive import ReceivedDocument
from provender.custody.events.statement import StatementEvent
from provender.custody.model.entities import Opinion
from provender.custody.model.pinned_keys import pinned_keys
from provender.custody.model.store_view import StoreView
from provender.problem import Place, Problem, Weight
from provender.signing.jws import check
from provender.signing.keys import PublicKey

PIN_IT = "Put a contract with the verifier on file that pins its key."


def proven_by(
    incoming: ReceivedDocument,
    facts: StoreView,
    me: str,
    *,
    day: date,
    file: str,
    given: PublicKey | None = None,
    remedy: str = PIN_IT,
) -> tuple[StatementEvent | None, list[Problem]]:
    """Return the seller's verification when its verifier's signature can be checked here, or say why it cannot.

    A statement that only the seller vouches for proves nothing about the seller (2100.032(b)(2), interpretation 46).

    Args:
        incoming: the opened document.
        facts: the book of the one who receives: its contracts may pin the verifier's key.
        me: whose book it is.
        day: the day it is received.
        file: what to call the document in problems.
        given: the verifier's key as the reader knows it.
        remedy: what to do where no key is known.
    """
    content = incoming.content
    if not isinstance(content, Transfer) or content.proof is None:
        return None, []
    place, cite = Place(file, column="verification.proof"), "2100.032(c)(1)"
    keys = {given.fingerprint: given} if given else _pinned(content.proof, facts, me, day)
    if not keys:
        cause = "The verifier's statement is attached, but no key of the verifier was given to check it."
        return None, [Problem(place, cause, remedy, cite, Weight.CONFIRM, code="verifier_unknown")]
    received = receive(content.proof, keys, as_of=day)
    doubts = [replace(problem, place=place) for problem in received.problems]
    statement = received.statement
    if statement is None or any(doubt.weight is Weight.ERROR for doubt in doubts):
        return None, doubts
    if statement.audited != content.seller:
        cause = f"The statement attached is about {statement.audited!r}, not about the seller {content.seller!r}."
        return None, [Problem(place, cause, "Ask the seller for its own.", cite, code="other_statement")]
    return statement_event(statement, day), doubts


def _pinned(proof: object, facts: StoreView, me: str, day: date) -> dict[str, PublicKey]:
    """Return the key that signed a statement, if a contract with the verifier it names pins it."""
    inner = document_of(proof)
    verifier = inner.get("verifier") if isinstance(inner, Mapping) else None
    key = check(proof, {}).key
    if key is None or not isinstance(verifier, str):
        return {}
    return {key.fingerprint: key} if key.fingerprint in pinned_keys(facts, me, verifier, day) else {}


def statement_event(statement: VerificationStatement, day: date, ended: date | None = None) -> StatementEvent:
    """Return a verifier's statement as the event that enters it into a book of custody.

    Args:
        statement: the statement.
        day: the day it is entered.
        ended: the day from which a fact found later takes it back: it is entered as adverse; None while it stands.
    """
    good = favourable([], statement) and ended is None
    return StatementEvent(
        id=f"statement-{statement.audited}-{statement.number}" + (f"-until-{ended}" if ended else ""),
        day=day,
        entity=statement.audited,
        verifier=statement.verifier,
        number=statement.number,
        start_day=statement.covered_first,
        end_day=statement.covered_last,
        crops=tuple(statement.crops),
        opinion=Opinion.FAVOURABLE if good else Opinion.ADVERSE,
        scope=statement.scope,
    )
