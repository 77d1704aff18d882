"""Pages for what went wrong: each says what happened and where to go."""

from django.core.exceptions import RequestDataTooBig, TooManyFilesSent
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: there is no such page, or none for this person."""
    return render(request, "errors/404.html", status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403: known here, not allowed to do this."""
    return render(request, "errors/403.html", status=403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: the request could not be read; 413 when it was too large to be read."""
    too_large = isinstance(exception, RequestDataTooBig | TooManyFilesSent)
    return render(request, "errors/400.html", status=413 if too_large else 400)


def server_error(request: HttpRequest) -> HttpResponse:
    """500: our fault."""
    return render(request, "errors/500.html", status=500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """403: the form was too old or came from somewhere else."""
    return render(request, "errors/csrf.html", status=403)
