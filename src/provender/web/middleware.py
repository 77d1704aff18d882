"""What every request passes through: size, headers, repeated calls, the log of requests."""

import hashlib
import logging
import os
import time
import uuid
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import TYPE_CHECKING, Final

from allauth.usersessions.models import UserSession
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.middleware import SessionMiddleware
from django.db import DatabaseError, IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import render
from django.utils import timezone

from provender.problem import Place as ProblemPlace
from provender.problem import Problem, ProblemsError
from provender.services.accounts.tokens import find_token
from provender.services.idempotency import Deed, GivenAnswer, answer_before, begin_deed, keep_answer, rights_used
from provender.signing.canonical import sha256_hex
from provender.web.api import problems
from provender.web.environment import ASKS, STRANGERS_BYTES, WANTED
from provender.web.logs import FACTS
from provender.whole_file import is_full

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM


class Middleware:
    """Answers as what comes after it does; each below does something before or after that."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


# Days are the party's days: whoever's pages a request opens says in which time zone, and the next request asks anew.


class Place(Middleware):
    """Forgets, before and after each request, the time zone that the last one was answered in."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        timezone.deactivate()
        try:
            return self.get_response(request)
        finally:
            timezone.deactivate()


# One line of log per request: which view, what answer, how long. No path, since paths may hold secrets.

_LOGGER = logging.getLogger("provender.web.request")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class RequestLog(Middleware):
    """Logs each request and gives it a number that the answer repeats."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        number = uuid.uuid4().hex
        begun = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        facts = {
            "request": number,
            "method": request.method if request.method in _METHODS else "other",
            "view": (match.view_name if match else "") or "none",
            "status": response.status_code,
            "ms": round((time.perf_counter() - begun) * 1000, 1),
        }
        _LOGGER.info("request", extra={FACTS: facts})
        response.headers["X-Request-ID"] = number
        return response


# The headers that tell a browser what a page may do: nothing but load its own files.

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
_POLICY: Final = "; ".join(RULES)
_FEATURES: Final = "camera=(self), geolocation=(self), microphone=(), payment=(), usb=(), interest-cohort=()"
"""Camera and place are for evidence photographs taken in the field."""


class Headers(Middleware):
    """Adds the content security policy and its kin to every answer that has none of its own."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", _POLICY)
        response.headers.setdefault("Reporting-Endpoints", 'csp="/csp-report"')
        response.headers.setdefault("Permissions-Policy", _FEATURES)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        # Pages hold business secrets: no cache keeps them. Static files set their own.
        response.headers.setdefault("Cache-Control", "no-store")
        return response


# Pages travel compressed: they say the same words over and over, and a phone in a field has little of a network.

_TEXTS: Final = ("text/", "application/json", "application/problem+json", "image/svg+xml")
"""What becomes smaller; papers, workbooks and packages are compressed inside."""


class Compressed(GZipMiddleware):
    """Compresses texts for whoever reads gzip.

    A random number of bytes goes beside each, so that its length tells nobody who watches the line what stands in it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, compressed where it is a text."""
        if response.streaming or not response.headers.get("Content-Type", "").startswith(_TEXTS):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer


# A request that says it is larger than any sound one, or does not say how large, is refused before a byte is read.

MEBIBYTE: Final = 2**20
MAX_MEBIBYTES: Final = 200
_LENGTH_NEEDED: Final = 411
TOO_LARGE: Final = 413


class BodyLimit(Middleware):
    """Answers 413 to a request whose ``Content-Length`` is above the limit, and 411 to one in chunks, without one."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        told = request.META.get("CONTENT_LENGTH") or "0"
        if request.META.get("HTTP_TRANSFER_ENCODING") or not told.isdecimal():
            cause, remedy = "The request does not say how long it is.", "Send it whole, with its Content-Length."
            problem = Problem(ProblemPlace("request"), cause, remedy, code="length_needed")
            return problems.refused_answer(request, problem, _LENGTH_NEEDED)
        if int(told) > MAX_MEBIBYTES * MEBIBYTE:
            cause = f"These files together are larger than {MAX_MEBIBYTES} MB."
            problem = Problem(ProblemPlace("request"), cause, "Hand them in a few at a time.", code="too_large")
            return problems.refused_answer(request, problem, TOO_LARGE)
        return self.get_response(request)


# On a full disk pages can still be read, and what was stored is not called lost, where a session alone cannot be kept.


class Sessions(SessionMiddleware):
    """Keeps the session of each request, as far as there is space for it."""

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        try:
            return super().process_response(request, response)
        except (DatabaseError, SessionInterrupted) as error:
            if not is_full(error):
                raise
            return response


# When each signed-in device was last used: written once in some minutes, not with every page.

SECONDS: Final = 300
_MOST: Final = 10_000
"""Sessions whose last note a worker remembers; a session itself is not written, so that it ends when it was to end."""


class LastUse(Middleware):
    """Notes that a session is in use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.noted: dict[str, float] = {}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer. Only a session that a browser holds is asked for its person: calls with a token have none."""
        key, now = request.session.session_key, time.monotonic()
        if key and now - self.noted.get(key, -SECONDS) >= SECONDS and request.user.is_authenticated:
            if len(self.noted) >= _MOST:
                self.noted.clear()
            self.noted[key] = now
            try:
                UserSession.objects.create_from_request(request)
            except DatabaseError as error:
                if not is_full(error):  # on a full disk pages can still be read
                    raise
        return self.get_response(request)


# What somebody sends who has not signed in is small, and never keeps every thread of the server.
#
# The server asks here about a body larger than a stranger's before it reads it (``web.worker``), and all bodies are
# there before a thread is. Then strangers, who make the server hash passwords, take no more than half of the threads.

THREADS: Final = int(os.environ.get("PROVENDER_THREADS", "8"))


class Strangers(Middleware):
    """Bounds size and number of bodies that come before anybody has said who sends them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        super().__init__(get_response)
        self.seats = BoundedSemaphore(max(1, THREADS // 2))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        size = int(request.META.get("CONTENT_LENGTH") or 0)
        if size == 0 or _is_known(request):
            return HttpResponse(status=WANTED) if request.META.get(ASKS) else self.get_response(request)
        if size > STRANGERS_BYTES:
            return _too_large(request)
        if not self.seats.acquire(blocking=False):
            return problems.busy_answer(request)
        try:
            return self.get_response(request)
        finally:
            self.seats.release()


def _is_known(request: HttpRequest) -> bool:
    if problems.is_call(request):
        return find_token(request.headers.get("Authorization", "").rpartition(" ")[2]) is not None
    return request.user.is_authenticated


def _too_large(request: HttpRequest) -> HttpResponse:
    cause, remedy = "Whoever has not signed in cannot send that much.", "Sign in first, then send it again."
    if problems.is_call(request):
        cause, remedy = "Without a valid token nobody sends that much.", "Send a valid token with the call."
    problem = Problem(ProblemPlace("request"), cause, remedy, code="too_large")
    return problems.refused_answer(request, problem, TOO_LARGE)


# A deed that was refused becomes a page that says why, when the view itself did not show it in a form.

_REFUSED: Final = 409


class Refusals(Middleware):
    """Turns ``ProblemsError`` into a page with its problems and status 409."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Show the problems of a refusal; leave every other error to Django."""
        if not isinstance(exception, ProblemsError):
            return None
        return render(request, "errors/refused.html", {"problems": exception.problems}, status=_REFUSED)


# A repeated POST to the API gets the first answer again and does nothing.
#
# The caller names each deed with an ``Idempotency-Key`` of its own. The key, the deed and the answer are written in one
# transaction, so there is never a deed without its answer or the other way round.
#
# An answer may hold a secret that is shown once, such as a new token. So it is kept sealed under the secret of the
# caller's own token, which is not kept here, and is given again only while that token, its maker and whoever else let
# them may still do it.

_UPLOADS: Final = "/api/v1/files/upload"
"""The one call that takes files as a form sends them; only whoever shows a token gets that much read."""
OK: Final = 400
"""Answers below this status are kept; a refusal wrote nothing, so the caller may try again."""


class Idempotency(Middleware):
    """Keeps the answers to POSTs that carry a key, and asks for one where there is none."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or repeat the answer."""
        if request.method != "POST" or not problems.is_call(request):
            return self.get_response(request)
        key = request.headers.get(problems.HEADER, "")
        if problems.KEY.fullmatch(key) is None:
            detail = (
                f"Send the header {problems.HEADER} with a new value of 1 to {problems.LONGEST} visible characters "
                "for each deed."
            )
            return problems.problem_response(400, detail, code="idempotency_key")
        secret = request.headers.get("Authorization", "")
        if request.path_info == _UPLOADS and find_token(secret.rpartition(" ")[2]) is None:
            return problems.no_token()
        deed = Deed(sha256_hex(secret.encode()), key, _hash_of(request))
        try:
            with transaction.atomic():
                begin_deed(deed)
                return self._first(request, deed, secret)
        except IntegrityError:
            return self._repeat_answer(request, deed, secret)

    def _first(self, request: HttpRequest, deed: Deed, secret: str) -> HttpResponse:
        with rights_used() as rights:
            response = self.get_response(request)
        if response.status_code >= OK:
            transaction.set_rollback(True)
            return response
        body = seal(secret.encode(), response.content, deed.context)
        keep_answer(deed, GivenAnswer(response.status_code, response.headers.get("Content-Type", ""), body, rights))
        return response

    def _repeat_answer(self, request: HttpRequest, deed: Deed, secret: str) -> HttpResponse:
        """Answer as before to whoever may still ask for it; to all others as today."""
        if find_token(secret.rpartition(" ")[2]) is None:
            return problems.no_token()
        given = answer_before(deed)
        if given is None:
            detail = "This key was used for another request."
            return problems.problem_response(409, detail, code="idempotency_key_reused")
        setattr(request, problems.REPEATED, given.rights)
        today = self.get_response(request)
        if today.status_code != problems.DONE_BEFORE:
            return today
        try:
            body = unseal(secret.encode(), given.body, deed.context)
        except SealError:
            detail = "This was done before, and its answer can no longer be read. Ask for what came of it."
            return problems.problem_response(409, detail, code="answer_unreadable")
        response = HttpResponse(body, status=given.status, content_type=given.content_type)
        response.headers["Idempotent-Replay"] = "true"
        return response


def _hash_of(request: HttpRequest) -> str:
    """Return what tells a call from another under the same key.

    A body is taken into memory, up to the limit of the settings; a form with files is put aside on the disk by Django,
    and its files are hashed where they lie.
    """
    if request.path_info != _UPLOADS or request.content_type != "multipart/form-data":
        return sha256_hex(request.get_full_path().encode() + b"\n" + request.body)
    whole = hashlib.sha256(request.get_full_path().encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            whole.update(f"\n{name}\n{file.name}\n{file.size}\n".encode())
            for chunk in file.chunks():
                whole.update(chunk)
            file.seek(0)
    return whole.hexdigest()


# Bytes that only the holder of a secret can read again, kept by somebody who does not keep the secret.
#
# AES-256-GCM under a key derived from the secret (HKDF with SHA-256). The secret has to be random and long, such as a
# token's: a passphrase would need a slow derivation.

# Most commands seal nothing: the library is imported where something is.

NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 32


class SealError(ValueError):
    """What was kept cannot be opened: another secret, another context, or damage."""


def seal(secret: bytes, content: bytes, context: bytes) -> bytes:
    """Return the content so that it can be read with the same secret in the same context only."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + _cipher(secret).encrypt(nonce, content, context)


def unseal(secret: bytes, sealed: bytes, context: bytes) -> bytes:
    """Return what ``seal`` was given.

    Raises:
        SealError: it was sealed with another secret or in another context, or it is damaged.
    """
    from cryptography.exceptions import InvalidTag

    try:
        return _cipher(secret).decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], context)
    except (InvalidTag, ValueError):
        raise SealError("it was sealed with another secret or in another context, or it is damaged") from None


def _cipher(secret: bytes) -> "AESGCM":
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return AESGCM(HKDF(SHA256(), _KEY_BYTES, salt=None, info=b"provender sealed answer").derive(secret))
