"""The public keys of a trader by calls: what the page shows, brought by programs, and never a private half."""

import pytest

from provender.database.models.farm import PartyKey
from provender.signing.jws import rotate
from provender.signing.keys import SigningKey
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_pages import where
from tests.web.custody_season import fill_custody
from tests.web.producer_keys import SEALED


@pytest.fixture
def mill(cast: Cast) -> str:
    fill_custody(cast)
    return token(cast, cast.mill, "owner")


def test_keys_are_brought_listed_and_shown_on_the_page(cast: Cast, mill: str) -> None:
    first, second = SigningKey.generate(), SigningKey.generate()
    made = post("/custody/keys", mill, {"shown": first.public.jwk}, "k1")
    assert (made.status_code, data(made)["signs"]) == (201, True)
    alone = post("/custody/keys", mill, {"shown": second.public.jwk}, "k2")
    assert (alone.status_code, data(alone)["problems"][0]["code"]) == (409, "no_reason")
    day = cast.client().get(where(cast, "custody_key")).context["today"]
    moved = rotate(first, second, on=PartyKey.objects.get().at.date().fromisoformat(day))
    assert post("/custody/keys", mill, {"shown": moved}, "k3").status_code == 201
    items = data(get("/custody/keys", mill))["items"]
    told = [(one["fingerprint"], one["signs"], one["by_rotation"]) for one in items]
    assert told == [(first.fingerprint, False, False), (second.fingerprint, True, True)]
    page = cast.client().get(where(cast, "custody_key"))
    assert [row[0].saved for row in page.context["keys"].rows] == [second.fingerprint, first.fingerprint]


def test_a_private_key_is_refused_and_a_sealed_one_is_not_told(cast: Cast, mill: str) -> None:
    shown = {**SigningKey.generate().public.jwk, "d": "AAAA"}
    assert post("/custody/keys", mill, {"shown": shown}, "k1").status_code in (409, 422)
    assert not PartyKey.objects.exists()
    key = SigningKey.generate()
    PartyKey.objects.create(
        organisation=cast.mill, fingerprint=key.fingerprint, public=key.public.export(), sealed=SEALED,
        at=cast.mill.created_at, actor=cast.person("owner"),
    )  # fmt: skip
    assert str(SEALED["sealed"]) not in get("/custody/keys", mill).content.decode()


def test_a_consultants_token_brings_no_key(cast: Cast, mill: str) -> None:
    consultants = token(cast, cast.mill, "consultant")
    body = {"shown": SigningKey.generate().public.jwk}
    assert post("/custody/keys", consultants, body, "k1").status_code == 403
    assert not PartyKey.objects.exists()


def test_another_members_token_replaces_no_key_without_its_word(cast: Cast, mill: str) -> None:
    first = SigningKey.generate()
    assert post("/custody/keys", mill, {"shown": first.public.jwk}, "k1").status_code == 201
    body = {"shown": SigningKey.generate().public.jwk, "reason": "I want to sign."}
    refused = post("/custody/keys", token(cast, cast.mill, "writer"), body, "k2")
    assert (refused.status_code, data(refused)["problems"][0]["code"]) == (409, "not_your_key")
    assert PartyKey.objects.get().fingerprint == first.fingerprint
