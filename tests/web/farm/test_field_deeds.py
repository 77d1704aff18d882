"""What a phone brings back from the field: written once, held back where the row changed, refused in words."""

import io
import json
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse
from PIL import Image

from provender.database.actor import Actor
from provender.database.models.farm import Book, Change, Upload
from provender.database.store.record_books import rows_of
from provender.formats.photos import Photo
from provender.records.kind import KINDS
from provender.services import field
from provender.services.farm.book import Edit, change_book, latest
from provender.services.farm.files import store_upload
from provender.services.field import OVERTAKEN, Moment, account_of, mark_of
from provender.services.refused import RefusedError, refusal
from tests.web.cast import Cast
from tests.web.farm.test_evidence import photograph
from tests.web.farm_season import fill_season
from tests.web.importing import file

OPERATION = {"unit_id": "G70", "day": "2025-05-02", "operation": "Planter, double disk opnr"}
MOMENT = {"at": "2025-05-02T10:11:12-05:00", "latitude": "39.1", "longitude": "-96.6", "accuracy_m": "8.9"}


@pytest.fixture
def season(cast: Cast) -> Cast:
    fill_season(cast)
    return cast


def rows(cast: Cast, kind: str = "operation") -> dict[str, dict[str, Any]]:
    return {key: dict(row) for key, row in rows_of(cast.book).get(kind, {}).items()}


def where(cast: Cast) -> str:
    return reverse("farm_field", args=(cast.farm.handle,))


def send(cast: Cast, deed: dict[str, Any], *, part: str = "owner", account: str = "") -> HttpResponseBase:
    said = {"id": "one", "kind": "operation", "key": "", "seen": "", "why": "", "moment": MOMENT, **deed}
    header = account or account_of(cast.person(part))
    return cast.client(part).post(
        where(cast), json.dumps(said), "application/json", headers={"X-Field-Account": header}
    )


def problems(answer: HttpResponseBase) -> list[str]:
    found: list[dict[str, str]] = json.loads(getattr(answer, "content", b"{}"))["problems"]
    return [one["text"] for one in found]


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


def test_what_was_recorded_under_another_account_is_not_written(season: Cast) -> None:
    before = rows(season)
    other = account_of(season.person("writer"))
    assert send(season, {"row": OPERATION}, account=other).status_code == 403
    assert send(season, {"row": OPERATION}, part="reader").status_code == 403
    assert rows(season) == before


def corrected(cast: Cast, **changed: str) -> tuple[str, dict[str, str], dict[str, Any]]:
    """Return a row's key, what it says, and a deed that corrects it."""
    key, row = next(iter(rows(cast).items()))
    texts = {name: str(text) for name, text in row.items()}
    own = {name: text for name, text in texts.items() if name != "farm_id"} | changed
    return key, texts, {"key": key, "seen": mark_of(texts), "row": own, "why": "Read from the gauge"}


def test_a_correction_of_what_was_seen_is_written_with_its_reason_and_place(season: Cast) -> None:
    key, _, deed = corrected(season, depth_in="1.75")
    assert send(season, deed).status_code == 200
    assert rows(season)[key]["depth_in"] == "1.75"
    page = season.client().get(reverse("farm_row", args=(season.farm.handle, "operation")), {"row": key})
    said = "Read from the gauge. Recorded in the field May 2, 2025 10:11 -0500 at 39.10000, -96.60000 within 8 m"
    assert said in page.content.decode()


@pytest.mark.parametrize("meanwhile", ["changed", "removed"])
def test_a_row_that_is_not_as_it_was_seen_is_held_back(season: Cast, meanwhile: str) -> None:
    key, texts, deed = corrected(season, depth_in="1.75")
    now = {**texts, "note": "Theirs"} if meanwhile == "changed" else None
    change_book(season.book, [Edit("operation", key, now)], reason="meanwhile", actor=season.actor("writer"))
    held = send(season, deed)
    assert held.status_code == 409
    assert meanwhile in problems(held)[0]
    assert json.loads(getattr(held, "content", b""))["now"] == now
    assert rows(season).get(key) == now


def test_a_change_elsewhere_in_the_book_holds_nothing_back(season: Cast) -> None:
    _, _, deed = corrected(season, depth_in="1.75")
    other = list(rows(season))[1]
    row = rows(season)[other] | {"note": "Another row"}
    change_book(season.book, [Edit("operation", other, row)], reason="meanwhile", actor=season.actor("writer"))
    assert send(season, deed).status_code == 200


def test_a_row_that_says_the_same_already_is_no_conflict(season: Cast) -> None:
    key, texts, deed = corrected(season, depth_in="1.75")
    theirs = {**texts, "depth_in": "1.75"}
    change_book(season.book, [Edit("operation", key, theirs)], reason="meanwhile", actor=season.actor("writer"))
    version = len(season.book.changes.all())
    assert send(season, deed).status_code == 200
    assert len(season.book.changes.all()) == version


def test_a_new_row_never_takes_the_place_of_another(season: Cast) -> None:
    key, row = next(iter(rows(season, "unit").items()))
    held = send(season, {"kind": "unit", "row": {"unit_id": key, "acres": "12"}})
    assert held.status_code == 409
    assert rows(season, "unit")[key] == row


def test_a_row_that_cannot_stand_is_refused_in_words(season: Cast) -> None:
    before = rows(season)
    wrong: tuple[tuple[object, str], ...] = (
        ({**OPERATION, "unit_id": "gone"}, "the book has no 'gone' among its management units now"),
        ({**OPERATION, "depth_in": "deep"}, "deep"),
        ({**OPERATION, "day": "the 2nd"}, "the 2nd"),
        ({"unit_id": "G70"}, "Operation is blank"),
        ({**OPERATION, "colour": "red"}, "has no column 'colour'"),
        ("no row", "is blank"),
    )
    for row, words in wrong:
        refused = send(season, {"row": row})
        assert refused.status_code == 422, words
        assert any(words in one for one in problems(refused)), words
    assert rows(season) == before


def test_a_refused_deed_may_be_sent_again_under_its_name(season: Cast) -> None:
    row = {**OPERATION, "unit_id": "Z9"}
    assert send(season, {"row": row}).status_code == 422
    unit = {"farm_id": season.farm.handle, "unit_id": "Z9", "acres": "10"}
    change_book(season.book, [Edit("unit", "Z9", unit)], reason="new field", actor=season.actor("owner"))
    assert send(season, {"row": row}).status_code == 200


@pytest.mark.parametrize(
    ("moment", "said"),
    [
        ({}, "Recorded in the field"),
        (MOMENT, "Recorded in the field 2025-05-02 10:11 -0500 at 39.10000, -96.60000 within 8 m"),
        ({**MOMENT, "latitude": "91"}, "Recorded in the field 2025-05-02 10:11 -0500"),
        ({**MOMENT, "longitude": "nan"}, "Recorded in the field 2025-05-02 10:11 -0500"),
        ({**MOMENT, "at": "9999-01-01T00:00:00-05:00"}, "Recorded in the field at 39.10000, -96.60000 within 8 m"),
        ({**MOMENT, "at": "yesterday"}, "Recorded in the field at 39.10000, -96.60000 within 8 m"),
        ({**MOMENT, "accuracy_m": "1e9"}, "Recorded in the field 2025-05-02 10:11 -0500 at 39.10000, -96.60000"),
    ],
)
def test_a_moment_says_what_can_be_read_of_it(moment: dict[str, str], said: str) -> None:
    assert Moment(**moment).said() == said


def hand_in(cast: Cast, content: bytes, **said: str) -> HttpResponseBase:
    given = {"id": "photo", "unit_id": "G70", "note": "", **MOMENT, **said, "file": file("stand.jpg", content)}
    header = {"X-Field-Account": account_of(cast.person("owner"))}
    return cast.client().post(where(cast), given, headers=header)


def plain_picture() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), "green").save(out, "JPEG")
    return out.getvalue()


def new_evidence(cast: Cast, before: set[str]) -> dict[str, Any]:
    (key,) = set(rows(cast, "evidence")) - before
    return rows(cast, "evidence")[key]


def test_what_the_file_says_of_its_day_goes_before_what_the_phone_says(season: Cast) -> None:
    before = set(rows(season, "evidence"))
    assert hand_in(season, photograph()).status_code == 200
    row = new_evidence(season, before)
    assert (row["taken_on"], row["known_by"]) == ("2025-05-04", "machine")
    assert "The phone claims a position" in row["note"]
    assert "claims 2025-05-02" in row["note"]


def test_a_stripped_photograph_has_the_day_of_the_phone_as_somebody_s_word(season: Cast) -> None:
    before = set(rows(season, "evidence"))
    assert hand_in(season, plain_picture(), note="Rye").status_code == 200
    row = new_evidence(season, before)
    assert (row["taken_on"], row["known_by"]) == ("2025-05-02", "typed_in_season")
    assert row["note"].startswith("Rye The file claims no position, and claims no time")
    shown = season.client().get(reverse("farm_evidence", args=(season.farm.handle,))).content.decode()
    assert "Download" in shown


def test_a_photograph_is_kept_once_under_any_name(season: Cast) -> None:
    before = len(rows(season, "evidence"))
    for name in ("photo", "photo", "another"):
        assert hand_in(season, plain_picture(), id=name).status_code == 200
    assert len(rows(season, "evidence")) == before + 1


def test_a_photograph_that_is_kept_loses_nothing_that_a_phone_says_of_it(season: Cast) -> None:
    assert hand_in(season, plain_picture(), note="Rye stands").status_code == 200
    for less in ({"unit_id": ""}, {"note": "Rye"}, {}):
        assert hand_in(season, plain_picture(), id=f"less {less}", **less).status_code == 200
    for more in ({"unit_id": "G71"}, {"note": "Ry"}, {"note": "Hail on May 4"}):
        refused = hand_in(season, plain_picture(), id="more", **more)
        assert refused.status_code == 422, more
        assert "already as photo-" in problems(refused)[0], more


def test_a_photograph_is_read_before_the_book_is_locked(season: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    outside, inside = len(connection.savepoint_ids), []
    read = field._read

    def watched(stored: Upload) -> Photo:
        inside.append(len(connection.savepoint_ids))
        return read(stored)

    monkeypatch.setattr(field, "_read", watched)
    assert hand_in(season, plain_picture()).status_code == 200
    assert inside == [outside]


def test_a_photograph_is_kept_though_others_write_meanwhile(season: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = []

    def overtaken(book: Book, edits: list[Edit], *, reason: str, actor: Actor, after: int) -> Change:
        tries.append(after)
        if len(tries) == 1:
            raise refusal(OVERTAKEN, "Somebody else changed this book a moment ago.", "Write yours again.")
        return change_book(book, edits, reason=reason, actor=actor, after=after)

    monkeypatch.setattr("provender.services.field.change_book", overtaken)
    assert hand_in(season, plain_picture()).status_code == 200
    assert len(tries) == 2


def test_a_photograph_is_named_by_the_cover_crop_that_was_chosen(season: Cast) -> None:
    book = season.client().get(reverse("farm_field_book", args=(season.farm.handle,))).json()
    cover = next(iter(rows(season, "cover_crop")))
    unit = rows(season, "cover_crop")[cover]["unit_id"]
    named = rows(season, "cover_crop")[cover]["established_photo"]
    if named:
        assert cover not in {one["key"] for one in book["covers"]}
        refused = hand_in(season, plain_picture(), unit_id="", shows=cover)
        assert (refused.status_code, named in problems(refused)[0]) == (422, True)
        texts = (latest(season.book).texts(KINDS["cover_crop"], cover) or {}) | {"established_photo": ""}
        change_book(season.book, [Edit("cover_crop", cover, texts)], reason="lost", actor=season.actor("owner"))
    assert hand_in(season, plain_picture(), unit_id="no such", shows=cover).status_code == 422
    before = set(rows(season, "evidence"))
    for name in ("one", "one", "two"):
        assert hand_in(season, plain_picture(), id=name, unit_id="", shows=cover).status_code == 200
    row = new_evidence(season, before)
    assert row["unit_id"] == unit
    assert rows(season, "cover_crop")[cover]["established_photo"] == row["evidence_id"]
    assert hand_in(season, plain_picture(), id="gone", shows="no such cover").status_code == 422


def test_a_photograph_that_is_kept_can_still_be_named_by_its_cover_crop(season: Cast) -> None:
    cover = next(iter(rows(season, "cover_crop")))
    kind = KINDS["cover_crop"]
    texts = (latest(season.book).texts(kind, cover) or {}) | {"established_photo": ""}
    change_book(season.book, [Edit(kind.name, cover, texts)], reason="lost", actor=season.actor("owner"))
    before = set(rows(season, "evidence"))
    assert hand_in(season, plain_picture(), id="one", unit_id=str(texts["unit_id"])).status_code == 200
    assert not rows(season, "cover_crop")[cover]["established_photo"]
    assert hand_in(season, plain_picture(), id="two", unit_id="", shows=cover).status_code == 200
    assert rows(season, "cover_crop")[cover]["established_photo"] == new_evidence(season, before)["evidence_id"]


def test_what_others_write_of_a_cover_crop_meanwhile_is_not_lost_when_a_kept_photograph_names_it(season: Cast) -> None:
    kind, actor = KINDS["cover_crop"], season.actor("owner")
    cover = next(iter(rows(season, kind.name)))
    texts = (latest(season.book).texts(kind, cover) or {}) | {"established_photo": ""}
    change_book(season.book, [Edit(kind.name, cover, texts)], reason="lost", actor=actor)
    stored = store_upload(season.book.organisation, "stand.jpg", plain_picture(), actor=actor)
    photo = field._read(stored)
    deed = field.PhotoDeed("one", "stand.jpg", texts["unit_id"], "", Moment(**MOMENT))
    field._photographs_write(latest(season.book), stored, photo, deed, actor)
    seen = latest(season.book)
    theirs = texts | {"note": "Theirs"}
    change_book(season.book, [Edit(kind.name, cover, theirs)], reason="theirs", actor=season.actor("writer"))
    named = replace(deed, shows=cover)
    with pytest.raises(RefusedError) as refused:
        field._photographs_write(seen, stored, photo, named, actor)
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
        refused = hand_in(season, content, unit_id=unit)
        assert refused.status_code == 422, words
        assert any(words in one for one in problems(refused)), problems(refused)


def test_what_a_phone_takes_along_is_the_farm_s_own(season: Cast) -> None:
    book = reverse("farm_field_book", args=(season.farm.handle,))
    said = season.client().get(book).json()
    kinds = {one["name"]: one for one in said["kinds"]}
    assert 'name="unit_id"' in kinds["operation"]["form"]
    assert 'name="operation_id"' not in kinds["operation"]["form"], "the server numbers what nobody names"
    assert {one["key"] for one in said["units"]} == set(rows(season, "unit"))
    assert season.client().get(book, {"have": said["mark"]}).status_code == 204
    assert season.client("reader").get(book).status_code == 403


def test_who_is_signed_in_learns_their_farms_and_nobody_else_anything(season: Cast) -> None:
    assert Client().get(reverse("field_now")).json() == {"account": ""}
    owner, writer, reader = (
        season.client(part).get(reverse("field_now")).json() for part in ("owner", "writer", "reader")
    )
    assert [one["handle"] for one in owner["farms"]] == [season.farm.handle]
    assert reader["farms"] == []
    assert len({owner["key"], writer["key"], reader["key"]}) == 3
    assert season.client().get(reverse("field_now")).json()["key"] == owner["key"], "the same after each sign-in"


def test_the_page_is_the_same_for_everybody_and_the_worker_keeps_all_its_files(season: Cast) -> None:
    page = season.client().get(reverse("field")).content
    assert page == Client().get(reverse("field")).content
    worker = Client().get(reverse("field_worker"))
    assert worker.headers["Content-Type"] == "text/javascript"
    kept = json.loads(worker.content.decode().partition("const KEPT = ")[2].partition(";\n")[0])
    assert set(kept["files"]) == {one for one in page.decode().split('"') if one.startswith("/static/")}
    for address in kept["files"]:
        answer = Client().get(address)
        assert answer.status_code == 200
        b"".join(getattr(answer, "streaming_content", ()))
