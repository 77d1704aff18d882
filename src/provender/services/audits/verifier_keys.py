"""The key under which a verifier signs: registered by an upload, moved by a rotation that the key before signed."""

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.models import Organisation, VerifierKey
from provender.services.refused import refusal
from provender.signing.keys import PublicKey
from provender.signing.rotation import read_rotation

CITE: Final = "2100.041"


def verifier_key(verifier: Organisation) -> VerifierKey | None:
    """Return the key under which a verifier signs now, or None."""
    return VerifierKey.objects.filter(organisation=verifier).order_by("-id").first()


def pinned_to(verifier: Organisation) -> dict[str, PublicKey]:
    """Return the key under which a verifier signs now by its fingerprint; empty where none is registered."""
    held = verifier_key(verifier)
    return {held.fingerprint: PublicKey.from_jwk(held.public)} if held else {}


@transaction.atomic
def register_verifier_key(
    verifier: Organisation, shown: Mapping[str, Any], *, reason: str, today: date, actor: Actor
) -> VerifierKey:
    """Register a public key, or the one that a rotation statement names.

    Args:
        verifier: whose key it is.
        shown: a public JWK, or a rotation signed by the key in use and counter-signed by the new one.
        reason: why a key in use is replaced without a word of its own; stays in the log of the verifier.
        today: a rotation counts from its day on, not before.
        actor: who registers.

    Raises:
        ProblemsError: it is no public key; RefusedError: the rotation is not by the key in use or not due yet, the key
            was registered before, or a key in use is replaced without a reason.
    """
    before = verifier_key(verifier)
    rotation = dict(shown) if "signature" in shown else {}
    key = _rotated(verifier, rotation, today) if rotation else PublicKey.from_jwk(shown)
    if VerifierKey.objects.filter(organisation=verifier, fingerprint=key.fingerprint).exists():
        raise refusal("known_key", "You registered this key before.", "Make a new one.", cite=CITE, column="file")
    if before is not None and not rotation and not reason.strip():
        remedy = "Say why, or have the key in use sign: `provender keys rotate`."
        raise refusal("no_reason", "This replaces the key in use.", remedy, cite=CITE, column="reason")
    made = VerifierKey.objects.create(
        organisation=verifier,
        fingerprint=key.fingerprint,
        public=key.export(),
        statement=rotation,
        reason=reason.strip(),
        at=timezone.now(),
        actor=actor.person,
    )
    old = {"fingerprint": before.fingerprint if before else ""}
    new = {"fingerprint": key.fingerprint, "by rotation": bool(rotation), "reason": reason.strip()}
    write_log(actor, "register verifier key", organisation=verifier, about=key.short, old=old, new=new)
    return made


def _rotated(verifier: Organisation, rotation: Mapping[str, Any], today: date) -> PublicKey:
    found = read_rotation(rotation, pinned_to(verifier))
    if found.new is None or found.on is None:
        remedy = "Sign it with the key in use: `provender keys rotate`."
        raise refusal("not_rotated", "The key in use does not say so.", remedy, cite=CITE, column="file")
    if found.on > today:
        remedy = f"Bring it on {found.on.isoformat()}."
        raise refusal("rotates_later", "The new key does not sign yet.", remedy, cite=CITE, column="file")
    return found.new
