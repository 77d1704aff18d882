"""A table that people see can be saved, and a spreadsheet never runs what somebody typed."""

import csv
import io

import openpyxl
import pytest
from django.test import Client
from django.urls import reverse

from provender.web.tables import Cell, Column, Table, as_csv, as_xlsx, safe
from tests.web.cast import Cast

COLUMNS = [Column("Name"), Column("N", number=True), Column("", page_only=True)]
TABLE = Table("t", COLUMNS, [[Cell("=1+1"), Cell("-2.5"), Cell("Go", form="/x")]])


def test_what_is_only_for_the_page_is_not_saved() -> None:
    rows = list(csv.reader(io.StringIO(as_csv(TABLE).decode("utf-8-sig"))))
    assert rows == [["Name", "N"], ["'=1+1", "-2.5"]]


def test_a_spreadsheet_holds_text_and_no_formula() -> None:
    sheet = openpyxl.load_workbook(io.BytesIO(as_xlsx(TABLE))).active
    assert sheet is not None
    cell = sheet["A2"]
    assert (cell.value, cell.data_type) == ("=1+1", "s")


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1"])
def test_text_that_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-1", "-1,234.5", "North 40", "", "1-2"])
def test_plain_text_and_numbers_stay(text: str) -> None:
    assert safe(text) == text


@pytest.mark.parametrize(("kind", "start"), [("csv", b"\xef\xbb\xbfName"), ("xlsx", b"PK")])
def test_the_members_are_saved_as_a_file(cast: Cast, kind: str, start: bytes) -> None:
    client = Client()
    client.force_login(cast.person("owner"))
    answer = client.get(reverse("members", args=(cast.farm.handle,)), {"save": kind, "table": "members"})
    assert answer.content.startswith(start)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="members.{kind}"'


@pytest.mark.parametrize(
    ("text", "is_day"),
    [
        ("2026-10-05", True),
        ("2026-10-5", False),
        ("2026/10/05", False),
        ("", False),
        ("abcd-ef-gh", False),
        ("12-34-5678", False),
    ],
)
def test_a_day_is_known_so_that_it_is_not_broken_over_two_lines(text: str, *, is_day: bool) -> None:
    assert Cell(text).is_day is is_day
