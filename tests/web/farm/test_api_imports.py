"""Files handed in by a program: read, asked about, answered, written once, with what follows from them."""

from base64 import b64encode
from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone

from provender.database.choices import Role, Scope
from provender.database.models.farm import BookImport, BookKind, Change
from provender.database.store.record_books import rows_of
from provender.services.accounts.organisations import create_organisation
from provender.services.accounts.tokens import create_token
from provender.services.farm.book import open_book
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import all_of, token
from tests.web.cast import Cast
from tests.web.farm_season import fill_season
from tests.web.importing import read_here, table

__all__ = ["read_here"]

pytestmark = pytest.mark.usefixtures("read_here")

UNITS = table("unit", {"unit_id": "N40", "acres": "40"}, {"unit_id": "S80", "acres": "80"})
FOREIGN = "Field,Acres planted,Bushels,Harvest date\nNorth forty,40,7200,10/14/2025\n"
PLOW = "Plow, moldboard"


def store(secret: str, name: str, text: str) -> str:
    made = post(
        "/files",
        secret,
        {"name": name, "content": b64encode(text.encode()).decode()},
        f"store {name}".replace(" ", "-"),
    )
    assert made.status_code == 201, made.content
    return str(data(made)["file"])


def begin(secret: str, *files: tuple[str, str], **more: object) -> dict[str, Any]:
    codes = [store(secret, name, text) for name, text in files]
    made = post("/imports", secret, {"files": codes, **more}, f"begin-{'-'.join(codes)}")
    assert made.status_code == 201, made.content
    found: dict[str, Any] = data(made)
    return found


def choose(secret: str, one: dict[str, Any], **choices: object) -> dict[str, Any]:
    attempt = data(get(f"/imports/{one['code']}", secret))["attempt"]
    made = post(f"/imports/{one['code']}/choices", secret, {"attempt": attempt, **choices}, f"{one['code']}-{attempt}")
    assert made.status_code == 201, made.content
    found: dict[str, Any] = data(made)
    return found


def about(one: dict[str, Any]) -> list[str]:
    return [each["about"] for each in one["questions"]]


def no_till(secret: str) -> dict[str, bool | None]:
    """Return the verdict on no-till of each unit's crop of 2025."""
    return {
        one["unit_id"]: practice["implementation"]
        for one in data(get("/verdicts?limit=500", secret))["items"]
        for practice in one["practices"]
        if one["harvest_year"] == 2025 and practice["name"] == "no_till"
    }


def test_a_season_goes_in_by_program_from_the_file_to_the_verdict(cast: Cast) -> None:
    fill_season(cast)
    secret = cast.token_secret
    unit = next(name for name, verdict in no_till(secret).items() if verdict is True)
    crops = all_of(f"/season?unit={unit}", secret)
    day = date.fromisoformat(next(one["last_day"] for one in crops if one["harvest_year"] == 2025)) - timedelta(days=60)
    plowed = {"unit_id": unit, "operation": PLOW, "depth_in": "8", "speed_mph": "4", "surface_pct": "100"}
    passes = table(
        "operation",
        {**plowed, "operation_id": "X1", "day": day.isoformat()},
        {**plowed, "operation_id": "X2", "day": "soon"},
    )
    begun = begin(secret, ("passes.csv", passes))
    assert (begun["read"], begun["state"], begun["found"]["rows"]) == (True, "open", 1)
    assert "rejected" in about(begun)
    (row,) = all_of(f"/imports/{begun['code']}/rejected", secret)
    assert row["cells"]["day"] == "soon"
    answer = {"path": row["path"], "row": row["row"], "cells": {"day": day.isoformat()}}
    read = choose(secret, begun, rejected=[answer])
    assert (read["attempt"], read["found"]["rejected"]) == (2, 0)
    rows = all_of(f"/imports/{begun['code']}/rows", secret)
    assert {(one["key"], one["was"] == {}) for one in rows} == {("X1", True), ("X2", True)}
    before = Change.objects.filter(book=cast.book).count()
    body = {"attempt": 2, "looked": True}
    written = post(f"/imports/{begun['code']}/write", secret, body, "nod")
    again = post(f"/imports/{begun['code']}/write", secret, body, "nod")
    assert (written.status_code, written.content) == (201, again.content), written.content
    assert Change.objects.filter(book=cast.book).count() == before + 1
    assert no_till(secret)[unit] is False
    ended = data(get(f"/imports/{begun['code']}", secret))
    assert (ended["state"], ended["version"]) == ("written", before + 1)
    assert data(get(f"/imports/{begun['code']}/rows", secret))["type"].endswith("import_ended")
    assert post(f"/imports/{begun['code']}/give-up", secret, {}, "late").status_code == 409


def test_a_foreign_table_is_asked_about_until_it_can_be_read(cast: Cast) -> None:
    secret = cast.token_secret
    one = begin(secret, ("unit.csv", UNITS))
    assert post(f"/imports/{one['code']}/write", secret, {"attempt": 1}, "nod").status_code == 201
    begun = begin(secret, ("yields 2025.csv", FOREIGN))
    assert about(begun)[0] == "kinds"
    (sheet,) = all_of(f"/imports/{begun['code']}/sheets", secret)
    assert (sheet["kind"], sheet["columns"][0]["samples"]) == ("", ["North forty"])
    read = choose(secret, begun, kinds=[{"sheet": 0, "kind": "harvest"}])
    assert "columns" in about(read)
    columns = [
        {"column": 0, "field": "unit_id"},
        {"column": 2, "field": "bushels", "unit": "bu"},
        {"column": 3, "field": "last_day"},
    ]
    said = {"columns": [{"sheet": 0, "columns": columns, "date_order": "mdy"}], "units": {"North forty": "N40"}}
    read = choose(secret, begun, **said)
    assert not {"kinds", "columns", "units"} & set(about(read))
    (sheet,) = all_of(f"/imports/{begun['code']}/sheets", secret)
    assert sheet["confirmed"]


def test_blanks_are_filled_and_a_row_is_completed_before_they_are_written(cast: Cast) -> None:
    secret = cast.token_secret
    begun = begin(secret, ("unit.csv", table("unit", {"unit_id": "N40"}, {"unit_id": "S80"})))
    choose(
        secret, begun, fills=[{"kind": "unit", "column": "acres", "text": "80"}],
        rows=[{"kind": "unit", "key": "N40", "row": {"acres": "40.5"}}],
    )  # fmt: skip
    rows = {one["key"]: one["row"] for one in all_of(f"/imports/{begun['code']}/rows", secret) if one["kind"] == "unit"}
    assert {key: row["acres"] for key, row in rows.items()} == {"N40": "40.5", "S80": "80"}


WRONG: list[tuple[dict[str, object], str]] = [
    ({"kinds": [{"sheet": 9, "kind": "harvest"}]}, "kinds.0"),
    ({"columns": [{"sheet": 9, "columns": [{"column": 0, "field": "acres"}]}]}, "columns.0"),
    ({"fills": [{"kind": "unit", "column": "acres", "text": "many"}]}, "fills.0"),
    ({"fills": [{"kind": "unit", "column": "unit_id", "text": "x"}]}, "fills.0"),
    ({"rejected": [{"path": "rejected/unit.csv", "row": 2, "drop": True}]}, "rejected.0"),
    ({"widen": ["rejected/unit.csv"]}, "widen.0"),
    ({"rows": [{"kind": "unit", "key": "none", "row": {"acres": "1"}}]}, "rows.0"),
    ({"rows": [{"kind": "unit", "key": "N40", "row": {"acres": "many"}}]}, "rows.0"),
    ({"rows": [{"kind": "unit", "key": "N40", "row": {"acers": "1"}}]}, "rows.0"),
    ({"rows": [{"kind": "unit", "key": "N40", "row": {"unit_id": "N41"}}]}, "rows.0"),
]


def test_answers_that_do_not_fit_are_named_and_none_is_kept(cast: Cast) -> None:
    secret = cast.token_secret
    begun = begin(secret, ("unit.csv", UNITS))
    where = f"/imports/{begun['code']}/choices"
    for number, (choices, place) in enumerate(WRONG):
        body = {"attempt": 1, "units": {"North forty": "N40"}, **choices}
        answer = post(where, secret, body, f"k{number}")
        assert answer.status_code == 409, (choices, answer.content)
        assert [one["at"].partition(",")[0] for one in data(answer)["problems"]] == [place], choices
        assert data(answer)["problems"][0]["remedy"]
    found = BookImport.objects.get(handle=begun["code"])
    assert (found.attempt, found.said["units"]) == (1, {})


def test_nothing_is_written_that_was_not_seen(cast: Cast) -> None:
    secret = cast.token_secret
    begun = begin(secret, ("unit.csv", UNITS))
    other = begin(secret, ("more.csv", table("unit", {"unit_id": "E10", "acres": "10"})))
    choose(secret, begun, fills=[{"kind": "unit", "column": "name", "text": "A field"}])
    where = f"/imports/{begun['code']}/write"
    assert data(post(where, secret, {"attempt": 1}, "k1"))["type"].endswith("chosen_meanwhile")
    assert post(f"/imports/{other['code']}/write", secret, {"attempt": 1}, "k2").status_code == 201
    assert data(post(where, secret, {"attempt": 2}, "k3"))["type"].endswith("overtaken")
    assert "N40" not in rows_of(cast.book).get("unit", {})
    assert data(post(f"/imports/{begun['code']}/reading", secret, {}, "k4"))["attempt"] == 3
    assert post(where, secret, {"attempt": 3}, "k5").status_code == 201
    assert sorted(rows_of(cast.book)["unit"]) == ["E10", "N40", "S80"]


def test_where_book_and_file_differ_the_program_says_which_counts(cast: Cast) -> None:
    secret = cast.token_secret
    one = begin(secret, ("unit.csv", UNITS))
    post(f"/imports/{one['code']}/write", secret, {"attempt": 1}, "nod")
    begun = begin(secret, ("unit.csv.csv", UNITS.replace("N40,,40", "N40,,41")))
    assert "replace" in about(begun)
    read = choose(secret, begun, replace=True)
    assert "rejected" not in about(read)
    (row,) = all_of(f"/imports/{begun['code']}/rows", secret)
    assert (row["row"]["acres"], row["was"]["acres"]) == ("41", "40")


def test_rejected_rows_of_the_book_are_dropped_later(cast: Cast) -> None:
    fill_season(cast)
    secret = cast.token_secret
    bad = table("operation", {"operation_id": "P2", "unit_id": "G70", "day": "soon", "operation": PLOW})
    one = begin(secret, ("operation.csv", bad))
    assert post(f"/imports/{one['code']}/write", secret, {"attempt": 1, "looked": True}, "nod").status_code == 201
    assert any(path.startswith("rejected/") for path in rows_of(cast.book)["file"])
    begun = data(post("/imports/rejected", secret, {}, "later"))
    (row,) = all_of(f"/imports/{begun['code']}/rejected", secret)
    choose(secret, begun, rejected=[{"path": row["path"], "row": row["row"], "drop": True}])
    assert post(f"/imports/{begun['code']}/write", secret, {"attempt": 2, "looked": True}, "nod2").status_code == 201
    assert not any(path.startswith("rejected/") for path in rows_of(cast.book)["file"])


def test_a_drawn_boundary_waits_for_somebody_to_look(cast: Cast) -> None:
    fill_season(cast)
    secret = cast.token_secret
    corners = [
        {"longitude": x, "latitude": y} for x, y in ((-96.6, 39.2), (-96.59, 39.2), (-96.59, 39.21), (-96.6, 39.21))
    ]
    drawn = data(post("/boundaries", secret, {"unit_id": "N40", "corners": corners}, "k1"))
    assert drawn["must_look"]
    problems = all_of(f"/imports/{drawn['code']}/problems", secret)
    assert "acres_differ" in {one["code"] for one in problems if one["weight"] == "confirm"}
    where = f"/imports/{drawn['code']}/write"
    assert data(post(where, secret, {"attempt": 1}, "k2"))["type"].endswith("not_looked")
    assert post(where, secret, {"attempt": 1, "looked": True}, "k3").status_code == 201
    units = {one["properties"]["unit_id"]: one for one in all_of("/boundaries", secret)}
    assert len(units) == len(rows_of(cast.book)["unit"])
    assert units["N40"]["geometry"]["type"] == "MultiPolygon"
    assert float(units["N40"]["properties"]["measured_acres"]) > 100
    for few in (corners[:2], [{**corners[0], "latitude": 91}, *corners[1:]]):
        assert post("/boundaries", secret, {"unit_id": "N40", "corners": few}, "k4").status_code == 422


def test_giving_up_writes_nothing_and_stays_in_the_list(cast: Cast) -> None:
    secret = cast.token_secret
    begun = begin(secret, ("unit.csv", UNITS))
    ended = post(f"/imports/{begun['code']}/give-up", secret, {}, "k")
    assert data(ended)["state"] == "given_up"
    assert [(one["code"], one["state"]) for one in all_of("/imports", secret, 1)] == [(begun["code"], "given_up")]
    assert "unit" not in rows_of(cast.book)


def neighbour(cast: Cast) -> str:
    """Return the token of another farm that has a book too."""
    by = cast.actor("stranger")
    farm = create_organisation("Ned's Farm", roles=[Role.FARM], manager=cast.person("stranger"), actor=by)
    open_book(farm, BookKind.FARM, actor=by)
    return token(cast, farm, "stranger")


def test_another_farm_neither_sees_nor_takes_an_import_or_its_files(cast: Cast) -> None:
    begun, other = begin(cast.token_secret, ("unit.csv", UNITS)), neighbour(cast)
    where, (file,) = f"/imports/{begun['code']}", begun["files"]
    assert all_of("/imports", other) == []
    assert {get(f"{where}{part}", other).status_code for part in ("", "/rows", "/problems", "/sheets")} == {404}
    deeds = {"choices": {"attempt": 1}, "reading": {}, "write": {"attempt": 1, "looked": True}, "give-up": {}}
    for deed, body in deeds.items():
        assert post(f"{where}/{deed}", other, body, deed).status_code == 404, deed
    taken = post("/imports", other, {"files": [file]}, "take")
    assert (taken.status_code, data(taken)["problems"][0]["code"]) == (409, "no_file")
    assert post("/evidence", other, {"file": file, "what": "ticket"}, "keep").status_code == 404
    assert {get(f"/files/{file}{part}", other).status_code for part in ("", "/content")} == {404}
    assert data(get(where, cast.token_secret))["state"] == "open"


def test_imports_are_for_farms_and_for_those_who_write(cast: Cast) -> None:
    begun = begin(cast.token_secret, ("unit.csv", UNITS))
    other, file = token(cast, cast.mill, "owner"), begun["files"][0]
    for secret in (cast.other_token_secret, other):
        assert get("/imports", secret).status_code == 404
        assert get(f"/imports/{begun['code']}", secret).status_code == 404
        assert post(f"/imports/{begun['code']}/write", secret, {"attempt": 1}, "k").status_code == 404
        assert (
            post(
                "/boundaries", secret, {"unit_id": "A", "corners": [{"longitude": 0, "latitude": 0}] * 3}, "k"
            ).status_code
            == 404
        )
    day = timezone.localdate()
    _, narrow = create_token(
        cast.farm, name="narrow", scopes=[Scope.RECORDS_READ], expires_on=day, actor=cast.actor("owner")
    )
    assert get("/imports", narrow).status_code == 200
    for path in (f"/imports/{begun['code']}", f"/imports/{begun['code']}/rows"):
        assert get(path, narrow).status_code == 403
    for path, body in (
        ("/imports", {"files": [file]}),
        ("/imports/rejected", {}),
        (f"/imports/{begun['code']}/reading", {}),
    ):
        assert post(path, narrow, body, "k").status_code == 403
    answer = post("/imports", cast.token_secret, {"files": ["nothing"]}, "k9")
    assert (answer.status_code, data(answer)["problems"][0]["code"]) == (409, "no_file")
    assert BookImport.objects.count() == 1
