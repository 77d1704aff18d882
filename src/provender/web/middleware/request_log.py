"""One line of log per request: which view, what answer, how long. No path, since paths may hold secrets."""

import logging
import time
import uuid
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from provender.web.logs import FACTS

LOGGER = logging.getLogger("provender.web.request")


class RequestLog:
    """Logs each request and gives it a number that the answer repeats."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, then log."""
        number = uuid.uuid4().hex
        begun = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        facts = {
            "request": number,
            "method": request.method,
            "view": (match.view_name if match else "") or "none",
            "status": response.status_code,
            "ms": round((time.perf_counter() - begun) * 1000, 1),
        }
        LOGGER.info("request", extra={FACTS: facts})
        response.headers["X-Request-ID"] = number
        return response
