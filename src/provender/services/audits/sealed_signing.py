"""A verifier's key that lies sealed in a browser: used to sign a statement on its page."""

from provender.audit.statement.statement import VerificationStatement
from provender.database.actor import Actor
from provender.database.models import Audit, AuditEntry
from provender.database.store.audits import statement_of
from provender.problem import ProblemsError, Weight, refuse
from provender.services.audits.statement import against_signing, draft_of, receive_statement
from provender.signing.canonical import canonical_json, read_json
from provender.signing.hashes import sha256_hex


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
