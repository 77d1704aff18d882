"""Forms of rows that are left to add a record they name: what was typed waits in the session, and comes back."""

import secrets
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from provender.records import Kind
from provender.web.farm.forms import CROP_ENTRY, SEEN, RowForm
from provender.web.inputs import back_to

LEAVE: Final = "leave"
DRAFT: Final = "draft"
_KEPT: Final = "rows left"
_MOST: Final = 8
"""Forms that a session keeps; who leaves more has forgotten the first."""
_LONGEST: Final = 2_000
_UNIT: Final = "unit_id"


def leave(request: HttpRequest, form: RowForm, farm: str) -> str:
    """Keep what was typed and return the page that adds what a column names; empty where nothing is left.

    Args:
        request: the POST of the form, with the column that leads away under ``leave``.
        form: of it.
        farm: the organization's handle in addresses.
    """
    column = request.POST.get(LEAVE, "")
    if not getattr(form.fields.get(column), "adds", ""):
        return ""
    texts = {name: request.POST.get(name, "")[:_LONGEST] for name in form.fields if name != SEEN}
    draft = secrets.token_urlsafe(8)
    kept = {**request.session.get(_KEPT, {}), draft: {"kind": form.kind.name, "column": column, "texts": texts}}
    request.session[_KEPT] = dict(list(kept.items())[-_MOST:])
    asked = {name: text for name, text in (("row", form.key or ""), ("next", back_to(request))) if text}
    back = f"{reverse('farm_row', args=(farm, form.kind.name))}?{urlencode({**asked, DRAFT: draft})}"
    unit = texts.get(_UNIT, "")
    given = {**({_UNIT: unit} if unit else {}), DRAFT: draft, "next": back}
    return f"{reverse('farm_row', args=(farm, CROP_ENTRY))}?{urlencode(given)}"


def typed_before(request: HttpRequest, kind: Kind) -> Mapping[str, str]:
    """Return what was typed into a form of this kind before it was left; nothing where the address names no draft."""
    kept = _draft(request)
    texts: Mapping[str, str] = kept["texts"] if kept and kept["kind"] == kind.name else {}
    return texts


def came_back(request: HttpRequest, kind: Kind, key: str) -> None:
    """Put a record that was added into the form that was left for it; forget a form once it is saved itself."""
    kept = _draft(request)
    if kept is None:
        return
    if kept["kind"] == kind.name:
        del request.session[_KEPT][request.GET[DRAFT]]
    elif kind.name == CROP_ENTRY:
        kept["texts"][kept["column"]] = key
    request.session.modified = True


def _draft(request: HttpRequest) -> dict[str, Any] | None:
    found: dict[str, Any] | None = request.session.get(_KEPT, {}).get(request.GET.get(DRAFT, ""))
    return found
