"""A farm's package carries what its book is judged by: rows that could not be imported, sources, maps."""

import shutil
from pathlib import Path

from provender.audit.package.collect import collect_farm
from provender.audit.package.contents import PackageContents, with_verifiers_files
from provender.audit.package.layout import Part, farm_path
from provender.audit.package.write import make_package, open_package
from provender.records.folder import load_book
from tests.audit.forge import EXAMPLE, FARM, clean, header, verify

ROW = "rejected_from,rejected_because,unit_id,day\npasses.csv row 3,no such day,N1,2025-02-30\n"
NAME = "rejected/operation--passes.csv"


def spoilt(folder: Path) -> Path:
    """Copy the example book and leave a rejected row, a source list and a map in it."""
    book = folder / "book"
    shutil.copytree(EXAMPLE, book)
    for name, text in ((NAME, ROW), ("sources.csv", "file\npasses.csv\n"), ("maps/north/n.csv", "x\n")):
        (book / name).parent.mkdir(parents=True, exist_ok=True)
        (book / name).write_text(text, encoding="utf-8")
    return book


def packed(book: Path) -> dict[str, bytes]:
    """Return the files that a package of the book holds."""
    found = collect_farm(book, []).files
    return {name: one.read_bytes() if isinstance(one, Path) else one for name, one in found.items()}


def test_rejected_rows_sources_and_maps_are_in_the_package(tmp_path: Path) -> None:
    files = packed(spoilt(tmp_path))
    for name in (NAME, "sources.csv", "maps/north/n.csv"):
        assert farm_path(FARM, Part.RECORDS, name) in files


def test_a_verifier_reads_a_book_as_incomplete_rowed_as_the_farmer_does(tmp_path: Path) -> None:
    book = spoilt(tmp_path)
    target = tmp_path / "package.zip"
    make_package(target, header(), {**clean(), **packed(book)})
    (farm,) = PackageContents(with_verifiers_files(open_package(target).files, None, {}), tmp_path / "read").farms
    assert farm.book.incomplete_rows.equals(load_book(book).incomplete_rows)
    assert not farm.book.incomplete_rows.equals(load_book(EXAMPLE).incomplete_rows)


def test_a_report_made_without_the_rejected_rows_is_found(tmp_path: Path) -> None:
    rejected = {farm_path(FARM, Part.RECORDS, NAME): ROW.encode()}
    assert not verify(clean(), tmp_path).differences
    (tmp_path / "again").mkdir()
    assert verify({**clean(), **rejected}, tmp_path / "again").differences
