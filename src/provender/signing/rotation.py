"""Statements about keys: a holder registers a key, the old key names the new one, or a key takes itself out of use."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from provender.problem import ProblemsError
from provender.signing.jws import Checked, Status, check, countersign, sign
from provender.signing.keys import PublicKey, SigningKey

ROTATION: Final = "provender-key-rotation"
REVOCATION: Final = "provender-key-revocation"

Span = tuple[date | None, date | None]
"""The first and the last day of a key, both included; None where nobody said."""

# The new key need not be pinned yet, but its own signature must be whole and the key not revoked.
_WHOLE: Final = frozenset({Status.VALID, Status.SIGNER_UNKNOWN})


def signs_on(day: date, spans: Iterable[Span]) -> bool:
    """Tell whether a day lies within any of the spans of a key."""
    return any((first is None or first <= day) and (last is None or day <= last) for first, last in spans)


@dataclass(frozen=True, slots=True)
class Rotated:
    """A rotation statement that was read.

    Attributes:
        checked: the signature of the old key.
        new: the key that takes over, None unless the old key's signature is valid and the new key signed too.
        on: the day from which the new key signs, None with ``new``.
    """

    checked: Checked
    new: PublicKey | None
    on: date | None


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
        one.kid == new.fingerprint and one.status in _WHOLE and one.role == "takes over"
        for one in checked.countersigned
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
    """Return the statement, signed by the key."""
    return sign(registration(organisation, producer_id, key.public, on=on), key, typ=REGISTRATION)
