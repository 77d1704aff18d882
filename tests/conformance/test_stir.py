"""STIR against published values, exact products and the official services' rotations."""

from fractions import Fraction
from typing import Any, Final

from provender.catalog.operations import find_operation
from provender.exact import parse, show
from provender.practices.stir import Tool, of_list, of_pass
from tests.conformance.kit import differences

PLACES: Final = 4
# Where the WEPS service holds a coarser value (33 and 35) than the first row of the name.
ROUNDER_IN_WEPS: Final = {"chisel, st. pt. 5 in deep", "chisel, st. pt. 5 in deep, coil tine har"}


def whole(text: str | None) -> int | None:
    return None if text is None else parse(text)


def of_input(asked: dict[str, Any]) -> str | None:
    tools = tuple(
        Tool(one["tillage_type"], whole(one["depth_in"]), whole(one["surface_pct"])) for one in asked["tools"]
    )
    found = of_pass(None, speed_mph=whole(asked["speed_mph"]), tools=tools).value
    return None if found is None else show(found, PLACES, places=PLACES)


def rotation(asked: dict[str, Any]) -> dict[str, str]:
    """Add up a rotation by our list; an operation that the printout leaves out is not in it."""
    total = Fraction(0)
    for one in asked["operations"]:
        listed = find_operation(one["operation"])
        if one["stir"] is None:
            assert listed is None, one
            continue
        assert listed is not None, one
        value = Fraction(of_list(listed).value or 0, 10**PLACES)
        coarser = asked["service"].startswith("WEPS") and one["operation"].lower() in ROUNDER_IN_WEPS
        assert coarser or abs(value - Fraction(one["stir"])) <= Fraction(5, 1000), one
        total += Fraction(one["stir"]) if coarser else value
    yearly = {"annual": str(float(total / asked["years"]))} if "CSIP" in asked["service"] else {}
    return {"sum": str(float(total)), **yearly}


def test_the_published_value_of_every_operation_of_one_tool_is_met() -> None:
    assert differences("stir/published", of_input) == []


def test_products_are_exact_and_rounded_once_and_unknown_parts_leave_them_unknown() -> None:
    assert differences("stir/passes", of_input) == []


def test_the_sum_of_a_rotation_is_the_official_service_s() -> None:
    assert differences("stir/rotations", rotation) == []
