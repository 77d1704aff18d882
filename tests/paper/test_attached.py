"""What a PDF of ours carries comes out again byte for byte, and no damage or foreign PDF does any harm."""

import zlib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.paper import pdf as pdf_module
from provender.paper.pdf import Attachment, attached_json, render

TEMPLATE = Path(__file__).parent / "data" / "attached.typ"
CONTENT = ('{"document": {"words": "' + "\u00e9 grain " * 200 + '"}}').encode()
HEAD = b"<</Length %d/Type/EmbeddedFile/Filter/FlateDecode/Subtype/application#2Fjson/Params<</Size 1>>>>\nstream\n"


def made(*contents: bytes) -> bytes:
    files = [Attachment(f"a{at}.json", one, "application/json", "d") for at, one in enumerate(contents)]
    return render(TEMPLATE, {"title": "T"}, as_of=date(2026, 1, 1), attachments=files)


def packed(content: bytes) -> bytes:
    raw = zlib.compress(content)
    return HEAD % len(raw) + raw


def test_every_json_file_inside_comes_out_as_it_went_in() -> None:
    assert attached_json(made(CONTENT, b"{}")) == [CONTENT, b"{}"]
    assert attached_json(made()) == []


@pytest.mark.parametrize(
    "pdf", [b"", b"%PDF-1.7\nendstream", packed(CONTENT)[:-9], HEAD % 999_999_999, packed(b"x")[:-1]]
)
def test_what_is_no_such_pdf_or_is_cut_gives_nothing(pdf: bytes) -> None:
    assert attached_json(pdf) == []


def test_what_unpacks_to_more_than_it_may_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_module, "LARGEST", 100)
    assert attached_json(packed(b"x" * 101)) == []
    assert attached_json(packed(b"x" * 100)) == [b"x" * 100]


@given(st.binary(max_size=300))
def test_no_bytes_whatever_raise(noise: bytes) -> None:
    attached_json(noise)
    attached_json(HEAD % len(noise) + noise)
