"""What the signing script of a page and the server say to each other: small JSON, problems in words."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, JsonResponse

from provender.problem import ProblemsError, refuse
from provender.signing.canonical import read_json
from provender.web.tables import days_said

REFUSED = 409


def asked(request: HttpRequest) -> dict[str, Any]:
    """Return the JSON object of a request.

    Raises:
        ProblemsError: there is none.
    """
    found = read_json(request.body, file="request")
    if not isinstance(found, dict):
        raise refuse("request", "The request is no JSON object.", "Load the page again.")
    return found


def answered(deed: Callable[[], dict[str, Any]]) -> JsonResponse:
    """Call a deed and answer with what it returns, or with its problems and status 409."""
    try:
        return JsonResponse(deed())
    except ProblemsError as refused:
        told = [
            {"cause": days_said(one.cause), "remedy": days_said(one.remedy), "cite": one.cite}
            for one in refused.problems
        ]
        return JsonResponse({"problems": told}, status=REFUSED)


def text_of(found: dict[str, Any], name: str) -> str:
    """Return a text of the request, empty where there is none."""
    value = found.get(name, "")
    return value if isinstance(value, str) else ""
