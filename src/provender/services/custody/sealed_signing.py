"""A party's key that lies sealed in a browser, used to sign the document that a page shows (interpretation 33)."""

from typing import Any, Final, NamedTuple

from provender.custody.documents.book_mark import MARK
from provender.custody.documents.sign import TYPS
from provender.database.models import PartyKey, Person, SignedDocument
from provender.problem import ProblemsError, refuse
from provender.services.custody.context import CustodyContext
from provender.services.custody.documents import CITE, keep_signed, kept_signed, remade
from provender.services.organisation_keys import Ring
from provender.signing.canonical import canonical_json
from provender.signing.hashes import sha256_hex
from provender.signing.jws import check

KEYS: Final = Ring(PartyKey, "party", CITE, "register signing key")
"""The keys under which parties of custody sign."""


class Shown(NamedTuple):
    """Which document somebody has read: the page sends it back, and nothing else is signed.

    Attributes:
        sha256: of its canonical text.
        made_on: the day it was made on; empty for one that carries none.
        lines: how many entries of the book it is marked with; None without a mark.
    """

    sha256: str
    made_on: str
    lines: int | None


def shown_of(document: dict[str, Any]) -> Shown:
    """Return how a page names the document that it shows."""
    mark = document.get(MARK) or {}
    return Shown(sha256_hex(canonical_json(document)), str(document.get("made_on") or ""), mark.get("lines"))


def document_to_sign(
    context: CustodyContext, kind: str, number: str, shown: Shown, *, holder: Person
) -> tuple[PartyKey, dict[str, Any]]:
    """Return the document that somebody has read, for its reader to sign, and the key to sign it with.

    Args:
        context: whose document.
        kind: one of ``documents.KINDS``.
        number: of the document.
        shown: what was read.
        holder: who reads and signs.

    Raises:
        ProblemsError: no key lies sealed for the holder; the document is signed, of another day, or says something
            else by now; or the book has nothing to make it from: its sale was taken back, its period is open.
    """
    key = key_of(context, holder)
    if kept_signed(context, kind, number) is not None:
        raise signed_already()
    document = remade(context, kind, number, made_on=shown.made_on, lines=shown.lines)
    check_read(context, document, shown)
    return key, document


def key_of(context: CustodyContext, holder: Person) -> PartyKey:
    """Return the key that lies sealed here for somebody.

    Raises:
        ProblemsError: none does.
    """
    key = KEYS.held_by(holder, context.organisation)
    if key is None:
        raise refuse(
            "key", "No signing key in use lies sealed here for you.", "Make one first.", cite=CITE, code="no_key"
        )
    return key


def signed_already() -> ProblemsError:
    """Return the refusal of a second signature under the same document."""
    return refuse("document", "The document is signed already.", "Load the page again.", cite=CITE, code="signed")


def check_read(context: CustodyContext, document: dict[str, Any], shown: Shown) -> None:
    """Let nobody sign another document than the one that they have read, or one of another day than today.

    Raises:
        ProblemsError: it is another one.
    """
    of_today = shown.made_on in ("", context.today.isoformat())
    if not of_today or shown_of(document).sha256 != shown.sha256:
        cause = "The document says something else than when you began."
        raise refuse("document", cause, "Load the page and read it again.", cite=CITE, code="other_document")


def sign_shown(
    context: CustodyContext, kind: str, number: str, shown: Shown, signature: str, *, holder: Person
) -> SignedDocument:
    """Keep the document that somebody has read under the signature of the key that lies sealed for them.

    Args:
        context: whose document.
        kind: one of ``documents.KINDS``.
        number: of the document.
        shown: what was read and signed.
        signature: the detached JWS over its text.
        holder: who signed.

    Raises:
        ProblemsError: as ``document_to_sign`` and ``keep_signed``, or the signature is another key's.
    """
    return keep_read(context, *document_to_sign(context, kind, number, shown, holder=holder), signature)


def keep_read(context: CustodyContext, key: PartyKey, document: dict[str, Any], signature: str) -> SignedDocument:
    """Keep a document that was read under a signature of the key that lies sealed for its reader.

    Raises:
        ProblemsError: the signature is another key's, or is over another text.
    """
    envelope = {"document": document, "signature": signature}
    found = check(envelope, {}, typ=TYPS[str(document["type"])])
    if found.key is not None and found.kid != key.fingerprint:
        cause = "This was signed with another key than the one in use."
        raise refuse("signature", cause, "Load the page again, then sign.", cite=CITE, code="other_key")
    return keep_signed(context.organisation, envelope, document, actor=context.actor)
