"""A request that says it is larger than any sound one is refused before a byte of it is read."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from provender.problem import Place, Problem
from provender.web.api.problems import problem_response

MEBIBYTE: Final = 2**20
MAX_MEBIBYTES: Final = 200
TOO_LARGE: Final = 413
API: Final = "/api/"


class BodyLimit:
    """Answers 413 to a request whose ``Content-Length`` is above the limit."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or refuse."""
        told = request.META.get("CONTENT_LENGTH") or "0"
        if told.isdecimal() and int(told) > MAX_MEBIBYTES * MEBIBYTE:
            cause = f"These files together are larger than {MAX_MEBIBYTES} MB."
            problem = Problem(Place("request"), cause, "Hand them in a few at a time.", code="too_large")
            if request.path_info.startswith(API):
                return problem_response(TOO_LARGE, f"{problem.cause} {problem.remedy}", code=problem.code)
            return render(request, "errors/refused.html", {"problems": [problem]}, status=TOO_LARGE)
        return self.get_response(request)
