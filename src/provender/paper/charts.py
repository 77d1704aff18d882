"""All charts by name: plain data in, SVG text out, one code for page, PDF and command line.

A page shows one of two drawings, for a desk and for a phone, so that neither is shrunk nor slid sideways.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from provender.paper.svg import (
    INK,
    LIMIT,
    LINE,
    MET,
    MUTED,
    NOT_MET,
    NOT_SHOWN,
    PAPER,
    RULE,
    SERIES,
    SMALL_SIZE,
    TEXT_SIZE,
    Frame,
    Point,
    Svg,
    axis_room,
    outline,
    shown,
    text_width,
    ticks,
    wrapped,
)

# Charts of named amounts and of verdicts: bars against a reference, and a matrix of practices.

WIDTH: Final = 560.0

_ROW: Final = 34.0
_BAR: Final = 15.0
_TOP: Final = 34.0
_CELL_HEIGHT: Final = 26.0
_LEAN: Final = 0.55


@dataclass(frozen=True, slots=True)
class Bar:
    """A named amount."""

    name: str  # what it is
    value: float  # how much, not negative
    text: str  # the amount as it is printed
    pale: bool = False  # draw it in outline, as something that stands for comparison


@dataclass(frozen=True, slots=True)
class Reference:
    """A line to compare with, such as the national average, or the highest STIR of a practice."""

    name: str
    value: float


def bar_chart(
    bars: Sequence[Bar],
    *,
    title: str,
    description: str,
    unit: str,
    reference: Reference | None = None,
    width: float = WIDTH,
) -> str:
    """Draw horizontal bars from zero, with a reference line across: carbon intensities against the national average.

    No name is cut: it goes on in a line below.

    Returns:
        SVG text.
    """
    highest = max([bar.value for bar in bars] + ([reference.value] if reference else []), default=0)
    room = max((text_width(bar.text, SMALL_SIZE) for bar in bars), default=0) + 12
    levels = ticks(highest, most=4)
    plot = width - room - 8
    scale = plot / max(highest, 1e-9)
    names = [wrapped(bar.name, width - 12, SMALL_SIZE) for bar in bars]
    tops = [_TOP + _ROW * at + LINE * (sum(map(len, names[:at])) - at) for at in range(len(bars) + 1)]
    bottom = tops[-1] + 4
    svg = Svg(width, bottom + 22, title, description)
    for level in levels:
        x = 4 + level * scale
        if x <= width - 10:
            svg.line((x, _TOP - 8), (x, bottom), stroke=RULE, stroke_width=0.6)
            svg.text((x, bottom + 14), shown(level), size=SMALL_SIZE, fill=MUTED, anchor="middle" if level else "start")
    # The unit stands on the side that the name of the reference leaves free.
    left = reference is not None and reference.value * scale > width / 2
    svg.text((4 if left else width - 4, 14), unit, size=SMALL_SIZE, fill=MUTED, anchor="start" if left else "end")
    for bar, lines, top in zip(bars, names, tops, strict=False):
        svg.lines((4, top + 9), lines, halo=True)
        y = top + LINE * (len(lines) - 1)
        style = {"fill": PAPER, "stroke": SERIES[0], "stroke_width": 1.4} if bar.pale else {"fill": SERIES[0]}
        svg.rect(4, y + 13, bar.value * scale, _BAR, **style)
        svg.tip(f"{bar.name}: {bar.text} {unit}")
    if reference:
        _across(svg, reference.name, 4 + reference.value * scale, width, bottom)
    for bar, below in zip(bars, tops[1:], strict=True):
        place = (4 + bar.value * scale + 6, below - _ROW + 25)
        svg.halo_text(place, bar.text, size=SMALL_SIZE, font_weight="600")
    return svg.render()


def _across(svg: Svg, name: str, x: float, width: float, bottom: float) -> None:
    """Draw the reference line across the bars, its name on the side that has room."""
    svg.line((x, _TOP - 10), (x, bottom), stroke=LIMIT, stroke_width=1.6, stroke_dasharray="6 4")
    middle = x < min(width / 2, width - text_width(name, SMALL_SIZE))
    anchor = "start" if middle else "end"
    svg.halo_text((x, _TOP - 16), name, size=SMALL_SIZE, fill=LIMIT, anchor=anchor, font_weight="600")


@dataclass(frozen=True, slots=True)
class _Sign:
    mark: str
    fill: str
    ink: str
    dash: str


_SIGNS: Final[Mapping[str, _Sign]] = {
    "met": _Sign("\u2713", MET, PAPER, "none"),
    "met, records open": _Sign("\u2713", PAPER, MET, "none"),
    "not met": _Sign("\u2717", PAPER, NOT_MET, "none"),
    "not shown": _Sign("?", PAPER, NOT_SHOWN, "3 2"),
}
_OTHER: Final = _Sign("\u2013", PAPER, MUTED, "none")


def matrix_chart(
    rows: Sequence[str],
    columns: Sequence[str],
    cells: Mapping[tuple[str, str], str],
    *,
    title: str,
    description: str,
) -> str:
    """Draw a matrix of verdicts: units down, practices across.

    A verdict reads without colour: filled and ticked, outlined and ticked while records are open, outlined and
    crossed, dashed and questioned. No name is cut: a drawing grows with the longest.

    Args:
        rows: names down.
        columns: names across.
        cells: ``met``, ``met, records open``, ``not met`` or ``not shown`` by row and column; nothing where nothing
            was claimed.
        title: what it is.
        description: what it shows.

    Returns:
        SVG text.
    """
    left = max((text_width(row) for row in rows), default=0) + 12
    width = WIDTH + max(0.0, left - WIDTH * 0.4)
    step = (width - left - 4) / max(len(columns), 1)
    longest = max((text_width(column, SMALL_SIZE) for column in columns), default=0)
    if slanted := longest > step - 6:
        step -= _LEAN * longest / len(columns)
    top = 0.68 * longest + 18 if slanted else 28.0
    svg = Svg(width, top + len(rows) * _CELL_HEIGHT + 30, title, description)
    for index, column in enumerate(columns):
        _heading(svg, (left + step * (index + 0.5), top), column, slanted=slanted)
    for down, row in enumerate(rows):
        y = top + down * _CELL_HEIGHT
        svg.line((0, y), (width, y), stroke=RULE, stroke_width=0.6)
        svg.text((4, y + 17), row, size=TEXT_SIZE)
        for across, column in enumerate(columns):
            if verdict := cells.get((row, column), ""):
                centre = (left + step * (across + 0.5), y + _CELL_HEIGHT / 2)
                _sign(svg, centre, verdict, tip=f"{row}, {column}: {verdict}")
    _matrix_key(svg, top + len(rows) * _CELL_HEIGHT + 18)
    return svg.render()


def _heading(svg: Svg, foot: Point, column: str, *, slanted: bool) -> None:
    x, top = foot
    if slanted:
        svg.text((x, top - 8), column, size=SMALL_SIZE, transform=f"rotate(-40 {x:.2f} {top - 8:.2f})")
    else:
        svg.text((x, top - 10), column, size=SMALL_SIZE, anchor="middle", font_weight="600")


def _sign(svg: Svg, centre: Point, verdict: str, *, tip: str = "") -> None:
    x, y = centre
    sign = _SIGNS.get(verdict, _OTHER)
    edge = sign.ink if sign.fill == PAPER else sign.fill
    svg.rect(x - 13, y - 9, 26, 18, rx=3, fill=sign.fill, stroke=edge, stroke_width=1.3, stroke_dasharray=sign.dash)
    if tip:
        svg.tip(tip)
    svg.text((x, y + 4.5), sign.mark, fill=sign.ink, anchor="middle", font_weight="600")


def _matrix_key(svg: Svg, y: float) -> None:
    x = 18.0
    for verdict in _SIGNS:
        _sign(svg, (x, y), verdict)
        svg.text((x + 18, y + 4), verdict, size=SMALL_SIZE, fill=INK)
        x += 52 + text_width(verdict, SMALL_SIZE)


# Charts over days: steps that build up against limits, and stocks stacked on each other.

TIME_WIDTH: Final = 560.0
_PLOT_HEIGHT: Final = 220.0

_TIME_CHARTS_TOP: Final = 30.0
_RIGHT: Final = 14.0
_BELOW: Final = 30.0
_KEY_LINE: Final = 20.0
_KEY_LEFT: Final = 120.0
"""The widest axis and the sign of a key beside it."""
_DASHES: Final = ("", "7 4", "2 3", "9 3 2 3")


@dataclass(frozen=True, slots=True)
class Series:
    """Amounts of one thing from day to day."""

    name: str  # what it is
    points: Sequence[tuple[date, float]]  # day and amount from that day on, in order of days; amounts are not negative
    notes: Sequence[str] = ()  # what happened on each of those days; empty, or as many as points


def step_chart(
    series: Sequence[Series],
    *,
    title: str,
    description: str,
    unit: str,
    limits: Sequence[Reference] = (),
    width: float = TIME_WIDTH,
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
    width: float = TIME_WIDTH,
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
        tops.append(
            [
                below + next((value for since, value in reversed(one.points) if since <= day), 0.0)
                for below, day in zip(tops[-1], days, strict=True)
            ]
        )
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
    svg = Svg(width, _TIME_CHARTS_TOP + _PLOT_HEIGHT + _BELOW + _keys_height(keys) + 6, title, description)
    left = axis_room(levels)
    last = days[1] if days[1] > days[0] else days[0] + timedelta(days=1)
    frame = Frame(left, _TIME_CHARTS_TOP, width - left - _RIGHT, _PLOT_HEIGHT, days[0], last, levels[-1])
    frame.draw(svg, levels, unit)
    return svg, frame


def _days(series: Sequence[Series]) -> list[date]:
    days = sorted({day for one in series for day, _ in one.points})
    if not days:
        raise ValueError("a chart over days needs at least one day")
    return days


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


_NARROW: Final = 336.0
"""What a telephone of 390 points leaves for a drawing, so that its letters keep their size."""


def in_two_widths(draw: Callable[[float], str]) -> str:
    """Return both drawings of a chart, each in an element that says which it is; empty where nothing is drawn.

    Args:
        draw: makes the drawing in a width.
    """
    wide = draw(TIME_WIDTH)
    return wide and f'<div class="wide">{wide}</div><div class="narrow">{draw(_NARROW)}</div>'
