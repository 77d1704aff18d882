"""The farm of the example sells in the browser: its key lies sealed, and the passphrase on the terminal opens it."""

import hashlib
import json

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import load_der_private_key
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from provender.custody.documents.build import SLIP
from provender.custody.documents.sign import TYPS
from provender.database.models import Person, ProducerKey, SignedSlip, VerifierKey
from provender.demo.chain import COOP
from provender.demo.sealed_keys import PASSPHRASE
from provender.services.farm.keys import check_sealed
from provender.signing.jws import sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url
from tests.web.demo_once import Demo, demo
from tests.web.producer_keys import post

__all__ = ["demo"]

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("demo server")]


def opened(row: ProducerKey | VerifierKey) -> SigningKey:
    """Open a sealed key as ``signing.js`` does."""
    sealed = check_sealed(row.sealed)
    salt, iv, text = (decode_base64url(sealed[name]) for name in ("salt", "iv", "sealed"))
    under = hashlib.pbkdf2_hmac("sha256", PASSPHRASE.encode(), salt, sealed["rounds"])
    private = AESGCM(under).decrypt(iv, text, PublicKey.from_jwk(row.public).fingerprint.encode())
    return SigningKey(load_der_private_key(private, None))  # type: ignore[arg-type]


def test_the_farm_sells_with_the_passphrase_that_the_terminal_shows(demo: Demo, settings: Settings) -> None:
    settings.UPLOAD_FOLDER = demo.uploads
    assert PASSPHRASE in demo.lines[0]
    client = Client()
    client.force_login(Person.objects.get(email="ada@farm.example"))
    page = client.get(reverse("farm_sales", args=("farm-01",)))
    assert b"Sign the slip" in page.content
    report = page.context["sellable"][0][0]
    where, day = reverse("farm_slip_sign", args=("farm-01",)), timezone.localdate().isoformat()
    sold = {"report": report, "buyer": COOP, "bushels": "1.5", "day": day, "contract": ""}
    asked = json.loads(post(client, where, {"fields": sold}).content)
    signature = sign(json.loads(asked["document"]), opened(ProducerKey.objects.get()), typ=TYPS[SLIP])["signature"]
    before = SignedSlip.objects.count()
    body = {"fields": sold, "sha256": asked["sha256"], "signature": signature}
    assert post(client, where, body).status_code == 200
    assert SignedSlip.objects.count() == before + 1


def test_the_verifiers_key_opens_too(demo: Demo) -> None:
    row = VerifierKey.objects.get()
    assert opened(row).public.fingerprint == row.fingerprint
