"""The API around the books: files, grants and the log."""

from base64 import b64encode

import pytest
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from provender.database.models.accounts import LogRow
from provender.database.models.farm import Upload
from provender.services.farm import files as uploads
from provender.services.farm.files import path_of
from provender.web.farm.api import imports
from tests.web.api.test_calls import data, post
from tests.web.api.test_every_call import all_of
from tests.web.cast import Cast
from tests.web.importing import file


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
