"""Counties by code and by point."""

from random import Random

import pytest
from shapely import Point

from provender.catalog.county_outlines import county_features, county_of_point, outlines, outlines_near
from provender.catalog.places import STATE_BY_FIPS, counties, county_said, find_county


def test_every_county_lies_in_the_state_of_its_code_and_is_found_by_it() -> None:
    assert len(counties()) == 3230
    assert all(STATE_BY_FIPS[code[:2]] == one.state for code, one in counties().items())
    story = find_county("19169")
    assert story is not None
    assert (story.name, story.state, story.long_name) == ("Story", "IA", "Story County")
    assert find_county("99999") is None
    assert (county_said("19169"), county_said("99999")) == ("Story County, Iowa", "99999")


def test_a_point_well_inside_a_county_is_sure_one_near_the_line_names_the_neighbour_and_one_at_sea_none() -> None:
    inside = county_of_point(-93.46, 42.03)
    assert (inside.fips, inside.near, inside.sure) == ("19169", (), True)
    border = county_of_point(-93.69, 42.03)
    assert (border.fips, border.near, border.sure) == ("19169", ("19015",), False)
    at_sea = county_of_point(-30.0, 30.0)
    assert (at_sea.fips, at_sea.near, at_sea.sure) == (None, (), False)


@pytest.mark.parametrize(("longitude", "latitude"), [(42.0, -93.0), (181.0, 0.0), (float("nan"), 42.0)])
def test_numbers_that_are_no_point_on_the_globe_are_refused(longitude: float, latitude: float) -> None:
    with pytest.raises(ValueError, match="no longitude and latitude"):
        county_of_point(longitude, latitude)


def test_outlines_are_those_of_the_counties_of_2024_and_become_map_features() -> None:
    current = {code for code, one in counties().items() if one.vintage == 2024}
    assert set(outlines()) == current
    features = county_features(["19169", "00000"])["features"]
    assert [feature["id"] for feature in features] == ["19169"]
    assert features[0]["geometry"]["type"] == "Polygon"


def test_a_point_asks_for_the_counties_around_it_alone_and_finds_what_all_of_them_give() -> None:
    rng, whole = Random(5), outlines()
    points = [(rng.uniform(-106, -82), rng.uniform(36, 48)) for _ in range(60)]
    for longitude, latitude in points:
        found = outlines_near(longitude, latitude)
        holding = {code for code, outline in whole.items() if outline.covers(Point(longitude, latitude))}
        assert holding <= set(found)
        assert len(found) < 20, "the plains have no county that many border on"
        assert county_of_point(longitude, latitude).fips in {None, *holding}
    assert sum(county_of_point(*point).fips is not None for point in points) > 50
