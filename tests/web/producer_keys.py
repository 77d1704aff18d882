"""What a farm producer's browser sends, made in Python with a key that the tests hold."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.report.signing import SALT_TYP
from provender.report.typ import TYP
from provender.services.sealed_keys import CIPHER, KDF, LEAST_ROUNDS
from provender.signing.jws import REGISTRATION, sign
from provender.signing.keys import SigningKey, encode_base64url
from tests.web.cast import Cast

PRODUCER = "P1"
SEALED: dict[str, object] = {
    "kdf": KDF,
    "rounds": LEAST_ROUNDS,
    "salt": encode_base64url(b"s" * 16),
    "cipher": CIPHER,
    "iv": encode_base64url(b"i" * 12),
    "sealed": encode_base64url(b"x" * 64),
}
"""A text of the right shape that nobody can open: the server cannot tell."""


def post(client: Client, where: str, body: object) -> HttpResponse:
    answer = client.post(where, json.dumps(body), content_type="application/json")
    assert isinstance(answer, HttpResponse)
    return answer


def told(answer: HttpResponse) -> str:
    return " ".join(one["cause"] for one in json.loads(answer.content)["problems"])


@dataclass(frozen=True)
class Producer:
    """A farm producer at the page: a session, the farm, a key."""

    client: Client
    cast: Cast
    key: SigningKey

    def statement(self, **changed: object) -> dict[str, Any]:
        said = {
            "kind": "key registration",
            "organisation": self.cast.farm.handle,
            "producer_id": PRODUCER,
            "new_key": self.key.public.jwk,
            "on": timezone.localdate().isoformat(),
        }
        return sign(said | changed, self.key, typ=REGISTRATION)

    def register(self, **changed: object) -> HttpResponse:
        body = {"producer_id": PRODUCER, "sealed": SEALED, "statement": self.statement()}
        return post(self.client, reverse("farm_key", args=(self.cast.farm.handle,)), body | changed)

    def where(self, crop: str, year: int) -> str:
        return reverse("farm_report_sign", args=(self.cast.farm.handle, crop, year))

    def ask(self, crop: str = "corn", year: int = 2025, **changed: object) -> HttpResponse:
        return post(self.client, self.where(crop, year), self.body(crop, year) | changed)

    def body(self, crop: str, year: int) -> dict[str, object]:
        name = f"{self.cast.farm.handle}/{crop}/{year}"
        salt = sign({"origin": name}, self.key, typ=SALT_TYP)["signature"]
        return {"fields": {"attested": "yes"}, "salt_signature": salt}

    def sign(self, crop: str = "corn", year: int = 2025, **changed: object) -> HttpResponse:
        fields = {"fields": changed["fields"]} if "fields" in changed else {}
        asked = json.loads(self.ask(crop, year, **fields).content)
        signature = sign(json.loads(asked["document"]), self.key, typ=TYP)["signature"]
        body = {**self.body(crop, year), "sha256": asked["sha256"], "signature": signature}
        return post(self.client, self.where(crop, year), body | changed)
