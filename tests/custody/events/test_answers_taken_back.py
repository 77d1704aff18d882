"""A buyer's answer that was entered in error is taken back; the sale is on its way again and is answered anew."""

import pytest

from provender.custody.model.store_view import Store
from tests.custody.first_sale import BUY, SELL, TAKE, base, line
from tests.custody.world import ADA_SOY, Event, ev, posted, run, serials, status

SENT_BACK = ev("reject", "j", "2026-01-12", taker="crush", giver="coop", movement="v", site="north")
GIVEN_BACK = ev("return", "g", "2026-01-12", giver="crush", taker="coop", movement="v", amount="100", site="north")
AGAIN = {**TAKE, "id": "again", "day": "2026-01-14"}


def back(name: str, movement: str, day: str = "2026-01-13", who: str = "crush") -> Event:
    return ev("correct", name, day, entity=who, movement=movement, reason="entered for another delivery")


@pytest.mark.parametrize("answer", [TAKE, SENT_BACK, GIVEN_BACK], ids=lambda one: str(one["type"]))
def test_a_sale_whose_answer_was_taken_back_is_accepted_whole(store: Store, answer: Event) -> None:
    posted(store, [*base(), *BUY, SELL, answer, back("k", answer["id"]), AGAIN])
    with store.reading() as facts:
        assert {lot.by for lot in facts.lots_at(ADA_SOY, 0, 600_000)} == {"again"}
        crush, coop = line(facts, "crush", 5000), line(facts, "coop", 5000)
        assert (crush.ending, coop.ending) == (600_000, 400_000)
    assert status(store, {**AGAIN, "id": "once more"}) == "already_answered"


def test_a_sale_taken_back_in_error_is_on_its_way_again(store: Store) -> None:
    twice = [back("k", "v", "2026-01-11", "coop"), back("k2", "k", "2026-01-12", "coop")]
    posted(store, [*base(), *BUY, SELL, *twice, AGAIN])
    with store.reading() as facts:
        assert line(facts, "crush", 5000).ending == 600_000


@pytest.mark.parametrize(
    "after",
    [
        ev("reject", "z", "2026-01-14", taker="crush", giver="coop", movement="v", site="north"),
        ev("return", "z", "2026-01-14", giver="crush", taker="coop", movement="v", site="north"),
        ev("return", "z", "2026-01-14", giver="crush", taker="coop", movement="v", lots=[serials(ADA_SOY, 0, 600)],
           site="north"),
        back("z", "v", "2026-01-14", "coop"),
    ],
    ids=["reject", "return", "return lots", "correct"],
)  # fmt: skip
def test_a_sale_whose_acceptance_was_taken_back_may_come_back_to_its_seller(store: Store, after: Event) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE, back("k", "a"), after])
    with store.reading() as facts:
        assert line(facts, "coop", 5000).ending == 1_000_000
        assert line(facts, "crush", 5000).ending == 0


def test_what_is_on_its_way_by_one_sale_is_not_accepted_as_another(store: Store) -> None:
    more = {**SELL, "id": "w", "bushels": "100"}
    posted(store, [*base(), *BUY, SELL, TAKE, more, back("k", "a"), {**AGAIN, "movement": "w"}])
    answers = run(store, [{**AGAIN, "id": "w2", "movement": "w"}, {**AGAIN, "id": "v2"}])
    assert [one.status for one in answers] == ["already_answered", "posted"]
    with store.reading() as facts:
        assert line(facts, "crush", 5000).ending == 700_000


def test_the_day_of_a_new_answer_is_not_before_the_old_one_was_taken_back(store: Store) -> None:
    posted(store, [*base(), *BUY, SELL, TAKE, back("k", "a")])
    assert status(store, {**AGAIN, "day": "2026-01-12"}) == "not_held_yet"
    assert status(store, {**AGAIN, "day": "2026-01-13"}) == "posted"
