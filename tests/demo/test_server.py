"""The example chain on one server is the chain of the four books: same parties, rows, documents and balances."""

import json
from collections.abc import Sequence
from http import HTTPStatus

import pytest
from django.conf import global_settings
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from provender.custody.documents.build import PERIOD
from provender.custody.documents.sign import TYPS
from provender.custody.events.registry import read_event
from provender.custody.memory_store import MemoryStore
from provender.custody.store import all_balances, post
from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.models.accounts import Organisation, Person
from provender.database.models.farm import Book, ReportVersion, SignedDocument, SignedSlip, Upload
from provender.database.store.custody import SqlStore
from provender.database.store.record_books import check_chain
from provender.demo.cast import CAST
from provender.demo.chain import LANDOWNER, Chain, build_chain
from provender.demo.farms import Report, farm_evidence, farm_frames, farm_id, signed_reports
from provender.demo.loading import ROUNDS, SEED, load_demo
from provender.demo.parties import ETHANOL, HANDLES, as_posted, demo_key, key_of
from provender.records.kind import KINDS
from provender.report.typ import TYP
from provender.services.farm.book import FarmBook
from provender.services.farm.files import path_of
from provender.services.reports.drafts import envelope_of
from provender.signing.jws import Status, check
from tests.web.demo_once import FARMS, Demo, demo

__all__ = ["demo"]

# What the module shares is costly: one worker makes it.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("demo")]


@pytest.fixture(scope="module")
def reports() -> Sequence[Report]:
    return list(signed_reports(SEED, FARMS))


@pytest.fixture(scope="module")
def chain(reports: Sequence[Report]) -> Chain:
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
        answer = client.post(reverse("account_login"), {"login": email, "password": password})
        assert answer.status_code == HTTPStatus.FOUND
        assert part.organisation in client.get("/").content.decode()
        client.logout()


def test_a_password_drawn_at_random_is_hashed_in_few_rounds_until_somebody_signs_in(
    lines: list[str], client: Client, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    email, password = list(load_demo(FARMS))[1].split()[:2]

    def rounds() -> int:
        return int(Person.objects.get(email=email).password.split("$")[1])

    assert rounds() == ROUNDS
    assert client.post(reverse("account_login"), {"login": email, "password": password}).status_code == 302
    assert rounds() > 100 * ROUNDS


def test_a_second_start_gives_new_passwords_and_changes_nothing_else(lines: list[str]) -> None:
    counts = [model.objects.count() for model in (Organisation, Person, Book, ReportVersion)]
    assert not set(list(load_demo(FARMS))[1:]) & set(lines[1:])
    assert [model.objects.count() for model in (Organisation, Person, Book, ReportVersion)] == counts


def test_the_joint_book_holds_what_the_chain_holds(lines: list[str], chain: Chain) -> None:
    memory = MemoryStore()
    for event in chain.events:
        post(memory, read_event(as_posted(event)))
    store = SqlStore(Actor(None, "test"))
    assert [one.request for one in store.events()] == [one.request for one in memory.events()]
    with store.reading() as facts:
        assert all_balances(facts) == all_balances(memory)
    assert not Organisation.objects.filter(handle=ETHANOL).exists()
    assert Organisation.objects.filter(handle=HANDLES[ETHANOL]).exists()


def test_each_farms_book_reads_back_as_the_records_it_was_made_of(lines: list[str]) -> None:
    frames = farm_frames(SEED, FARMS)
    for book in Book.objects.exclude(organisation__handle="farm-02"):
        assert check_chain(book) == []
        records = FarmBook(book, 1).records()
        farm = book.organisation.handle
        for kind, frame in frames.items():
            typed = list(KINDS[kind].typed_fields)
            assert records[kind].select(typed).equals(frame.filter(frame["farm_id"] == farm).select(typed)), kind


def test_the_map_shows_each_unit_and_every_evidence_file_can_be_fetched(lines: list[str], client: Client) -> None:
    stored = farm_evidence(SEED, FARMS)
    for number in range(FARMS):
        farm = farm_id(number)
        organisation = Organisation.objects.get(handle=farm)
        client.force_login(organisation.memberships.get(right="manage").person)
        shown = client.get(reverse("farm_map", args=(farm,))).content.decode()
        text = shown.partition('<script id="fields" type="application/json">')[2].partition("</script>")[0]
        frame = farm_frames(SEED, FARMS)["unit"]
        assert {one["unit"] for one in json.loads(text)["units"]} == set(
            frame.filter(frame["farm_id"] == farm)["unit_id"]
        )
        page = client.get(reverse("farm_evidence", args=(farm,))).content.decode()
        uploads = list(Upload.objects.filter(organisation=organisation))
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
    known = {getattr(one.request, "report", "") for one in store.events()}
    versions = list(ReportVersion.objects.all())
    assert {one.document_hash for one in versions} <= known
    assert [one.number for one in versions if one.book.organisation.handle == "farm-02"] == [1, 2]
    for one in versions:
        key = demo_key(one.book.organisation.handle)
        assert check(envelope_of(one), {key.fingerprint: key.public}, typ=TYP).status is Status.VALID


def test_a_signed_report_is_fetched_as_paper(lines: list[str], client: Client) -> None:
    client.force_login(Person.objects.get(email="ada@farm.example"))
    for form, start in (("pdf", b"%PDF"), ("json", b"{"), ("jws", b"ey")):
        answer = client.get(reverse("farm_report_file", args=("farm-01", "corn", 2025, 1, form)))
        assert answer.content.startswith(start), form


def test_every_slip_sale_and_closed_period_has_its_paper_signed_with_the_key_that_contracts_name(
    lines: list[str], chain: Chain
) -> None:
    events = {kind: [one for one in chain.events if one["type"] == kind] for kind in ("slip", "sale", "close")}
    papers = [json.loads(one.text) for one in SignedDocument.objects.all()]
    slips = [{"document": json.loads(one.document), "signature": one.signature} for one in SignedSlip.objects.all()]
    # The landowner has no account here: the buyer keeps its slip as a file.
    outside = [one for one in events["slip"] if one["giver"] == LANDOWNER]
    kept = Upload.objects.filter(name__in=[f"{one['id']}.json" for one in outside])
    slips += [json.loads(path_of(one.sha256).read_bytes()) for one in kept]
    assert len(outside) == 1
    assert {one["document"]["number"] for one in slips} == {one["id"] for one in events["slip"]}
    assert {one["document"]["number"] for one in papers} >= {one["id"] for one in events["sale"]}
    assert len(papers) == len(events["sale"]) + len(events["close"])
    for one in [*papers, *slips]:
        document = one["document"]
        signer = document["entity" if document["type"] == PERIOD else "seller"]["id"]
        key = key_of(signer)
        assert check(one, {key.fingerprint: key.public}, typ=TYPS[document["type"]]).status is Status.VALID
