"""Files that mean harm, handed in wherever a file can be: told in words or kept as bytes, never run, no crash."""

import io
import json
import zipfile
from collections.abc import Callable
from random import Random
from typing import Final

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from fuzz.files import csv_bytes, workbook_bytes
from fuzz.spoil import Spoiled
from provender.database.models.farm import Upload, rows_of
from provender.formats.parsed import ColumnMap
from provender.records.kind import KINDS
from provender.services.custody.context import context_of
from provender.services.custody.ticket_files import LARGEST_MAP, NAMED, kept_maps
from provender.services.custody.tickets import TICKET
from provender.services.farm.files import store_upload
from provender.services.imports import job
from provender.services.imports.job import file_name
from provender.web.farm.pages.report import LARGEST_REPORT
from provender.web.middleware import MAX_MEBIBYTES, MEBIBYTE, BodyLimit
from tests.web.addresses import address
from tests.web.cast import Cast
from tests.web.custody_season import fill_custody, opened_mill
from tests.web.importing import file, hand_in, read_here, table, wait

__all__ = ["read_here"]
pytestmark = pytest.mark.usefixtures("read_here")

SCRIPT = b"<script>alert(document.domain)</script>"


def zip_of(name: str, content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return out.getvalue()


UPLOADED = {
    "page.html": b"<!doctype html>" + SCRIPT,
    "picture.svg": b"<svg xmlns='http://www.w3.org/2000/svg'>" + SCRIPT + b"</svg>",
    "style.xml": b"<?xml version='1.0'?><!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><x>&a;</x>",
    "both.pdf": b"%PDF-1.7\n" + SCRIPT,
    "photo.jpg": b"\xff\xd8\xff\xe0" + SCRIPT,
    "bomb.zip": zip_of("a", b"\0" * 30_000_000),
    "bomb.xlsx": zip_of("xl/workbook.xml", b"<a>" * 2_000_000),
    "climbs.zip": zip_of("../../../tmp/outside", b"x"),
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
    "farm_imports": "files", "farm_report_sign": "file", "custody_receive": "file", "custody_tickets": "file",
    "custody_document": "file",
}  # fmt: skip
"""Where a file can be handed in, and the field that takes it."""


@pytest.fixture
def kept_unread(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Take files in without reading them: what reading does with them is asked of all at once elsewhere."""
    begun: list[str] = []
    monkeypatch.setattr(job, "spawn", lambda module, _folder, **_: begun.append(module))
    monkeypatch.setattr(job, "MOST_AT_WORK", len(UPLOADED))
    return begun


@pytest.mark.slow
@pytest.mark.usefixtures("parsed_here")
def test_no_file_makes_the_server_fail_or_answer_with_what_the_file_says(season: Cast, kept_unread: list[str]) -> None:
    client, sale = season.client(), fill_custody(season).sale
    for view, field in PLACES.items():
        where = address(view, season) + (f"?sale={sale}" if view == "custody_document" else "")
        for name, content in UPLOADED.items():
            answer = client.post(where, {field: SimpleUploadedFile(name, content, "text/html")})
            assert answer.status_code in ANSWERS, (view, name, answer.status_code)
            assert SCRIPT not in answer.content, (view, name)
            assert "Set-Cookie: a=b" not in str(answer.headers), (view, name)
    assert len(kept_unread) == len(UPLOADED)


def test_what_was_kept_comes_back_as_bytes_that_nothing_runs(cast: Cast) -> None:
    for name, content in UPLOADED.items():
        upload = store_upload(cast.farm, name, content, actor=cast.actor("writer"))
        answer = cast.client("reader").get(reverse("stored_file", args=(cast.farm.handle, upload.handle)))
        assert b"".join(getattr(answer, "streaming_content", ())) == content
        assert answer.headers["Content-Type"] in (
            "application/octet-stream", "application/pdf", "image/jpeg", "application/zip",
        )  # fmt: skip
        assert answer.headers["Content-Disposition"].startswith("attachment;")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert "\n" not in answer.headers["Content-Disposition"]
        assert not answer.cookies


ROW = {"operation_id": "P1", "unit_id": "N40", "day": "2025-04-14", "operation": "Sprayer, kill crop"}


def spoiled(how: str) -> Spoiled:
    """Return an honest table whose file is to be spoiled."""
    kind = KINDS["operation"]
    lines = [line.split(",") for line in table("operation", ROW | {"operation": "Planting"}).splitlines()]
    return Spoiled(kind, lines, ["file"], how)


HOSTILE: Final[dict[str, Callable[[], bytes]]] = {
    "huge.xlsx": lambda: workbook_bytes(spoiled("zip_bomb"), Random(1)),
    "entities.xlsx": lambda: workbook_bytes(spoiled("entities"), Random(1)),
    "path.xlsx": lambda: workbook_bytes(spoiled("path_trick"), Random(1)),
    "cut.xlsx": lambda: workbook_bytes(spoiled("zip_cut"), Random(1)),
    "sheet.xlsx": lambda: workbook_bytes(spoiled("no_sheet_part"), Random(1)),
    "named.xlsx": lambda: workbook_bytes(spoiled("csv_named_xlsx"), Random(1)),
    "operation.csv": lambda: csv_bytes(spoiled("zip_named_csv"), Random(1)),
    "quote.csv": lambda: csv_bytes(spoiled("open_quote"), Random(1)),
    "page.csv": lambda: csv_bytes(spoiled("html"), Random(1)),
    "heading.csv": lambda: b"operation_id,unit_id\n",
    "photo.heic": lambda: b"\x00\x00\x00\x18ftypheic" + b"\x00" * 64,
    "deep.geojson": lambda: b'{"type":"FeatureCollection","features":' + b"[" * 100_000,
    "world.geojson": lambda: json.dumps(
        {"type": "Polygon", "coordinates": [[[-1e308, 9e307], [1e308, 0], [0, "x"], [-1e308, 9e307]]]}
    ).encode(),
    "program": lambda: b"\x7fELF" + bytes(range(256)),
}


@pytest.mark.slow
def test_hostile_files_are_each_told_and_change_nothing(cast: Cast) -> None:
    before = rows_of(cast.book)
    files = {name: make() for name, make in HOSTILE.items()} | UPLOADED
    begun = hand_in(cast, *(file(name, content) for name, content in files.items()))
    found = wait(begun)
    told = {one.place.file for one in found.problems}
    told |= {one.place.file for one in found.rejected} | {one.place.file for one in found.rows}
    handed_in = {file_name(upload.name) for upload in Upload.objects.filter(handle__in=begun.files)}
    assert len(handed_in) == len(files)
    assert handed_in <= told, handed_in - told
    given = cast.client().get(reverse("farm_import", args=(cast.farm.handle, begun.handle)))
    assert given.status_code == 200
    assert rows_of(cast.book) == before


def test_a_formula_and_a_path_for_a_name_stay_text(cast: Cast) -> None:
    begun = hand_in(cast, file("operation.csv", table("operation", ROW | {"note": "<script>=1+1"})))
    shown = cast.client().get(reverse("farm_import", args=(cast.farm.handle, begun.handle))).content.decode()
    assert "<script>=1+1" not in shown
    assert "&lt;script&gt;=1+1" in shown
    begun = hand_in(cast, file("../../../etc/unit.csv", table("unit", {"unit_id": "N40"})))
    assert Upload.objects.get(handle=begun.files[0]).name == "unit.csv"


@pytest.mark.parametrize(
    "name", ["", "..", "../../etc/passwd", "a\x00b.csv", "é" * 300 + ".csv", ".hidden", "con/aux.csv"]
)
def test_whatever_a_file_is_called_its_name_is_one_of_a_plain_file(name: str) -> None:
    safe = file_name(name)
    assert safe
    assert "/" not in safe
    assert "\0" not in safe
    assert not safe.startswith(".")
    assert len(safe.encode()) <= 160


def test_forms_above_their_limit_are_413_and_an_empty_file_refused(cast: Cast, settings: Settings) -> None:
    where = reverse("farm_imports", args=(cast.farm.handle,))
    client = cast.client()
    alone = client.post(where, {"files": [file("unit.csv", "")]})
    assert alone.status_code == 400
    both = client.post(where, {"files": [file("a.csv", ""), file("unit.csv", table("unit", {"unit_id": "N40"}))]})
    assert both.status_code == 302
    answer = cast.client().post(where, {"files": [file(f"{n}.csv", "x") for n in range(51)]})
    assert answer.status_code == 413
    assert "More than 50 files came at once" in answer.content.decode()
    assert "choose at most 50" in answer.content.decode()
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    assert cast.client().post(reverse("account"), {"name": "x" * 2000}).status_code == 413


@pytest.mark.parametrize(("more", "status"), [(-1, 200), (0, 200), (1, 413)])
def test_a_request_that_claims_to_be_huge_is_refused_before_it_is_read(more: int, status: int) -> None:
    claimed = MAX_MEBIBYTES * MEBIBYTE + more
    request = RequestFactory().post("/", b"x", content_type="text/plain", CONTENT_LENGTH=str(claimed))
    assert BodyLimit(lambda _: HttpResponse())(request).status_code == status


@pytest.mark.parametrize("more", [0, 1])
def test_a_signed_report_is_read_up_to_a_size_that_the_memory_of_the_server_bears(season: Cast, more: int) -> None:
    content = b"{}".ljust(LARGEST_REPORT + more)
    answer = season.client().post(address("farm_report", season), {"file": SimpleUploadedFile("a.json", content)})
    assert answer.context["form"].errors, "it is no report either way"
    assert ("at most 8,388,608 are read" in answer.content.decode()) is bool(more)


def test_a_large_file_that_is_called_a_map_of_tickets_is_not_read_as_one(cast: Cast) -> None:
    opened_mill(cast)
    desk = context_of(cast.mill, actor=cast.actor("owner"), today=timezone.localdate())
    assert desk is not None
    text = ColumnMap("made up", TICKET, confirmed=True).to_text().encode()
    for more, found in ((1, 0), (0, 1)):
        store_upload(cast.mill, f"{NAMED}{more}.json", text.ljust(LARGEST_MAP + more), actor=cast.actor("owner"))
        assert len(kept_maps(desk)) == found, more
