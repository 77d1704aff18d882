"""Pages travel compressed: they say the same words over and over, and a phone in a field has little of a network."""

from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS: Final = ("text/", "application/json", "application/problem+json", "image/svg+xml")
"""What becomes smaller; papers, workbooks and packages are compressed inside."""


class Compressed(GZipMiddleware):
    """Compresses texts for whoever reads gzip.

    A random number of bytes goes beside each, so that its length tells nobody who watches the line what stands in it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, compressed where it is a text."""
        if response.streaming or not response.headers.get("Content-Type", "").startswith(TEXTS):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer
