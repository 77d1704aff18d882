"""Kinds of record stand in groups, those in use first; a list of rows has what a screen has room for, in words."""

from django.urls import reverse

from provender.database.models.farm import BookKind
from provender.database.store.record_books import rows_of
from provender.paper.tables import Cell, Column
from provender.records.kind import GROUPS, KINDS
from provender.services.farm.book import Edit, change_book, open_book
from provender.web.farm.pages.rows import ROOM, fitting
from tests.web.cast import Cast
from tests.web.custody_season import BY
from tests.web.farm_season import fill_season


def test_every_kind_stands_in_one_group() -> None:
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(KINDS)


def test_the_kinds_that_a_farm_uses_stand_first_in_their_group_and_a_file_has_all_of_them(cast: Cast) -> None:
    fill_season(cast)
    where = reverse("farm_records", args=(cast.farm.handle,))
    groups = cast.client().get(where).context["groups"]
    assert [one.caption for one in groups] == list(GROUPS)
    for one in groups:
        unused = [row[1].text == "0" for row in one.cells]
        assert unused == sorted(unused)
    saved = cast.client().get(where, {"save": "csv", "table": "records"}).content.decode("utf-8-sig").splitlines()
    assert saved[0].startswith("Group,Records,Rows")
    assert len(saved) == len(KINDS) + 1
    assert any(line.startswith("Cover crops,Cover crops,") for line in saved)


def test_a_list_of_rows_groups_its_digits_and_leaves_to_row_and_file_what_has_no_room(cast: Cast) -> None:
    fill_season(cast)
    where = reverse("farm_kind", args=(cast.farm.handle, "harvest"))
    page = cast.client().get(where)
    texts = {cell.text for row in page.context["rows"].cells for cell in row}
    known = [str(row["bushels"]) for row in rows_of(cast.book)["harvest"].values()]
    bushels = next(one for one in known if len(one) == 4 and one.isdecimal())
    assert f"{int(bushels):,}" in texts
    left = page.context["left_out"]
    assert left
    shown = [column.label for column in page.context["rows"].columns]
    assert not set(left) & set(shown)
    assert "Each row, and the saved file, also says:" in page.content.decode()
    saved = cast.client().get(where, {"save": "csv", "table": "harvest"}).content.decode()
    assert all(label in saved.partition("\n")[0] for label in left)
    assert bushels in saved
    assert f"{int(bushels):,}" not in saved, "a file has numbers, not groups of digits"


def test_the_first_column_always_has_room_and_what_follows_only_as_long_as_there_is_some() -> None:
    columns = [Column("Row"), Column("Text"), Column("Day"), Column("Last")]
    rows = [[Cell("x" * ROOM), Cell("y"), Cell("2025-10-01"), Cell("z")]]
    assert [one.file_only for one in fitting(columns, rows)] == [False, True, True, True]
    assert not any(one.file_only for one in fitting(columns, [[Cell("a")] * 4]))


def test_what_every_row_says_alike_gives_way_to_what_tells_rows_apart() -> None:
    columns = [Column("Row"), Column("Alike"), Column("Result")]
    rows = [[Cell(key), Cell("x" * (ROOM // 12)), Cell(key * (ROOM // 20))] for key in "ab"]
    assert [one.file_only for one in fitting(columns, rows)] == [False, True, False]


def test_counties_of_records_are_named_and_saved_by_their_code(cast: Cast) -> None:
    book = open_book(cast.farm, BookKind.FARM, actor=BY)
    rows = {"HQ": "19169", "odd": "99999"}
    edits = [Edit("unit", name, {"unit_id": name, "acres": "80", "county_fips": code}) for name, code in rows.items()]
    change_book(book, edits, reason="typed", actor=BY)
    client, where = cast.client("owner"), reverse("farm_kind", args=(cast.farm.handle, "unit"))
    page = client.get(where).content.decode()
    assert "Story County, Iowa" in page
    assert "19169" not in page
    assert "99999" in page, "a code that is no county stays as it was typed"
    saved = b"".join(client.get(where, {"save": "csv", "table": "unit"})).decode()
    assert "19169" in saved
    row = (
        cast.client("reader").get(reverse("farm_row", args=(cast.farm.handle, "unit")), {"row": "HQ"}).content.decode()
    )
    assert "Story County, Iowa" in row
