"""A name that no list has, while its words are those of listed ones, is asked about on page, phone and API."""

import json

import pytest
from django.urls import reverse
from django.utils.html import escape

from provender.database.store.record_books import rows_of
from provender.services.farm.book import latest
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast
from tests.web.farm.test_field_deeds import problems, send
from tests.web.farm_season import fill_season

TURNED = {"unit_id": "G70", "day": "2025-05-02", "operation": "field cultivator 6-12 in sweeps"}
LISTED = "Cultivator, field 6-12 in sweeps"
UAN = {"unit_id": "G70", "harvest_id": "G70-2025", "day": "2025-05-03", "product": "UAN", "rate": "10",
       "rate_unit": "gal/ac", "method": "broadcast"}  # fmt: skip
PLANTING = {"harvest_id": "G70-2025", "planted_on": "2025-06-01", "emerged_on": "2025-06-09"}
SWEEPS = {**TURNED, "operation": "field cultivator with sweeps"}
AMS = {**UAN, "product": "sulfato de amonio"}
ASKED = [
    ("operation", SWEEPS, f"Did you mean {LISTED!r}, "),
    ("operation", {**TURNED, "operation": "niveladora láser"}, "Did you mean 'Laser Land leveler'?"),
    ("nutrient_application", AMS, "Did you mean 'Ammonium sulfate (AMS) ("),
    ("operation", TURNED, f"Did you mean {LISTED!r}?"),
    ("nutrient_application", UAN, "Did you mean 'UAN 28 (28-0-0)', 'UAN 30 (30-0-0)', 'UAN 32 (32-0-0)'?"),
]


@pytest.fixture
def season(cast: Cast) -> Cast:
    fill_season(cast)
    return cast


def names(cast: Cast, kind: str, column: str) -> list[str]:
    return [str(row[column]) for row in rows_of(cast.book)[kind].values()]


def test_a_page_asks_before_it_keeps_the_name_as_typed(season: Cast) -> None:
    client = season.client()
    for kind, row, asks in ASKED:
        where = reverse("farm_row", args=(season.farm.handle, kind))
        column = "product" if "product" in row else "operation"
        own = {f"{'application' if kind == 'nutrient_application' else kind}_id": "X1"}
        given = client.post(where, {**row, **own, "seen_version": str(latest(season.book).version)})
        assert given.status_code == 200, asks
        assert escape(asks) in given.content.decode()
        assert "Keep the name as it is typed" in given.content.decode()
        assert row[column] not in names(season, kind, column)
        if row not in (TURNED, UAN):
            continue
        version = str(latest(season.book).version)
        kept = client.post(where, {**row, **own, "seen_version": version, "kept_as_typed": "on"})
        assert kept.status_code == 302, asks
        assert row[column] in names(season, kind, column), "nothing is exchanged"
        shown = client.get(where).content.decode()
        assert f'<option value="{row[column]}"' not in shown, "an unclear name is not offered again"


def test_a_correction_that_leaves_the_name_alone_is_not_asked(season: Cast) -> None:
    assert send(season, {"row": TURNED, "looked": True}).status_code == 200
    where = reverse("farm_row", args=(season.farm.handle, "operation"))
    key, row = next((key, row) for key, row in rows_of(season.book)["operation"].items() if row["day"] == TURNED["day"])
    texts = {name: str(text) for name, text in row.items() if name != "farm_id"} | {"note": "Wet"}
    sent = {**texts, "seen_version": str(latest(season.book).version), "reason_for_change": "Added"}
    assert season.client().post(f"{where}?row={key}", sent).status_code == 302
    assert rows_of(season.book)["operation"][key]["operation"] == TURNED["operation"]


def test_a_species_is_asked_about_by_its_spanish_name(season: Cast) -> None:
    where = reverse("farm_row", args=(season.farm.handle, "cover_species"))
    cover = next(iter(rows_of(season.book)["cover_crop"]))
    row = {"cover_id": cover, "species": "centeno", "seen_version": str(latest(season.book).version)}
    given = season.client().post(where, row).content.decode()
    assert escape("Did you mean 'Cereal Rye, Spring', 'Cereal Rye, Winter'?") in given
    assert "centeno" not in names(season, "cover_species", "species")


def test_a_phone_is_asked_and_its_answer_is_the_same_deed(season: Cast) -> None:
    for kind, row, asks in ASKED:
        column = "product" if "product" in row else "operation"
        asked = send(season, {"kind": kind, "row": row})
        assert asked.status_code == 409, asks
        assert json.loads(getattr(asked, "content", b""))["asked"] is True
        assert asks in problems(asked)[0]
        assert row[column] not in names(season, kind, column)
    assert send(season, {"kind": kind, "row": row, "looked": True}).status_code == 200
    assert send(season, {"kind": kind, "row": row}).status_code == 200, "the same deed, however it is sent again"
    assert names(season, kind, column).count(row[column]) == 1


def test_a_phone_is_asked_about_a_second_planting_and_loses_nothing(season: Cast) -> None:
    before = len(rows_of(season.book)["planting"])
    asked = send(season, {"kind": "planting", "row": PLANTING})
    assert asked.status_code == 409
    assert "G70-2025 has a row of planting and emergence already" in problems(asked)[0]
    assert len(rows_of(season.book)["planting"]) == before
    assert send(season, {"kind": "planting", "row": PLANTING, "looked": True}).status_code == 200
    assert len(rows_of(season.book)["planting"]) == before + 1


def test_a_program_says_that_it_looked(season: Cast) -> None:
    edits = [{"kind": "operation", "row": {**TURNED, "operation_id": "X1"}}]
    body = {"reason": "a pass", "after": latest(season.book).version, "edits": edits}
    refused = post("/records/changes", season.token_secret, body, "names-1")
    assert refused.status_code == 409
    (told,) = json.loads(refused.content)["problems"]
    assert told["code"] == "name_asked"
    assert "edits.0" in str(told), told
    assert LISTED in str(told)
    assert post("/records/changes", season.token_secret, {**body, "looked": True}, "names-2").status_code == 201
    assert TURNED["operation"] in names(season, "operation", "operation")


def test_a_grade_that_nobody_gave_is_not_taken(season: Cast) -> None:
    assert send(season, {"kind": "nutrient_application", "row": UAN, "looked": True}).status_code == 200
    told = data(get("/verdicts?limit=500", season.token_secret))["items"]
    findings = [found for unit in told for one in unit["practices"] for found in one["findings"]]
    assert [found for found in findings if "n_lb_per_ac" in str(found["missing"])], "no pounds without a grade"


def test_a_name_that_only_this_book_has_is_marked_for_the_pickers(season: Cast) -> None:
    assert send(season, {"row": {**TURNED, "operation": "Pulling a sledge"}}).status_code == 200
    shown = season.client().get(reverse("farm_row", args=(season.farm.handle, "operation"))).content.decode()
    assert '<option value="Pulling a sledge" data-own>' in shown
    assert shown.count(" data-own>") == 1
