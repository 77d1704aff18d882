"""Whoever has not signed in can neither fill the server with bodies nor keep the owner out of the account."""

import socket

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from provender.web.middleware import LARGEST, Strangers
from tests.web.cast import PASSWORD, Cast


def asked(path: str = "/account/login/", *, size: int | str = 10, line: socket.socket | None = None) -> HttpRequest:
    request = RequestFactory().post(path, b"x", content_type="text/plain")
    request.META |= {"CONTENT_LENGTH": str(size), "gunicorn.socket": line}
    request.user = AnonymousUser()
    return request


def well(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("read")


def test_a_stranger_who_sends_byte_by_byte_is_hung_up_on_and_others_are_answered_meanwhile() -> None:
    ours, theirs = socket.socketpair()
    others: list[int] = []

    def read(_request: HttpRequest) -> HttpResponse:
        others.append(limits(asked(size=0)).status_code)
        got = b""
        while piece := ours.recv(100):  # what never ends without the deadline
            got += piece
        return HttpResponse(got)

    limits = Strangers(read)
    limits.seconds = 0.05
    limits.get_response = lambda request: read(request) if request.META["gunicorn.socket"] else well(request)
    theirs.send(b"slow")
    assert limits(asked(line=ours)).content == b"slow"
    assert others == [200]
    for end in (ours, theirs):
        end.close()


def test_strangers_never_hold_every_thread() -> None:
    answers: list[int] = []

    def hold(_request: HttpRequest) -> HttpResponse:
        """Come again while the ones before are still being read."""
        answers.append(limits(asked()).status_code)
        return HttpResponse()

    limits = Strangers(hold)
    assert limits(asked()).status_code == 200
    assert answers == [503, 200, 200, 200], "the innermost, a fifth, finds half of eight threads taken"
    limits.get_response = well
    assert limits(asked()).status_code == 200, "and every seat is free again"


@pytest.mark.django_db
def test_what_a_stranger_sends_is_refused_by_its_size_before_it_is_read(cast: Cast) -> None:
    large = b"x" * (LARGEST + 1)
    refused = Client().post("/account/login/", large, content_type="text/plain")
    assert (refused.status_code, "Sign in first" in refused.content.decode()) == (413, True)
    headers = {"idempotency-key": "k", "authorization": "Bearer nobody"}
    called = Client().post("/api/v1/invitations", large, content_type="application/json", headers=headers)
    assert (called.status_code, called.headers["Content-Type"]) == (413, "application/problem+json")
    headers["authorization"] = f"Bearer {cast.token_secret}"
    assert Client().post("/api/v1/invitations", large, "application/json", headers=headers).status_code in (400, 422)
    assert cast.client().post(reverse("account"), large, content_type="text/plain").status_code == 200


@pytest.mark.django_db
def test_tries_from_elsewhere_do_not_lock_a_device_that_has_signed_in_before(cast: Cast, settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {}
    cache.clear()
    mine, stranger, where = Client(), Client(), reverse("account_login")
    right = {"login": "owner@example.org", "password": PASSWORD}
    assert mine.post(where, right).status_code == 302
    mine.post(reverse("account_logout"))
    for _ in range(40):
        stranger.post(where, {**right, "password": "wrong password"})
    assert stranger.post(where, right).status_code in (200, 429), "the stranger's door is closed"
    assert mine.post(where, right).status_code == 302, "and mine is open"
    mine.post(reverse("account_logout"))
    other = {"login": "writer@example.org", "password": PASSWORD}
    for _ in range(12):
        mine.post(where, {**right, "password": "wrong password"})
    assert mine.post(where, right).status_code in (200, 429), "a device that guesses closes its own"
    assert Client(REMOTE_ADDR="10.0.0.9").post(where, other).status_code == 302
    cache.clear()
