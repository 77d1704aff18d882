"""A trader's keys: registered with proof, replaced by whoever may, told to buyers; they sign what a page shows."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER
from provender.custody.documents.receive import TYPS
from provender.database.models.accounts import LogRow, News, Organisation
from provender.database.models.farm import PartyKey, ProducerKey, SignedDocument
from provender.services.custody.documents import KEYS
from provender.services.news.told import OF_KEY, Gatherer
from provender.services.organisation_keys import may_replace
from provender.signing.jws import register, rotate, sign
from provender.signing.keys import SigningKey
from tests.web.api.test_calls import data, get, post
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import enter, fields_on, sale, signed, where
from tests.web.custody.test_api import amend_report, closed_pool
from tests.web.custody_season import Season, days_ago
from tests.web.farm_season import fill_season
from tests.web.producer_keys import SEALED, Producer, told
from tests.web.producer_keys import post as send

pytestmark = pytest.mark.django_db

LOST = {"lost": "yes"}


@pytest.fixture
def mill(cast: Cast) -> Organisation:
    return cast.mill


def here(mill: Organisation) -> str:
    return reverse("custody_key", args=(mill.handle,))


def said(mill: Organisation, key: SigningKey) -> dict[str, object]:
    return register(mill.handle, KEYS.signer, key, on=timezone.localdate())


def brings(client: Client, mill: Organisation, statement: object, **more: object) -> Any:  # noqa: ANN401 - the client's
    return send(client, here(mill), {"sealed": SEALED, "statement": statement, "lost": "", **more})


def made_by(cast: Cast, mill: Organisation, part: str) -> SigningKey:
    key = SigningKey.generate()
    assert brings(cast.client(part), mill, said(mill, key)).status_code == 200
    return key


@pytest.mark.parametrize(
    ("holder", "part", "status"),
    [("owner", "writer", 409), ("owner", "owner", 200), ("writer", "owner", 200), ("writer", "writer", 200)],
)
def test_who_may_replace_a_traders_key(cast: Cast, mill: Organisation, holder: str, part: str, status: int) -> None:
    made_by(cast, mill, holder)
    answer = brings(cast.client(part), mill, said(mill, SigningKey.generate()), **LOST)
    assert answer.status_code == status
    assert PartyKey.objects.count() == (2 if status == 200 else 1)
    if status == 409:
        assert told(answer) == f"{cast.person(holder)} signs with the key in use."


def test_the_log_says_who_replaced_whose_key(cast: Cast, mill: Organisation) -> None:
    made_by(cast, mill, "writer")
    assert brings(cast.client("owner"), mill, said(mill, SigningKey.generate()), **LOST).status_code == 200
    row = LogRow.objects.filter(organisation=mill, deed=KEYS.deed).latest("id")
    assert (row.actor, (row.old or {})["held by"]) == (cast.person("owner"), str(cast.person("writer")))
    page = cast.client().get(reverse("log", args=(mill.handle,))).content.decode()
    assert f"held by: {cast.person('writer')}" in page


def test_a_program_may_no_more_than_its_maker(cast: Cast, mill: Organisation) -> None:
    made_by(cast, mill, "owner")
    assert may_replace(mill, cast.person("owner"), cast.person("writer"))
    for part in ("writer", "consultant", "stranger"):
        assert not may_replace(mill, cast.person(part), cast.person("owner")), part
    assert not may_replace(mill, cast.person("writer"), None), "what a program brought is a manager's to replace"
    assert may_replace(mill, cast.person("owner"), None)


def notices(organisation: Organisation) -> list[tuple[str, str]]:
    return list(News.objects.filter(organisation=organisation).order_by("pk").values_list("says", "page"))


def test_buyers_under_contract_are_told_of_a_replaced_key_and_nobody_else(cast: Cast, mill: Organisation) -> None:
    gatherer = Gatherer()
    gatherer.round()
    first = made_by(cast, mill, "owner")
    gatherer.round()
    assert not News.objects.exists(), "a first key replaces none"
    second = SigningKey.generate()
    assert brings(cast.client(), mill, rotate(first, second, on=timezone.localdate())).status_code == 200
    assert brings(cast.client(), mill, said(mill, SigningKey.generate()), **LOST).status_code == 200
    gatherer.round()
    gatherer.round()
    assert notices(cast.elevator) == [
        (OF_KEY[True].format(who=mill), "custody_partners"),
        (OF_KEY[False].format(who=mill), "custody_partners"),
    ]
    assert {one.organisation_id for one in News.objects.all()} == {cast.elevator.pk}, "the farm buys nothing from it"


@pytest.mark.parametrize(("part", "status"), [("writer", 409), ("owner", 200)])
def test_who_may_replace_the_key_of_a_producer(cast: Cast, part: str, status: int) -> None:
    fill_season(cast)
    address = reverse("farm_key", args=(cast.farm.handle,))
    for who, expected in (("owner", 200), (part, status)):
        producer = Producer(cast.client(who), cast, SigningKey.generate())
        body = {"producer_id": "P1", "sealed": SEALED, "statement": producer.statement()}
        answer = send(producer.client, address, body)
        assert answer.status_code == expected, json.loads(answer.content) if expected == 200 else ""
    assert ProducerKey.objects.count() == (2 if status == 200 else 1)


@pytest.fixture
def secret(cast: Cast) -> str:
    return token(cast, cast.mill, "owner")


def test_keys_are_brought_listed_and_shown_on_the_page(cast: Cast, secret: str) -> None:
    first, second = SigningKey.generate(), SigningKey.generate()
    made = post("/custody/keys", secret, {"shown": first.public.jwk}, "k1")
    assert (made.status_code, data(made)["signs"]) == (201, True)
    alone = post("/custody/keys", secret, {"shown": second.public.jwk}, "k2")
    assert (alone.status_code, data(alone)["problems"][0]["code"]) == (409, "no_reason")
    day = cast.client().get(where(cast, "custody_key")).context["today"]
    moved = rotate(first, second, on=PartyKey.objects.get().at.date().fromisoformat(day))
    assert post("/custody/keys", secret, {"shown": moved}, "k3").status_code == 201
    items = data(get("/custody/keys", secret))["items"]
    told = [(one["fingerprint"], one["signs"], one["by_rotation"]) for one in items]
    assert told == [(first.fingerprint, False, False), (second.fingerprint, True, True)]
    page = cast.client().get(where(cast, "custody_key"))
    assert [row[0].saved for row in page.context["keys"].rows] == [second.fingerprint, first.fingerprint]


def test_a_private_key_is_refused_and_a_sealed_one_is_not_told(cast: Cast, secret: str) -> None:
    shown = {**SigningKey.generate().public.jwk, "d": "AAAA"}
    assert post("/custody/keys", secret, {"shown": shown}, "k1").status_code in (409, 422)
    assert not PartyKey.objects.exists()
    key = SigningKey.generate()
    PartyKey.objects.create(
        organisation=cast.mill, fingerprint=key.fingerprint, public=key.public.export(), sealed=SEALED,
        at=cast.mill.created_at, actor=cast.person("owner"),
    )  # fmt: skip
    assert str(SEALED["sealed"]) not in get("/custody/keys", secret).content.decode()


def test_no_token_of_a_consultant_or_another_member_brings_a_key_without_its_word(cast: Cast, secret: str) -> None:
    consultants = token(cast, cast.mill, "consultant")
    body: dict[str, object] = {"shown": SigningKey.generate().public.jwk}
    assert post("/custody/keys", consultants, body, "k1").status_code == 403
    assert not PartyKey.objects.exists()
    first = SigningKey.generate()
    assert post("/custody/keys", secret, {"shown": first.public.jwk}, "k1").status_code == 201
    body = {"shown": SigningKey.generate().public.jwk, "reason": "I want to sign."}
    refused = post("/custody/keys", token(cast, cast.mill, "writer"), body, "k2")
    assert (refused.status_code, data(refused)["problems"][0]["code"]) == (409, "not_your_key")
    assert PartyKey.objects.get().fingerprint == first.fingerprint


def document_at(cast: Cast, season: Season) -> str:
    return where(cast, "custody_document") + f"?sale={season.sale}"


def test_a_restatement_is_signed_beside_the_statement(cast: Cast, season: Season, owner: Client) -> None:
    pool, _ = closed_pool(cast, season.origin)
    amend_report(cast)
    made = SigningKey.generate()
    said = register(pool.handle, KEYS.signer, made, on=timezone.localdate())
    here = reverse("custody_key", args=(pool.handle,))
    assert send(owner, here, {"sealed": SEALED, "statement": said, "lost": ""}).status_code == 200
    statement = reverse("custody_statement", args=(pool.handle,)) + f"?start={days_ago(100)}"
    assert signed(owner, statement + "&restated=yes", made, RESTATEMENT).status_code == 200
    assert SignedDocument.objects.get().kind == RESTATEMENT
    assert signed(owner, statement, made, PERIOD).status_code == 200
    assert SignedDocument.objects.count() == 2


def test_an_entry_meanwhile_is_another_document(cast: Cast, season: Season, owner: Client, key: SigningKey) -> None:
    address = document_at(cast, season)
    fields = fields_on(owner, address)
    assert enter(owner, cast, "sale", **sale(cast)).status_code == 302
    asked = json.loads(send(owner, address, {"fields": fields}).content)
    assert json.loads(asked["document"])["book"]["lines"] == int(fields["lines"])
    assert fields_on(owner, address)["shown"] != fields["shown"], "a new look is at the longer book"


def test_another_key_or_text_is_refused(cast: Cast, season: Season, owner: Client, key: SigningKey) -> None:
    address = document_at(cast, season)
    body = {"fields": fields_on(owner, address)}
    document = json.loads(json.loads(send(owner, address, body).content)["document"])
    other = sign(document, SigningKey.generate(), typ=TYPS[TRANSFER])["signature"]
    assert told(send(owner, address, {**body, "signature": other})) == (
        "This was signed with another key than the one in use."
    )
    for forged, typ in (({**document, "amount": "1"}, TYPS[TRANSFER]), (document, TYPS[PERIOD])):
        signature = sign(forged, key, typ=typ)["signature"]
        assert send(owner, address, {**body, "signature": signature}).status_code == 409
    assert not SignedDocument.objects.exists()


def test_only_who_holds_the_key_sees_it_and_signs(cast: Cast, season: Season, owner: Client, key: SigningKey) -> None:
    address = document_at(cast, season)
    fields = fields_on(owner, address)
    assert str(SEALED["sealed"]) in owner.get(address).content.decode()
    for part, status in (
        ("writer", 409),
        ("reader", 403),
        ("consultant", 403),
        ("verifier_in", 403),
        ("stranger", 404),
    ):
        client = cast.client(part)
        for page in (address, where(cast, "custody_key")):
            assert str(SEALED["sealed"]) not in client.get(page).content.decode(), part
        assert send(client, address, {"fields": fields}).status_code == status, part
    assert "nobody else opens it" in cast.client("writer").get(address).content.decode()


def test_a_key_without_proof_or_seal_is_not_registered(cast: Cast, season: Season, owner: Client) -> None:
    made, other = SigningKey.generate(), SigningKey.generate()
    today = timezone.localdate()
    forged: dict[str, dict[str, object]] = {
        "another day": register(cast.mill.handle, KEYS.signer, made, on=today - timedelta(days=1)),
        "another party": register(cast.elevator.handle, KEYS.signer, made, on=today),
        "another key": {**said(cast.mill, made), "signature": said(cast.mill, other)["signature"]},
        "nothing": {},
        "open key": said(cast.mill, made),
    }
    for what, statement in forged.items():
        sealed = {**SEALED, "sealed": "MC4CAQAwBQYDK2VwBCIEIA"} if what == "open key" else SEALED
        assert brings(owner, cast.mill, statement, sealed=sealed).status_code == 409, what
    assert not PartyKey.objects.exists()


def test_a_key_hands_over_or_is_told_lost(cast: Cast, season: Season, owner: Client, key: SigningKey) -> None:
    second, third = SigningKey.generate(), SigningKey.generate()
    assert brings(owner, cast.mill, rotate(key, second, on=timezone.localdate())).status_code == 200
    alone = brings(owner, cast.mill, said(cast.mill, third))
    assert alone.status_code == 409, "a key in use is not replaced without a word"
    assert "tick that the new one comes without it" in alone.content.decode()
    assert brings(owner, cast.mill, said(cast.mill, third), lost="yes").status_code == 200
    assert brings(owner, cast.mill, said(cast.mill, key), lost="yes").status_code == 409, (
        "a key given up does not come back"
    )
    newest, middle, _ = PartyKey.objects.all()
    assert (newest.fingerprint, middle.fingerprint) == (third.fingerprint, second.fingerprint)
    assert bool(middle.statement) > bool(newest.statement)
    assert signed(owner, document_at(cast, season), key).status_code == 409
    assert signed(owner, document_at(cast, season), third).status_code == 200
