"""A farm signs and sells by program: its key stays where it is, and the server takes in what the key signed."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from provender.custody.documents.sign import sign_document
from provender.custody.model.origins import origin_id, origin_name
from provender.database.choices import Scope
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import ProducerKey, SignedSlip
from provender.database.store.record_books import rows_of
from provender.report.signing import salt_of, sign_report
from provender.services.accounts.tokens import create_token
from provender.signing.jws import register, rotate
from provender.signing.keys import SigningKey
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import all_of, token
from tests.web.cast import Cast
from tests.web.farm.test_api_imports import neighbour
from tests.web.farm_season import CROP, fill_season
from tests.web.producer_keys import PRODUCER
from tests.web.replayed import replayed


@dataclass(frozen=True)
class Producer:
    """A farm producer with a program: the farm's token, and a key that the program alone has."""

    cast: Cast
    key: SigningKey

    @property
    def token(self) -> str:
        return self.cast.token_secret

    def register(self, key: str = "reg", **changed: object) -> HttpResponse:
        statement = register(self.cast.farm.handle, PRODUCER, self.key, on=timezone.localdate())
        return post("/keys", self.token, {"producer_id": PRODUCER, "statement": statement, **changed}, key)

    def sign_report(self) -> HttpResponse:
        """Sign as ``provender keys sign`` does."""
        report = data(get("/reports/corn/2025", self.token))
        name = self.cast.farm.handle, "corn", 2025
        salt = salt_of(self.key, origin_name(*name))
        report["edition"] |= {"salt": salt, "origin_id": origin_id(*name, salt)}
        signed = sign_report(report, self.key, fingerprint_on_file=None)
        return post("/reports/corn/2025/versions", self.token, dict(signed), "report")

    def offer(self, **changed: str) -> str:
        day = timezone.localdate().isoformat()
        said = {
            "crop": "corn",
            "harvest_year": "2025",
            "buyer": self.cast.elevator.handle,
            "bushels": "1000.5",
            "day": day,
        }
        return "/slips/draft?" + "&".join(f"{name}={text}" for name, text in (said | changed).items())


@pytest.fixture
def producer(cast: Cast, key_from: Callable[[str], SigningKey]) -> Producer:
    fill_season(cast)
    found = Producer(cast, key_from("the program's"))
    assert replayed("the program's key", lambda: found.register().status_code) == 201
    return found


def test_bushels_are_reported_offered_signed_and_sold_by_program(producer: Producer) -> None:
    standing = data(get("/reports/corn/2025/standing", producer.token))
    assert (standing["blocked_by"], standing["key_fingerprint"]) == ([], producer.key.fingerprint)
    assert producer.sign_report().status_code == 201
    before = CustodyEvent.objects.count()
    drafts = [data(get(producer.offer(), producer.token)) for _ in range(2)]
    assert (drafts[0], CustodyEvent.objects.count()) == (drafts[1], before), "a draft assigns nothing"
    signed = {**sign_document(drafts[0], producer.key), "contract": "C-1"}
    made = post("/slips", producer.token, signed, "slip")
    assert made.status_code == 201, made.content
    assert post("/slips", producer.token, signed, "slip").content == made.content
    row = rows_of(producer.cast.book)["sale"][drafts[0]["number"]]
    assert (row["bushels"], row["contract"]) == ("1000.5", "C-1")
    left = next(one for one in all_of("/bushels-left", producer.token) if one["crop"] == "corn")
    assert left["serials"] == {"issued": "46860", "held": "46860", "assigned": "1000.5", "free": "45859.5"}
    (slip,) = all_of("/slips", producer.token)
    assert slip == data(made) == data(get(f"/slips/{slip['code']}", producer.token))
    paper = get(f"/slips/{slip['code']}/pdf", producer.token)
    assert (paper.content[:4], paper.headers["Content-Type"]) == (b"%PDF", "application/pdf")
    other = neighbour(producer.cast)
    assert [
        all_of(path, other) for path in ("/slips", "/keys", "/bushels-left", "/report-deliveries", "/boundaries")
    ] == [[]] * 5
    assert {get(f"/slips/{slip['code']}{part}", other).status_code for part in ("", "/pdf")} == {404}
    again = post("/slips", producer.token, signed, "other")
    assert data(again)["type"].endswith("overtaken"), "those serials are gone"
    assert SignedSlip.objects.count() == 1
    version = get("/reports/corn/2025/versions/1/jws", producer.token)
    assert version.content.count(b".") == 2
    assert get("/reports/corn/2025/versions/0/jws", producer.token).status_code == 404
    for number in (0, 1):
        assert get(f"/reports/corn/2025/versions/{number}/pdf", producer.token).content.startswith(b"%PDF")
    assert get("/reports/corn/2025/versions/2/pdf", producer.token).status_code == 404


def test_no_other_key_and_no_other_slip_sells_anything(producer: Producer) -> None:
    assert producer.sign_report().status_code == 201
    drawn = data(get(producer.offer(), producer.token))
    stranger = sign_document(drawn, SigningKey.generate())
    assert data(post("/slips", producer.token, stranger, "k1"))["type"].endswith("other_key")
    more = sign_document({**drawn, "bushels": "2000"}, producer.key)
    assert data(post("/slips", producer.token, more, "k2"))["type"].endswith("overtaken")
    halves = {**sign_document(drawn, producer.key), "document": {**drawn, "bushels": 0.5}}
    assert post("/slips", producer.token, halves, "k3").status_code == 409
    assert post("/slips", producer.token, {"document": {}, "signature": "x"}, "k4").status_code == 409
    assert not SignedSlip.objects.exists()


OFFERS = [
    ({"bushels": "46860"}, 200), ({"bushels": "46860.001"}, 409), ({"bushels": "0"}, 409), ({"bushels": "many"}, 409),
    ({"buyer": "nobody"}, 409), ({"buyer": "%00"}, 409), ({"crop": "wheat"}, 409), ({"day": "soon"}, 422),
]  # fmt: skip


def test_no_more_is_offered_than_there_is_and_to_nobody_unknown(producer: Producer) -> None:
    assert data(get(producer.offer(), producer.token))["type"].endswith("no_report")
    assert producer.sign_report().status_code == 201
    for changed, status in OFFERS:
        answer = get(producer.offer(**changed), producer.token)
        assert answer.status_code == status, (changed, answer.content)


def test_a_key_is_put_on_file_by_its_own_word_and_replaced_by_both(producer: Producer) -> None:
    (key,) = all_of("/keys", producer.token)
    assert (key["fingerprint"], key["in_force"], key["sealed_here"]) == (producer.key.fingerprint, True, False)
    assert (key["producer_id"], key["public"]) == (PRODUCER, producer.key.public.jwk)
    assert data(producer.register("again"))["type"].endswith("known_key")
    fresh, day = SigningKey.generate(), timezone.localdate()
    other = register("another", PRODUCER, fresh, on=day)
    for number, statement in enumerate((other, {}, {"document": {"on": "\ud800"}, "signature": "x"})):
        refused = producer.register(f"k{number}", statement=statement)
        assert data(refused)["type"].endswith("no_proof"), refused.content
    assert data(producer.register("none", producer_id="nobody"))["type"].endswith("no_producer")
    rotated = producer.register("rotated", statement=rotate(producer.key, fresh, on=day))
    assert data(rotated)["replaces"] == producer.key.fingerprint
    assert {one["fingerprint"]: one["in_force"] for one in all_of("/keys", producer.token, 1)} == {
        producer.key.fingerprint: False, fresh.fingerprint: True,
    }  # fmt: skip


def test_a_consultants_program_signs_and_sells_nothing(producer: Producer) -> None:
    secret = token(producer.cast, producer.cast.farm, "consultant")
    assert get(producer.offer(), secret).status_code == 403
    assert post("/slips", secret, {"document": {}, "signature": "x"}, "k1").status_code == 403
    assert post("/keys", secret, {"producer_id": PRODUCER, "statement": {}}, "k2").status_code == 403
    assert ProducerKey.objects.count() == 1


FARMS_OWN = (
    "/boundaries", "/evidence", "/season", "/keys", "/bushels-left", "/report-deliveries", "/slips", "/template",
    "/exchange/left", "/exchange/adapt", "/imports",
    "/reports/corn/2025/standing", "/reports/corn/2025/versions/0/pdf", "/records/kinds/harvest/history?key=h1",
)  # fmt: skip


def test_strangers_and_narrow_tokens_get_nothing_of_it(cast: Cast) -> None:
    fill_season(cast)
    day = timezone.localdate()
    _, narrow = create_token(
        cast.farm, name="narrow", scopes=[Scope.CUSTODY_READ], expires_on=day, actor=cast.actor("owner")
    )
    file = f"/files/{cast.upload.handle}"
    for path in (*FARMS_OWN, file, f"{file}/content"):
        assert get(path, cast.other_token_secret).status_code == 404, path
        assert get(path, narrow).status_code == 403, path


def test_a_stored_file_comes_back_as_bytes_that_no_browser_runs(cast: Cast) -> None:
    page = b"<script>alert(1)</script>"
    body = {"name": "page.html", "content": b64encode(page).decode()}
    made = data(post("/files", cast.token_secret, body, "k"))
    assert data(get(f"/files/{made['file']}", cast.token_secret)) == made
    given = Client().get(
        f"/api/v1/files/{made['file']}/content", headers={"Authorization": f"Bearer {cast.token_secret}"}
    )
    assert b"".join(given) == page
    assert given.headers["Content-Type"] == "application/octet-stream"
    assert given.headers["Content-Disposition"] == 'attachment; filename="page.html"'
    assert given.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in given.headers["Content-Security-Policy"]


def take(secret: str, name: str, **said: object) -> Any:  # noqa: ANN401 - JSON
    answer = post("/evidence", secret, said, name)
    return answer.status_code, data(answer)


def test_a_document_is_kept_as_evidence_of_the_record_it_is_for(cast: Cast) -> None:
    fill_season(cast)
    secret, file = cast.token_secret, cast.upload.handle
    of_crop = {"file": file, "what": "ticket", "unit_id": "G70", "kind": "harvest", "key": CROP}
    status, made = take(secret, "k1", **of_crop)
    assert (status, made["import_code"]) == (201, "")
    row = next(one for one in all_of("/evidence", secret) if one["file"] == file)
    assert (row["row"]["what"], row["row"]["unit_id"]) == ("ticket", "G70")
    changes = all_of(f"/records/kinds/harvest/history?key={CROP}", secret, 1)
    assert (changes[0]["before"], changes[-1]["version"]) == (None, made["version"])
    assert changes[-1]["after"]["evidence"].split("; ")[-1] == row["key"]
    assert set(changes[-1]["after"]) == {"evidence"}
    wrong = ({"what": "hearsay"}, {"unit_id": "Z1"}, {"key": "none"})
    for number, each in enumerate(wrong):
        status, said = take(secret, f"w{number}", **{**of_crop, **each})
        assert (status, said["type"]) == (409, "urn:provender:problem:misfit"), each
    assert take(secret, "w8", **{**of_crop, "kind": "hearsay"})[0] == 404
    assert take(secret, "w9", **{**of_crop, "file": "nothing"})[0] == 404
    assert get("/records/kinds/harvest/history?key=none", secret).status_code == 404


def test_the_season_of_a_unit_is_told_day_by_day(cast: Cast) -> None:
    fill_season(cast)
    whole = all_of("/season", cast.token_secret, 5)
    of_one = all_of("/season?unit=G70", cast.token_secret)
    assert {one["unit_id"] for one in of_one} == {"G70"}
    assert [one for one in whole if one["unit_id"] == "G70"] == of_one
    assert of_one[0]["events"]
    assert "build_up" not in of_one[0]
    assert get("/template", cast.token_secret).content.startswith(b"PK")
    assert get("/exchange/adapt", cast.token_secret).content.startswith(b"PK")
    assert {one["code"] for one in data(get("/exchange/left", cast.token_secret))} >= {"no_place"}
