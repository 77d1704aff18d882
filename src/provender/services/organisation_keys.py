"""The key under which an organisation signs, a verifier its statements or a party of custody its documents.

The key registered last signs. Another takes over by a rotation that the one before signed, or with a reason.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, Generic, TypeVar

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.choices import Right
from provender.database.models.accounts import Organisation, Person
from provender.database.models.base import OrganisationKey
from provender.schema import field, view
from provender.services.accounts.access import membership_of
from provender.services.refused import refusal
from provender.services.sealed_keys import check_sealed
from provender.signing.jws import REGISTRATION, check, read_rotation, registration
from provender.signing.keys import PublicKey

# Who may put another key in the place of one in use: whoever signs with it, or a member who manages.
#
# A rotation needs no such leave: in it the key in use says itself which one takes over.


def may_replace(organisation: Organisation, person: Person, holder: Person | None) -> bool:
    """Tell whether a person may replace a key in use.

    Args:
        organisation: whose key it is.
        person: who would.
        holder: who signs with the key in use; None where a program brought it.
    """
    if holder is not None and holder.pk == person.pk:
        return True
    member = membership_of(organisation, person)
    return member is not None and not member.is_consultant and member.may(Right.MANAGE)


def check_replaces(organisation: Organisation, actor: Actor, holder: Person | None, *, cite: str) -> None:
    """Refuse to replace somebody else's key without its word; what no person does, such as an example, is let through.

    Raises:
        RefusedError: another person signs with the key in use, and the actor does not manage the organisation.
    """
    if actor.person is not None and not may_replace(organisation, actor.person, holder):
        cause, remedy = (
            "A program signs with the key in use.",
            "Ask a member who manages the organization to replace it.",
        )
        if holder is not None:
            cause = f"{holder} signs with the key in use."
            remedy = f"Ask {holder}, or a member who manages the organization, to replace it."
        raise refusal("not_your_key", cause, remedy, cite=cite)


LOST: Final = "The passphrase of the key before is lost."
Key = TypeVar("Key", bound=OrganisationKey)


@view
class OrganisationKeyView:
    """A registered public key; the last one signs."""

    fingerprint: str = field("Key")
    public: dict[str, Any] = field("Public key (JWK)")
    by_rotation: bool = field("By rotation")
    reason: str = field("Reason")
    at: str = field("Registered (UTC)")
    by: str = field("By")
    signs: bool = field("Signs now")


@dataclass(frozen=True, slots=True)
class Ring(Generic[Key]):
    """The keys of one kind of signer."""

    rows: type[Key]  # where they are kept
    signer: str  # stands in a statement of registration where a farm names its producer
    cite: str  # the paragraph under which they sign
    deed: str  # what a registration is called in the log

    def of(self, organisation: Organisation) -> QuerySet[Key]:
        """Return the keys that an organisation registered, newest first; the newest signs."""
        found: QuerySet[Key] = self.rows._default_manager.filter(organisation=organisation)  # noqa: SLF001 - Django has no other name for it
        return found.order_by("-id").select_related("actor", "organisation")

    def in_use(self, organisation: Organisation) -> Key | None:
        return self.of(organisation).first()

    def pinned(self, organisation: Organisation) -> dict[str, PublicKey]:
        """Return the key in use by its fingerprint; empty where none is registered."""
        held = self.in_use(organisation)
        return {held.fingerprint: PublicKey.from_jwk(held.public)} if held else {}

    def held_by(self, person: Person, organisation: Organisation) -> Key | None:
        """Return the key in use, where it lies sealed for this person; else None."""
        held = self.in_use(organisation)
        return held if held is not None and held.sealed and held.actor_id == person.pk else None

    def view(self, organisation: Organisation, key: Key) -> OrganisationKeyView:
        held = self.in_use(organisation)
        return OrganisationKeyView(
            fingerprint=key.fingerprint, public=key.public, by_rotation=bool(key.statement), reason=key.reason,
            at=key.at.isoformat(), by=str(key.actor), signs=held is not None and held.pk == key.pk,
        )  # fmt: skip

    @transaction.atomic
    def register(
        self,
        organisation: Organisation,
        shown: Mapping[str, Any],
        *,
        reason: str,
        today: date,
        actor: Actor,
        sealed: Mapping[str, Any] | None = None,
    ) -> Key:
        """Register a public key, or the one that a rotation statement names.

        Args:
            organisation: whose key it is.
            shown: a public JWK, or a rotation signed by the key in use and counter-signed by the new one.
            reason: why a key in use is replaced without a word of its own; stays in the log of the organisation.
            today: a rotation counts from its day on, not before.
            actor: who registers.
            sealed: the private half as the actor's browser sealed it; None for a key that stays elsewhere.

        Raises:
            ProblemsError: it is no public key; RefusedError: the rotation is not by the key in use or not due yet, the
                key was registered before, or a key in use is replaced without a reason or by somebody who may not.
        """
        before = self.in_use(organisation)
        rotation = dict(shown) if "signature" in shown else {}
        key = self._rotated(organisation, rotation, today) if rotation else PublicKey.from_jwk(shown)
        if self.of(organisation).filter(fingerprint=key.fingerprint).exists():
            cause = "You registered this key before."
            raise refusal("known_key", cause, "Make a new one.", cite=self.cite, column="file")
        if before is not None and not rotation:
            check_replaces(organisation, actor, before.actor, cite=self.cite)
        if before is not None and not rotation and not reason.strip():
            remedy = "Say why, or have the key in use sign: `provender keys rotate`."
            raise refusal("no_reason", "This replaces the key in use.", remedy, cite=self.cite, column="reason")
        made = self.rows._default_manager.create(  # noqa: SLF001 - Django has no other name for it
            organisation=organisation,
            fingerprint=key.fingerprint,
            public=key.export(),
            statement=rotation,
            reason=reason.strip(),
            sealed=dict(sealed or {}),
            at=timezone.now(),
            actor=actor.person,
        )
        old = {"fingerprint": before.fingerprint, "held by": str(before.actor)} if before else {"fingerprint": ""}
        new = {"fingerprint": key.fingerprint, "by rotation": bool(rotation), "reason": reason.strip()}
        write_log(actor, self.deed, organisation=organisation, about=key.short, old=old, new=new)
        return made

    def register_sealed(
        self, organisation: Organisation, *, sealed: object, statement: object, lost: bool, today: date, actor: Actor
    ) -> Key:
        """Register a key that a page made, with its sealed private half.

        Args:
            organisation: whose key it is.
            sealed: the private half, sealed on the page.
            statement: signed by the key itself, or a rotation signed by the key before and counter-signed by this one.
            lost: the key in use cannot say which one takes over.
            today: the day the statement must carry.
            actor: who registers, and alone opens the key.

        Raises:
            RefusedError: the text is not sealed, the statement does not show that the page has the key, or as
                ``register``.
        """
        kept = check_sealed(sealed)
        if isinstance(statement, Mapping) and "countersignatures" in statement:
            return self.register(organisation, statement, reason="", today=today, actor=actor, sealed=kept)
        found = check(statement, {}, typ=REGISTRATION)
        said = dict(found.document or {})
        if found.key is None or said != registration(organisation.handle, self.signer, found.key, on=today):
            cause = "Nothing shows that you have this key."
            raise refusal("no_proof", cause, "Make the key again on this page.", cite=self.cite)
        if not lost and self.in_use(organisation) is not None:
            remedy = "Type its passphrase, or tick that the new one comes without it."
            raise refusal("no_reason", "This replaces the key in use.", remedy, cite=self.cite)
        reason = LOST if lost else ""
        return self.register(organisation, found.key.jwk, reason=reason, today=today, actor=actor, sealed=kept)

    def _rotated(self, organisation: Organisation, rotation: Mapping[str, Any], today: date) -> PublicKey:
        found = read_rotation(rotation, self.pinned(organisation))
        if found.new is None or found.on is None:
            remedy = "Sign it with the key in use: `provender keys rotate`."
            raise refusal("not_rotated", "The key in use does not say so.", remedy, cite=self.cite, column="file")
        if found.on > today:
            remedy = f"Bring it on {found.on.isoformat()}."
            raise refusal("rotates_later", "The new key does not sign yet.", remedy, cite=self.cite, column="file")
        return found.new
