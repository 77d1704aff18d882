"""Registering a producer's signing key: proof that its holder has it, and never the key itself (interpretation 33)."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.models.accounts import Organisation, Person
from provender.database.models.farm import Book, ProducerKey, rows_of
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book
from provender.services.organisation_keys import check_replaces
from provender.services.refused import refusal
from provender.services.sealed_keys import check_sealed
from provender.signing.jws import REGISTRATION, check, read_rotation, registration
from provender.signing.keys import PublicKey

_CITE: Final = "2100.031(c)(3)"
_PRODUCER: Final = KINDS["producer"]


def key_of(book: Book, producer_id: str) -> ProducerKey | None:
    """Return the registered key that the producer's record names, or None."""
    row = rows_of(book).get("producer", {}).get(producer_id)
    named = str((row or {}).get("key_fingerprint") or "")
    return key_named(book.organisation, named)


def key_named(organisation: Organisation, fingerprint: str) -> ProducerKey | None:
    if not fingerprint:
        return None
    return ProducerKey.objects.filter(organisation=organisation, fingerprint=fingerprint).first()


def registered_fingerprint(farm: FarmBook, producer_id: str) -> str:
    """Return the fingerprint that a producer's record names, or nothing."""
    row = farm.of(_PRODUCER).get(producer_id)
    return str((row or {}).get("key_fingerprint") or "")


def fingerprints_in_force(farm: FarmBook) -> frozenset[str]:
    """Return the fingerprints that the producers' records name."""
    return frozenset(str(row.get("key_fingerprint") or "") for row in farm.of(_PRODUCER).values())


def signing_producers(farm: FarmBook) -> list[tuple[str, str]]:
    """Return identifier and name of the producers in operational control: only they sign (2100.031(c)(3))."""
    rows = farm.of(_PRODUCER)
    return [(key, str(row.get("name") or key)) for key, row in rows.items() if row.get("operational_control") == "yes"]


def keys_of(farm: FarmBook) -> QuerySet[ProducerKey]:
    """Return the registered keys of a farm, the first one first."""
    return ProducerKey.objects.filter(organisation=farm.book.organisation).select_related("holder")


def key_held_by(person: Person, farm: FarmBook, producers: Iterable[str]) -> ProducerKey | None:
    """Return the first key in force of these producers that lies here sealed for a person, or None."""
    keys = [key_named(farm.book.organisation, registered_fingerprint(farm, producer)) for producer in producers]
    return next((key for key in keys if key and key.holder_id == person.pk and key.sealed), None)


@transaction.atomic
def register_key(
    book: Book, producer_id: str, *, sealed: object, statement: object, holder: Person, today: date, actor: Actor
) -> ProducerKey:
    """Register a producer's key and write its fingerprint into the producer's record, as a change of the book.

    Args:
        book: the farm's book.
        producer_id: whose key it is.
        sealed: the private half, sealed on the page; None for a key that stays on the holder's machine.
        statement: signed by the key itself, or a rotation signed by the key before and counter-signed by this one.
        holder: the person who has the key.
        today: the day the statement must carry.
        actor: who registers.

    Raises:
        RefusedError: the statement does not show that the holder has the key, the sealed text is none, there is no
            such producer in operational control, or the key is another's, or replaces one in use that is.
    """
    kept = {} if sealed is None else check_sealed(sealed)
    row = rows_of(book).get("producer", {}).get(producer_id)
    if row is None or row.get("operational_control") != "yes":
        cause = "The record book names no such farm producer with operational control."
        raise refusal("no_producer", cause, "Enter the producer first.", cite=_CITE, column="producer_id")
    before = key_of(book, producer_id)
    key, replaces = _read_statement(book, producer_id, statement, before, today)
    if before is not None and not replaces:
        check_replaces(book.organisation, actor, before.holder, cite=_CITE)
    if ProducerKey.objects.filter(organisation=book.organisation, fingerprint=key.fingerprint).exists():
        raise refusal("known_key", "This key is registered already.", "Make a new one.", cite=_CITE)
    made = ProducerKey.objects.create(
        organisation=book.organisation,
        holder=holder,
        producer_id=producer_id,
        fingerprint=key.fingerprint,
        public=key.export(),
        sealed=kept,
        statement=statement,
        replaces=replaces,
        at=timezone.now(),
    )
    edit = Edit("producer", producer_id, {**row, "key_fingerprint": key.fingerprint})
    change_book(book, [edit], reason=f"Signing key of {producer_id} registered", actor=actor)
    old = {"fingerprint": row.get("key_fingerprint") or ""} | ({"held by": str(before.holder)} if before else {})
    new = {"fingerprint": key.fingerprint, "sealed on the server": bool(kept), "by rotation": bool(replaces)}
    write_log(actor, "register signing key", organisation=book.organisation, about=producer_id, old=old, new=new)
    return made


def _read_statement(
    book: Book, producer_id: str, statement: object, before: ProducerKey | None, today: date
) -> tuple[PublicKey, str]:
    """Return the key that a statement registers, and the fingerprint of the key it takes over from, if any."""
    wrong = refusal("no_proof", "Nothing shows that you have this key.", "Make the key again on this page.", cite=_CITE)
    if before is not None:
        pinned = {before.fingerprint: PublicKey.from_jwk(before.public)}
        rotated = read_rotation(statement, pinned)
        if rotated.new is not None and rotated.on == today:
            return rotated.new, before.fingerprint
    found = check(statement, {}, typ=REGISTRATION)
    if found.key is None or found.document is None:
        raise wrong
    if dict(found.document) != registration(book.organisation.handle, producer_id, found.key, on=today):
        raise wrong
    return found.key, ""
