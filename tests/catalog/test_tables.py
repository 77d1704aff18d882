"""Operations, products, plants and counties: every row read, found by name, with what is unverified kept in sight."""

from random import Random
from typing import Final

import pytest
from shapely import Point

from provender.catalog import materials, places
from provender.catalog.materials import CropUse
from provender.catalog.tables import TRAFFIC_SOURCE, find_operation, lookup_name, operations, rows
from provender.portfolio import frames
from provender.records.kind import KINDS
from provender.rule.crops import Crop


def test_every_fertilizer_is_synthetic_or_not_and_each_crop_has_a_bushel() -> None:
    names = [row["product"] for row in rows("fertilizer_products.csv")]
    assert all(materials.find_product(name.upper()) for name in names)
    frame = frames.products_frame()
    assert frame["product_key"].n_unique() == frame.height > len(materials.products())
    assert set(materials.products()) < set(frame["product_key"]), "names of several products stand beside those of one"
    assert frame["n_pct"].null_count() == 0
    for name in ("MAP", "dap", "10-34-0", "ats", "AMS", "uan28", "anhydrous"):
        found = materials.find_product(name)
        assert found is not None, name
        assert (found.product_synthetic_n, found.n_pct > 0) == (True, True), name
    assert set(materials.BUSHEL_LB) == {str(crop) for crop in Crop}
    assert {said: materials.crop_use(said) for said in USES} == USES


COUNTS: Final = {
    "N-Serve": True, "nitrapyrin": True, "dcd": True, "Centuro": True, "SuperU": True, "NBPT": False, "Agrotain": False,
    "anvol": False, "DMPP": None,
}  # fmt: skip


def test_a_urease_inhibitor_is_none_and_only_checked_legumes_with_a_figure_are_published() -> None:
    assert {name: materials.inhibitors()[lookup_name(name)].counts for name in COUNTS} == COUNTS
    framed = dict(frames.inhibitors_frame().select("inhibitor_key", "counts").iter_rows())
    assert {name: framed[lookup_name(name)] for name in COUNTS} == COUNTS
    published = materials.published_credits()
    assert all(figure in published for figure in ("Hairy vetch 30;", "Red clover or mature alfalfa stand 50-100."))
    assert not any(word in published for word in ("Brassica", "green manure", "forage stand", "not guaranteed"))
    assert KINDS["nutrient_budget"].fields["legume_n_lb_per_ac"].help == published


def test_every_species_is_found_by_its_names_and_a_name_of_several_products_has_no_grade() -> None:
    for row in rows("cover_crop_species.csv"):
        found = materials.find_species(row["species"].lower())
        assert found is not None
        assert found.legume is (row["family"] == "Pea family")
    assert materials.find_species("winter barley") == materials.find_species("Barley, Winter")
    assert frames.species_frame().height == len(materials.species())
    named = {row["product_key"]: row for row in frames.products_frame().to_dicts()}
    assert materials.find_product("UAN") is None
    assert materials.find_product("potash") is None
    assert "uan" not in named, "28, 30 or 32: nobody said"
    assert (named["potash"]["n_pct"], named["potash"]["p2o5_pct"]) == (0, 0)
    assert named["potash"]["product_synthetic_n"] is False
    assert named["potash"]["k2o_pct"] is None, "chloride or sulfate: nobody said"


USES: Final = {
    "CORN": CropUse("corn", "grain"), "Popcorn": CropUse("popcorn", "other"), "seed corn": CropUse("seed_corn", "seed"),
    "Milo": CropUse("sorghum", "grain"), "forage sorghum": CropUse("sorghum", "forage"), "quinoa": None, "": None,
}  # fmt: skip


def test_every_name_of_the_published_list_is_found_in_any_case_and_spacing_and_its_first_row_wins() -> None:
    published = rows("stir_operations.csv")
    assert len(published) == 444
    for row in published:
        found = find_operation(row["operation"])
        assert found is not None
        assert found.published_stir >= 0
    found = find_operation("  drill,  DEEP furrow 12 to 18 in\tspacing ")
    assert found is not None
    assert found.name == "Drill, deep furrow  12 to 18 in spacing"
    found = find_operation("Chisel, twisted shovel")
    assert found is not None
    assert found.source.startswith("NRCS MOSES")
    assert found.published_stir == 455_000
    assert find_operation("disk, tandem secondry op.") is None


def test_every_operation_is_decided_once_with_its_width_and_inversion() -> None:
    decided = [lookup_name(row["operation"]) for row in rows("operation_decisions.csv")]
    assert len(decided) == len(set(decided))
    assert set(decided) == {one.operation_key for one in operations()}
    assert all(one.reason and one.op_group for one in operations())
    found = {name: find_operation(name) for name in FULL_WIDTH}
    assert {name: one and one.full_width for name, one in found.items()} == FULL_WIDTH
    inverting = {one.name for one in operations() if one.primary_inversion}
    assert "Plow, moldboard, conservation" in inverting
    assert "Plow, moldboard" in inverting
    assert all(one.primary_inversion for one in operations() if "moldboard" in one.operation_key)
    assert all(one.primary_inversion for one in operations() if one.tillage_type == "inversion")
    assert not {name for name in inverting if name.startswith(("Chisel plow", "Sweep plow", "Para-plow", "Disk"))}


FULL_WIDTH: Final = {
    "Roller, smooth": False, "Cultipacker, roller": True, "Harrow, rotary": True, "Rotary hoe": True,
    "Aerator, field surface, ground driven 0 degree offset": False,
    "Aerator, field surface, ground driven 5 degree offset": True, "Coulter caddy, with smooth coulters": False,
    "Coulter caddy, w/ fluted coulters": True, "Coulter caddy, dbl gang w/ fluted coulters": True,
    "Reel disk vertical tiller": True, "Cultivator, field 6-12 in sweeps": True, "Disk, tandem light finishing": True,
    "Chisel, st. pt.": True, "Harrow, coiled tine": True,
    "Drill or airseeder, double disk opener, w/ fert openers": False,
    "Drill or air seeder, combo field cult, dd openers": True, "Planter, double disk opnr": False,
    "Fert. applic., strip-till 30 in": False, "Manure injector, liquid high disturb.30 inch": False,
    "Fert. applic. anhyd knife 15 in spacing, coil tine har": True, "Sprayer, post emergence": False,
    "Harvest, killing crop 50pct standing stubble": False, "Roller, crimp, covercrop": False,
}  # fmt: skip


def test_passes_of_our_own_only_drive_over_the_ground_and_the_frame_holds_one_row_per_name() -> None:
    own = [one for one in operations() if one.source == TRAFFIC_SOURCE]
    assert len(own) == len(rows("traffic_operations.csv")) == 27
    assert all(one.published_stir in (0, 1500) and not one.full_width for one in own)
    frame = frames.operations_frame()
    assert frame.height == len(operations()) == frame["operation_key"].n_unique()
    assert frame["published_stir"].to_list() == [one.published_stir for one in operations()]
    assert frame["published_stir"].dtype.is_integer()


def test_recommended_values_lie_between_their_bounds_but_for_the_list_s_own_slips() -> None:
    slips = {
        one.name
        for one in operations()
        for least, usual, most in (
            (one.speed_mph_min, one.speed_mph, one.speed_mph_max),
            (one.depth_in_min, one.depth_in, one.depth_in_max),
        )
        if least is not None and usual is not None and most is not None and not least <= usual <= most
    }
    assert slips == {name for name in slips if name.startswith(("Plastic", "Stalk puller"))}


def test_every_county_lies_in_its_state_and_its_outline_is_that_of_2024() -> None:
    assert len(places.counties()) == 3230
    assert all(places.STATE_BY_FIPS[code[:2]] == one.state for code, one in places.counties().items())
    story = places.find_county("19169")
    assert story is not None
    assert (story.name, story.state, story.long_name) == ("Story", "IA", "Story County")
    assert places.find_county("99999") is None
    assert (places.county_said("19169"), places.county_said("99999")) == ("Story County, Iowa", "99999")
    current = {code for code, one in places.counties().items() if one.vintage == 2024}
    assert set(places.outlines()) == current
    features = places.county_features(["19169", "00000"])["features"]
    assert [feature["id"] for feature in features] == ["19169"]
    assert features[0]["geometry"]["type"] == "Polygon"


def test_a_point_inside_a_county_is_sure_one_near_the_line_names_the_neighbor_and_one_at_sea_none() -> None:
    inside = places.county_of_point(-93.46, 42.03)
    assert (inside.fips, inside.near, inside.sure) == ("19169", (), True)
    border = places.county_of_point(-93.69, 42.03)
    assert (border.fips, border.near, border.sure) == ("19169", ("19015",), False)
    at_sea = places.county_of_point(-30.0, 30.0)
    assert (at_sea.fips, at_sea.near, at_sea.sure) == (None, (), False)
    for longitude, latitude in ((42.0, -93.0), (181.0, 0.0), (float("nan"), 42.0)):
        with pytest.raises(ValueError, match="no longitude and latitude"):
            places.county_of_point(longitude, latitude)


def test_a_point_asks_for_the_counties_around_it_alone_and_finds_what_all_of_them_give() -> None:
    rng, whole = Random(5), places.outlines()
    points = [(rng.uniform(-106, -82), rng.uniform(36, 48)) for _ in range(15)]
    for longitude, latitude in points:
        found = places.outlines_near(longitude, latitude)
        holding = {code for code, outline in whole.items() if outline.covers(Point(longitude, latitude))}
        assert holding <= set(found)
        assert len(found) < 20, "the plains have no county that many border on"
        assert places.county_of_point(longitude, latitude).fips in {None, *holding}
    assert sum(places.county_of_point(*point).fips is not None for point in points) > 12
