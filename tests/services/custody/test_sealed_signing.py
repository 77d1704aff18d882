"""What a party signs in a browser is what it has read, under the key that lies sealed for whoever signs."""

from datetime import timedelta

import pytest

from provender.custody.documents.build import PERIOD, TRANSFER
from provender.custody.documents.sign import TYPS
from provender.custody.events.registry import post, read_event
from provender.database.models.accounts import LogRow
from provender.database.models.farm import PartyKey, SignedDocument
from provender.database.store.custody import SqlStore
from provender.problem import ProblemsError
from provender.services.custody.context import CustodyContext, context_of
from provender.services.custody.documents import KEYS, document_to_sign, make, paper, shown_of, sign_shown, statement_of
from provender.signing.jws import check, register, sign
from provender.signing.keys import PublicKey, SigningKey
from tests.custody.world import ev
from tests.web.cast import Cast
from tests.web.custody_season import BY, Season, fill_custody
from tests.web.producer_keys import SEALED

pytestmark = pytest.mark.django_db


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
    said = register(mill.id, KEYS.signer, made, on=mill.today)
    KEYS.register_sealed(
        cast.mill, sealed=SEALED, statement=said, lost=False, today=mill.today, actor=cast.actor("owner")
    )
    return made


def named(mill: CustodyContext, season: Season, kind: str) -> str:
    """Return the number of the season's document of a kind."""
    return season.sale if kind == TRANSFER else statement_of(mill, season.closed, restated=False)[1]


@pytest.mark.parametrize("kind", [TRANSFER, PERIOD])
def test_what_was_read_is_signed_and_checked_as_a_file_that_is_brought(
    cast: Cast, mill: CustodyContext, season: Season, key: SigningKey, kind: str
) -> None:
    holder, number = cast.person("owner"), named(mill, season, kind)
    shown = shown_of(paper(mill, kind, number).document)
    row, document = document_to_sign(mill, kind, number, shown, holder=holder)
    assert (row.fingerprint, document) == (key.fingerprint, make(mill, kind, number, mill.today))
    signature = str(sign(document, key, typ=TYPS[kind])["signature"])
    kept = sign_shown(mill, kind, number, shown, signature, holder=holder)
    assert (kept.kind, kept.number, kept.actor) == (kind, number, holder)
    envelope = paper(mill, kind, number).envelope
    assert envelope == {"document": document, "signature": signature}
    assert check(envelope, {key.fingerprint: PublicKey.from_jwk(row.public)}, typ=TYPS[kind]).valid
    assert LogRow.objects.filter(deed="keep signed document", about=number).count() == 1
    with pytest.raises(ProblemsError, match="signed already"):
        sign_shown(mill, kind, number, shown, signature, holder=holder)


def test_a_sale_taken_back_after_it_was_read_is_refused_as_the_command_refuses_it(
    cast: Cast, mill: CustodyContext, season: Season, key: SigningKey
) -> None:
    shown = shown_of(paper(mill, TRANSFER, season.sale).document)
    back = ev("correct", "correct-1", mill.today.isoformat(), entity=mill.id, movement=season.sale, reason="error")
    assert post(SqlStore(BY), read_event(back)).status.well
    with pytest.raises(ProblemsError, match="was taken back by"):
        document_to_sign(mill, TRANSFER, season.sale, shown, holder=cast.person("owner"))
    with pytest.raises(ProblemsError):
        document_to_sign(mill, PERIOD, f"{mill.id}/{season.open}", shown, holder=cast.person("owner"))
    assert not SignedDocument.objects.exists()


def test_the_key_signs_for_its_holder_alone_and_not_once_it_is_replaced(
    cast: Cast, mill: CustodyContext, season: Season, key: SigningKey
) -> None:
    shown = shown_of(paper(mill, TRANSFER, season.sale).document)
    with pytest.raises(ProblemsError) as refused:
        document_to_sign(mill, TRANSFER, season.sale, shown, holder=cast.person("writer"))
    assert refused.value.problems[0].code == "no_key"
    KEYS.register(
        cast.mill,
        SigningKey.generate().public.jwk,
        reason="moved to a card",
        today=mill.today,
        actor=cast.actor("owner"),
    )
    with pytest.raises(ProblemsError) as refused:
        document_to_sign(mill, TRANSFER, season.sale, shown, holder=cast.person("owner"))
    assert refused.value.problems[0].code == "no_key", "the key in use lies on another machine"
    assert PartyKey.objects.count() == 2


def test_another_partys_sale_is_none_of_ours(cast: Cast, mill: CustodyContext, season: Season, key: SigningKey) -> None:
    shown = shown_of(paper(mill, TRANSFER, season.sale).document)
    with pytest.raises(ProblemsError, match="no such document"):
        document_to_sign(mill, TRANSFER, season.delivery, shown, holder=cast.person("owner"))


@pytest.mark.parametrize("days", [-1, 1])
def test_nobody_signs_for_another_day(
    cast: Cast, mill: CustodyContext, season: Season, key: SigningKey, days: int
) -> None:
    other = make(mill, TRANSFER, season.sale, mill.today + timedelta(days=days))
    with pytest.raises(ProblemsError) as refused:
        document_to_sign(mill, TRANSFER, season.sale, shown_of(other), holder=cast.person("owner"))
    assert refused.value.problems[0].code == "other_document"
