"""Whether a verifier is independent of a party: the ties that this server knows (interpretation 55).

For a party and each of its suppliers two questions are asked: who of the verifier is a member there, and did the
verifier's people or the verifier as a consultant's firm write in its books. What follows from the answers is decided in
``audit.statement.independence``.
"""

from collections.abc import Iterable
from dataclasses import replace

from django.db.models import Q

from provender.audit.statement.independence import Ties, check_independence
from provender.database.actor import today
from provender.database.models import Change, Membership, Organisation, Person, ReadGrant, SupplyContract
from provender.problem import Place, Problem
from provender.services.refused import RefusedError


def parties_behind(audited: Organisation) -> list[Organisation]:
    """Return the audited party and those that supply it by contract."""
    sellers = SupplyContract.objects.filter(buyer=audited).values("seller")
    return [audited, *Organisation.objects.filter(pk__in=sellers).order_by("pk")]


def against_independence(verifier: Organisation, audited: Organisation) -> list[Problem]:
    """Return what makes a verifier dependent on a party or its suppliers; nothing where nothing is known against it."""
    behind = parties_behind(audited)
    names = {str(one.pk): str(one) for one in (verifier, *behind)}
    suppliers = [str(one.pk) for one in behind[1:]]
    return check_independence(str(verifier.pk), str(audited.pk), suppliers, ties_of(verifier, behind), names)


def check_independent(verifier: Organisation, audited: Organisation, *, column: str) -> None:
    """Make sure that nothing known binds a verifier to a party or its suppliers.

    Args:
        verifier: who would verify.
        audited: whom.
        column: the field of the form that names the other.

    Raises:
        RefusedError: something does, each in a sentence.
    """
    if found := against_independence(verifier, audited):
        place = Place("request", column=column)
        raise RefusedError([replace(one, place=place, code="not_independent") for one in found])


def ties_of(verifier: Organisation, parties: Iterable[Organisation]) -> Ties:
    """Return what binds a verifier to some parties, by their primary keys."""
    people = Person.objects.filter(memberships__organisation=verifier)
    shared, advised, prepared = set(), set(), set()
    for party in parties:
        changes = Change.objects.filter(book__organisation=party)
        if people.filter(memberships__organisation=party).exists():
            shared.add(str(party.pk))
        if Membership.objects.filter(organisation=party, on_behalf_of=verifier).exists():
            advised.add(str(party.pk))
        by_them = Q(prepared_by=verifier) | Q(actor__memberships__organisation=verifier)
        if changes.filter(by_them).exists():
            prepared.add(str(party.pk))
    return Ties(frozenset(prepared), frozenset(shared), frozenset(advised))


def hindrances_of_member(organisation: Organisation, person: Person, firm: Organisation | None) -> list[str]:
    """Say why a person cannot join: the membership would tie a verifier with open access to what it verifies."""
    day = today()
    open_grants = ReadGrant.objects.filter(revoked_at=None, last_day__gte=day).select_related("audited", "verifier")
    theirs = set(Membership.objects.filter(person=person).values_list("organisation_id", flat=True))
    if firm is not None:
        theirs.add(firm.pk)
    found = []
    for grant in open_grants:
        behind = {party.pk for party in parties_behind(grant.audited)}
        ties = (grant.verifier_id == organisation.pk and theirs & behind) or (
            organisation.pk in behind and grant.verifier_id in theirs
        )
        if ties:
            found.append(
                f"{grant.verifier} may read {grant.audited} until {grant.last_day} and must stay independent of it."
            )
    return found
