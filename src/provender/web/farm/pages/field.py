"""The page for the field, which works without a network: it holds nobody's data; what it shows is sealed."""

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from provender import __version__
from provender.problem import ProblemsError
from provender.records.kind import KINDS, Kind
from provender.services.accounts.access import Access
from provender.services.farm.book import FARM, FarmBook, called, farm_book_of, texts_of
from provender.services.farm.edits import day_of_work, numbered
from provender.services.farm.files import MAX_BYTES
from provender.services.field import (
    AskedError,
    ConflictError,
    Deed,
    Moment,
    PhotoDeed,
    Taken,
    account_of,
    farms_of,
    mark_of,
    seal_of,
    take_photograph,
    take_record,
)
from provender.signing.canonical import sha256_hex
from provender.web.access import PersonRequest, of_organisation
from provender.web.farm.forms import SEEN, RowForm
from provender.web.inputs import heading
from provender.web.navigation import ANY_FARM, ICONS, bar_in_the_field
from provender.web.signing_pages import asked, text_of
from provender.web.tables import days_said
from provender.web.templatetags.page import asset

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile


FOLDER: Final = "provender/field/"
_SCRIPTS: Final = (
    "provender/fields.js",
    *(f"{FOLDER}{name}.js" for name in ("account", "sealed", "sending", "forms", "page")),
)  # fmt: skip
BESIDE: Final = ("provender/provender.css", "provender/mark.svg", f"{FOLDER}icon-192.png", f"{FOLDER}app.webmanifest")
_SIGNED_OUT: Final = 401


@cache
def _page() -> str:
    bar = {"bar": bar_in_the_field(), "any_farm": ANY_FARM, "more_icon": ICONS["more"]}
    return render_to_string("field/page.html", {"scripts": _SCRIPTS, **bar})


@cache
def _worker() -> str:
    """Return the worker with what it keeps; a file that changes makes it another worker."""
    found = finders.find(f"{FOLDER}worker.js")
    script = Path(str(found)).read_text("utf-8")
    version = sha256_hex(f"{_page()}{script}".encode())[:12]
    files = [asset(one) for one in (*_SCRIPTS, *BESIDE)]
    said = {"page": reverse("field"), "files": files, "name": f"field-{version}"}
    return f"const KEPT = {json.dumps(said)};\n{script}"


@require_GET
def field(request: HttpRequest) -> HttpResponse:
    """Show the page; the worker keeps it on the phone."""
    return HttpResponse(_page())


@require_GET
def field_worker(request: HttpRequest) -> HttpResponse:
    """Return the worker that keeps the page and its files."""
    return HttpResponse(_worker(), content_type="text/javascript")


@require_GET
def field_now(request: HttpRequest) -> JsonResponse:
    """Say who is signed in, what seals on their phone, and for which farms they may write."""
    if not request.user.is_authenticated:
        return JsonResponse({"account": ""}, status=_SIGNED_OUT)
    person = request.user
    farms = [{"handle": one.handle, "name": str(one)} for one in farms_of(person)]
    said = {"account": account_of(person), "name": str(person), "key": seal_of(person), "csrf": get_token(request)}
    return JsonResponse({**said, "farms": farms, "most": MAX_BYTES})


# What a phone takes along into the field, and what it brings back.

_FIRST: Final = ("operation", "nutrient_application", "cover_crop", "harvest", "planting")
"""Kinds that people write in the field; the others follow in a list."""
ACRES: Final = {"cover_crop": "seeded_acres"}
"""Acres that are those of the unit, unless somebody says otherwise; where blank means the whole unit they stay so."""
_LEFT_TO_FILES: Final = frozenset({"evidence", "word"})
_MOST_ROWS: Final = 200
_COVER: Final = KINDS["cover_crop"]
"""Rows of each kind that a phone takes along to correct: those written last."""
_OTHER_ACCOUNT, _CONFLICT, _REFUSED = 403, 409, 422
ACCOUNT: Final = "X-Field-Account"


@require_http_methods(["GET", "POST"])
@of_organisation("write")
def farm_field(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Lead to the page for the field; a POST brings one record or photograph back from there."""
    farm = farm_book_of(access.organisation)
    if request.method == "GET":
        return redirect(f"{reverse('field')}#{access.organisation.handle}")
    if request.headers.get(ACCOUNT, "") != account_of(access.person):
        return _refused("This was recorded under another account.", "Sign in with that one to send it.", _OTHER_ACCOUNT)
    try:
        file = request.FILES.get("file")
        taken = _record(request, access, farm) if file is None else _photograph(request, access, farm, file)
    except ConflictError as held:
        now = None if held.now is None else dict(held.now)
        answer = {"problems": _problem_texts(held), "now": now, "seen": mark_of(now) if now else "", "key": held.key}
        return JsonResponse(answer, status=_CONFLICT)
    except AskedError as asks:
        return JsonResponse({"problems": _problem_texts(asks), "asked": True}, status=_CONFLICT)
    except ProblemsError as refused:
        return JsonResponse({"problems": _problem_texts(refused)}, status=_REFUSED)
    name = called(KINDS[taken.kind], taken.key)
    return JsonResponse({"called": name, "key": taken.key, "version": taken.version})


def _refused(cause: str, remedy: str, status: int) -> JsonResponse:
    return JsonResponse({"problems": [{"column": "", "text": f"{cause} {remedy}"}]}, status=status)


def _problem_texts(refused: ProblemsError) -> list[dict[str, str]]:
    return [
        {"column": one.place.column or "", "text": days_said(f"{one.cause} {one.remedy}")} for one in refused.problems
    ]


def _record(request: PersonRequest, access: Access, farm: FarmBook) -> Taken:
    deed_of = asked(request)
    given = deed_of.get("row")
    row = {str(name): text for name, text in given.items() if isinstance(text, str)} if isinstance(given, dict) else {}
    names = {name: text_of(deed_of, name) for name in ("id", "kind", "key", "seen", "why")}
    deed = Deed(**names, row=row, moment=_moment(deed_of.get("moment")), looked=deed_of.get("looked") is True)
    return take_record(farm.book, deed, person=access.person, actor=access.actor)


def _photograph(request: PersonRequest, access: Access, farm: FarmBook, file: "UploadedFile[Any]") -> Taken:
    sent = request.POST
    name = file.name or "photograph.jpg"
    moment = _moment({one: sent.get(one, "") for one in Moment.__dataclass_fields__})
    deed = PhotoDeed(
        sent.get("id", ""), name, sent.get("unit_id", ""), sent.get("note", "")[:500], moment, sent.get("shows", "")
    )
    return take_photograph(farm.book, deed, file.read(), person=access.person, actor=access.actor)


def _moment(sent: object) -> Moment:
    found = sent if isinstance(sent, dict) else {}
    return Moment(*(text_of(found, name)[:40] for name in Moment.__dataclass_fields__))


@require_GET
@of_organisation("write")
def farm_field_book(request: PersonRequest, access: Access) -> HttpResponseBase:
    """Return what a phone needs to record without a network: each form as the pages draw it, names, rows to correct.

    A phone that ``have``s it already gets 204 and nothing.
    """
    farm = farm_book_of(access.organisation)
    mark = f"{__version__}-{farm.version}"
    if request.GET.get("have") == mark:
        return HttpResponse(status=204)
    names = [*_FIRST, *(name for name in KINDS if name not in _FIRST and name not in _LEFT_TO_FILES)]
    kinds = [_kind(farm, KINDS[name], first=name in _FIRST) for name in names]
    units = [
        {"key": key, "called": called(KINDS["unit"], key), "acres": str(row.get("acres") or "")}
        for key, row in farm.of(KINDS["unit"]).items()
    ]
    covers = [
        {"key": key, "called": f"{called(_COVER, key)} on {row['unit_id']}"}
        for key, row in farm.of(_COVER).items()
        if not row.get("established_photo")
    ]
    farm_said = {"handle": access.organisation.handle, "name": str(access.organisation), "mark": mark}
    return JsonResponse({**farm_said, "kinds": kinds, "units": units, "covers": covers})


def _kind(farm: FarmBook, kind: Kind, *, first: bool) -> dict[str, Any]:
    form = RowForm(kind, farm, None, initial={})
    for name in (SEEN, *numbered(kind)):
        del form.fields[name]
    last = list(farm.of(kind).items())[-_MOST_ROWS:]
    texts = {key: texts_of(kind, row) for key, row in reversed(last)}
    return {
        "name": kind.name,
        "label": kind.label,
        "first": first,
        "numbered": bool(numbered(kind)),
        "today": day_of_work(kind),
        "acres": ACRES.get(kind.name, ""),
        "form": form.render(),
        "columns": {name: heading(found) for name, found in kind.typed_fields.items() if name != FARM},
        "own": [name for name in kind.key_columns if name != FARM],
        "refers": {name: found.refers for name, found in kind.typed_fields.items() if found.refers},
        "rows": [
            {"key": key, "called": called(kind, key), "texts": row, "seen": mark_of(row)} for key, row in texts.items()
        ],
    }
