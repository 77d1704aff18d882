"""A refiner signs its figures on their page, as it signs its transfer documents; what was signed stays as it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from provender.cli import app
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.documents.sign import TYPS
from provender.custody.events.registry import read_event
from provender.custody.store import post as post_to
from provender.database.models.farm import LogLeaf, SignedDocument
from provender.database.store.custody import SqlStore
from provender.services.audits.packages import _papers
from provender.services.custody.documents import KEYS
from provender.signing.canonical import canonical_json
from provender.signing.jws import check, register, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import mark_of
from tests.custody.world import ev
from tests.web.api.test_calls import data
from tests.web.api.test_calls import post as call
from tests.web.api.test_every_room import token
from tests.web.cast import Cast
from tests.web.custody.test_pages import where
from tests.web.custody.test_signing_here import TOKEN, fields_on, signed
from tests.web.custody_season import BY, Season, days_ago, fill_custody
from tests.web.producer_keys import SEALED, post, told


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


@pytest.fixture
def key(cast: Cast, season: Season, owner: Client) -> SigningKey:
    retired(cast, "fuel-1", "12.5", makes_fuel=True)
    made = SigningKey.generate()
    said = register(cast.mill.handle, KEYS.signer, made, on=timezone.localdate())
    body = {"sealed": SEALED, "statement": said, "lost": ""}
    assert post(owner, where(cast, "custody_key"), body).status_code == 200
    return made


def retired(cast: Cast, name: str, bushels: str, *, makes_fuel: bool = False) -> None:
    mill, roles = cast.mill.handle, {"roles": ["first_point", "refiner"], "sites": ["north", "plant"], "name": "Mill"}
    fuel = {"fuel": "biodiesel", "batch": "B-1", "crop": "soybeans", "bushels": bushels}
    events = [ev("entity", "fuel-too", days_ago(3), entity=mill, **roles)] if makes_fuel else []
    for event in (*events, ev("retire", name, days_ago(0), entity=mill, **fuel)):
        assert post_to(SqlStore(BY), read_event(event)).status == "posted"


def figures_at(cast: Cast, **asked: str) -> str:
    more = "".join(f"&{name}={text}" for name, text in asked.items())
    return f"{where(cast, 'custody_figures')}?year={days_ago(0)[:4]}{more}"


def file_of(client: Client, address: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads(client.get(f"{address}&as=json").content)


def test_figures_are_signed_on_their_page_as_they_are_shown(cast: Cast, owner: Client, key: SigningKey) -> None:
    address = figures_at(cast, gallons_per_bu="1.5", btu_per_gallon="119550")
    shown = file_of(owner, address)
    page = owner.get(address).content.decode()
    assert "Sign the document" in page
    assert '<p class="small">Made from' in page, "the book that the caution names is to be seen"
    answer = signed(owner, address, key, FIGURES)
    assert answer.status_code == 200, answer.content
    kept = SignedDocument.objects.get()
    assert (kept.kind, kept.fingerprint) == (FIGURES, key.fingerprint)
    envelope = file_of(owner, address)
    assert envelope["document"] == shown
    assert check(envelope, {key.fingerprint: key.public}, typ=TYPS[FIGURES]).valid
    assert LogLeaf.objects.get(mark=mark_of(canonical_json(envelope))).kind == FIGURES
    page = owner.get(address).content.decode()
    assert key.fingerprint in page
    assert "Sign the document" not in page
    assert told(post(owner, address, {"fields": {}})) == "The document is signed already."
    assert owner.get(f"{address}&as=pdf").content.startswith(b"%PDF")
    assert "Sign the document" in owner.get(figures_at(cast)).content.decode(), "without energy they are others"


@pytest.mark.parametrize("flipped", ["document", "signature", ""])
def test_the_command_accepts_what_the_browser_signed_and_no_flipped_sign(
    cast: Cast, owner: Client, key: SigningKey, tmp_path: Path, capsys: pytest.CaptureFixture[str], flipped: str
) -> None:
    address = figures_at(cast)
    assert signed(owner, address, key, FIGURES).status_code == 200
    envelope, file, pinned = file_of(owner, address), tmp_path / "figures.json", tmp_path / "mill.pub.json"
    if flipped == "document":
        envelope["document"]["crops"][0]["retired_bu"] = "13.5"
    elif flipped:
        last = envelope["signature"][-3]
        envelope["signature"] = envelope["signature"][:-3] + ("A" if last != "A" else "B") + envelope["signature"][-2:]
    file.write_text(json.dumps(envelope), encoding="utf-8")
    pinned.write_text(json.dumps(key.public.jwk), encoding="utf-8")
    with pytest.raises(SystemExit) as ended:
        app.call(("signature", str(file), "--pinned", str(pinned), "--json"))
    status = json.loads(capsys.readouterr().out)["status"]
    assert (ended.value.code, status) == ((1, "signature_wrong") if flipped else (0, "valid"))


def test_what_is_retired_since_is_signed_anew_and_what_was_signed_stays(
    cast: Cast, owner: Client, key: SigningKey
) -> None:
    address = figures_at(cast)
    fields = fields_on(owner, address)
    retired(cast, "fuel-2", "5")
    late = post(owner, address, {"fields": fields})
    assert told(late) == "The document says something else than when you began."
    assert signed(owner, address, key, FIGURES).status_code == 200
    first = file_of(owner, address)
    retired(cast, "fuel-3", "2")
    page = owner.get(address)
    ((before, there),) = page.context["before"]
    assert "Signed before" in page.content.decode()
    assert file_of(owner, there) == first
    assert owner.get(f"{there}&as=pdf").content.startswith(b"%PDF")
    assert "signature" not in file_of(owner, address)
    assert signed(owner, address, key, FIGURES).status_code == 200
    assert SignedDocument.objects.count() == 2
    assert file_of(owner, address)["document"]["crops"][0]["retired_bu"] == "19.5"
    packed = dict(_papers(cast.mill))
    assert len([name for name in packed if name.startswith(FIGURES)]) == 2, "a package has both"
    found = owner.get(where(cast, "organisation_search"), {"q": "figures"}).content.decode()
    assert f"custody/figures/?year={days_ago(0)[:4]}" in found
    log = owner.get(where(cast, "log")).content.decode()
    assert "Figures of the days from Jan 1" in log
    theirs = where(cast, "custody_figures").replace(cast.mill.handle, cast.elevator.handle)
    answers = [cast.client("stranger").get(f"{theirs}?kept={one}&as=json") for one in (before.pk, 999_999)]
    assert [one.status_code for one in answers] == [404, 404]
    pages = [one.content.decode() for one in answers]
    assert masked(pages[0], str(before.pk)) == masked(pages[1], "999999")


def masked(page: str, number: str) -> str:
    return TOKEN.sub("", page).replace(f"kept={number}", "kept=#")


def brought_on_the_page(cast: Cast, owner: Client, envelope: dict[str, Any]) -> int:
    file = SimpleUploadedFile("figures.json", json.dumps(envelope).encode())
    return owner.post(figures_at(cast), {"file": file}).status_code


def brought_by_a_program(cast: Cast, owner: Client, envelope: dict[str, Any]) -> int:
    return call(
        "/custody/papers", token(cast, cast.mill, "owner"), envelope, str(envelope["signature"])[-40:]
    ).status_code


@pytest.mark.parametrize(("bring", "well", "ill"), [(brought_on_the_page, 302, 422), (brought_by_a_program, 201, 409)])
def test_figures_that_were_signed_elsewhere_are_kept_when_the_book_says_the_same(
    cast: Cast, owner: Client, key: SigningKey, bring: Callable[..., int], well: int, ill: int
) -> None:
    address = figures_at(cast)
    made = file_of(owner, address)
    other = sign({**made, "title": "Other figures"}, key, typ=TYPS[FIGURES])
    assert bring(cast, owner, other) == ill
    assert not SignedDocument.objects.exists()
    own = sign(made, SigningKey.generate(), typ=TYPS[FIGURES])
    assert bring(cast, owner, own) == well
    assert file_of(owner, address) == own


def test_only_who_holds_the_key_signs_and_nobody_else_reads_more(cast: Cast, owner: Client, key: SigningKey) -> None:
    address = figures_at(cast)
    fields = fields_on(owner, address)
    for part, status in (("writer", 409), ("reader", 403), ("consultant", 403), ("stranger", 404)):
        client = cast.client(part)
        assert str(SEALED["sealed"]) not in client.get(address).content.decode(), part
        assert post(client, address, {"fields": fields}).status_code == status, part
    assert data(post(owner, address, {"fields": fields}))["sha256"] == fields["shown"]
    other = sign(file_of(owner, address), SigningKey.generate(), typ=TYPS[FIGURES])["signature"]
    refused = post(owner, address, {"fields": fields, "signature": other})
    assert told(refused) == "This was signed with another key than the one in use."
    assert not SignedDocument.objects.exists()


@pytest.mark.parametrize(
    ("plant", "lacking"),
    [({"gallons_per_bu": "1.5"}, "Btu a gallon"), ({"btu_per_gallon": "119550"}, "gallons a bushel")],
)
def test_half_of_what_energy_takes_is_told_and_no_figure_goes(
    cast: Cast, owner: Client, key: SigningKey, plant: dict[str, str], lacking: str
) -> None:
    page = owner.get(figures_at(cast, **plant)).content.decode()
    assert f"The plant&#x27;s {lacking} are missing." in page
    assert "&#x27;&#x27;" not in page
    assert "12.5" in page, "the figures stand without energy"
    whole, half = (file_of(owner, figures_at(cast, **asked)) for asked in ({}, plant))
    assert half == whole


def test_figures_of_a_year_that_is_not_over_say_through_when(cast: Cast, owner: Client, key: SigningKey) -> None:
    page = owner.get(figures_at(cast)).content.decode()
    is_over = days_ago(0).endswith("-12-31")
    assert ("The year is not over" in page) != is_over
