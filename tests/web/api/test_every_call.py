"""The API over a whole season of records and what follows from them; refusals write nothing.

The API around the books: files, grants and the log.
"""

from base64 import b64encode
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from provender.database.actor import Actor
from provender.database.choices import Right, Scope
from provender.database.models.accounts import LogRow, Membership, Organisation
from provender.database.models.farm import Change, Upload
from provender.services.accounts.organisations import change_member
from provender.services.accounts.tokens import create_token
from provender.services.farm import files as uploads
from provender.services.farm.files import path_of
from provender.web.farm.api import imports
from tests.web.api.test_calls import data, get, post
from tests.web.cast import Cast
from tests.web.custody_season import days_ago
from tests.web.farm_season import FEW
from tests.web.fixtures import few_fields
from tests.web.importing import file

__all__ = ["few_fields"]

UNIT = {"unit_id": "Z9", "acres": "12.5", "county_fips": "20149"}


def token(cast: Cast, organisation: Organisation, part: str) -> str:
    """Return a token with every scope, made by somebody who manages the organisation for that long."""
    member, day = Membership.objects.get(organisation=organisation, person=cast.person(part)), timezone.localdate()
    right = member.right
    change_member(member, Right.MANAGE, actor=cast.actor("owner"))
    _, secret = create_token(
        organisation, name=f"{part} all", scopes=Scope.values, expires_on=day, actor=Actor(cast.person(part), "test")
    )
    if right != Right.MANAGE:
        change_member(member, right, actor=cast.actor("owner"))
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


def store(secret: str, name: str, content: bytes, key: str) -> HttpResponse:
    return post("/files", secret, {"name": name, "content": b64encode(content).decode()}, key)


def test_a_file_is_stored_once_under_its_hash(cast: Cast) -> None:
    made = store(cast.token_secret, "../receipt.pdf", b"%PDF-1.7 receipt", "k1")
    assert made.status_code == 201, made.content
    upload = Upload.objects.get(handle=data(made)["file"])
    assert (upload.name, upload.organisation, upload.media_type) == ("receipt.pdf", cast.farm, "application/pdf")
    assert path_of(upload.sha256).read_bytes() == b"%PDF-1.7 receipt"
    assert data(store(cast.token_secret, "../receipt.pdf", b"%PDF-1.7 receipt", "k1")) == data(made)
    assert upload.handle in {one["file"] for one in all_of("/files", cast.token_secret, 1)}
    assert upload.handle not in {one["file"] for one in all_of("/files", cast.other_token_secret)}
    assert store(cast.token_secret, "empty.pdf", b"", "k2").status_code == 422


def upload(secret: str, content: bytes, key: str, name: str = "yield.txt") -> HttpResponse:
    headers = {"Authorization": f"Bearer {secret}", "Idempotency-Key": key}
    answer = Client().post("/api/v1/files/upload", {"file": file(name, content)}, headers=headers)
    assert isinstance(answer, HttpResponse)
    return answer


def test_a_file_larger_than_a_body_may_be_goes_in_as_a_form_and_is_one_deed_too(cast: Cast, settings: Settings) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    log = b"a line of a yield monitor\n" * 200_000
    made = upload(cast.token_secret, log, "k1")
    assert made.status_code == 201, made.content
    assert (data(made)["size"], path_of(data(made)["sha256"]).read_bytes()) == (len(log), log)
    assert upload(cast.token_secret, log, "k1").headers["Idempotent-Replay"] == "true"
    assert data(upload(cast.token_secret, log + b".", "k1"))["type"].endswith("idempotency_key_reused")
    assert upload(cast.token_secret, b"", "k2").status_code == 409
    assert upload("pvd_none", log, "k3").status_code == 413, "nobody knows whose it is: bodies of strangers are small"
    assert upload("pvd_none", log[:100], "k3").status_code == 401
    assert post("/files/upload", cast.token_secret, {"name": "a"}, "k4").status_code == 422
    assert Upload.objects.filter(name="yield.txt").count() == 1


@pytest.mark.parametrize(("size", "status"), [(4, 201), (5, 409)])
def test_a_file_of_a_form_has_its_limit(cast: Cast, monkeypatch: pytest.MonkeyPatch, size: int, status: int) -> None:
    for module in (uploads, imports):
        monkeypatch.setattr(module, "MAX_BYTES", 4)
    assert upload(cast.token_secret, b"x" * size, "k").status_code == status


def test_grants_and_log_are_ones_own_and_too_large_a_body_told(cast: Cast, settings: Settings) -> None:
    grants = all_of("/grants", cast.token_secret, 1)
    assert [one["verifier"] for one in grants] == ["Vic Verifies", "Past Verifiers"]
    assert all_of("/grants", cast.other_token_secret) == []
    log = all_of("/log", cast.token_secret)
    assert len(log) == LogRow.objects.filter(organisation=cast.farm).count()
    assert {one["deed"] for one in log} >= {"store file"}
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1000
    answer = store(cast.token_secret, "a.bin", b"x" * 2000, "k")
    assert (answer.status_code, answer.headers["Content-Type"]) == (413, "application/problem+json")
