"""A table that people see can be saved, and a spreadsheet never runs what somebody typed."""

import re

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.urls import reverse

from provender.paper.tables import Cell, Column, Table, as_csv, safe
from provender.records.field import starting_small
from provender.services.farm.book import Edit, change_book
from provender.web.tables import ROWS, WHOLE, PagedTable, on_page
from tests.web.cast import Cast


def test_text_that_a_spreadsheet_would_run_is_quoted_and_a_day_known() -> None:
    for text in ("=HYPERLINK(1)", "+1+1", "-1+1", "@SUM(1)", "\t=1", "\r=1"):
        assert safe(text, number=True) == f"'{text}"
    for text in ("-1", "-1,234.5", "North 40", "", "1-2"):
        assert safe(text, number=True) == text
    assert [text for text in ("2026-10-05", "Oct 5, 2026") if not Cell(text).is_day] == []
    none = ("Oct 5, 2026 at noon", "2026-10-5", "2026/10/05", "", "abcd-ef-gh", "12-34-5678")
    assert [text for text in none if Cell(text).is_day] == []
    for label, said in (
        ("Harvest year", "harvest year"), ("CI pending", "CI pending"), ("N-P-K", "N-P-K"), ("", ""),
        ("Carbon intensity at most (g CO2e/bu)", "carbon intensity at most (g CO2e/bu)"),
    ):  # fmt: skip
        assert starting_small(label) == said


@pytest.mark.parametrize(("kind", "start"), [("csv", b"\xef\xbb\xbfName"), ("xlsx", b"PK")])
def test_the_members_are_saved_as_a_file(cast: Cast, kind: str, start: bytes) -> None:
    client = cast.client()
    answer = client.get(reverse("members", args=(cast.farm.handle,)), {"save": kind, "table": "members"})
    assert answer.content.startswith(start)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="members.{kind}"'


def numbered(rows: int) -> Table:
    return Table("bin stock", [Column("Lot")], [[Cell(f"Lot {number} of {rows}")] for number in range(1, rows + 1)])


def shown(table: Table, asked: str) -> list[str]:
    return [row[0].text.split()[1] for row in on_page(table, QueryDict(asked)).cells]


def test_a_table_keeps_what_was_asked_and_accented_letters_stand_where_a_reader_looks() -> None:
    assert on_page(numbered(WHOLE), QueryDict("find-bin-stock=nothing")).turning is None
    assert len(on_page(numbered(WHOLE + 1), QueryDict()).rows) == ROWS
    table = on_page(numbered(60), QueryDict("start=2026-01-01&page-bin-stock=2"))
    assert table.turning is not None
    assert (table.turning.first, table.turning.last, table.turning.found) == (26, 50, 60)
    assert table.turning.before == "?start=2026-01-01&page-bin-stock=1#bin-stock"
    assert table.turning.after == "?start=2026-01-01&page-bin-stock=3#bin-stock"
    assert table.turning.others == (("start", "2026-01-01"),)
    names = ["Zoé", "nz", "Ñandú", "Álamo", "azul", "n\u0303u", "Nube", "oro", "Elm", "Étang"]
    found = on_page(Table("farms", [Column("Farm")], [[name] for name in names], sorts=True), QueryDict("sort-farms=1"))
    assert [row[0].text for row in found.cells] == [
        "Álamo", "azul", "Elm", "Étang", "Nube", "nz", "Ñandú", "n\u0303u", "oro", "Zoé",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("page", "first"),
    [("", "1"), ("1", "1"), ("2", "26"), ("3", "51"), ("4", "51"), ("0", "1"), ("x", "1"), ("²", "1")],
)
def test_a_long_table_is_turned_over_and_never_beyond_its_end(page: str, first: str) -> None:
    assert shown(numbered(52), f"page-bin-stock={page}")[0] == first


def test_rows_are_found_by_every_word_also_of_what_a_cell_saves_and_its_small_print() -> None:
    assert shown(numbered(60), "find-bin-stock=60+LOT+7&page-bin-stock=1") == ["7", "17", "27", "37", "47", "57"]
    nothing = on_page(numbered(60), QueryDict("find-bin-stock=barley&x=1"))
    assert nothing.turning is not None
    assert (nothing.turning.first, nothing.turning.found, nothing.turning.whole) == (0, 0, 60)
    assert nothing.turning.all == "?x=1#bin-stock"
    rows = [
        [Cell(f"{number:.4}…", note="Void" if number == "beef" else "", saved=f"{number}-whole")] for number in KEYS
    ]
    table = Table("keys", [Column("Key")], rows)
    assert [row[0].saved for row in on_page(table, QueryDict("find-keys=void")).cells] == ["beef-whole"]
    assert [row[0].saved for row in on_page(table, QueryDict("find-keys=a7-whole")).cells] == ["a7-whole"]


KEYS = ["beef", *(f"a{number}" for number in range(40))]


def test_a_long_table_is_searched_on_its_page_and_saved_whole(cast: Cast) -> None:
    client = cast.client()
    where = reverse("farm_kind", args=(cast.farm.handle, "operation"))
    edits = [Edit("operation", f"P{number}", {"operation_id": f"P{number}"}) for number in range(40)]
    change_book(cast.book, edits, reason="passes", actor=cast.actor("owner"))
    page = client.get(where, {"find-operation": "p39"}).content.decode()
    assert "Find in 40 rows" in page
    assert ">P39<" in page
    assert ">P38<" not in page
    saved = client.get(where, {"find-operation": "p39", "save": "csv", "table": "operation"}).content.decode()
    assert len(saved.splitlines()) == 41


def sorting(asked: str) -> PagedTable:
    rows = [["C10", "1,200"], ["C2", "90"], ["a1", "not recorded"], ["C1", "1,200.5"], ["All", "sum"]]
    columns = [Column("Field"), Column("Bushels", number=True)]
    return on_page(Table("stock", columns, rows, totals=1, sorts=True), QueryDict(asked))


def test_a_heading_sorts_numbers_by_value_and_a_second_click_turns_the_order_round() -> None:
    for asked, order in (
        ("", "C10 C2 a1 C1"), ("sort-stock=1", "a1 C1 C2 C10"), ("sort-stock=-1", "C10 C2 C1 a1"),
        ("sort-stock=2", "C2 C10 C1 a1"), ("sort-stock=9", "C10 C2 a1 C1"), (f"sort-stock={'9' * 20}", "C10 C2 a1 C1"),
    ):  # fmt: skip
        found = sorting(asked)
        assert [row[0].text for row in found.cells] == order.split(), asked
        assert [[cell.text for _, cell in row] for row in found.foot] == [["All", "sum"]]
    heads = sorting("sort-stock=2&start=x").heads
    assert [one.sorted for one in heads] == ["", "ascending"]
    assert "sort-stock=-2" in heads[1].href
    assert "start=x" in heads[0].href


def test_a_long_table_is_shown_whole_to_whoever_prints_it() -> None:
    turned = on_page(numbered(60), QueryDict("start=1")).turning
    assert turned is not None
    assert turned.every == "?start=1&page-bin-stock=every#bin-stock"
    whole = on_page(numbered(60), QueryDict("start=1&page-bin-stock=every"))
    assert len(whole.rows) == 60
    assert whole.turning is not None
    assert (whole.turning.first, whole.turning.last) == (1, 60)
    assert whole.turning.before == whole.turning.after == whole.turning.every == ""
    many = on_page(numbered(1_001), QueryDict("page-bin-stock=every"))
    assert len(many.rows) == 25, "more than anybody prints stays a page at a time"


def test_a_page_leaves_out_what_only_a_file_has_or_no_row_says_and_names_a_group_once() -> None:
    shown = render_to_string(
        "parts/table.html", {"table": Table("t", [Column("Field"), Column("Acres")], [["C1", "5"]]), "unsaved": True}
    )
    assert re.findall(r"<th scope[^>]*>([^<]*)<", shown) == ["Field", "Acres"]
    rows = [["Corn", "1"], ["Corn", "2"], ["Beans", "3"], ["Corn", "4"]]
    table = Table("t", [Column("Crop"), Column("N")], rows, groups=True)
    assert [cell.text for (_, cell), _ in on_page(table, QueryDict()).pairs] == ["Corn", "", "Beans", "Corn"]
    assert as_csv(table).decode("utf-8-sig").splitlines()[1:] == ["Corn,1", "Corn,2", "Beans,3", "Corn,4"]
    columns = [Column("Field"), Column("Note"), Column("Acres"), Column("Fingerprint", file_only=True)]
    table = Table("t", columns, [["C1", "", "5", "ab12"], ["C2", "", "", "cd34"]])
    page = on_page(table, QueryDict())
    assert [head.column.label for head in page.heads] == ["Field", "Acres"]
    assert [[cell.text for _, cell in row] for row in page.pairs] == [["C1", "5"], ["C2", ""]]
    assert as_csv(table).decode("utf-8-sig").splitlines()[0] == "Field,Note,Acres,Fingerprint"
    bare = [head.column.label for head in on_page(Table("t", columns, []), QueryDict()).heads]
    assert bare[:3] == ["Field", "Note", "Acres"]
