"""A verifier signs where the statement stands: a key sealed on the page signs nothing but what the page shows."""

import json
import re

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.database.choices import Right
from provender.database.store.audits import statement_of
from provender.services.accounts.organisations import add_member
from provender.services.audits.audits import KEYS
from provender.signing.jws import register, sign
from provender.signing.keys import SigningKey
from tests.web.audit.test_pages import drafted, led, vic
from tests.web.cast import Cast
from tests.web.producer_keys import SEALED, post

__all__ = ["vic"]


def hand_in(cast: Cast, vic: Client, statement: object, **changed: object) -> HttpResponse:
    where = reverse("audit_key", args=(cast.verifier.handle,))
    return post(vic, where, {"sealed": SEALED, "statement": statement, "lost": "", **changed})


def said_by(cast: Cast, key: SigningKey) -> dict[str, object]:
    return register(cast.verifier.handle, KEYS.signer, key, on=timezone.localdate())


@pytest.fixture
def key(cast: Cast, vic: Client) -> SigningKey:
    made = SigningKey.generate()
    assert hand_in(cast, vic, said_by(cast, made)).status_code == 200
    return made


def test_a_statement_is_signed_on_its_page(cast: Cast, vic: Client, key: SigningKey) -> None:
    draft = drafted(cast, vic)
    page = vic.get(led(cast, "audit_statement")).content.decode()
    shown = re.search(r'name="shown" value="(\w+)"', page)
    assert shown is not None
    assert "Sign the statement" in page
    body: dict[str, object] = {"fields": {"shown": shown[1]}}
    asked = json.loads(post(vic, led(cast, "audit_statement_sign"), body).content)
    assert json.loads(asked["document"]) == draft
    assert asked["sha256"] == shown[1], "the page holds the text against the hash it came with"
    assert statement_of(cast.audit) is None
    signature = sign(draft, key)["signature"]
    answer = post(vic, led(cast, "audit_statement_sign"), {**body, "sha256": shown[1], "signature": signature})
    assert answer.status_code == 200
    assert statement_of(cast.audit) == sign(draft, key)


def test_a_draft_that_changed_after_it_was_read_is_not_signed(cast: Cast, vic: Client, key: SigningKey) -> None:
    drafted(cast, vic)
    shown = re.search(r'name="shown" value="(\w+)"', vic.get(led(cast, "audit_statement")).content.decode())
    assert shown is not None
    later = drafted(cast, vic, basis="Another basis.")
    body = {"fields": {"shown": shown[1]}, "signature": sign(later, key)["signature"]}
    answer = post(vic, led(cast, "audit_statement_sign"), body)
    assert answer.status_code == 409
    assert statement_of(cast.audit) is None


def test_another_member_sees_no_sealed_key(cast: Cast, vic: Client, key: SigningKey) -> None:
    drafted(cast, vic)
    colleague = cast.person("stranger")
    add_member(cast.verifier, colleague, Right.WRITE, actor=cast.actor("verifier_in"))
    client = Client()
    client.force_login(colleague)
    for where in (led(cast, "audit_statement"), reverse("audit_key", args=(cast.verifier.handle,))):
        page = client.get(where).content.decode()
        assert str(SEALED["sealed"]) not in page
        assert "Sign the statement" not in page
