"""A deed that was refused becomes a page that says why, when the view itself did not show it in a form."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from provender.problem import ProblemsError

REFUSED: Final = 409


class Refusals:
    """Turns ``ProblemsError`` into a page with its problems and status 409."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Show the problems of a refusal; leave every other error to Django."""
        if not isinstance(exception, ProblemsError):
            return None
        return render(request, "errors/refused.html", {"problems": exception.problems}, status=REFUSED)
