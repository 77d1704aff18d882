"""The example on one server is the chain of the four books, its farm sells in the browser, pages speak plainly.

The key of the farm lies sealed; the passphrase on the terminal opens it.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from html import unescape
from http import HTTPStatus
from typing import Final

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import load_der_private_key
from django.conf import global_settings
from django.test import Client
from django.urls import resolve, reverse
from django.utils import timezone
from pytest_django import Settings

from provender.custody.documents.build import PERIOD, SLIP
from provender.custody.documents.receive import TYPS
from provender.custody.events.registry import post as posted_to
from provender.custody.events.registry import read_event
from provender.custody.store import MemoryStore, all_balances
from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.models import farm as farm_models
from provender.database.models.accounts import Organisation, Person
from provender.database.models.audits import VerifierKey
from provender.database.store.custody import SqlStore
from provender.demo import farms
from provender.demo.chain import LANDOWNER, Chain, build_chain
from provender.demo.loading import CAST, PASSPHRASE, ROUNDS, SEED, VERIFIER, load_demo
from provender.records.kind import KINDS
from provender.report.typ import TYP
from provender.services.farm.book import FarmBook
from provender.services.farm.files import path_of
from provender.services.reports.drafts import envelope_of
from provender.services.sealed_keys import check_sealed
from provender.signing.jws import Status, check, sign
from provender.signing.keys import PublicKey, SigningKey, decode_base64url
from provender.web.tables import ISO_DAY
from tests.web.demo_once import FARMS, Demo, demo
from tests.web.producer_keys import post

__all__ = ["demo"]

# What the module shares is costly: one worker makes it.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("demo")]


@pytest.fixture(scope="module")
def reports() -> Sequence[farms.Report]:
    return list(farms.signed_reports(SEED, FARMS))


@pytest.fixture(scope="module")
def chain(reports: Sequence[farms.Report]) -> Chain:
    return build_chain(SEED, reports)


@pytest.fixture
def lines(demo: Demo, settings: Settings) -> list[str]:
    settings.UPLOAD_FOLDER = demo.uploads
    return demo.lines


def test_every_role_has_an_account_and_its_password_is_shown(lines: list[str], client: Client) -> None:
    roles = set(Organisation.objects.values_list("roles__role", flat=True))
    assert roles == {*Role.values, None}
    for part, line in zip(CAST, lines[1:], strict=True):
        email, password = line.split()[:2]
        assert email == part.email
        person = Person.objects.get(email=email)
        assert person.check_password(password)
        assert part.organisation in set(person.memberships.values_list("organisation__name", flat=True))
    email, password = lines[1].split()[:2]
    answer = client.post(reverse("account_login"), {"login": email, "password": password})
    assert answer.status_code == HTTPStatus.FOUND
    assert CAST[0].organisation in client.get("/", follow=True).content.decode()


def test_a_demo_password_is_hashed_in_few_rounds_at_first(lines: list[str], client: Client, settings: Settings) -> None:
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    email, password = list(load_demo(FARMS))[1].split()[:2]

    def rounds() -> int:
        return int(Person.objects.get(email=email).password.split("$")[1])

    assert rounds() == ROUNDS
    assert client.post(reverse("account_login"), {"login": email, "password": password}).status_code == 302
    assert rounds() > 100 * ROUNDS


def test_a_second_start_gives_new_passwords_and_changes_nothing_else(lines: list[str]) -> None:
    counts = [model.objects.count() for model in (Organisation, Person, farm_models.Book, farm_models.ReportVersion)]
    assert not set(list(load_demo(FARMS))[1:]) & set(lines[1:])
    assert [
        model.objects.count() for model in (Organisation, Person, farm_models.Book, farm_models.ReportVersion)
    ] == counts


def test_the_joint_book_holds_what_the_chain_holds(lines: list[str], chain: Chain) -> None:
    memory = MemoryStore()
    for event in chain.events:
        posted_to(memory, read_event(farms.as_posted(event)))
    store = SqlStore(Actor(None, "test"))
    assert [one.event for one in store.events()] == [one.event for one in memory.events()]
    with store.reading() as facts:
        assert all_balances(facts) == all_balances(memory)
    assert not Organisation.objects.filter(handle=farms.ETHANOL).exists()
    assert Organisation.objects.filter(handle=farms.HANDLES[farms.ETHANOL]).exists()


def test_each_farms_book_reads_back_as_the_records_it_was_made_of(lines: list[str]) -> None:
    made = farms.farm_records(SEED, FARMS)
    for book in farm_models.Book.objects.exclude(organisation__handle="farm-02"):
        assert farm_models.check_chain(book) == []
        records = FarmBook(book, 1).records()
        farm = book.organisation.handle
        for kind, rows in made.items():
            typed = KINDS[kind].typed_fields
            expected = [[row[name] for name in typed] for row in rows if row.farm_id == farm]
            assert [[row[name] for name in typed] for row in records[kind]] == expected, kind


def test_every_evidence_file_of_a_farm_can_be_fetched(lines: list[str], client: Client) -> None:
    stored = farms.farm_evidence(SEED, FARMS)
    for farm in ("farm-01", "farm-02"):
        organisation = Organisation.objects.get(handle=farm)
        client.force_login(organisation.memberships.get(right="manage").person)
        page = client.get(reverse("farm_evidence", args=(farm,))).content.decode()
        uploads = list(farm_models.Upload.objects.filter(organisation=organisation))
        assert len(uploads) == len(stored[farm]) + (farm == "farm-02")
        for upload in uploads:
            where = reverse("stored_file", args=(farm, upload.handle))
            assert where in page
            answer = client.get(where)
            assert b"".join(getattr(answer, "streaming_content", ())) == stored[farm].get(
                upload.name, path_of(upload.sha256).read_bytes()
            )


def test_the_signed_reports_verify_and_are_the_ones_the_custody_book_knows(lines: list[str]) -> None:
    store = SqlStore(Actor(None, "test"))
    known = {getattr(one.event, "report", "") for one in store.events()}
    versions = list(farm_models.ReportVersion.objects.all())
    assert {one.document_hash for one in versions} <= known
    assert [one.number for one in versions if one.book.organisation.handle == "farm-02"] == [1, 2]
    for one in versions:
        key = farms.demo_key(one.book.organisation.handle)
        assert check(envelope_of(one), {key.fingerprint: key.public}, typ=TYP).status is Status.VALID


def test_every_slip_sale_and_closed_period_has_its_signed_paper(lines: list[str], chain: Chain) -> None:
    events = {kind: [one for one in chain.events if one["type"] == kind] for kind in ("slip", "sale", "close")}
    papers = [json.loads(one.text) for one in farm_models.SignedDocument.objects.all()]
    slips = [
        {"document": json.loads(one.document), "signature": one.signature}
        for one in farm_models.SignedSlip.objects.all()
    ]
    # The landowner has no account here: the buyer keeps its slip as a file.
    outside = [one for one in events["slip"] if one["giver"] == LANDOWNER]
    kept = farm_models.Upload.objects.filter(name__in=[f"{one['id']}.json" for one in outside])
    slips += [json.loads(path_of(one.sha256).read_bytes()) for one in kept]
    assert len(outside) == 1
    assert {one["document"]["number"] for one in slips} == {one["id"] for one in events["slip"]}
    assert {one["document"]["number"] for one in papers} >= {one["id"] for one in events["sale"]}
    assert len(papers) == len(events["sale"]) + len(events["close"])
    for one in [*papers, *slips]:
        document = one["document"]
        signer = document["entity" if document["type"] == PERIOD else "seller"]["id"]
        key = farms.key_of(signer)
        assert check(one, {key.fingerprint: key.public}, typ=TYPS[document["type"]]).status is Status.VALID


def opened(row: farm_models.ProducerKey | farm_models.PartyKey | VerifierKey) -> SigningKey:
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
    sold = {"report": report, "buyer": farms.COOP, "bushels": "1.5", "day": day, "contract": ""}
    asked = json.loads(post(client, where, {"fields": sold}).content)
    signature = sign(json.loads(asked["document"]), opened(farm_models.ProducerKey.objects.get()), typ=TYPS[SLIP])[
        "signature"
    ]
    before = farm_models.SignedSlip.objects.count()
    body = {"fields": sold, "sha256": asked["sha256"], "signature": signature}
    assert post(client, where, body).status_code == 200
    assert farm_models.SignedSlip.objects.count() == before + 1


def test_the_keys_of_verifier_and_traders_open_too(demo: Demo) -> None:
    row = VerifierKey.objects.get()
    assert opened(row).public.fingerprint == row.fingerprint
    for one in farm_models.PartyKey.objects.all():
        assert opened(one).public.fingerprint == one.fingerprint
    signers = dict(farm_models.PartyKey.objects.values_list("organisation__handle", "fingerprint"))
    assert set(signers) == {farms.COOP, farms.CRUSHER, farms.DIESEL}
    papers = farm_models.SignedDocument.objects.filter(organisation__handle=farms.COOP)
    assert set(papers.values_list("fingerprint", flat=True)) == {signers[farms.COOP]}, (
        "what stands there was signed with it"
    )


PEOPLE: Final = {
    "ada@farm": "farm-01",
    "eli@elevator": farms.COOP,
    "ray@diesel": farms.DIESEL,
    "vic@verifier": VERIFIER,
}
ASIDE: Final = re.compile(r"<(script|style|code|textarea|option|select|details|pre)\b.*?</\1>|<[^>]*>", re.DOTALL)
"""What is no running text: markup, forms' choices, what is folded, and what says that it is code."""
WORDS: Final = {
    "hash": re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{12,}\b"),
    "county by its code": re.compile(r"\bFIPS\b|\bstate \d\d\b", re.IGNORECASE),
    "command": re.compile(r"`|\bprovender (?:serve|keys|audit|custody|stir|import|check|plan|report|template)\b"),
    "spelling": re.compile(r"\b(?:organisation|programme|colour|labour|recognise|favourable)", re.IGNORECASE),
    "day": ISO_DAY,
    "name of the program": re.compile(r"(?<![\w-])[a-z]+_[a-z_]+\b(?!-)"),
}
KNOWN: Final = {
    "farm_kind": {"county by its code: FIPS"},
    "farm_exchange": {"county by its code: FIPS"},
    "farm_row": {"name of the program: no_till", "name of the program: cover_crop"},
    "custody_enter": {"day: 2026-10-05", "name of the program: soybean_meal"},
}
"""A county's code is called so in files and on the printout; a line or a list is typed as files have it."""
ENOUGH: Final = 35
"""Kinds of page that links lead to, at least."""


def links(page: str) -> Iterator[str]:
    """Yield the addresses that a page leads to, without files and other ways to look at it."""
    for href in re.findall(r'<a\b[^>]*href="([^"#]+)', page):
        where = unescape(href)
        if where.startswith("/o/") and not re.search(r"save=|as=|find-|page-|sort-|/log/|/tokens/", where):
            yield where


def every_kind_of_page() -> Iterator[tuple[str, str]]:
    """Yield view and page: the first of each kind that somebody comes to by links from the overview."""
    seen: set[str] = set()
    for person, code in PEOPLE.items():
        client = Client()
        client.force_login(Person.objects.get(email=f"{person}.example"))
        waiting = [reverse("organisation", args=(code,))]
        while waiting:
            where = waiting.pop(0)
            name = resolve(where.partition("?")[0]).view_name
            kind = f"{name} {code if name == 'organisation' else ''}"
            if kind in seen:
                continue
            seen.add(kind)
            answer = client.get(where)
            if answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/html"):
                page = answer.content.decode()
                yield name, page
                waiting += links(page)
            b"".join(getattr(answer, "streaming_content", ()))


@pytest.mark.slow
def test_every_page_speaks_as_a_farm_office_and_styles_by_its_sheet(demo: Demo, settings: Settings) -> None:
    settings.UPLOAD_FOLDER = demo.uploads
    found: dict[str, set[str]] = {}
    count = 0
    for name, page in every_kind_of_page():
        count += 1
        text = unescape(ASIDE.sub(" ", page.partition("<main")[2].partition("</main>")[0]))
        wrong = {f"{what}: {hit[0]}" for what, pattern in WORDS.items() for hit in pattern.finditer(text)}
        wrong -= KNOWN.get(name, set())
        wrong |= {"style="} if re.search(r"<[^>]*\sstyle=", page) else set()
        if wrong:
            found[name] = found.get(name, set()) | wrong
    assert count >= ENOUGH

    assert {name: sorted(wrong)[:6] for name, wrong in found.items()} == {}
