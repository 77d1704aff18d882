"""What was typed into a form that is left for another one: it waits in the session until the form is entered.

A person may work in several organizations in one session: a form waits for the one in whose pages it was left.
"""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest

DRAFT: Final = "draft"
"""What an address calls the form that it goes back to."""
_OF: Final = "of"
_MOST: Final = 8
"""Forms of a kind that a session keeps; who leaves more has forgotten the first."""


def keep(request: HttpRequest, shelf: str, form: Mapping[str, Any]) -> str:
    """Keep a form among those of its kind, and return what an address calls it."""
    draft = secrets.token_urlsafe(8)
    kept = {**request.session.get(shelf, {}), draft: {**form, _OF: _organisation(request)}}
    request.session[shelf] = dict(list(kept.items())[-_MOST:])
    return draft


def kept(request: HttpRequest, shelf: str) -> dict[str, Any] | None:
    """Return the form that the address names; None where it names none that waits."""
    found: dict[str, Any] | None = request.session.get(shelf, {}).get(request.GET.get(DRAFT, ""))
    return found if found is not None and found.get(_OF) == _organisation(request) else None


def forget(request: HttpRequest, shelf: str) -> None:
    """Forget the form that the address names, once it is entered."""
    if kept(request, shelf) is not None:
        del request.session[shelf][request.GET[DRAFT]]
        request.session.modified = True


def _organisation(request: HttpRequest) -> str:
    """Return the handle of the organization in whose pages somebody is; empty outside of all."""
    return str(request.resolver_match.kwargs.get("handle", "")) if request.resolver_match else ""
