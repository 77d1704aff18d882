"""Refusals in the form of RFC 9457: type, title, status, detail, and our problems one by one."""

import logging
import pathlib
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Annotated, Any, Final, cast

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import OperationalError, connection
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from ninja import NinjaAPI, Path, Schema
from ninja.errors import AuthenticationError, AuthorizationError, HttpError, ValidationError
from ninja.security import HttpBearer
from pydantic import Field

from provender.database.actor import day_at
from provender.database.choices import Scope
from provender.problem import Place as ProblemPlace
from provender.problem import Problem, ProblemsError
from provender.services.accounts.tokens import TokenHolder, check_gives, check_hands_on, holder_of
from provender.services.audits.audits import open_to
from provender.services.idempotency import note_right
from provender.services.refused import MissingError
from provender.signing.canonical import canonical_json
from provender.whole_file import is_full

_LOGGER = logging.getLogger("provender.web.api")
MEDIA_TYPE: Final = "application/problem+json"
_TITLES: Final = {
    400: "The request cannot be read",
    401: "No valid token",
    403: "The token may not do this",
    404: "Not found",
    409: "Refused",
    411: "Length needed",
    413: "Too large",
    422: "The request does not fit",
    429: "Too many requests",
    500: "Something broke on our side",
    503: "Busy",
    507: "No space left",
}


class OneProblem(Schema):
    """One thing to fix: where, why, what to do, which paragraph."""

    at: str
    cause: str
    remedy: str
    cite: str = ""
    code: str = ""


class ProblemDocument(Schema):
    """RFC 9457."""

    type: str
    title: str
    status: int
    detail: str
    problems: list[OneProblem] = []


DONE_BEFORE: Final = 208
"""Of a deed that was done before, by somebody who may ask for it: the answer kept is put in place of this one."""
REFUSALS: Final = {400: ProblemDocument, **dict.fromkeys((401, 403, 404, 409, 413, 422, 503, 507))}
"""What every call may answer besides what it is for."""


def problem_response(status: int, detail: str, *, code: str = "", problems: Iterable[OneProblem] = ()) -> HttpResponse:
    """Build an answer in the form of RFC 9457."""
    document = ProblemDocument(
        type=f"urn:provender:problem:{code or status}",
        title=_TITLES.get(status, "Refused"),
        status=status,
        detail=detail,
        problems=list(problems),
    )
    return HttpResponse(canonical_json(document.model_dump()), status=status, content_type=MEDIA_TYPE)


def is_call(request: HttpRequest) -> bool:
    """Tell whether a program asks, which gets problems instead of pages."""
    return request.path_info.startswith("/api/")


def refused_answer(request: HttpRequest, problem: Problem, status: int) -> HttpResponse:
    """Answer a request that is refused before any page or call sees it: as a problem to a program, else as a page."""
    if is_call(request):
        return problem_response(status, f"{problem.cause} {problem.remedy}", code=problem.code)
    return render(request, "errors/refused.html", {"problems": [problem]}, status=status)


def busy_answer(request: HttpRequest) -> HttpResponse:
    """Answer that the server is busy, to a program or as a page."""
    if is_call(request):
        return _busy_problem()
    response = render(request, "errors/busy.html", status=_BUSY)
    response.headers["Retry-After"] = str(_AGAIN_SECONDS)
    return response


def _busy_problem() -> HttpResponse:
    """Build the answer to a call that could not be written, since others wrote for too long."""
    detail = "Others are writing just now. Nothing was written: send the same call with the same key again."
    response = problem_response(_BUSY, detail, code="busy")
    response.headers["Retry-After"] = str(_AGAIN_SECONDS)
    return response


def _refused(_request: HttpRequest, error: ProblemsError) -> HttpResponse:
    first = error.problems[0]
    problems = map(one_problem, error.problems)
    return problem_response(409, f"{first.cause} {first.remedy}", code=first.code, problems=problems)


def one_problem(one: Problem) -> OneProblem:
    """Return a problem as a document of RFC 9457 lists it."""
    return OneProblem(at=str(one.place), cause=one.cause, remedy=one.remedy, cite=one.cite, code=one.code)


def _misfit(_request: HttpRequest, error: ValidationError) -> HttpResponse:
    problems = [
        OneProblem(
            at=".".join(str(part) for part in one.get("loc", ())),
            cause=str(one.get("msg", "does not fit")),
            remedy="Compare it with the description at /api/v1/openapi.json.",
            code=str(one.get("type", "")),
        )
        for one in error.errors
    ]
    return problem_response(422, "The request does not fit its description.", code="misfit", problems=problems)


def _not_found(_request: HttpRequest, _error: Exception) -> HttpResponse:
    return problem_response(404, "There is nothing here for this token.", code="not_found")


def _denied(_request: HttpRequest, error: PermissionDenied) -> HttpResponse:
    return problem_response(403, str(error) or "You may not do this here.", code="not_permitted")


def no_token() -> HttpResponse:
    """Build the answer to a call without a token that opens something today."""
    response = problem_response(401, "Send `Authorization: Bearer` and a token that is valid today.", code="no_token")
    response.headers["WWW-Authenticate"] = 'Bearer realm="provender"'
    return response


def _broken(request: HttpRequest, error: Exception) -> HttpResponse:
    if is_busy(error):
        return _busy_problem()
    if is_full(error):
        return full_answer(request)
    _LOGGER.error("call failed", exc_info=error)
    return problem_response(500, "The fault is on our side, and whoever runs this server finds it in the log.")


def register(api: NinjaAPI) -> None:
    """Teach an API to refuse in this form."""
    handlers: tuple[tuple[Any, Any], ...] = (
        (ProblemsError, _refused),
        (ValidationError, _misfit),
        (AuthenticationError, lambda _request, _error: no_token()),
        (HttpError, lambda _request, error: problem_response(error.status_code, str(error))),
        (Http404, _not_found),
        (MissingError, _not_found),
        (PermissionDenied, _denied),
        (DoneBeforeError, lambda _request, _error: HttpResponse(status=DONE_BEFORE)),
        (Exception, _broken),
    )
    for error, handler in handlers:
        api.add_exception_handler(error, handler)


_BUSY: Final = 503
_AGAIN_SECONDS: Final = 10
"""After how long a program may try again."""
_WORDS: Final = ("database is locked", "database table is locked", "lock timeout", "deadlock detected")


def is_busy(error: BaseException | None) -> bool:
    """Tell whether a database gave up waiting for another writer."""
    return isinstance(error, OperationalError) and any(words in str(error) for words in _WORDS)


FULL: Final = 507
_NO_SPACE: Final = Problem(
    ProblemPlace("server"),
    "The server has no disk space left, so this was not stored; nothing is half stored.",
    "Ask whoever runs the server to free space, then send it again.",
    code="no_space",
)
FOUND_FULL: Final = "found-full"
"""A file beside the uploads, as old as the last write of another disk, PostgreSQL's, that found no space there."""


def full_answer(request: HttpRequest) -> HttpResponse:
    """Answer that there is no space; ``/health`` tells it of the disk of a database too, which nobody here looks at."""
    if connection.vendor == "postgresql":
        with suppress(OSError):
            mark = pathlib.Path(settings.UPLOAD_FOLDER, FOUND_FULL)
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
    return refused_answer(request, _NO_SPACE, FULL)


# Tokens of the API. A call names the scope it needs; the token opens one organisation.
#
# A token does at most what its maker may do in the organisation today: when the maker leaves, so does the token.


class Caller(TokenHolder):
    """A program that showed a valid token, and what some calls ask of it besides."""

    __slots__ = ()

    def require_signer(self) -> None:
        """Let only tokens through whose maker may sign for the organization: never a consultant's (2100.031).

        Raises:
            AuthorizationError: the maker may not.
        """
        if not self.access.may_sign:
            raise AuthorizationError(message="Whoever made this token may not sign for the organization.")
        note_right("sign")

    def require_manager(self) -> None:
        """Let only tokens through whose maker manages the organization today.

        Raises:
            AuthorizationError: the maker does not, or no longer.
        """
        if not self.access.may_manage:
            raise AuthorizationError(message="Whoever made this token does not manage the organization.")
        note_right("manage")

    def check_rights(self, rights: Iterable[str]) -> None:
        """Let only tokens through that could do today what was done by these rights (``note_right``).

        Raises:
            AuthorizationError: the token or its maker could not.
            PermissionDenied: a party lets the verifier in no longer.
            RefusedError: the token may not give a right any more.
        """
        for kind, _, what in (right.partition(":") for right in rights):
            if kind == "sign":
                self.require_signer()
            elif kind == "manage":
                self.require_manager()
            elif kind == "gives":
                check_gives(self.token, what)
            elif kind == "hands":
                check_hands_on(self.token, set(what.split()), self.token.expires_on)
            elif not open_to(self.organisation, [what], day_at(self.organisation)):
                raise PermissionDenied("The party does not let you read today.")


REPEATED: Final = "rights_of_deed"
"""The attribute of a request that asks for a deed that was done, with its rights: who asks is looked at anew."""


class DoneBeforeError(Exception):
    """A deed was asked for again, by somebody who may ask for it today: nothing is done."""


class Needs(HttpBearer):
    """Lets in a token that has a scope, and whose maker may do the same on the pages.

    ``others`` are scopes that do as well.
    """

    def __init__(self, scope: Scope, *others: Scope) -> None:
        super().__init__()
        self.scopes = (scope, *others)

    def authenticate(self, request: HttpRequest, token: str) -> Caller | None:
        """Find the caller, or None for no valid token.

        Raises:
            AuthorizationError: the token has not the scope, or its maker not the right.
        """
        try:
            found = holder_of(token, self.scopes)
        except PermissionDenied as refused:
            raise AuthorizationError(message=str(refused)) from None
        if found is None:
            return None
        caller, rights = Caller(found.token, found.membership), getattr(request, REPEATED, None)
        if rights is not None:
            caller.check_rights(rights)
            raise DoneBeforeError
        return caller


RECORDS_READ: Final = Needs(Scope.RECORDS_READ)
RECORDS_WRITE: Final = Needs(Scope.RECORDS_WRITE)
FILES_WRITE: Final = Needs(Scope.RECORDS_WRITE, Scope.CUSTODY_WRITE)


def caller_of(request: HttpRequest) -> Caller:
    """Return who calls, inside a call that ``Needs`` let in."""
    return cast("Caller", request.auth)  # type: ignore[attr-defined]  # ninja sets it


# What a caller may send: texts, codes, and the header that names one deed.

OneLine = Annotated[
    str, Field(min_length=1, max_length=120, pattern=r"^[^\x00-\x1f\x7f]+$", description="One line of text.")
]
"""A name or label: no control characters, which PostgreSQL would refuse and a list would show wrongly."""

Handle = Annotated[str, Path(min_length=1, max_length=60, pattern=r"^[A-Za-z0-9_-]+$")]
"""A code in an address that names one thing of the organization."""

Id = Annotated[int, Path(ge=1, le=2**63 - 1)]
"""The number in an address that names one thing of the organization."""

Code = Annotated[str, Field(max_length=24, pattern=r"^[A-Za-z0-9 -]*$", description="Code of an organization here.")]
"""As people write it: case, blanks and hyphens aside."""


HEADER: Final = "Idempotency-Key"
LONGEST: Final = 100
KEY: Final = re.compile(rf"[!-~]{{1,{LONGEST}}}")
"""Visible ASCII characters."""
