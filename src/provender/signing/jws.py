"""Signed documents: plain JSON that people can read, with a detached JWS (RFC 7515) over its canonical bytes.

An envelope is ``{"document": {...}, "signature": "header..signature", "countersignatures": [...]}``. The protected
header holds the algorithm (``Ed25519``, RFC 9864, and no other), the key's fingerprint, the public key itself and the
kind of statement, so a signature given for one kind never counts as another. Whoever counter-signs dates the document:
a key that was revoked later still vouches for what someone known received before.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from provender.days import iso_day
from provender.problem import ProblemsError
from provender.signing.canonical import canonical_json, document_hash, read_json
from provender.signing.keys import PublicKey, SigningKey, decode_base64url

if TYPE_CHECKING:
    from joserfc.jws import JWSRegistry


_ALGORITHM: Final = "Ed25519"
DOCUMENT: Final = "provender-document"
COUNTERSIGNATURE: Final = "provender-countersignature"

_ENVELOPE: Final = frozenset({"document", "signature", "countersignatures"})
_HEADER: Final = frozenset({"alg", "kid", "jwk", "typ"})
_COUNTERSIGNED: Final = frozenset({"hash", "on", "as"})
_DETACHED: Final = re.compile(r"([A-Za-z0-9_-]{1,500})\.\.([A-Za-z0-9_-]{1,200})")
_MAX_COUNTERSIGNATURES: Final = 100

Envelope = Mapping[str, object]


class Status(StrEnum):
    """What checking an envelope found. When several hold, the first in this order is given."""

    MALFORMED = "malformed"
    """Not an envelope, or one with parts nobody signed."""
    NOT_SIGNED = "not_signed"
    """A document without a signature."""
    ALGORITHM_REFUSED = "algorithm_refused"
    """Signed with another algorithm than Ed25519, or with none."""
    SIGNATURE_WRONG = "signature_wrong"
    """Document, header or signature were changed after signing."""
    KEY_REVOKED = "key_revoked"
    """The key was revoked, and no known party dated the document before that."""
    SIGNER_UNKNOWN = "signer_unknown"
    """The signature fits the key that came with it, but nobody pinned that key."""
    VALID = "valid"
    """Signed by a pinned key that stands."""


MEANING: Final[Mapping[Status, tuple[str, str]]] = {
    Status.MALFORMED: ("This is not a signed document of provender.", "Ask the sender for the file as it was written."),
    Status.NOT_SIGNED: ("The document carries no signature.", "Ask the sender to sign it."),
    Status.ALGORITHM_REFUSED: (
        "The signature uses an algorithm that is not accepted.",
        "Ask the sender to sign with an Ed25519 key.",
    ),
    Status.SIGNATURE_WRONG: (
        "The document was changed after it was signed.",
        "Do not use it; ask the signer for the original.",
    ),
    Status.KEY_REVOKED: (
        "The key that signed was revoked, and nothing shows that it signed before that.",
        "Ask the signer to sign again with the new key.",
    ),
    Status.SIGNER_UNKNOWN: (
        "The signature is whole, but you have not pinned this key to anyone.",
        "Compare the fingerprint with the signer, then pin the key.",
    ),
    Status.VALID: ("Signed by a key you have pinned.", ""),
}
"""For each status, what it means and what to do, in sentences for people."""


@dataclass(frozen=True, slots=True)
class Countersigned:
    """One counter-signature."""

    status: Status  # as for a document
    kid: str  # fingerprint of the counter-signer, empty when unreadable
    on: date | None  # the day the counter-signer gives, None when unreadable
    role: str  # what the counter-signer did, such as ``received``


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking an envelope."""

    status: Status  # the verdict; only ``VALID`` may be relied on
    kid: str = ""  # fingerprint of the signing key, empty unless the signature fits it
    key: PublicKey | None = None  # that key, None unless the signature fits it
    document: Mapping[str, object] | None = None  # the signed content, None unless the signature fits it
    hash: str = ""  # SHA-256 of document and signature, what counter-signers sign; empty when malformed
    countersigned: tuple[Countersigned, ...] = ()  # every counter-signature, in order
    # earliest day a pinned, unrevoked counter-signer other than the signer gives, or None
    proved_on: date | None = None

    @property
    def valid(self) -> bool:
        """Whether a pinned key that stands signed the document."""
        return self.status is Status.VALID


_Opened = tuple[Status, PublicKey | None]
"""What verifying a signature gave, and the key in its header where it fits that."""


def sign(document: Mapping[str, object], key: SigningKey, *, typ: str = DOCUMENT) -> dict[str, object]:
    """Return the envelope of a document. The same document and key give the same bytes.

    Raises:
        TypeError, ValueError: the document holds what canonical JSON cannot; see ``canonical_json``.
    """
    return {"document": dict(document), "signature": _sign_bytes(canonical_json(document), key, typ)}


def _sign_bytes(payload: bytes, key: SigningKey, typ: str) -> str:
    header: dict[str, object] = {
        "alg": _ALGORITHM,
        "jwk": key.public.jwk,
        "kid": key.fingerprint,
        "typ": typ,
    }
    # The library and what it rests on take as long to import as a small book to judge, and most commands sign nothing.
    from joserfc import jws
    from joserfc.jwk import OKPKey

    whole = jws.serialize_compact(header, payload, OKPKey.import_key(key.private), registry=_registry())
    return jws.detach_content(whole)


def _registry() -> "JWSRegistry":
    from joserfc.jws import JWSRegistry

    # Detached content is not bound by the registry's size limits; the size of what is read is bounded in read_json.
    return JWSRegistry(algorithms=[_ALGORITHM])


def envelope_hash(envelope: Envelope) -> str:
    """Return the SHA-256 of an envelope's document and signature; counter-signatures do not change it."""
    return document_hash({"document": envelope["document"], "signature": envelope.get("signature")})


def countersign(envelope: Envelope, key: SigningKey, *, on: date, role: str = "received") -> dict[str, object]:
    """Return the envelope with one more counter-signature: ``key``'s holder had this document on that day."""
    statement = {"hash": envelope_hash(envelope), "on": on.isoformat(), "as": role}
    earlier = envelope.get("countersignatures", [])
    kept = list(earlier) if isinstance(earlier, list | tuple) else []
    return {**envelope, "countersignatures": [*kept, sign(statement, key, typ=COUNTERSIGNATURE)]}


def check(
    envelope: object,
    pinned: Mapping[str, PublicKey],
    *,
    revoked: Mapping[str, date] | None = None,
    typ: str = DOCUMENT,
) -> Checked:
    """Check an envelope against the keys a reader has pinned to known parties.

    Args:
        envelope: what ``read_json`` gave; anything at all is answered, nothing raises.
        pinned: keys by fingerprint.
        revoked: the day from which a key's signatures no longer count, by fingerprint.
        typ: the kind of statement expected.
    """
    gone = revoked or {}
    parts = _parts(envelope)
    if isinstance(parts, Status):
        return Checked(parts)
    document, signature, counters = parts
    opened, key = _open(document, signature, typ)
    mark = document_hash({"document": document, "signature": signature}) if opened is not Status.MALFORMED else ""
    if key is None:
        return Checked(opened, hash=mark)
    kid = key.fingerprint
    countersigned = tuple(_counter(one, mark, pinned, gone) for one in counters)
    days = [one.on for one in countersigned if one.status is Status.VALID and one.on and one.kid != kid]
    proved_on = min(days, default=None)
    status = _key_status(kid, pinned, gone, proved_on)
    return Checked(status, kid, key, document, mark, countersigned, proved_on)


def _key_status(
    kid: str, pinned: Mapping[str, PublicKey], revoked: Mapping[str, date], proved_on: date | None
) -> Status:
    end = revoked.get(kid)
    if end is not None and (proved_on is None or proved_on >= end):
        return Status.KEY_REVOKED
    return Status.VALID if kid in pinned and pinned[kid].fingerprint == kid else Status.SIGNER_UNKNOWN


def _parts(envelope: object) -> tuple[Mapping[str, object], str, list[object]] | Status:
    """Take an envelope apart, or say with which status it ends."""
    if not isinstance(envelope, Mapping) or not envelope.keys() <= _ENVELOPE:
        return Status.MALFORMED
    document = envelope.get("document")
    signature = envelope.get("signature")
    counters = envelope.get("countersignatures", [])
    if not isinstance(document, Mapping):
        return Status.MALFORMED
    if not isinstance(counters, list) or len(counters) > _MAX_COUNTERSIGNATURES:
        return Status.MALFORMED
    if signature is None or signature == "":
        return Status.NOT_SIGNED
    return (document, signature, counters) if isinstance(signature, str) else Status.MALFORMED


def _open(document: Mapping[str, object], signature: str, typ: str) -> _Opened:
    found = _DETACHED.fullmatch(signature)
    try:
        payload = canonical_json(document)
        header = read_json(decode_base64url(found[1])) if found else None
    except (TypeError, ValueError, ProblemsError):
        return Status.MALFORMED, None
    if found is None or not isinstance(header, dict):
        return Status.MALFORMED, None
    if header.get("alg") != _ALGORITHM:
        return Status.ALGORITHM_REFUSED, None
    if header.keys() != _HEADER or header["typ"] != typ:
        return Status.MALFORMED, None
    try:
        decode_base64url(found[2])
        key = PublicKey.from_jwk(header["jwk"])
    except (ValueError, ProblemsError):
        return Status.MALFORMED, None
    if header["jwk"] != key.jwk or header["kid"] != key.fingerprint:
        return Status.MALFORMED, None
    return _verify(payload, signature, key)


def _verify(payload: bytes, signature: str, key: PublicKey) -> _Opened:
    from joserfc import jws
    from joserfc.errors import BadSignatureError, JoseError
    from joserfc.jwk import OKPKey

    try:
        jws.deserialize_compact(signature, OKPKey.import_key(dict(key.jwk)), registry=_registry(), payload=payload)
    except BadSignatureError:
        return Status.SIGNATURE_WRONG, None
    except JoseError:
        return Status.MALFORMED, None
    return Status.VALID, key


def _counter(
    envelope: object, mark: str, pinned: Mapping[str, PublicKey], revoked: Mapping[str, date]
) -> Countersigned:
    """Check one counter-signature; a revoked counter-signer dates nothing."""
    parts = _parts(envelope)
    if isinstance(parts, Status):
        return Countersigned(parts, "", None, "")
    document, signature, further = parts
    opened, key = _open(document, signature, COUNTERSIGNATURE)
    if key is None:
        return Countersigned(opened, "", None, "")
    on = iso_day(document.get("on"))
    if document.keys() != _COUNTERSIGNED or on is None or further:
        return Countersigned(Status.MALFORMED, "", None, "")
    kid = key.fingerprint
    status = _key_status(kid, pinned, revoked, None) if document["hash"] == mark else Status.SIGNATURE_WRONG
    return Countersigned(status, kid, on, str(document["as"]))


# Statements about keys: a holder registers a key, the old key names the new one, or a key takes itself out of use.

ROTATION: Final = "provender-key-rotation"
REVOCATION: Final = "provender-key-revocation"

Span = tuple[date | None, date | None]
"""The first and the last day of a key, both included; None where nobody said."""

WHOLE: Final = frozenset({Status.VALID, Status.SIGNER_UNKNOWN})
"""A whole signature, by a key that stands or that nobody pinned yet."""


def signs_on(day: date, spans: Iterable[Span]) -> bool:
    """Tell whether a day lies within any of the spans of a key."""
    return any((first is None or first <= day) and (last is None or day <= last) for first, last in spans)


@dataclass(frozen=True, slots=True)
class Rotated:
    """A rotation statement that was read."""

    checked: Checked  # the signature of the old key
    # the key that takes over, None unless the old key's signature is valid and the new key signed too
    new: PublicKey | None
    on: date | None  # the day from which the new key signs, None with ``new``


def rotate(old: SigningKey, new: SigningKey, *, on: date) -> dict[str, object]:
    """Return the statement that ``new`` takes over from ``old`` on that day."""
    statement = {"kind": "key rotation", "new_key": new.public.jwk, "on": on.isoformat()}
    return countersign(sign(statement, old, typ=ROTATION), new, on=on, role="takes over")


def read_rotation(
    envelope: object, pinned: Mapping[str, PublicKey], *, revoked: Mapping[str, date] | None = None
) -> Rotated:
    """Read a rotation statement; the new key may be pinned only when ``new`` is not None."""
    checked = check(envelope, pinned, revoked=revoked, typ=ROTATION)
    if not checked.valid or checked.document is None:
        return Rotated(checked, None, None)
    try:
        new = PublicKey.from_jwk(checked.document.get("new_key"))
        on = date.fromisoformat(str(checked.document.get("on")))
    except (ValueError, ProblemsError):
        return Rotated(checked, None, None)
    agreed = any(
        one.kid == new.fingerprint and one.status in WHOLE and one.role == "takes over" for one in checked.countersigned
    )
    return Rotated(checked, new, on) if agreed else Rotated(checked, None, None)


def revoke(key: SigningKey, *, on: date, reason: str) -> dict[str, object]:
    """Return the statement that the key's signatures from that day on no longer count."""
    return sign({"kind": "key revocation", "on": on.isoformat(), "reason": reason}, key, typ=REVOCATION)


def read_revocation(envelope: object, pinned: Mapping[str, PublicKey]) -> tuple[str, date] | None:
    """Return the fingerprint and the day from which it no longer counts, or None when a pinned key did not say so."""
    checked = check(envelope, pinned, typ=REVOCATION)
    if not checked.valid or checked.document is None:
        return None
    try:
        return checked.kid, date.fromisoformat(str(checked.document.get("on")))
    except ValueError:
        return None


REGISTRATION: Final = "provender-key-registration"


def registration(organisation: str, producer_id: str, key: PublicKey, *, on: date) -> dict[str, object]:
    """Return what the statement says: whose key it is, where it is put on file, and when."""
    return {
        "kind": "key registration",
        "organisation": organisation,
        "producer_id": producer_id,
        "new_key": key.jwk,
        "on": on.isoformat(),
    }


def register(organisation: str, producer_id: str, key: SigningKey, *, on: date) -> dict[str, object]:
    return sign(registration(organisation, producer_id, key.public, on=on), key, typ=REGISTRATION)
