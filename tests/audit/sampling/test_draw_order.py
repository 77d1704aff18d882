"""Who is drawn is decided by SHA-256 alone, and with the chance that is documented."""

from collections import Counter
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import sqrt

import pytest

from provender.audit.sampling.draw_order import NEVER, RECALL_ONE_IN, Queue, line, recalled, ticket


def test_a_ticket_is_the_hash_of_seed_line_feed_and_farm() -> None:
    assert ticket("42", "F001") == int(sha256(b"42\nF001").hexdigest(), 16)
    assert ticket("42", "Höfe") == int(sha256("42\nHöfe".encode()).hexdigest(), 16)


def test_a_recall_is_one_in_sixty_four_of_all_farms() -> None:
    hits = sum(recalled("seed 20261121", f"F{number}") for number in range(64_000))
    assert abs(hits - 1000) < 5 * sqrt(1000)


def test_farms_never_seen_stand_first_then_those_seen_longest_ago() -> None:
    seen = {"c": 2025, "d": 2023, "e": 2024}
    seed = next(str(n) for n in range(100) if not any(recalled(str(n), farm) for farm in seen))
    order = line("abcde", seed, seen)
    assert set(order[:2]) == {"a", "b"}
    assert order[2:] == ["d", "e", "c"]


def test_a_recalled_farm_stands_in_front_by_its_ticket() -> None:
    seed = next(str(n) for n in range(10_000) if recalled(str(n), "b") and ticket(str(n), "b") < ticket(str(n), "a"))
    assert line(("a", "b"), seed, {"b": 2025}) == ["b", "a"]


def by_hand(draw: int, never: int, years: dict[int, int], year: int) -> Fraction:
    """Sum over all recalls: the plain reading of the rule of the line."""
    others = [other for other, count in years.items() for _ in range(count - (other == year))]
    total = Fraction(0)
    for me, *them in product((True, False), repeat=1 + len(others)):
        if year == NEVER and me:
            continue
        odds = Fraction(1)
        for up in ([] if year == NEVER else [me]) + them:
            odds *= Fraction(1, RECALL_ONE_IN) if up else Fraction(RECALL_ONE_IN - 1, RECALL_ONE_IN)
        mine = NEVER if me else year
        places = [NEVER] * (never - (year == NEVER)) + [
            NEVER if up else other for other, up in zip(others, them, strict=True)
        ]
        ahead, same = sum(place < mine for place in places), 1 + sum(place == mine for place in places)
        total += odds * max(Fraction(0), min(Fraction(1), Fraction(draw - ahead, same)))
    return total


@pytest.mark.parametrize("draw", [1, 2, 3, 5])
@pytest.mark.parametrize("never", [0, 1, 4])
def test_the_chance_is_the_sum_over_all_recalls(draw: int, never: int) -> None:
    years = {2023: 2, 2025: 3}
    queue = Queue(draw, never, tuple(years.items()))
    for year in [NEVER, *years] if never else years:
        assert queue.chance(year) == by_hand(draw, never, years, year)


@pytest.mark.parametrize("draw", range(1, 8))
def test_the_chances_of_all_farms_add_up_to_the_farms_drawn(draw: int) -> None:
    queue = Queue(draw, 3, ((2023, 2), (2025, 3)))
    assert 3 * queue.chance() + 2 * queue.chance(2023) + 3 * queue.chance(2025) == min(draw, 8)


def test_without_earlier_audits_every_farm_has_the_same_chance() -> None:
    assert Queue(8, 51, ()).chance() == Fraction(8, 51)


def test_a_farm_seen_last_year_is_unlikely_and_not_impossible() -> None:
    chance = Queue(2, 10, ((2025, 3),)).chance(2025)
    assert 0 < chance < Queue(2, 10, ((2025, 3),)).chance() / 50


def test_a_chance_is_asked_only_for_years_that_occur() -> None:
    with pytest.raises(KeyError):
        Queue(1, 0, ((2025, 1),)).chance()
    with pytest.raises(KeyError):
        Queue(1, 1, ((2025, 1),)).chance(2024)


def test_over_many_seeds_every_farm_is_drawn_as_often_as_documented() -> None:
    seen = {"p1": 2024, "p2": 2025, "p3": 2025}
    farms = ["n1", "n2", "n3", *seen]
    queue, seeds = Queue.of(farms, 4, seen), 6000
    hits = Counter(farm for seed in range(seeds) for farm in line(farms, f"trial {seed}", seen)[:4])
    for farm in farms:
        chance = float(queue.chance(seen.get(farm, NEVER)))
        assert abs(hits[farm] - seeds * chance) <= 4.5 * sqrt(seeds * chance * (1 - chance)) + 1, farm
