"""Whether a verifier is independent of a party, from what this server knows (interpretation 55).

An organisation that prepared a farm's records, or has members in common with it, cannot verify that farm or its
buyer. So for a party and each of its suppliers two questions are asked: who of the verifier is a member there, and
did the verifier's people or the verifier as a consultant's firm write in its books.
"""

from collections.abc import Iterable

from provender.database.actor import today
from provender.database.models import Change, Membership, Organisation, Person, ReadGrant, SupplyContract


def parties_behind(audited: Organisation) -> list[Organisation]:
    """Return the audited party and those that supply it by contract."""
    sellers = SupplyContract.objects.filter(buyer=audited).values("seller")
    return [audited, *Organisation.objects.filter(pk__in=sellers).order_by("pk")]


def reasons_not_independent(verifier: Organisation, audited: Organisation) -> list[str]:
    """Say in sentences why a verifier is not independent of a party; empty when nothing is known against it."""
    found: list[str] = []
    for party in parties_behind(audited):
        found.extend(_members_in_common(verifier, party))
        found.extend(_records_prepared(verifier, party))
    return found


def _members_in_common(verifier: Organisation, party: Organisation) -> Iterable[str]:
    people = Person.objects.filter(memberships__organisation=verifier).filter(memberships__organisation=party)
    if people.exists():
        yield f"{verifier} and {party} have a member in common."
    if Membership.objects.filter(organisation=party, on_behalf_of=verifier).exists():
        yield f"{verifier} works for {party} as a consultant."


def _records_prepared(verifier: Organisation, party: Organisation) -> Iterable[str]:
    changes = Change.objects.filter(book__organisation=party)
    if changes.filter(prepared_by=verifier).exists():
        yield f"{verifier} prepared records of {party}."
    elif changes.filter(actor__memberships__organisation=verifier).exists():
        yield f"Somebody of {verifier} wrote in the records of {party}."


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
