"""Organisations keep their part of the server's book of custody: each enters its own events, and nothing else."""

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, Final

import pytest

from provender.custody.events.footing import Footed
from provender.custody.events.parties import ContractEvent
from provender.custody.events.registry import TYPES
from provender.custody.model.entities import Entity
from provender.custody.model.entities import Role as CustodyRole
from provender.custody.model.event import Event
from provender.custody.model.store_view import Decision
from provender.database.actor import Actor, today
from provender.database.choices import Role
from provender.database.models.accounts import LogRow, Organisation, Person, SupplyContract
from provender.database.models.custody import CustodyEvent
from provender.database.store.custody import SqlStore
from provender.services.accounts.organisations import create_organisation
from provender.services.custody import entry
from provender.services.custody.book_entry import OFFERS
from provender.services.custody.context import OF_AN_ORIGIN
from provender.services.farm.files import store_upload
from provender.services.refused import RefusedError

pytestmark = pytest.mark.django_db

BY: Final = Actor(None, "test")
DAY: Final = date(2025, 11, 1)
CHECKED_ON_ITS_OWN: Final = {"entity", "statement", "document", "notice"}


@pytest.fixture
def elevator() -> Organisation:
    made = create_organisation("Skunk River", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    entry.register_entity(made, day=DAY, actor=BY, sites=["north"])
    return made


def asked(kind: str, organisation: Organisation, **fields: object) -> Event:
    read = entry.read_fields(kind, {"id": entry.new_event_id(organisation, kind), "day": "2025-11-02", **fields})
    assert isinstance(read, Event), read
    return read


def receipt(organisation: Organisation, number: str, amount: str = "100", *, of: str = "") -> Event:
    return asked(
        "receipt",
        organisation,
        entity=of or organisation.handle,
        form="corn",
        amount=amount,
        number=number,
        site="north",
    )


def entity_of(organisation: Organisation) -> Entity | None:
    with SqlStore(BY).reading() as facts:
        return facts.one(Entity, organisation.handle)


def test_an_organisation_stands_in_the_book_under_its_handle(elevator: Organisation) -> None:
    assert entity_of(elevator) == Entity(elevator.handle, "Skunk River", (CustodyRole.FIRST_POINT,), ("north",))


def test_saying_the_same_again_writes_nothing_and_a_new_site_is_added(elevator: Organisation) -> None:
    assert entry.register_entity(elevator, day=DAY, actor=BY) is None
    assert entry.register_entity(elevator, day=DAY, actor=BY, sites=["north", " "]) is None
    assert entry.register_entity(elevator, day=DAY, actor=BY, sites=["south"]) is not None
    found = entity_of(elevator)
    assert found is not None
    assert found.sites == ("north", "south")


def test_a_verifier_has_no_part_in_the_chain() -> None:
    verifier = create_organisation("Vic", roles=[Role.VERIFIER], manager=None, actor=BY)
    with pytest.raises(RefusedError, match="no role"):
        entry.register_entity(verifier, day=DAY, actor=BY)


def test_an_event_stands_once_and_in_the_log_a_refused_one_nowhere_and_a_batch_whole_or_each_by_itself(
    elevator: Organisation,
) -> None:
    def entered() -> int:
        return CustodyEvent.objects.count()

    event, before = receipt(elevator, "T-0"), entered()
    assert (
        entry.post_event(receipt(elevator, "T-1", "0"), organisation=elevator, actor=BY).status == "amount_not_positive"
    )
    batch = [receipt(elevator, "T-1"), receipt(elevator, "T-1"), receipt(elevator, "T-2")]
    answers = entry.post_events(batch, organisation=elevator, actor=BY)
    assert ([one.status for one in answers], entered()) == (["posted", "ticket_differs"], before)
    assert [entry.post_event(event, organisation=elevator, actor=BY).status for _ in range(2)] == ["posted", "exists"]
    assert LogRow.objects.filter(organisation=elevator, deed="post movement").count() == 2
    answers = entry.post_events(batch, organisation=elevator, actor=BY, whole=False)
    assert [one.status for one in answers] == ["posted", "ticket_differs", "posted"]


def test_ids_are_each_partys_own(elevator: Organisation) -> None:
    other = create_organisation("Other", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    entry.register_entity(other, day=DAY, actor=BY, sites=["north"])
    mine, theirs = (replace(receipt(one, "T-1"), id="w-1") for one in (elevator, other))
    before = CustodyEvent.objects.count()
    for event, organisation in ((mine, elevator), (theirs, other)):
        answers = [entry.post_event(event, organisation=organisation, actor=BY) for _ in range(2)]
        answers += entry.post_events([event], organisation=organisation, actor=BY)
        assert [one.status for one in answers] == ["posted", "exists", "exists"]
        assert not [one.message for one in answers if elevator.handle in one.message and organisation != elevator]
    assert CustodyEvent.objects.count() == before + 2
    more: dict[str, Any] = {"amount": 1}
    assert entry.post_event(replace(theirs, **more), organisation=other, actor=BY).status == "id_has_other_content"


def test_an_entry_is_named_by_the_id_that_its_party_gave_it(elevator: Organisation) -> None:
    other = create_organisation("Other", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    entry.register_entity(other, day=DAY, actor=BY, sites=["north"])
    crop = {"crop": "corn", "bushels": "10"}
    stock = {**crop, "day": "2025-12-31", "harvest_year": 2025, "ci": "5000", "number": "1", "evidence": "bins"}
    quarter = {"start_day": "2026-01-01", "end_day": "2026-03-31", "policy": "oldest_first"}
    for one in (elevator, other):
        steps = [
            replace(asked(kind, one, entity=one.handle, **fields), id=name)
            for name, kind, fields in (
                ("q-1", "period", quarter),
                ("o-1", "opening", {**stock, "site": "north"}),
                ("r-1", "release", {**crop, "day": "2026-01-02", "reason": "x"}),
                ("c-1", "correct", {"day": "2026-01-03", "movement": "r-1", "reason": "x"}),
            )
        ]
        answers = [entry.post_event(each, organisation=one, actor=BY) for each in steps]
        assert [each.status for each in answers] == ["posted"] * len(steps)


@pytest.mark.parametrize(("ahead", "status"), [(0, ""), (1, "day_ahead"), (400, "day_ahead")])
def test_an_act_of_a_coming_day_is_refused_on_entry(elevator: Organisation, ahead: int, status: str) -> None:
    day = (today() + timedelta(days=ahead)).isoformat()
    scale = {"entity": elevator.handle, "form": "corn", "amount": "1", "number": "T", "site": "north"}
    quarter = {"entity": elevator.handle, "policy": "oldest_first", "start_day": day, "end_day": day}
    bought = {"giver": "ada", "taker": elevator.handle, "crop": "corn", "harvest_year": 2025, "bushels": "1"}
    weighed = {**bought, "day": today().isoformat(), "tickets": [{"number": "T", "bushels": "1", "day": day}]}
    acts = (("receipt", scale), ("measurement", scale), ("period", quarter), ("purchase_pending", weighed))
    for kind, fields in acts:
        read = entry.read_fields(kind, {"id": "x", "day": day, **fields})
        assert (str(read.status) if isinstance(read, Decision) else "") == status
    declared = entry.read_fields("period", {"id": "x", "day": today().isoformat(), **quarter})
    assert isinstance(declared, Event), "its days may lie ahead"
    shut = entry.read_fields("close_site", {"id": "x", "day": day, "entity": elevator.handle, "site": "north"})
    assert isinstance(shut, Event), "a site may be closed for a coming day"


def test_nobody_enters_what_is_anothers(elevator: Organisation) -> None:
    other = create_organisation("Other", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    before = CustodyEvent.objects.count()
    with pytest.raises(RefusedError, match="another party"):
        entry.post_event(receipt(other, "T-1", of=elevator.handle), organisation=other, actor=BY)
    with pytest.raises(RefusedError, match="another party"):
        entry.post_events(
            [receipt(elevator, "T-1"), receipt(elevator, "T-2", of=other.handle)], organisation=elevator, actor=BY
        )
    assert CustodyEvent.objects.count() == before


def entity_event(organisation: Organisation, name: str, roles: list[str]) -> Event:
    return asked("entity", organisation, entity=name, name=name.title(), roles=roles)


def test_a_partner_without_an_account_is_registered_once_and_by_nobody_restated(elevator: Organisation) -> None:
    other = create_organisation("Other", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    assert entry.post_event(
        entity_event(elevator, "far-mill", ["intermediary"]), organisation=elevator, actor=BY
    ).status.well
    for name in ("far-mill", elevator.handle):
        with pytest.raises(RefusedError, match="another party"):
            entry.post_event(entity_event(other, name, ["farm"]), organisation=other, actor=BY)


def statement(organisation: Organisation, about: str, opinion: str) -> Event:
    days = {"start_day": "2025-11-01", "end_day": "2026-10-31"}
    more = {"verifier": "vic", "number": "V-1", "crops": ["corn"], "opinion": opinion}
    return asked("statement", organisation, entity=about, **days, **more)


def test_nobody_vouches_for_itself(elevator: Organisation) -> None:
    with pytest.raises(RefusedError, match="another party"):
        entry.post_event(statement(elevator, elevator.handle, "favourable"), organisation=elevator, actor=BY)
    first = statement(elevator, elevator.handle, "first_audit_contracted")
    assert entry.post_event(first, organisation=elevator, actor=BY).status == "posted"


def test_a_document_of_a_seller_with_an_account_is_not_typed_in(elevator: Organisation) -> None:
    seller = create_organisation("Seller", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    entry.register_entity(seller, day=DAY, actor=BY)
    entry.post_event(entity_event(elevator, "far-mill", ["intermediary"]), organisation=elevator, actor=BY)
    line = {"crop": "corn", "harvest_year": 2025, "ci": "7000", "form": "corn", "bushels": "10"}

    def entered(giver: str) -> Decision:
        event = asked("document", elevator, giver=giver, taker=elevator.handle, number="D-1", lines=[line])
        return entry.post_event(event, organisation=elevator, actor=BY)

    assert entered("far-mill").status == "posted"
    with pytest.raises(RefusedError, match="another party"):
        entered(seller.handle)


def test_a_notice_counts_under_its_senders_signature_and_is_never_typed_in(elevator: Organisation) -> None:
    entry.post_event(entity_event(elevator, "far-mill", ["intermediary"]), organisation=elevator, actor=BY)
    said = {"number": "N-1", "origin": "blind", "reason": "withdrawn", "spans": [["0", "10"]]}
    event = asked("notice", elevator, giver="far-mill", taker=elevator.handle, **said)
    with pytest.raises(RefusedError, match="another party"):
        entry.post_event(event, organisation=elevator, actor=BY)


def test_it_is_settled_for_every_type_who_enters_it() -> None:
    entered = {kind: cls.entered_by() for kind, cls in TYPES.items() if cls.entered_by()}
    assert set(entered) | OF_AN_ORIGIN | CHECKED_ON_ITS_OWN == set(TYPES)
    for kind, name in entered.items():
        assert name in TYPES[kind].__dataclass_fields__


def test_a_file_that_one_organization_uploaded_is_no_evidence_for_another(elevator: Organisation) -> None:
    other = create_organisation("Mill", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    entry.register_entity(other, day=DAY, actor=BY, sites=["mill"])
    seller = asked("entity", elevator, entity="outside", name="Outside", roles=["first_point"], sites=["s"])
    assert entry.post_event(seller, organisation=elevator, actor=BY).status == "posted"
    sha256 = store_upload(other, "bins.pdf", b"a letter", actor=BY).sha256

    def entries(of: Organisation, site: str) -> list[Event]:
        stock = {"crop": "corn", "harvest_year": 2024, "ci": "28000", "bushels": "100", "number": "1"}
        covered = {"start_day": "2025-01-01", "end_day": "2025-12-31", "crops": ["corn"], "opinion": "favourable"}
        of_seller = {"entity": "outside", "verifier": "verity", "number": f"V-{site}", "evidence": sha256}
        return [asked("opening", of, entity=of.handle, site=site, evidence=sha256, **stock),
                asked("statement", of, **of_seller, **covered)]  # fmt: skip

    for of, site, footing in ((other, "mill", "paper_on_file"), (elevator, "north", "typed")):
        for event in entries(of, site):
            assert entry.post_event(event, organisation=of, actor=BY).status == "posted"
            with SqlStore(BY).reading() as facts:
                assert [one.footing for one in facts.all_of(Footed) if one.event == event.id] == [footing], event


def test_another_partys_entry_under_the_id_of_a_file_keeps_nobodys_file_off_the_record(elevator: Organisation) -> None:
    other = create_organisation("Mill", roles=[Role.FIRST_POINT], manager=None, actor=BY)
    entry.register_entity(other, day=DAY, actor=BY, sites=["mill"])
    kept = store_upload(elevator, "bins.pdf", b"a letter", actor=BY)
    squat = replace(asked("receipt", other, entity=other.handle, form="corn", amount="1", number="1", site="mill"),
                    id=f"{elevator.handle}-file-{kept.sha256[:16]}")  # fmt: skip
    assert entry.post_event(squat, organisation=other, actor=BY).status == "posted"
    outcome = entry.put_on_record(SqlStore(BY), elevator, kept, DAY)
    assert outcome.status == "posted", outcome
    assert entry.put_on_record(SqlStore(BY), elevator, kept, DAY).status == "exists"


def test_a_contract_puts_both_into_book_and_register(elevator: Organisation) -> None:
    person = Person.objects.create_user("eli@example.org", name="Eli")
    farm = create_organisation("Ada", roles=[Role.FARM], manager=None, actor=BY)
    fields = {"entity": elevator.handle, "counterparty": farm.handle, "number": "K-1", "start_day": "2025-11-02"}
    for key in ("", "another"):
        event = asked("contract", elevator, role="supplier", signing_key=key, **fields)
        assert isinstance(event, ContractEvent)
        assert entry.state_contract(event, organisation=elevator, actor=Actor(person, "test")).status == "posted"
    assert entity_of(farm) is not None
    assert [(one.seller, one.buyer) for one in SupplyContract.objects.all()] == [(farm, elevator)]


def test_a_site_closed_with_a_day_to_come_is_open_until_then(elevator: Organisation) -> None:
    for ahead in (-1, 0, 1):
        day = (today() + timedelta(days=ahead)).isoformat()
        fields = {"id": "x", "day": day, "entity": elevator.handle, "site": "north"}
        for said in ({}, {"ahead": False}, {"ahead": True}):
            found = entry.read_fields("close_site", {**fields, **said})
            assert getattr(found, "ahead", None) is (ahead > 0), found


def test_every_event_that_declares_a_title_is_offered_with_a_verb_and_no_other() -> None:
    assert set(OFFERS) == {kind for kind, cls in TYPES.items() if cls.title}
    assert all(cls.verb for cls in OFFERS.values())
