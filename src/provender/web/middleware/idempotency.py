"""A repeated POST to the API gets the first answer again and does nothing.

The caller names each deed with an ``Idempotency-Key`` of its own. The key, the deed and the answer are written in one
transaction, so there is never a deed without its answer or the other way round.

An answer may hold a secret that is shown once, such as a new token. So it is kept sealed under the secret of the
caller's own token, which is not kept here, and is given again only while that token is valid.
"""

import hashlib
from collections.abc import Callable
from typing import Final

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse

from provender.services.accounts.tokens import find_token
from provender.services.idempotency import Deed, GivenAnswer, answer_before, begin_deed, keep_answer
from provender.signing.hashes import sha256_hex
from provender.web.api.problems import no_token, problem_response
from provender.web.api.texts import HEADER, KEY, LONGEST
from provender.web.encryption import SealError, seal, unseal

PREFIX: Final = "/api/"
UPLOADS: Final = "/api/v1/files/upload"
"""The one call that takes files as a form sends them; only whoever shows a token gets that much read."""
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
        secret = request.headers.get("Authorization", "")
        if request.path_info == UPLOADS and find_token(secret.rpartition(" ")[2]) is None:
            return no_token()
        deed = Deed(sha256_hex(secret.encode()), key, _hash_of(request))
        try:
            with transaction.atomic():
                begin_deed(deed)
                return self._first(request, deed, secret)
        except IntegrityError:
            return _again(deed, secret)

    def _first(self, request: HttpRequest, deed: Deed, secret: str) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code >= OK:
            transaction.set_rollback(True)
            return response
        body = seal(secret.encode(), response.content, deed.context)
        keep_answer(deed, GivenAnswer(response.status_code, response.headers.get("Content-Type", ""), body))
        return response


def _hash_of(request: HttpRequest) -> str:
    """Return what tells a call from another under the same key.

    A body is taken into memory, up to the limit of the settings; a form with files is put aside on the disk by Django,
    and its files are hashed where they lie.
    """
    if request.path_info != UPLOADS or request.content_type != "multipart/form-data":
        return sha256_hex(request.get_full_path().encode() + b"\n" + request.body)
    whole = hashlib.sha256(request.get_full_path().encode())
    for name, files in sorted(request.FILES.lists()):
        for file in files:
            whole.update(f"\n{name}\n{file.name}\n{file.size}\n".encode())
            for chunk in file.chunks():
                whole.update(chunk)
            file.seek(0)
    return whole.hexdigest()


def _again(deed: Deed, secret: str) -> HttpResponse:
    if find_token(secret.rpartition(" ")[2]) is None:
        return no_token()
    given = answer_before(deed)
    if given is None:
        return problem_response(409, "This key was used for another request.", code="idempotency_key_reused")
    try:
        body = unseal(secret.encode(), given.body, deed.context)
    except SealError:
        detail = "This was done before, and its answer can no longer be read. Ask for what came of it."
        return problem_response(409, detail, code="answer_unreadable")
    response = HttpResponse(body, status=given.status, content_type=given.content_type)
    response.headers["Idempotent-Replay"] = "true"
    return response
