"""The data that pages are measured with: a copied district stands as firmly as one that was typed in."""

import pytest
from django.db import IntegrityError, transaction

from bench.server import district
from bench.server.copies import copy_district
from provender.custody.events.registry import read_event
from provender.custody.model.event import Status, digest_of
from provender.custody.store import all_balances, post
from provender.database import guards
from provender.database.actor import Actor
from provender.database.models.accounts import Organisation
from provender.database.models.custody import CustodyLot
from provender.database.models.farm import Book, Change
from provender.database.store.custody import SqlStore
from provender.database.store.record_books import check_chain, rows_of

pytestmark = pytest.mark.slow

DISTRICTS = 13


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch, db: None) -> SqlStore:
    monkeypatch.setattr(district, "FARMS", 2)
    monkeypatch.setattr(district, "UNITS", 3)
    district.make_district()
    copy_district(DISTRICTS)
    return SqlStore(Actor(None, "test"))


def test_every_copied_book_and_movement_is_whole_a_copied_house_sells_on_and_the_guards_stand(store: SqlStore) -> None:
    assert Book.objects.count() == 2 * DISTRICTS
    assert Organisation.objects.filter(handle="d0012-elev", name="House d0012-elev").exists()
    for book in Book.objects.all():
        assert check_chain(book) == []
        assert {row["farm_id"] for row in rows_of(book)["unit"].values()} == {book.organisation.handle}
    for one in store.events():
        assert one.digest == digest_of(one.request)
    with store.reading() as facts:
        balances = all_balances(facts)
    mine = {code: [str(one) for one in balances if code in str(one["entity"])] for code in ("d0000", "d0012")}
    assert len(mine["d0000"]) == 16
    assert mine["d0000"] == [text.replace("d0012", "d0000") for text in mine["d0012"]]
    sale = {
        "type": "sale", "id": "s", "day": "2026-07-01", "giver": "d0012-elev", "taker": "d0012-ethl", "crop": "corn",
        "bushels": "1", "site": "north",
    }  # fmt: skip
    assert post(store, read_event(sale)).status is Status.POSTED
    assert post(store, read_event({**sale, "id": "t", "bushels": "9000000"})).status is Status.EXCEEDS_STOCK
    assert guards.missing("default") == []
    with pytest.raises(IntegrityError), transaction.atomic():
        CustodyLot.objects.update(span_stop=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Change.objects.filter(number=1).update(text="")
