"""Files that mean harm, handed in wherever a file can be: refused in words or kept as bytes, never run, no crash."""

import io
import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from provender.database.models.accounts import Organisation, Person
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import Upload
from provender.demo.loading import load_demo
from provender.services.farm.files import store_upload
from provender.services.imports import steps
from provender.web import middleware
from tests.web.cast import Cast
from tests.web.demo_once import FARMS
from tests.web.replayed import replayed

# The example chain is loaded once: one worker runs all that begins with it.
pytestmark = pytest.mark.xdist_group("demo")

SCRIPT = b"<script>alert(document.domain)</script>"


def zipped(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


HOSTILE = {
    "page.html": b"<!doctype html>" + SCRIPT,
    "picture.svg": b"<svg xmlns='http://www.w3.org/2000/svg'>" + SCRIPT + b"</svg>",
    "style.xml": b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>",
    "both.pdf": b"%PDF-1.7\n" + SCRIPT,
    "photo.jpg": b"\xff\xd8\xff\xe0" + SCRIPT,
    "bomb.zip": zipped("a", b"\0" * 30_000_000),
    "bomb.xlsx": zipped("xl/workbook.xml", b"<a>" * 2_000_000),
    "climbs.zip": zipped("../../../tmp/outside", b"x"),
    "deep.json": b"[" * 100_000,
    "twice.json": b'{"document":{},"document":{"a":1}}',
    "huge.json": b'{"document":{"n":1e999999},"signature":"..."}',
    "half.json": b'{"document":{"a":"\\ud800"},"signature":"x"}',
    "nul.csv": b"farm_id,unit_id\0\n\0,\0\n" * 50,
    "formula.csv": b"unit_id\n=cmd|' /C calc'!A0\n",
    'a"; filename="b.html': SCRIPT,
    "line\r\nSet-Cookie: a=b.html": SCRIPT,
}
ANSWERS = (200, 302, 400, 409, 413, 422)
"""Read and shown, taken in, or refused; never lost on the way and never the server's own fault."""
PLACES = {
    "farm_imports": ("ada@farm.example", "farm-01", "files", ""),
    "farm_report_sign": ("ada@farm.example", "farm-01", "file", ""),
    "custody_receive": ("eli@elevator.example", "prairie-coop", "file", ""),
    "custody_tickets": ("eli@elevator.example", "prairie-coop", "file", ""),
    "custody_document": ("eli@elevator.example", "prairie-coop", "file", "?sale="),
}


@pytest.fixture
def kept_unread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Take files in without reading them: what reading does with them is asked of all at once elsewhere."""
    begun: list[str] = []
    monkeypatch.setattr(steps, "spawn", lambda module, _folder: begun.append(module))
    return begun


@pytest.fixture
def lines(db: None) -> list[str]:
    """Load the chain, smaller."""
    return replayed("demo", lambda: list(load_demo(FARMS)))


def address_of(view: str) -> tuple[Client, str, str]:
    email, handle, field, query = PLACES[view]
    client = Client()
    client.force_login(Person.objects.get(email=email))
    more = ("corn", 2025) if view == "farm_report_sign" else ()
    if query:
        query += CustodyEvent.objects.filter(type="sale", name__startswith="sale-").values_list("name", flat=True)[0]
    return client, reverse(view, args=(handle, *more)) + query, field


def test_no_file_makes_the_server_fail_or_answer_with_what_the_file_says(
    lines: list[str], kept_unread: list[str]
) -> None:
    for view in PLACES:
        client, address, field = address_of(view)
        for name, content in HOSTILE.items():
            answer = client.post(address, {field: SimpleUploadedFile(name, content, "text/html")})
            assert answer.status_code in ANSWERS, (view, name, answer.status_code)
            assert SCRIPT not in answer.content, (view, name)
            assert "Set-Cookie: a=b" not in str(answer.headers), (view, name)
    assert len(kept_unread) == len(HOSTILE)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_was_kept_comes_back_as_bytes_that_nothing_runs(name: str, cast: Cast) -> None:
    content = HOSTILE[name]
    upload = store_upload(cast.farm, name, content, actor=cast.actor("writer"))
    client = cast.client("reader")
    answer = client.get(reverse("stored_file", args=(cast.farm.handle, upload.handle)))
    assert b"".join(getattr(answer, "streaming_content", ())) == content
    assert answer.headers["Content-Type"] in (
        "application/octet-stream", "application/pdf", "image/jpeg", "application/zip",
    )  # fmt: skip
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert "\n" not in answer.headers["Content-Disposition"]
    assert not answer.cookies


@pytest.mark.usefixtures("kept_unread")
def test_a_request_above_the_limit_is_refused_before_it_is_read(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "MAX_MEBIBYTES", 1)
    client = cast.client("writer")
    address = reverse("farm_imports", args=(cast.farm.handle,))
    for size, status in ((2**20 + 1, 413), (2**19, 302)):
        body = {"files": SimpleUploadedFile("a.csv", b"x" * size)}
        assert client.post(address, body).status_code == status
    assert Upload.objects.filter(organisation=cast.farm, name="a.csv").count() == 1


def test_a_form_without_files_above_its_limit_and_too_many_files_are_413(cast: Cast, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    client = cast.client()
    assert client.post(reverse("account"), {"name": "x" * 2000}).status_code == 413
    address = reverse("farm_imports", args=(cast.farm.handle,))
    files = [SimpleUploadedFile(f"{number}.csv", b"x") for number in range(3)]
    assert client.post(address, {"files": files}).status_code == 413
    assert Organisation.objects.filter(handle=cast.farm.handle).exists()
