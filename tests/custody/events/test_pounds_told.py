"""What the paper of a holder may say of pounds: which way they were rounded, and nothing that makes product."""

import json
from datetime import date

import pytest

from provender.custody.documents.sign import sign_document
from provender.custody.events.corrections import ReturnEvent
from provender.custody.events.registry import read_event
from provender.custody.events.trade import with_pounds_told
from provender.custody.memory_store import MemoryStore
from provender.custody.model.lots import Lot, LotState, Piece, whole
from provender.custody.store import post
from provender.signing.canonical import canonical_json
from tests.custody.papers import key_of
from tests.custody.queries.test_own_books import book
from tests.custody.queries.test_papers_between_others import OIL, pins
from tests.custody.world import ADA_SOY, posted

DAY = date(2026, 2, 10)


def piece(product: int) -> Piece:
    """Return ten bushels of oil at eleven pounds each, of which so much is supposed to be there."""
    oil = ("fuel", "fuel", "", "soybean_oil", product, 11_000_000, 500_000, LotState.HELD)
    return whole(Lot("o1/1", "", "O", "soybeans", 2025, 0, 10_000, *oil, DAY, DAY, DAY, "mill", "", "o1"))


def returned(pounds: str, signer: str = "fuel") -> ReturnEvent:
    row = {"origin": "O", "start": "0", "stop": "10", "product_lb": pounds}
    paper = json.dumps({"document": {"seller": {"id": signer}, "spans": [row]}})
    event = {"type": "return", "id": "r", "day": DAY.isoformat(), "giver": "fuel", "taker": "mill", "movement": "o1"}
    found = read_event({**event, "paper": paper})
    assert isinstance(found, ReturnEvent)
    return found


@pytest.mark.parametrize(
    ("supposed", "said", "booked"),
    [
        (109_995, "110", 110_000),
        (110_000, "110", 110_000),
        (110_000, "110.001", 110_000),  # beyond what ten bushels give
        (109_990, "109.5", 109_500),  # less is less
        (50_000, "110", 50_012),  # a campaign that was trued up had taken it: a paper does not bring it back
        (50_000, "50.013", 50_012),
        (50_000, "50.012", 50_012),
    ],
)
def test_pounds_move_by_a_rounding_and_no_further(supposed: int, said: str, booked: int) -> None:
    facts = MemoryStore("mill")
    ((_, change),) = with_pounds_told(facts, returned(said), [(piece(supposed), {})], {"fuel"})
    assert change == {"product": booked}


@pytest.mark.parametrize(
    ("owner", "signer"), [("", "fuel"), ("fuel", "fuel"), ("mill", "verity")],
    ids=["a book of all", "the holder's own", "a verifier's paper"],
)  # fmt: skip
def test_where_nothing_is_out_of_sight_or_nobody_knows_the_book_says_the_pounds(owner: str, signer: str) -> None:
    facts = MemoryStore(owner)
    ((_, change),) = with_pounds_told(facts, returned("110", signer), [(piece(109_995), {})], {"fuel"})
    assert change == {}


@pytest.mark.parametrize("pounds", ["-1", "much", "", None, [], {}, True, 1.5])
def test_a_signed_paper_whose_pounds_say_nothing_is_refused_in_words(pounds: object) -> None:
    mill = book("mill", *OIL)
    mill.owner = "mill"
    posted(mill, pins("mill", "fuel"))
    parties = {"seller": {"id": "fuel", "name": "Fuel"}, "buyer": {"id": "mill", "name": "Mill"}}
    row = {"origin": ADA_SOY, "start": "0", "stop": "835.052", "product_lb": pounds}
    said = {"type": "custody-consent", "format": 1, "number": "r", "made_on": DAY.isoformat(), **parties,
            "day": DAY.isoformat(), "act": "return", "words": "", "movement": "o1", "spans": [row]}  # fmt: skip
    if isinstance(pounds, float):  # canonical JSON has no fractions: it stands unsigned
        paper = json.dumps({"document": said, "signature": ""})
    else:
        paper = canonical_json(sign_document(said, key_of("fuel"))).decode()
    event = {"type": "return", "id": "r", "day": DAY.isoformat(), "giver": "fuel", "taker": "mill", "movement": "o1",
             "site": "mill", "lots": [{"origin": ADA_SOY, "start": "0", "stop": "835.052"}]}  # fmt: skip
    answer = post(mill, read_event({**event, "paper": paper}))
    assert answer.status == "paper_not_shown"
    assert mill.posted("r") is None
