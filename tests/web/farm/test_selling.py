"""A farm sells by slips it signs: serials are assigned once, the sale stands in the book, and what is left adds up."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from provender.custody.documents.build import SLIP
from provender.custody.documents.receive import TYPS
from provender.custody.events.farm_trade import ShareEvent, SlipEvent
from provender.custody.events.parties import EntityEvent
from provender.custody.events.registry import post as post_event
from provender.custody.model.entities import Role
from provender.custody.model.lots import Origin, Slip, origin_name
from provender.database.actor import Actor
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import LogLeaf, SignedSlip, rows_of
from provender.database.store.custody import SqlStore
from provender.services.clients import farm_steps
from provender.services.custody.entry import bushels_left, register_entity
from provender.services.dashboard import tiles_of
from provender.services.farm.book import Edit, farm_book_of
from provender.services.reports.checklist import standings_of
from provender.services.reports.drafts import ReportState
from provender.signing.canonical import canonical_json
from provender.signing.jws import check, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import mark_of
from tests.web.cast import Cast, make_cast
from tests.web.farm_season import FEW, at, fill_season, keep_pages, put
from tests.web.producer_keys import Producer, post, told
from tests.web.standing import Standing, standing

BY = Actor(None, "test")


def _signed() -> Producer:
    cast = make_cast()
    fill_season(cast, fields=FEW)
    found = Producer(cast.client(), cast, SigningKey.generate())
    assert found.register().status_code == 200
    assert found.sign().status_code == 200
    keep_pages(cast)
    assert ask(found, {"fields": fields(cast)}).status_code == 200, "what was judged for it is kept for all that follow"
    return found


@pytest.fixture(scope="module")
def standing_one(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing[Producer]]:
    with standing(django_db_blocker, tmp_path_factory.mktemp("signed"), _signed) as made:
        yield made


@pytest.fixture
def seller(db: None, standing_one: Standing[Producer], settings: Settings) -> Producer:
    found = standing_one.lend(settings)
    return replace(found, client=found.cast.client(), cast=deepcopy(found.cast))


def fields(cast: Cast, **changed: str) -> dict[str, str]:
    day = timezone.localdate().isoformat()
    sold = {"report": "corn 2025", "buyer": cast.elevator.handle, "bushels": "1000.5", "day": day, "contract": "C-1"}
    return sold | changed


def ask(producer: Producer, body: dict[str, object]) -> HttpResponse:
    return post(producer.client, at(producer.cast, "farm_slip_sign"), body)


def sell(producer: Producer, key: SigningKey | None = None, **changed: str) -> HttpResponse:
    body: dict[str, object] = {"fields": fields(producer.cast, **changed)}
    asked = json.loads(ask(producer, body).content)
    signature = sign(json.loads(asked["document"]), key or producer.key, typ=TYPS[SLIP])["signature"]
    return ask(producer, {**body, "sha256": asked["sha256"], "signature": signature})


def test_a_signed_slip_assigns_its_serials_and_stands_in_the_book_and_is_saved(seller: Producer) -> None:
    before = CustodyEvent.objects.count()
    for _ in range(2):
        assert ask(seller, {"fields": fields(seller.cast)}).status_code == 200
    assert (CustodyEvent.objects.count(), SignedSlip.objects.count()) == (before, 0), "asking assigns nothing"
    assert sell(seller).status_code == 200
    kept = SignedSlip.objects.get()
    envelope = {"document": json.loads(kept.document), "signature": kept.signature}
    assert check(envelope, {}, typ=TYPS[SLIP]).kid == seller.key.fingerprint
    assert LogLeaf.objects.get(mark=mark_of(canonical_json(envelope))).about == kept.number
    with SqlStore(BY).reading() as facts:
        slip = facts.one(Slip, kept.number)
    assert slip is not None
    assert (slip.spans, slip.taker) == (((0, 1_000_500),), seller.cast.elevator.handle)
    row = rows_of(seller.cast.book)["sale"][kept.number]
    assert (row["bushels"], row["disposition"], row["buyer"]) == ("1000.5", "sold_with_ci", "Stan's Elevator")
    left = bushels_left(seller.cast.farm, "corn", 2025)
    assert left is not None
    assert (left.issued, left.assigned, left.free) == (13_180_000, 1_000_500, 12_179_500)
    for form, start in (("pdf", b"%PDF"), ("json", b"{")):
        where = at(seller.cast, "farm_slip_file", kept.handle, form)
        assert seller.client.get(where).content.startswith(start)
        for other in (where, where.replace(seller.cast.farm.handle, seller.cast.elevator.handle)):
            assert seller.cast.client("stranger").get(other).status_code == 404


def test_two_slips_never_name_the_same_bushels_and_no_other_key_sells(seller: Producer) -> None:
    assert "names another signing key" in told(sell(seller, SigningKey.generate()))
    left = bushels_left(seller.cast.farm, "corn", 2025)
    assert left is not None
    assert (left.assigned, SignedSlip.objects.count()) == (0, 0)
    body: dict[str, object] = {"fields": fields(seller.cast)}
    asked = json.loads(ask(seller, body).content)
    signature = sign(json.loads(asked["document"]), seller.key, typ=TYPS[SLIP])["signature"]
    sell(seller)
    late = ask(seller, {**body, "sha256": asked["sha256"], "signature": signature})
    assert "Other serials are free" in told(late)
    sell(seller, bushels="2000")
    spans = [span for one in SignedSlip.objects.all() for span in json.loads(one.document)["spans"]]
    assert {(one["start"], one["stop"]) for one in spans} == {("0", "1000.5"), ("1000.5", "3000.5")}


OFFERS: tuple[tuple[dict[str, str], int], ...] = (
    ({"bushels": "13180"}, 200), ({"bushels": "13180.001"}, 409), ({"bushels": "0"}, 409), ({"bushels": "-1"}, 409),
    ({"bushels": "many"}, 409), ({"bushels": ""}, 409), ({"buyer": "nobody"}, 409), ({"report": "sorghum 2025"}, 409),
    ({"report": "wheat 2025"}, 409), ({"day": "tomorrow"}, 409), ({"day": ""}, 409),
    ({"day": (timezone.localdate() + timedelta(days=2)).isoformat()}, 409),
)  # fmt: skip


def test_no_more_is_sold_than_there_is_and_a_slip_that_cannot_be_is_told_in_words(seller: Producer) -> None:
    for changed, status in OFFERS:
        answer = ask(seller, {"fields": fields(seller.cast, **changed)})
        assert answer.status_code == status, changed
        assert status == 200 or told(answer), changed
    other = Producer(seller.cast.client("consultant"), seller.cast, seller.key)
    assert ask(other, {"fields": fields(seller.cast)}).status_code == 403, "a consultant does not sell"


@pytest.mark.slow
def test_each_buyer_is_asked_about_after_signing_until_the_delivery_is_recorded(seller: Producer) -> None:
    sell(seller)
    farm, client = seller.cast.farm, seller.client
    sold = rows_of(seller.cast.book)["sale"][SignedSlip.objects.get().number]
    put(seller.cast, Edit("sale", "B1", {**sold, "sale_id": "B1", "crop": "soybeans"}))
    here = at(seller.cast, "farm_sales")

    def asked() -> list[str]:
        return [one.why.partition(" bought")[0] for one in farm_steps(farm) if one.words.startswith("Give the report")]

    assert sorted(asked()) == ["Big Blue Ethanol LLC", "Stan's Elevator"]
    given = client.get(here).context["given"].rows
    assert {row[1].text.rpartition(" ")[0] for row in given} == {"Field corn", "Soybeans"}
    link = next(row[-1].href for row in given if row[0].text == "Stan's Elevator")
    form = client.get(link).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    client.post(link, {**sent, "day": timezone.localdate().isoformat(), "how": "in_person"})
    assert asked() == ["Big Blue Ethanol LLC"]
    rows = {row[0].text: row[4].text for row in client.get(here).context["given"].rows if "corn" in row[1].text}
    assert rows == {"Big Blue Ethanol LLC": "", "Stan's Elevator": "in person"}
    assert {one.state for one in standings_of(farm_book_of(farm)) if one.crop == "corn"} == {ReportState.SIGNED}


def _corn(producer: Producer) -> tuple[list[str], str, str]:
    """Return the row of corn on the page of sales, what its overview says is left, and the whole page."""
    page = producer.client.get(at(producer.cast, "farm_sales"))
    rows = {row[0].text: [cell.text for cell in row] for row in page.context["left"].rows}
    assert "sign the report first" in rows["Sorghum"][6]
    tiles = tiles_of(producer.cast.farm, None, timezone.localdate())
    overview = next(one.number for one in tiles if one.label == "Field corn 2025, left to sell")
    return rows["Field corn"], overview, page.content.decode()


def number(text: str) -> float:
    return float(text.replace(",", ""))


def test_the_page_adds_up_what_went_and_what_is_left_of_what_was_sold_and_fed(seller: Producer) -> None:
    before, _, _ = _corn(seller)
    fed = {"farm_id": "F1", "sale_id": "fed", "crop": "corn", "harvest_year": "2025", "disposition": "fed",
           "bushels": "3000", "day": "2025-12-01"}  # fmt: skip
    put(seller.cast, Edit("sale", "fed", fed))
    row, overview, _ = _corn(seller)
    assert number(before[4]) - number(row[4]) == 3000
    assert (overview, row[5]) == (row[4], "13,180"), "its serials are still there"
    sell(seller)
    sold, _, _ = _corn(seller)
    assert number(sold[3]) - number(row[3]) == number(row[4]) - number(sold[4]) == 1000.5
    assert sold[5] == "12,179.5"


def test_slips_and_shares_without_a_sale_record_are_gone_on_page_and_overview_alike(seller: Producer) -> None:
    farm, day, taker = seller.cast.farm.handle, timezone.localdate(), seller.cast.elevator
    with SqlStore(BY).reading() as facts:
        origin = facts.many(Origin, origin_name(farm, "corn", 2025))[0].id
    put(seller.cast, *(Edit("sale", key, None) for key in rows_of(seller.cast.book)["sale"]))
    register_entity(taker, day=day, actor=BY)
    # As a program enters them that signs slips elsewhere: the record book is told of none of them.
    for event in (
        EntityEvent(id="e-lena", day=day, entity="lena", name="Lena Landowner", roles=(Role.LANDOWNER,)),
        ShareEvent(id="share-lena", day=day, giver=farm, taker="lena", origin=origin, bushels=4_393_000),
        SlipEvent(id="elsewhere", day=day, giver=farm, taker=taker.handle, origin=origin, bushels=8_000_000),
        SlipEvent(id="of-lena", day=day, giver="lena", taker=taker.handle, origin=origin, bushels=4_393_000),
    ):
        assert post_event(SqlStore(BY), event).status.well
    row, overview, page = _corn(seller)
    assert (row[3:6], overview) == (["12,393", "787", "787"], "787")
    assert row[6] == "0 with buyers, 8,000 on open slips, 4,393 with landowners"
    assert "4,393 bu of field corn 2025 went to Lena Landowner as the landowner&#x27;s share." in page
