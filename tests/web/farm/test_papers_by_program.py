"""A farm signs and sells by program: its key stays where it is, and the server takes in what the key signed."""

from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from provender.custody.documents.receive import sign_document
from provender.custody.model.lots import origin_id, origin_name
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import ProducerKey, SignedSlip, rows_of
from provender.report.signing import salt_of, sign_report
from provender.signing.jws import register, rotate
from provender.signing.keys import SigningKey
from tests.web.api.test_calls import data, get
from tests.web.api.test_calls import post as call
from tests.web.api.test_every_call import all_of, token
from tests.web.cast import Cast
from tests.web.farm.test_imports import neighbour
from tests.web.farm_season import CROP
from tests.web.producer_keys import PRODUCER
from tests.web.replayed import replayed


@dataclass(frozen=True)
class Program:
    """A farm producer with a program: the farm's token, and a key that the program alone has."""

    cast: Cast
    key: SigningKey

    @property
    def token(self) -> str:
        return self.cast.token_secret

    def get(self, path: str) -> Any:  # noqa: ANN401 - JSON
        return data(get(path, self.token))

    def register(self, key: str = "reg", **changed: object) -> HttpResponse:
        statement = register(self.cast.farm.handle, PRODUCER, self.key, on=timezone.localdate())
        return call("/keys", self.token, {"producer_id": PRODUCER, "statement": statement, **changed}, key)

    def sign_report(self) -> int:
        """Sign as ``provender keys sign`` does."""
        report, name = self.get("/reports/corn/2025"), (self.cast.farm.handle, "corn", 2025)
        salt = salt_of(self.key, origin_name(*name))
        report["edition"] |= {"salt": salt, "origin_id": origin_id(*name, salt)}
        signed = sign_report(report, self.key, fingerprint_on_file=None)
        return call("/reports/corn/2025/versions", self.token, dict(signed), "report").status_code

    def offer(self, **changed: str) -> str:
        day, buyer = timezone.localdate().isoformat(), self.cast.elevator.handle
        said = {"crop": "corn", "harvest_year": "2025", "buyer": buyer, "bushels": "1000.5", "day": day} | changed
        return "/slips/draft?" + "&".join(f"{name}={text}" for name, text in said.items())


@pytest.fixture
def program(season: Cast, key_from: Callable[[str], SigningKey]) -> Program:
    found = Program(season, key_from("the program's"))
    assert replayed("the program's key", lambda: found.register().status_code) == 201
    return found


def test_bushels_are_reported_offered_signed_and_sold_by_program(program: Program) -> None:
    standing = program.get("/reports/corn/2025/standing")
    assert (standing["blocked_by"], standing["key_fingerprint"]) == ([], program.key.fingerprint)
    assert program.get(program.offer())["type"].endswith("no_report")
    assert program.sign_report() == 201
    for changed, status in (({"crop": "wheat"}, 409), ({"buyer": "%00"}, 409), ({"day": "soon"}, 422)):
        assert get(program.offer(**changed), program.token).status_code == status, changed
    before = CustodyEvent.objects.count()
    drafts = [program.get(program.offer()) for _ in range(2)]
    assert (drafts[0], CustodyEvent.objects.count()) == (drafts[1], before), "a draft assigns nothing"
    signed = {**sign_document(drafts[0], program.key), "contract": "C-1"}
    made = call("/slips", program.token, signed, "slip")
    assert made.status_code == 201, made.content
    assert call("/slips", program.token, signed, "slip").content == made.content
    row = rows_of(program.cast.book)["sale"][drafts[0]["number"]]
    assert (row["bushels"], row["contract"]) == ("1000.5", "C-1")
    left = next(one for one in all_of("/bushels-left", program.token) if one["crop"] == "corn")
    assert left["serials"] == {"issued": "13180", "held": "13180", "assigned": "1000.5", "free": "12179.5"}
    (slip,) = all_of("/slips", program.token)
    assert slip == data(made) == program.get(f"/slips/{slip['code']}")
    paper = get(f"/slips/{slip['code']}/pdf", program.token)
    assert (paper.content[:4], paper.headers["Content-Type"]) == (b"%PDF", "application/pdf")
    other = neighbour(program.cast)
    lists = ("/slips", "/keys", "/bushels-left", "/report-deliveries", "/boundaries")
    assert [all_of(path, other) for path in lists] == [[]] * 5
    assert {get(f"/slips/{slip['code']}{part}", other).status_code for part in ("", "/pdf")} == {404}
    again = call("/slips", program.token, signed, "other")
    assert data(again)["type"].endswith("overtaken"), "those serials are gone"
    assert SignedSlip.objects.count() == 1
    papers = {one: get(f"/reports/corn/2025/versions/{one}", program.token) for one in (
        "1/jws", "0/jws", "1/pdf", "2/pdf")}  # fmt: skip
    assert [one.status_code for one in papers.values()] == [200, 404, 200, 404]
    assert papers["1/jws"].content.count(b".") == 2
    assert papers["1/pdf"].content[:4] == b"%PDF"


def test_no_other_key_and_no_other_slip_sells_anything_by_program(program: Program) -> None:
    assert program.sign_report() == 201
    drawn = program.get(program.offer())
    halves = {**sign_document(drawn, program.key), "document": {**drawn, "bushels": 0.5}}
    slips: tuple[tuple[dict[str, object], str], ...] = (
        (dict(sign_document(drawn, SigningKey.generate())), "other_key"), (halves, ""),
        ({"document": {}, "signature": "x"}, ""),
    )  # fmt: skip
    for number, (slip, kind) in enumerate(slips):
        answer = call("/slips", program.token, slip, f"k{number}")
        assert (answer.status_code, data(answer)["type"].endswith(kind)) == (409, True), number
    secret = token(program.cast, program.cast.farm, "consultant")
    assert get(program.offer(), secret).status_code == 403
    assert call("/slips", secret, {"document": {}, "signature": "x"}, "c1").status_code == 403
    assert call("/keys", secret, {"producer_id": PRODUCER, "statement": {}}, "c2").status_code == 403
    assert (SignedSlip.objects.count(), ProducerKey.objects.count()) == (0, 1)


def test_a_key_is_put_on_file_by_its_own_word_and_replaced_by_both(program: Program) -> None:
    (key,) = all_of("/keys", program.token)
    assert (key["fingerprint"], key["in_force"], key["sealed_here"]) == (program.key.fingerprint, True, False)
    assert (key["producer_id"], key["public"]) == (PRODUCER, program.key.public.jwk)
    assert data(program.register("again"))["type"].endswith("known_key")
    fresh, day = SigningKey.generate(), timezone.localdate()
    other = register("another", PRODUCER, fresh, on=day)
    for number, statement in enumerate((other, {}, {"document": {"on": "\ud800"}, "signature": "x"})):
        refused = program.register(f"k{number}", statement=statement)
        assert data(refused)["type"].endswith("no_proof"), refused.content
    assert data(program.register("none", producer_id="nobody"))["type"].endswith("no_producer")
    rotated = program.register("rotated", statement=rotate(program.key, fresh, on=day))
    assert data(rotated)["replaces"] == program.key.fingerprint
    in_force = {one["fingerprint"]: one["in_force"] for one in all_of("/keys", program.token, 1)}
    assert in_force == {program.key.fingerprint: False, fresh.fingerprint: True}


FARMS_OWN = (
    "/boundaries", "/evidence", "/season", "/keys", "/bushels-left", "/report-deliveries", "/slips", "/template",
    "/exchange/left", "/exchange/adapt", "/imports",
    "/reports/corn/2025/standing", "/reports/corn/2025/versions/0/pdf", "/records/kinds/harvest/history?key=h1",
)  # fmt: skip


def test_a_stored_file_comes_back_as_bytes_that_no_browser_runs(cast: Cast) -> None:
    page = b"<script>alert(1)</script>"
    body = {"name": "page.html", "content": b64encode(page).decode()}
    made = data(call("/files", cast.token_secret, body, "k"))
    assert data(get(f"/files/{made['file']}", cast.token_secret)) == made
    heads = {"Authorization": f"Bearer {cast.token_secret}"}
    given = Client().get(f"/api/v1/files/{made['file']}/content", headers=heads)
    assert b"".join(given) == page
    assert given.headers["Content-Type"] == "application/octet-stream"
    assert given.headers["Content-Disposition"] == 'attachment; filename="page.html"'
    assert given.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in given.headers["Content-Security-Policy"]


def test_a_document_is_kept_as_evidence_of_the_record_it_is_for(season: Cast) -> None:
    secret, file = season.token_secret, season.upload.handle
    of_crop = {"file": file, "what": "ticket", "unit_id": "G70", "kind": "harvest", "key": CROP}

    def take(name: str, **changed: object) -> tuple[int, Any]:
        answer = call("/evidence", secret, {**of_crop, **changed}, name)
        return answer.status_code, data(answer)

    status, made = take("k1")
    assert (status, made["import_code"]) == (201, "")
    row = next(one for one in all_of("/evidence", secret) if one["file"] == file)
    assert (row["row"]["what"], row["row"]["unit_id"]) == ("ticket", "G70")
    changes = all_of(f"/records/kinds/harvest/history?key={CROP}", secret, 1)
    assert (changes[0]["before"], changes[-1]["version"]) == (None, made["version"])
    assert changes[-1]["after"]["evidence"].split("; ")[-1] == row["key"]
    assert set(changes[-1]["after"]) == {"evidence"}
    for number, each in enumerate(({"what": "hearsay"}, {"unit_id": "Z1"}, {"key": "none"})):
        status, said = take(f"w{number}", **each)
        assert (status, said["type"]) == (409, "urn:provender:problem:misfit"), each
    assert [take("w8", kind="hearsay")[0], take("w9", file="nothing")[0]] == [404, 404]
    assert get("/records/kinds/harvest/history?key=none", secret).status_code == 404


def test_a_unit_is_told_day_by_day_and_strangers_get_nothing(season: Cast) -> None:
    whole = all_of("/season", season.token_secret, 5)
    of_one = all_of("/season?unit=G70", season.token_secret)
    assert {one["unit_id"] for one in of_one} == {"G70"}
    assert [one for one in whole if one["unit_id"] == "G70"] == of_one
    assert of_one[0]["events"]
    assert "build_up" not in of_one[0]
    assert get("/template", season.token_secret).content.startswith(b"PK")
    assert get("/exchange/adapt", season.token_secret).content.startswith(b"PK")
    assert {one["code"] for one in data(get("/exchange/left", season.token_secret))} >= {"no_place"}
    file = f"/files/{season.upload.handle}"
    for path in (*FARMS_OWN, file, f"{file}/content"):
        assert get(path, season.other_token_secret).status_code == 404, path
