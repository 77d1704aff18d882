"""The crop entry of rows at pages and API: chosen and shown, asked, offered; a second row of a crop is asked about."""

import pytest
from django.urls import reverse

from provender.database.models.farm import BookImport
from provender.services.farm.book import Edit, change_book, latest
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import all_of
from tests.web.cast import Cast
from tests.web.farm.test_api_imports import about, begin
from tests.web.farm.test_api_imports import choose as choose_by_program
from tests.web.importing import choose, file, hand_in, read_here, stored, wait, write

__all__ = ["read_here"]

here = pytest.mark.usefixtures("read_here")
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


def page_of(cast: Cast, begun: BookImport) -> str:
    given = cast.client().get(reverse("farm_import", args=(cast.farm.handle, begun.handle)))
    assert given.status_code == 200
    return given.content.decode()


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
