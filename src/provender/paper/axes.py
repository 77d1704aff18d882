"""Axes: round numbers for amounts, round days for time, and the frame they are drawn in."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from provender.paper.palette import INK, MUTED, RULE
from provender.paper.svg import SMALL_SIZE, Svg

MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_STEPS: Final = (1.0, 2.0, 2.5, 5.0, 10.0)
_MONTH_STEPS: Final = (1, 2, 3, 6, 12, 24, 60, 120)
_DAY_STEPS: Final = (1, 2, 5, 7, 14)
_SHORT_SPAN: Final = 62
_MOST_DAYS: Final = 7
_DAY_ROOM: Final = 64.0


def ticks(top: float, *, most: int = 5) -> list[float]:
    """Return round numbers from 0 up to at least ``top``."""
    if not top > 0:
        return [0.0, 1.0]
    raw = top / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * one for one in _STEPS if power * one >= raw * (1 - 1e-9))
    return [step * at for at in range(math.ceil(top / step - 1e-9) + 1)]


def shown(value: float) -> str:
    """Write an axis number with commas and no needless decimals."""
    return f"{value:,.10g}" if abs(value) < 1 else f"{value:,.2f}".rstrip("0").rstrip(".")


def day_ticks(first: date, last: date, *, most: int = 7) -> list[tuple[date, str]]:
    """Return days with their labels: months where the span is long, days where it is short."""
    if (last - first).days <= _SHORT_SPAN:
        step = next((one for one in _DAY_STEPS if (last - first).days / one <= most), _DAY_STEPS[-1])
        days = [first + timedelta(days=at) for at in range(0, (last - first).days + 1, step)]
        return [(one, f"{MONTHS[one.month - 1]} {one.day}") for one in days]
    months = (last.year - first.year) * 12 + last.month - first.month
    step = next((one for one in _MONTH_STEPS if months / one <= most), _MONTH_STEPS[-1])
    found: list[tuple[date, str]] = []
    for at in range(first.year * 12 + first.month - 1, last.year * 12 + last.month):
        one = date(at // 12, at % 12 + 1, 1)
        if at % step == 0 and first <= one <= last:
            found.append(
                (one, f"{MONTHS[one.month - 1]} {one.year}" if one.month == 1 or not found else MONTHS[at % 12])
            )
    return found


@dataclass(frozen=True, slots=True)
class Frame:
    """The plotting area of a chart over days.

    Attributes:
        left, top, width, height: the area, in drawing units.
        first, last: the days at its edges.
        highest: the amount at its top.
    """

    left: float
    top: float
    width: float
    height: float
    first: date
    last: date
    highest: float

    def x(self, day: date) -> float:
        """Return where a day stands."""
        span = max((self.last - self.first).days, 1)
        return self.left + self.width * (day - self.first).days / span

    def y(self, value: float) -> float:
        """Return where an amount stands."""
        return self.top + self.height * (1 - value / self.highest)

    def days(self) -> list[tuple[date, str]]:
        """Return the days to mark with their labels: as many as have room."""
        return day_ticks(self.first, self.last, most=max(2, min(_MOST_DAYS, int(self.width // _DAY_ROOM))))

    def draw(self, svg: Svg, levels: Sequence[float], unit: str) -> None:
        """Draw grid, numbers, days and the unit."""
        bottom = self.top + self.height
        for level in levels:
            y = self.y(level)
            svg.line((self.left, y), (self.left + self.width, y), stroke=RULE, stroke_width=0.6)
            svg.text((self.left - 6, y + 3.5), shown(level), size=SMALL_SIZE, fill=MUTED, anchor="end")
        svg.line((self.left, bottom), (self.left + self.width, bottom), stroke=INK, stroke_width=1)
        for day, label in self.days():
            x = self.x(day)
            svg.line((x, bottom), (x, bottom + 4), stroke=INK, stroke_width=1)
            near_end = x > self.left + self.width - 20
            svg.text((x, bottom + 16), label, size=SMALL_SIZE, fill=MUTED, anchor="end" if near_end else "middle")
        svg.text((4, self.top - 10), unit, size=SMALL_SIZE, fill=MUTED)


def axis_room(levels: Sequence[float]) -> float:
    """Return the room that the numbers of an axis need to its left."""
    return max(len(shown(level)) for level in levels) * 6.2 + 14
