"""Files are kept under their hash, within limits; one of the name of another stands beside it and takes no place."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from provender.database.models.farm import rows_of
from provender.records.book import FarmRows, RecordBook
from provender.records.folder import EVIDENCE, load_book
from provender.records.kind import KINDS
from provender.services.audits.packages import write_farm
from provender.services.farm import files
from provender.services.farm.book import READ_BEFORE, Edit, change_book, latest, texts_of
from provender.services.farm.boundaries import bound_files, kept_files
from provender.services.farm.folder import FARM, FILE
from provender.services.refused import RefusedError
from provender.standards.evidence import Fault, evidence_by_name
from tests.web.cast import Cast

Door = Callable[[Cast, bytes], str]
NAME = "stand.jpg"


def by_upload(cast: Cast, content: bytes) -> str:
    return files.store_upload(cast.farm, NAME, content, actor=cast.actor("writer")).sha256


def by_many(cast: Cast, content: bytes) -> str:
    (made,), problems = files.store_uploads(cast.farm, [SimpleUploadedFile(NAME, content)], actor=cast.actor("writer"))
    assert problems == []
    return made.sha256


def name_it(cast: Cast, sha256: str = "", **more: str) -> None:
    """Write a row of evidence that names the file."""
    kind = KINDS["evidence"]
    texts = dict.fromkeys(kind.typed_fields, "") | {FARM: latest(cast.book).farm_id, "evidence_id": "E-1"}
    row = texts | {"file": NAME, "what": "photograph", "sha256": sha256} | more
    change_book(cast.book, [Edit(kind.name, "E-1", row)], reason="typed", actor=cast.actor("writer"))


def held(cast: Cast) -> Path | None:
    farm = latest(cast.book)
    found = farm.evidence_paths.get((farm.farm_id, NAME))
    packed = dict(kept_files(farm)).get(f"evidence/{NAME}")
    assert packed == found
    return found


@pytest.mark.parametrize("door", [by_upload, by_many])
def test_a_row_without_a_hash_keeps_the_file_it_was_given(cast: Cast, door: Door) -> None:
    old = door(cast, b"of another year")
    mine = door(cast, b"mine")
    name_it(cast)
    assert held(cast) == files.path_of(mine)
    other = door(cast, b"another's")
    assert held(cast) == files.path_of(mine)
    name_it(cast, note="the row is changed elsewhere, its file is not")
    assert held(cast) == files.path_of(mine)
    assert len({old, mine, other}) == len({path for path in map(files.path_of, (old, mine, other)) if path.is_file()})


def test_a_row_that_was_there_first_takes_the_first_file_that_comes_and_the_later_one_by_its_hash(cast: Cast) -> None:
    name_it(cast)
    assert held(cast) is None
    first, later = by_upload(cast, b"first"), by_many(cast, b"second")
    assert held(cast) == files.path_of(first)
    name_it(cast, sha256=later)
    assert held(cast) == files.path_of(later)


def test_a_boundary_in_the_book_gives_way_to_no_upload_of_its_name(cast: Cast) -> None:
    text = '{"type": "Polygon", "coordinates": []}'
    edits = [Edit(FILE, "boundaries/N40.geojson", {"text": text})]
    change_book(cast.book, edits, reason="drawn", actor=cast.actor("writer"))
    kind = KINDS["unit"]
    unit = dict.fromkeys(kind.typed_fields, "") | {FARM: latest(cast.book).farm_id, "unit_id": "N40"}
    row = Edit("unit", "N40", unit | {"boundary": "N40.geojson"})
    change_book(cast.book, [row], reason="typed", actor=cast.actor("writer"))
    files.store_upload(cast.farm, "N40.geojson", b"{}", actor=cast.actor("writer"))
    assert bound_files(latest(cast.book))["boundaries/N40.geojson"] == text.encode()
    assert "boundaries/N40.geojson" not in dict(kept_files(latest(cast.book)))
    assert texts_of(kind, rows_of(cast.book)["unit"]["N40"])["boundary"] == "N40.geojson"


def photographs(cast: Cast, *names: str) -> dict[str, str]:
    """Upload a file under each name and name it by name and hash; return the hash by evidence."""
    kind, found, edits = KINDS["evidence"], {}, []
    for number, name in enumerate(names):
        key = f"E-{number}"
        found[key] = files.store_upload(cast.farm, name, f"file {number}".encode(), actor=cast.actor("writer")).sha256
        blank = dict.fromkeys(kind.typed_fields, "") | {FARM: latest(cast.book).farm_id, "what": "photograph"}
        edits.append(Edit(kind.name, key, blank | {"evidence_id": key, "file": name, "sha256": found[key]}))
    change_book(cast.book, edits, reason="typed", actor=cast.actor("writer"))
    return found


def standings(book: RecordBook) -> dict[str, Fault | None]:
    rows = FarmRows(book, book["evidence"][0].farm_id)
    return {name: fault for name, (_, fault) in evidence_by_name(rows).items()}


ALIKE = ((NAME, NAME), (NAME, "STAND.JPG"), (NAME, NAME, "Stand.jpg", NAME))


@pytest.mark.parametrize("names", ALIKE)
def test_files_of_one_name_are_told_apart_by_hash(cast: Cast, names: tuple[str, ...], tmp_path: Path) -> None:
    farm = dict.fromkeys(KINDS["farm"].typed_fields, "") | {FARM: latest(cast.book).farm_id, "name": "A farm"}
    change_book(cast.book, [Edit("farm", farm[FARM], farm)], reason="typed", actor=cast.actor("writer"))
    wanted = photographs(cast, *names)
    assert standings(latest(cast.book).records()) == dict.fromkeys(wanted)
    write_farm(latest(cast.book), tmp_path)
    assert standings(load_book(tmp_path)) == dict.fromkeys(wanted)
    there = [path.name for path in (tmp_path / EVIDENCE).iterdir()]
    assert len({name.casefold() for name in there}) == len(wanted)


def test_a_row_without_a_hash_keeps_its_place_beside_one_that_has_one(cast: Cast) -> None:
    mine = by_upload(cast, b"mine")
    name_it(cast)
    (other,) = photographs(cast, NAME).values()
    assert held(cast) == files.path_of(mine)
    assert set(latest(cast.book).evidence_paths.values()) == {files.path_of(mine), files.path_of(other)}


def test_a_file_that_is_gone_is_not_the_other_of_its_name(cast: Cast) -> None:
    wanted = photographs(cast, NAME, NAME)
    files.path_of(wanted["E-1"]).unlink()
    assert standings(latest(cast.book).records()) == {"E-0": None, "E-1": Fault.CHANGED}


def test_rows_without_a_hash_are_looked_up_in_one_pass_however_many_they_are(cast: Cast) -> None:
    by_upload(cast, b"first")
    name_it(cast)
    by_upload(cast, b"second")

    def asked(rows: int) -> int:
        naming = files.Naming(cast.book, latest(cast.book).version, "evidence", "file")
        with CaptureQueriesContext(connection) as made:
            files.stored_paths("F", {f"E-{number}": {"file": NAME} for number in range(1, rows + 1)}, naming)
        return len(made)

    assert asked(2) == asked(40)


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (b"%PDF-1.7", "application/pdf"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n", "image/png"),
        (b"<!doctype html><script>alert(1)</script>", "application/octet-stream"),
        (b"<svg onload='alert(1)'/>", "application/octet-stream"),
        (b"a,b\n1,2\n", "application/octet-stream"),
    ],
)
def test_the_type_is_what_the_bytes_show(content: bytes, media_type: str) -> None:
    assert files.media_type_of(content) == media_type


@pytest.mark.parametrize(
    ("name", "clean"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\fields\\north.csv", "north.csv"),
        ("a\r\nSet-Cookie: x.csv", "aSet-Cookie: x.csv"),
        ("", "file"),
        ("x" * 300, "x" * 200),
    ],
)
def test_a_name_holds_no_folder_and_no_control_character(name: str, clean: str) -> None:
    assert files.clean_name(name) == clean


def test_the_same_bytes_are_stored_once_and_what_was_read_is_kept_until_the_cache_loses_it(cast: Cast) -> None:
    by = cast.actor("writer")
    first = files.store_upload(cast.farm, "a.pdf", b"%PDF-same", actor=by)
    assert files.store_upload(cast.farm, "a.pdf", b"%PDF-same", actor=by) == first
    elsewhere = files.store_upload(cast.elevator, "b.pdf", b"%PDF-same", actor=by)
    assert files.path_of(elsewhere.sha256) == files.path_of(first.sha256)
    assert files.path_of(first.sha256).read_bytes() == b"%PDF-same"
    name = "outlines-1-test.geojson"
    cache.delete(name)
    assert READ_BEFORE.get(name) is None
    READ_BEFORE.put(name, "null")
    assert READ_BEFORE.get(name) == "null"
    cache.set(name, 7)  # somebody else's thing under our name is none of ours
    assert READ_BEFORE.get(name) is None
    cache.delete(name)


@pytest.mark.parametrize(("size", "refused"), [(0, True), (1, False), (8, False), (9, True)])
def test_the_limit_counts_bytes(cast: Cast, monkeypatch: pytest.MonkeyPatch, size: int, refused: bool) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 8)
    if refused:
        with pytest.raises(RefusedError):
            files.store_upload(cast.farm, "a", b"x" * size, actor=cast.actor("writer"))
    else:
        assert files.store_upload(cast.farm, "a", b"x" * size, actor=cast.actor("writer")).size == size
