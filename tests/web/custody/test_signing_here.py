"""A trader signs where the document stands: a key sealed on its page signs what the page shows, and nothing else."""

import json
from datetime import timedelta

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER
from provender.custody.documents.sign import TYPS
from provender.database.models.farm import PartyKey, SignedDocument
from provender.services.custody.documents import KEYS
from provender.signing.jws import register, rotate, sign
from provender.signing.keys import SigningKey
from tests.web.cast import Cast
from tests.web.custody.asking import enter, fields_on, sale, signed, where
from tests.web.custody.test_api import amend_report, closed_pool
from tests.web.custody_season import Season, days_ago
from tests.web.producer_keys import SEALED, post, told


def said_by(cast: Cast, key: SigningKey) -> dict[str, object]:
    return register(cast.mill.handle, KEYS.signer, key, on=timezone.localdate())


def hand_in(cast: Cast, client: Client, statement: object, **changed: object) -> HttpResponse:
    return post(client, where(cast, "custody_key"), {"sealed": SEALED, "statement": statement, "lost": "", **changed})


def document_at(cast: Cast, season: Season) -> str:
    return where(cast, "custody_document") + f"?sale={season.sale}"


def test_the_list_of_sales_says_which_documents_are_signed(
    cast: Cast, season: Season, owner: Client, key: SigningKey
) -> None:
    assert enter(owner, cast, "sale", **sale(cast)).status_code == 302
    assert signed(owner, document_at(cast, season), key).status_code == 200
    rows = owner.get(where(cast, "custody_sales")).context["sales"].rows
    shown = [(row[-1].text, row[-1].note) for row in rows]
    assert shown == [("Document", "Not signed"), ("Document", "Signed"), ("", "")], "the last is a sale to the mill"
    assert rows[1][-1].href == document_at(cast, season)
    assert enter(owner, cast, "correct", movement=season.sale, reason="another house").status_code == 302
    assert owner.get(where(cast, "custody_sales")).context["sales"].rows[1][-1].text == ""


def test_a_restatement_is_signed_beside_the_statement(cast: Cast, season: Season, owner: Client) -> None:
    pool, _ = closed_pool(cast, season.origin)
    amend_report(cast)
    made = SigningKey.generate()
    said = register(pool.handle, KEYS.signer, made, on=timezone.localdate())
    here = reverse("custody_key", args=(pool.handle,))
    assert post(owner, here, {"sealed": SEALED, "statement": said, "lost": ""}).status_code == 200
    statement = reverse("custody_statement", args=(pool.handle,)) + f"?start={days_ago(100)}"
    assert signed(owner, statement + "&restated=yes", made, RESTATEMENT).status_code == 200
    assert SignedDocument.objects.get().kind == RESTATEMENT
    assert signed(owner, statement, made, PERIOD).status_code == 200
    assert SignedDocument.objects.count() == 2


def test_what_is_entered_between_looking_and_signing_is_no_other_document(
    cast: Cast, season: Season, owner: Client, key: SigningKey
) -> None:
    address = document_at(cast, season)
    fields = fields_on(owner, address)
    assert enter(owner, cast, "sale", **sale(cast)).status_code == 302
    asked = json.loads(post(owner, address, {"fields": fields}).content)
    assert json.loads(asked["document"])["book"]["lines"] == int(fields["lines"])
    assert fields_on(owner, address)["shown"] != fields["shown"], "a new look is at the longer book"


def test_another_document_than_the_one_that_was_read_is_not_signed(
    cast: Cast, season: Season, owner: Client, key: SigningKey
) -> None:
    address = document_at(cast, season)
    for name, wrong in (("shown", "0" * 64), ("made_on", "2025-12-31")):
        fields = {**fields_on(owner, address), name: wrong}
        answer = post(owner, address, {"fields": fields, "signature": "x..y"})
        assert answer.status_code == 409
        assert told(answer) == "The document says something else than when you began.", name
    assert post(owner, address, {"fields": [], "signature": 7}).status_code == 409
    assert not SignedDocument.objects.exists()


def test_the_signature_of_another_key_or_over_another_text_is_refused(
    cast: Cast, season: Season, owner: Client, key: SigningKey
) -> None:
    address = document_at(cast, season)
    body = {"fields": fields_on(owner, address)}
    document = json.loads(json.loads(post(owner, address, body).content)["document"])
    other = sign(document, SigningKey.generate(), typ=TYPS[TRANSFER])["signature"]
    assert told(post(owner, address, {**body, "signature": other})) == (
        "This was signed with another key than the one in use."
    )
    for forged, typ in (({**document, "amount": "1"}, TYPS[TRANSFER]), (document, TYPS[PERIOD])):
        signature = sign(forged, key, typ=typ)["signature"]
        assert post(owner, address, {**body, "signature": signature}).status_code == 409
    assert not SignedDocument.objects.exists()


def test_without_a_key_nothing_is_signed_and_the_page_leads_to_it(cast: Cast, season: Season, owner: Client) -> None:
    address = document_at(cast, season)
    page = owner.get(address).content.decode()
    assert "Sign the document" not in page
    assert where(cast, "custody_key") in page
    assert told(post(owner, address, {"fields": {}})) == "No signing key in use lies sealed here for you."


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
        assert post(client, address, {"fields": fields}).status_code == status, part
    assert "nobody else opens it" in cast.client("writer").get(address).content.decode()


def test_a_key_without_proof_or_seal_is_not_registered(cast: Cast, season: Season, owner: Client) -> None:
    made, other = SigningKey.generate(), SigningKey.generate()
    today = timezone.localdate()
    forged: dict[str, dict[str, object]] = {
        "another day": register(cast.mill.handle, KEYS.signer, made, on=today - timedelta(days=1)),
        "another party": register(cast.elevator.handle, KEYS.signer, made, on=today),
        "another key": {**said_by(cast, made), "signature": said_by(cast, other)["signature"]},
        "nothing": {},
        "open key": said_by(cast, made),
    }
    for what, statement in forged.items():
        sealed = {**SEALED, "sealed": "MC4CAQAwBQYDK2VwBCIEIA"} if what == "open key" else SEALED
        assert hand_in(cast, owner, statement, sealed=sealed).status_code == 409, what
    assert not PartyKey.objects.exists()


def test_a_key_hands_over_or_is_told_lost_and_the_new_one_signs(
    cast: Cast, season: Season, owner: Client, key: SigningKey
) -> None:
    second, third = SigningKey.generate(), SigningKey.generate()
    assert hand_in(cast, owner, rotate(key, second, on=timezone.localdate())).status_code == 200
    alone = hand_in(cast, owner, said_by(cast, third))
    assert alone.status_code == 409, "a key in use is not replaced without a word"
    assert "tick that the new one comes without it" in alone.content.decode()
    assert hand_in(cast, owner, said_by(cast, third), lost="yes").status_code == 200
    assert hand_in(cast, owner, said_by(cast, key), lost="yes").status_code == 409, "a key given up does not come back"
    newest, middle, _ = PartyKey.objects.all()
    assert (newest.fingerprint, middle.fingerprint) == (third.fingerprint, second.fingerprint)
    assert bool(middle.statement) > bool(newest.statement)
    assert signed(owner, document_at(cast, season), key).status_code == 409
    assert signed(owner, document_at(cast, season), third).status_code == 200
