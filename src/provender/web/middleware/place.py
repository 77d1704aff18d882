"""Days are the party's days: whoever's door a request opens says in which time zone, and the next request asks anew."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class Place:
    """Forgets, before and after each request, the time zone that the last one was answered in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        timezone.deactivate()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()
