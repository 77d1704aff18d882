"""Forms of rows that are left to add a record they name, or evidence: what was typed waits in the session."""

from collections.abc import Mapping
from datetime import date
from typing import Final
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
from provender.web.left import DRAFT, forget, keep, kept

LEAVE: Final = "leave"
EVIDENCE: Final = "evidence"
"""Under ``leave``: a row that stands is left to add evidence for it, which writes that into the row itself."""
_KEPT: Final = "rows left"
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
    draft = keep(request, _KEPT, {"kind": form.kind.name, "key": key, "column": column, "texts": texts})
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
    left = kept(request, _KEPT)
    own = left is not None and (left["kind"], left["key"]) == (kind.name, request.GET.get("row", ""))
    texts: Mapping[str, str] = left["texts"] if left and own else {}
    return texts


def came_back(request: HttpRequest, kind: Kind, key: str) -> None:
    """Put a record that was added into the form that was left for it; forget a form once it is saved itself."""
    left = kept(request, _KEPT)
    if left is None:
        return
    if left["kind"] == kind.name:
        forget(request, _KEPT)
    elif kind.name == CROP_ENTRY:
        left["texts"][left["column"]] = key
        request.session.modified = True
