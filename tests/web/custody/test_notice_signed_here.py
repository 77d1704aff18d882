"""A seller sees which partners a changed report concerns, and signs the notice to each where it stands."""

import json
from html import unescape
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.cli import app
from provender.custody.documents.consents import NOTICE, notice_document
from provender.custody.documents.receive import open_document
from provender.custody.documents.sign import TYPS
from provender.database.models.farm import SignedDocument
from provender.database.store.custody import SqlStore
from provender.services.custody.documents import KEYS
from provender.signing.jws import Status, check, register
from provender.signing.keys import SigningKey
from tests.web.api.test_calls import data, get
from tests.web.api.test_calls import post as call
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_api import amend_report
from tests.web.custody.test_consent_signed_here import own_book
from tests.web.custody.test_pages import where
from tests.web.custody.test_signing_here import TOKEN, signed
from tests.web.custody_season import BY, Season, days_ago, fill_custody
from tests.web.producer_keys import SEALED, post, told


@pytest.fixture
def season(cast: Cast) -> Season:
    """The season, in which the mill sold to the elevator, and the farm's report is amended then."""
    found = fill_custody(cast)
    amend_report(cast)
    return found


@pytest.fixture
def key(cast: Cast, season: Season, owner: Client) -> SigningKey:
    made = SigningKey.generate()
    said = register(cast.mill.handle, KEYS.signer, made, on=timezone.localdate())
    body = {"sealed": SEALED, "statement": said, "lost": ""}
    assert post(owner, where(cast, "custody_key"), body).status_code == 200
    return made


def notice_at(cast: Cast, number: str) -> str:
    return f"{where(cast, 'custody_notice')}?number={number}"


def only(cast: Cast) -> str:
    """Return the number of the mill's one notice."""
    (one,) = data(get("/custody/notices", token(cast, cast.mill, "owner")))["items"]
    assert (one["buyer"], one["bushels"], one["ci_g_per_bu"]) == (cast.elevator.handle, "500", "6000.25")
    assert one["day"] == days_ago(5)
    return str(one["number"])


def test_a_notice_is_listed_and_signed_as_the_command_makes_it(cast: Cast, owner: Client, key: SigningKey) -> None:
    number = only(cast)
    address = notice_at(cast, number)
    listed = owner.get(where(cast, "custody_notices"))
    ((_, to, *_, paper),) = listed.context["told"].rows
    assert (to.text, paper.note) == ("Stan's Elevator", "Not signed")
    assert "report-2" not in listed.content.decode(), "the name of the event may hold the farm's"
    shown = json.loads(owner.get(f"{address}&as=json").content)
    with SqlStore(BY).reading() as facts:
        by_command = notice_document(
            facts, cast.mill.handle, "report-2", cast.elevator.handle, as_of=timezone.localdate()
        )
    assert shown == by_command
    page = unescape(owner.get(address).content.decode())
    assert shown["changes"][0]["words"] in page
    assert "6,000.25" in page
    assert signed(owner, address, key, NOTICE).status_code == 200
    kept = SignedDocument.objects.get()
    assert (kept.kind, kept.number, kept.fingerprint) == (NOTICE, number, key.fingerprint)
    envelope = json.loads(owner.get(f"{address}&as=json").content)
    assert envelope["document"] == shown
    assert check(envelope, {key.fingerprint: key.public}, typ=TYPS[NOTICE]).valid
    assert told(post(owner, address, {"fields": {}})) == "The document is signed already."
    assert owner.get(f"{address}&as=pdf").content.startswith(b"%PDF")
    assert owner.get(where(cast, "custody_notices")).context["told"].rows[0][-1].note == "Signed"
    found = owner.get(where(cast, "organisation_search"), {"q": "notice of"}).content.decode()
    assert "custody/notice/?number=" in found


@pytest.mark.parametrize("flipped", [False, True])
def test_the_command_and_the_other_book_accept_it_and_no_flipped_sign(
    cast: Cast, owner: Client, key: SigningKey, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, flipped: bool
) -> None:
    address = notice_at(cast, only(cast))
    assert signed(owner, address, key, NOTICE).status_code == 200
    content = owner.get(f"{address}&as=json").content
    if flipped:
        assert content.count(b'"ci_g_per_bu": "6000.25"') == 1
        content = content.replace(b'"ci_g_per_bu": "6000.25"', b'"ci_g_per_bu": "5000.25"')
    file, pinned = tmp_path / "notice.json", tmp_path / "mill.pub.json"
    file.write_bytes(content)
    pinned.write_text(json.dumps(key.public.jwk), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        app.call(("signature", str(file), "--pinned", str(pinned), "--json"))
    status = json.loads(capsys.readouterr().out)["status"]
    assert (ended.value.code, status) == ((1, "signature_wrong") if flipped else (0, "valid"))
    opened = open_document(json.loads(content), own_book(cast, key.fingerprint), cast.elevator.handle, file.name)
    assert opened.signature == (Status.SIGNATURE_WRONG if flipped else Status.VALID)


def test_a_program_reads_it_and_hands_in_what_was_signed(cast: Cast, owner: Client, key: SigningKey) -> None:
    mill, number = token(cast, cast.mill, "owner"), only(cast)
    path = f"/custody/papers/notice?number={number}"
    assert data(get(path, mill))["signature"] is None
    assert signed(owner, notice_at(cast, number), key, NOTICE).status_code == 200
    whole = data(get(path, mill))
    assert call("/custody/papers", mill, whole, "k1").status_code == 201
    assert get(path.replace("notice?", "notice.pdf?"), mill).content.startswith(b"%PDF")
    (one,) = data(get("/custody/notices", mill))["items"]
    assert one["signed"]


def test_a_notice_of_another_is_as_none(cast: Cast, season: Season) -> None:
    number, elevator = only(cast), cast.other_token_secret
    calls = [get(f"/custody/papers/notice?number={one}", elevator) for one in (number, "none")]
    assert [one.status_code for one in calls] == [404, 404]
    assert calls[0].content.replace(number.encode(), b"#") == calls[1].content.replace(b"none", b"#")
    theirs = reverse("custody_notice", args=(cast.elevator.handle,)) + "?number="
    pages = [cast.client("stranger").get(theirs + one) for one in (number, "none")]
    assert [one.status_code for one in pages] == [404, 404]
    one, other = (TOKEN.sub("", page.content.decode()) for page in pages)
    assert one.replace(number, "#") == other.replace("number=none", "number=#")
