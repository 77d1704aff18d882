"""What was typed into a form that is left for another one: it waits in the session until the form is entered."""

import secrets
from collections.abc import Mapping
from typing import Any, Final

from django.http import HttpRequest

DRAFT: Final = "draft"
"""What an address calls the form that it goes back to."""
_MOST: Final = 8
"""Forms of a kind that a session keeps; who leaves more has forgotten the first."""


def keep(request: HttpRequest, shelf: str, form: Mapping[str, Any]) -> str:
    """Keep a form among those of its kind, and return what an address calls it."""
    draft = secrets.token_urlsafe(8)
    kept = {**request.session.get(shelf, {}), draft: dict(form)}
    request.session[shelf] = dict(list(kept.items())[-_MOST:])
    return draft


def kept(request: HttpRequest, shelf: str) -> dict[str, Any] | None:
    """Return the form that the address names; None where it names none that waits."""
    found: dict[str, Any] | None = request.session.get(shelf, {}).get(request.GET.get(DRAFT, ""))
    return found


def forget(request: HttpRequest, shelf: str) -> None:
    """Forget the form that the address names, once it is entered."""
    if request.session.get(shelf, {}).pop(request.GET.get(DRAFT, ""), None) is not None:
        request.session.modified = True
