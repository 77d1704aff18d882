"""Tables look the same on screen and in files, and no text of a file becomes a formula."""

import csv
import io
from datetime import date
from decimal import Decimal
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from provender.cli.intensity import units_table
from provender.cli.tables import print_table, save
from provender.paper.tables import FORMULA_STARTS, Cell, Column, Table, amount
from provender.paper.tables import as_csv as csv_of
from provender.problem import ProblemsError
from tests.report.official import judged, official_rows, quantified

COLUMNS = (Column("unit"), Column("bushels, bu", "bushels", number=True))
DAY = date(2025, 12, 20)


def table(*rows: list[Cell | str], name: str = "units", totals: int = 0) -> Table:
    return Table(name, COLUMNS, rows, caption="Units", totals=totals)


def as_csv(shown: Table) -> str:
    return csv_of(shown).decode("utf-8-sig")


def screen(shown: Table, width: int = 80) -> str:
    out = io.StringIO()
    print_table(Console(file=out, width=width), shown)
    return out.getvalue()


def test_the_screen_groups_digits_and_a_file_does_not() -> None:
    shown = table(["N40", amount(12_345_500)])
    assert "12,345.5" in screen(shown)
    assert as_csv(shown).splitlines() == ['unit,"bushels, bu"', "N40,12345.5"]


def test_a_missing_amount_is_told_on_screen_and_blank_in_a_file() -> None:
    shown = table(["N40", amount(None)])
    assert "not recorded" in screen(shown)
    assert as_csv(shown).splitlines()[1] == "N40,"


def test_an_amount_keeps_the_places_it_is_shown_with() -> None:
    assert amount(850_000, 2, places=2).saved == Decimal("8500.00")
    assert as_csv(table(["N40", amount(850_000, 2, places=2)])).splitlines()[1] == "N40,8500.00"


def test_the_screen_has_the_short_heading_and_a_file_the_one_with_the_unit() -> None:
    shown = table(["N40", amount(1000)])
    assert "bushels, bu" not in screen(shown)
    assert as_csv(shown).startswith('unit,"bushels, bu"')


def test_no_number_is_broken_and_no_text_is_lost_on_a_narrow_screen() -> None:
    words = "one two three four five six seven eight nine ten"
    lines = screen(table([words, amount(123_456_789_000)]), width=40).splitlines()
    assert any("123,456,789" in line for line in lines)
    assert all(any(word in line for line in lines) for word in words.split())
    assert all(len(line) <= 40 for line in lines)


@given(st.sampled_from(FORMULA_STARTS), st.text(max_size=10))
def test_a_text_that_looks_like_a_formula_is_kept_from_being_one(start: str, rest: str) -> None:
    written = as_csv(table([start + rest, ""]))
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert rows[1][0] == "'" + start + rest


def test_a_negative_number_stays_a_number() -> None:
    assert as_csv(table(["N40", amount(-1500)])).splitlines()[1] == "N40,-1.5"


def test_several_tables_become_files_of_their_own_name_and_sheets_of_one_workbook(tmp_path: Path) -> None:
    two = [table(["N40", amount(1500)]), table(["E80", ""], name="other units")]
    wanted = tmp_path / "new" / "out.csv"
    written = save(two, csv=wanted, xlsx=tmp_path / "out.xlsx", title="Units", as_of=DAY)
    assert written == [wanted, tmp_path / "new" / "out-other-units.csv", tmp_path / "out.xlsx"]
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert book.sheetnames == ["units", "other units"]
    assert [cell.value for cell in book["units"][2]] == ["N40", 1.5]


def test_a_saved_csv_opens_with_its_letters_right_in_a_spreadsheet(tmp_path: Path) -> None:
    save([table(["Grün", ""])], csv=tmp_path / "u.csv", xlsx=None, title="Units", as_of=DAY)
    assert (tmp_path / "u.csv").read_bytes().startswith(b"\xef\xbb\xbf")
    assert "Grün" in (tmp_path / "u.csv").read_text(encoding="utf-8-sig")


def test_a_file_that_cannot_be_written_is_a_problem_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(ProblemsError, match="cannot be written"):
        save([table()], csv=tmp_path / "taken", xlsx=None, title="Units", as_of=DAY)


def test_rows_of_sums_are_set_apart_on_the_screen() -> None:
    plain, summed = (screen(table(["N40", "1"], ["Farm", "1"], totals=totals)) for totals in (0, 1))
    assert len(summed.splitlines()) == len(plain.splitlines()) + 1


def test_the_harvest_year_of_a_farm_s_ci_is_a_number() -> None:
    table = units_table(quantified(judged(official_rows())))
    assert all(isinstance(row[1], Cell) and row[1].saved == 2025 for row in table.rows)
    assert table.columns[1].number
