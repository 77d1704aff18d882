"""The one door to each object. A view that got past it may show or change what it holds.

A stranger gets 404, so that existence is not told; somebody who is known here but may not do this gets 403. Each
condition has a line of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import wraps
from typing import Concatenate, Literal, ParamSpec, TypeVar

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from provender.database.actor import Actor, at_the_place_of
from provender.database.actor import today as today_here
from provender.database.models import Membership, Organisation, Person, ReadGrant, Right
from provender.services.accounts.grants import log_look
from provender.services.refused import MissingError, UnopenedError

To = Literal["read", "write", "manage"]
Owned = TypeVar("Owned", bound=Model)
Rest = ParamSpec("Rest")


class PersonRequest(HttpRequest):
    """A request of somebody who has signed in."""

    user: Person
    access: "Access"


@dataclass(frozen=True, slots=True)
class Access:
    """An open door: the organisation, who stands in it, and by what right.

    Attributes:
        organisation: whose objects may now be touched.
        person: who.
        membership: their membership, or None for a verifier's visit.
        grant: the verifier's grant, or None for a member.
        via: by which way they came.
    """

    organisation: Organisation
    person: Person
    membership: Membership | None
    grant: ReadGrant | None = None
    via: str = "web"

    @property
    def actor(self) -> Actor:
        """Return who acts, for a deed."""
        firm = self.membership.on_behalf_of if self.membership else None
        return Actor(self.person, self.via, for_firm=firm)

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


def access_organisation(person: Person, handle: str, *, to: To, today: date | None = None) -> Access:
    """Open the door of an organisation.

    Raises:
        Http404: there is no such organisation, or the person is a stranger to it.
        PermissionDenied: the person is known here and may not do this.
    """
    organisation = Organisation.objects.filter(handle=handle).first()
    if organisation is None:
        raise Http404
    at_the_place_of(organisation)
    membership = (
        Membership.objects.select_related("on_behalf_of").filter(organisation=organisation, person=person).first()
    )
    if membership is not None:
        if not membership.may(to):
            raise PermissionDenied
        return Access(organisation, person, membership)
    grant = _grant_of(person, organisation, today or today_here())
    if grant is None:
        raise Http404
    if to != "read":
        raise PermissionDenied
    return Access(organisation, person, None, grant)


def _grant_of(person: Person, audited: Organisation, today: date) -> ReadGrant | None:
    """Find a grant through which a person of a verifier may read a party today."""
    grants = ReadGrant.objects.select_related("verifier", "audited").filter(
        audited=audited, verifier__memberships__person=person, revoked_at=None
    )
    return next((grant for grant in grants if grant.opens_on(today)), None)


def access_owned(access: Access, model: type[Owned], *, owner: str = "organisation", **lookup: object) -> Owned:
    """Return an object of an organisation whose door is open.

    Args:
        access: the open door.
        model: the kind of object.
        owner: the column that names whose it is.
        lookup: which one.

    Raises:
        Http404: there is no such object in this organisation, whatever there may be in others.
    """
    found = model._default_manager.filter(  # noqa: SLF001 - Django has no other name for it
        **{owner: access.organisation}, **lookup
    ).first()
    if found is None:
        raise Http404
    return found


Page = Callable[Concatenate[PersonRequest, Access, Rest], HttpResponseBase]
AnyPage = Callable[..., HttpResponseBase]


def of_organisation(to: To, *, to_post: To = "write") -> Callable[[Page[Rest]], AnyPage]:
    """Make a view of one organisation: it is called with the open door instead of the handle in the address.

    Args:
        to: what GET needs.
        to_post: what POST needs.
    """

    def decorate(page: Page[Rest]) -> AnyPage:
        @login_required
        @wraps(page)
        def view(request: PersonRequest, handle: str, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponseBase:
            need: To = to_post if request.method == "POST" else to
            access = access_organisation(request.user, handle, to=need)
            if access.grant is not None:
                match = request.resolver_match
                log_look(access.grant, match.view_name if match else "", actor=access.actor)
            request.access = access
            try:
                return page(request, access, *args, **kwargs)
            except UnopenedError:
                if request.method != "GET" or access.membership is None:
                    raise Http404 from None
                return render(request, "farm/unopened.html")
            except MissingError:
                raise Http404 from None

        return view

    return decorate
