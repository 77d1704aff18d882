"""Files handed in on a page or by a program: each row seen with its source before it is written once, nothing lost.

What is not clear is asked about: kinds, columns, names, days, crop entries, and rows beside others of their crop.
"""

import json
from base64 import b64encode
from datetime import date, timedelta
from typing import Any

import pytest
from django.urls import reverse

from provender.database.choices import Role
from provender.database.models.accounts import LogRow
from provender.database.models.farm import BookImport, BookKind, Change, check_chain, rows_of
from provender.formats import child
from provender.formats.spreadsheet import MOST_RECORDS
from provender.records.folder import load_book
from provender.records.kind import KINDS
from provender.services.accounts.organisations import create_organisation
from provender.services.background import ANSWER_BYTES, OUTCOME
from provender.services.farm.book import Edit, farm_book_of, open_book
from provender.services.imports.job import clear, folder_of
from provender.services.imports.worker import ImportResult
from provender.verdicts.assess import Assessment, assess
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import all_of, token
from tests.web.cast import Cast
from tests.web.farm_season import EXAMPLE, at, put, seen
from tests.web.importing import answer, file, hand_in, send, stored, table, wait, write

pytestmark = pytest.mark.usefixtures("read_here", "parsed_here")

UNITS = table("unit", {"unit_id": "N40", "acres": "40"}, {"unit_id": "S80", "acres": "80"})
SPRAY = {"unit_id": "N40", "operation": "Sprayer, kill crop"}
OPERATIONS = table("operation", {**SPRAY, "operation_id": "P1", "day": "2025-04-14"},
                   {**SPRAY, "operation_id": "P2", "day": "soon"}, {**SPRAY, "operation_id": "P3", "day": "later"},
                   )  # fmt: skip
FOREIGN = "Field,Acres planted,Bushels,Harvest date\nNorth forty,40,7200,10/14/2025\n"


def page_of(cast: Cast, begun: BookImport) -> str:
    given = cast.client().get(at(cast, "farm_import", begun.handle))
    assert given.status_code == 200
    return given.content.decode()


def changes(cast: Cast) -> int:
    return Change.objects.filter(book=cast.book).count()


def test_rows_are_seen_with_their_source_and_written_once_as_one_change(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    land_use = KINDS["land_use"].fields["land_use"].options[0]
    used = table("land_use", {"unit_id": "N40", "year": "2024", "land_use": land_use})
    begun = hand_in(cast, file("unit.csv", UNITS), file("land_use.csv", used))
    clear(begun)
    assert "Reading stopped" in page_of(cast, begun), "a reading that was lost says so and can be begun again"
    monkeypatch.undo()  # now the real process beside the server reads
    cast.client().post(at(cast, "farm_import_again", begun.handle))
    begun.refresh_from_db()
    wait(begun)
    shown = page_of(cast, begun)
    for words in ("unit.csv", "row 2", "Write 4 rows"):
        assert words in shown
    assert stored(cast, "unit") == {}
    before = changes(cast)
    assert [write(cast, begun), write(cast, begun)] == [302, 409]
    assert changes(cast) == before + 1
    assert not folder_of(begun).exists()
    assert (stored(cast, "unit")["N40"]["acres"], stored(cast, "unit")["N40"]["farm_id"]) == ("40", cast.farm.handle)
    assert stored(cast, "farm")[cast.farm.handle]["name"] == "Ada's Farm"
    assert list(stored(cast, "land_use")) == ['["N40", "2024"]']
    of_unit = next(row for row in stored(cast, "source").values() if row["key"] == "N40")
    assert (of_unit["file"], of_unit["row"], len(str(of_unit["sha256"]))) == ("unit.csv", "2", 64)
    assert check_chain(cast.book) == []
    assert LogRow.objects.filter(organisation=cast.farm, deed="begin import").count() == 1


def test_a_row_that_cannot_be_read_stays_out_is_kept_and_withholds_what_rests_on_it(season: Cast) -> None:
    before = farm_book_of(season.farm).records()
    begun = hand_in(season, file("operation.csv", OPERATIONS.replace("N40", "G70")))
    shown = page_of(season, begun)
    assert "Rows that stay out" in shown
    assert "soon" in shown
    write(season, begun)
    assert {"P1", "P2"} & set(stored(season, "operation")) == {"P1"}
    now = farm_book_of(season.farm).records()
    assert len(now.incomplete_rows) == len(before.incomplete_rows) + 2
    assert any(problem.code == "rejected_rows" for problem in now.problems)
    assert all("provender import" not in problem.remedy for problem in now.problems)


def test_rejected_rows_are_corrected_or_dropped_in_place_or_later(cast: Cast) -> None:
    begun = hand_in(cast, file("unit.csv", UNITS), file("operation.csv", OPERATIONS))
    assert [str(row.place) for row in wait(begun).rejected] == ["operation.csv, row 3", "operation.csv, row 4"]
    (second,) = send(cast, begun, {"cell-0-day": "2025-05-01"}).rejected
    assert "later" in [text for _, text in second.cells]
    assert write(cast, begun) == 302
    assert stored(cast, "operation")["P2"]["day"] == "2025-05-01"
    assert any(name.startswith("rejected/") for name in stored(cast, "file"))
    given = cast.client().post(at(cast, "farm_import_rejected"))
    later = BookImport.objects.get(handle=given.headers["Location"].rstrip("/").rpartition("/")[2])
    assert len(wait(later).rejected) == 1
    found = send(cast, later, {"drop-0": "yes"})
    assert found.rejected == ()
    assert write(cast, later) == 302
    assert "P3" not in stored(cast, "operation")
    assert not any(name.startswith("rejected/") for name in stored(cast, "file"))


def test_as_many_rows_as_a_table_may_have_can_all_stay_out(cast: Cast) -> None:
    lines = "".join(f"P{at},G{at % 9},2025-13-01,Nothing known {at},4,5\n" for at in range(150))
    begun = hand_in(cast, file("operation.csv", f"operation_id,unit_id,day,operation,depth_in,speed_mph\n{lines}"))
    assert (folder_of(begun) / OUTCOME).stat().st_size * MOST_RECORDS < 150 * ANSWER_BYTES, "the largest has room"
    shown = page_of(cast, begun)
    assert shown.count("This row does not count") == 100
    assert "50 more rows will show here once you correct these" in shown
    found = send(cast, begun, {f"drop-{at}": "yes" for at in range(100)}).rejected
    assert [str(row.place) for row in found] == [f"operation.csv, row {at}" for at in range(102, 152)]


def test_what_is_not_clear_is_asked_about(cast: Cast) -> None:
    passes = "operation_id,unit_id,day,operation\nO1,north 41,5/4/2026,disk\n"
    begun = hand_in(cast, file("unit.csv", "unit_id,acres\nNORTH40,40\n"), file("operation.csv", passes))
    (unit,) = [row for row in wait(begun).rows if row.kind == "unit"]
    assert (unit.texts["acres"], unit.place.file) == ("40", "unit.csv")
    assert "north 41" in [text for row in wait(begun).rejected for _, text in row.cells]
    page = page_of(cast, begun)
    assert "Does the month or the day come first?" in page
    assert "Which field is &#x27;north 41&#x27;?" in page
    assert answer(cast, begun, **{"unit|north 41": "NORTH40", "dates|": "dmy"}).rejected == ()
    page = page_of(cast, begun)
    assert '<option value="Disk, offset, heavy">' in page
    assert page.index("What is &#x27;disk&#x27;?") < page.index("/write/"), "what is asked comes first"
    found = answer(cast, begun, **{"word|operation|disk": "Disk, offset, heavy"})
    (texts,) = [row.texts for row in found.rows if row.kind == "operation"]
    assert (texts["unit_id"], texts["day"]) == ("NORTH40", "2026-04-05")
    assert (texts["operation"], texts["as_typed"]) == ("Disk, offset, heavy", "disk")
    page = page_of(cast, begun)
    assert "When that is answered" not in page
    assert "/write/" in page
    (word,) = [row for row in found.rows if row.kind == "word"]
    assert (word.texts["typed"], word.texts["means"]) == ("disk", "Disk, offset, heavy")


def test_a_foreign_table_is_read_once_its_kind_and_columns_are_chosen_and_the_map_is_kept(cast: Cast) -> None:
    write(cast, hand_in(cast, file("unit.csv", UNITS)))
    begun = hand_in(cast, file("yields 2025.csv", FOREIGN))
    (sheet,) = wait(begun).questions
    assert (sheet.about, sheet.example.partition(",")[0], sheet.rows) == ("sheet", "Field", 1)
    assert "yields 2025.csv: what are its rows?" in page_of(cast, begun)
    found = answer(cast, begun, **{"sheet|": "harvest"})
    (at, columns) = next((at, one) for at, one in enumerate(found.questions) if one.about == "columns")
    assert (columns.target, columns.columns[0].samples) == ("harvest", ("North forty",))
    meant = {"means-0": "unit_id", "means-2": "bushels", "in-2": "bu", "means-3": "last_day"}
    fields = {f"{name.partition('-')[0]}-{at}-{name.partition('-')[2]}": text for name, text in meant.items()}
    found = send(cast, begun, {f"answer-{at}": "yes", f"order-{at}": "mdy", f"decimal-{at}": ".", **fields})
    assert "columns" not in {one.about for one in found.questions}
    found = answer(cast, begun, **{"unit|North forty": "N40"})
    assert any("Crop" in row.why for row in found.rejected), "a harvest needs its crop: the page says so"
    assert any(name.startswith("maps/harvest-") for name in found.files)
    write(cast, begun)
    again = hand_in(cast, file("yields 2026.csv", FOREIGN.replace("2025", "2024")))
    assert "columns" not in {one.about for one in wait(again).questions}, "the columns are remembered"
    assert not any("North forty" in row.why for row in wait(again).rejected), "and so is the field"


def test_what_cannot_fill_a_column_is_told_and_giving_up_writes_nothing(cast: Cast) -> None:
    begun, client = hand_in(cast, file("unit.csv", UNITS)), cast.client()
    progress = client.get(at(cast, "farm_import_progress", begun.handle))
    assert progress.headers["HX-Refresh"] == "true", "the page is told to load when the files are read"
    elsewhere = reverse("farm_import", args=(cast.elevator.handle, begun.handle))
    assert cast.client("stranger").get(elsewhere).status_code == 404, "one farm never sees the import of another"
    client.post(at(cast, "farm_import_answer", begun.handle), {"fill": "unit", "column": "acres", "text": "many"})
    begun.refresh_from_db()
    assert begun.attempt == 1
    assert "message error" in client.get(at(cast, "farm_import", begun.handle)).content.decode()
    client.post(at(cast, "farm_import_give_up", begun.handle))
    assert stored(cast, "unit") == {}
    assert "Given up" in page_of(cast, begun)


def test_where_book_and_file_differ_the_person_says_which_counts(cast: Cast) -> None:
    write(cast, hand_in(cast, file("unit.csv", UNITS)))
    begun = hand_in(cast, file("unit.csv", UNITS.replace("N40,,40", "N40,,41")))
    assert "Book and file say different things" in page_of(cast, begun)
    assert len(wait(begun).rejected) == 1
    found = answer(cast, begun, **{"differs|": "file"})
    assert [row.texts["acres"] for row in found.rows] == ["41"]
    assert found.rejected == ()
    assert "41 (was 40)" in page_of(cast, begun)
    write(cast, hand_in(cast, file("unit.csv", table("unit", {"unit_id": "E10", "acres": "10"}))))
    assert write(cast, begun) == 302
    assert stored(cast, "unit")["N40"]["acres"] == "40", "it is read again before anything is written"
    wait(begun)
    assert write(cast, begun) == 302
    assert {key: row["acres"] for key, row in stored(cast, "unit").items()} == {"E10": "10", "N40": "41", "S80": "80"}


def test_no_file_is_read_again_for_answers_corrections_and_fills(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Field,Date,Operation,Depth (in)\nN40,4/14/2025,disked,4\nN40,4/15/2025,disked,4\n"
    files = [file("unit.csv", UNITS), file("operation.csv", OPERATIONS), file("log.csv", words)]
    begun, again = hand_in(cast, *files), []
    for name in ("parse_many", "parse_limited"):
        monkeypatch.setattr(child, name, lambda reader, *_, **__: again.append(reader))
    found = wait(begun)
    word = next(at for at, one in enumerate(found.questions) if one.about == "word")
    said = {f"answer-{word}": found.questions[word].options[0][0], "cell-0-day": "2025-05-01", "drop-1": "yes"}
    found = send(cast, begun, said)
    assert (begun.attempt, found.rejected, [one for one in found.questions if one.about == "word"]) == (2, (), [])
    send(cast, begun, {"fill": "operation", "column": "note", "text": "by Sam"})
    assert (begun.attempt, again) == (3, [])


@pytest.mark.slow
def test_columns_that_are_settled_are_text_until_they_are_to_be_changed(cast: Cast) -> None:
    log = "Field,Date,Operation,Depth (in)\nN40,4/14/2025,disked,4\n"
    begun = hand_in(cast, file("unit.csv", UNITS), file("log.csv", log))
    (number,) = [number for number, one in enumerate(wait(begun).questions) if one.columns and one.settled]
    assert "Operation: Operation" in page_of(cast, begun)
    opened = cast.client().get(at(cast, "farm_import", begun.handle), {"columns": number}).content.decode()
    menu = f'name="means-{number}-2"'
    assert (menu in page_of(cast, begun), menu in opened) == (False, True)
    found = send(cast, begun, {f"kind-{number}": "cover_crop"})
    assert {one.target for one in found.questions if one.columns} == {"cover_crop"}
    number = next(number for number, one in enumerate(found.questions) if one.columns)
    found = send(cast, begun, {f"kind-{number}": "none"})
    assert (found.questions, {row.kind for row in found.rows}) == ((), {"farm", "unit"}), "the file is left out"
    found = send(cast, begun, {"undo": "sheet|log.csv|"})
    assert {row.kind for row in found.rows} == {"farm", "unit", "operation"}, "and comes back when that is taken back"


def test_the_whole_season_by_files_is_judged_as_by_command(cast: Cast) -> None:
    # The cast begins with a row that says too little; while it stands, nothing about the land's crops is shown.
    put(cast, Edit("harvest", "h1", None))
    begun = hand_in(cast, *(file(path.name, path.read_bytes()) for path in sorted(EXAMPLE.glob("*.csv"))))
    found = wait(begun)
    assert found.rejected == (), found.rejected[:3]
    assert write(cast, begun) == 302

    def verdicts(judged: Assessment) -> dict[tuple[str, str], object]:
        return {
            (one.harvest_id, str(each.practice)): each.implementation
            for one in judged.intervals for each in one.practices
        }  # fmt: skip

    here, there = assess(farm_book_of(cast.farm).records()), assess(load_book(EXAMPLE))
    assert verdicts(here).items() >= verdicts(there).items()


@pytest.fixture
def farm(cast: Cast) -> Cast:
    """Let the farm have one field with two harvests of corn and a crop that stands."""
    edits = [Edit("harvest", "h1", None), Edit("unit", "N40", {"unit_id": "N40", "acres": "40"})]
    for name, day in (("N24", "2024-10-02"), ("N25", "2025-10-15"), ("N26", "")):
        said = {"ending": "harvested", "first_day": day, "last_day": day} if day else {"ending": "not_yet"}
        edits.append(Edit("harvest", name, {"harvest_id": name, "unit_id": "N40", "crop": "corn", **said}))
    put(cast, *edits)
    return cast


def test_the_page_lets_the_entry_be_chosen_where_several_fit_and_offers_one_where_none_does(farm: Cast) -> None:
    rows = "Field,Crop,Date Planted\nN40,Corn,\nN40,Soybeans,5/1/2026\nN40,Soybeans,5/3/2026\n"
    begun = hand_in(farm, file("planting.csv", rows))
    shown = page_of(farm, begun)
    assert all(f'<option value="{name}">' in shown for name in ("N24", "N25", "N26"))
    assert shown.count("Add this crop") == 1, "asked once for all rows"
    assert "N40 has no soybeans of 2026: add it?" in shown
    found = answer(farm, begun, **{"entry|": "N24"})
    assert not [one for one in found.problems if one.code == "entry_asked"], "what is settled is told no more"
    assert [one.texts["harvest_id"] for one in found.rows if one.kind == "planting"] == ["N24"]
    name = "new_entry|N40-soybeans-2026|N40"
    at = [one.name for one in found.questions].index(name)

    def added(ending: str) -> ImportResult:
        return send(
            farm, begun, {f"answer-{at}": "add", f"answer-{at}-crop": "soybeans", f"answer-{at}-ending": ending}
        )

    assert len(added("harvested").rejected) == 2, "its day is needed"
    found = added("not_yet")
    assert not found.rejected
    assert {one.kind for one in found.rows} >= {"harvest", "planting"}
    assert "N40-soybeans-2026, N40: soybeans, not yet" in page_of(farm, begun)
    assert len(send(farm, begun, {"undo": name}).rejected) == 2, "and it is taken back"
    added("not_yet")
    write(farm, begun)
    assert stored(farm, "harvest")["N40-soybeans-2026"]["ending"] == "not_yet"
    assert {row["harvest_id"] for row in stored(farm, "planting").values()} == {"N24", "N40-soybeans-2026"}


def test_a_second_row_or_entry_typed_on_the_page_is_asked_about_once(farm: Cast) -> None:
    def typed(kind: str, **row: str) -> Any:  # noqa: ANN401 - Django has no name for a test answer
        return farm.client().post(at(farm, "farm_row", kind), {**row, **seen(farm)})

    second = {"planting_id": "P2", "harvest_id": "N26", "planted_on": "2026-05-09"}
    assert typed("planting", **(second | {"planting_id": "P1", "planted_on": "2026-04-20"})).status_code == 302
    given = typed("planting", **second)
    assert given.status_code == 200
    assert "N26 has a row of" in given.content.decode()
    assert "It is right beside the one that stands" in given.content.decode()
    assert set(stored(farm, "planting")) == {"P1"}
    assert typed("planting", **second, both_are_meant="on").status_code == 302
    assert set(stored(farm, "planting")) == {"P1", "P2"}
    row = {"harvest_id": "N25b", "unit_id": "N40", "ending": "harvested", "first_day": "2025-10-20",
           "last_day": "2025-10-20"}  # fmt: skip
    given = typed("harvest", **row, crop="corn")
    assert "N40 has a crop entry of corn 2025 already: N25." in given.content.decode()


def begin(secret: str, *files: tuple[str, str], **more: object) -> dict[str, Any]:
    codes = []
    for name, text in files:
        body = {"name": name, "content": b64encode(text.encode()).decode()}
        kept = post("/files", secret, body, f"store-{name}-{len(text)}".replace(" ", "-"))
        assert kept.status_code == 201, kept.content
        codes.append(str(data(kept)["file"]))
    made = post("/imports", secret, {"files": codes, **more}, f"begin-{'-'.join(codes)}")
    assert made.status_code == 201, made.content
    found: dict[str, Any] = data(made)
    return found


def tell(secret: str, one: dict[str, Any], **said: object) -> dict[str, Any]:
    attempt = data(get(f"/imports/{one['code']}", secret))["attempt"]
    made = post(f"/imports/{one['code']}/answers", secret, {"attempt": attempt, **said}, f"{one['code']}-{attempt}")
    assert made.status_code == 201, made.content
    found: dict[str, Any] = data(made)
    return found


def nod(secret: str, one: dict[str, Any], attempt: int = 1, key: str = "nod", **more: object) -> Any:  # noqa: ANN401
    return post(f"/imports/{one['code']}/write", secret, {"attempt": attempt, **more}, f"{key}-{one['code']}")


def about(one: dict[str, Any]) -> list[str]:
    return [each["about"] for each in one["questions"]]


def no_till(secret: str) -> dict[str, str]:
    """Return the verdict on no-till of each unit's crop of 2025."""
    return {
        one["unit_id"]: practice["implementation"]
        for one in data(get("/verdicts?limit=500", secret))["items"]
        for practice in one["practices"]
        if one["harvest_year"] == 2025 and practice["practice"] == "no_till"
    }


def test_a_season_goes_in_by_program_from_the_file_to_the_verdict(season: Cast) -> None:
    secret = season.token_secret
    unit = next(name for name, verdict in no_till(secret).items() if verdict == "met")
    crops = all_of(f"/season?unit={unit}", secret)
    day = date.fromisoformat(next(one["last_day"] for one in crops if one["harvest_year"] == 2025)) - timedelta(days=60)
    plowed = {"unit_id": unit, "operation": "Plow, moldboard", "depth_in": "8", "speed_mph": "4", "surface_pct": "100"}
    bad = {**plowed, "operation_id": "X3", "day": "never"}
    passes = table("operation", {**plowed, "operation_id": "X1", "day": day.isoformat()},
                   {**plowed, "operation_id": "X2", "day": "soon"}, bad)  # fmt: skip
    begun = begin(secret, ("passes.csv", passes))
    assert (begun["read"], begun["state"], begun["found"]["rows"]) == (True, "open", 1)
    row, _ = all_of(f"/imports/{begun['code']}/rejected", secret)
    assert row["cells"]["day"] == "soon"
    read = tell(secret, begun, corrected={row["place"]: {"day": day.isoformat()}})
    assert (read["attempt"], read["found"]["rejected"]) == (2, 1)
    read_rows = all_of(f"/imports/{begun['code']}/rows", secret)
    assert {each["key"]: each["was"] for each in read_rows if each["kind"] == "operation"} == {"X1": {}, "X2": {}}
    before = changes(season)
    written, again = nod(secret, begun, 2, looked=True), nod(secret, begun, 2, looked=True)
    assert (written.status_code, written.content) == (201, again.content), written.content
    assert changes(season) == before + 1
    assert no_till(secret)[unit] == "not met"
    ended = data(get(f"/imports/{begun['code']}", secret))
    assert (ended["state"], ended["version"]) == ("written", before + 1)
    assert data(get(f"/imports/{begun['code']}/rows", secret))["type"].endswith("import_ended")
    assert post(f"/imports/{begun['code']}/give-up", secret, {}, "late").status_code == 409
    # What was rejected and kept is dropped later.
    assert any(path.startswith("rejected/") for path in rows_of(season.book)["file"])
    later = data(post("/imports/rejected", secret, {}, "later"))
    (row,) = all_of(f"/imports/{later['code']}/rejected", secret)
    tell(secret, later, dropped=[row["place"]])
    assert nod(secret, later, 2, looked=True).status_code == 201
    assert not any(path.startswith("rejected/") for path in rows_of(season.book)["file"])


def test_a_program_is_asked_about_a_foreign_table_until_it_can_be_read(cast: Cast) -> None:
    secret = cast.token_secret
    assert nod(secret, begin(secret, ("unit.csv", UNITS))).status_code == 201
    begun = begin(secret, ("yields 2025.csv", FOREIGN))
    (asked,) = begun["questions"]
    assert (asked["about"], asked["name"], "harvest" in asked["options"]) == ("sheet", "sheet|yields 2025.csv|", True)
    found = tell(secret, begun, answers={asked["name"]: "harvest"})
    columns = next(one for one in found["questions"] if one["about"] == "columns")
    rules = {"Field": "unit_id", "Bushels": "bushels", "Harvest date": "last_day"}
    map_ = {
        **json.loads(columns["guess"]),
        "columns": [{"heading": text, "field": name} for text, name in rules.items()],
    }
    said = {columns["name"]: json.dumps({**map_, "date_order": "mdy"})}
    found = tell(secret, begun, answers=said)
    assert "columns" not in about(found)
    assert "unit" not in about(tell(secret, begun, answers={"unit|North forty": "N40"}))


WRONG: list[dict[str, object]] = [
    {"answers": {"unit|North forty": "N40"}},
    {"answers": {"columns|unit.csv|": "{}"}},
    {"answers": {"word|operation|disk": "Spoon"}},
    {"answers": {"new_entry|X|N40": "corn"}},
    {"fills": [{"kind": "unit", "column": "acres", "text": "many"}]},
    {"fills": [{"kind": "unit", "column": "unit_id", "text": "x"}]},
    {"corrected": {"unit.csv, row 9": {"acres": "4"}}},
    {"dropped": ["unit.csv, row 9"]},
]


def test_answers_that_do_not_fit_are_named_and_none_is_kept(cast: Cast) -> None:
    secret = cast.token_secret
    begun = begin(secret, ("unit.csv", UNITS))
    for number, wrong in enumerate(WRONG):
        body = {"attempt": 1, "fills": [{"kind": "unit", "column": "name", "text": "A field"}], **wrong}
        told = post(f"/imports/{begun['code']}/answers", secret, body, f"k{number}")
        assert told.status_code == 409, (wrong, told.content)
        assert data(told)["problems"][0]["remedy"]
    found = BookImport.objects.get(handle=begun["code"])
    assert (found.attempt, found.said["said"]["fills"]) == (1, {})


def test_nothing_is_written_that_was_not_seen_and_giving_up_writes_nothing(cast: Cast) -> None:
    secret = cast.token_secret
    begun = begin(secret, ("unit.csv", UNITS))
    other = begin(secret, ("more.csv", table("unit", {"unit_id": "E10", "acres": "10"})))
    tell(secret, begun, fills=[{"kind": "unit", "column": "name", "text": "A field"}])
    assert data(nod(secret, begun, 1, "k1"))["type"].endswith("chosen_meanwhile")
    assert nod(secret, other).status_code == 201
    assert data(nod(secret, begun, 2, "k3"))["type"].endswith("overtaken")
    assert "N40" not in rows_of(cast.book).get("unit", {})
    assert data(post(f"/imports/{begun['code']}/reading", secret, {}, "k4"))["attempt"] == 3
    assert nod(secret, begun, 3, "k5").status_code == 201
    names = {key: row["name"] for key, row in rows_of(cast.book)["unit"].items()}
    assert names == {"E10": "", "N40": "A field", "S80": "A field"}, "blanks are filled as was said"
    late = begin(secret, ("late.csv", table("unit", {"unit_id": "L5", "acres": "5"})))
    assert data(post(f"/imports/{late['code']}/give-up", secret, {}, "k6"))["state"] == "given_up"
    states = {one["code"]: one["state"] for one in all_of("/imports", secret, 1)}
    assert states == {begun["code"]: "written", other["code"]: "written", late["code"]: "given_up"}
    assert "L5" not in rows_of(cast.book)["unit"]


def test_a_drawn_boundary_waits_for_somebody_to_look(season: Cast) -> None:
    secret = season.token_secret
    corners = [
        {"longitude": x, "latitude": y} for x, y in ((-96.6, 39.2), (-96.59, 39.2), (-96.59, 39.21), (-96.6, 39.21))
    ]
    drawn = data(post("/boundaries", secret, {"unit_id": "N40", "corners": corners}, "k1"))
    assert drawn["must_look"]
    assert data(nod(secret, drawn, 1, "k2"))["type"].endswith("not_looked")
    assert nod(secret, drawn, 1, "k3", looked=True).status_code == 201
    units = {one["properties"]["unit_id"]: one for one in all_of("/boundaries", secret)}
    assert len(units) == len(rows_of(season.book)["unit"])
    assert float(units["N40"]["properties"]["measured_acres"]) > 100
    for few in (corners[:2], [{**corners[0], "latitude": 91}, *corners[1:]]):
        assert post("/boundaries", secret, {"unit_id": "N40", "corners": few}, "k4").status_code == 422


def neighbour(cast: Cast) -> str:
    """Return the token of another farm that has a book too."""
    by = cast.actor("stranger")
    farm = create_organisation("Ned's Farm", roles=[Role.FARM], manager=cast.person("stranger"), actor=by)
    open_book(farm, BookKind.FARM, actor=by)
    return token(cast, farm, "stranger")


def test_another_farm_neither_sees_nor_takes_an_import_or_its_files(cast: Cast) -> None:
    begun, other = begin(cast.token_secret, ("unit.csv", UNITS)), neighbour(cast)
    where, (kept,) = f"/imports/{begun['code']}", begun["files"]
    assert all_of("/imports", other) == []
    assert {get(f"{where}{part}", other).status_code for part in ("", "/rows", "/problems", "/rejected")} == {404}
    deeds = {"answers": {"attempt": 1}, "reading": {}, "write": {"attempt": 1, "looked": True}, "give-up": {}}
    for deed, body in deeds.items():
        assert post(f"{where}/{deed}", other, body, deed).status_code == 404, deed
    for number, code in enumerate((kept, "nothing")):
        taken = post("/imports", other, {"files": [code]}, f"take-{number}")
        assert (taken.status_code, data(taken)["problems"][0]["code"]) == (409, "no_file")
    assert post("/evidence", other, {"file": kept, "what": "ticket"}, "keep").status_code == 404
    assert {get(f"/files/{kept}{part}", other).status_code for part in ("", "/content")} == {404}
    assert data(get(where, cast.token_secret))["state"] == "open"


def test_imports_are_for_farms(cast: Cast) -> None:
    begun = begin(cast.token_secret, ("unit.csv", UNITS))
    where, drawn = f"/imports/{begun['code']}", {"unit_id": "A", "corners": [{"longitude": 0, "latitude": 0}] * 3}
    for secret in (cast.other_token_secret, token(cast, cast.mill, "owner")):
        answers = [get("/imports", secret), get(where, secret), nod(secret, begun)]
        answers.append(post("/boundaries", secret, drawn, "k"))
        assert [one.status_code for one in answers] == [404] * 4
    assert BookImport.objects.count() == 1
