"""The language of the pages: what the person chose, else what this browser was told, else what it asks for."""

from collections.abc import Callable
from typing import Final, TypeVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

ENGLISH: Final = "en-us"
API: Final = "/api/"
IN_ENGLISH: Final = "in_english"
"""The mark of a view whose text nobody has put into other languages."""
View = TypeVar("View", bound=Callable[..., HttpResponseBase])


def in_english(view: View) -> View:
    """Mark a view of which only what stands around its text, menu and messages, is in the reader's language."""
    setattr(view, IN_ENGLISH, True)
    return view


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
        request.reader_language = chosen  # type: ignore[attr-defined]  # templates ask for it
        with translation.override(chosen):
            response = self.get_response(request)
        if response.headers.get("Content-Type", "").startswith("text/html"):
            response.headers.setdefault("Content-Language", chosen)
        patch_vary_headers(response, ["Accept-Language"])
        return response

    def process_view(self, _request: HttpRequest, view: Callable[..., HttpResponseBase], *_: object) -> None:
        """Let what makes a page's text speak English where that text is English alone: no day of it is mixed in."""
        if getattr(view, IN_ENGLISH, False):
            translation.activate(ENGLISH)


def language_of(request: HttpRequest) -> str:
    """Return the language of a request: the signed-in person's own, the cookie's, the browser's, else English."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        own = getattr(request.user, "language", "")
        if own and translation.check_for_language(own):
            return str(own)
    found = translation.get_language_from_request(request)
    return ENGLISH if found.startswith("en") else found
