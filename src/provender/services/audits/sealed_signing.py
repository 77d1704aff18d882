"""A verifier's key that lies sealed in a browser: registered with proof, and used to sign a statement on its page."""

from collections.abc import Mapping
from datetime import date
from typing import Final

from provender.audit.statement.statement import VerificationStatement
from provender.database.actor import Actor
from provender.database.models import Audit, AuditEntry, Organisation, Person, VerifierKey
from provender.database.store.audits import statement_of
from provender.problem import ProblemsError, Weight, refuse
from provender.services.audits.statement import against_signing, draft_of, receive_statement
from provender.services.audits.verifier import CITE, register_verifier_key, verifier_key
from provender.services.farm.keys import check_sealed
from provender.services.refused import refusal
from provender.signing.canonical import canonical_json, read_json
from provender.signing.hashes import sha256_hex
from provender.signing.jws import check
from provender.signing.rotation import REGISTRATION, registration

FIRM: Final = "verifier"
"""Stands in a statement of registration where a farm names its producer."""
LOST: Final = "The passphrase of the key before is lost."


def key_held_by(person: Person, verifier: Organisation) -> VerifierKey | None:
    """Return the key under which a verifier signs now, where it lies sealed for this person; else None."""
    held = verifier_key(verifier)
    return held if held is not None and held.sealed and held.actor_id == person.pk else None


def register_sealed_key(
    verifier: Organisation, *, sealed: object, statement: object, lost: bool, today: date, actor: Actor
) -> VerifierKey:
    """Register a key that a page made, with its sealed private half.

    Args:
        verifier: whose key it is.
        sealed: the private half, sealed on the page.
        statement: signed by the key itself, or a rotation signed by the key before and counter-signed by this one.
        lost: the key in use cannot say which one takes over.
        today: the day the statement must carry.
        actor: who registers, and alone opens the key.

    Raises:
        RefusedError: the text is not sealed, the statement does not show that the page has the key, or as
            ``register_verifier_key``.
    """
    kept = check_sealed(sealed)
    if isinstance(statement, Mapping) and "countersignatures" in statement:
        return register_verifier_key(verifier, statement, reason="", today=today, actor=actor, sealed=kept)
    found = check(statement, {}, typ=REGISTRATION)
    said = dict(found.document or {})
    if found.key is None or said != registration(verifier.handle, FIRM, found.key, on=today):
        cause = "Nothing shows that you have this key."
        raise refusal("no_proof", cause, "Make the key again on this page.", cite=CITE)
    reason = LOST if lost else ""
    return register_verifier_key(verifier, found.key.jwk, reason=reason, today=today, actor=actor, sealed=kept)


def mark_of(draft: VerificationStatement) -> str:
    """Return the hash of a draft as it would be signed: a page signs nothing but what it shows."""
    return sha256_hex(canonical_json(draft.document()))


def statement_to_sign(audit: Audit, shown: str) -> str:
    """Return the text of the draft that somebody has read, for its reader to sign.

    Args:
        audit: the audit.
        shown: ``mark_of`` the draft that was read.

    Raises:
        ProblemsError: there is none, it is signed or another by now, or something stands against signing it.
    """
    draft = draft_of(audit)
    if draft is None or statement_of(audit) is not None:
        raise refuse("statement", "There is no draft to sign.", "Save the draft first.")
    if errors := [one for one in against_signing(audit, draft) if one.weight is Weight.ERROR]:
        raise ProblemsError(errors)
    if mark_of(draft) != shown:
        raise refuse("statement", "The draft changed meanwhile.", "Load the page and read it.", code="other_draft")
    return canonical_json(draft.document()).decode()


def sign_statement(audit: Audit, signature: str, shown: str, *, actor: Actor) -> AuditEntry:
    """Take in a signature over the text that ``statement_to_sign`` gives.

    Args:
        audit: the audit.
        signature: by the key that the verifier registered last.
        shown: ``mark_of`` the draft that was read and signed.
        actor: who signed.

    Raises:
        ProblemsError: as ``statement_to_sign`` and ``receive_statement``.
    """
    text = statement_to_sign(audit, shown)
    envelope = {"document": read_json(text.encode(), file="statement"), "signature": signature}
    return receive_statement(audit, canonical_json(envelope), actor=actor)
