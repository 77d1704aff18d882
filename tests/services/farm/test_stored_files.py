"""A file uploaded under the name of another is kept beside it and takes nobody's place, whichever door it came by."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from provender.database.store.record_books import rows_of
from provender.records import KINDS
from provender.services.farm.book import Edit, change_book, latest, texts_of
from provender.services.farm.bound_files import bound_files, kept_files
from provender.services.farm.uploads import path_of, store_upload, store_uploads
from provender.services.imports.folder import FARM, FILE
from tests.web.cast import Cast

Door = Callable[[Cast, bytes], str]
NAME = "stand.jpg"


def by_upload(cast: Cast, content: bytes) -> str:
    return store_upload(cast.farm, NAME, content, actor=cast.actor("writer")).sha256


def by_many(cast: Cast, content: bytes) -> str:
    (made,), problems = store_uploads(cast.farm, [SimpleUploadedFile(NAME, content)], actor=cast.actor("writer"))
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
    assert held(cast) == path_of(mine)
    other = door(cast, b"another's")
    assert held(cast) == path_of(mine)
    name_it(cast, note="the row is changed elsewhere, its file is not")
    assert held(cast) == path_of(mine)
    assert len({old, mine, other}) == len({path for path in map(path_of, (old, mine, other)) if path.is_file()})


@pytest.mark.parametrize("door", [by_upload, by_many])
def test_a_row_that_was_there_first_takes_the_first_file_that_comes(cast: Cast, door: Door) -> None:
    name_it(cast)
    assert held(cast) is None
    first = door(cast, b"first")
    door(cast, b"second")
    assert held(cast) == path_of(first)


def test_whoever_means_the_later_file_says_so_by_its_hash(cast: Cast) -> None:
    by_upload(cast, b"first")
    name_it(cast)
    later = by_upload(cast, b"second")
    name_it(cast, sha256=later)
    assert held(cast) == path_of(later)


def test_a_boundary_in_the_book_gives_way_to_no_upload_of_its_name(cast: Cast) -> None:
    text = '{"type": "Polygon", "coordinates": []}'
    edits = [Edit(FILE, "boundaries/N40.geojson", {"text": text})]
    change_book(cast.book, edits, reason="drawn", actor=cast.actor("writer"))
    kind = KINDS["unit"]
    unit = dict.fromkeys(kind.typed_fields, "") | {FARM: latest(cast.book).farm_id, "unit_id": "N40"}
    row = Edit("unit", "N40", unit | {"boundary": "N40.geojson"})
    change_book(cast.book, [row], reason="typed", actor=cast.actor("writer"))
    store_upload(cast.farm, "N40.geojson", b"{}", actor=cast.actor("writer"))
    assert bound_files(latest(cast.book))["boundaries/N40.geojson"] == text.encode()
    assert "boundaries/N40.geojson" not in dict(kept_files(latest(cast.book)))
    assert texts_of(kind, rows_of(cast.book)["unit"]["N40"])["boundary"] == "N40.geojson"
