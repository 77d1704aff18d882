"""STIR, the soil tillage intensity rating, of one pass and of one crop interval, each with its working as data.

STIR of a tool = 0.5 x mph x 3.25 x tillage type x depth (in) x surface share (2100.002; NRCS RUSLE2, WEPS), in whole
ten-thousandths, rounded once a pass. Tools of one implement add up at the implement's speed. Where the list prints one
value for several tools that value counts: the part of its deepest gang moves with the recorded depth, the other gangs
keep theirs, and all of them go at the recorded speed. A recorded zero means *not recorded* (interpretation 10).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from provender.catalog.tables import (
    STIR_DENOMINATOR,
    STIR_NUMERATOR,
    TYPE_HUNDREDTHS,
    FieldOperation,
    stir_of_tool,
)
from provender.exact import half_even
from provender.records.kinds.season import OperationTool
from provender.standards.unit import Pass

MOST_SPEED_MPH: Final = 40_000
MOST_DEPTH_IN: Final = 60_000
MOST_SURFACE_PCT: Final = 100_000
"""The most that can be meant; a greater number is a typing error."""
NO_DISTURBANCE: Final = {**TYPE_HUNDREDTHS, "none": 0}
"""Hundredths of each tillage type; a tool that disturbs nothing has none."""


@dataclass(frozen=True)
class PassStir:
    """STIR of one pass, and what it rests on: thousandths, None where the value does not rest on them."""

    value: int | None  # whole ten-thousandths; None where it cannot be computed
    how: str  # ``tools``, ``formula``, ``published``, ``published, scaled by speed`` or ``unknown``
    speed_mph: int | None = None
    depth_in: int | None = None
    surface_pct: int | None = None
    published: int | None = None  # the list's value at the recorded depth and the list's own speed, ten-thousandths
    tools: tuple[OperationTool, ...] = ()  # the recorded tools


def is_below_least(one: Pass, name: str) -> bool:
    """Tell whether a typed speed or depth is below the published least, and no evidence bears it out."""
    value, least = getattr(one.row, name), getattr(one.listed, f"{name}_min", None)
    return bool(value is not None and least is not None and value < least and not one.is_proven)


def is_below_published(one: Pass) -> bool:
    """Tell whether speed or depth of a pass is below the published least without evidence; zero is not recorded."""
    return any(getattr(one.row, name) and is_below_least(one, name) for name in ("speed_mph", "depth_in"))


def recorded(one: Pass, name: str) -> int | None:
    """Return a recorded amount as far as it counts (interpretation 10): not zero, and proven where it is very low."""
    value: int | None = getattr(one.row, name)
    return None if not value or is_below_least(one, name) else value


def of_pass(one: Pass) -> PassStir:
    """Return the STIR of a pass by recorded speed, depth and surface, the list's where none is recorded.

    Recorded tools decide where there are any, and leave the value unknown where one of them is incomplete.
    """
    speed, depth = recorded(one, "speed_mph"), recorded(one, "depth_in")
    if one.tools:
        return _of_tools(speed or (one.listed.speed_mph if one.listed else None), one.tools)
    if one.listed is None:
        return PassStir(None, "unknown")
    return of_listed(one.listed, speed, depth, one.row.surface_pct or None)


def of_list(one: Pass) -> PassStir:
    """Return the STIR of a pass by the list's own values alone, the second reading of interpretation 10.

    The list has no second reading of an implement that it does not know: its recorded tools are the only one.
    """
    return of_pass(one) if one.listed is None else of_listed(one.listed)


def _of_tools(speed_mph: int | None, tools: tuple[OperationTool, ...]) -> PassStir:
    measures = [(one.tillage_type, one.depth_in, one.surface_pct) for one in tools]
    known = [NO_DISTURBANCE[kind] * depth * surface for kind, depth, surface in measures if depth and surface]
    if not speed_mph or len(known) < len(tools):
        return PassStir(None, "unknown", speed_mph, tools=tools)
    value = half_even(STIR_NUMERATOR * speed_mph * sum(known), STIR_DENOMINATOR)
    return PassStir(value, "tools", speed_mph, tools=tools)


def of_listed(
    listed: FieldOperation, speed_mph: int | None = None, depth_in: int | None = None, surface_pct: int | None = None
) -> PassStir:
    """Return the STIR of a listed operation, recorded values in place of the list's where there are any."""
    if listed.type_hundredths is not None and not listed.several_tools:
        speed, depth = speed_mph or listed.speed_mph, depth_in or listed.depth_in
        surface = surface_pct or listed.surface_pct
        if speed is not None and depth is not None and surface is not None:
            value = stir_of_tool(speed, listed.type_hundredths, depth, surface)
            return PassStir(value, "formula", speed, depth, surface)
    at_depth = _published_at(listed, depth_in)
    used = depth_in if at_depth != listed.published_stir else None
    if not speed_mph or not listed.speed_mph:
        return PassStir(at_depth, "published", listed.speed_mph, used, published=at_depth)
    scaled = half_even(at_depth * speed_mph, listed.speed_mph)
    return PassStir(scaled, "published, scaled by speed", speed_mph, used, published=at_depth)


def _published_at(listed: FieldOperation, depth_in: int | None) -> int:
    """Return the published STIR of several tools with the deepest gang at a depth.

    A coulter chisel is published as 52.65 with the chisel, whose part is 45.5, at 7 in: at 14 in it has 98.15.
    """
    if not depth_in or not listed.gang_stir or not listed.depth_in:
        return listed.published_stir
    moved = listed.published_stir * listed.depth_in + listed.gang_stir * (depth_in - listed.depth_in)
    return half_even(moved, listed.depth_in)


def is_logged(one: Pass) -> bool:
    """Tell whether the machine logged all that the value of a pass rests on beside the list.

    No machine logs surface share or tools; an implement that is not listed has nothing but its tools to go by.
    """
    if not one.is_logged or not one.row.speed_mph:
        return False
    if one.tools:
        return one.listed is None
    surface = one.row.surface_pct
    listed_surface = one.listed.surface_pct if one.listed else None
    return bool(one.row.depth_in) and (not surface or (listed_surface is not None and surface >= listed_surface))


@dataclass(frozen=True)
class IntervalStir:
    """STIR of an interval by both readings of interpretation 10, pass by pass; sums are of what is known."""

    passes: tuple[tuple[Pass, PassStir, PassStir], ...]  # each with its value as recorded and by the list alone

    @property
    def recorded(self) -> int:
        """Return the sum as recorded, whole ten-thousandths."""
        return sum(value.value or 0 for _, value, _ in self.passes)

    @property
    def published(self) -> int:
        """Return the sum by the list's values alone, whole ten-thousandths."""
        return sum(value.value or 0 for _, _, value in self.passes)

    @property
    def unknown(self) -> tuple[Pass, ...]:
        """Return the passes whose recorded value cannot be computed."""
        return tuple(one for one, value, _ in self.passes if value.value is None)

    @property
    def unpublished(self) -> tuple[Pass, ...]:
        """Return the passes that the list gives no value."""
        return tuple(one for one, _, value in self.passes if value.value is None)

    def largest_above(self, limit: int) -> tuple[tuple[Pass, int], ...]:
        """Return the passes with the largest STIR as recorded: the fewest without which the sum would hold."""
        over = self.recorded - limit
        found: list[tuple[Pass, int]] = []
        for one, value, _ in sorted(self.passes, key=lambda each: -(each[1].value or 0)):
            if over <= 0 or not value.value:
                break
            over -= value.value
            found.append((one, value.value))
        return tuple(found)

    def build_up(self) -> tuple["Point", ...]:
        """Return the sums after each pass, in the order of their days; passes without a day stand last."""
        found, recorded_sum, published_sum = [], 0, 0
        for one, value, of_list_ in self.passes:
            recorded_sum += value.value or 0
            published_sum += of_list_.value or 0
            found.append(Point(one, value, of_list_, recorded_sum, published_sum))
        return tuple(found)


class Point(NamedTuple):
    """One point of the build-up: a pass, its value by both readings, and the known sums after it."""

    one: Pass
    recorded: PassStir
    published: PassStir
    recorded_sum: int
    published_sum: int


def of_interval(passes: Iterable[Pass]) -> IntervalStir:
    """Return the STIR of the passes of an interval, in the order of their days."""
    by_day = sorted(passes, key=lambda one: (one.day is None, one.day or date.min))
    return IntervalStir(tuple((one, of_pass(one), of_list(one)) for one in by_day))
