"""Documents: reproducible PDF/A that shows every text harmlessly, with its warnings on every page."""

import io
import zlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st
from pypdf import PdfReader

from provender.paper import pdf as pdf_module
from provender.paper import svg
from provender.paper.pdf import MAX_TEXT, Attachment, attached_json, qr_svg, render
from provender.paper.svg import has_glyph, printable, printable_data
from tests.draws import part_of_draws

SAMPLE = Path(__file__).parent / "data" / "sample.typ"
DAY = date(2026, 11, 21)
HOSTILE = '#let x = 1 $a^2$ \\ @ref <lab> // [*x*] _y_ `code` #panic("no") = head'


def sample(**changes: object) -> dict[str, object]:
    rows = [
        {"unit": f"N {number}", "practice": "No-till", "verdict": verdict, "acres": "80.25", "bushels": "1", "ci": "2"}
        for number in range(30)
        for verdict in ("met", "not met", "not shown")
    ]
    return {
        "title": "Bluestem Farm", "subtitle": "Corn 2026", "watermark": "ESTIMATE", "notice": "", "hash": "9f" * 32,
        "figures": [{"label": "CI", "value": "27,310.55", "unit": "g CO\u2082e/bu"}], "facts": [["County", "Story"]],
        "rows": rows, "total": {"unit": "All units", "acres": "7,222.50"}, "remark": "A remark.",
        "fingerprint": "XMx-jjDwdjsHkz6Yn1mdpnubLBN_UJ3ok9Q0e8FCLq0", **changes,
    }  # fmt: skip


def printed(data: dict[str, object], attachments: Sequence[Attachment] = ()) -> bytes:
    return render(SAMPLE, data, as_of=DAY, images={"qr.svg": qr_svg("test")}, attachments=attachments)


def pages(pdf: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


def test_the_same_input_gives_the_same_bytes_attachments_make_it_pdf_a_3_and_no_warning_is_none() -> None:
    assert printed(sample()) == printed(sample())
    other = render(SAMPLE, sample(), as_of=date(2026, 11, 22), images={"qr.svg": qr_svg("test")})
    assert other != printed(sample())
    attachment = Attachment("report.json", b'{"a":1}', "application/json", "The signed report")
    reader = PdfReader(io.BytesIO(printed(sample(), attachments=[attachment])))
    assert [content for (content,) in reader.attachments.values()] == [b'{"a":1}']
    assert reader.xmp_metadata is not None
    assert "<pdfaid:part>3</pdfaid:part>" in reader.xmp_metadata.stream.get_data().decode()
    assert "ESTIMATE" not in "".join(pages(printed(sample(watermark=""))))


def test_the_document_claims_pdf_a_and_pdf_ua_and_its_day() -> None:
    reader = PdfReader(io.BytesIO(printed(sample())))
    metadata = reader.xmp_metadata
    assert metadata is not None
    raw = metadata.stream.get_data().decode()
    assert "<pdfaid:part>2</pdfaid:part>" in raw
    assert "<pdfaid:conformance>A</pdfaid:conformance>" in raw
    assert "<pdfuaid:part>1</pdfuaid:part>" in raw
    assert reader.metadata is not None
    assert reader.metadata.creation_date is not None
    assert reader.metadata.creation_date.date() == DAY


def test_every_page_has_the_warning_the_hash_and_its_number_and_repeats_the_table_head() -> None:
    texts = pages(printed(sample()))
    assert len(texts) > 2
    for number, text in enumerate(texts, start=1):
        assert text.count("ESTIMATE") >= 2
        assert "9f9f9f9f" in text
        assert f"Page {number} of {len(texts)}" in text
    assert "Management unit" in texts[0]
    assert "Management unit" in texts[1]


def test_markup_in_data_is_shown_and_never_obeyed_and_what_no_font_can_shape_still_prints() -> None:
    data = sample(title=HOSTILE, subtitle=HOSTILE, remark=HOSTILE, facts=[[HOSTILE, HOSTILE]], notice=HOSTILE)
    data["rows"] = [{"unit": HOSTILE, "practice": HOSTILE, "verdict": HOSTILE, "acres": HOSTILE}]
    together = "".join("".join(pages(printed(data))).split())
    assert together.count('#panic("no")=head') >= 8
    texts = ["q\u0301\u0323\u0301", "\u05d0\u0301", "\U0001f69c\u200d\u2642\ufe0f", "a\u0488b", "\u0e01\u0e31"]
    assert printed(sample(facts=[[text, text] for text in texts]))


@settings(max_examples=part_of_draws(4))
@given(st.text(max_size=60), st.text(st.characters(), max_size=30))
def test_any_text_prints(one: str, other: str) -> None:
    clean = one.encode("utf-8", "replace").decode()
    assert printed(sample(title=clean or "x", rows=[{"unit": other, "verdict": clean}], facts=[[other, clean]]))


def test_a_missing_key_and_a_file_name_that_leads_outside_are_defects() -> None:
    data = sample()
    del data["remark"]
    with pytest.raises(typst.TypstError, match="remark"):
        printed(data)
    for name in ("../x", "a/b", ".hidden", ""):
        with pytest.raises(ValueError, match="plain"):
            render(SAMPLE, sample(), as_of=DAY, images={name: "<svg/>"})


def test_printable_text_numbers_what_has_no_glyph_drops_what_hides_and_reaches_every_text() -> None:
    assert printable("Pe\u00f1a \u2013 5 \u00b5g \u2265 3") == "Pe\u00f1a \u2013 5 \u00b5g \u2265 3"
    assert printable("e\u0301") == "\u00e9"
    assert printable("\U0001f69c\x07") == "[U+1F69C][U+0007]"
    assert printable("a\u202eb\u200bc\ufeff\u00ad") == "abc"
    assert printable("a\tb\nc") == "a b\nc"
    assert printable("\u0416", strict=True) == "[U+0416]"
    assert has_glyph("\u2713")
    assert has_glyph("\u0416")
    assert not has_glyph("\u65e5")
    data = {"a": ["\x01", {"b": ("\x02", 3, None, True)}]}
    assert printable_data(data) == {"a": ["[U+0001]", {"b": ["[U+0002]", 3, None, True]}]}


def test_texts_keep_their_contrast_and_a_qr_code_is_escaped_and_bounded() -> None:
    for colour in (svg.INK, svg.MUTED, svg.ACCENT, svg.LIMIT, svg.MET, svg.NOT_MET, svg.NOT_SHOWN):
        assert min(svg.contrast(colour, svg.PAPER), svg.contrast(colour, svg.FAINT)) >= svg.TEXT_CONTRAST
    for colour in svg.SERIES:
        assert svg.contrast(colour, svg.PAPER) >= svg.SHAPE_CONTRAST
        assert svg.contrast(svg.on(colour), colour) >= svg.TEXT_CONTRAST
    assert svg.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert qr_svg("x", title="<script>") == qr_svg("x", title="<script>")
    assert "<script>" not in qr_svg("x", title="<script>")
    assert qr_svg("x" * MAX_TEXT)
    for bad in ("", "x" * (MAX_TEXT + 1)):
        with pytest.raises(ValueError, match="1200"):
            qr_svg(bad)


TEMPLATE = Path(__file__).parent / "data" / "attached.typ"
CONTENT = ('{"document": {"words": "' + "\u00e9 grain " * 200 + '"}}').encode()
HEAD = b"<</Length %d/Type/EmbeddedFile/Filter/FlateDecode/Subtype/application#2Fjson/Params<</Size 1>>>>\nstream\n"


def made(*contents: bytes) -> bytes:
    files = [Attachment(f"a{at}.json", one, "application/json", "d") for at, one in enumerate(contents)]
    return render(TEMPLATE, {"title": "T"}, as_of=date(2026, 1, 1), attachments=files)


def deflated(content: bytes) -> bytes:
    raw = zlib.compress(content)
    return HEAD % len(raw) + raw


def test_every_json_file_inside_comes_out_unless_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    assert attached_json(made(CONTENT, b"{}")) == [CONTENT, b"{}"]
    assert attached_json(made()) == []
    monkeypatch.setattr(pdf_module, "LARGEST", 100)
    assert attached_json(deflated(b"x" * 101)) == []
    assert attached_json(deflated(b"x" * 100)) == [b"x" * 100]
    assert attached_json(deflated(b"x" * 60) * 2) == [b"x" * 60], "all of them together"


def test_what_is_inside_is_bounded_by_the_size_of_the_pdf() -> None:
    assert attached_json(deflated(bytes(10_000_000))) == []
    plain = HEAD.replace(b"/Filter/FlateDecode", b"") % 9999
    assert len(attached_json(plain * 300)) == 2, "no byte belongs to two"


@pytest.mark.parametrize(
    "pdf", [b"", b"%PDF-1.7\nendstream", deflated(CONTENT)[:-9], HEAD % 999_999_999, deflated(b"x")[:-1]]
)
def test_what_is_no_such_pdf_or_is_cut_gives_nothing(pdf: bytes) -> None:
    assert attached_json(pdf) == []


@given(st.binary(max_size=300))
def test_no_bytes_whatever_raise(noise: bytes) -> None:
    attached_json(noise)
    attached_json(HEAD % len(noise) + noise)
