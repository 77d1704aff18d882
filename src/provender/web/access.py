"""The one door to each page of an organisation; who may enter it is decided in ``services.accounts.access``.

A stranger gets 404, so that existence is not told; somebody who is known here but may not do this gets 403.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase
from django.shortcuts import render

from provender.services.accounts.access import Access, To, access_of
from provender.services.accounts.grants import log_look
from provender.services.accounts.people import signed_in
from provender.services.refused import MissingError, UnopenedError

__all__ = ["Access", "PersonRequest", "To", "of_organisation"]

Rest = ParamSpec("Rest")


class PersonRequest(HttpRequest):
    """A request of somebody who has signed in; ``access`` is there where the page is an organisation's."""

    access: Access


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
            try:
                access = access_of(signed_in(request.user), handle, to=to_post if request.method == "POST" else to)
                if access.grant is not None:
                    match = request.resolver_match
                    log_look(access.grant, match.view_name if match else "", actor=access.actor)
                request.access = access
                return page(request, access, *args, **kwargs)
            except UnopenedError:
                if request.method != "GET" or request.access.membership is None:
                    raise Http404 from None
                return render(request, "farm/unopened.html")
            except MissingError:
                raise Http404 from None

        return view

    return decorate
