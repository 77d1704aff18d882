"""Files that mean harm, handed in on the page: each ends in words for a person, never in an error of the server."""

import io
import json
import zipfile
from collections.abc import Callable
from random import Random
from typing import Final

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import reverse

from fuzz.files import csv_bytes, workbook_bytes
from fuzz.spoil import Spoiled
from provender.database.models.farm import Upload
from provender.database.store.record_books import rows_of
from provender.records.kind import KINDS
from provender.services.imports.steps import file_name
from provender.web.middleware import MAX_MEBIBYTES, MEBIBYTE, BodyLimit
from tests.web.cast import Cast
from tests.web.importing import file, hand_in, read_here, table, wait
from tests.web.test_hostile_uploads import HOSTILE as UPLOADED

__all__ = ["read_here"]

pytestmark = pytest.mark.usefixtures("read_here")

ROW = {"operation_id": "P1", "unit_id": "N40", "day": "2025-04-14", "operation": "Sprayer, kill crop"}


def bomb() -> bytes:
    """Return a small zip that unpacks to a large field."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("field.shp", b"\x00" * (300 * 2**20))
    return out.getvalue()


def spoiled(how: str) -> Spoiled:
    """Return an honest table whose file is to be spoiled."""
    kind = KINDS["operation"]
    lines = [line.split(",") for line in table("operation", ROW | {"operation": "Planting"}).splitlines()]
    return Spoiled(kind, lines, ["file"], how)


HOSTILE: Final[dict[str, Callable[[], bytes]]] = {
    "bomb.zip": bomb,
    "huge.xlsx": lambda: workbook_bytes(spoiled("zip_bomb"), Random(1)),
    "entities.xlsx": lambda: workbook_bytes(spoiled("entities"), Random(1)),
    "path.xlsx": lambda: workbook_bytes(spoiled("path_trick"), Random(1)),
    "cut.xlsx": lambda: workbook_bytes(spoiled("zip_cut"), Random(1)),
    "sheet.xlsx": lambda: workbook_bytes(spoiled("no_sheet_part"), Random(1)),
    "named.xlsx": lambda: workbook_bytes(spoiled("csv_named_xlsx"), Random(1)),
    "operation.csv": lambda: csv_bytes(spoiled("zip_named_csv"), Random(1)),
    "nul.csv": lambda: csv_bytes(spoiled("nul"), Random(1)),
    "quote.csv": lambda: csv_bytes(spoiled("open_quote"), Random(1)),
    "page.csv": lambda: csv_bytes(spoiled("html"), Random(1)),
    "heading.csv": lambda: b"operation_id,unit_id\n",
    "photo.jpg": lambda: b"\xff\xd8\xff\xe0" + b"\x00" * 64,
    "photo.heic": lambda: b"\x00\x00\x00\x18ftypheic" + b"\x00" * 64,
    "deep.geojson": lambda: b'{"type":"FeatureCollection","features":' + b"[" * 100_000,
    "world.geojson": lambda: json.dumps(
        {"type": "Polygon", "coordinates": [[[-1e308, 9e307], [1e308, 0], [0, "x"], [-1e308, 9e307]]]}
    ).encode(),
    "script.svg": lambda: b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "program": lambda: b"\x7fELF" + bytes(range(256)),
}


def test_hostile_files_are_each_told_and_change_nothing(cast: Cast) -> None:
    before = rows_of(cast.book)
    files = {name: make() for name, make in HOSTILE.items()} | UPLOADED
    begun = hand_in(cast, *(file(name, content) for name, content in files.items()))
    found = wait(begun)
    told = {problem.place.file for problem in found.problems} | {one.place.split(",")[0] for one in found.rejected}
    told |= {row.file for row in found.rows}
    handed_in = {file_name(upload.name) for upload in Upload.objects.filter(handle__in=begun.files)}
    assert len(handed_in) == len(files)
    assert handed_in <= told, handed_in - told
    given = cast.client().get(reverse("farm_import", args=(cast.farm.handle, begun.handle)))
    assert given.status_code == 200
    assert rows_of(cast.book) == before


def test_a_formula_in_a_cell_stays_text_on_the_page_and_in_what_is_saved(cast: Cast) -> None:
    begun = hand_in(cast, file("operation.csv", table("operation", ROW | {"note": "<script>=1+1"})))
    shown = cast.client().get(reverse("farm_import", args=(cast.farm.handle, begun.handle))).content.decode()
    assert "<script>=1+1" not in shown
    assert "&lt;script&gt;=1+1" in shown


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


def test_a_file_with_a_path_for_a_name_is_kept_under_its_hash(cast: Cast) -> None:
    begun = hand_in(cast, file("../../../etc/unit.csv", table("unit", {"unit_id": "N40"})))
    assert Upload.objects.get(handle=begun.files[0]).name == "unit.csv"


def test_an_empty_file_alone_is_refused_and_beside_others_told(cast: Cast) -> None:
    where = reverse("farm_imports", args=(cast.farm.handle,))
    client = cast.client()
    alone = client.post(where, {"files": [file("unit.csv", "")]})
    assert alone.status_code == 400
    both = client.post(where, {"files": [file("a.csv", ""), file("unit.csv", table("unit", {"unit_id": "N40"}))]})
    assert both.status_code == 302


@pytest.mark.parametrize(("more", "status"), [(-1, 200), (0, 200), (1, 413)])
def test_a_request_that_claims_to_be_huge_is_refused_before_it_is_read(more: int, status: int) -> None:
    claimed = MAX_MEBIBYTES * MEBIBYTE + more
    request = RequestFactory().post("/", b"x", content_type="text/plain", CONTENT_LENGTH=str(claimed))
    assert BodyLimit(lambda _: HttpResponse())(request).status_code == status


def test_too_many_files_are_refused_and_the_page_says_how_many_may_come(cast: Cast) -> None:
    where = reverse("farm_imports", args=(cast.farm.handle,))
    answer = cast.client().post(where, {"files": [file(f"{n}.csv", "x") for n in range(51)]})
    assert answer.status_code == 413
    assert "More than 50 files came at once" in answer.content.decode()
    assert "choose at most 50" in answer.content.decode()
