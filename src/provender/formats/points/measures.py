"""Exact numbers and areas of logged points: whole millionths, summed without rounding.

More than six decimals, as programs write what they converted, are rounded to six. The area of a point is stated, or its
distance times its width; whether distances are feet or meters is told by how far apart the points lie.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
import polars as pl

from provender.formats.parsed import doubt, listed
from provender.formats.points.layer import Logged, X, Y
from provender.formats.points.when import SECONDS
from provender.formats.units import KINDS_OF_UNIT, UnitError, convert
from provender.formats.yield_columns import ROW
from provender.problem import Problem

DECIMALS: Final = 6
MILLION: Final = 10**DECIMALS
AREA: Final = "area_of_point"
_EARTH_M: Final = 6_371_000
_MOST_LENGTH: Final = 10_000
_MOST_ACRES: Final = 100
_NEAR: Final = {"m": (0.75, 1.35), "ft": (0.23, 0.41), "in": (0.019, 0.034)}
"""Meters between two points over the distance stated, for each unit that it may be in."""
_FEET_IN_ACRE: Final = 43_560
_EXPORT: Final = "Export it with the distance and the width of each point, or with its area."


@dataclass(frozen=True, slots=True)
class Areas:
    """How large each point is.

    Attributes:
        expression: whole numbers, null where nothing tells.
        acres: of one of them.
    """

    expression: pl.Expr
    acres: Fraction


def millionths(role: str, least: int, most: int) -> pl.Expr:
    """Return a column's numbers in whole millionths; null where it has none between the bounds."""
    exact = pl.col(role).str.strip_chars().cast(pl.Decimal(38, DECIMALS), strict=False)
    value = exact.to_physical().cast(pl.Int128)
    return pl.when(value.is_between(least * MILLION, most * MILLION)).then(value)


def areas_of(layer: Logged, frame: pl.DataFrame) -> tuple[Areas | None, list[Problem]]:
    """Return the area of each point, and what is asked of it; None and an error where nothing tells."""
    columns = layer.columns
    area = columns.get("area")
    if area is not None and area.unit in KINDS_OF_UNIT["area"]:
        return Areas(millionths("area", 0, _MOST_ACRES), convert(Fraction(1), area.unit, "acres") / MILLION), []
    if "distance" not in columns or "width" not in columns:
        cause = "the points state neither their area nor both distance and width, so no total can be made of them."
        if area is not None and area.unit:
            cause = f"{area.heading} is no area, and distance and width of the points are not both stated."
        return None, [Problem(layer.place, cause, _EXPORT, code="no_area")]
    problems: list[Problem] = []
    seen = _distance_unit(frame)
    said, width = columns["distance"], columns["width"]
    unit = said.unit or seen or "ft"
    across = width.unit or unit
    guessed = [each.heading for each in (said, width) if not each.told]
    if guessed:
        why = " as the points lie apart" if seen == unit and not said.unit else ""
        cause = f"the file names no unit of {listed(guessed)}; they were read in {_words(unit, across)}{why}."
        problems.append(doubt(layer.place, cause, "Confirm it, or export it with units.", "units_assumed"))
    if seen and seen != unit:
        cause = f"{said.heading} is said to be in {unit}, but the points lie as far apart as {seen} would be."
        problems.append(doubt(layer.place, cause, "Check the unit of distances and widths.", "unit_against_ground"))
    try:
        feet = convert(Fraction(1), unit, "ft") * convert(Fraction(1), across, "ft")
    except UnitError as wrong:
        return None, [*problems, Problem(layer.place, f"{wrong}.", _EXPORT, code="no_area")]
    both = millionths("distance", 0, _MOST_LENGTH) * millionths("width", 0, _MOST_LENGTH)
    return Areas(both, feet / _FEET_IN_ACRE / MILLION**2), problems


def _words(unit: str, across: str) -> str:
    return unit if unit == across else f"{unit} and {across}"


def _distance_unit(frame: pl.DataFrame) -> str:
    """Return the unit in which the stated distances are those between successive points; empty for none.

    Only which unit it is rests on this, so the arithmetic need not be exact.
    """
    moments = frame.unique(SECONDS, keep="first", maintain_order=True) if frame[SECONDS].null_count() == 0 else frame
    x, y = (np.radians(moments[each].cast(pl.Float64).to_numpy()) for each in (X, Y))
    stated = moments["distance"].cast(pl.Float64, strict=False).to_numpy()[1:]
    apart = _EARTH_M * np.hypot(np.diff(x) * np.cos(y[1:]), np.diff(y))
    with np.errstate(all="ignore"):
        ratios = apart / stated
    ratios = ratios[np.isfinite(ratios) & (ratios > 0)]
    if not ratios.size:
        return ""
    middle = float(np.median(ratios))
    return next((unit for unit, (least, most) in _NEAR.items() if least <= middle <= most), "")


def unreadable(layer: Logged, rows: pl.DataFrame, lacks: str) -> list[Problem]:
    """Tell of points that lack what is counted."""
    if rows.is_empty():
        return []
    cause = f"{rows.height} points have no {lacks} that can be read and are not counted, among them row "
    cause += f"{listed(rows[ROW].to_list())}."
    remedy = "Export the layer again, or correct these rows."
    return [Problem(layer.place, cause, remedy, code="unreadable_points")]


def once(layer: Logged, frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Problem]]:
    """Return points without those that repeat another in every column."""
    left = frame.unique([name for name in frame.columns if name != ROW], keep="first", maintain_order=True)
    doubled = frame.height - left.height
    if not doubled:
        return frame, []
    cause = f"{doubled} rows repeat another row in every value; each was counted once."
    return left, [doubt(layer.place, cause, "Check that a card was not exported twice.", "doubled_points")]
