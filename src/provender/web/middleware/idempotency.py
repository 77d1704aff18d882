"""A repeated POST to the API gets the first answer again and does nothing.

The caller names each deed with an ``Idempotency-Key`` of its own. The key, the deed and the answer are written in one
transaction, so there is never a deed without its answer or the other way round.
"""

from collections.abc import Callable
from typing import Final

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from provender.database.models import IdempotentAnswer
from provender.signing.hashes import sha256_hex
from provender.web.api.idempotency_key import HEADER, KEY, LONGEST
from provender.web.api.problems import problem_response

PREFIX: Final = "/api/"
OK: Final = 400
"""Answers below this status are kept; a refusal wrote nothing, so the caller may try again."""


class Idempotency:
    """Keeps the answers to POSTs that carry a key, and asks for one where there is none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or repeat the answer."""
        if request.method != "POST" or not request.path_info.startswith(PREFIX):
            return self.get_response(request)
        key = request.headers.get(HEADER, "")
        if KEY.fullmatch(key) is None:
            detail = f"Send the header {HEADER} with a new value of 1 to {LONGEST} visible characters for each deed."
            return problem_response(400, detail, code="idempotency_key")
        caller = sha256_hex(request.headers.get("Authorization", "").encode())
        request_hash = sha256_hex(request.get_full_path().encode() + b"\n" + request.body)
        try:
            with transaction.atomic():
                kept = IdempotentAnswer.objects.create(caller=caller, key=key, request_hash=request_hash)
                return self._first(request, kept)
        except IntegrityError:
            return _again(caller, key, request_hash)

    def _first(self, request: HttpRequest, kept: IdempotentAnswer) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code >= OK:
            transaction.set_rollback(True)
            return response
        kept.status, kept.body = response.status_code, response.content
        kept.content_type = response.headers.get("Content-Type", "")
        kept.save()
        return response


def _again(caller: str, key: str, request_hash: str) -> HttpResponse:
    kept = IdempotentAnswer.objects.get(caller=caller, key=key)
    if kept.request_hash != request_hash:
        return problem_response(409, "This key was used for another request.", code="idempotency_key_reused")
    response = HttpResponse(bytes(kept.body), status=kept.status, content_type=kept.content_type)
    response.headers["Idempotent-Replay"] = "true"
    return response
