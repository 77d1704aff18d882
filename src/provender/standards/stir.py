"""STIR, the soil tillage intensity rating, of one pass and of one crop interval, each with its working as data.

STIR of a tool = 0.5 x mph x 3.25 x tillage type x depth (in) x surface share (2100.002; NRCS RUSLE2, WEPS), in whole
ten-thousandths, rounded once a pass. Tools of one implement add up at the implement's speed. Where the list prints one
value for several tools that value counts: the part of its deepest gang moves with the recorded depth, the other gangs
keep theirs, and all of them go at the recorded speed. A recorded zero means *not recorded* (interpretation 10).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple

from provender.catalog.tables import STIR_DENOMINATOR, STIR_NUMERATOR, TYPE_HUNDREDTHS, FieldOperation, stir_of_tool
from provender.exact import half_even
from provender.records.kinds.season import OperationTool
from provender.standards.evidence import LOGGED
from provender.standards.unit import Pass

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
    return bool(value and least is not None and value < least and not one.graded.is_evidenced)


def recorded(one: Pass, name: str) -> int | None:
    """Return a recorded amount as far as it counts (interpretation 10): not zero, and proven where it is very low."""
    value: int | None = getattr(one.row, name)
    return None if not value or is_below_least(one, name) else value


def of_pass(one: Pass) -> PassStir:
    """Return the STIR of a pass by recorded speed, depth and surface, the list's where none is recorded.

    Recorded tools decide where there are any, and leave the value unknown where one of them is incomplete.
    """
    speed, depth = recorded(one, "speed_mph"), recorded(one, "depth_in")
    if not one.tools:
        unknown = PassStir(None, "unknown")
        return of_listed(one.listed, speed, depth, one.row.surface_pct or None) if one.listed else unknown
    speed = speed or (one.listed.speed_mph if one.listed else None)
    measures = [(tool.tillage_type, tool.depth_in, tool.surface_pct) for tool in one.tools]
    known = [NO_DISTURBANCE[kind] * depth * surface for kind, depth, surface in measures if depth and surface]
    if not speed or len(known) < len(measures):
        return PassStir(None, "unknown", speed, tools=one.tools)
    value = half_even(STIR_NUMERATOR * speed * sum(known), STIR_DENOMINATOR)
    return PassStir(value, "tools", speed, tools=one.tools)


def of_list(one: Pass) -> PassStir:
    """Return the STIR of a pass by the list's own values alone, the second reading of interpretation 10.

    The list has no second reading of an implement that it does not know: its recorded tools are the only one.
    """
    return of_pass(one) if one.listed is None else of_listed(one.listed)


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
    at_depth = listed.published_at(depth_in)
    used = depth_in if at_depth != listed.published_stir else None
    if not speed_mph or not listed.speed_mph:
        return PassStir(at_depth, "published", listed.speed_mph, used, published=at_depth)
    scaled = half_even(at_depth * speed_mph, listed.speed_mph)
    return PassStir(scaled, "published, scaled by speed", speed_mph, used, published=at_depth)


def is_logged(one: Pass) -> bool:
    """Tell whether the machine logged all that the value of a pass rests on beside the list.

    No machine logs surface share or tools; an implement that is not listed has nothing but its tools to go by.
    """
    if one.known_by not in LOGGED or not one.row.speed_mph:
        return False
    if one.tools:
        return one.listed is None
    surface = one.row.surface_pct
    listed_surface = one.listed.surface_pct if one.listed else None
    return bool(one.row.depth_in) and (not surface or (listed_surface is not None and surface >= listed_surface))


class Point(NamedTuple):
    """A pass in the build-up of an interval, its value by both readings, and the known sums after it."""

    one: Pass
    recorded: PassStir
    published: PassStir  # by the list alone
    recorded_sum: int
    published_sum: int


class IntervalStir:
    """STIR of an interval by both readings of interpretation 10; sums are of what is known, whole ten-thousandths."""

    def __init__(self, passes: Iterable[Pass]) -> None:
        """Add up the passes in the order of their days; those without a day stand last."""
        self.recorded = self.published = 0
        found = []
        for one in sorted(passes, key=lambda one: (one.day is None, one.day or date.min)):
            by_record, by_list = of_pass(one), of_list(one)
            self.recorded += by_record.value or 0
            self.published += by_list.value or 0
            found.append(Point(one, by_record, by_list, self.recorded, self.published))
        self.points = tuple(found)
        self.unknown = tuple(each.one for each in found if each.recorded.value is None)
        """Passes whose recorded value cannot be computed."""

    def is_decided(self, limit: int) -> bool:
        """Tell whether both sums are known and on the same side of a limit."""
        return not self.unknown and (self.recorded > limit) == (self.published > limit)

    def largest_above(self, limit: int) -> Iterator[tuple[Pass, int]]:
        """Yield the passes with the largest STIR as recorded: the fewest without which the sum would hold."""
        over = self.recorded - limit
        for each in sorted(self.points, key=lambda each: -(each.recorded.value or 0)):
            if over > 0 and each.recorded.value:
                over -= each.recorded.value
                yield each.one, each.recorded.value
