"""Whoever gave bushels back signs the paper that says so on its page; the other side's own book takes it in."""

import json
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.cli import app
from provender.custody.documents.receive import open_document
from provender.custody.documents.sign import TYPS
from provender.custody.events.registry import read_event
from provender.custody.events.trade import CONSENT
from provender.custody.memory_store import MemoryStore
from provender.custody.store import post as post_to
from provender.database.models.farm import LogLeaf, SignedDocument
from provender.database.store.custody import SqlStore
from provender.services.custody.documents import KEYS
from provender.signing.canonical import canonical_json
from provender.signing.jws import Status, check, register
from provender.signing.keys import SigningKey
from provender.signing.transparency import mark_of
from tests.custody.world import ev, posted
from tests.web.api.test_calls import data, get
from tests.web.api.test_calls import post as call
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_pages import enter, where
from tests.web.custody.test_signing_here import TOKEN, fields_on, signed
from tests.web.custody_season import BY, Season, days_ago, fill_custody
from tests.web.producer_keys import SEALED, post, told


@pytest.fixture
def season(cast: Cast) -> Season:
    """The season, in which the mill accepts a delivery and gives a part of it back."""
    found = fill_custody(cast)
    mill, elevator = cast.mill.handle, cast.elevator.handle
    for event in (
        ev("accept", "accept-9", days_ago(20), taker=mill, movement="sale-elevator", site="north"),
        ev("return", "back-9", days_ago(2), giver=mill, taker=elevator, movement="sale-elevator", amount="300"),
    ):
        assert post_to(SqlStore(BY), read_event(event)).status == "posted"
    return found


@pytest.fixture
def key(cast: Cast, season: Season, owner: Client) -> SigningKey:
    made = SigningKey.generate()
    said = register(cast.mill.handle, KEYS.signer, made, on=timezone.localdate())
    body = {"sealed": SEALED, "statement": said, "lost": ""}
    assert post(owner, where(cast, "custody_key"), body).status_code == 200
    return made


def consent_at(cast: Cast, act: str = "back-9") -> str:
    return f"{where(cast, 'custody_consent')}?act={act}"


def own_book(cast: Cast, fingerprint: str) -> MemoryStore:
    """Return the book that the elevator keeps elsewhere, in which a contract pins the mill's key."""
    elevator, store = cast.elevator.handle, MemoryStore()
    posted(store, [
        ev("entity", "e-b", days_ago(100), entity=elevator, name="Stan", roles=["first_point"], sites=["scale"]),
        ev("entity", "e-m", days_ago(100), entity=cast.mill.handle, name="Mia", roles=["first_point"], sites=["north"]),
        ev("contract", "k", days_ago(60), entity=elevator, counterparty=cast.mill.handle, role="recipient", number="K",
           start_day=days_ago(60), signing_key=fingerprint),
    ])  # fmt: skip
    return store


def test_a_consent_is_signed_on_its_page_as_it_is_shown(cast: Cast, owner: Client, key: SigningKey) -> None:
    movement = owner.get(where(cast, "custody_movement") + "?id=back-9").content.decode()
    assert consent_at(cast) in movement
    address = consent_at(cast)
    shown = json.loads(owner.get(f"{address}&as=json").content)
    assert (shown["act"], shown["movement"], shown["number"]) == ("return", "sale-elevator", "back-9")
    page = owner.get(address).content.decode()
    assert shown["words"] in page
    assert "Sign the document" in page
    assert signed(owner, address, key, CONSENT).status_code == 200
    kept = SignedDocument.objects.get()
    assert (kept.kind, kept.number, kept.fingerprint) == (CONSENT, "back-9", key.fingerprint)
    envelope = json.loads(owner.get(f"{address}&as=json").content)
    assert envelope["document"] == shown
    assert check(envelope, {key.fingerprint: key.public}, typ=TYPS[CONSENT]).valid
    assert LogLeaf.objects.get(mark=mark_of(canonical_json(envelope))).kind == CONSENT
    assert told(post(owner, address, {"fields": {}})) == "The document is signed already."
    assert owner.get(f"{address}&as=pdf").content.startswith(b"%PDF")
    found = owner.get(where(cast, "organisation_search"), {"q": "went back"}).content.decode()
    assert "custody/consent/?act=back-9" in found


@pytest.mark.parametrize("flipped", [False, True])
def test_the_command_and_the_other_book_accept_it_and_no_flipped_sign(
    cast: Cast, owner: Client, key: SigningKey, tmp_path: Path, capsys: pytest.CaptureFixture[str], *, flipped: bool
) -> None:
    address = consent_at(cast)
    assert signed(owner, address, key, CONSENT).status_code == 200
    content = owner.get(f"{address}&as=json").content
    if flipped:
        assert content.count(b'"act": "return"') == 1
        content = content.replace(b'"act": "return"', b'"act": "reject"')
    file, pinned = tmp_path / "consent.json", tmp_path / "mill.pub.json"
    file.write_bytes(content)
    pinned.write_text(json.dumps(key.public.jwk), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        app.call(("signature", str(file), "--pinned", str(pinned), "--json"))
    status = json.loads(capsys.readouterr().out)["status"]
    assert (ended.value.code, status) == ((1, "signature_wrong") if flipped else (0, "valid"))
    opened = open_document(json.loads(content), own_book(cast, key.fingerprint), cast.elevator.handle, file.name)
    assert opened.signature == (Status.SIGNATURE_WRONG if flipped else Status.VALID)
    assert (opened.content is not None and not opened.problems) is not flipped


def test_a_program_reads_it_and_hands_in_what_was_signed(cast: Cast, owner: Client, key: SigningKey) -> None:
    mill, address = token(cast, cast.mill, "owner"), consent_at(cast)
    made = data(get("/custody/papers/consent?act=back-9", mill))
    assert made == {"document": json.loads(owner.get(f"{address}&as=json").content), "signature": None}
    assert signed(owner, address, key, CONSENT).status_code == 200
    whole = data(get("/custody/papers/consent?act=back-9", mill))
    assert whole["signature"]
    assert call("/custody/papers", mill, whole, "k1").status_code == 201
    assert SignedDocument.objects.count() == 1
    other = {**whole, "document": {**whole["document"], "words": "else"}}
    assert call("/custody/papers", mill, other, "k2").status_code == 409
    assert get("/custody/papers/consent.pdf?act=back-9", mill).content.startswith(b"%PDF")


def test_an_act_of_another_is_as_none_and_an_act_without_a_paper_too(cast: Cast, owner: Client, season: Season) -> None:
    theirs = reverse("custody_consent", args=(cast.elevator.handle,)) + "?act="
    stranger = cast.client("stranger")
    pages = [stranger.get(theirs + act) for act in ("back-9", "no-such")]
    assert [one.status_code for one in pages] == [404, 404], "the seller had bushels back by it: the buyer says so"
    texts = [TOKEN.sub("", one.content.decode()).replace("no-such", "back-9") for one in pages]
    assert texts[0] == texts[1]
    assert owner.get(consent_at(cast, "sale-mill")).status_code == 404
    elevator = cast.other_token_secret
    calls = [get(f"/custody/papers/consent?act={act}", elevator) for act in ("back-9", "no-such")]
    assert [one.status_code for one in calls] == [404, 404]
    assert calls[0].content.replace(b"back-9", b"#") == calls[1].content.replace(b"no-such", b"#")
    assert (
        consent_at(cast)
        not in stranger.get(reverse("custody_movement", args=(cast.elevator.handle,)) + "?id=back-9").content.decode()
    )


def test_what_was_taken_back_since_is_not_signed(cast: Cast, owner: Client, key: SigningKey) -> None:
    address = consent_at(cast)
    fields = fields_on(owner, address)
    assert enter(owner, cast, "correct", movement="back-9", reason="weighed wrong").status_code == 302
    assert post(owner, address, {"fields": fields}).status_code == 404
    movement = owner.get(where(cast, "custody_movement") + "?id=back-9").content.decode()
    assert consent_at(cast) not in movement
    assert not SignedDocument.objects.exists()
