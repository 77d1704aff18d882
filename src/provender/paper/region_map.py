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
_BESIDE: Final = 48.0
_LETTERS: Final = 1.25
"""How much wider than reckoned a name may be set."""
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
    edge: float = _EDGE

    def point(self, place: Point) -> Point:
        x = (place[0] - self.west) * self.squeeze * self.scale + self.edge
        return x, (self.north - place[1]) * self.scale + _EDGE


def region_map(
    regions: Sequence[Region],
    *,
    title: str,
    description: str,
    unit: str = "",
    width: float = WIDTH,
    beside: bool = False,
) -> str:
    """Draw regions, shaded in five steps from pale to dark by their amount.

    With ``beside`` a name that does not fit into its shape stands beside or below it, where there is room.

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
    edge = _BESIDE if beside else _EDGE
    scale = min((width - 2 * edge) / wide, TALLEST / high)
    view = _View(west, north, scale, squeeze, edge)
    values = sorted(region.value for region in regions if region.value is not None)
    height = high * scale + 2 * _EDGE
    svg = Svg(max(wide * scale + 2 * edge, 200.0), height + (_KEY if values else 0), title, description)
    for region in regions:
        _draw(svg, region, view, values)
    boxes = [_box(region, view) for region in regions if any(region.rings)]
    for region in regions:
        if not _name(svg, region, view, values) and beside and any(region.rings):
            _name_beside(svg, region, _box(region, view), boxes)
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


def _name(svg: Svg, region: Region, view: _View, values: Sequence[float]) -> bool:
    """Write a region's name into it; return whether it fits."""
    corners = [view.point(place) for ring in region.rings for place in ring]
    if not corners:
        return False
    left, top, right, bottom = _box(region, view)
    if text_width(region.name, SMALL_SIZE) > right - left - 4 or bottom - top < SMALL_SIZE + 4:
        return False
    ink = on(_shade(_step(region.value, values))) if region.value is not None else INK
    middle = (left + right) / 2
    two = bool(region.text) and bottom - top > 2.6 * SMALL_SIZE
    y = (top + bottom) / 2 + (0 if two else 4)
    svg.text((middle, y), region.name, size=SMALL_SIZE, fill=ink, anchor="middle", font_weight="600")
    if two:
        svg.text((middle, y + 13), region.text, size=SMALL_SIZE, fill=ink, anchor="middle")
    return True


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def _box(region: Region, view: _View) -> Box:
    corners = [view.point(place) for ring in region.rings for place in ring]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _name_beside(svg: Svg, region: Region, box: Box, boxes: list[Box]) -> None:
    """Write a name to the right of a shape, else below it, and keep its place free."""
    left, top, right, bottom = box
    wide = text_width(region.name, SMALL_SIZE) * _LETTERS
    middle = (top + bottom) / 2
    spots = (
        (right + 3, middle + 4, "start"),
        (left - wide - 3, middle + 4, "end"),
        (left, bottom + SMALL_SIZE, "start"),
    )
    for x, y, anchor in spots:
        taken = (x, y - SMALL_SIZE, x + wide, y + 1)
        free = all(taken[0] > b[2] or taken[2] < b[0] or taken[1] > b[3] or taken[3] < b[1] for b in boxes)
        if free and x > 0 and x + wide < svg.width:
            at = x + wide if anchor == "end" else x
            svg.text((at, y), region.name, size=SMALL_SIZE, fill=INK, anchor=anchor)
            boxes.append(taken)
            return


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
