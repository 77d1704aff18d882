"""The one way to each page of an organisation; who may enter it is decided in ``services.accounts.access``.

A stranger gets 404, so that existence is not told; somebody who is known here but may not do this gets 403.
"""

import re
from collections.abc import Callable, Collection
from functools import wraps
from typing import Concatenate, Final, ParamSpec

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve

from provender.database.choices import Area
from provender.services.accounts.access import Access, To, access_of
from provender.services.accounts.grants import log_visit
from provender.services.accounts.organisations import signed_in
from provender.services.refused import MissingError, UnopenedError

# Pages as a reviewer gets them: a link to what is closed to them is text, a button to it is not there.
#
# Templates are written for whoever works here; which links a reviewer may follow hangs on the areas they were let see.

_ANCHOR: Final = re.compile(r"<a\b([^>]*)>(.*?)</a>", re.DOTALL)
_HREF: Final = re.compile(r'\bhref="(/o/[^"?#]*)')
_BUTTON: Final = re.compile(r'\bclass="[^"]*\bbutton\b')


def is_open(access: Access, address: str) -> bool:
    """Tell whether a page of an organisation that asks for reading opens for somebody with access to it."""
    if access.review is None:
        return True
    try:
        return access.sees(getattr(resolve(address).func, "areas", ()))
    except Resolver404:
        return False


def _unlinked(access: Access, answer: HttpResponseBase) -> HttpResponseBase:
    """Take out of a page what its reviewer could not open; anything else stays as it is."""
    html = answer.headers.get("Content-Type", "").startswith("text/html")
    if access.review is None or not html or not isinstance(answer, HttpResponse):
        return answer

    def kept(found: re.Match[str]) -> str:
        href = _HREF.search(found[1])
        if href is None or is_open(access, href[1]):
            return found[0]
        return "" if _BUTTON.search(found[1]) else found[2]

    answer.content = _ANCHOR.sub(kept, answer.content.decode()).encode()
    return answer


Rest = ParamSpec("Rest")


class PersonRequest(HttpRequest):
    """A request of somebody who has signed in; ``access`` is there where the page is an organisation's."""

    access: Access


Page = Callable[Concatenate[PersonRequest, Access, Rest], HttpResponseBase]
AnyPage = Callable[..., HttpResponseBase]


def of_organisation(to: To, *, to_post: To = "write", areas: Collection[Area] = ()) -> Callable[[Page[Rest]], AnyPage]:
    """Make a view of one organisation: it is called with the access instead of the handle in the address.

    A page without ``areas`` is closed to all reviewers.
    """

    def decorate(page: Page[Rest]) -> AnyPage:
        @login_required
        @wraps(page)
        def view(request: PersonRequest, handle: str, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponseBase:
            try:
                wanted = to_post if request.method == "POST" else to
                access = access_of(signed_in(request.user), handle, to=wanted, areas=areas)
                match = request.resolver_match
                log_visit(access, match.view_name if match else "")
                request.access = access
                return _unlinked(access, page(request, access, *args, **kwargs))
            except UnopenedError:
                if request.method != "GET" or request.access.membership is None:
                    raise Http404 from None
                return render(request, "farm/unopened.html")
            except MissingError:
                raise Http404 from None

        view.areas = areas  # type: ignore[attr-defined]  # read by ``unlinked.is_open``
        return view

    return decorate
