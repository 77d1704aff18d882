"""The page for the field, which works without a network: it holds nobody's data; what it shows is sealed."""

import json
from functools import cache
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.http import require_GET

from provender.services.farm.uploads import MAX_BYTES
from provender.services.field.phones import account_of, farms_of, seal_of
from provender.signing.hashes import sha256_hex
from provender.web.navigation import ANY_FARM, ICONS, bar_in_the_field
from provender.web.templatetags.page import asset

FOLDER: Final = "provender/field/"
SCRIPTS: Final = (
    "provender/fields.js",
    *(f"{FOLDER}{name}.js" for name in ("account", "sealed", "sending", "forms", "page")),
)  # fmt: skip
BESIDE: Final = ("provender/provender.css", "provender/mark.svg", f"{FOLDER}icon-192.png", f"{FOLDER}app.webmanifest")
SIGNED_OUT: Final = 401


@cache
def _page() -> str:
    bar = {"bar": bar_in_the_field(), "any_farm": ANY_FARM, "more_icon": ICONS["more"]}
    return render_to_string("field/page.html", {"scripts": SCRIPTS, **bar})


@cache
def _worker() -> str:
    """Return the worker with what it keeps; a file that changes makes it another worker."""
    found = finders.find(f"{FOLDER}worker.js")
    script = Path(str(found)).read_text("utf-8")
    version = sha256_hex(f"{_page()}{script}".encode())[:12]
    files = [asset(one) for one in (*SCRIPTS, *BESIDE)]
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
        return JsonResponse({"account": ""}, status=SIGNED_OUT)
    person = request.user
    farms = [{"handle": one.handle, "name": str(one)} for one in farms_of(person)]
    said = {"account": account_of(person), "name": str(person), "key": seal_of(person), "csrf": get_token(request)}
    return JsonResponse({**said, "farms": farms, "most": MAX_BYTES})
