"""The smaller tables of the catalogue: every row read, found by name, with what is unverified kept in sight."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provender.catalog.cover_crops import find_species, species, species_frame
from provender.catalog.crops import BUSHEL_LB, CropUse, crop_use
from provender.catalog.emergence import (
    DayTemperature,
    EmergenceBand,
    degree_days,
    emergence_of,
    emergence_sums,
    likely_emergence,
)
from provender.catalog.fertilizers import find_product, products, products_frame
from provender.catalog.inhibitors import inhibitors, inhibitors_frame
from provender.catalog.legume_credits import legume_credit, legume_credits
from provender.catalog.names import fold
from provender.catalog.removals import removal, removals, removals_of
from provender.catalog.spans import Span, span
from provender.catalog.tables import rows
from provender.rule.crops import Crop


@pytest.mark.parametrize(
    ("cell", "found"),
    [
        ("0.37", Span(370, 370)),
        ("0.25-0.33", Span(250, 330)),
        ("50 - 100", Span(50_000, 100_000)),
        ("", None),
        ("not guaranteed to reach 40", None),
    ],
)
def test_a_figure_is_one_number_or_a_range_and_words_are_none(cell: str, found: Span | None) -> None:
    assert span(cell) == found


def test_every_fertilizer_is_read_and_its_nitrogen_is_synthetic_or_not() -> None:
    names = [row["product"] for row in rows("fertilizer_products.csv")]
    assert all(find_product(name.upper()) for name in names)
    frame = products_frame()
    assert frame["product_key"].n_unique() == frame.height == len(products())
    assert frame["n_pct"].null_count() == 0


@pytest.mark.parametrize("name", ["MAP", "dap", "10-34-0", "ats", "AMS", "uan", "anhydrous"])
def test_nitrogen_in_phosphorus_and_sulfur_products_is_synthetic_nitrogen(name: str) -> None:
    found = find_product(name)
    assert found is not None
    assert found.product_synthetic_n
    assert found.n_pct > 0


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("N-Serve", True),
        ("nitrapyrin", True),
        ("dcd", True),
        ("Centuro", True),
        ("SuperU", True),
        ("NBPT", False),
        ("Agrotain", False),
        ("anvol", False),
        ("DMPP", None),
    ],
)
def test_a_urease_inhibitor_alone_is_no_nitrification_inhibitor_and_an_unsettled_one_is_unknown(
    name: str, counts: bool | None
) -> None:
    assert inhibitors()[fold(name)].counts is counts
    frame = inhibitors_frame()
    assert frame.filter(frame["inhibitor_key"] == fold(name))["counts"].to_list() == [counts]


def test_every_species_is_found_by_its_name_and_by_the_name_turned_round() -> None:
    for row in rows("cover_crop_species.csv"):
        found = find_species(row["species"].lower())
        assert found is not None
        assert found.legume is (row["family"] == "Pea family")
    assert find_species("winter barley") == find_species("Barley, Winter")
    assert species_frame().height == len(species())


def test_removals_of_corn_differ_by_source_and_the_source_is_named() -> None:
    of_corn = removals_of("CORN")
    assert {one.n_lb for one in of_corn} >= {Span(670, 670), Span(900, 900), None}
    michigan = removal("corn", "MSU Extension")
    assert michigan is not None
    assert (michigan.p2o5_lb, michigan.k2o_lb, michigan.checked) == (Span(370, 370), Span(270, 270), True)
    assert removal("corn", "no such source") is None
    assert removals_of("spring canola") == ()


def test_no_removal_without_a_figure_is_offered_and_unverified_ones_say_so() -> None:
    assert len(removals()) == len(rows("npk_removal.csv")) - 1
    doubtful = [one for one in removals() if not one.checked]
    assert all("unverified" in one.status for one in doubtful)
    assert len(doubtful) == 9


def test_legume_credits_keep_ranges_and_words_apart() -> None:
    assert len(legume_credits()) == len(rows("legume_n_credits.csv"))
    (vetch,) = (one for one in legume_credit("hairy vetch") if one.status == "checked")
    assert vetch.n_lb_per_ac == Span(30_000, 30_000)
    (mature,) = legume_credit("mature alfalfa")
    assert mature.n_lb_per_ac == Span(50_000, 100_000)
    assert legume_credit("late-summer")[0].n_lb_per_ac is None
    assert legume_credit("") == ()


def test_bushel_weights_are_known_for_every_crop_of_the_rule() -> None:
    assert set(BUSHEL_LB) == {str(crop) for crop in Crop}


@pytest.mark.parametrize(
    ("crop", "use", "found"),
    [
        ("CORN", "Grain", CropUse("corn", "grain")),
        ("Corn", "", CropUse("corn", "grain")),
        ("corn", "seed", CropUse("seed_corn", "seed")),
        ("corn", "high moisture", CropUse("corn", "high_moisture")),
        ("corn", "silage", CropUse("corn", "silage")),
        ("Popcorn", "", CropUse("popcorn", "other")),
        ("Milo", "grain", CropUse("sorghum", "grain")),
        ("corn", "bioplastic", None),
        ("quinoa", "", None),
    ],
)
def test_crop_and_use_of_other_people_s_reports_become_ours_or_nothing(
    crop: str, use: str, found: CropUse | None
) -> None:
    assert crop_use(crop, use) == found


def test_heat_sums_are_there_for_corn_and_soybeans_and_not_for_sorghum() -> None:
    assert (len(emergence_of("corn")), len(emergence_of("Soybean")), emergence_of("grain sorghum")) == (4, 2, ())


def warm(start: date, days: int, high: int, low: int) -> list[DayTemperature]:
    return [DayTemperature(start + timedelta(days=n), high, low) for n in range(days)]


def test_emergence_lies_between_the_days_of_the_least_and_the_most_heat() -> None:
    corn = emergence_of("corn")[0]
    planted = date(2026, 5, 1)
    # (70 + 50) / 2 - 50 = 10 degrees a day: 90 on the ninth day, 120 on the twelfth.
    weather = warm(date(2026, 4, 1), 60, 70_000, 45_000)
    assert likely_emergence(planted, weather, corn) == EmergenceBand(date(2026, 5, 9), date(2026, 5, 12))
    assert likely_emergence(planted, weather[:40], corn) == EmergenceBand(date(2026, 5, 9), None)
    assert likely_emergence(planted, weather[:38], corn) is None


@given(high=st.integers(-20_000, 120_000), spread=st.integers(0, 50_000))
def test_a_day_never_gives_fewer_than_no_degrees_nor_more_than_the_cap(high: int, spread: int) -> None:
    found = degree_days(DayTemperature(date(2026, 5, 1), high, high - spread), 50_000, 86_000)
    assert 0 <= found <= 36_000


def test_every_heat_sum_names_its_source() -> None:
    assert all(one.source and one.status and one.least <= one.most for one in emergence_sums())
