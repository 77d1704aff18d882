"""Charts of named amounts and of verdicts: bars against a reference, and a matrix of practices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provender.paper.axes import shown, ticks
from provender.paper.palette import INK, LIMIT, MET, MUTED, NOT_MET, NOT_SHOWN, PAPER, RULE, SERIES
from provender.paper.svg import LINE, SMALL_SIZE, TEXT_SIZE, Point, Svg, text_width, wrapped

WIDTH: Final = 560.0

_ROW: Final = 34.0
_BAR: Final = 15.0
_TOP: Final = 34.0
_CELL_HEIGHT: Final = 26.0
_LEAN: Final = 0.55


@dataclass(frozen=True, slots=True)
class Bar:
    """A named amount.

    Attributes:
        name: what it is.
        value: how much, not negative.
        text: the amount as it is printed.
        pale: draw it in outline, as something that stands for comparison.
    """

    name: str
    value: float
    text: str
    pale: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """The line to compare with, such as the national average."""

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
    headed: bool = False,
) -> str:
    """Draw horizontal bars from zero, with a reference line across: carbon intensities against the national average.

    No name is cut: it goes on in a line below. ``headed`` writes the title above the drawing.

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
    if headed:
        svg.head(title)
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
    width: float = WIDTH,
    headed: bool = False,
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
        width: of the drawing, where its names need no more.
        headed: write the title above it.

    Returns:
        SVG text.
    """
    left = max((text_width(row) for row in rows), default=0) + 12
    width += max(0.0, left - width * 0.4)
    step = (width - left - 4) / max(len(columns), 1)
    longest = max((text_width(column, SMALL_SIZE) for column in columns), default=0)
    if slanted := longest > step - 6:
        step -= _LEAN * longest / len(columns)
    top = 0.68 * longest + 18 if slanted else 28.0
    svg = Svg(width, top + len(rows) * _CELL_HEIGHT + 30, title, description)
    if headed:
        svg.head(title)
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
