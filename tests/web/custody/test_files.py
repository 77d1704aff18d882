"""Files that come to an elevator's pages: tickets of another program, documents of a seller, signed papers back."""

import json
from collections.abc import Mapping

from django.test import Client
from django.utils import timezone

from provender.custody.documents.build import slip_document, transfer_document
from provender.custody.documents.sign import sign_document
from provender.custody.memory_store import MemoryStore
from provender.database.models.custody import CustodyEvent
from provender.database.models.farm import LogLeaf, SignedDocument
from provender.signing.keys import SigningKey
from provender.signing.transparency import mark_of
from tests.custody.world import Event, bought, entity, ev, posted
from tests.web.cast import Cast
from tests.web.custody.asking import hand_in, where
from tests.web.custody_season import Season, days_ago


def outside(cast: Cast) -> list[Event]:
    """A seller without an account here, in a book of its own: a farm, its elevator, and its sale to the mill."""
    mill = cast.mill.handle
    start = {"start_day": days_ago(60), "end_day": days_ago(-20), "policy": "oldest_first"}
    return [
        entity("far", "farm") | {"day": days_ago(100)},
        entity("silo", "first_point", "bin") | {"day": days_ago(100)},
        ev("entity", "entity-mill", days_ago(100), entity=mill, name="Mill", roles=["first_point"], sites=["north"]),
        ev("period", "period-silo", days_ago(61), entity="silo", **start),
        ev(
            "report", "report-far", days_ago(50), entity="far", crop="corn", harvest_year=2025, bushels="5000",
            ci="7000", salt="a" * 43,
        ),
    ]  # fmt: skip


def sold_outside(cast: Cast) -> Mapping[str, object]:
    """Return the transfer document of a sale from outside, not signed yet."""
    store = MemoryStore()
    posted(store, outside(cast))
    origin = store.events()[-1].request.origin  # type: ignore[attr-defined]
    posted(store, bought("b", "far", "silo", origin, "2000", day=days_ago(40), site="bin"))
    posted(store, [ev("sale", "S-77", days_ago(10), giver="silo", taker=cast.mill.handle, crop="corn", bushels="1500")])
    return transfer_document(store, "S-77", as_of=timezone.localdate())


def test_a_file_that_is_no_document_is_told(cast: Cast, season: Season, owner: Client) -> None:
    for content in ("", "{", "[]", '{"document": {}, "signature": "x..y"}', "9" * 5000):
        assert hand_in(owner, where(cast, "custody_receive"), "x.json", content).status_code in (409, 422), content


def test_a_document_of_somebody_with_an_account_is_not_taken_in(cast: Cast, season: Season, owner: Client) -> None:
    key = SigningKey.generate()
    pin = {"counterparty": cast.elevator.handle, "role": "supplier", "number": "K-8", "start_day": days_ago(50)}
    owner.post(where(cast, "custody_enter", "contract"), {"day": days_ago(50), **pin, "signing_key": key.fingerprint})
    document = {**sold_outside(cast), "seller": {"id": cast.elevator.handle, "name": "Stan"}}
    before = CustodyEvent.objects.count()
    answer = hand_in(owner, where(cast, "custody_receive"), "x.json", json.dumps(sign_document(document, key)))
    assert answer.status_code == 409
    assert [one.code for one in answer.context["problems"]] == ["sender_is_here"]
    assert CustodyEvent.objects.count() == before


def test_a_document_signed_elsewhere_is_kept_and_printed(cast: Cast, season: Season, owner: Client) -> None:
    address = where(cast, "custody_document") + f"?sale={season.sale}"
    document = json.loads(owner.get(address + "&as=json").content)
    key = SigningKey.generate()
    text = json.dumps(sign_document(document, key))
    assert hand_in(owner, address, "signed.json", text).status_code == 302
    kept = SignedDocument.objects.get()
    assert kept.fingerprint == key.fingerprint
    assert LogLeaf.objects.get(mark=mark_of(text.encode())).kind == kept.kind
    assert json.loads(owner.get(address + "&as=json").content) == json.loads(text)
    assert key.fingerprint in owner.get(address).content.decode()
    assert owner.get(address + "&as=pdf").content.startswith(b"%PDF")
    assert hand_in(owner, address, "signed.json", text).status_code == 302
    assert SignedDocument.objects.count() == 1


def test_a_slip_of_a_farm_from_outside_can_be_bought(cast: Cast, season: Season, owner: Client) -> None:
    mill, key = cast.mill.handle, SigningKey.generate()
    store = MemoryStore()
    posted(store, outside(cast))
    origin = store.events()[-1].request.origin  # type: ignore[attr-defined]
    posted(store, [ev("slip", "far-slip-1", days_ago(20), giver="far", taker=mill, origin=origin, bushels="300")])
    slip = slip_document(store, "far-slip-1", as_of=timezone.localdate())
    enter = where(cast, "custody_enter", "entity")
    owner.post(enter, {"day": days_ago(30), "entity": "far", "name": "Far Farm", "roles": "farm"})
    pin = {"counterparty": "far", "role": "supplier", "number": "K-5", "start_day": days_ago(30)}
    owner.post(where(cast, "custody_enter", "contract"), {"day": days_ago(30), **pin, "signing_key": key.fingerprint})
    answer = hand_in(owner, where(cast, "custody_receive"), "slip.json", json.dumps(sign_document(slip, key)))
    # Without the farm's report there is no origin whose serials the slip could assign.
    assert answer.status_code == 409
    assert [one.code for one in answer.context["problems"]] == ["record_not_found"]
