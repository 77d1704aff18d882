"""What a phone brings back from the field: written once, held back where the row changed, refused in words.

A name that no list has, while its words are those of listed ones, is asked about on page, phone and API.

Evidence handed in on the page, graded and named in its record, alone or with its table; fields on the map.

Real files of other systems: each is read, shown with its source and written by the nod.
"""

import io
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from PIL import Image
from pytest_django import Settings

from provender.database.actor import Actor
from provender.database.models.farm import Book, BookImport, Change, Upload, rows_of
from provender.formats.photos import Photo
from provender.records.kind import KINDS
from provender.services import field
from provender.services.farm.book import Edit, change_book, latest
from provender.services.farm.files import store_upload
from provender.services.field import OVERTAKEN, Moment, account_of, mark_of
from provender.services.imports.evidence import evidence_of
from provender.services.refused import RefusedError, refusal
from tests.rows import CaseRows
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast
from tests.web.farm_season import CROP, FEW, at, change, put
from tests.web.importing import file, hand_in, stored, table, wait, write

ROWS: Final = CaseRows(__file__)

pytestmark = pytest.mark.usefixtures("read_here", "parsed_here")

OPERATION = {"unit_id": "G70", "day": "2025-05-02", "operation": "Planter, double disk opnr"}

MOMENT = {"at": "2025-05-02T10:11:12-05:00", "latitude": "39.1", "longitude": "-96.6", "accuracy_m": "8.9"}


def rows(cast: Cast, kind: str = "operation") -> dict[str, dict[str, Any]]:
    return {key: dict(row) for key, row in rows_of(cast.book).get(kind, {}).items()}


def send(cast: Cast, deed: dict[str, Any], *, part: str = "owner", account: str = "") -> HttpResponseBase:
    said = {"id": "one", "kind": "operation", "key": "", "seen": "", "why": "", "moment": MOMENT, **deed}
    header = {"X-Field-Account": account or account_of(cast.person(part))}
    return cast.client(part).post(at(cast, "farm_field"), json.dumps(said), "application/json", headers=header)


def body(answer: HttpResponseBase) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(getattr(answer, "content", b"{}"))
    return found


def problems(answer: HttpResponseBase) -> list[str]:
    return [one["text"] for one in body(answer)["problems"]]


def test_the_same_deed_writes_once_however_often_it_is_sent_and_another_is_one_of_its_own(season: Cast) -> None:
    before = len(rows(season))
    answers = [send(season, {"row": OPERATION}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert len({getattr(answer, "content", b"") for answer in answers}) == 1
    assert len(rows(season)) == before + 1
    again = send(season, {"row": {**OPERATION, "day": "2025-05-03"}})
    assert again.status_code == 422
    assert problems(again) == ["This was sent before and said something else. Save it again, as a new one."]
    assert send(season, {"id": "two", "row": OPERATION}).status_code == 200
    assert len(rows(season)) == before + 2, "two equal passes under names of their own are two rows"
    assert send(season, {"row": {**OPERATION, "unit_id": "N40"}}, part="writer").status_code == 200
    assert len(rows(season)) == before + 3, "the name of one person is free for another"


def corrected(cast: Cast, **changed: str) -> tuple[str, dict[str, str], dict[str, Any]]:
    """Return a row's key, what it says, and a deed that corrects it."""
    key, row = next(iter(rows(cast).items()))
    texts = {name: str(text) for name, text in row.items()}
    own = {name: text for name, text in texts.items() if name != "farm_id"} | changed
    return key, texts, {"key": key, "seen": mark_of(texts), "row": own, "why": "Read from the gauge"}


def test_a_correction_of_what_was_seen_is_written_with_its_reason_and_place(season: Cast) -> None:
    key, texts, deed = corrected(season, depth_in="1.75")
    change(season, "operation", list(rows(season))[1], note="Another row")  # a change elsewhere holds nothing back
    assert send(season, deed).status_code == 200
    assert rows(season)[key]["depth_in"] == "1.75"
    page = season.client().get(at(season, "farm_row", "operation", row=key))
    said = "Read from the gauge. Recorded in the field May 2, 2025 10:11 -0500 at 39.10000, -96.60000 within 8 m"
    assert said in page.content.decode()
    put(season, Edit("operation", key, {**texts, "depth_in": "1.5"}), part="writer")
    version = change(season, "operation", key, depth_in="1.75").version
    assert send(season, {**deed, "id": "same"}).status_code == 200, "a row that says the same already is no conflict"
    assert latest(season.book).version == version


def test_a_row_that_is_not_as_it_was_seen_is_held_back(season: Cast) -> None:
    key, texts, deed = corrected(season, depth_in="1.75")
    for meanwhile, now in (("changed", {**texts, "note": "Theirs"}), ("removed", None)):
        put(season, Edit("operation", key, now), part="writer")
        held = send(season, deed)
        assert held.status_code == 409
        assert meanwhile in problems(held)[0]
        assert body(held)["now"] == now
        assert rows(season).get(key) == now


def test_a_row_that_cannot_stand_or_is_recorded_under_another_account_is_refused(season: Cast) -> None:
    before, (unit, row) = rows(season), next(iter(rows(season, "unit").items()))
    other = account_of(season.person("writer"))
    assert send(season, {"row": OPERATION}, account=other).status_code == 403
    assert send(season, {"row": OPERATION}, part="reader").status_code == 403
    wrong: tuple[tuple[object, str], ...] = (
        ({**OPERATION, "unit_id": "Z9"}, "the book has no 'Z9' among its management units now"),
        ({**OPERATION, "depth_in": "deep"}, "deep"),
        ({**OPERATION, "day": "the 2nd"}, "the 2nd"),
        ({"unit_id": "G70"}, "Operation is blank"),
        ({**OPERATION, "colour": "red"}, "has no column 'colour'"),
        ("no row", "is blank"),
    )
    for said, words in wrong:
        refused = send(season, {"row": said})
        assert refused.status_code == 422, words
        assert any(words in one for one in problems(refused)), words
    assert rows(season) == before
    held = send(season, {"kind": "unit", "row": {"unit_id": unit, "acres": "12"}})
    assert (held.status_code, rows(season, "unit")[unit]) == (409, row), "a new row never takes another's place"
    change(season, "unit", "Z9", unit_id="Z9", acres="10")
    again = send(season, {"row": {**OPERATION, "unit_id": "Z9"}})
    assert again.status_code == 200, "a refused deed may be sent again under its name"


@ROWS
def test_a_moment_says_what_can_be_read_of_it(moment: dict[str, str], said: str) -> None:
    assert Moment(**moment).said() == said


def take_picture(cast: Cast, content: bytes, **said: str) -> HttpResponseBase:
    given = {"id": "photo", "unit_id": "G70", "note": "", **MOMENT, **said, "file": file("stand.jpg", content)}
    header = {"X-Field-Account": account_of(cast.person("owner"))}
    return cast.client().post(at(cast, "farm_field"), given, headers=header)


def plain_picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), "green").save(out, "JPEG")
    return out.getvalue()


def new_evidence(cast: Cast, before: set[str]) -> dict[str, Any]:
    (key,) = set(rows(cast, "evidence")) - before
    return rows(cast, "evidence")[key]


def test_what_the_file_says_of_its_day_goes_before_what_the_phone_says_which_is_somebody_s_word(season: Cast) -> None:
    before = set(rows(season, "evidence"))
    assert take_picture(season, photograph()).status_code == 200
    row = new_evidence(season, before)
    assert (row["taken_on"], row["known_by"]) == ("2025-05-04", "machine")
    assert "The phone claims a position" in row["note"]
    assert "claims 2025-05-02" in row["note"]
    before = set(rows(season, "evidence"))
    assert take_picture(season, plain_picture(), id="stripped", note="Rye").status_code == 200
    row = new_evidence(season, before)
    assert (row["taken_on"], row["known_by"]) == ("2025-05-02", "typed_in_season")
    assert row["note"].startswith("Rye The file claims no position, and claims no time")
    assert "Download" in season.client().get(at(season, "farm_evidence")).content.decode()


def test_a_photograph_is_kept_once_under_any_name_and_loses_nothing_that_a_phone_says_of_it(season: Cast) -> None:
    before = len(rows(season, "evidence"))
    for name in ("photo", "photo", "another"):
        assert take_picture(season, plain_picture(), id=name, note="Rye stands").status_code == 200
    for less in ({"unit_id": ""}, {"note": "Rye"}, {}):
        assert take_picture(season, plain_picture(), id=f"less {less}", **less).status_code == 200
    for more in ({"unit_id": "G71"}, {"note": "Ry"}, {"note": "Hail on May 4"}):
        refused = take_picture(season, plain_picture(), id="more", **more)
        assert refused.status_code == 422, more
        assert "already as photo-" in problems(refused)[0], more
    assert len(rows(season, "evidence")) == before + 1


def test_a_photograph_is_read_before_the_book_is_locked(season: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, inside, tries, read = len(connection.savepoint_ids), list[int](), list[int](), field._read

    def watched(stored: Upload) -> Photo:
        inside.append(len(connection.savepoint_ids))
        return read(stored)

    def overtaken(book: Book, edits: list[Edit], *, reason: str, actor: Actor, after: int) -> Change:
        tries.append(after)
        if len(tries) == 1:
            raise refusal(OVERTAKEN, "Somebody else changed this book a moment ago.", "Write yours again.")
        return change_book(book, edits, reason=reason, actor=actor, after=after)

    monkeypatch.setattr(field, "_read", watched)
    monkeypatch.setattr("provender.services.field.change_book", overtaken)
    assert take_picture(season, plain_picture()).status_code == 200
    assert (set(inside), len(tries)) == ({outside}, 2)


def test_a_photograph_is_named_by_the_cover_crop_that_was_chosen(season: Cast) -> None:
    cover, row = next((key, row) for key, row in rows(season, "cover_crop").items() if row["established_photo"])
    refused = take_picture(season, plain_picture(), unit_id="", shows=cover)
    assert (refused.status_code, row["established_photo"] in problems(refused)[0]) == (422, True)
    change(season, "cover_crop", cover, established_photo="")
    for wrong in ({"unit_id": "no such", "shows": cover}, {"id": "gone", "shows": "no such cover"}):
        assert take_picture(season, plain_picture(), **wrong).status_code == 422
    before = set(rows(season, "evidence"))
    assert take_picture(season, plain_picture(), id="one", unit_id=str(row["unit_id"])).status_code == 200
    assert not rows(season, "cover_crop")[cover]["established_photo"]
    for name in ("two", "two", "three"):  # one that is kept can still be named
        assert take_picture(season, plain_picture(), id=name, unit_id="", shows=cover).status_code == 200
    made = new_evidence(season, before)
    assert made["unit_id"] == row["unit_id"]
    assert rows(season, "cover_crop")[cover]["established_photo"] == made["evidence_id"]


def test_what_others_write_of_a_cover_crop_meanwhile_is_not_lost_when_a_kept_photograph_names_it(season: Cast) -> None:
    kind, actor = KINDS["cover_crop"], season.actor("owner")
    cover = next(iter(rows(season, kind.name)))
    texts = change(season, kind.name, cover, established_photo="").texts(kind, cover) or {}
    stored = store_upload(season.book.organisation, "stand.jpg", plain_picture(), actor=actor)
    photo = field._read(stored)
    deed = field.PhotoDeed("one", "stand.jpg", texts["unit_id"], "", Moment(**MOMENT))
    field._photographs_write(latest(season.book), stored, photo, deed, actor)
    before, named = latest(season.book), replace(deed, shows=cover)
    put(season, Edit(kind.name, cover, texts | {"note": "Theirs"}), part="writer")
    with pytest.raises(RefusedError) as refused:
        field._photographs_write(before, stored, photo, named, actor)
    assert refused.value.problems[0].code == OVERTAKEN
    taken = field._photographs_write(latest(season.book), stored, photo, named, actor)
    row = rows(season, kind.name)[cover]
    assert (row["note"], row["established_photo"]) == ("Theirs", taken.key)


def test_what_is_no_photograph_of_a_field_is_refused_and_stays_on_the_phone(season: Cast) -> None:
    for content, unit, words in (
        (b"no picture", "G70", "photograph"),
        (plain_picture()[:200], "G70", "cut off"),
        (plain_picture(), "gone", "The book has no such management unit"),
    ):
        refused = take_picture(season, content, unit_id=unit)
        assert refused.status_code == 422, words
        assert any(words in one for one in problems(refused)), problems(refused)


def test_a_phone_takes_along_the_farm_s_own_book_and_who_is_signed_in_learns_their_farms_alone(season: Cast) -> None:
    book, now = at(season, "farm_field_book"), reverse("field_now")
    said = season.client().get(book).json()
    kinds = {one["name"]: one for one in said["kinds"]}
    assert 'name="unit_id"' in kinds["operation"]["form"]
    assert 'name="operation_id"' not in kinds["operation"]["form"], "the server numbers what nobody names"
    assert {one["key"] for one in said["units"]} == set(rows(season, "unit"))
    covers = {key for key, row in rows(season, "cover_crop").items() if not row["established_photo"]}
    assert {one["key"] for one in said["covers"]} == covers != set(), "those without a photograph"
    assert season.client().get(book, {"have": said["mark"]}).status_code == 204
    assert season.client("reader").get(book).status_code == 403
    assert Client().get(now).json() == {"account": ""}
    owner, writer, reader = (season.client(part).get(now).json() for part in ("owner", "writer", "reader"))
    assert [one["handle"] for one in owner["farms"]] == [season.farm.handle]
    assert reader["farms"] == []
    assert len({owner["key"], writer["key"], reader["key"]}) == 3
    assert season.client().get(now).json()["key"] == owner["key"], "the same after each sign-in"


def test_the_page_is_the_same_for_everybody_and_the_worker_keeps_all_its_files(cast: Cast) -> None:
    page = cast.client().get(reverse("field")).content
    assert page == Client().get(reverse("field")).content
    worker = Client().get(reverse("field_worker"))
    assert worker.headers["Content-Type"] == "text/javascript"
    kept = json.loads(worker.content.decode().partition("const KEPT = ")[2].partition(";\n")[0])
    assert set(kept["files"]) == {one for one in page.decode().split('"') if one.startswith("/static/")}
    for address in kept["files"]:
        answer = Client().get(address)
        assert answer.status_code == 200
        b"".join(getattr(answer, "streaming_content", ()))


TURNED = {"unit_id": "G70", "day": "2025-05-02", "operation": "field cultivator 6-12 in sweeps"}

LISTED = "Cultivator, field 6-12 in sweeps"

UAN = {"unit_id": "G70", "harvest_id": "G70-2025", "day": "2025-05-03", "product": "UAN", "rate": "10",
       "rate_unit": "gal/ac", "method": "broadcast"}  # fmt: skip

ASKED = [
    ("operation", {**TURNED, "operation": "field cultivator with sweeps"}, f"Did you mean {LISTED!r}, "),
    ("operation", {**TURNED, "operation": "niveladora láser"}, "Did you mean 'Laser Land leveler'?"),
    ("nutrient_application", {**UAN, "product": "sulfato de amonio"}, "Did you mean 'Ammonium sulfate (AMS) ("),
    ("operation", TURNED, f"Did you mean {LISTED!r}?"),
    ("nutrient_application", UAN, "Did you mean 'UAN 28 (28-0-0)', 'UAN 30 (30-0-0)', 'UAN 32 (32-0-0)'?"),
]


def names(cast: Cast, kind: str, column: str) -> list[str]:
    return [str(row[column]) for row in rows_of(cast.book)[kind].values()]


def test_a_phone_is_asked_and_its_answer_is_the_same_deed(season: Cast) -> None:
    for kind, row, asks in ASKED:
        column = "product" if "product" in row else "operation"
        asked = send(season, {"kind": kind, "row": row})
        assert (asked.status_code, body(asked)["asked"]) == (409, True), asks
        assert asks in problems(asked)[0]
        assert row[column] not in names(season, kind, column)
    assert send(season, {"kind": kind, "row": row, "looked": True}).status_code == 200
    assert send(season, {"kind": kind, "row": row}).status_code == 200, "the same deed, however it is sent again"
    assert names(season, kind, column).count(row[column]) == 1
    told = data(get("/verdicts?limit=500", season.token_secret))["items"]
    findings = [found for unit in told for found in unit["requirements"].values()]
    assert [found for found in findings if "n_lb_per_ac" in str(found["missing"])], "no pounds without a grade"


def test_a_program_says_that_it_looked_and_names_are_marked(season: Cast) -> None:
    def say(key: str, operation: str, **more: object) -> Any:  # noqa: ANN401 - an answer
        edits = [{"kind": "operation", "row": {**TURNED, "operation": operation, "operation_id": key}}]
        sent = {"reason": "a pass", "after": latest(season.book).version, "edits": edits, **more}
        return post("/records/changes", season.token_secret, sent, f"{key}-{len(more)}")

    refused = say("X1", TURNED["operation"])
    assert refused.status_code == 409
    (told,) = json.loads(refused.content)["problems"]
    assert told["code"] == "name_asked"
    assert "edits.0" in str(told), told
    assert LISTED in str(told)
    assert say("X1", TURNED["operation"], looked=True).status_code == 201
    assert TURNED["operation"] in names(season, "operation", "operation")
    assert say("X2", "Pulling a sledge").status_code == 201
    shown = season.client().get(at(season, "farm_row", "operation")).content.decode()
    assert '<option value="Pulling a sledge" data-own>' in shown
    assert shown.count(" data-own>") == 1


def photograph() -> bytes:
    out, image = io.BytesIO(), Image.new("RGB", (64, 48), "green")
    exif = Image.Exif()
    exif.get_ifd(0x8769)[0x9003] = "2025:05:04 10:11:12"
    image.save(out, "JPEG", exif=exif)
    return out.getvalue()


def keep_ticket(cast: Cast) -> None:
    said = {"file": file("ticket.pdf", b"%PDF-1.7 a ticket"), "what": "ticket", "unit_id": "G70"}
    where = at(cast, "farm_evidence", by="file", kind="harvest", row=CROP)
    assert cast.client().post(where, said).status_code == 302


def test_a_photograph_shows_what_its_claim_is_worth_before_it_is_kept(season: Cast) -> None:
    known, where = set(rows_of(season.book)["evidence"]), at(season, "farm_evidence")
    assert 'capture="environment"' in season.client().get(where).content.decode(), "a phone is asked for its camera"
    assert "capture=" not in season.client().get(f"{where}?by=file").content.decode()
    said = {"file": file("stand.jpg", photograph()), "what": "photograph", "unit_id": "G70"}
    assert season.client().post(where, said).status_code == 302
    begun = BookImport.objects.latest("id")
    (row,) = [row for row in wait(begun).rows if row.kind == "evidence"]
    assert (row.texts["unit_id"], row.texts["what"]) == ("G70", "photograph")
    assert any(problem.code == "photo_verdict" for problem in wait(begun).problems)
    write(season, begun)
    (new,) = set(rows_of(season.book)["evidence"]) - known
    assert rows_of(season.book)["evidence"][new]["sha256"]
    assert "Download" in season.client().get(where).content.decode()


def test_a_document_is_kept_and_named_in_the_record_it_is_for(season: Cast) -> None:
    before = rows_of(season.book)["harvest"][CROP]
    keep_ticket(season)
    after = rows_of(season.book)["harvest"][CROP]
    name = str(after["evidence"]).split("; ")[-1]
    assert rows_of(season.book)["evidence"][name]["what"] == "ticket"
    assert {**after, "evidence": ""} == {**before, "evidence": ""}
    nothing = at(season, "farm_evidence", kind="harvest", row="nothing")
    assert season.client().get(nothing).status_code == 404


@pytest.mark.slow
def test_the_map_holds_every_unit_with_its_verdict_and_its_legend_names_every_color_on_it_and_no_other(
    season: Cast,
) -> None:
    for practice in ("", "no_till", "cover_crop"):
        asked = {"practice": practice} if practice else {}
        shown = season.client().get(at(season, "farm_map", **asked)).content.decode()
        text = shown.partition('<script id="fields" type="application/json">')[2].partition("</script>")[0]
        found = json.loads(text)
        legend = shown.partition('<p class="legend">')[2].partition("</p>")[0]
        words = {found.strip() for found in re.findall(r">([^<>]+)<", legend)} - {""}
        assert words == {one["words"] for one in found["units"]}, practice
        if not practice:
            assert len(found["units"]) == len(FEW)
            verdicts = {one["verdict"] for one in found["units"]}
            assert verdicts == {"met", "plain"}, "what no run names is claimed by nobody"
            assert found["counties"]["features"]


def test_acres_far_from_the_claimed_ones_are_asked_about_before_a_drawn_boundary_is_kept(season: Cast) -> None:
    where, client = at(season, "farm_draw"), season.client()
    for corners, told in (("39.2, -96.6\nby the oak\n39.21, -96.6", "Line 2 is no corner"),
                          ("39.2, -96.6\n39.21, -96.6", "needs 3 to")):  # fmt: skip
        assert told in client.post(where, {"unit": "N40", "corners": corners}).content.decode()
    square = "39.2, -96.6\n39.2, -96.59\n39.21, -96.59\n39.21, -96.6"
    assert client.post(f"{where}?unit=N40", {"unit": "N40", "corners": square}).status_code == 302
    begun = BookImport.objects.latest("id")
    assert any(problem.code == "acres_differ" for problem in wait(begun).problems)
    assert "I have looked" in client.get(at(season, "farm_import", begun.handle)).content.decode()
    head = Change.objects.filter(book=season.book).count()
    assert write(season, begun, looked="") == 302
    assert Change.objects.filter(book=season.book).count() == head, "only somebody who looked writes it"
    assert write(season, begun) == 302
    assert Change.objects.filter(book=season.book).count() == head + 1
    drawn = json.loads(str(rows_of(season.book)["file"]["boundaries/N40.geojson"]["text"]))
    assert drawn["type"] == "MultiPolygon"


def test_what_a_verdict_rests_on_moves_what_is_kept(season: Cast, settings: Settings, tmp_path: Path) -> None:
    """A file that goes, comes or is written over, and a list of calculators, are judged anew."""
    keep_ticket(season)
    farm = latest(season.book)
    path = next(path for path in farm.evidence_paths.values() if path.exists())
    marks, content = [farm.judged_under], path.read_bytes()
    for alter in (lambda: path.write_bytes(content + b"x"), path.unlink, lambda: path.write_bytes(content)):
        alter()
        marks.append(latest(season.book).judged_under)
    settings.CALCULATORS = tmp_path / "list.toml"
    for text in ("a = 1", "a = 2"):
        settings.CALCULATORS.write_text(text)
        marks.append(latest(season.book).judged_under)
    assert len(set(marks)) == len(marks)


def named(**changed: str) -> str:
    row = {"evidence_id": "EV-9", "file": "stand.jpg", "what": "photograph", "unit_id": "G70", "note": "The stand."}
    return table("evidence", row | changed)


def new_rows(cast: Cast, before: set[str]) -> dict[str, dict[str, object]]:
    return {key: row for key, row in stored(cast, "evidence").items() if key not in before}


def test_a_photograph_that_comes_with_its_table_is_linked(season: Cast) -> None:
    before = set(stored(season, "evidence"))
    begun = hand_in(season, file("stand.jpg", photograph()), file("evidence.csv", named(file="photos\\Stand.JPG")))
    assert not [one for one in wait(begun).problems if one.code == "photo_unit"], "the table says which unit it shows"
    assert write(season, begun) == 302
    ((key, row),) = new_rows(season, before).items()
    assert (key, row["unit_id"], row["note"]) == ("EV-9", "G70", "The stand.")
    assert row["taken_on"] == "2025-05-04", "what the table leaves blank the file says"
    handles = {key: handle for key, _, handle in evidence_of(latest(season.book))}
    page = season.client().get(at(season, "farm_evidence")).content.decode()
    assert at(season, "stored_file", handles["EV-9"]) in page


def test_what_names_two_files_or_another_one_stays_as_it_is(season: Cast) -> None:
    before = set(stored(season, "evidence"))
    rows = (named(), named(evidence_id="EV-10"), named(evidence_id="EV-11", file="other.jpg"))
    lines = [rows[0].splitlines()[0], *(row.splitlines()[1] for row in rows)]
    text = "\n".join(lines) + "\n"
    write(season, hand_in(season, file("stand.jpg", photograph()), file("evidence.csv", text)))
    found = new_rows(season, before)
    assert {"EV-9", "EV-10", "EV-11"} < set(found)
    assert len(found) == 4
    assert {found[key]["sha256"] for key in ("EV-9", "EV-10", "EV-11")} == {""}
