"""A trader's papers are signed on their pages as they are shown; commands and the other side take them, no forgery.

A trader's keys: registered with proof, replaced by whoever may, told to buyers; they sign what a page shows.
"""

import json
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from provender.cli import app
from provender.custody.documents.build import PERIOD, RESTATEMENT, TRANSFER
from provender.custody.documents.consents import NOTICE, notice_document
from provender.custody.documents.receive import TYPS, open_document, sign_document
from provender.custody.documents.refiner_figures import FIGURES
from provender.custody.events.registry import post as post_to
from provender.custody.events.registry import read_event
from provender.custody.events.trade import CONSENT
from provender.custody.store import MemoryStore
from provender.database.models.accounts import LogRow, News, Organisation
from provender.database.models.farm import LogLeaf, PartyKey, ProducerKey, SignedDocument
from provender.database.store.custody import SqlStore
from provender.services.audits.packages import _papers
from provender.services.custody.documents import KEYS
from provender.services.news.told import OF_KEY, Gatherer
from provender.services.organisation_keys import may_replace
from provender.signing.canonical import canonical_json
from provender.signing.jws import Status, check, register, rotate, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import mark_of
from tests.custody.world import ev, posted
from tests.web.api.test_calls import data, get
from tests.web.api.test_calls import post as call
from tests.web.api.test_every_call import token
from tests.web.cast import Cast
from tests.web.custody.asking import TOKEN, enter, entered, fields_on, file_of, sale, signed, where
from tests.web.custody.test_api import amend_report, closed_pool
from tests.web.custody_season import BY, Season, days_ago
from tests.web.farm_season import FEW, fill_season
from tests.web.producer_keys import SEALED, Producer, post, told


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


def give_back(cast: Cast) -> None:
    mill, elevator = cast.mill.handle, cast.elevator.handle
    entered(
        ev("accept", "accept-9", days_ago(20), taker=mill, movement="sale-elevator", site="north"),
        ev("return", "back-9", days_ago(2), giver=mill, taker=elevator, movement="sale-elevator", amount="300"),
    )


def notice_at(cast: Cast, number: str) -> str:
    return f"{where(cast, 'custody_notice')}?number={number}"


def only(cast: Cast) -> str:
    (one,) = data(get("/custody/notices", token(cast, cast.mill, "owner")))["items"]
    assert (one["buyer"], one["bushels"], one["ci_g_per_bu"]) == (cast.elevator.handle, "500", "6000.25")
    assert one["day"] == days_ago(5)
    return str(one["number"])


def retired(cast: Cast, name: str, bushels: str, *, makes_fuel: bool = False) -> None:
    mill, roles = cast.mill.handle, {"roles": ["first_point", "refiner"], "sites": ["north", "plant"], "name": "Mill"}
    fuel = {"fuel": "biodiesel", "batch": "B-1", "crop": "soybeans", "bushels": bushels}
    events = [ev("entity", "fuel-too", days_ago(3), entity=mill, **roles)] if makes_fuel else []
    for event in (*events, ev("retire", name, days_ago(0), entity=mill, **fuel)):
        assert post_to(SqlStore(BY), read_event(event)).status == "posted"


def figures_at(cast: Cast, **asked: str) -> str:
    more = "".join(f"&{name}={text}" for name, text in asked.items())
    return f"{where(cast, 'custody_figures')}?year={days_ago(0)[:4]}{more}"


class Paper(NamedTuple):
    """A kind of paper: what is entered before there is one, where it stands, what a forger changes in its file."""

    enter: Callable[[Cast], object]
    at: Callable[[Cast, Season], str]
    changed: tuple[str, str] = ("", "")


PAPERS: Final = {
    TRANSFER: Paper(
        lambda _: None, lambda cast, season: where(cast, "custody_document") + f"?sale={season.sale}",
    ),
    PERIOD: Paper(
        lambda _: None, lambda cast, season: where(cast, "custody_statement") + f"?start={season.closed}",
    ),
    CONSENT: Paper(give_back, lambda cast, _: consent_at(cast), ('"act": "return"', '"act": "reject"')),
    NOTICE: Paper(
        amend_report, lambda cast, _: notice_at(cast, only(cast)),
        ('"ci_g_per_bu": "6000.25"', '"ci_g_per_bu": "5000.25"'),
    ),
    FIGURES: Paper(
        lambda cast: retired(cast, "fuel-1", "12.5", makes_fuel=True),
        lambda cast, _: figures_at(cast, gallons_per_bu="1.5", btu_per_gallon="119550"),
        ('"retired_bu": "12.5"', '"retired_bu": "13.5"'),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", PAPERS)
def test_a_paper_is_signed_as_shown(cast: Cast, season: Season, owner: Client, key: SigningKey, kind: str) -> None:
    PAPERS[kind].enter(cast)
    address = PAPERS[kind].at(cast, season)
    shown = file_of(owner, address)
    assert "Sign the document" in owner.get(address).content.decode()
    answer = signed(owner, address, key, kind)
    assert answer.status_code == 200, answer.content
    kept = SignedDocument.objects.get()
    assert (kept.kind, kept.fingerprint, kept.actor) == (kind, key.fingerprint, cast.person("owner"))
    assert LogRow.objects.filter(deed="keep signed document", about=kept.number).count() == 1
    envelope = file_of(owner, address)
    assert envelope["document"] == shown
    assert check(envelope, {key.fingerprint: key.public}, typ=TYPS[kind]).valid
    assert LogLeaf.objects.get(mark=mark_of(canonical_json(envelope))).kind == kind
    page = owner.get(address).content.decode()
    assert key.fingerprint in page
    assert "Sign the document" not in page
    assert told(post(owner, address, {"fields": {}})) == "The document is signed already."
    assert owner.get(f"{address}&as=pdf").content.startswith(b"%PDF")


def test_a_notice_is_listed_and_found(cast: Cast, season: Season, owner: Client, key: SigningKey) -> None:
    amend_report(cast)
    number = only(cast)
    address = notice_at(cast, number)
    listed = owner.get(where(cast, "custody_notices"))
    ((_, to, *_, paper),) = listed.context["told"].rows
    assert (to.text, paper.note) == ("Stan's Elevator", "Not signed")
    assert "report-2" not in listed.content.decode(), "the name of the event may hold the farm's"
    shown = file_of(owner, address)
    with SqlStore(BY).reading() as facts:
        by_command = notice_document(
            facts, cast.mill.handle, "report-2", cast.elevator.handle, as_of=timezone.localdate()
        )
    assert shown == by_command
    page = unescape(owner.get(address).content.decode())
    assert shown["changes"][0]["words"] in page
    assert "6,000.25" in page
    assert signed(owner, address, key, NOTICE).status_code == 200
    assert SignedDocument.objects.get().number == number
    assert owner.get(where(cast, "custody_notices")).context["told"].rows[0][-1].note == "Signed"
    found = owner.get(where(cast, "organisation_search"), {"q": "notice of"}).content.decode()
    assert "custody/notice/?number=" in found


def forged(content: bytes, kind: str, what: str) -> bytes:
    """Return a signed file as it is, with another document, or with a sign of its signature flipped."""
    text = content.decode()
    if what == "document":
        assert PAPERS[kind].changed[0] in text
        return text.replace(*PAPERS[kind].changed, 1).encode()
    if what == "signature":
        signature = json.loads(text)["signature"]
        other = signature[:-3] + ("A" if signature[-3] != "A" else "B") + signature[-2:]
        return text.replace(signature, other).encode()
    return content


@pytest.mark.parametrize("kind", [CONSENT, NOTICE, FIGURES])
def test_the_command_and_the_other_book_accept_it_and_no_flipped_sign(
    cast: Cast, season: Season, owner: Client, key: SigningKey, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], kind: str,
) -> None:  # fmt: skip
    PAPERS[kind].enter(cast)
    address = PAPERS[kind].at(cast, season)
    assert signed(owner, address, key, kind).status_code == 200
    file, pinned = tmp_path / "paper.json", tmp_path / "mill.pub.json"
    pinned.write_text(json.dumps(key.public.jwk), encoding="utf-8")
    for what in ("", "document", "signature"):
        content = forged(owner.get(f"{address}&as=json").content, kind, what)
        file.write_bytes(content)
        with pytest.raises(SystemExit) as ended:
            app.call(("signature", str(file), "--pinned", str(pinned), "--json"))
        status = json.loads(capsys.readouterr().out)["status"]
        assert (ended.value.code, status) == ((1, "signature_wrong") if what else (0, "valid"))
        if kind != FIGURES:
            opened = open_document(json.loads(content), own_book(cast, key.fingerprint), cast.elevator.handle, "it")
            assert opened.signature == (Status.SIGNATURE_WRONG if what else Status.VALID)
            if kind == CONSENT:
                assert (opened.content is not None and not opened.problems) is not bool(what)


@pytest.mark.parametrize(
    ("kind", "named"), [(TRANSFER, "transfer"), (PERIOD, "period"), (CONSENT, "consent"), (NOTICE, "notice")]
)
def test_a_program_reads_a_paper_and_hands_in_what_was_signed_elsewhere(
    cast: Cast, season: Season, owner: Client, kind: str, named: str
) -> None:
    PAPERS[kind].enter(cast)
    mill, address = token(cast, cast.mill, "owner"), PAPERS[kind].at(cast, season)
    path = f"/custody/papers/{named}?{address.partition('?')[2]}"
    printed = path.replace("?", ".pdf?")
    unsigned, drawn = get(printed, mill), data(get(path, mill))
    assert unsigned.content.startswith(b"%PDF")
    assert drawn == {"document": file_of(owner, address), "signature": None}
    document, made = drawn["document"], SigningKey.generate()
    signed, other, unknown = (sign_document(document | more, made) for more in ({}, {"words": "else"}, {"number": "x"}))
    refused = ({**signed, "signature": other["signature"]}, 409), (other, 409), (unknown, 404)
    for number, (paper, status) in enumerate(refused):
        assert call("/custody/papers", mill, dict(paper), f"k{number}").status_code == status
    assert call("/custody/papers", mill, dict(signed), "k").status_code == 201
    assert data(get(path, mill)) == {"document": document, "signature": signed["signature"]}
    assert SignedDocument.objects.filter(organisation=cast.mill).count() == 1
    assert get(printed, mill).content != unsigned.content
    stranger = token(cast, cast.elevator, "stranger")
    assert [get(each, stranger).status_code for each in (path, printed)] == [404, 404]
    if kind == NOTICE:
        (one,) = data(get("/custody/notices", mill))["items"]
        assert one["signed"]


def test_an_act_of_another_is_as_none_and_an_act_without_a_paper_too(cast: Cast, owner: Client, season: Season) -> None:
    give_back(cast)
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


def test_a_notice_of_another_is_as_none(cast: Cast, season: Season) -> None:
    amend_report(cast)
    number, elevator = only(cast), cast.other_token_secret
    calls = [get(f"/custody/papers/notice?number={one}", elevator) for one in (number, "none")]
    assert [one.status_code for one in calls] == [404, 404]
    assert calls[0].content.replace(number.encode(), b"#") == calls[1].content.replace(b"none", b"#")
    theirs = reverse("custody_notice", args=(cast.elevator.handle,)) + "?number="
    pages = [cast.client("stranger").get(theirs + one) for one in (number, "none")]
    assert [one.status_code for one in pages] == [404, 404]
    one, other = (TOKEN.sub("", page.content.decode()) for page in pages)
    assert one.replace(number, "#") == other.replace("number=none", "number=#")


@pytest.fixture
def fuel(cast: Cast, season: Season) -> None:
    retired(cast, "fuel-1", "12.5", makes_fuel=True)


@pytest.mark.usefixtures("fuel")
def test_what_is_retired_since_is_signed_anew(cast: Cast, owner: Client, key: SigningKey) -> None:
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
    theirs = where(cast, "custody_figures").replace(cast.mill.handle, cast.elevator.handle)
    answers = [cast.client("stranger").get(f"{theirs}?kept={one}&as=json") for one in (before.pk, 999_999)]
    assert [one.status_code for one in answers] == [404, 404]
    pages = [one.content.decode() for one in answers]
    assert masked(pages[0], str(before.pk)) == masked(pages[1], "999999")


def masked(page: str, number: str) -> str:
    return TOKEN.sub("", page).replace(f"kept={number}", "kept=#")


@pytest.mark.usefixtures("fuel")
def test_figures_signed_elsewhere_are_kept_if_equal(cast: Cast, owner: Client, key: SigningKey) -> None:
    made, mill = file_of(owner, figures_at(cast)), token(cast, cast.mill, "owner")
    other = sign({**made, "title": "Other figures"}, key, typ=TYPS[FIGURES])
    assert call("/custody/papers", mill, other, "k1").status_code == 409
    assert not SignedDocument.objects.exists()
    own = sign(made, SigningKey.generate(), typ=TYPS[FIGURES])
    assert call("/custody/papers", mill, own, "k2").status_code == 201
    assert file_of(owner, figures_at(cast)) == own


LOST = {"lost": "yes"}


@pytest.fixture
def mill(cast: Cast) -> Organisation:
    return cast.mill


def here(mill: Organisation) -> str:
    return reverse("custody_key", args=(mill.handle,))


def said(mill: Organisation, key: SigningKey) -> dict[str, object]:
    return register(mill.handle, KEYS.signer, key, on=timezone.localdate())


def brings(client: Client, mill: Organisation, statement: object, **more: object) -> Any:  # noqa: ANN401 - the client's
    return post(client, here(mill), {"sealed": SEALED, "statement": statement, "lost": "", **more})


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
    fill_season(cast, fields=FEW)
    address = reverse("farm_key", args=(cast.farm.handle,))
    for who, expected in (("owner", 200), (part, status)):
        producer = Producer(cast.client(who), cast, SigningKey.generate())
        body = {"producer_id": "P1", "sealed": SEALED, "statement": producer.statement()}
        answer = post(producer.client, address, body)
        assert answer.status_code == expected, json.loads(answer.content) if expected == 200 else ""
    assert ProducerKey.objects.count() == (2 if status == 200 else 1)


@pytest.fixture
def secret(cast: Cast) -> str:
    return token(cast, cast.mill, "owner")


def test_keys_are_brought_listed_and_shown_on_the_page(cast: Cast, secret: str) -> None:
    first, second = SigningKey.generate(), SigningKey.generate()
    made = call("/custody/keys", secret, {"shown": first.public.jwk}, "k1")
    assert (made.status_code, data(made)["signs"]) == (201, True)
    alone = call("/custody/keys", secret, {"shown": second.public.jwk}, "k2")
    assert (alone.status_code, data(alone)["problems"][0]["code"]) == (409, "no_reason")
    day = cast.client().get(where(cast, "custody_key")).context["today"]
    moved = rotate(first, second, on=PartyKey.objects.get().at.date().fromisoformat(day))
    assert call("/custody/keys", secret, {"shown": moved}, "k3").status_code == 201
    items = data(get("/custody/keys", secret))["items"]
    told = [(one["fingerprint"], one["signs"], one["by_rotation"]) for one in items]
    assert told == [(first.fingerprint, False, False), (second.fingerprint, True, True)]
    page = cast.client().get(where(cast, "custody_key"))
    assert [row[0].saved for row in page.context["keys"].rows] == [second.fingerprint, first.fingerprint]


def test_a_private_key_is_refused_and_a_sealed_one_is_not_told(cast: Cast, secret: str) -> None:
    shown = {**SigningKey.generate().public.jwk, "d": "AAAA"}
    assert call("/custody/keys", secret, {"shown": shown}, "k1").status_code in (409, 422)
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
    assert call("/custody/keys", consultants, body, "k1").status_code == 403
    assert not PartyKey.objects.exists()
    first = SigningKey.generate()
    assert call("/custody/keys", secret, {"shown": first.public.jwk}, "k1").status_code == 201
    body = {"shown": SigningKey.generate().public.jwk, "reason": "I want to sign."}
    refused = call("/custody/keys", token(cast, cast.mill, "writer"), body, "k2")
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
    assert post(owner, here, {"sealed": SEALED, "statement": said, "lost": ""}).status_code == 200
    statement = reverse("custody_statement", args=(pool.handle,)) + f"?start={days_ago(100)}"
    assert signed(owner, statement + "&restated=yes", made, RESTATEMENT).status_code == 200
    assert SignedDocument.objects.get().kind == RESTATEMENT
    assert signed(owner, statement, made, PERIOD).status_code == 200
    assert SignedDocument.objects.count() == 2


def test_an_entry_meanwhile_is_another_document(cast: Cast, season: Season, owner: Client, key: SigningKey) -> None:
    address = document_at(cast, season)
    fields = fields_on(owner, address)
    assert enter(owner, cast, "sale", **sale(cast)).status_code == 302
    asked = json.loads(post(owner, address, {"fields": fields}).content)
    assert json.loads(asked["document"])["book"]["lines"] == int(fields["lines"])
    assert fields_on(owner, address)["shown"] != fields["shown"], "a new look is at the longer book"


def test_another_key_or_text_is_refused(cast: Cast, season: Season, owner: Client, key: SigningKey) -> None:
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
