"""The smaller tables of the catalogue: every row read, found by name, with what is unverified kept in sight."""

import pytest

from provender.catalog.fertilizers import find_product, inhibitors, inhibitors_frame, products, products_frame
from provender.catalog.names import lookup_name
from provender.catalog.plants import (
    BUSHEL_LB,
    CropUse,
    crop_use,
    find_species,
    published_credits,
    species,
    species_frame,
)
from provender.catalog.tables import rows
from provender.records.kind import KINDS
from provender.rule.crops import Crop


def test_every_fertilizer_is_read_and_its_nitrogen_is_synthetic_or_not() -> None:
    names = [row["product"] for row in rows("fertilizer_products.csv")]
    assert all(find_product(name.upper()) for name in names)
    frame = products_frame()
    assert frame["product_key"].n_unique() == frame.height > len(products())
    assert set(products()) < set(frame["product_key"]), "names of several products stand beside those of one"
    assert frame["n_pct"].null_count() == 0


@pytest.mark.parametrize("name", ["MAP", "dap", "10-34-0", "ats", "AMS", "uan28", "anhydrous"])
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
    assert inhibitors()[lookup_name(name)].counts is counts
    frame = inhibitors_frame()
    assert frame.filter(frame["inhibitor_key"] == lookup_name(name))["counts"].to_list() == [counts]


def test_every_species_is_found_by_its_name_and_by_the_name_turned_round() -> None:
    for row in rows("cover_crop_species.csv"):
        found = find_species(row["species"].lower())
        assert found is not None
        assert found.legume is (row["family"] == "Pea family")
    assert find_species("winter barley") == find_species("Barley, Winter")
    assert species_frame().height == len(species())


def test_only_checked_legumes_with_a_figure_are_published() -> None:
    published = published_credits()
    assert all(figure in published for figure in ("Hairy vetch 30;", "Red clover or mature alfalfa stand 50-100."))
    assert not any(word in published for word in ("Brassica", "green manure", "forage stand", "not guaranteed"))
    assert KINDS["nutrient_budget"].fields["legume_n_lb_per_ac"].help == published


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


def test_a_name_of_several_products_has_no_grade_of_one_of_them() -> None:
    named = {row["product_key"]: row for row in products_frame().to_dicts()}
    assert find_product("UAN") is None
    assert find_product("potash") is None
    assert "uan" not in named, "28, 30 or 32: nobody said"
    assert (named["potash"]["n_pct"], named["potash"]["p2o5_pct"]) == (0, 0)
    assert named["potash"]["product_synthetic_n"] is False
    assert named["potash"]["k2o_pct"] is None, "chloride or sulfate: nobody said"
