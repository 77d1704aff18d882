"""Forms of entries that are left for another one, such as the contract that a sale names: what was typed waits."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.forms import MultipleChoiceField
from django.http import HttpRequest, QueryDict

from provender.custody.model.event import Event
from provender.web.custody.forms import EVENT, EventForm
from provender.web.inputs import back_to
from provender.web.left import DRAFT, forget, keep, kept

LIKE: Final = "like"
_KEPT: Final = "entries left"
_LONGEST: Final = 20_000
"""Signs of a box that are kept: lots that are named take many lines."""


def typed_in(form: EventForm, sent: QueryDict) -> dict[str, Any]:
    """Return what was sent of a form as a form begins with it; lists of choices whole."""
    found: dict[str, Any] = {}
    for name in form.fields:
        texts = [text[:_LONGEST] for text in sent.getlist(name)]
        if name != EVENT and any(texts):
            found[name] = texts if isinstance(form.fields[name], MultipleChoiceField) else texts[-1]
    return found


def leave(request: HttpRequest, form: EventForm) -> str:
    """Keep what was typed, and return the address at which the form goes on with it."""
    draft = keep(request, _KEPT, {"kind": form.cls.type, "texts": typed_in(form, request.POST)})
    asked = {"next": back_to(request)} if back_to(request) else {}
    return f"{request.path}?{urlencode({**asked, DRAFT: draft})}"


def typed_before(request: HttpRequest, cls: type[Event]) -> Mapping[str, Any]:
    """Return what was typed into a form of this type before it was left; nothing where the address names no draft."""
    left = kept(request, _KEPT)
    texts: Mapping[str, Any] = left["texts"] if left and left["kind"] == cls.type else {}
    return texts


def entered(request: HttpRequest) -> None:
    """Forget a form that was left, once it is entered."""
    forget(request, _KEPT)
