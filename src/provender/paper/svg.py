"""A small builder of SVG pictures: escaped text, rounded coordinates, a title and a description, no scripts.

The same picture serves page, PDF and command line: it scales to the width it is given and rests on no style sheet.
"""

import math
import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache, lru_cache
from html import escape, unescape
from importlib.resources import files
from textwrap import wrap
from typing import Final

# The colours of pages, paper and charts, with the contrast each must keep, and the families of their text.

INK: Final = "#1c2321"
MUTED: Final = "#55605b"
RULE: Final = "#c3cac5"
FAINT: Final = "#f1f4f1"
PAPER: Final = "#ffffff"
ACCENT: Final = "#1d5c4a"
LIMIT: Final = "#a32116"

MET: Final = "#1d5c4a"
NOT_MET: Final = "#a32116"
NOT_SHOWN: Final = "#7a5200"

SERIES: Final = ("#1d5c4a", "#c77d0a", "#3f6fb0", "#8a3f6b", "#6f7a1e", "#2b2f77", "#9a5b3c", "#5b6770")
"""Fills of charts in order; past the last they start again with another hatch."""

TEXT_CONTRAST: Final = 4.5
"""What WCAG 2.2 (1.4.3) asks of text against its ground."""

SHAPE_CONTRAST: Final = 3.0
"""What WCAG 2.2 (1.4.11) asks of shapes that carry meaning."""

PALETTE: Final = {
    "ink": INK,
    "muted": MUTED,
    "rule": RULE,
    "faint": FAINT,
    "paper": PAPER,
    "accent": ACCENT,
    "limit": LIMIT,
    "met": MET,
    "not-met": NOT_MET,
    "not-shown": NOT_SHOWN,
}
"""The same colours by name, as the Typst templates read them."""

_LINEAR_BELOW: Final = 0.04045


def _luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb`` by WCAG 2.2, from 0 (black) to 1 (white)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= _LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours by WCAG 2.2, from 1 (none) to 21."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def on(fill: str) -> str:
    """Return the ink or paper colour, whichever reads better on a fill."""
    return INK if contrast(INK, fill) >= contrast(PAPER, fill) else PAPER


FAMILY: Final = "Source Sans 3"
"""The family of text and charts; Typst's own Libertinus, New Computer Modern and DejaVu Sans Mono stand in for
letters it lacks."""

_SVG_FAMILIES: Final = f"'{FAMILY}', 'Source Sans Pro', system-ui, 'Segoe UI', Arial, sans-serif"


Point = tuple[float, float]

TEXT_SIZE: Final = 12.0
SMALL_SIZE: Final = 10.5
LINE: Final = 12.0
"""From one line of small letters to the next."""
_REMEMBERED: Final = 16_384
"""Coordinates that need not be written again: pictures of one kind share most of theirs."""

# Half the height of a line: a text is a little more than half as wide as it is high per letter, on average.
_LETTER_WIDTH: Final = 0.54
_HATCHES: Final[tuple[str, ...]] = (
    "",
    "M-2 2l4-4M0 8l8-8M6 10l4-4",
    "M0 4h8",
    "M2 2h1v1h-1zM6 6h1v1h-1z",
    "M-2 6l4 4M0 0l8 8M6-2l4 4",
    "M4 0v8",
    "M0 4h8M4 0v8",
    "M0 0l8 8M0 8l8-8",
)


@lru_cache(maxsize=_REMEMBERED)
def number(value: float) -> str:
    """Write a coordinate with at most two decimals, the same on every machine."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def text_width(text: str, size: float = TEXT_SIZE) -> float:
    """Return about how wide a text is; a picture cannot ask the fonts."""
    return len(text) * size * _LETTER_WIDTH


def wrapped(text: str, width: float, size: float = TEXT_SIZE) -> list[str]:
    """Return a text in lines of at most a width, broken at commas, else at spaces; nothing is left out."""
    room = max(int(width / (size * _LETTER_WIDTH)), 1)
    lines: list[str] = []
    for part in text.replace(", ", ",\0").split("\0"):
        if lines and len(lines[-1]) + 1 + len(part) <= room:
            lines[-1] += f" {part}"
        else:
            lines += wrap(part, room, break_on_hyphens=False)
    return lines or [""]


class Svg:
    """A picture under construction.

    Args:
        width: width of the drawing in its own units; text is 12 of them high.
        height: height of the drawing.
        title: what it is, shown as a tool tip and read aloud.
        description: what it shows, for those who cannot see it.
    """

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.width = width
        self.height = height
        self._head = f"<title>{_text(title)}</title><desc>{_text(description)}</desc>"
        self._label = _attribute(title)
        self._parts: list[str] = []
        self._hatches: set[int] = set()

    def rect(self, x: float, y: float, width: float, height: float, **style: str | float) -> None:
        self._shape("rect", {"x": x, "y": y, "width": max(width, 0), "height": max(height, 0)}, style)

    def line(self, start: Point, end: Point, **style: str | float) -> None:
        self._shape("line", {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}, style)

    def path(self, commands: str, **style: str | float) -> None:
        """Draw a path; ``commands`` come from ``outline`` or from code, never from data."""
        self._shape("path", {"d": commands}, style)

    def circle(self, centre: Point, radius: float, **style: str | float) -> None:
        self._shape("circle", {"cx": centre[0], "cy": centre[1], "r": radius}, style)

    def text(self, at: Point, words: str, *, size: float = TEXT_SIZE, fill: str = INK, **style: str | float) -> None:
        """Write a text; ``anchor`` (start, middle, end) and ``font_weight`` are the usual styles."""
        anchor = style.pop("anchor", "start")
        places: Mapping[str, str | float] = {"x": at[0], "y": at[1], "font_size": size, "fill": fill}
        self._parts.append(f"<text{_attributes({**places, 'text_anchor': anchor, **style})}>{_text(words)}</text>")

    def halo_text(
        self, at: Point, words: str, *, size: float = TEXT_SIZE, fill: str = INK, **style: str | float
    ) -> None:
        """Write a text that stays readable over lines."""
        self.text(at, words, size=size, fill=PAPER, stroke=PAPER, stroke_width=3.5, stroke_linejoin="round", **style)
        self.text(at, words, size=size, fill=fill, **style)

    def lines(
        self, at: Point, words: Sequence[str], *, halo: bool = False, step: float = LINE,
        size: float = SMALL_SIZE, fill: str = INK, **style: str | float,
    ) -> None:  # fmt: skip
        """Write lines of text under one another, the first one at a place, each as ``text`` or ``halo_text`` does."""
        write = self.halo_text if halo else self.text
        for below, line in enumerate(words):
            write((at[0], at[1] + below * step), line, size=size, fill=fill, **style)

    def tip(self, words: str) -> None:
        """Give the last shape a tool tip that is also read aloud."""
        last = self._parts.pop()
        if last.endswith("/>"):
            name = last[1:].split(" ", 1)[0]
            last = f"{last[:-2]}><title>{_text(words)}</title></{name}>"
        self._parts.append(last)

    def fill(self, index: int) -> str:
        """Return the paint of series number ``index``: a colour, and past the first a hatch that prints in black."""
        hatch = index % len(_HATCHES)
        if not hatch:
            return SERIES[index % len(SERIES)]
        self._hatches.add(index)
        return f"url(#{_hatch_id(index, self.width)})"

    def render(self) -> str:
        """Return the picture as SVG text."""
        box = f"0 0 {number(self.width)} {number(self.height)}"
        hatches = "".join(_hatch(index, self.width) for index in sorted(self._hatches))
        definitions = f"<defs>{hatches}</defs>" if hatches else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" role="img" aria-label="{self._label}" '
            f'font-family="{_SVG_FAMILIES}">{self._head}{definitions}{"".join(self._parts)}</svg>'
        )

    def _shape(self, name: str, places: Mapping[str, str | float], style: Mapping[str, str | float]) -> None:
        self._parts.append(f"<{name}{_attributes({**places, **style})}/>")


def outline(points: Sequence[Point], *, closed: bool = False) -> str:
    """Return the path commands through some points."""
    steps = " ".join(f"{number(x)} {number(y)}" for x, y in points)
    return f"M{steps}{'Z' if closed else ''}" if points else ""


def outlines(rings: Iterable[Sequence[Point]]) -> str:
    """Return the path commands of closed rings; with ``fill_rule="evenodd"`` inner rings are holes."""
    return "".join(outline(ring, closed=True) for ring in rings)


def _hatch_id(index: int, width: float) -> str:
    """Name a hatch: one drawing of a page may be hidden with its hatches, those of another width are its own."""
    return f"pv-hatch-{index}-{width:.0f}"


def _hatch(index: int, width: float) -> str:
    colour = SERIES[index % len(SERIES)]
    lines = on(colour)
    marks = _HATCHES[index % len(_HATCHES)]
    return (
        f'<pattern id="{_hatch_id(index, width)}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" fill="{colour}"/>'
        f'<path d="{marks}" stroke="{lines}" stroke-width="1" fill="none" opacity="0.75"/></pattern>'
    )


def _attributes(pairs: Mapping[str, str | float]) -> str:
    return "".join(
        f' {name.replace("_", "-")}="{_attribute(value) if isinstance(value, str) else number(value)}"'
        for name, value in pairs.items()
    )


def _attribute(text: str) -> str:
    return escape(printable(text).replace("\n", " "), quote=True)


def _text(text: str) -> str:
    return escape(printable(text).replace("\n", " "), quote=False)


_SHAPE = re.compile(
    r'<svg [^>]*viewBox="0 0 (?P<width>[\d.]+) (?P<height>[\d.]+)"[^>]*>'
    r"<title>(?P<title>.*?)</title><desc>(?P<said>.*?)</desc>"
)


def headed(picture: str) -> str:
    """Return a picture made by ``Svg`` under its title and its description, which pages show in their own words.

    Raises:
        ValueError: the text is no such picture.
    """
    found = _SHAPE.match(picture)
    if found is None:
        raise ValueError("this is no picture of ours")
    width, height = float(found["width"]), float(found["height"])
    title, said = unescape(found["title"]), unescape(found["said"])
    heads, words = wrapped(title, width * 0.75, 15.0), wrapped(said, width, SMALL_SIZE)
    below = 16 * len(heads)
    high = below + 16 + LINE * len(words)
    sheet = Svg(width, height + high, title, said)
    sheet.lines((1, 16), heads, step=16, size=15.0, font_weight="600")
    sheet.lines((1, below + 16), words, fill=MUTED)
    inner = picture.replace("<svg ", f'<svg y="{number(high)}" width="{number(width)}" height="{number(height)}" ', 1)
    return sheet.render().removesuffix("</svg>") + inner + "</svg>"


# Axes: round numbers for amounts, round days for time, and the frame they are drawn in.

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
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
        return [(one, f"{_MONTHS[one.month - 1]} {one.day}") for one in days]
    months = (last.year - first.year) * 12 + last.month - first.month
    step = next((one for one in _MONTH_STEPS if months / one <= most), _MONTH_STEPS[-1])
    found: list[tuple[date, str]] = []
    for at in range(first.year * 12 + first.month - 1, last.year * 12 + last.month):
        one = date(at // 12, at % 12 + 1, 1)
        if at % step == 0 and first <= one <= last:
            found.append(
                (one, f"{_MONTHS[one.month - 1]} {one.year}" if one.month == 1 or not found else _MONTHS[at % 12])
            )
    return found


@dataclass(frozen=True, slots=True)
class Frame:
    """The plotting area of a chart over days."""

    left: float  # the area, in drawing units
    top: float  # the area, in drawing units
    width: float  # the area, in drawing units
    height: float  # the area, in drawing units
    first: date  # the days at its edges
    last: date  # the days at its edges
    highest: float  # the amount at its top

    def x(self, day: date) -> float:
        span = max((self.last - self.first).days, 1)
        return self.left + self.width * (day - self.first).days / span

    def y(self, value: float) -> float:
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


# Text as paper can show it: a character without a glyph is written as its number, a hidden one is left out.
#
# PDF/A refuses a document in which a character has no glyph, and a name may hold any character there is.

_MARKS: Final = ((0x0300, 0x036F), (0x05B0, 0x05C7), (0x064B, 0x0655))
_FIRST_SELECTOR: Final = 0xFE00
_LAST_SELECTOR: Final = 0xFE0F
_SAFE_LAST: Final = 0x17F
_SAFE_MORE: Final = frozenset("\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u00b7\u2082\u2264\u2265\u2713\u2717")


@cache
def _ranges() -> tuple[tuple[int, ...], tuple[int, ...]]:
    lines = (files("provender.paper") / "data" / "glyphs.txt").read_text(encoding="ascii").split()
    return tuple(int(one, 16) for one in lines[::2]), tuple(int(one, 16) for one in lines[1::2])


def has_glyph(letter: str) -> bool:
    """Return whether the fonts of ``provender.paper.svg`` can print a character by itself."""
    first, last = _ranges()
    at = bisect_right(first, ord(letter)) - 1
    return at >= 0 and ord(letter) <= last[at]


def printable(text: str, *, strict: bool = False) -> str:
    """Return a text that every font here can print.

    Line ends stay and other blanks become plain ones; characters that only steer (joiners, direction marks, soft
    hyphens) are left out, since they can make a text read as another; what has no glyph becomes ``[U+1F69C]``.

    Args:
        text: any text.
        strict: keep Latin letters and common signs only: for texts whose combinations no font can shape.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(letter, strict=strict) for letter in unicodedata.normalize("NFC", text))


def _shown(letter: str, *, strict: bool) -> str:
    if letter == "\n" or " " <= letter <= "~":
        return letter
    kind = unicodedata.category(letter)
    if letter == "\t" or kind in {"Zs", "Zl", "Zp"}:
        return "\u00a0" if letter == "\u00a0" else " "
    if kind == "Cf" or _FIRST_SELECTOR <= ord(letter) <= _LAST_SELECTOR:
        return ""
    if strict:
        known = ord(letter) <= _SAFE_LAST or letter in _SAFE_MORE
    else:
        known = has_glyph(letter) or any(low <= ord(letter) <= high for low, high in _MARKS)
    return letter if known and kind != "Cc" else f"[U+{ord(letter):04X}]"


def printable_data(data: object, *, strict: bool = False) -> object:
    """Return plain data with every text in it, keys too, made printable."""
    if isinstance(data, str):
        return printable(data, strict=strict)
    if isinstance(data, Mapping):
        return {printable(str(key), strict=strict): printable_data(value, strict=strict) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [printable_data(one, strict=strict) for one in data]
    return data


def without_controls(text: str) -> str:
    """Return a text without characters that files of other programs cannot hold: controls, halves, noncharacters."""
    return "".join(letter for letter in text if letter in "\n\t" or _holdable(letter))


def _holdable(letter: str) -> bool:
    # The two last code points of each plane are no characters, and XML refuses them.
    return unicodedata.category(letter) not in {"Cc", "Cs"} and ord(letter) & 0xFFFE != 0xFFFE  # noqa: PLR2004
