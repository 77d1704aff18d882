"""Pages for what went wrong: each says what happened and where to go; and the browsers' reports of what was stopped."""

import json
import logging
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST

from provender import __version__
from provender.database import guards
from provender.database.actor import seconds_behind
from provender.problem import Place, Problem
from provender.rule.paragraphs import interpretation
from provender.web.api import problems
from provender.web.logs import FACTS
from provender.web.middleware import MEBIBYTE, RULES, TOO_LARGE
from provender.whole_file import is_full


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: there is no such page, or none for this person; a call is answered as a problem."""
    if problems.is_call(request):
        return problems.problem_response(
            404, "No call has this address. /api/v1/openapi.json lists all of them.", code="not_found"
        )
    return render(request, "errors/404.html", status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: known here, not allowed to do this."""
    if problems.is_call(request):
        return problems.problem_response(403, "You may not do this here.", code="not_permitted")
    return render(request, "errors/403.html", status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request could not be read; 413 when there was too much of it, with how much there may be."""
    if problem := _too_much(exception):
        return problems.refused_answer(request, problem, TOO_LARGE)
    if problems.is_call(request):
        return problems.problem_response(400, "The request cannot be read.")
    return render(request, "errors/400.html", status=400)


def _too_much(exception: Exception) -> Problem | None:
    if isinstance(exception, TooManyFilesSent):
        most = settings.DATA_UPLOAD_MAX_NUMBER_FILES
        cause = f"More than {most} files came at once, so none of them was read."
        remedy = f"Go back and choose at most {most}; upload the others after them."
        return Problem(Place("files"), cause, remedy, code="too_many_files")
    if isinstance(exception, TooManyFieldsSent):
        cause = f"The form has more than {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS} fields, so none of them was read."
        return Problem(Place("form"), cause, "Go back and send fewer rows at a time.", code="too_many_fields")
    if isinstance(exception, RequestDataTooBig):
        limit = settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2**20
        cause = f"The text of the form is larger than {limit} MB, so none of it was read."
        return Problem(Place("form"), cause, "Go back and hand it in as a file, or in parts.", code="too_large")
    return None


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our fault; 503 when another writer held the database for too long; 507 when the disk is full."""
    error = sys.exc_info()[1]
    if problems.is_busy(error):
        return problems.busy_answer(request)
    if is_full(error):
        return problems.full_answer(request)
    if problems.is_call(request):
        return problems.problem_response(
            500, "The fault is on our side, and whoever runs this server finds it in the log."
        )
    return render(request, "errors/500.html", status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form was too old or came from somewhere else."""
    return render(request, "errors/csrf.html", status=403)


_LOGGER = logging.getLogger("provender.web.csp")
MAX_BYTES: Final = 20_000
_MAX_REPORTS: Final = 20
_RULE_NAMES: Final = frozenset(
    rule.split()[0] + part for rule in RULES for part in ("", "-elem", "-attr") if not rule.startswith("report")
)
BLOCKED: Final = frozenset({"inline", "eval", "wasm-eval", "data", "blob", "self"})
TOLD: Final = {
    "effective-directive": _RULE_NAMES,
    "effectiveDirective": _RULE_NAMES,
    "violated-directive": _RULE_NAMES,
    "blocked-uri": BLOCKED,
    "blockedURL": BLOCKED,
    "disposition": frozenset({"enforce", "report"}),
}
"""What is logged of a report, and the words it may hold: anybody sends one, with any text."""


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Log which rule stopped what. Addresses of pages are left out: they may hold secrets."""
    try:
        reports = list(_reports(json.loads(request.read(MAX_BYTES))))[:_MAX_REPORTS]
    except ValueError:
        return HttpResponse(status=400)
    for report in reports:
        words = {name: str(report[name]).partition(" ")[0] for name in TOLD if name in report}
        facts = {name: word if word in TOLD[name] else "other" for name, word in words.items()}
        _LOGGER.warning("csp violation", extra={FACTS: facts})
    return HttpResponse(status=204)


def _reports(body: object) -> Iterator[dict[str, object]]:
    """Yield the reports of either form: one object with ``csp-report``, or a list with ``body`` each."""
    for one in body if isinstance(body, list) else [body]:
        if isinstance(one, dict):
            inner = one.get("csp-report", one.get("body"))
            if isinstance(inner, dict):
                yield inner


# Whether this server works, for the thing that watches it.

_FULL_SECONDS: Final = 300
"""How long ``/health`` says that the database found no space."""


@require_GET
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers, its tables are current and its guards stand; else 503 and why.

    Where space runs out or the clock went back, the server still works: it is *degraded*, with 200.
    """
    wrong = _wrong()
    degraded = [] if wrong else _degraded()
    status = "unwell" if wrong else "degraded" if degraded else "ok"
    return JsonResponse(
        {"status": status, "wrong": wrong or degraded, "version": __version__}, status=503 if wrong else 200
    )


def _wrong() -> list[str]:
    try:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            return ["migrations are waiting"]
        if guards.missing(connection.alias):
            return ["guards are missing"]
    except DatabaseError:
        return ["the database does not answer"]
    return []


def _degraded() -> list[str]:
    folder = Path(settings.UPLOAD_FOLDER)
    while not folder.exists():
        folder = folder.parent
    found = []
    if shutil.disk_usage(folder).free < settings.FREE_MEGABYTES * MEBIBYTE:
        found.append(f"less than {settings.FREE_MEGABYTES} MB are free on the disk of the server's folder")
    mark = folder / problems.FOUND_FULL
    if mark.exists() and time.time() - mark.stat().st_mtime < _FULL_SECONDS:
        found.append(f"the database found no space left in the last {_FULL_SECONDS // 60} minutes")
    if behind := seconds_behind():
        found.append(f"the clock is {behind} seconds behind the last record")
    return found


# The page of an interpretation, to which every citation on a page leads.


@login_required
@require_GET
def interpretation_page(request: HttpRequest, number: int) -> HttpResponseBase:
    """Show how we read the rule in one matter."""
    shown = interpretation(number)
    if shown is None:
        raise Http404
    return render(request, "pages/interpretation.html", {"shown": shown})
