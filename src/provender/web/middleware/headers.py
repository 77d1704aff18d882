"""The headers that tell a browser what a page may do: nothing but load its own files."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

RULES: Final = (
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "report-uri /csp-report",
    "report-to csp",
)
POLICY: Final = "; ".join(RULES)
FEATURES: Final = "camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), interest-cohort=()"
"""Camera and place are for evidence photographs taken in the field."""


class Headers:
    """Adds the content security policy and its kin to every answer that has none of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, with headers."""
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("Reporting-Endpoints", 'csp="/csp-report"')
        response.headers.setdefault("Permissions-Policy", FEATURES)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        # Pages hold business secrets: no cache keeps them. Static files set their own.
        response.headers.setdefault("Cache-Control", "no-store")
        return response
