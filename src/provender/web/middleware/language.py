"""The language of the pages: what the person chose, else what this browser was told, else what it asks for."""

from collections.abc import Callable
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

ENGLISH: Final = "en-us"
API: Final = "/api/"


class Language:
    """Answers each request in its language, and forgets it afterwards.

    Calls of the API and saved files are English whoever asks: programs and papers compare them word by word. Only a
    page names its language: a stored file or a script is not of the language of whoever fetches it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer."""
        if request.path_info.startswith(API) or "save" in request.GET:
            with translation.override(ENGLISH):
                return self.get_response(request)
        chosen = language_of(request)
        with translation.override(chosen):
            response = self.get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Content-Language", chosen)
        patch_vary_headers(response, ["Accept-Language"])
        return response


def language_of(request: HttpRequest) -> str:
    """Return the language of a request: the signed-in person's own, the cookie's, the browser's, else English."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        own = getattr(request.user, "language", "")
        if own and translation.check_for_language(own):
            return str(own)
    found = translation.get_language_from_request(request)
    return ENGLISH if found.startswith("en") else found
