"""Maps of regions given as plain coordinates: counties shaded by an amount, fields in their outline."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provender.paper.palette import ACCENT, INK, MUTED, PAPER, RULE, on
from provender.paper.svg import SMALL_SIZE, Point, Svg, outlines, text_width

WIDTH: Final = 560.0
TALLEST: Final = 620.0

_EDGE: Final = 6.0
_KEY: Final = 40.0
_PALE: Final = "#e3ece7"
_STEPS: Final = 5

Ring = Sequence[Point]


@dataclass(frozen=True, slots=True)
class Region:
    """One shape on the map.

    Attributes:
        name: written in the shape where it fits.
        rings: closed rings of (longitude, latitude) in degrees; rings inside others are holes.
        value: the amount it is shaded by, None when there is none: then it is left white and dashed.
        text: the amount as it is printed.
        more: what is said beside it where somebody points at the shape.
    """

    name: str
    rings: Sequence[Ring]
    value: float | None = None
    text: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True)
class _View:
    """From degrees to the drawing: east and west shortened by the cosine of the middle latitude."""

    west: float
    north: float
    scale: float
    squeeze: float

    def point(self, place: Point) -> Point:
        x = (place[0] - self.west) * self.squeeze * self.scale + _EDGE
        return x, (self.north - place[1]) * self.scale + _EDGE


def region_map(regions: Sequence[Region], *, title: str, description: str, unit: str = "", width: float = WIDTH) -> str:
    """Draw regions, shaded in five steps from pale to dark by their amount.

    Returns:
        SVG text; north is up.

    Raises:
        ValueError: no region has a point.
    """
    places = [place for region in regions for ring in region.rings for place in ring]
    if not places:
        raise ValueError("a map needs at least one point")
    west, east = min(x for x, _ in places), max(x for x, _ in places)
    south, north = min(y for _, y in places), max(y for _, y in places)
    squeeze = math.cos(math.radians((south + north) / 2))
    wide, high = max((east - west) * squeeze, 1e-9), max(north - south, 1e-9)
    scale = min((width - 2 * _EDGE) / wide, TALLEST / high)
    view = _View(west, north, scale, squeeze)
    values = sorted(region.value for region in regions if region.value is not None)
    height = high * scale + 2 * _EDGE
    svg = Svg(max(wide * scale + 2 * _EDGE, 200.0), height + (_KEY if values else 0), title, description)
    for region in regions:
        _draw(svg, region, view, values)
    for region in regions:
        _name(svg, region, view, values)
    if values:
        _key(svg, height, (values[0], values[-1]), regions, unit)
    return svg.render()


def _draw(svg: Svg, region: Region, view: _View, values: Sequence[float]) -> None:
    rings = [[view.point(place) for place in ring] for ring in region.rings]
    known = region.value is not None
    svg.path(
        outlines(rings),
        fill=_shade(_step(region.value, values)) if region.value is not None else PAPER,
        fill_rule="evenodd",
        stroke=INK if known else MUTED,
        stroke_width=0.8,
        stroke_dasharray="none" if known else "3 2",
        stroke_linejoin="round",
    )
    svg.tip(f"{region.name}: {region.text or 'no data'}{f' ({region.more})' if region.more else ''}")


def _name(svg: Svg, region: Region, view: _View, values: Sequence[float]) -> None:
    corners = [view.point(place) for ring in region.rings for place in ring]
    if not corners:
        return
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    if text_width(region.name, SMALL_SIZE) > right - left - 4 or bottom - top < SMALL_SIZE + 4:
        return
    ink = on(_shade(_step(region.value, values))) if region.value is not None else INK
    middle = (left + right) / 2
    two = bool(region.text) and bottom - top > 2.6 * SMALL_SIZE
    y = (top + bottom) / 2 + (0 if two else 4)
    svg.text((middle, y), region.name, size=SMALL_SIZE, fill=ink, anchor="middle", font_weight="600")
    if two:
        svg.text((middle, y + 13), region.text, size=SMALL_SIZE, fill=ink, anchor="middle")


def _step(value: float, values: Sequence[float]) -> int:
    low, high = values[0], values[-1]
    if high <= low:
        return _STEPS // 2
    return min(int((value - low) / (high - low) * _STEPS), _STEPS - 1)


def _shade(step: int) -> str:
    share = step / (_STEPS - 1)
    parts = [
        round(int(_PALE[at : at + 2], 16) * (1 - share) + int(ACCENT[at : at + 2], 16) * share) for at in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _key(svg: Svg, y: float, ends: tuple[float, float], regions: Sequence[Region], unit: str) -> None:
    texts = {region.value: region.text for region in regions}
    for step in range(_STEPS):
        svg.rect(_EDGE + step * 24, y + 4, 24, 12, fill=_shade(step), stroke=RULE, stroke_width=0.6)
    low, high = (texts.get(end) or f"{end:g}" for end in ends)
    svg.text((_EDGE, y + 30), f"{low} to {high} {unit}".strip(), size=SMALL_SIZE, fill=MUTED)
