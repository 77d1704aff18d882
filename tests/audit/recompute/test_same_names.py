"""Two files of one name in one farm's package are no difference; one of them exchanged is found as ever."""

import json
import re
import shutil
from pathlib import Path

import pytest

from provender.audit.package.collect import collect_farm, with_index, with_keys
from provender.audit.package.keys import Pin
from provender.audit.package.layout import EVIDENCE_INDEX
from provender.records.book import kept_as
from provender.records.folder import load_book
from provender.report.signing import printouts
from provender.report.typ import TYP
from provender.signing.canonical import canonical_json, hash_file
from provender.signing.jws import sign
from tests.audit.forge import ADA, EXAMPLE, FARM, Files, evidence, record, reports_of, verify

PHOTOS = {"n40-rye-2024-11-06.jpg": "IMG_0001.jpg", "w35-oats-2024-09-12.jpg": "IMG_0001.jpg"}
CASES = {"n40-rye-2024-11-06.jpg": "IMG_0001.jpg", "w35-oats-2024-09-12.jpg": "img_0001.JPG"}
PAPERS = {"seed-invoice-2024.txt": "scan.txt", "fdcic-example-corn.txt": "scan.txt"}
Names = dict[str, str]


def book(folder: Path, names: Names, *, beside: bool) -> Path:
    """Return the example's book with files that bear other names; the second lies beside the first, or in its case."""
    shutil.copytree(EXAMPLE, folder)
    text = (folder / "evidence.csv").read_text("utf-8")
    for number, (old, new) in enumerate(names.items()):
        path = folder / "evidence" / old
        text = text.replace(f",{old},", f",{new},")
        path.rename(path.with_name(kept_as(new, hash_file(path)) if beside and number else new))
    (folder / "evidence.csv").write_text(text, "utf-8")
    return folder


def packed(folder: Path) -> Files:
    """Return the files of a package of a book with its signed report and the index of its evidence."""
    content = collect_farm(folder, [])
    with_keys(content, [Pin(FARM, ADA.public, "supply contract 12")])
    runs = (folder / "calculator_run.csv").read_bytes().splitlines(keepends=True)
    corn = b"".join(line for line in runs if not re.search(rb",(soybeans|sorghum),", line))
    signed = {path: canonical_json(sign(one, ADA, typ=TYP)) for path, one in reports_of(folder).items()}
    content.files |= {record("calculator_run"): corn, **signed}
    with_index(content)
    return {name: one.read_bytes() if isinstance(one, Path) else one for name, one in content.files.items()}


MADE = ((PHOTOS, True), (CASES, True), (CASES, False), (PAPERS, True))


@pytest.mark.parametrize(("names", "beside"), MADE)
def test_two_files_of_one_name_are_no_difference(names: Names, beside: bool, tmp_path: Path) -> None:
    files = packed(book(tmp_path / "book", names, beside=beside))
    assert verify(files, tmp_path).text == ""
    rows = json.loads(files[EVIDENCE_INDEX])["files"]
    assert len({row["sha256"] for row in rows if row["evidence"]}) == len({row["evidence"] for row in rows} - {""})


@pytest.mark.parametrize("number", [0, 1])
def test_one_of_two_that_was_exchanged_is_found(number: int, tmp_path: Path) -> None:
    files = packed(book(tmp_path / "book", PHOTOS, beside=True))
    old = list(PHOTOS)[number]
    name = kept_as("IMG_0001.jpg", hash_file(EXAMPLE / "evidence" / old)) if number else "IMG_0001.jpg"
    files[evidence(name)] += b"."
    assert "evidence_swapped" in verify(files, tmp_path).text


def test_the_printout_of_a_report_is_the_one_of_its_hash(tmp_path: Path) -> None:
    folder = book(tmp_path / "book", PAPERS, beside=True)
    held = load_book(folder).files
    (report,) = reports_of(folder).values()
    found = printouts(report, lambda file, sha256: held.content_of(FARM, file, sha256))
    assert [one.content for one in found] == [(EXAMPLE / "evidence" / "fdcic-example-corn.txt").read_bytes()]
