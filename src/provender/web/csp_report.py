"""Where browsers report what the content security policy stopped."""

import json
import logging
from collections.abc import Iterator
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from provender.web.logs import FACTS

LOGGER = logging.getLogger("provender.web.csp")
MAX_BYTES: Final = 20_000
MAX_REPORTS: Final = 20
NAMES: Final = (
    "effective-directive",
    "effectiveDirective",
    "violated-directive",
    "blocked-uri",
    "blockedURL",
    "disposition",
)


@csrf_exempt
@require_POST
def csp_report(request: HttpRequest) -> HttpResponse:
    """Log which rule stopped what. Addresses of pages are left out: they may hold secrets."""
    try:
        reports = list(_reports(json.loads(request.read(MAX_BYTES))))[:MAX_REPORTS]
    except ValueError:
        return HttpResponse(status=400)
    for report in reports:
        facts = {name: str(report[name])[:200] for name in NAMES if name in report}
        LOGGER.warning("csp violation", extra={FACTS: facts})
    return HttpResponse(status=204)


def _reports(body: object) -> Iterator[dict[str, object]]:
    """Yield the reports of either form: one object with ``csp-report``, or a list with ``body`` each."""
    for one in body if isinstance(body, list) else [body]:
        if isinstance(one, dict):
            inner = one.get("csp-report", one.get("body"))
            if isinstance(inner, dict):
                yield inner
