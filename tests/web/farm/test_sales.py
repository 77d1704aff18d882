"""A farm sells by slips it signs: serials are assigned once, the sale stands in the book, and what is left adds up."""

import json
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace

import pytest
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from provender.custody.documents.build import SLIP
from provender.custody.documents.sign import TYPS
from provender.custody.events.farm_trade import ShareEvent, SlipEvent
from provender.custody.events.parties import EntityEvent
from provender.custody.model.entities import Role
from provender.custody.model.event import Event
from provender.custody.model.origins import Origin, Slip, origin_name
from provender.custody.store import post as post_event
from provender.database.actor import Actor
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import LogLeaf, SignedSlip
from provender.database.store.custody import SqlStore
from provender.database.store.record_books import rows_of
from provender.services.clients import farm_steps
from provender.services.custody.entry import bushels_left, register_entity
from provender.services.dashboard import tiles_of
from provender.services.farm.book import Edit, change_book, farm_book_of
from provender.services.reports.drafts import ReportState, standings_of
from provender.signing.canonical import canonical_json
from provender.signing.jws import check, sign
from provender.signing.keys import SigningKey
from provender.signing.transparency import mark_of
from tests.web.cast import Cast, make_cast
from tests.web.farm_season import fill_season
from tests.web.producer_keys import Producer, post, told
from tests.web.standing import Standing, standing


def _signed() -> Producer:
    cast = make_cast()
    fill_season(cast)
    found = Producer(cast.client(), cast, SigningKey.generate())
    assert found.register().status_code == 200
    assert found.sign().status_code == 200
    assert ask(found, {"fields": fields(cast)}).status_code == 200, "what was judged for it is kept for all that follow"
    return found


@pytest.fixture(scope="module")
def signed(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Standing[Producer]]:
    with standing(django_db_blocker, tmp_path_factory.mktemp("signed"), _signed) as made:
        yield made


@pytest.fixture
def producer(db: None, signed: Standing[Producer], settings: Settings) -> Producer:
    found = signed.lend(settings)
    return replace(found, client=found.cast.client(), cast=deepcopy(found.cast))


def fields(cast: Cast, **changed: str) -> dict[str, str]:
    day = timezone.localdate().isoformat()
    sold = {"report": "corn 2025", "buyer": cast.elevator.handle, "bushels": "1000.5", "day": day, "contract": "C-1"}
    return sold | changed


def ask(producer: Producer, body: dict[str, object]) -> HttpResponse:
    return post(producer.client, reverse("farm_slip_sign", args=(producer.cast.farm.handle,)), body)


def sell(producer: Producer, key: SigningKey | None = None, **changed: str) -> HttpResponse:
    body: dict[str, object] = {"fields": fields(producer.cast, **changed)}
    asked = json.loads(ask(producer, body).content)
    signature = sign(json.loads(asked["document"]), key or producer.key, typ=TYPS[SLIP])["signature"]
    return ask(producer, {**body, "sha256": asked["sha256"], "signature": signature})


def test_asking_for_a_slip_assigns_nothing(producer: Producer) -> None:
    before = CustodyEvent.objects.count()
    for _ in range(2):
        assert ask(producer, {"fields": fields(producer.cast)}).status_code == 200
    assert CustodyEvent.objects.count() == before
    assert not SignedSlip.objects.exists()


def test_a_signed_slip_assigns_its_serials_and_stands_in_the_book(producer: Producer) -> None:
    assert sell(producer).status_code == 200
    kept = SignedSlip.objects.get()
    document = json.loads(kept.document)
    found = check({"document": document, "signature": kept.signature}, {}, typ=TYPS[SLIP])
    assert found.kid == producer.key.fingerprint
    mark = mark_of(canonical_json({"document": document, "signature": kept.signature}))
    assert LogLeaf.objects.get(mark=mark).about == kept.number
    with SqlStore(Actor(None, "test")).reading() as facts:
        slip = facts.one(Slip, kept.number)
    assert slip is not None
    assert slip.spans == ((0, 1_000_500),)
    assert slip.taker == producer.cast.elevator.handle
    row = rows_of(producer.cast.book)["sale"][kept.number]
    assert (row["bushels"], row["disposition"], row["buyer"]) == ("1000.5", "sold_with_ci", "Stan's Elevator")
    left = bushels_left(producer.cast.farm, "corn", 2025)
    assert left is not None
    assert (left.issued, left.assigned, left.free) == (46_860_000, 1_000_500, 45_859_500)


def test_two_slips_never_name_the_same_bushels(producer: Producer) -> None:
    sell(producer)
    sell(producer, bushels="2000")
    spans = [span for one in SignedSlip.objects.all() for span in json.loads(one.document)["spans"]]
    assert {(one["start"], one["stop"]) for one in spans} == {("0", "1000.5"), ("1000.5", "3000.5")}


def test_another_key_sells_nothing(producer: Producer) -> None:
    answer = sell(producer, SigningKey.generate())
    assert "names another signing key" in told(answer)
    assert not SignedSlip.objects.exists()
    left = bushels_left(producer.cast.farm, "corn", 2025)
    assert left is not None
    assert left.assigned == 0


def test_a_slip_signed_after_other_serials_went_is_refused(producer: Producer) -> None:
    body: dict[str, object] = {"fields": fields(producer.cast)}
    asked = json.loads(ask(producer, body).content)
    signature = sign(json.loads(asked["document"]), producer.key, typ=TYPS[SLIP])["signature"]
    sell(producer, bushels="10")
    answer = ask(producer, {**body, "sha256": asked["sha256"], "signature": signature})
    assert "Other serials are free" in told(answer)


OFFERS: tuple[tuple[dict[str, str], int], ...] = (
    ({"bushels": "46860"}, 200), ({"bushels": "46860.001"}, 409), ({"bushels": "0"}, 409), ({"bushels": "-1"}, 409),
    ({"bushels": "many"}, 409), ({"bushels": ""}, 409), ({"buyer": "nobody"}, 409), ({"report": "sorghum 2025"}, 409),
    ({"report": "wheat 2025"}, 409), ({"day": "tomorrow"}, 409), ({"day": ""}, 409),
)  # fmt: skip


def test_no_more_is_sold_than_there_is_and_a_slip_that_cannot_be_is_told_in_words(producer: Producer) -> None:
    for changed, status in OFFERS:
        answer = ask(producer, {"fields": fields(producer.cast, **changed)})
        assert answer.status_code == status, changed
        assert status == 200 or told(answer), changed


def test_a_consultant_does_not_sell(producer: Producer) -> None:
    client = producer.cast.client("consultant")
    assert ask(Producer(client, producer.cast, producer.key), {"fields": fields(producer.cast)}).status_code == 403


def test_the_page_adds_up_what_went_and_what_is_left(producer: Producer) -> None:
    where = reverse("farm_sales", args=(producer.cast.farm.handle,))
    before = {row[0].text: row for row in producer.client.get(where).context["left"].rows}
    sell(producer)
    rows = {row[0].text: row for row in producer.client.get(where).context["left"].rows}
    gone = [float(found["Field corn"][3].text.replace(",", "")) for found in (before, rows)]
    left = [float(found["Field corn"][4].text.replace(",", "")) for found in (before, rows)]
    assert gone[1] - gone[0] == left[0] - left[1] == 1000.5
    assert rows["Field corn"][5].text == "45,859.5"
    assert "sign the report first" in rows["Sorghum"][6].text


def test_each_buyer_is_asked_about_after_signing_until_the_delivery_is_recorded(producer: Producer) -> None:
    sell(producer)
    farm, client = producer.cast.farm, producer.client
    beans = {
        **rows_of(producer.cast.book)["sale"][SignedSlip.objects.get().number],
        "sale_id": "B1",
        "crop": "soybeans",
    }
    change_book(producer.cast.book, [Edit("sale", "B1", beans)], reason="not signed yet", actor=Actor(None, "test"))
    here = reverse("farm_sales", args=(farm.handle,))

    def asked() -> list[str]:
        return [one.why.partition(" bought")[0] for one in farm_steps(farm) if one.words.startswith("Give the report")]

    assert sorted(asked()) == ["Big Blue Ethanol LLC", "Stan's Elevator"]
    crops = {row[1].text.rpartition(" ")[0] for row in client.get(here).context["given"].rows}
    assert crops == {"Field corn", "Soybeans"}
    link = next(row[-1].href for row in client.get(here).context["given"].rows if row[0].text == "Stan's Elevator")
    form = client.get(link).context["form"]
    sent = {name: form[name].value() or "" for name in form.fields}
    client.post(link, {**sent, "day": timezone.localdate().isoformat(), "how": "in_person"})
    assert asked() == ["Big Blue Ethanol LLC"]
    rows = {row[0].text: row[4].text for row in client.get(here).context["given"].rows if "corn" in row[1].text}
    assert rows == {"Big Blue Ethanol LLC": "", "Stan's Elevator": "in person"}
    assert {one.state for one in standings_of(farm_book_of(farm)) if one.crop == "corn"} == {ReportState.SIGNED}


def test_a_signed_slip_is_saved_as_pdf_and_json(producer: Producer) -> None:
    sell(producer)
    kept = SignedSlip.objects.get()
    for form, start in (("pdf", b"%PDF"), ("json", b"{")):
        answer = producer.client.get(reverse("farm_slip_file", args=(producer.cast.farm.handle, kept.handle, form)))
        assert answer.content.startswith(start)
    stranger = producer.cast.client("stranger")
    where = reverse("farm_slip_file", args=(producer.cast.farm.handle, kept.handle, "pdf"))
    assert stranger.get(where).status_code == 404
    elsewhere = reverse("farm_slip_file", args=(producer.cast.elevator.handle, kept.handle, "pdf"))
    assert stranger.get(elsewhere).status_code == 404


def _book(*events: Event) -> None:
    """Enter events as a program would that signs slips elsewhere: the record book is told of none of them."""
    for event in events:
        assert post_event(SqlStore(Actor(None, "test")), event).status.well


def _corn(producer: Producer) -> tuple[list[str], str]:
    """Return the row of corn on the page of sales, and what its overview says is left."""
    where = reverse("farm_sales", args=(producer.cast.farm.handle,))
    row = next(row for row in producer.client.get(where).context["left"].rows if row[0].text == "Field corn")
    tiles = tiles_of(producer.cast.farm, None, timezone.localdate())
    return [cell.text for cell in row], next(
        one.number for one in tiles if one.label == "Field corn 2025, left to sell"
    )


def test_slips_and_shares_without_a_sale_record_are_gone_on_page_and_overview_alike(producer: Producer) -> None:
    farm, day = producer.cast.farm.handle, timezone.localdate()
    with SqlStore(Actor(None, "test")).reading() as facts:
        origin = facts.many(Origin, origin_name(farm, "corn", 2025))[0].id
    change_book(
        producer.cast.book,
        [Edit("sale", key, None) for key in rows_of(producer.cast.book)["sale"]],
        reason="none is recorded",
        actor=Actor(None, "test"),
    )
    taker = producer.cast.elevator
    register_entity(taker, day=day, actor=Actor(None, "test"))
    _book(
        EntityEvent(id="e-lena", day=day, entity="lena", name="Lena Landowner", roles=(Role.LANDOWNER,)),
        ShareEvent(id="share-lena", day=day, giver=farm, taker="lena", origin=origin, bushels=15_620_000),
        SlipEvent(id="elsewhere", day=day, giver=farm, taker=taker.handle, origin=origin, bushels=30_000_000),
        SlipEvent(id="of-lena", day=day, giver="lena", taker=taker.handle, origin=origin, bushels=15_620_000),
    )
    row, overview = _corn(producer)
    assert row[3:6] == ["45,620", "1,240", "1,240"]
    assert overview == "1,240"
    assert row[6] == "0 with buyers, 30,000 on open slips, 15,620 with landowners"
    page = producer.client.get(reverse("farm_sales", args=(farm,))).content.decode()
    assert "15,620 bu of field corn 2025 went to Lena Landowner as the landowner&#x27;s share." in page


def test_what_was_fed_is_left_to_sell_neither_on_the_page_nor_on_the_overview(producer: Producer) -> None:
    fed = {"farm_id": "F1", "sale_id": "fed", "crop": "corn", "harvest_year": "2025", "disposition": "fed",
           "bushels": "6000", "day": "2025-12-01"}  # fmt: skip
    before = _corn(producer)[0]
    change_book(producer.cast.book, [Edit("sale", "fed", fed)], reason="fed", actor=Actor(None, "test"))
    row, overview = _corn(producer)
    assert float(before[4].replace(",", "")) - float(row[4].replace(",", "")) == 6000
    assert overview == row[4]
    assert row[5] == "46,860", "its serials are still there"


def test_the_page_says_that_nothing_is_sold_only_where_no_slip_says_otherwise(producer: Producer) -> None:
    where = reverse("farm_sales", args=(producer.cast.farm.handle,))
    for key in rows_of(producer.cast.book)["sale"]:
        change_book(producer.cast.book, [Edit("sale", key, None)], reason="none", actor=Actor(None, "test"))
    assert "Nothing is sold as reduced-CI crop yet" in producer.client.get(where).content.decode()
    sell(producer)
    slip = SignedSlip.objects.get().number
    shown = [cell.text for cell in producer.client.get(where).context["slips"].rows[0]]
    assert shown[2:5] == ["Field corn 2025", "Stan's Elevator", "C-1"]
    change_book(producer.cast.book, [Edit("sale", slip, None)], reason="lost", actor=Actor(None, "test"))
    page = producer.client.get(where).content.decode()
    assert "Nothing is sold as reduced-CI crop yet" not in page
    assert "A signed slip records its sale by itself" not in page
    assert "The signed slips above count without one" in page
