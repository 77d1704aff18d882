"""What somebody sends who has not signed in is small, comes soon, and never keeps every thread of the server.

A body is read only once its sender is known. A stranger's may be as large as a form, has seconds to arrive, and waits
behind no more than half of the threads, so that whoever sends byte by byte keeps nobody else waiting.
"""

import os
import socket
from collections.abc import Callable
from threading import BoundedSemaphore, Timer
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from provender.problem import Place, Problem
from provender.services.accounts.tokens import find_token
from provender.web.api.problems import AGAIN_SECONDS, BUSY, busy_problem, problem_response

API: Final = "/api/"
LARGEST: Final = 2**18
"""Bytes that a stranger may send: a sign-in, a sign-up, a browser's report of what was stopped."""
SECONDS: Final = 10
THREADS: Final = int(os.environ.get("PROVENDER_THREADS", "8"))
TOO_LARGE: Final = 413


class Strangers:
    """Bounds size, time and number of bodies that come before anybody has said who sends them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.seats = BoundedSemaphore(max(1, THREADS // 2))
        self.seconds: float = SECONDS

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or refuse."""
        size = _size(request)
        if size == 0 or _is_known(request):
            return self.get_response(request)
        if size is None or size > LARGEST:
            return _too_large(request)
        if not self.seats.acquire(blocking=False):
            return _busy(request)
        patience = Timer(self.seconds, _hang_up, (request.META.get("gunicorn.socket"),))
        patience.daemon = True
        patience.start()
        try:
            return self.get_response(request)
        finally:
            patience.cancel()
            self.seats.release()


def _size(request: HttpRequest) -> int | None:
    """Return how many bytes a request says it brings; None where it does not say."""
    told = request.META.get("CONTENT_LENGTH") or "0"
    if request.META.get("HTTP_TRANSFER_ENCODING") or not told.isdecimal():
        return None
    return int(told)


def _is_known(request: HttpRequest) -> bool:
    if request.path_info.startswith(API):
        return find_token(request.headers.get("Authorization", "").rpartition(" ")[2]) is not None
    return request.user.is_authenticated


def _hang_up(line: socket.socket | None) -> None:
    """Read no more from whoever takes too long; the answer can still be sent."""
    if line is not None:
        try:
            line.shutdown(socket.SHUT_RD)
        except OSError:  # the sender has gone
            return


def _too_large(request: HttpRequest) -> HttpResponse:
    cause = "Whoever has not signed in cannot send that much."
    problem = Problem(Place("request"), cause, "Sign in first, then send it again.", code="too_large")
    if request.path_info.startswith(API):
        remedy = "Send a valid token with the call."
        return problem_response(TOO_LARGE, f"Without a valid token nobody sends that much. {remedy}", code="too_large")
    return render(request, "errors/refused.html", {"problems": [problem]}, status=TOO_LARGE)


def _busy(request: HttpRequest) -> HttpResponse:
    if request.path_info.startswith(API):
        return busy_problem()
    response = render(request, "errors/busy.html", status=BUSY)
    response.headers["Retry-After"] = str(AGAIN_SECONDS)
    return response
