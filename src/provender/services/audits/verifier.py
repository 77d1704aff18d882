"""What a verifier shows of itself: its accreditation, and the key under which it signs.

A key is registered by an upload, and moved by a rotation that the key before signed.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.audit.statement.accreditation import Accreditation, check_accreditation
from provender.database.actor import Actor, write_log
from provender.database.models import Organisation, VerifierKey
from provender.database.store.audits import accreditation_of
from provender.plain import field, view
from provender.problem import Problem, Weight
from provender.services.refused import refusal
from provender.signing.keys import PublicKey
from provender.signing.rotation import read_rotation

CITE: Final = "2100.041"


@view
class Doubt:
    """A problem, with how much it weighs."""

    at: str = field("Where")
    cause: str = field("What is wrong")
    remedy: str = field("What to do")
    cite: str = field("Paragraph", default="")
    code: str = field("Code", default="")
    weight: Weight = field("Weight")


@view
class AccreditationView:
    """The accreditation shown last, null before, and what stands against it today."""

    shown: dict[str, Any] | None = field("Accreditation")
    against: tuple[Doubt, ...] = field("What stands against it")


@view
class VerifierKeyView:
    """A registered public key; the last one signs."""

    fingerprint: str = field("Key")
    public: dict[str, Any] = field("Public key (JWK)")
    by_rotation: bool = field("By rotation")
    reason: str = field("Reason")
    at: str = field("Registered (UTC)")
    by: str = field("By")
    signs: bool = field("Signs now")


def doubts(problems: Iterable[Problem]) -> tuple[Doubt, ...]:
    """Return problems as doors show them."""
    return tuple(
        Doubt(
            at=str(each.place), cause=each.cause, remedy=each.remedy, cite=each.cite, code=each.code, weight=each.weight
        )
        for each in problems
    )


def accreditation_view(verifier: Organisation, day: date) -> AccreditationView:
    """Return the accreditation that a verifier shows, and what stands against it on a day."""
    shown = accreditation_of(verifier)
    against = doubts(check_accreditation(shown, day)) if shown else ()
    return AccreditationView(shown=shown.document() if shown else None, against=against)


def accreditation_shown(verifier: Organisation) -> Accreditation | None:
    """Return what a verifier shows of its accreditation last, or None."""
    return accreditation_of(verifier)


def keys_registered(verifier: Organisation) -> QuerySet[VerifierKey]:
    """Return the keys that a verifier registered, newest first; the newest signs."""
    return VerifierKey.objects.select_related("actor", "organisation").filter(organisation=verifier)


def verifier_key_view(key: VerifierKey) -> VerifierKeyView:
    """Return a key of a verifier."""
    held = verifier_key(key.organisation)
    return VerifierKeyView(
        fingerprint=key.fingerprint, public=key.public, by_rotation=bool(key.statement), reason=key.reason,
        at=key.at.isoformat(), by=str(key.actor), signs=held is not None and held.pk == key.pk,
    )  # fmt: skip


def verifier_key(verifier: Organisation) -> VerifierKey | None:
    """Return the key under which a verifier signs now, or None."""
    return VerifierKey.objects.filter(organisation=verifier).order_by("-id").first()


def pinned_to(verifier: Organisation) -> dict[str, PublicKey]:
    """Return the key under which a verifier signs now by its fingerprint; empty where none is registered."""
    held = verifier_key(verifier)
    return {held.fingerprint: PublicKey.from_jwk(held.public)} if held else {}


@transaction.atomic
def register_verifier_key(
    verifier: Organisation,
    shown: Mapping[str, Any],
    *,
    reason: str,
    today: date,
    actor: Actor,
    sealed: Mapping[str, Any] | None = None,
) -> VerifierKey:
    """Register a public key, or the one that a rotation statement names.

    Args:
        verifier: whose key it is.
        shown: a public JWK, or a rotation signed by the key in use and counter-signed by the new one.
        reason: why a key in use is replaced without a word of its own; stays in the log of the verifier.
        today: a rotation counts from its day on, not before.
        actor: who registers.
        sealed: the private half as the actor's browser sealed it; None for a key that stays elsewhere.

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
        sealed=dict(sealed or {}),
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
