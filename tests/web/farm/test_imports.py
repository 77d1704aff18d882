"""Files handed in on a page: each row seen with its source before it is written, nothing lost, nothing silent."""

from pathlib import Path

import pytest
from django.urls import reverse

from provender.database.models.accounts import LogRow
from provender.database.models.farm import BookImport, Change
from provender.database.store.record_books import check_chain
from provender.practices.assess import assess
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book
from provender.services.imports.steps import clear, folder_of
from tests.web.cast import Cast
from tests.web.farm_season import EXAMPLE, fill_season
from tests.web.importing import choose, file, hand_in, read_here, stored, table, wait, write

__all__ = ["read_here"]

here = pytest.mark.usefixtures("read_here")
LAND = KINDS["land_use"].fields["land_use"].options[0]

UNITS = table("unit", {"unit_id": "N40", "acres": "40"}, {"unit_id": "S80", "acres": "80"})
OPERATIONS = table(
    "operation",
    {"operation_id": "P1", "unit_id": "N40", "day": "2025-04-14", "operation": "Sprayer, kill crop"},
    {"operation_id": "P2", "unit_id": "N40", "day": "soon", "operation": "Sprayer, kill crop"},
)
FOREIGN = "Field,Acres planted,Bushels,Harvest date\nNorth forty,40,7200,10/14/2025\n"


def page_of(cast: Cast, begun: BookImport, *, part: str = "owner", **asked: str) -> str:
    given = cast.client(part).get(reverse("farm_import", args=(cast.farm.handle, begun.handle)), asked)
    assert given.status_code == 200
    return given.content.decode()


def test_a_row_is_shown_with_its_source_and_written_by_the_nod_as_one_change(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    shown = page_of(cast, begun)
    assert "unit.csv" in shown
    assert "row 2" in shown
    assert "Write 3 rows" in shown
    assert stored(cast, "unit") == {}
    before = Change.objects.filter(book=cast.book).count()
    assert write(cast, begun) == 302
    assert Change.objects.filter(book=cast.book).count() == before + 1
    assert stored(cast, "unit")["N40"]["acres"] == "40"
    assert stored(cast, "unit")["N40"]["farm_id"] == cast.farm.handle
    assert stored(cast, "farm")[cast.farm.handle]["name"] == "Ada's Farm"
    assert check_chain(cast.book) == []
    assert LogRow.objects.filter(organisation=cast.farm, deed="begin import").count() == 1


@here
def test_the_source_of_each_row_is_kept_in_the_book(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    write(cast, begun)
    rows = list(stored(cast, "source").values())
    of_unit = next(row for row in rows if row["key"] == "N40")
    assert (of_unit["file"], of_unit["row"], of_unit["kind"]) == ("unit.csv", "2", "unit")
    assert len(str(of_unit["sha256"])) == 64


@here
def test_several_files_at_once_are_one_change(cast: Cast) -> None:
    begun = hand_in(
        cast,
        file("unit.csv", UNITS),
        file("land_use.csv", table("land_use", {"unit_id": "N40", "year": "2024", "land_use": LAND})),
    )
    assert write(cast, begun) == 302
    assert len(stored(cast, "unit")) == 2
    assert list(stored(cast, "land_use")) == ['["N40", "2024"]']


@here
def test_a_row_that_cannot_be_read_stays_out_is_kept_and_withholds_what_rests_on_it(cast: Cast) -> None:
    fill_season(cast)
    before = FarmBook(cast.book, Change.objects.filter(book=cast.book).count()).records()
    begun = hand_in(cast, file("operation.csv", OPERATIONS.replace("N40", "G70")))
    shown = page_of(cast, begun)
    assert "Rows that stay out" in shown
    assert "soon" in shown
    write(cast, begun)
    assert "P2" not in stored(cast, "operation")
    assert "P1" in stored(cast, "operation")
    now = FarmBook(cast.book, Change.objects.filter(book=cast.book).count()).records()
    assert now.incomplete_rows.height == before.incomplete_rows.height + 1
    assert any(problem.code == "rejected_rows" for problem in now.problems)
    assert all("provender import" not in problem.remedy for problem in now.problems)


@here
def test_a_rejected_row_is_corrected_in_place(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS), file("operation.csv", OPERATIONS))
    (row,) = wait(begun).rejected
    day = [name for name, _ in row.cells].index("day")
    found = choose(cast, begun, "correct", {"path": row.path, f"cell-{row.row}-{day}": "2025-05-01"})
    assert found.rejected == ()
    write(cast, begun)
    assert stored(cast, "operation")["P2"]["day"] == "2025-05-01"
    assert stored(cast, "file") == {} or not any(name.startswith("rejected/") for name in stored(cast, "file"))


@here
def test_a_table_that_lacks_columns_that_may_be_blank_goes_in(cast: Cast) -> None:
    found = wait(hand_in(cast, file("unit.csv", "unit_id,acres\nN40,40\n")))
    assert found.rejected == ()
    (unit,) = [row for row in found.rows if row.kind == "unit"]
    assert (unit.texts["acres"], unit.file) == ("40", "unit.csv")


@here
def test_the_order_of_days_and_an_unknown_field_are_asked_about_on_the_page(cast: Cast) -> None:
    passes = "operation_id,unit_id,day,operation\nO1,north 41,5/4/2026,Combine\n"
    begun = hand_in(cast, file("unit.csv", "unit_id,acres\nNORTH40,40\n"), file("operation.csv", passes))
    assert "north 41" in [text for row in wait(begun).rejected for _, text in row.cells]
    page = cast.client("owner").get(reverse("farm_import", args=(cast.farm.handle, begun.handle))).content.decode()
    assert "How are the days written?" in page
    assert 'value="north 41"' in page
    choose(cast, begun, "units", {"name": "north 41", "unit": "NORTH40"})
    found = choose(cast, begun, "dates", {"order": "dmy"})
    assert found.rejected == ()
    (operation,) = [row for row in found.rows if row.kind == "operation"]
    assert (operation.texts["unit_id"], operation.texts["day"]) == ("NORTH40", "2026-04-05")


@here
def test_a_name_of_several_meanings_is_chosen_on_the_page_and_remembered(cast: Cast) -> None:
    passes = "operation_id,unit_id,day,operation\nO1,NORTH40,2026-04-05,disk\n"
    begun = hand_in(cast, file("unit.csv", "unit_id,acres\nNORTH40,40\n"), file("operation.csv", passes))
    wait(begun)
    page = cast.client("owner").get(reverse("farm_import", args=(cast.farm.handle, begun.handle))).content.decode()
    assert '<option value="Disk, offset, heavy">' in page
    assert page.index("What is it called in the list?") < page.index("/write/"), "what is asked comes first"
    said = {"about_word": "operation", "typed": "disk", "means": "Disk, offset, heavy"}
    found = choose(cast, begun, "words", said)
    (operation,) = [row for row in found.rows if row.kind == "operation"]
    assert (operation.texts["operation"], operation.texts["as_typed"]) == ("Disk, offset, heavy", "disk")
    page = cast.client("owner").get(reverse("farm_import", args=(cast.farm.handle, begun.handle))).content.decode()
    assert "When that is answered" not in page
    assert "/write/" in page
    (word,) = [row for row in found.rows if row.kind == "word"]
    assert (word.texts["typed"], word.texts["means"]) == ("disk", "Disk, offset, heavy")


@here
def test_a_rejected_row_that_does_not_count_leaves_no_mark(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS), file("operation.csv", OPERATIONS))
    (row,) = wait(begun).rejected
    found = choose(cast, begun, "correct", {"path": row.path, f"drop-{row.row}": "yes"})
    assert found.rejected == ()
    assert not any(name.startswith("rejected/") for name in found.files)


@here
def test_rejected_rows_of_the_book_are_corrected_later(cast: Cast) -> None:
    write(cast, hand_in(cast, file("unit.csv", UNITS), file("operation.csv", OPERATIONS)))
    assert any(name.startswith("rejected/") for name in stored(cast, "file"))
    given = cast.client().post(reverse("farm_import_rejected", args=(cast.farm.handle,)))
    begun = BookImport.objects.get(handle=given.headers["Location"].rstrip("/").rpartition("/")[2])
    (row,) = wait(begun).rejected
    day = [name for name, _ in row.cells].index("day")
    choose(cast, begun, "correct", {"path": row.path, f"cell-{row.row}-{day}": "2025-05-01"})
    assert write(cast, begun) == 302
    assert stored(cast, "operation")["P2"]["day"] == "2025-05-01"
    assert not any(name.startswith("rejected/") for name in stored(cast, "file"))


@here
def test_a_foreign_table_is_read_once_its_kind_and_columns_are_chosen_and_the_map_is_kept(cast: Cast) -> None:
    write(cast, hand_in(cast, file("unit.csv", UNITS)))
    begun = hand_in(cast, file("yields 2025.csv", FOREIGN))
    (sheet,) = wait(begun).layouts
    assert sheet.target == ""
    assert sheet.headings[0] == "Field"
    assert sheet.samples[0] == ("North forty",)
    assert "What its 1 row is" in page_of(cast, begun)
    (sheet,) = choose(cast, begun, "kind", {"number": "0", "kind": "harvest"}).layouts
    assert sheet.target == "harvest"
    assert not sheet.confirmed
    fields = {"field-0": "unit_id", "field-2": "bushels", "unit-2": "bu", "field-3": "last_day", "date_order": "mdy"}
    found = choose(cast, begun, "map", {"number": "0", "keep": "yes", **fields})
    assert found.layouts[0].confirmed
    found = choose(cast, begun, "units", {"name": "North forty", "unit": "N40"})
    lying = [row.why for row in found.rejected]
    assert any("crop" in why for why in lying) or found.rows  # a harvest needs its crop: the page says so
    assert any(name.startswith("maps/harvest-") for name in found.files)
    write(cast, begun)
    again = hand_in(cast, file("yields 2026.csv", FOREIGN.replace("2025", "2024")))
    assert wait(again).layouts[0].confirmed


@here
def test_blanks_are_completed_in_place_for_one_row_and_for_all(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", table("unit", {"unit_id": "N40"}, {"unit_id": "S80"})))
    where = reverse("farm_import_row", args=(cast.farm.handle, begun.handle)) + "?kind=unit&row=%5B%22N40%22%5D"
    assert cast.client().get(where).status_code == 200
    assert cast.client().post(where, {"acres": "40.5", "seen_version": "1"}).status_code == 302
    wait(begun)
    found = choose(cast, begun, "fill", {"kind": "unit", "column": "acres", "text": "80"})
    acres = {row.texts["unit_id"]: row.texts["acres"] for row in found.rows if row.kind == "unit"}
    assert acres == {"N40": "40.5", "S80": "80"}


@here
def test_what_cannot_fill_a_column_is_told_and_not_kept(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    client = cast.client()
    said = {"about": "fill", "kind": "unit", "column": "acres", "text": "many"}
    client.post(reverse("farm_import_choose", args=(cast.farm.handle, begun.handle)), said)
    begun.refresh_from_db()
    assert begun.attempt == 1
    assert "message error" in client.get(reverse("farm_import", args=(cast.farm.handle, begun.handle))).content.decode()


@here
def test_where_book_and_file_differ_the_person_says_which_counts(cast: Cast) -> None:
    write(cast, hand_in(cast, file("unit.csv", UNITS)))
    begun = hand_in(cast, file("unit.csv", UNITS.replace("N40,,40", "N40,,41")))
    assert "Where book and file differ" in page_of(cast, begun)
    assert len(wait(begun).rejected) == 1
    found = choose(cast, begun, "replace", {"counts": "file"})
    assert [row.texts["acres"] for row in found.rows] == ["41"]
    assert found.rejected == ()
    assert "was 40" in page_of(cast, begun)
    write(cast, begun)
    assert stored(cast, "unit")["N40"]["acres"] == "41"


@here
def test_a_doubtful_import_is_written_only_by_someone_who_looked(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    write(cast, begun)
    square = (
        '{"type":"Feature","properties":{"unit_id":"N40"},"geometry":{"type":"Polygon","coordinates":'
        "[[[-93.6,42.0],[-93.59,42.0],[-93.59,42.01],[-93.6,42.01],[-93.6,42.0]]]}}"
    )
    map_ = hand_in(cast, file("fields.geojson", square))
    assert "I have looked" in page_of(cast, map_)
    head = Change.objects.filter(book=cast.book).count()
    assert write(cast, map_, looked="") == 302
    assert Change.objects.filter(book=cast.book).count() == head
    assert write(cast, map_) == 302
    assert Change.objects.filter(book=cast.book).count() == head + 1
    assert "boundaries/N40.geojson" in stored(cast, "file")


@here
def test_a_row_beside_another_of_its_crop_is_asked_about_before_it_is_written(cast: Cast) -> None:
    fill_season(cast)
    key, known = next(iter(stored(cast, "planting").items()))
    entry, day = str(known["harvest_id"]), str(known["planted_on"])
    again = table("planting", {"planting_id": "again", "harvest_id": entry, "planted_on": "2025-05-20"})
    begun = hand_in(cast, file("planting.csv", again))
    (told,) = [one for one in wait(begun).problems if one.code == "another_row"]
    assert f"{entry} has a row of" in told.cause
    assert f"{key} of {day}" in told.cause
    assert (told.place.file, told.place.row) == ("planting.csv", 2)
    assert "I have looked" in page_of(cast, begun)
    head = Change.objects.filter(book=cast.book).count()
    write(cast, begun, looked="")
    assert Change.objects.filter(book=cast.book).count() == head
    write(cast, begun)
    assert "again" in stored(cast, "planting")
    same = hand_in(cast, file("planting.csv", again.replace("2025-05-20", "2025-05-21")))
    assert not [one for one in wait(same).problems if one.code == "another_row"], "a correction is no second row"


@here
def test_a_book_that_changed_meanwhile_is_read_again_before_anything_is_written(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    other = hand_in(cast, file("unit.csv", table("unit", {"unit_id": "E10", "acres": "10"})))
    write(cast, other)
    assert write(cast, begun) == 302
    assert "N40" not in stored(cast, "unit")
    wait(begun)
    assert write(cast, begun) == 302
    assert sorted(stored(cast, "unit")) == ["E10", "N40", "S80"]


@here
def test_an_import_is_written_once(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    assert [write(cast, begun), write(cast, begun)] == [302, 409]
    assert not folder_of(begun).exists()


@here
def test_giving_up_writes_nothing(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    cast.client().post(reverse("farm_import_give_up", args=(cast.farm.handle, begun.handle)))
    assert stored(cast, "unit") == {}
    assert "Given up" in page_of(cast, begun)


@here
def test_the_whole_example_season_handed_in_file_by_file_is_judged_as_the_command_line_judges_it(cast: Cast) -> None:
    # The cast begins with a row that says too little; while it stands, nothing about the land's crops is shown.
    change_book(cast.book, [Edit("harvest", "h1", None)], reason="entered by mistake", actor=cast.actor("owner"))
    paths = sorted(EXAMPLE.glob("*.csv"))
    begun = hand_in(cast, *(file(path.name, path.read_bytes()) for path in paths))
    found = wait(begun)
    assert found.rejected == (), found.rejected[:3]
    assert write(cast, begun) == 302
    here = assess(FarmBook(cast.book, Change.objects.filter(book=cast.book).count()).records())
    there = assess(load_book(EXAMPLE))

    def verdicts(judged: object) -> dict[tuple[str, str], object]:
        intervals = judged.intervals  # type: ignore[attr-defined]
        return {
            (one.harvest_id, str(each.practice)): each.implementation for one in intervals for each in one.practices
        }

    assert verdicts(here).items() >= verdicts(there).items()


def test_a_reading_that_was_lost_says_so_and_can_be_begun_again(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    clear(begun)
    assert "Reading stopped" in page_of(cast, begun)
    cast.client().post(reverse("farm_import_again", args=(cast.farm.handle, begun.handle)))
    begun.refresh_from_db()
    wait(begun)
    assert "Write 3 rows" in page_of(cast, begun)


@here
def test_progress_tells_the_page_to_load_when_the_files_are_read(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    given = cast.client().get(reverse("farm_import_progress", args=(cast.farm.handle, begun.handle)))
    assert given.headers["HX-Refresh"] == "true"


@here
def test_one_farm_never_sees_the_import_of_another(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    client = cast.client("stranger")
    assert client.get(reverse("farm_import", args=(cast.elevator.handle, begun.handle))).status_code == 404


@here
@pytest.mark.parametrize("name", ["template.xlsx"])
def test_the_template_handed_in_as_it_is_says_that_nothing_is_new(cast: Cast, name: str, tmp_path: Path) -> None:
    workbook = cast.client().get(reverse("farm_template", args=(cast.farm.handle,))).content
    begun = hand_in(cast, file(name, workbook))
    assert wait(begun).rejected == ()
    assert [row.kind for row in wait(begun).rows] in ([], ["farm"])
