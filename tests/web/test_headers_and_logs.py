"""What every answer carries, what the log says, and what it never says."""

import gzip
import json
import logging
from typing import Final

import pytest
from django.http.response import ResponseHeaders
from django.test import Client
from django.urls import reverse

from provender.web.logs import FACTS, JsonLines
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


def test_pages_are_kept_by_no_cache_and_files_are(client: Client, cast: Cast) -> None:
    client.force_login(cast.person("owner"))
    assert "no-store" in client.get(reverse("home")).headers["Cache-Control"]
    assert "max-age=2592000" in headers_of(client, STYLE)["Cache-Control"]


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


def test_a_stored_file_is_a_download_that_runs_nothing(client: Client, cast: Cast) -> None:
    client.force_login(cast.person("reader"))
    answer = client.get(reverse("stored_file", args=(cast.farm.handle, cast.upload.handle)))
    assert b"".join(getattr(answer, "streaming_content", ())) == b"%PDF-1.7 ticket"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="ticket.pdf"'
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_a_request_is_logged_by_view_and_not_by_path(
    client: Client, cast: Cast, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "provender")
    answer = client.get(reverse("join", args=(cast.secret,)) + "?email=ada@example.org")
    client.post(reverse("account_login"), {"login": "owner@example.org", "password": PASSWORD})
    lines = [json.loads(JsonLines().format(record)) for record in caplog.records]
    first = next(line for line in lines if line.get("view") == "join")
    assert (first["method"], first["status"], first["request"]) == ("GET", 200, answer.headers["X-Request-ID"])
    everything = json.dumps(lines)
    assert all(private not in everything for private in (cast.secret, "example.org", PASSWORD, "127.0.0.1"))


def test_an_error_is_logged_by_type_and_place_and_not_by_message() -> None:
    try:
        int("ada@example.org")
    except ValueError as error:
        info = (type(error), error, error.__traceback__)
    record = logging.LogRecord("provender", logging.ERROR, "here.py", 1, "it broke", None, info)
    line = json.loads(JsonLines().format(record))
    assert (line["error"], line["event"]) == ("ValueError", "it broke")
    assert __file__ in line["frames"][0]
    assert "ada" not in json.dumps(line["frames"])


@pytest.mark.parametrize(
    "body",
    [
        {"csp-report": {"violated-directive": "script-src", "blocked-uri": "inline", "document-uri": "/join/secret"}},
        [{"type": "csp-violation", "body": {"effectiveDirective": "script-src", "documentURL": "/join/secret"}}],
    ],
)
def test_a_policy_report_is_logged_without_the_pages_address(
    client: Client, caplog: pytest.LogCaptureFixture, body: object
) -> None:
    assert client.post("/csp-report", json.dumps(body), content_type="application/csp-report").status_code == 204
    (record,) = [one for one in caplog.records if one.name == "provender.web.csp"]
    facts = getattr(record, FACTS)
    assert "script-src" in facts.values()
    assert "/join/secret" not in facts.values()


def test_health_says_what_is_wrong(client: Client, cast: Cast) -> None:
    from provender.database import guards

    assert client.get("/health").json()["status"] == "ok"
    guards.lift("default")
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["wrong"]) == (503, ["guards are missing"])
