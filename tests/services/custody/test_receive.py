"""Documents and tickets that come to the server are answered as the command line answers them.

What a party signs in a browser is what it has read, under the key that lies sealed for whoever signs.
"""

from contextlib import ExitStack
from datetime import date, timedelta
from typing import Any, Final

import pytest

from provender.custody.documents.build import PERIOD, TRANSFER, transfer_document
from provender.custody.documents.receive import Answered, sign_document
from provender.custody.events.registry import post, read_event
from provender.custody.model.lots import LotState
from provender.database.actor import Actor
from provender.database.choices import Role
from provender.database.models.accounts import Organisation
from provender.database.models.farm import PartyKey, SignedDocument
from provender.database.store.custody import SqlStore
from provender.database.store.custody_lists import stock_of
from provender.problem import Problem, ProblemsError
from provender.services.accounts.organisations import create_organisation
from provender.services.custody import documents, ticket_files
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.ticket_files import TicketsEntered, enter_tickets, tickets_in
from provender.services.farm.files import store_upload
from provender.services.refused import RefusedError
from provender.signing.canonical import canonical_json
from provender.signing.jws import register, sign
from provender.signing.keys import SigningKey
from tests.audit.verifier import statement
from tests.custody.papers import DAY, elevator_book, key_of, letter, vouched
from tests.custody.world import CAST, entity, ev
from tests.web.cast import Cast
from tests.web.custody_season import Season, fill_custody
from tests.web.producer_keys import SEALED

BY: Final = Actor(None, "test")

LATER: Final = date(2026, 6, 20)

TICKETS: Final = "Ticket No,Date,Location,Commodity,Customer,In/Out,Net Lbs,Moisture,Net Bu\n"

pytestmark = pytest.mark.django_db


@pytest.fixture
def crusher() -> Organisation:
    """A crusher with an account; the elevator that sells to it and its verifier are known by their keys only."""
    made = create_organisation("Crush", roles=[Role.INTERMEDIARY], manager=None, actor=BY, handle="crush")
    for event in (*CAST, entity("verity", "service_provider"), pinned("coop", "coop")):
        enter(event)
    return made


def enter(event: dict[str, Any]) -> None:
    assert post(SqlStore(BY), read_event(event)).status.well


def pinned(party: str, key: str) -> dict[str, Any]:
    """Return the crusher's contract that pins a key of a party."""
    terms = {"role": "service_provider" if party == "verity" else "supplier", "start_day": "2025-11-01"}
    key = key_of(key).fingerprint
    return (
        ev("contract", f"k-{party}", "2025-11-03", entity="crush", counterparty=party, number=party, signing_key=key)
        | terms
    )


def desk(organisation: Organisation, today: date = DAY) -> CustodyContext:
    context = context_of(organisation, actor=BY, today=today)
    assert context is not None
    return context


def received(context: CustodyContext, raw: object, name: str = "letter.json") -> tuple[list[Answered], list[Problem]]:
    incoming = documents.open_file(raw, context, name)
    assert not incoming.problems
    return documents.receive_file(context, incoming, name=name, content=canonical_json(raw))


def test_a_document_taken_in_before_is_told_as_that(crusher: Organisation) -> None:
    raw = letter(elevator_book())
    first, _ = received(desk(crusher), raw)
    assert [answer.outcome.status for answer in first] == ["posted", "posted"]
    again, _ = received(desk(crusher, LATER), raw)
    assert [answer.outcome.status for answer in again] == ["exists", "exists"]
    assert again[-1].outcome.message == f"It was taken into stock on {DAY}. Nothing was changed."


def test_a_document_taken_in_before_with_other_content_is_told_as_that(crusher: Organisation) -> None:
    received(desk(crusher), letter(elevator_book()))
    document: dict[str, Any] = dict(transfer_document(elevator_book(), "s1", as_of=DAY))
    document["day"] = "2026-02-02"
    (refused,), _ = received(desk(crusher), sign_document(document, key_of("coop")))
    assert refused.outcome.status == "id_has_other_content"
    assert "was taken in before, with other content. Nothing was changed." in refused.outcome.message


@pytest.mark.parametrize(
    ("pins", "state", "codes"),
    [
        ("verity", LotState.HELD, []),
        ("another", LotState.UNVERIFIED, ["verifier_unknown"]),
        ("", LotState.UNVERIFIED, ["verifier_unknown"]),
    ],
)
def test_a_sellers_verification_counts_when_a_contract_pins_its_verifiers_key(
    crusher: Organisation, pins: str, state: LotState, codes: list[str]
) -> None:
    if pins:
        enter(pinned("verity", pins))
    sound = statement(audited="coop", covered_last=date(2026, 5, 31), issued_on=date(2026, 6, 10))
    proof = sign(sound.document(), key_of("verity"))
    letter_with_proof = transfer_document(elevator_book(vouched()), "s1", as_of=LATER, proof=proof)
    answers, doubts = received(desk(crusher, LATER), sign_document(letter_with_proof, key_of("coop")))
    assert all(answer.outcome.status.well for answer in answers)
    assert {row.state for row in stock_of("crush")} == {state}
    assert [doubt.code for doubt in doubts] == codes


def test_a_statement_that_comes_with_every_sale_of_its_party_hinders_none(crusher: Organisation) -> None:
    enter(pinned("verity", "verity"))
    sound = statement(audited="coop", covered_last=date(2026, 5, 31), issued_on=date(2026, 6, 10))
    more = {"giver": "coop", "taker": "crush", "crop": "soybeans", "bushels": "100"}
    seller = elevator_book(vouched(), *(ev("sale", name, "2026-02-01", **more) for name in ("s2", "s3")))
    answered = []
    for later, sale in enumerate(("s1", "s2", "s2")):  # the last is the same paper, once more
        letter = transfer_document(seller, sale, as_of=LATER, proof=sign(sound.document(), key_of("verity")))
        answers, doubts = received(desk(crusher, LATER + timedelta(later)), sign_document(letter, key_of("coop")))
        assert not doubts
        answered.append({answer.event.type: str(answer.outcome.status) for answer in answers})
    assert [one["statement"] for one in answered] == ["posted", "exists", "exists"]
    assert [one["document"] for one in answered] == ["posted", "posted", "exists"]
    # Under the same number its verifier says that it covers some days more.
    longer = statement(audited="coop", covered_last=date(2026, 6, 9), issued_on=date(2026, 6, 10))
    letter = transfer_document(seller, "s3", as_of=LATER, proof=sign(longer.document(), key_of("verity")))
    answers, _ = received(desk(crusher, LATER + timedelta(3)), sign_document(letter, key_of("coop")))
    assert {answer.event.type: str(answer.outcome.status) for answer in answers} == dict.fromkeys(answered[0], "posted")


def entered(context: CustodyContext, pounds: int, bushels: int) -> TicketsEntered:
    text = f"{TICKETS}1001,2026-01-20,plant,Soybeans,Ada,In,{pounds},13.0,{bushels}.00\n"
    upload = store_upload(context.organisation, f"{bushels}.csv", text.encode(), actor=BY)
    read = tickets_in(context, upload, "")
    assert read.map is not None
    done = enter_tickets(context, upload, read, read.map)
    assert isinstance(done, TicketsEntered), done
    return done


def test_files_that_are_read_leave_threads_to_others(crusher: Organisation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ticket_files, "PATIENCE_SECONDS", 0.01)
    context = desk(crusher)
    with ExitStack() as held:
        for _ in range(4):
            held.enter_context(ticket_files.READ_AT_ONCE)
        with pytest.raises(RefusedError, match="Other files are being read just now"):
            entered(context, 60_000, 1000)
    assert entered(context, 60_000, 1000).new == 1


def test_a_ticket_sent_again_with_other_figures_is_answered_field_by_field(crusher: Organisation) -> None:
    context = desk(crusher)
    assert entered(context, 60_000, 1_000).new == 1
    (refused,) = entered(context, 54_000, 900).refused
    assert "Ticket 1001 is in the book with other content: amount 900 here, 1000 in the book." in refused.cause
    assert "Mark the old ticket void" in f"{refused.cause} {refused.remedy}"


@pytest.fixture
def season(cast: Cast) -> Season:
    return fill_custody(cast)


@pytest.fixture
def mill(cast: Cast, season: Season) -> CustodyContext:
    found = context_of(cast.mill, actor=cast.actor("owner"), today=season.open + timedelta(days=60), may_write=True)
    assert found is not None
    return found


@pytest.fixture
def key(cast: Cast, mill: CustodyContext) -> SigningKey:
    made = SigningKey.generate()
    said = register(mill.id, documents.KEYS.signer, made, on=mill.today)
    documents.KEYS.register_sealed(
        cast.mill, sealed=SEALED, statement=said, lost=False, today=mill.today, actor=cast.actor("owner")
    )
    return made


def test_a_sale_taken_back_after_it_was_read_is_refused_as_the_command_refuses_it(
    cast: Cast, mill: CustodyContext, season: Season, key: SigningKey
) -> None:
    shown = documents.document_ref(documents.paper(mill, TRANSFER, season.sale).document)
    back = ev("correct", "correct-1", mill.today.isoformat(), entity=mill.id, movement=season.sale, reason="error")
    assert post(SqlStore(BY), read_event(back)).status.well
    with pytest.raises(ProblemsError, match="was taken back by"):
        documents.document_to_sign(mill, TRANSFER, season.sale, shown, holder=cast.person("owner"))
    with pytest.raises(ProblemsError):
        documents.document_to_sign(mill, PERIOD, f"{mill.id}/{season.open}", shown, holder=cast.person("owner"))
    assert not SignedDocument.objects.exists()


def test_the_key_signs_for_its_holder_alone_and_not_once_it_is_replaced(
    cast: Cast, mill: CustodyContext, season: Season, key: SigningKey
) -> None:
    shown = documents.document_ref(documents.paper(mill, TRANSFER, season.sale).document)
    with pytest.raises(ProblemsError) as refused:
        documents.document_to_sign(mill, TRANSFER, season.sale, shown, holder=cast.person("writer"))
    assert refused.value.problems[0].code == "no_key"
    documents.KEYS.register(
        cast.mill,
        SigningKey.generate().public.jwk,
        reason="moved to a card",
        today=mill.today,
        actor=cast.actor("owner"),
    )
    with pytest.raises(ProblemsError) as refused:
        documents.document_to_sign(mill, TRANSFER, season.sale, shown, holder=cast.person("owner"))
    assert refused.value.problems[0].code == "no_key", "the key in use lies on another machine"
    assert PartyKey.objects.count() == 2


@pytest.mark.parametrize("days", [-1, 1])
def test_nobody_signs_for_another_day(
    cast: Cast, mill: CustodyContext, season: Season, key: SigningKey, days: int
) -> None:
    other = documents.make(mill, TRANSFER, season.sale, mill.today + timedelta(days=days))
    with pytest.raises(ProblemsError) as refused:
        documents.document_to_sign(
            mill, TRANSFER, season.sale, documents.document_ref(other), holder=cast.person("owner")
        )
    assert refused.value.problems[0].code == "other_document"
