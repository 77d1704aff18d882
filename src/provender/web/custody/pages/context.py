"""The door to an organisation's custody pages, and the words and addresses that they share."""

from collections.abc import Callable, Collection
from datetime import date
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import Http404, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode

from provender.database.actor import today as today_here
from provender.database.choices import Area
from provender.services.accounts.access import Access, To
from provender.services.custody.context import CustodyContext, context_of, trades
from provender.services.custody.views import EventOffer
from provender.web.access import AnyPage, PersonRequest, of_organisation

Rest = ParamSpec("Rest")
CustodyPage = Callable[Concatenate[PersonRequest, CustodyContext, Rest], HttpResponseBase]


def at_desk(
    to: To = "read", *, to_post: To = "write", areas: Collection[Area] = ()
) -> Callable[[CustodyPage[Rest]], AnyPage]:
    """Make a view of an organisation's part of the custody book; one that has not begun is shown how to begin.

    The view raises Http404 for organisations that trade nothing.
    """

    def decorate(page: CustodyPage[Rest]) -> AnyPage:
        def view(
            request: PersonRequest, access: Access, /, *args: Rest.args, **kwargs: Rest.kwargs
        ) -> HttpResponseBase:
            require_trader(access)
            here, today = access.organisation, today_here()
            desk = context_of(here, actor=access.actor, today=today, may_write=access.may_write)
            if desk is None:
                return render(request, "custody/unopened.html", status=200 if request.method == "GET" else 409)
            return page(request, desk, *args, **kwargs)

        return wraps(page)(of_organisation(to, to_post=to_post, areas=areas)(view))

    return decorate


def require_trader(access: Access) -> None:
    """Let only organisations in that trade.

    Raises:
        Http404: this one does not.
    """
    if not trades(access.organisation):
        raise Http404


def at(desk: CustodyContext, page: str, *more: str, **asked: str | int | date) -> str:
    """Return the address of one of the organisation's pages, with what it is asked."""
    address = reverse(page, args=(desk.id, *more))
    return f"{address}?{urlencode({name: str(value) for name, value in asked.items()})}" if asked else address


def form_of(desk: CustodyContext, offer: EventOffer | None) -> str:
    """Return the address of the form of an event that is offered; empty for who may not enter any."""
    if offer is None or not desk.may_write:
        return ""
    known = {name: value for name, value in offer.fields.items() if name != "entity" or offer.kind == "entity"}
    return at(desk, "custody_enter", offer.kind, **known)
