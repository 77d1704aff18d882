"""A season on a dated line: one lane per kind of thing, a dot for a day, a bar for a stretch of days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from provender.paper.axes import Frame
from provender.paper.palette import FAINT, INK, MUTED, PAPER, RULE, SERIES
from provender.paper.svg import LINE, SMALL_SIZE, Svg, text_width, wrapped
from provender.paper.time_charts import WIDTH

_LANE: Final = 30.0
_TOP: Final = 8.0
_RIGHT: Final = 14.0
_BELOW: Final = 28.0
_MOST_LABEL: Final = 150.0
_HIGHEST: Final = 1.0


@dataclass(frozen=True, slots=True)
class Mark:
    """Something that happened.

    Attributes:
        day: when, or the first day.
        words: what, for the tool tip.
        until: the last day of a stretch; None for one day.
    """

    day: date
    words: str
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Lane:
    """One kind of thing and all of it."""

    name: str
    marks: Sequence[Mark]


def lane_chart(lanes: Sequence[Lane], *, title: str, description: str, width: float = WIDTH) -> str:
    """Draw lanes of dated marks over one line of days. No name is cut: its lane grows with the lines it needs.

    Returns:
        SVG text.

    Raises:
        ValueError: no lane has a mark.
    """
    days = sorted(day for lane in lanes for one in lane.marks for day in (one.day, one.until or one.day))
    if not days:
        raise ValueError("a line of days needs at least one day")
    last = max(days[-1], days[0] + timedelta(days=1))
    left = min(max(text_width(lane.name, SMALL_SIZE) for lane in lanes) + 22, _MOST_LABEL)
    names = [wrapped(lane.name, left - 18, SMALL_SIZE) for lane in lanes]
    heights = [max(_LANE, len(lines) * LINE + 6) for lines in names]
    height = sum(heights)
    svg = Svg(width, _TOP + height + _BELOW, title, description)
    frame = Frame(left, _TOP, width - left - _RIGHT, height, days[0], last, _HIGHEST)
    _draw_days(svg, frame)
    top = frame.top
    for index, (lane, lines, high) in enumerate(zip(lanes, names, heights, strict=True)):
        if index % 2 == 0:
            svg.rect(frame.left, top, frame.width, high, fill=FAINT)
        _draw_lane(svg, frame, lane, lines, (top + high / 2, SERIES[index % len(SERIES)]))
        top += high
    return svg.render()


def _draw_days(svg: Svg, frame: Frame) -> None:
    bottom = frame.top + frame.height
    for day, label in frame.days():
        x = frame.x(day)
        svg.line((x, frame.top), (x, bottom + 4), stroke=RULE, stroke_width=0.6)
        near_end = x > frame.left + frame.width - 20
        svg.text((x, bottom + 16), label, size=SMALL_SIZE, fill=MUTED, anchor="end" if near_end else "middle")
    svg.line((frame.left, bottom), (frame.left + frame.width, bottom), stroke=INK, stroke_width=1)


def _draw_lane(svg: Svg, frame: Frame, lane: Lane, lines: Sequence[str], look: tuple[float, str]) -> None:
    """Draw one lane around its middle, in its colour."""
    middle, colour = look
    svg.lines((frame.left - 12, middle + 4 - (len(lines) - 1) * LINE / 2), lines, anchor="end")
    for one in lane.marks:
        if one.until is not None and one.until > one.day:
            wide = max(frame.x(one.until) - frame.x(one.day), 3)
            svg.rect(frame.x(one.day), middle - 6, wide, 12, fill=colour, stroke=PAPER, stroke_width=0.8, rx=3)
        else:
            svg.circle((frame.x(one.day), middle), 5.5, fill=colour, stroke=PAPER, stroke_width=1.2)
        svg.tip(one.words)
