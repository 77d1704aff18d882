"""The API over a whole season of records and what follows from them; refusals write nothing."""

from typing import Any

from django.utils import timezone

from provender.database.actor import Actor
from provender.database.choices import Right, Scope
from provender.database.models.accounts import Organisation
from provender.database.models.farm import Change
from provender.services.accounts.organisations import change_member
from provender.services.accounts.tokens import create_token
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast
from tests.web.custody_season import days_ago
from tests.web.farm_season import FEW
from tests.web.fixtures import few_fields

__all__ = ["few_fields"]

UNIT = {"unit_id": "Z9", "acres": "12.5", "county_fips": "20149"}


def token(cast: Cast, organisation: Organisation, part: str) -> str:
    day = timezone.localdate()
    _, secret = create_token(
        organisation, name=f"{part} all", scopes=Scope.values, expires_on=day, actor=Actor(cast.person(part), "test")
    )
    return secret


def all_of(path: str, secret: str, limit: int = 7) -> list[Any]:
    found: list[Any] = []
    after = 0
    while True:
        page = data(get(f"{path}{'&' if '?' in path else '?'}limit={limit}&after={after}", secret))
        found += page["items"]
        if page["next"] is None:
            return found
        after = page["next"]


def change(secret: str, edits: list[dict[str, object]], after: int, key: str = "k1") -> Any:  # noqa: ANN401 - JSON
    answer = post("/records/changes", secret, {"reason": "by machine", "after": after, "edits": edits}, key)
    return answer.status_code, data(answer)


def test_the_book_names_its_head_its_rows_in_pages_and_the_schema_of_a_kind(season: Cast) -> None:
    secret = season.token_secret
    found = data(get("/records", secret))
    head = Change.objects.filter(book=season.book).order_by("-number").first()
    assert head is not None
    assert (found["version"], found["hash"]) == (head.number, head.hash)
    assert found["rows"]["unit"] == len(all_of("/records/kinds/unit/rows", secret)) >= len(FEW)
    whole = data(get("/records/kinds/operation/rows?limit=500", secret))["items"]
    assert all_of("/records/kinds/operation/rows", secret, 11) == whole
    assert data(get("/records/kinds/unit", secret))["properties"]["acres"]["x-unit"] == "acres"
    assert get("/records/kinds/nonsense", secret).status_code == 404


def test_a_change_adds_corrects_and_takes_out_a_row(season: Cast) -> None:
    version = data(get("/records", season.token_secret))["version"]
    status, made = change(season.token_secret, [{"kind": "unit", "row": UNIT}], version)
    assert (status, made["version"]) == (201, version + 1)
    status, _ = change(season.token_secret, [{"kind": "unit", "row": UNIT | {"acres": "13"}}], version + 1, "k2")
    rows = {one["key"]: one["row"] for one in all_of("/records/kinds/unit/rows", season.token_secret)}
    assert (status, rows["Z9"]["acres"]) == (201, "13")
    goes = data(get("/records/kinds/unit/removal?key=N40", season.token_secret))
    fallen = {(each["where"], each["practice"], each["after"]) for each in goes["verdicts"]}
    assert ("N40, field corn 2025", "No-till", "gone") in fallen
    assert {rows["kind"] for rows in goes["orphans"]} >= {"Field operations"}
    assert get("/records/kinds/unit/removal?key=none", season.token_secret).status_code == 404
    assert data(get("/records", season.token_secret))["version"] == version + 2
    status, _ = change(season.token_secret, [{"kind": "unit", "key": "Z9", "row": None}], version + 2, "k3")
    assert status == 201
    assert "Z9" not in {one["key"] for one in all_of("/records/kinds/unit/rows", season.token_secret)}
    links = data(get("/records/changes", season.token_secret))["items"]
    assert [one["previous"] for one in links[1:]] == [one["hash"] for one in links[:-1]]


def test_a_row_beyond_its_bound_is_refused_with_its_place(season: Cast) -> None:
    secret = season.token_secret
    version = data(get("/records", secret))["version"]
    wrong: list[tuple[dict[str, object], str, str]] = [
        ({"kind": "unit", "row": UNIT | {"acres": "twelve"}}, "edits.0, column acres", ""),
        ({"kind": "unit", "row": UNIT | {"acres": "100000.001"}}, "edits.0, column acres", ""),
        ({"kind": "unit", "row": UNIT | {"acers": "12"}}, "edits.0, column acers", "no column"),
        ({"kind": "unit", "row": {"acres": "12"}}, "edits.0, column unit_id", "blank"),
        ({"kind": "field", "row": UNIT}, "edits.0, column kind", "no kind"),
        ({"kind": "unit", "key": "none", "row": None}, "edits.0, column key", "holds no"),
    ]
    for number, (edit, at, words) in enumerate(wrong):
        status, said = change(secret, [edit], version, f"k{number}")
        assert status == 409, edit
        assert (said["problems"][0]["at"], words in said["problems"][0]["cause"]) == (at, True)
        assert said["problems"][0]["remedy"]
    status, said = change(secret, [{"kind": "unit", "row": UNIT}], version - 1, "late")
    assert (status, said["type"]) == (409, "urn:provender:problem:overtaken")
    assert data(get("/records", secret))["version"] == version
    assert change(secret, [{"kind": "unit", "row": UNIT | {"acres": "100000"}}], version, "well")[0] == 201


def test_a_consultants_token_may_write_records_and_sign_nothing(season: Cast) -> None:
    change_member(season.membership("consultant"), Right.MANAGE, actor=season.actor("owner"))
    secret = token(season, season.farm, "consultant")
    version = data(get("/records", secret))["version"]
    assert change(secret, [{"kind": "unit", "row": UNIT}], version)[0] == 201
    answer = post("/reports/corn/2025/versions", secret, {"document": {}, "signature": "x"}, "k2")
    assert answer.status_code == 403


def test_a_report_without_a_true_signature_is_not_kept_and_each_role_has_its_own_book(season: Cast) -> None:
    assert get("/records", season.other_token_secret).status_code == 404
    assert post("/records", season.other_token_secret, {}, "k1").status_code == 404
    assert get("/custody/stock", season.token_secret).status_code == 404
    document = data(get("/reports/corn/2025", season.token_secret))
    body = {"document": document, "signature": "e30..e30"}
    answer = post("/reports/corn/2025/versions", season.token_secret, body, "k1")
    assert answer.status_code == 409
    assert data(get("/reports/corn/2025/versions", season.token_secret))["items"] == []


def sale(cast: Cast, name: str, bushels: str) -> dict[str, object]:
    return {
        "event": {
            "type": "sale", "id": name, "day": days_ago(0), "giver": cast.mill.handle, "taker": cast.elevator.handle,
            "crop": "soybeans", "bushels": bushels, "site": "north",
        }
    }  # fmt: skip
