"""Like farms stand together, the number drawn is shared fairly, and every crop is seen."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.audit.sampling.population import freeze, minimum_farms
from provender.audit.sampling.risk import assess
from provender.audit.sampling.strata import share, stratify
from tests.audit.farms import COUNTIES, alike, farm, mixed


def largest_remainder(draw: int, sizes: dict[str, int]) -> dict[str, int]:
    """Share by Hamilton's rule: whole parts first, then the largest remainders, ties by name."""
    total = sum(sizes.values())
    quotas = {name: Fraction(draw * size, total) for name, size in sizes.items()}
    shares = {name: int(quota) for name, quota in quotas.items()}
    rest = draw - sum(shares.values())
    for name in sorted(quotas, key=lambda one: (shares[one] - quotas[one], one))[:rest]:
        shares[name] += 1
    return shares


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.integers(1, 60))
def test_shares_are_largest_remainder_wherever_that_gives_each_group_one(sizes: list[int], draw: int) -> None:
    named = {f"g{number}": size for number, size in enumerate(sizes)}
    expected = largest_remainder(draw, named)
    if draw > sum(sizes) or min(expected.values()) < 1:
        return
    assert share(draw, named, named) == expected


@given(st.lists(st.integers(1, 40), min_size=1, max_size=6), st.data())
def test_shares_add_up_and_keep_to_floor_and_room(sizes: list[int], data: st.DataObject) -> None:
    named = {f"g{number}": size for number, size in enumerate(sizes)}
    most = {name: data.draw(st.integers(1, size)) for name, size in named.items()}
    draw = data.draw(st.integers(len(sizes), sum(most.values())))
    shares = share(draw, named, most)
    assert sum(shares.values()) == draw
    assert all(1 <= shares[name] <= most[name] for name in named)


def test_more_groups_than_farms_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot share"):
        share(1, {"a": 3, "b": 3}, {"a": 3, "b": 3})


@given(st.integers(1, 150), st.integers(0, 10**6), st.integers(1, 9), st.floats(0, 1))
def test_strata_hold_every_farm_once_and_draw_the_minimum(farms: int, seed: int, two: int, part: float) -> None:
    population = mixed(farms, seed, two)
    seen = frozenset(one.farm_id for one in population.farms[: int(part * farms)])
    draw = minimum_farms(farms)
    strata = stratify(population, assess(population), draw, seen)
    assert sorted(one.farm_id for each in strata for one in each.farms) == [one.farm_id for one in population.farms]
    assert all(1 <= each.draw <= len(each.farms) for each in strata)
    crops = len({each.traits["crop"] for each in strata})
    assert sum(each.draw for each in strata) == max(draw, crops)
    assert crops <= 3 or sum(each.draw for each in strata) >= crops


@given(st.integers(1, 80), st.integers(0, 10**6), st.integers(1, 9))
def test_whichever_farms_of_the_strata_are_drawn_every_crop_is_seen(farms: int, seed: int, two: int) -> None:
    population = mixed(farms, seed, two)
    strata = stratify(population, assess(population), minimum_farms(farms))
    groups = {each.traits["crop"] for each in strata}
    for crop in {row.crop for row in population.rows}:
        suppliers = population.suppliers(crop)
        sure = [all(one.farm_id in suppliers for one in each.farms) for each in strata]
        assert any(sure), (crop, groups)


def test_like_farms_make_one_stratum() -> None:
    population = alike(51)
    (stratum,) = stratify(population, assess(population), 8)
    assert (stratum.draw, len(stratum.farms)) == (8, 51)
    assert stratum.name == "crop corn, risk low, size small, state 19, county 19153"


def test_a_farm_with_two_crops_stands_with_the_rarer_one() -> None:
    population = freeze([*(farm(f"c{n}") for n in range(8)), farm("both"), farm("both", "sorghum")])
    strata = stratify(population, assess(population), 4)
    (sorghum,) = (each for each in strata if each.traits["crop"] == "sorghum")
    assert [one.farm_id for one in sorghum.farms] == ["both"]


def test_where_the_rarest_crop_would_hide_another_the_set_of_crops_is_the_group() -> None:
    pairs = [("a", "soybeans"), ("a", "sorghum"), ("b", "soybeans"), ("b", "corn"), ("c", "corn"), ("c", "sorghum")]
    strata = stratify(population := freeze(farm(*pair) for pair in pairs), assess(population), 2)
    groups = ["corn and sorghum", "corn and soybeans", "sorghum and soybeans"]
    assert [(each.traits["crop"], each.draw) for each in strata] == [(group, 1) for group in groups]


def test_three_crops_of_three_farms_push_the_sample_above_the_minimum() -> None:
    population = freeze([farm("a"), farm("b", "soybeans"), farm("c", "sorghum")])
    assert sum(each.draw for each in stratify(population, assess(population), 2)) == 3


def test_risk_divides_before_size() -> None:
    rows = [farm(f"f{n:02}", acres=100 + n, bushels=190 * (100 + n) * (2 if n == 7 else 1)) for n in range(9)]
    population = freeze(rows)
    strata = stratify(population, assess(population), 3)
    assert [(each.traits["risk"], each.draw) for each in strata] == [("elevated", 1), ("low", 2)]


def test_size_divides_before_place() -> None:
    rows = [farm(f"f{n:02}", acres=10 + n, county=COUNTIES[n % 4]) for n in range(25)]
    population = freeze(rows)
    strata = stratify(population, assess(population), 5)
    assert {each.traits.get("size") for each in strata} == {"small", "middle", "large"}
    assert not any("county" in each.traits for each in strata)


def test_detail_never_forces_a_farm_to_be_visited_again() -> None:
    rows = [farm(f"f{n:02}", acres=100 + 900 * (n == 0)) for n in range(9)]
    population = freeze(rows)
    risks = assess(population)
    assert len({each.traits.get("size") for each in stratify(population, risks, 3)}) == 2
    repeated = stratify(population, risks, 3, frozenset({"f00"}))
    assert all("size" not in each.traits for each in repeated)


def test_a_crop_draws_farms_not_seen_before_while_others_can_take_the_rest() -> None:
    rows = [*(farm(f"c{n}") for n in range(8)), *(farm(f"s{n}", "soybeans") for n in range(8))]
    population = freeze(rows)
    seen = frozenset(f"s{n}" for n in range(7))
    strata = stratify(population, assess(population), 4, seen)
    assert {each.traits["crop"]: each.draw for each in strata} == {"corn": 3, "soybeans": 1}
