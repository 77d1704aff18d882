"""Letting a verifier in for a time, and out again; contracts of supply."""

from datetime import date
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from provender.database.actor import Actor, write_log
from provender.database.choices import Role
from provender.database.models import Organisation, Person, ReadGrant, SupplyContract
from provender.services.accounts.access import Access
from provender.services.accounts.independence import check_independent
from provender.services.names import clean_line
from provender.services.refused import MissingError, refusal

LONGEST_PURPOSE: Final = 200


def _person(actor: Actor) -> Person:
    if actor.person is None:
        raise refusal("nobody_acts", "Only a person can do this.", "Sign in first.")
    return actor.person


@transaction.atomic
def grant_reading(
    audited: Organisation, verifier: Organisation, *, first_day: date, last_day: date, purpose: str, actor: Actor
) -> ReadGrant:
    """Let a verifier read an organisation's records from a first to a last day, both included.

    Raises:
        RefusedError: the other is no verifier, the days are out of order, it is not independent (interpretation 55),
            or the purpose cannot be read.
    """
    person = _person(actor)
    if not verifier.roles.filter(role=Role.VERIFIER).exists():
        raise refusal(
            "not_a_verifier", f"{verifier} is not a verifier here.", "Check the code with them.", column="verifier"
        )
    if last_day < first_day:
        raise refusal(
            "days_out_of_order", "The last day is before the first.", "Choose a later last day.", column="last_day"
        )
    check_independent(verifier, audited, column="verifier")
    grant = ReadGrant.objects.create(
        audited=audited,
        verifier=verifier,
        first_day=first_day,
        last_day=last_day,
        purpose=clean_line(purpose, most=LONGEST_PURPOSE, column="purpose"),
        granted_by=person,
    )
    new = {"verifier": verifier.name, "first_day": str(first_day), "last_day": str(last_day), "purpose": grant.purpose}
    write_log(actor, "grant reading", organisation=audited, about=verifier.name, new=new)
    write_log(actor, "receive reading", organisation=verifier, about=audited.name, new=new)
    return grant


def grant_given(audited: Organisation, number: int) -> ReadGrant:
    """Return a grant that an organisation gave; MissingError where it gave no such one."""
    found = ReadGrant.objects.select_related("verifier", "audited").filter(audited=audited, pk=number).first()
    if found is None:
        raise MissingError
    return found


def grants_given(audited: Organisation) -> QuerySet[ReadGrant]:
    """Return the grants that an organisation ever gave, newest first."""
    return audited.grants_given.select_related("verifier", "audited")


def grants_held(verifier: Organisation) -> QuerySet[ReadGrant]:
    """Return the grants that a verifier ever got, newest first."""
    return verifier.grants_held.select_related("verifier", "audited")


@transaction.atomic
def revoke_reading(grant: ReadGrant, *, actor: Actor) -> None:
    """End a grant now. Doing it twice changes nothing."""
    if grant.revoked_at is not None:
        return
    grant.revoked_at = timezone.now()
    grant.save(update_fields=["revoked_at"])
    old = {"last_day": str(grant.last_day)}
    write_log(actor, "revoke reading", organisation=grant.audited, about=grant.verifier.name, old=old)
    write_log(actor, "lose reading", organisation=grant.verifier, about=grant.audited.name, old=old)


def log_look(grant: ReadGrant, what: str, *, actor: Actor) -> None:
    """Note in the audited party's log that the verifier looked at something."""
    write_log(actor, "look as verifier", organisation=grant.audited, about=what, new={"verifier": grant.verifier.name})


def log_visit(access: Access, what: str) -> None:
    """Note in an organisation's log what a verifier or reviewer looked at; of its own members nothing."""
    if access.grant is not None:
        log_look(access.grant, what, actor=access.actor)
    elif access.review is not None:
        new = {"reviewer": access.review.label}
        write_log(access.actor, "look as reviewer", organisation=access.organisation, about=what, new=new)


@transaction.atomic
def enter_contract(
    seller: Organisation, buyer: Organisation, *, number: str, signed_on: date, actor: Actor
) -> SupplyContract:
    """Enter a contract of supply in the buyer's register.

    Raises:
        RefusedError: the number stands already, or both are the same.
    """
    if seller == buyer:
        raise refusal("supplies_itself", "Nobody supplies itself.", "Enter the seller's code.", column="seller")
    try:
        with transaction.atomic():
            contract = SupplyContract.objects.create(
                seller=seller, buyer=buyer, number=number.strip(), signed_on=signed_on, entered_by=_person(actor)
            )
    except IntegrityError:
        raise refusal(
            "contract_exists", f"Contract {number} with {seller} is entered already.", "Open it.", column="number"
        ) from None
    new = {"number": contract.number, "signed_on": str(signed_on), "seller": seller.name, "buyer": buyer.name}
    write_log(actor, "enter contract", organisation=buyer, about=contract.number, new=new)
    write_log(actor, "enter contract", organisation=seller, about=contract.number, new=new)
    return contract


def open_grants(verifier: Organisation, day: date) -> list[ReadGrant]:
    """Return the grants through which a verifier may read on a day, one per party."""
    grants = verifier.grants_held.select_related("audited").prefetch_related("audited__roles")
    grants = grants.filter(revoked_at=None, first_day__lte=day, last_day__gte=day)
    return list({grant.audited_id: grant for grant in grants.order_by("audited__name", "last_day")}.values())
