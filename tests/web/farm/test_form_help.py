"""A form asks no more than it must: reasons for what is changed, names it can propose, rows and files that fit."""

import pytest
from django.test import Client
from django.urls import reverse

from provender.records.kind import KINDS
from provender.services.farm.book import Edit, change_book, farm_book_of
from tests.web.cast import Cast
from tests.web.farm_season import CROP, fill_season


@pytest.fixture
def owner(cast: Cast) -> Client:
    fill_season(cast)
    return cast.client()


def row(cast: Cast, kind: str, query: str = "") -> str:
    return reverse("farm_row", args=(cast.farm.handle, kind)) + query


def write(cast: Cast, kind: str, key: str, **texts: str) -> dict[str, str]:
    farm = farm_book_of(cast.farm)
    new = {**(farm.texts(KINDS[kind], key) or {}), **texts}
    change_book(cast.book, [Edit(kind, key, new)], reason="test", actor=cast.actor("owner"))
    return new


def test_a_blank_that_is_filled_in_needs_no_reason_and_what_was_said_does(cast: Cast, owner: Client) -> None:
    farm = farm_book_of(cast.farm)
    key = next(iter(farm.of(KINDS["operation"])))
    texts = write(cast, "operation", key, equipment="")
    where = row(cast, "operation", f"?row={key}")
    seen = {"seen_version": farm_book_of(cast.farm).version}
    assert owner.post(where, {**texts, **seen, "equipment": "John Deere"}).status_code == 302
    assert (farm_book_of(cast.farm).texts(KINDS["operation"], key) or {})["equipment"] == "John Deere"
    seen = {"seen_version": farm_book_of(cast.farm).version}
    again = owner.post(where, {**texts, **seen, "equipment": "Case"})
    assert again.status_code == 200
    assert "Say why" in again.content.decode()
    gone = owner.post(where, {**texts, **seen, "equipment": ""})
    assert "Say why" in gone.content.decode(), "what is taken away was said, too"


def test_a_new_crop_is_named_by_its_field_and_year(cast: Cast, owner: Client) -> None:
    said = {
        "unit_id": "N40",
        "crop": "corn",
        "ending": "harvested",
        "first_day": "2031-10-01",
        "last_day": "2031-10-02",
    }
    seen = {"seen_version": farm_book_of(cast.farm).version}
    assert owner.post(row(cast, "harvest"), {**said, **seen}).status_code == 302
    assert "N40-2031" in farm_book_of(cast.farm).of(KINDS["harvest"])
    again = {**said, "crop": "rye", "first_day": "2031-06-01", "last_day": "2031-06-02"}
    seen = {"seen_version": farm_book_of(cast.farm).version}
    sent = owner.post(row(cast, "harvest"), {**again, **seen})
    assert sent.status_code == 302, sent.content.decode()
    assert "N40-2031-2" in farm_book_of(cast.farm).of(KINDS["harvest"])
    assert "Left blank, it is named from field and year" in owner.get(row(cast, "harvest")).content.decode()


def test_a_crop_entry_is_offered_with_its_crop(cast: Cast, owner: Client) -> None:
    text = owner.get(row(cast, "planting")).content.decode()
    crop = str(farm_book_of(cast.farm).of(KINDS["harvest"])[CROP]["crop"])
    assert f">{CROP}, {crop}</option>" in text


def test_begin_as_last_time_offers_rows_of_the_field_and_keeps_what_was_typed(cast: Cast, owner: Client) -> None:
    farm = farm_book_of(cast.farm)
    units = {str(one["unit_id"]) for one in farm.of(KINDS["operation"]).values()}
    assert len(units) > 1
    for unit in units:
        before = owner.get(row(cast, "operation", f"?unit_id={unit}")).context["before"]
        assert before
        assert {str(farm.of(KINDS["operation"])[one.key]["unit_id"]) for one in before} == {unit}
        assert all(unit in one.called for one in before)
    seen = {"seen_version": farm.version, "note": "typed just now", "like": before[0].key}
    page = owner.post(row(cast, "operation"), seen)
    assert page.status_code == 200
    form = page.context["form"]
    assert not form.errors
    assert form.initial["note"] == "typed just now"
    assert form.initial["operation"] == (farm.texts(KINDS["operation"], before[0].key) or {})["operation"]
    text = page.content.decode()
    assert text.index(">Save</button>") < text.index('name="like"'), "the enter key saves"


def test_only_photographs_are_offered_as_photographs(cast: Cast, owner: Client) -> None:
    every = farm_book_of(cast.farm).of(KINDS["evidence"])
    some = next(iter(every))
    write(cast, "evidence", some, evidence_id="PAPER", what="receipt")
    write(cast, "evidence", some, evidence_id="PICTURE", what="photograph")
    form = owner.get(row(cast, "cover_crop")).context["form"]
    offered = {value for value, _ in form.fields["established_photo"].widget.choices}
    every = farm_book_of(cast.farm).of(KINDS["evidence"])
    assert offered - {""} == {key for key, one in every.items() if one["what"] == "photograph"}
