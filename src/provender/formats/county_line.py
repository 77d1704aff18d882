"""A field against the county outlines: does it reach into a second county, or lie outside the one it names?

A unit lies in one county, because the calculator's values change at the line (interpretation 32). The outlines are
coarse, so every answer is a question to a person, never a refusal.
"""

from shapely.geometry.base import BaseGeometry

from provender.catalog.counties import find_county
from provender.catalog.county_outlines import county_of_point, outlines
from provender.formats.parsed import doubt
from provender.problem import Place, Problem


def county_doubts(shape: BaseGeometry, unit_id: str, stated: str, place: Place) -> list[Problem]:
    """Ask where a field crosses a county line, and where its stated county is not near it.

    Args:
        shape: the field in degrees of longitude and latitude.
        unit_id: its name.
        stated: five-digit FIPS code the book gives, or empty where it gives none.
        place: where the field came from.

    Returns:
        No problem, or one or two that a person confirms.
    """
    middle = shape.representative_point()
    found = county_of_point(middle.x, middle.y)
    around = tuple(code for code in (found.fips, *found.near) if code is not None)
    shares = {code: round(100 * outlines()[code].intersection(shape).area / shape.area) for code in around}
    crossed = [f"{_name(code)} ({share} %)" for code, share in shares.items() if share]
    problems = []
    if len(crossed) > 1:
        cause = f"{unit_id}: by coarse outlines the boundary lies in {' and '.join(crossed)}."
        remedy = "A unit lies in one county: split it at the line, with the acres and bushels of each part, or confirm."
        problems.append(doubt(place, cause, remedy, "two_counties"))
    if stated and around and stated not in around:
        cause = f"{unit_id}: the book says {_name(stated)}, the boundary lies in {_name(around[0])}."
        problems.append(doubt(place, cause, "Correct county_fips of the unit, or the boundary.", "other_county"))
    return problems


def _name(fips: str) -> str:
    county = find_county(fips)
    return f"county {fips}" if county is None else f"{county.name}, {county.state}"
