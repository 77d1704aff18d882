"""When each signed-in device was last used: written once in some minutes, not with every page."""

import time
from collections.abc import Callable
from typing import Final

from allauth.usersessions.models import UserSession
from django.http import HttpRequest, HttpResponse

SECONDS: Final = 300
MOST: Final = 10_000
"""Sessions whose last note a worker remembers; a session itself is not written, so that it ends when it was to end."""


class LastUse:
    """Notes that a session is in use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.noted: dict[str, float] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer. Only a session that a browser holds is asked for its person: calls with a token have none."""
        key, now = request.session.session_key, time.monotonic()
        if key and now - self.noted.get(key, -SECONDS) >= SECONDS and request.user.is_authenticated:
            if len(self.noted) >= MOST:
                self.noted.clear()
            self.noted[key] = now
            UserSession.objects.create_from_request(request)
        return self.get_response(request)
