"""A unit lies in one county: a boundary across the line, or far from the county it names, asks a person."""

import shapely

from provender.catalog.county_outlines import outlines
from provender.formats.boundaries import county_doubts
from provender.problem import Place, Weight

SHAWNEE, JASPER = "20177", "19099"
HERE = Place("fields.geojson", row=1)


def square(x: float, y: float, half: float = 0.002) -> shapely.Polygon:
    return shapely.box(x - half, y - half, x + half, y + half)


def on_the_line() -> shapely.Polygon:
    """Return a square about a point on the line between Shawnee and Wabaunsee, Kansas."""
    line = outlines()[SHAWNEE].intersection(outlines()["20197"])
    middle = (
        line.interpolate(0.5, normalized=True)
        if line.geom_type == "LineString"
        else shapely.line_merge(line).interpolate(0.5, normalized=True)
    )
    return square(middle.x, middle.y)


def test_a_field_well_inside_its_county_asks_nothing() -> None:
    middle = outlines()[SHAWNEE].representative_point()
    assert county_doubts(square(middle.x, middle.y), "N40", SHAWNEE, HERE) == []
    assert county_doubts(square(middle.x, middle.y), "N40", "", HERE) == []


def test_a_field_across_the_line_asks_and_names_both_counties() -> None:
    (problem,) = county_doubts(on_the_line(), "N40", SHAWNEE, HERE)
    assert (problem.code, problem.weight, problem.place) == ("two_counties", Weight.CONFIRM, HERE)
    assert "Shawnee" in problem.cause
    assert "Wabaunsee" in problem.cause
    assert "split" in problem.remedy


def test_a_field_far_from_the_county_it_names_asks() -> None:
    middle = outlines()[SHAWNEE].representative_point()
    (problem,) = county_doubts(square(middle.x, middle.y), "N40", JASPER, HERE)
    assert problem.code == "other_county"
    assert "Jasper" in problem.cause


def test_a_field_outside_every_outline_asks_nothing() -> None:
    assert county_doubts(square(0, 0), "N40", SHAWNEE, HERE) == []
