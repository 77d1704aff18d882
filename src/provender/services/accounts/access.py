"""The one way to each object: who may see, write or manage what is an organisation's.

For a stranger there is nothing, so that existence is not told; somebody who is known here but may not do this is told
so. Each condition has a line of its own.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, OuterRef, Q, QuerySet, Subquery

from provender.audit.statement.statement import Ties, check_independence
from provender.database.actor import Actor, at_the_place_of, today
from provender.database.actor import today as today_here
from provender.database.choices import Area, Right
from provender.database.models.accounts import (
    LogRow,
    Membership,
    Organisation,
    Person,
    ReadGrant,
    Review,
    SupplyContract,
)
from provender.database.models.farm import Change
from provender.problem import Place, Problem
from provender.services.refused import MissingError, RefusedError, refusal

To = Literal["read", "write", "manage"]
Owned = TypeVar("Owned", bound=Model)


@dataclass(frozen=True, slots=True)
class Access:
    """Access to an organisation: who has it, and by what right."""

    organisation: Organisation  # whose objects may now be touched
    person: Person  # who
    membership: Membership | None  # their membership, or None for whoever visits
    grant: ReadGrant | None = None  # the verifier's grant, or None for a member
    via: str = "web"  # by which way they came
    review: Review | None = None  # a reviewer's access to some areas, or None for everybody else

    @property
    def actor(self) -> Actor:
        """Return who acts, for a deed."""
        firm = self.membership.on_behalf_of if self.membership else None
        return Actor(self.person, self.via, for_firm=firm)

    def sees(self, areas: Collection[Area]) -> bool:
        """Tell whether a page of these areas opens: a reviewer is let see some areas, everybody else all."""
        return self.review is None or any(area in self.review.areas for area in areas)

    @property
    def may_write(self) -> bool:
        """Whether the page shows what writes."""
        return self.membership is not None and self.membership.may(Right.WRITE)

    @property
    def may_manage(self) -> bool:
        """Whether the page shows what manages."""
        return self.membership is not None and self.membership.may(Right.MANAGE)

    @property
    def may_sign(self) -> bool:
        """Whether the person may sign for the organisation: a writer of its own, never a consultant (2100.031)."""
        return self.membership is not None and not self.membership.is_consultant and self.may_write


def access_of(
    person: Person, handle: str, *, to: To, today: date | None = None, areas: Collection[Area] = ()
) -> Access:
    """Return somebody's access to an organisation.

    Without ``today`` the day is that at the organisation's place. A page without ``areas`` is closed to all reviewers.

    Raises:
        MissingError: there is no such organisation, or the person is a stranger to it.
        PermissionDenied: the person is known here and may not do this.
    """
    # A code that nobody has is looked through as a foreign one: the time tells nobody which codes there are.
    organisation = Organisation.objects.filter(handle=handle).first() or Organisation(pk=0)
    at_the_place_of(organisation)
    membership = membership_of(organisation, person)
    if membership is not None:
        if not membership.may(to):
            raise PermissionDenied
        return Access(organisation, person, membership)
    day = today or today_here()
    grants = ReadGrant.objects.select_related("verifier", "audited").filter(
        audited=organisation, verifier__memberships__person=person, revoked_at=None
    )
    reviews = Review.objects.filter(organisation=organisation, person=person, revoked_at=None, last_day__gte=day)
    grant = next((grant for grant in grants if grant.opens_on(day)), None)
    review = None if grant else reviews.order_by("last_day", "pk").last()  # of several the one that opens longest
    if grant is None and review is None:
        raise MissingError
    access = Access(organisation, person, None, grant, review=review)
    if to != "read" or not access.sees(areas):
        raise PermissionDenied
    return access


def acting_person(actor: Actor, does: str = "do this") -> Person:
    """Return the person who acts.

    Raises:
        RefusedError: no person does: the program itself, or an example.
    """
    if actor.person is None:
        raise refusal("nobody_acts", f"Only a person can {does}.", "Sign in first.")
    return actor.person


def acting_manager(organisation: Organisation, actor: Actor, does: str = "do this") -> Person:
    """Return the person who acts, who manages an organisation until the transaction ends: who removes them waits.

    Raises:
        RefusedError: no person acts.
        MissingError: they are no member, or not any more.
        PermissionDenied: they do not manage it.
    """
    person = acting_person(actor, does)
    held = Membership.objects.select_for_update().filter(organisation=organisation, person=person).first()
    if held is None:
        raise MissingError
    if not held.may(Right.MANAGE):
        raise PermissionDenied
    return person


def membership_of(organisation: Organisation, person: Person) -> Membership | None:
    """Return somebody's membership with the firm they work for, or None."""
    found = Membership.objects.select_related("on_behalf_of")
    return found.filter(organisation=organisation, person=person).first()


def owned(organisation: Organisation, model: type[Owned], *, owner: str = "organisation", **lookup: object) -> Owned:
    """Return an object of an organisation to which somebody has access.

    ``owner`` is the column that names whose it is.

    Raises:
        MissingError: there is no such object in this organisation, whatever there may be in others.
    """
    found = model._default_manager.filter(  # noqa: SLF001 - Django has no other name for it
        **{owner: organisation}, **lookup
    ).first()
    if found is None:
        raise MissingError
    return found


# Whether a verifier is independent of a party: the ties that this server knows (interpretation 55).
#
# For a party and each of its suppliers two questions are asked: who of the verifier is a member there, and did the
# verifier's people or the verifier as a consultant's firm write in its books. What follows from the answers is decided
# in ``audit.statement.independence``.


def _parties_behind(audited: Organisation) -> list[Organisation]:
    """Return the audited party and those that supply it by contract."""
    sellers = SupplyContract.objects.filter(buyer=audited).values("seller")
    return [audited, *Organisation.objects.filter(pk__in=sellers).order_by("pk")]


def against_independence(verifier: Organisation, audited: Organisation) -> list[Problem]:
    """Return what makes a verifier dependent on a party or its suppliers; nothing where nothing is known against it."""
    behind = _parties_behind(audited)
    names = {str(one.pk): str(one) for one in (verifier, *behind)}
    suppliers = [str(one.pk) for one in behind[1:]]
    return check_independence(str(verifier.pk), str(audited.pk), suppliers, _ties_of(verifier, behind), names)


def check_independent(verifier: Organisation, audited: Organisation, *, column: str) -> None:
    """Make sure that nothing known binds a verifier to a party or its suppliers.

    Raises:
        RefusedError: something does, each in a sentence.
    """
    if found := against_independence(verifier, audited):
        place = Place("request", column=column)
        raise RefusedError([replace(one, place=place, code="not_independent") for one in found])


def _ties_of(verifier: Organisation, parties: Iterable[Organisation]) -> Ties:
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
        behind = {party.pk for party in _parties_behind(grant.audited)}
        ties = (grant.verifier_id == organisation.pk and theirs & behind) or (
            organisation.pk in behind and grant.verifier_id in theirs
        )
        if ties:
            found.append(
                f"{grant.verifier} may read {grant.audited} until {grant.last_day} and must stay independent of it."
            )
    return found


# The log of an organisation: every deed in it, as ``database.actor.write_log`` wrote it down.


def deeds_in(organisation: Organisation) -> QuerySet[LogRow]:
    """Return the rows of the log, newest first, each with the time of the one before it on this server."""
    before = LogRow.objects.filter(pk__lt=OuterRef("pk")).order_by("-pk").values("at")[:1]
    rows = LogRow.objects.filter(organisation=organisation).select_related("actor").order_by("-id")
    return rows.annotate(time_before=Subquery(before))
