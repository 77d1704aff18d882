"""Forms of rows that are left to add a record they name, or evidence: what was typed waits in the session."""

import secrets
from collections.abc import Mapping
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse

from provender.records import Kind
from provender.records.cells import CellError, read_cell
from provender.services.farm.growing import year_to_come
from provender.web.farm.cover_form import COVER
from provender.web.farm.crop_form import YEAR
from provender.web.farm.forms import CROP_ENTRY, MONTH_FIRST, SEEN, RowForm
from provender.web.inputs import back_to

LEAVE: Final = "leave"
EVIDENCE: Final = "evidence"
"""Under ``leave``: a row that stands is left to add evidence for it, which writes that into the row itself."""
DRAFT: Final = "draft"
_KEPT: Final = "rows left"
_MOST: Final = 8
"""Forms that a session keeps; who leaves more has forgotten the first."""
_LONGEST: Final = 2_000
_UNIT: Final = "unit_id"
_SEEDED: Final = "seeded_on"


def leave(request: HttpRequest, form: RowForm, farm: str) -> str:
    """Keep what was typed and return the page that adds what a column names; empty where nothing is left.

    Args:
        request: the POST of the form, with the column that leads away under ``leave``.
        form: of it.
        farm: the organization's handle in addresses.
    """
    column, key = request.POST.get(LEAVE, ""), form.key or ""
    to_evidence = column == EVIDENCE and bool(key)
    if not to_evidence and not getattr(form.fields.get(column), "adds", ""):
        return ""
    left_out = {SEEN, EVIDENCE} if to_evidence else {SEEN}
    texts = {name: request.POST.get(name, "")[:_LONGEST] for name in form.fields if name not in left_out}
    draft = secrets.token_urlsafe(8)
    own = {"kind": form.kind.name, "key": key, "column": column, "texts": texts}
    kept = {**request.session.get(_KEPT, {}), draft: own}
    request.session[_KEPT] = dict(list(kept.items())[-_MOST:])
    asked = {name: text for name, text in (("row", key), ("next", back_to(request))) if text}
    back = f"{reverse('farm_row', args=(farm, form.kind.name))}?{urlencode({**asked, DRAFT: draft})}"
    if to_evidence:
        given = {"by": "file", "kind": form.kind.name, "row": key, "next": back}
        return f"{reverse('farm_evidence', args=(farm,))}?{urlencode(given)}"
    unit = texts.get(_UNIT, "")
    given = {**({_UNIT: unit} if unit else {}), **_year(form, texts), DRAFT: draft, "next": back}
    return f"{reverse('farm_row', args=(farm, CROP_ENTRY))}?{urlencode(given)}"


def _year(form: RowForm, texts: Mapping[str, str]) -> dict[str, str]:
    """Return of which year the crop is that a cover crop is followed by, where its day of seeding can be read."""
    try:
        seeded = read_cell(texts.get(_SEEDED, ""), COVER.fields[_SEEDED], MONTH_FIRST) if form.kind is COVER else None
    except CellError:
        return {}
    return {YEAR: str(year_to_come(form.farm, "", seeded_on=seeded))} if isinstance(seeded, date) else {}


def typed_before(request: HttpRequest, kind: Kind) -> Mapping[str, str]:
    """Return what was typed into a form of this kind before it was left; nothing where the address names no draft."""
    kept = _draft(request)
    own = kept is not None and (kept["kind"], kept["key"]) == (kind.name, request.GET.get("row", ""))
    texts: Mapping[str, str] = kept["texts"] if kept and own else {}
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
