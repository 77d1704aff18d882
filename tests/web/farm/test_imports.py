"""Files handed in on a page: each row seen with its source and its crop entry before it is written, nothing lost."""

import pytest
from django.template.loader import render_to_string
from django.urls import reverse

from provender.database.models.accounts import LogRow
from provender.database.models.farm import BookImport, Change
from provender.database.store.record_books import check_chain
from provender.practices.assess import assess
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.services.farm.book import Edit, FarmBook, change_book, latest
from provender.services.imports.request import ImportResult
from provender.services.imports.steps import clear, folder_of
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import all_of
from tests.web.cast import Cast
from tests.web.farm.test_api_imports import about, begin
from tests.web.farm.test_api_imports import choose as choose_by_program
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
def test_several_files_at_once_are_one_change_written_once_with_the_source_of_each_row(cast: Cast) -> None:
    begun = hand_in(
        cast,
        file("unit.csv", UNITS),
        file("land_use.csv", table("land_use", {"unit_id": "N40", "year": "2024", "land_use": LAND})),
    )
    head = Change.objects.filter(book=cast.book).count()
    assert [write(cast, begun), write(cast, begun)] == [302, 409]
    assert Change.objects.filter(book=cast.book).count() == head + 1
    assert not folder_of(begun).exists()
    assert len(stored(cast, "unit")) == 2
    assert list(stored(cast, "land_use")) == ['["N40", "2024"]']
    of_unit = next(row for row in stored(cast, "source").values() if row["key"] == "N40")
    assert (of_unit["file"], of_unit["row"], of_unit["kind"]) == ("unit.csv", "2", "unit")
    assert len(str(of_unit["sha256"])) == 64


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
    page = page_of(cast, begun)
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
    page = page_of(cast, begun)
    assert '<option value="Disk, offset, heavy">' in page
    assert page.index("What is it called in the list?") < page.index("/write/"), "what is asked comes first"
    said = {"about_word": "operation", "typed": "disk", "means": "Disk, offset, heavy"}
    found = choose(cast, begun, "words", said)
    (operation,) = [row for row in found.rows if row.kind == "operation"]
    assert (operation.texts["operation"], operation.texts["as_typed"]) == ("Disk, offset, heavy", "disk")
    page = page_of(cast, begun)
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
def test_what_cannot_fill_a_column_is_told_and_giving_up_writes_nothing(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS))
    client = cast.client()
    progress = client.get(reverse("farm_import_progress", args=(cast.farm.handle, begun.handle)))
    assert progress.headers["HX-Refresh"] == "true", "the page is told to load when the files are read"
    elsewhere = reverse("farm_import", args=(cast.elevator.handle, begun.handle))
    assert cast.client("stranger").get(elsewhere).status_code == 404, "one farm never sees the import of another"
    said = {"about": "fill", "kind": "unit", "column": "acres", "text": "many"}
    client.post(reverse("farm_import_choose", args=(cast.farm.handle, begun.handle)), said)
    begun.refresh_from_db()
    assert begun.attempt == 1
    assert "message error" in client.get(reverse("farm_import", args=(cast.farm.handle, begun.handle))).content.decode()
    client.post(reverse("farm_import_give_up", args=(cast.farm.handle, begun.handle)))
    assert stored(cast, "unit") == {}
    assert "Given up" in page_of(cast, begun)


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
def test_the_template_handed_in_as_it_is_says_that_nothing_is_new(cast: Cast) -> None:
    workbook = cast.client().get(reverse("farm_template", args=(cast.farm.handle,))).content
    begun = hand_in(cast, file("template.xlsx", workbook))
    assert wait(begun).rejected == ()
    assert [row.kind for row in wait(begun).rows] in ([], ["farm"])


@here
def test_an_import_without_rows_says_what_it_keeps(cast: Cast) -> None:
    fill_season(cast)
    rejected = hand_in(cast, file("planting.csv", "planting_id,harvest_id,planted_on\nP9,G70-2025,gold\n"))
    assert not wait(rejected).rows
    page = page_of(cast, rejected)
    assert "Keep 1 row to be corrected</button>" in page
    assert "Write 0" not in page


@pytest.mark.parametrize(
    ("kept", "button"),
    [(1, "Keep 1 file as evidence"), (2, "Keep 2 files as evidence"), (0, "Write what is settled")],
)
def test_files_that_bring_no_row_are_kept_as_evidence(cast: Cast, kept: int, button: str) -> None:
    files = {f"evidence/{at}.pdf": at for at in range(kept)}
    found = ImportResult((), {"rejected/unit.csv": None}, (), files, (), (), (), (), ())
    shown = render_to_string(
        "farm/import_write.html", {"found": found, "organisation": cast.farm, "begun": BookImport(handle="x")}
    )
    assert f">{button}</button>" in shown


APPLIED = "Field,Date,Product,{rate},Method\nG70,2025-05-21,Urea,{amount},broadcast\n"


@here
@pytest.mark.parametrize(
    ("heading", "amount", "taken"),
    [
        ("Rate (lb/ac)", "100", ("100", "lb/ac")),
        ("Rate [gal/ac]", "10", ("10", "gal/ac")),
        ("Rate (kg/ha)", "112", ("99.924", "lb/ac")),
        ("N (lb/ac)", "46", None),
    ],
)
def test_a_heading_says_the_unit_of_its_column(
    cast: Cast, heading: str, amount: str, taken: tuple[str, str] | None
) -> None:
    fill_season(cast)
    begun = hand_in(cast, file("applied.csv", APPLIED.format(rate=heading, amount=amount)))
    found = wait(begun)
    assert [one.cause for one in found.problems if "cannot be turned" in one.cause] == []
    (row,) = [row.texts for row in found.rows if row.kind == "nutrient_application"]
    if taken:
        assert (row["rate"], row["rate_unit"]) == taken
    else:
        assert row["n_lb_per_ac"] == amount


@here
def test_ambiguous_products_are_asked_with_their_grades(cast: Cast) -> None:
    fill_season(cast)
    text = APPLIED.format(rate="Rate (gal/ac)", amount="10").replace("Urea", "UAN")
    begun = hand_in(cast, file("applied.csv", text))
    assert '<option value="UAN 32">UAN 32 (32-0-0)</option>' in page_of(cast, begun)


HEADING = "Field,Crop,Date Planted\n"
DAYS = {"N24": "2024-10-02", "N25": "2025-10-15"}


@pytest.fixture
def farm(cast: Cast) -> Cast:
    """Let the farm have one field with two harvests of corn and a crop that stands."""
    edits = [Edit("harvest", "h1", None), Edit("unit", "N40", {"unit_id": "N40", "acres": "40"})]
    crops = {name: {"ending": "harvested", "first_day": day, "last_day": day} for name, day in DAYS.items()}
    for name, said in {**crops, "N26": {"ending": "not_yet"}}.items():
        edits.append(Edit("harvest", name, {"harvest_id": name, "unit_id": "N40", "crop": "corn", **said}))
    change_book(cast.book, edits, reason="a field", actor=cast.actor("owner"))
    return cast


@here
def test_the_preview_shows_which_entry_a_row_got_and_why_and_the_row_keeps_it(farm: Cast) -> None:
    begun = hand_in(farm, file("planting.csv", HEADING + "N40,Corn,5/1/2025\n"))
    shown = page_of(farm, begun)
    assert "was taken for the crop entry N25 (corn, harvested" in shown
    assert "the only one that fits by field, crop and day" in shown
    assert write(farm, begun) == 302
    (row,) = stored(farm, "planting").values()
    assert row["harvest_id"] == "N25"
    assert "Crop entry chosen by field, crop and day, from 'N40 (corn)'." in str(row["note"])


@here
def test_where_several_fit_the_page_lets_one_be_chosen_from_a_list(farm: Cast) -> None:
    begun = hand_in(farm, file("planting.csv", HEADING + "N40,Corn,\n"))
    shown = page_of(farm, begun)
    assert all(f"<option>{name}</option>" in shown for name in ("N24", "N25", "N26"))
    (row,) = wait(begun).rejected
    at = next(index for index, (name, _) in enumerate(row.cells) if name == "harvest_id")
    found = choose(farm, begun, "correct", {"path": row.path, f"cell-{row.row}-{at}": "N24"})
    assert not found.rejected
    assert not [one for one in found.problems if one.code == "entry_asked"], "what is settled is told no more"
    assert [one.texts["harvest_id"] for one in found.rows if one.kind == "planting"] == ["N24"]


@here
def test_where_none_fits_the_page_offers_the_entry_and_nothing_is_added_before_a_nod(farm: Cast) -> None:
    begun = hand_in(farm, file("planting.csv", HEADING + "N40,Soybeans,5/1/2026\nN40,Soybeans,5/3/2026\n"))
    shown = page_of(farm, begun)
    assert shown.count("Add this crop") == 1, "asked once for all rows"
    assert "N40-soybeans-2026" in shown
    said = {"name": "N40-soybeans-2026", "crop": "soybeans", "ending": "harvested", "day": ""}
    assert len(choose(farm, begun, "entry", said).rejected) == 2, "of one that has ended the day is needed"
    found = choose(farm, begun, "entry", {**said, "ending": "not_yet"})
    assert not found.rejected
    assert {one.kind for one in found.rows} >= {"harvest", "planting"}
    assert "N40-soybeans-2026 is added with these rows" in page_of(farm, begun)
    assert len(choose(farm, begun, "entry", {"name": "N40-soybeans-2026"}).rejected) == 2, "and it is taken back"
    choose(farm, begun, "entry", {**said, "ending": "not_yet"})
    write(farm, begun)
    assert stored(farm, "harvest")["N40-soybeans-2026"]["ending"] == "not_yet"
    assert {row["harvest_id"] for row in stored(farm, "planting").values()} == {"N40-soybeans-2026"}


@here
def test_a_program_is_asked_the_same_and_answers_it(farm: Cast) -> None:
    secret = farm.token_secret
    one = begin(secret, ("planting.csv", HEADING + "N40,Corn,5/1/2025\nN40,Corn,\nN40,Soybeans,5/1/2026\n"))
    asked = data(get(f"/imports/{one['code']}", secret))
    assert about(asked).count("entries") == 1
    assert about(asked).count("rejected") == 2
    rejected = all_of(f"/imports/{one['code']}/rejected", secret)
    assert [row["entries"] for row in rejected] == [["N24", "N25", "N26"], []]
    told = [each["code"] for each in all_of(f"/imports/{one['code']}/problems", secret)]
    assert {"entry_chosen", "entry_asked", "entry_missing"} <= set(told)
    first = rejected[0]
    cells = {"harvest_id": "N24"}
    choose_by_program(
        secret,
        one,
        entries=[{"name": "N40-soybeans-2026"}],
        rejected=[{"path": first["path"], "row": first["row"], "cells": cells}],
    )
    rows = all_of(f"/imports/{one['code']}/rows", secret)
    named = sorted(row["row"]["harvest_id"] for row in rows if row["kind"] == "planting")
    assert named == ["N24", "N25", "N40-soybeans-2026"]


@here
def test_an_entry_that_nobody_needs_is_refused(farm: Cast) -> None:
    secret = farm.token_secret
    one = begin(secret, ("planting.csv", HEADING + "N40,Soybeans,5/1/2026\n"))
    attempt = data(get(f"/imports/{one['code']}", secret))["attempt"]
    for number, wrong in enumerate(({"name": "X"}, {"name": "N40-soybeans-2026", "crop": "gold"})):
        body = {"attempt": attempt, "entries": [wrong]}
        assert post(f"/imports/{one['code']}/choices", secret, body, f"wrong-{number}").status_code == 409


def planting(key: str, day: str, **more: str) -> dict[str, str]:
    return {"planting_id": key, "harvest_id": "N26", "planted_on": day, **more}


def test_a_second_planting_typed_on_the_page_is_asked_about_once(farm: Cast) -> None:
    where = reverse("farm_row", args=(farm.farm.handle, "planting"))

    def typed(**row: str) -> int:
        return farm.client().post(where, {**row, "seen_version": str(latest(farm.book).version)}).status_code

    assert typed(**planting("P1", "2026-04-20")) == 302
    given = farm.client().post(where, {**planting("P2", "2026-05-09"), "seen_version": str(latest(farm.book).version)})
    assert given.status_code == 200
    assert "N26 has a row of" in given.content.decode()
    assert "It is right beside the one that stands" in given.content.decode()
    assert set(stored(farm, "planting")) == {"P1"}
    assert typed(**planting("P2", "2026-05-09"), both_are_meant="on") == 302
    assert typed(**planting("P3", "2026-05-20", replant="yes")) == 302, "declared as such"
    assert set(stored(farm, "planting")) == {"P1", "P2", "P3"}


def test_a_second_entry_of_a_crop_and_year_typed_on_the_page_is_asked_about(farm: Cast) -> None:
    where = reverse("farm_row", args=(farm.farm.handle, "harvest"))
    row = {"harvest_id": "N25b", "unit_id": "N40", "crop": "corn", "first_day": "2025-10-20", "last_day": "2025-10-20"}
    version = str(latest(farm.book).version)
    given = farm.client().post(where, {**row, "ending": "harvested", "seen_version": version})
    assert "N40 has a crop entry of corn 2025 already: N25." in given.content.decode()
    soy = {**row, "crop": "soybeans", "ending": "harvested", "seen_version": version}
    assert farm.client().post(where, soy).status_code == 302, "a double crop is none"


def test_a_program_says_that_it_looked_before_a_second_row_is_written(farm: Cast) -> None:
    secret, version = farm.token_secret, latest(farm.book).version
    edits = [
        {"kind": "planting", "row": planting(key, day)} for key, day in (("P1", "2026-04-20"), ("P2", "2026-05-09"))
    ]
    body = {"reason": "planted", "after": version, "edits": edits}
    refused = post("/records/changes", secret, body, "second-1")
    assert refused.status_code == 409
    assert "another_row" in refused.content.decode()
    assert "edits.1" in refused.content.decode()
    assert not stored(farm, "planting")
    assert post("/records/changes", secret, {**body, "looked": True}, "second-2").status_code == 201
    again = {"reason": "corrected", "after": latest(farm.book).version, "edits": [
        {"kind": "planting", "row": planting("P2", "2026-05-10")}
    ]}  # fmt: skip
    assert post("/records/changes", secret, again, "second-3").status_code == 201, "a correction is no second row"
