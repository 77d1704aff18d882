"""Whoever holds the signed paper alone has the farm's CI and every STIR to compute, and the calculator's printout."""

import ast
import io
import re
from decimal import Decimal
from fractions import Fraction
from functools import cache
from operator import add, mul, sub, truediv
from typing import Any

import pytest
from pypdf import PdfReader

from provender.report.document import Edition
from provender.report.print import ATTACHED, report_pdf
from provender.report.signing import sign_report
from provender.rule.crops import Crop
from provender.signing.canonical import document_hash, sha256_hex
from provender.signing.keys import SigningKey
from tests.practices.season import Rows, with_row
from tests.report.official import DAY, official_rows, report_of

KEY = SigningKey.generate()
PRODUCT = r"1\.625 x [\d.]+ mph x (?:\([^)]*\)|[\d.]+ x [\d.]+ in x [\d.]+ %)"
PUBLISHED = r"published ((?:\((?:[^()]|\([^()]*\))*\)|[\d.]+)(?: x [\d.]+ mph / [\d.]+ mph)?)"
SIGNS: Any = {ast.Add: add, ast.Sub: sub, ast.Mult: mul, ast.Div: truediv}
SPAN = Fraction(1, 10_000)
"""Each STIR is rounded to ten-thousandths."""


def with_implements() -> Rows:
    """Return the farm with passes of several tools, of recorded tools, and of nothing but a published value."""
    rows = official_rows()
    for number, operation, cells in (
        (1, "Chisel plow, coulter, st. pts.", {"depth_in": "14", "speed_mph": "6"}),
        (2, "Do all", {}),
        (3, "Own seedbed machine", {"depth_in": "3", "speed_mph": "7", "full_width": "yes"}),
    ):
        day = f"2025-04-0{number}"
        rows = with_row(rows, "operation", operation_id=f"W{number}", unit_id="S12", day=day, operation=operation,
                        equipment=f"machine {number}", width_ft="20", **cells)  # fmt: skip
    for tool, kind, share in (("1", "mixing", "40"), ("2", "compression", "100")):
        rows = with_row(rows, "operation_tool", operation_id="W3", tool_no=tool, tillage_type=kind, depth_in="3",
                        surface_pct=share)  # fmt: skip
    return rows


@cache
def signed() -> tuple[dict[str, Any], PdfReader, list[str]]:
    report = report_of(with_implements(), edition=Edition(origin_id="0123456789abcdef", salt="5a1t"))
    envelope = sign_report(report, KEY, fingerprint_on_file=None)
    printed = report_pdf(report, as_of=DAY, envelope=envelope, printout=lambda file, _: files()[file])
    reader = PdfReader(io.BytesIO(printed))
    return report, reader, [re.sub(r"\s+", " ", page.extract_text().replace("\u200b", "")) for page in reader.pages]


def files() -> dict[str, bytes]:
    return {"run.pdf": b"run.pdf"}


def value(text: str) -> Fraction:
    """Compute a line of the paper as a person with a pocket calculator does."""
    for unit, plain in ((" mph", ""), (" in", ""), (" %", " / 100"), ("x", "*")):
        text = text.replace(unit, plain)

    def of(node: ast.expr) -> Fraction:
        if isinstance(node, ast.BinOp):
            left, right = of(node.left), of(node.right)
            found: Fraction = SIGNS[type(node.op)](left, right)
            return found
        assert isinstance(node, ast.Constant)
        return Fraction(Decimal(str(node.value)))

    return of(ast.parse(text.strip(), mode="eval").body)


def unit_texts() -> list[str]:
    whole = " ".join(signed()[2][2:])
    return re.split(r"(?=Crop entry )", whole)[1:]


def test_stir_of_each_unit_is_computed_from_the_words_of_its_rows() -> None:
    report = signed()[0]
    assert len(unit_texts()) == len(report["units"]) == 2
    for text, unit in zip(unit_texts(), report["units"], strict=True):
        stated = Fraction(re.search(r"STIR by recorded values ([\d.]+)", text)[1])  # type: ignore[index]
        rows = re.findall(rf"({PRODUCT})|{PUBLISHED}", text)
        passes = unit["intervals"][0]["passes"]
        assert len(rows) == len(passes) > 0
        assert abs(sum(value(one or other) for one, other in rows) - stated) <= len(rows) * SPAN
        assert stated == sum(Fraction(one["stir_recorded"]) for one in passes)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_rows_name_implement_tillage_type_width_and_share(n: int) -> None:
    (one,) = [each for each in signed()[0]["units"][1]["intervals"][0]["passes"] if each["operation_id"] == f"W{n}"]
    assert f"machine {n} · {one['tillage_type']} · {one['working']}" in unit_texts()[1]
    assert one["tillage_type"] == ("mixing; compression" if n == 3 else "several tools")
    assert re.search(rf"{re.escape(one['operation'])} (?:\([^)]*\) )?20 ", unit_texts()[1])


def test_the_weighted_ci_is_computed_from_the_table_of_the_second_page() -> None:
    report, _, texts = signed()
    default = re.search(r"National default ([\d,.]+)", texts[0])
    assert default is not None
    rows = re.findall(r"(\S+) (?:No-till|none: national default).*? ([\d,]+) ([\d,]+) ([\d,.]+) [\d,]+(?= )", texts[1])
    amounts = [(Fraction(bushels.replace(",", "")), Fraction(ci.replace(",", ""))) for _, _, bushels, ci in rows]
    assert len(amounts) == 2
    mean = sum(bushels * ci for bushels, ci in amounts) / sum(bushels for bushels, _ in amounts)
    assert round(mean, 2) == Fraction(report["farm_ci_g_per_bu"])
    assert f"{Decimal(report['farm_ci_g_per_bu']):,}" in texts[0]
    assert Fraction(default[1].replace(",", "")) in {ci for _, ci in amounts}


def test_the_first_page_has_number_origin_day_mark_and_key_and_without_a_signature_no_mark() -> None:
    first = signed()[2][0]
    for words in ("01234567 89abcdef -v1", "SIGNED", "Signed on January 15, 2026, by Ada Farmer"):
        assert words in first
    assert KEY.fingerprint in first.replace(" ", "")
    report = report_of(official_rows())
    first = PdfReader(io.BytesIO(report_pdf(report, as_of=DAY))).pages[0].extract_text()
    assert "SIGNED" not in first
    assert "not signed electronically" in first


def test_the_author_is_the_producer_the_contents_name_every_unit_and_none_takes_more_than_three_pages() -> None:
    _, reader, texts = signed()
    assert reader.metadata is not None
    assert reader.metadata.author == "Ada Farmer"
    contents = texts[1][: texts[1].index("step by step", texts[1].index("step by step") + 1)]
    for words in ("Contents", "Unit N40", "Unit S12", "Evidence on file", "Farm Producer Attestation"):
        assert words in contents
    starts = [n for n, text in enumerate(texts) if n > 1 and "Crop entry" in text]
    ends = [*starts[1:], next(n for n, text in enumerate(texts) if n > 1 and "Evidence on file" in text) + 1]
    assert all(end - start <= 3 for start, end in zip(starts, ends, strict=True))
    assert len(reader.pages) <= 4 + 3 * len(starts)


def test_the_printout_travels_with_the_signed_paper_under_the_hash_that_is_signed() -> None:
    report, reader, _ = signed()
    (named,) = report["units"][0]["runs"][0]["evidence"]
    assert sorted(reader.attachments) == [ATTACHED, "calculator-printout-1.pdf"]
    assert sha256_hex(reader.attachments["calculator-printout-1.pdf"][0]) == named["sha256"]


@pytest.mark.parametrize("content", [b"", b"another file"])
def test_a_file_of_another_hash_does_not_travel_as_the_printout(content: bytes) -> None:
    report = report_of(official_rows())
    envelope = sign_report(report, KEY, fingerprint_on_file=None)
    printed = report_pdf(report, as_of=DAY, envelope=envelope, printout=lambda *_: content)
    assert list(PdfReader(io.BytesIO(printed)).attachments) == [ATTACHED]


def test_nothing_of_another_crop_and_no_name_of_a_file_stands_on_paper() -> None:
    rows = official_rows()
    for at, cells in (
        ("unit", {"unit_id": "OTHER7", "name": "Secret", "acres": "5", "county_fips": "20177"}),
        ("harvest", {"harvest_id": "O25", "unit_id": "OTHER7", "crop": "sorghum", "use": "grain",
                     "ending": "harvested", "first_day": "2025-10-01", "last_day": "2025-10-01", "bushels": "9"}),
        ("operation", {"operation_id": "OX1", "unit_id": "OTHER7", "day": "2025-04-11", "operation": "Do all",
                       "depth_in": "0.5", "evidence": "E77"}),
        ("evidence", {"evidence_id": "E77", "file": "secret-plan.pdf", "what": "invoice", "taken_on": "2025-04-11"}),
    ):  # fmt: skip
        rows = with_row(rows, at, **cells)
    report = report_of(rows)
    whole = " ".join(page.extract_text() for page in PdfReader(io.BytesIO(report_pdf(report, as_of=DAY))).pages)
    for words in ("OTHER7", "O25", "E77", "secret-plan", "sorghum", ".csv", "run.pdf", "fsa-578.pdf"):
        assert words not in whole, words
    assert "E2" in whole
    assert {one["evidence_id"]: one["of_this_crop"] for one in report["rests_on"]["evidence"]}["E77"] is False
    assert document_hash(report) != document_hash(report_of(official_rows()))
    assert report["crop"] == Crop.field_corn
