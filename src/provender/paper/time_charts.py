"""Charts over days: steps that build up against limits, and stocks stacked on each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from provender.paper.axes import Frame, axis_room, ticks
from provender.paper.palette import INK, LIMIT, PAPER, SERIES
from provender.paper.svg import LINE, SMALL_SIZE, Point, Svg, outline, wrapped

WIDTH: Final = 560.0
PLOT_HEIGHT: Final = 220.0

_TOP: Final = 30.0
_RIGHT: Final = 14.0
_BELOW: Final = 30.0
_KEY_LINE: Final = 20.0
_KEY_LEFT: Final = 120.0
"""The widest axis and the sign of a key beside it."""
_DASHES: Final = ("", "7 4", "2 3", "9 3 2 3")


@dataclass(frozen=True, slots=True)
class Series:
    """Amounts of one thing from day to day.

    Attributes:
        name: what it is.
        points: day and amount from that day on, in order of days; amounts are not negative.
        notes: what happened on each of those days; empty, or as many as points.
    """

    name: str
    points: Sequence[tuple[date, float]]
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Limit:
    """A line that matters, such as the highest STIR of a practice."""

    name: str
    value: float


def step_chart(
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    unit: str,
    limits: Sequence[Limit] = (),
    width: float = WIDTH,
    headed: bool = False,
) -> str:
    """Draw amounts that hold from one day to the next, with limits across: the build-up of STIR over an interval.

    Returns:
        SVG text.

    Raises:
        ValueError: no series has a point.
    """
    days = _days(series)
    top = max([value for one in series for _, value in one.points] + [limit.value for limit in limits])
    levels = ticks(top * 1.08)
    keys = _keys([one.name for one in series] if len(series) > 1 else [], width)
    svg, frame = _start(title, description, (days[0], days[-1]), levels, unit=unit, width=width, keys=keys)
    if headed:
        svg.head(title)
    for limit in limits:
        y = frame.y(limit.value)
        end = frame.left + frame.width
        svg.line((frame.left, y), (end, y), stroke=LIMIT, stroke_width=1.4, stroke_dasharray="6 4")
    for index, one in enumerate(series):
        colour = SERIES[index % len(SERIES)]
        dash = _DASHES[index % len(_DASHES)]
        corners = _steps(frame, one.points, days[-1])
        svg.path(outline(corners), fill="none", stroke=colour, stroke_width=2.2, stroke_dasharray=dash or "none")
        for at, (day, value) in enumerate(one.points):
            svg.circle((frame.x(day), frame.y(value)), 3.2, fill=PAPER, stroke=colour, stroke_width=1.8)
            svg.tip(f"{day.isoformat()}: {one.notes[at] if at < len(one.notes) else one.name}")
        if keys:
            y = _key_y(frame, keys, index)
            svg.line(
                (frame.left, y), (frame.left + 26, y), stroke=colour, stroke_width=2.2, stroke_dasharray=dash or "none"
            )
            svg.lines((frame.left + 34, y + 4), keys[index])
    for limit in limits:
        place = (frame.left + 6, frame.y(limit.value) - 5)
        svg.halo_text(place, limit.name, size=SMALL_SIZE, fill=LIMIT, font_weight="600")
    return svg.render()


def stacked_chart(
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    unit: str,
    until: date | None = None,
    width: float = WIDTH,
) -> str:
    """Draw amounts on top of each other from day to day: stock by carbon intensity.

    Each layer has a hatch of its own beside its colour and stands in the key from top to bottom as in the picture.

    Args:
        series: layers from the ground up.
        title: what it is.
        description: what it shows.
        unit: of the amounts.
        until: the last day drawn; the day of the last change otherwise.
        width: of the drawing.

    Returns:
        SVG text.

    Raises:
        ValueError: no series has a point.
    """
    days = _days(series)
    last = max(until or days[-1], days[-1])
    tops: list[list[float]] = [[0.0] * len(days)]
    for one in series:
        tops.append([below + _at(one.points, day) for below, day in zip(tops[-1], days, strict=True)])
    levels = ticks(max(tops[-1]))
    keys = _keys([one.name for one in reversed(series)], width)
    svg, frame = _start(title, description, (days[0], last), levels, unit=unit, width=width, keys=keys)
    for index, one in enumerate(series):
        lower = _steps(frame, list(zip(days, tops[index], strict=True)), last)
        upper = _steps(frame, list(zip(days, tops[index + 1], strict=True)), last)
        shape = outline([*upper, *reversed(lower)], closed=True)
        svg.path(shape, fill=svg.fill(index), stroke=PAPER, stroke_width=0.8)
        svg.tip(one.name)
        at = len(series) - 1 - index
        y = _key_y(frame, keys, at)
        svg.rect(frame.left, y - 7, 22, 13, fill=svg.fill(index), stroke=INK, stroke_width=0.5)
        svg.lines((frame.left + 34, y + 4), keys[at])
    return svg.render()


def _start(
    title: str,
    description: str,
    days: tuple[date, date],
    levels: Sequence[float],
    *,
    unit: str,
    width: float,
    keys: Sequence[Sequence[str]],
) -> tuple[Svg, Frame]:
    svg = Svg(width, _TOP + PLOT_HEIGHT + _BELOW + _keys_height(keys) + 6, title, description)
    left = axis_room(levels)
    last = days[1] if days[1] > days[0] else days[0] + timedelta(days=1)
    frame = Frame(left, _TOP, width - left - _RIGHT, PLOT_HEIGHT, days[0], last, levels[-1])
    frame.draw(svg, levels, unit)
    return svg, frame


def _days(series: Sequence[Series]) -> list[date]:
    days = sorted({day for one in series for day, _ in one.points})
    if not days:
        raise ValueError("a chart over days needs at least one day")
    return days


def _at(points: Sequence[tuple[date, float]], day: date) -> float:
    return next((value for since, value in reversed(points) if since <= day), 0.0)


def _steps(frame: Frame, points: Sequence[tuple[date, float]], last: date) -> list[Point]:
    """Return the corners of a line that holds each amount until the next day with a change."""
    corners: list[Point] = []
    for day, value in points:
        if corners:
            corners.append((frame.x(day), corners[-1][1]))
        corners.append((frame.x(day), frame.y(value)))
    if corners:
        corners.append((frame.x(last), corners[-1][1]))
    return corners


def _keys(names: Sequence[str], width: float) -> list[list[str]]:
    """Return the names of a key, each in as many lines as it needs beside its sign and under any axis."""
    return [wrapped(name, width - _KEY_LEFT - _RIGHT, SMALL_SIZE) for name in names]


def _keys_height(keys: Sequence[Sequence[str]]) -> float:
    return sum(_KEY_LINE + (len(lines) - 1) * LINE for lines in keys)


def _key_y(frame: Frame, keys: Sequence[Sequence[str]], index: int) -> float:
    return frame.top + frame.height + _BELOW + 10 + _keys_height(keys[:index])
