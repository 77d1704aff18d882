"""What every answer carries and the log says; strangers and those who wait for a lock are told, and fill nothing."""

import gzip
import json
import logging
import sqlite3
from collections.abc import Iterator
from typing import Final

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.http.response import ResponseHeaders
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings

from provender.database.address import BUSY_SECONDS
from provender.database.models.accounts import IdempotentAnswer, Invitation, LogRow, Person
from provender.web import gunicorn_settings
from provender.web.environment import ASKS, STRANGERS_BYTES, WANTED
from provender.web.logs import FACTS, JsonLines
from provender.web.middleware import BodyLimit, Strangers
from tests.web.cast import PASSWORD, Cast

STYLE: Final = "/static/provender/provender.css"


@pytest.fixture
def client() -> Client:
    return Client()


def headers_of(client: Client, path: str) -> ResponseHeaders:
    answer = client.get(path)
    b"".join(getattr(answer, "streaming_content", ()))  # reading to the end closes the file
    return answer.headers


def test_every_answer_has_a_policy_without_inline_or_eval(client: Client, db: None) -> None:
    for path in (reverse("account_login"), "/nowhere", STYLE, "/api/v1/openapi.json"):
        headers = headers_of(client, path)
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"


def test_no_cache_keeps_pages_and_requests_are_logged(
    client: Client, cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    client.force_login(cast.person("owner"))
    assert "no-store" in client.get(reverse("home")).headers["Cache-Control"]
    assert "max-age=2592000" in headers_of(client, STYLE)["Cache-Control"]
    from provender.database import guards

    assert client.get("/health").json()["status"] == "ok"
    guards.lift("default")
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["wrong"]) == (503, ["guards are missing"])
    caplog.set_level(logging.INFO, "provender")
    answer = client.get(reverse("join", args=(cast.secret,)) + "?email=ada@example.org")
    client.post(reverse("account_login"), {"login": "owner@example.org", "password": PASSWORD})
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    first = next(line for line in lines if line.get("view") == "join")
    assert (first["method"], first["status"], first["request"]) == ("GET", 200, answer.headers["X-Request-ID"])
    everything = json.dumps(lines)
    assert all(private not in everything for private in (cast.secret, "example.org", PASSWORD, "127.0.0.1"))


def test_pages_travel_compressed_and_files_as_they_are(client: Client, cast: Cast) -> None:
    client.force_login(cast.person("owner"))
    reads = {"accept-encoding": "gzip, br"}
    page = client.get(reverse("farm", args=(cast.farm.handle,)), headers=reads)
    assert page.headers["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in page.headers["Vary"]
    plain = client.get(reverse("farm", args=(cast.farm.handle,)))
    assert "Content-Encoding" not in plain.headers
    assert 3 * len(page.content) < len(plain.content)
    assert gzip.decompress(page.content).decode().count("<h1") == plain.content.decode().count("<h1") == 1
    file = client.get(reverse("stored_file", args=(cast.farm.handle, cast.upload.handle)), headers=reads)
    assert b"".join(getattr(file, "streaming_content", ())) == b"%PDF-1.7 ticket"


def test_an_error_is_logged_by_type_and_gunicorn_gives_a_request_longer_than_a_writer() -> None:
    try:
        int("ada@example.org")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("provender", logging.ERROR, "here.py", 1, "it broke", None, info)
    line = json.loads(JsonLines().format(record))
    assert (line["error"], line["event"]) == ("ValueError", "it broke")
    assert __file__ in line["frames"][0]
    assert "ada" not in json.dumps(line["frames"])
    record = logging.LogRecord("waitress", logging.ERROR, "here.py", 1, "Exception while serving /join/ada", None, None)
    assert "ada" not in JsonLines().format(record)
    assert gunicorn_settings.timeout > BUSY_SECONDS


@pytest.mark.parametrize(
    "body",
    [
        {"csp-report": {"violated-directive": "script-src", "blocked-uri": "inline", "document-uri": "/join/secret"}},
        [{"type": "csp-violation", "body": {"effectiveDirective": "script-src", "documentURL": "/join/secret"}}],
    ],
)
def test_a_policy_report_hides_the_address(client: Client, caplog: pytest.LogCaptureFixture, body: object) -> None:
    assert client.post("/csp-report", json.dumps(body), content_type="application/csp-report").status_code == 204
    (record,) = [one for one in caplog.records if one.name == "provender.web.csp"]
    facts = getattr(record, FACTS)
    assert "script-src" in facts.values()
    assert "/join/secret" not in facts.values()


def test_nothing_that_a_caller_wrote_stands_in_the_log(
    client: Client, db: None, caplog: pytest.LogCaptureFixture
) -> None:
    marks = {"Host": "host-mark.example", "User-Agent": "agent-mark", "X-Forwarded-For": "for-mark"}
    client.get("/path-mark?query-mark", headers=marks)
    client.get("/account/login/", headers={"Host": "bad_host-mark;"})
    client.generic("METHOD-MARK", "/account/login/")
    client.post("/account/login/", {"login": "name-mark@example.org", "password": "x"}, REMOTE_ADDR="203.0.113.77")
    client.post("/api/v1/path-mark", b"{body-mark", "application/json", headers={"Authorization": "Bearer token-mark"})
    report = {
        "body": {"effectiveDirective": "rule-mark", "blockedURL": "https://mark.example", "disposition": ["mark"]}
    }
    client.post("/csp-report", json.dumps([report] * 2), content_type="application/reports+json")
    for name in ("django.request", "django.security.csrf", "a.library"):
        logging.getLogger(name).warning("Said by %s: %s", "mark", "mark")
        logging.getLogger(name).warning(f"Said at once: {'mark'}")  # noqa: G004 - as libraries do
    lines = [JsonLines().format(record) for record in caplog.records]
    assert len(lines) > 8
    assert not [line for line in lines if "mark" in line.lower() or "203.0.113" in line]


def asked(**more: object) -> HttpRequest:
    request = RequestFactory().post("/account/login/", b"x", content_type="text/plain")
    request.META |= more
    request.user = AnonymousUser()
    return request


def well(_request: HttpRequest) -> HttpResponse:
    return HttpResponse("read")


def test_the_server_is_told_which_bodies_to_read_and_that_chunks_are_none() -> None:
    assert Strangers(well)(asked(CONTENT_LENGTH=str(STRANGERS_BYTES + 1), **{ASKS: True})).status_code == 413
    known = asked(CONTENT_LENGTH=str(STRANGERS_BYTES + 1), **{ASKS: True})
    known.user = Person()
    assert (Strangers(well)(known).status_code, Strangers(well)(asked()).content) == (WANTED, b"read")
    assert BodyLimit(well)(asked(HTTP_TRANSFER_ENCODING="chunked", CONTENT_LENGTH="")).status_code == 411


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
    large = b"x" * (STRANGERS_BYTES + 1)
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


@pytest.fixture
def waiting(transactional_db: None, cast: Cast) -> Iterator[Client]:
    """Sign the owner in, then hold the write lock of SQLite and let nobody wait long for it."""
    client = Client(raise_request_exception=False)
    client.force_login(cast.person("owner"))
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=20")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield client
    other.execute("ROLLBACK")
    other.close()
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")


def test_page_and_api_answer_503_and_nothing_is_written(waiting: Client, cast: Cast) -> None:
    def counts() -> list[int]:
        return [model.objects.count() for model in (Invitation, IdempotentAnswer, LogRow)]

    before = counts()
    said = {"label": "Bo", "right": "read"}
    headers = {"authorization": f"Bearer {cast.token_secret}", "idempotency-key": "k"}
    called = waiting.post("/api/v1/invitations", said, "application/json", headers=headers)
    assert (called.status_code, called.headers["Content-Type"]) == (503, "application/problem+json")
    assert called.json()["type"] == "urn:provender:problem:busy"
    shown = waiting.post(reverse("members", args=(cast.farm.handle,)), said)
    assert (shown.status_code, "was written" in shown.content.decode()) == (503, True)
    assert {one.headers["Retry-After"] for one in (called, shown)} == {"10"}
    assert counts() == before
