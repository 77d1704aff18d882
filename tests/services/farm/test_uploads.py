"""Files are kept under their hash, within limits, and never with a type that a browser would run."""

import pytest

from provender.services.farm import files
from provender.services.farm.files import clean_name, media_type_of, path_of, store_upload
from provender.services.refused import RefusedError
from tests.web.cast import Cast


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
    assert media_type_of(content) == media_type


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
    assert clean_name(name) == clean


def test_the_same_bytes_are_stored_once(cast: Cast) -> None:
    by = cast.actor("writer")
    first = store_upload(cast.farm, "a.pdf", b"%PDF-same", actor=by)
    assert store_upload(cast.farm, "a.pdf", b"%PDF-same", actor=by) == first
    elsewhere = store_upload(cast.elevator, "b.pdf", b"%PDF-same", actor=by)
    assert path_of(elsewhere.sha256) == path_of(first.sha256)
    assert path_of(first.sha256).read_bytes() == b"%PDF-same"


@pytest.mark.parametrize(("size", "refused"), [(0, True), (1, False), (8, False), (9, True)])
def test_the_limit_counts_bytes(cast: Cast, monkeypatch: pytest.MonkeyPatch, size: int, refused: bool) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 8)
    if refused:
        with pytest.raises(RefusedError):
            store_upload(cast.farm, "a", b"x" * size, actor=cast.actor("writer"))
    else:
        assert store_upload(cast.farm, "a", b"x" * size, actor=cast.actor("writer")).size == size
