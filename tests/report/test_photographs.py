"""A photograph of establishment whose file says no day or place is told; one that says another day is refused."""

import io
from dataclasses import replace
from functools import partial
from typing import Final

import pytest
from PIL import Image
from PIL.ExifTags import IFD

from provender.formats.photos import day_and_place
from provender.intensity.quantify import quantify
from provender.records.book import HeldFiles
from provender.report.document import build
from provender.report.signing import refusals
from provender.rule.crops import Crop
from provender.signing.canonical import sha256_hex
from provender.verdicts.assess import assess
from tests.report.official import DAY, KNOWN, official_rows
from tests.standards.season import book_of, changed

TAKEN: Final = "2024:11:04 10:12:00"


def picture(taken: str = TAKEN, *, placed: bool = True) -> bytes:
    exif, out = Image.Exif(), io.BytesIO()
    exif[0x010F] = "Made-up camera"
    if taken:
        exif.get_ifd(IFD.Exif).update({0x9003: taken})
    if placed:
        exif.get_ifd(IFD.GPSInfo).update({1: "N", 2: (39.0, 3.0, 4.0), 3: "W", 4: (95.0, 42.0, 1.0)})
    Image.new("RGB", (8, 8)).save(out, "JPEG", exif=exif)
    return out.getvalue()


CASES: Final = {
    "day and place": (picture(), "", ""),
    "no place": (picture(placed=False), "gives no place", ""),
    "no day": (picture(""), "gives no day", ""),
    "neither": (picture("", placed=False), "gives no day and no place", ""),
    "a day that is none": (picture("2024:13:04 10:12:00"), "gives no day", ""),
    "another day": (picture("2023:11:04 10:12:00"), "", "photograph_day_differs"),
    "the day before": (picture("2024:11:03 23:59:59"), "", "photograph_day_differs"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_the_file_says_of_a_photograph_is_told(name: str) -> None:
    content, note, code = CASES[name]
    rows = changed(official_rows(), "evidence", 0, sha256=sha256_hex(content))
    held = {row["file"]: row["file"].encode() for row in rows["evidence"]} | {"rye.jpg": content}
    files = {("F1", name): partial(bytes, of) for name, of in held.items()}
    assessment = assess(replace(book_of(rows), files=HeldFiles(files)))
    report = build(assessment, quantify(assessment, "F1", Crop.field_corn, 2025, known=KNOWN), as_of=DAY)
    notes = [one["cause"] for one in report["problems"] if one["code"] == "photograph_stated"]
    assert [note in one for one in notes] == ([True] if note else [])
    assert {one.code for one in refusals(report)} == ({code} - {""})


@pytest.mark.parametrize(
    "content", [b"", b"Exif\0\0", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0MM\0*" + b"\xff" * 90]
)
def test_a_file_that_is_no_picture_says_nothing(content: bytes) -> None:
    assert day_and_place(content) == (None, False)
