"""Several rows on one line, and one record named twice: each row goes one way, once, and a rejected line goes whole."""

from pathlib import Path

import pytest

from fuzz import other_files, systems
from provender.formats.importing.differing import leave_out_differing
from provender.formats.importing.incoming_files import IncomingFile, Source
from provender.formats.importing.kind_file import KindFile
from provender.formats.importing.references import known_records, settle_references
from provender.formats.importing.validate import Sifted, sift
from provender.records import KINDS
from provender.records.table import TextTable
from tests.formats.test_intake import book, brought, fates, table

__all__ = ["book"]

NUTRIENTS = KINDS["nutrient_application"]
HEADING = ("application_id", "unit_id", "day", "product", "rate", "rate_unit")
Line = tuple[int, str, str, str]


def sifted(*lines: Line) -> Sifted:
    """Return applications as a log gives them: a line, an identifier, a unit, a rate."""
    rows = tuple((number, (one, unit, "2025-04-28", "UAN 28", rate, "lb/ac")) for number, one, unit, rate in lines)
    source = Source("log.zip", "0" * 64, "")
    return sift(IncomingFile(NUTRIENTS, TextTable("log.zip", "", HEADING, rows), source), farm_id="F1", farms=["F1"])


def sift_units(*units: str) -> Sifted:
    rows = tuple((at, (unit, "40")) for at, unit in enumerate(units, 2))
    source = Source("unit.csv", "0" * 64, "")
    made = IncomingFile(KINDS["unit"], TextTable("unit.csv", "", ("unit_id", "acres"), rows), source)
    return sift(made, farm_id="F1", farms=["F1"])


def numbers(found: Sifted) -> tuple[list[object], list[int]]:
    return [row["source_row"] for row in found.rows], [row.number for row in found.rejected]


def test_a_line_whose_two_rows_both_name_nobodys_field_is_kept_out_once() -> None:
    found = sifted((7, "a", "N99", "10"), (7, "b", "N99", "11"), (8, "c", "N40", "12"))
    settle_references(found, known_records(None, [sift_units("N40")], {}))
    assert numbers(found) == ([8], [7, 7])


def test_a_line_of_which_one_row_names_nobodys_field_stays_out_whole() -> None:
    found = sifted((7, "a", "N40", "10"), (7, "b", "N99", "11"), (8, "c", "N40", "12"))
    settle_references(found, known_records(None, [sift_units("N40")], {}))
    assert numbers(found) == ([8], [7, 7])


def in_book(tmp_path: Path, *rows: str) -> KindFile:
    lines = [",".join(HEADING), *rows]
    (tmp_path / "nutrient_application.csv").write_text("\n".join([*lines, ""]))
    return KindFile.load(NUTRIENTS, tmp_path, "F1")


@pytest.mark.parametrize(("replace", "kept", "out"), [(False, [8], [7, 7]), (True, [7, 7, 8], [])])
def test_a_line_of_which_one_row_differs_from_the_book_stays_out_whole(
    tmp_path: Path, replace: bool, kept: list[int], out: list[int]
) -> None:
    found = sifted((7, "a", "N40", "10"), (7, "b", "N40", "11"), (8, "c", "N40", "12"))
    leave_out_differing(found, in_book(tmp_path, "b,N40,2025-04-28,UAN 28,99,lb/ac"), replace=replace)
    assert numbers(found) == (kept, out)


@pytest.mark.parametrize(
    ("second", "want"),
    [
        ({"unit_id": "n 40", "year": "2024", "code": "1"}, {"rows": 2, "rejected": 2}),
        ({"unit_id": "n 40", "year": "2024", "code": "5"}, {"rows": 2, "added": 1, "same": 1}),
        ({"unit_id": "n 40", "year": "2023", "code": "1"}, {"rows": 2, "added": 2}),
    ],
)
def test_a_record_named_twice_in_one_file_by_two_spellings_is_asked_about(
    book: Path, second: dict[str, str], want: dict[str, int]
) -> None:
    (book / "crop_history.csv").unlink(missing_ok=True)
    first = {"unit_id": "N40", "year": "2024", "code": "5"}
    plan = brought(book, "crop_history.csv", table("crop_history", first, second))
    assert fates(plan) == want, [str(one) for one in plan.problems]


def test_a_log_of_two_products_on_fields_that_nobody_has_is_counted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(systems, "as_rasters", lambda *_: None)  # the case is one of before there were any
    plan, _ = other_files.run(20261127, 517, tmp_path)
    assert all(one.rows == one.added + one.same + one.rejected for one in plan.counts)
