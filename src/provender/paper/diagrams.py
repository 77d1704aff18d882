"""Pictures of who handed what to whom, and maps of regions given as plain coordinates."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from provender.paper import svg as draw

WIDTH: Final = 720.0

_TOP: Final = 30.0
_GAP_SHARE: Final = 0.42
_ROOMY: Final = 40.0
_TIGHT: Final = 17.0
_BETWEEN: Final = 8.0
_PLENTY: Final = 10
_BOLD: Final = 0.8
"""Bold letters of the widest font a browser may fall back to need that much more room than plain ones of ours."""
_WIDEST: Final = 26.0
_TALL: Final = 160.0
"""The highest box of a layer that stands beside one with many boxes: so wide may its bands be together."""
_MOST_GAP: Final = 0.6
"""The largest share of a column and its gap that may be gap; amounts that need more stand in the tool tips alone."""
_WORDS: Final = draw.SMALL_SIZE - 1
"""The size of the words on a band."""
_HAIR: Final = 0.8
"""The thinnest band, whatever its weight."""


@dataclass(frozen=True, slots=True)
class Node:
    """A box."""

    key: str  # what links refer to; unique in the diagram
    name: str  # who it is
    note: str = ""  # one short line beneath, such as the bushels held


@dataclass(frozen=True, slots=True)
class Link:
    """A band from one box to another."""

    giver: str  # keys of the boxes; the taker stands in a later layer
    taker: str  # keys of the boxes; the taker stands in a later layer
    weight: float  # how much, in the same unit for all links, not negative
    text: str = ""  # the amount as it is printed


@dataclass(frozen=True, slots=True)
class Layer:
    """A column of boxes under a heading."""

    name: str
    nodes: Sequence[Node]


@dataclass(frozen=True, slots=True)
class _Box:
    node: Node
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Stop:
    """Where a band passes a column: at its left and at its right edge, at one height."""

    left: float
    right: float
    y: float


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is known before anything has a place."""

    layers: Sequence[Layer]  # the columns
    links: Sequence[Link]  # the bands
    level: Mapping[str, int]  # which column a box stands in
    weight: Mapping[str, float]  # the larger of what comes into a box and what leaves it
    scale: float  # units of band per unit of weight
    wide: float  # the width of a column
    gap: float  # the room between two columns

    def left(self, across: int) -> float:
        return across * (self.wide + self.gap)

    def lines(self, across: int, node: Node) -> tuple[list[str], list[str]]:
        """Return the lines of a box's name and of its note; among many boxes the note is in the tool tip only."""
        room = self.wide - 14
        noted = node.note and not self.dense(across)
        note = draw.wrapped(node.note, room, draw.SMALL_SIZE) if noted else []
        return draw.wrapped(node.name, room * _BOLD, draw.SMALL_SIZE), note

    def dense(self, across: int) -> bool:
        return len(self.layers[across].nodes) > _PLENTY

    def high(self, across: int, node: Node) -> float:
        """Return the height of a box: as much as its bands and its words need, which are one line among many boxes."""
        words = sum(map(len, self.lines(across, node))) * draw.LINE
        if self.dense(across):
            return max(_TIGHT, words + 5)
        return max(_ROOMY, words + 14, self.weight.get(node.key, 0.0) * self.scale + 4)

    def between(self, across: int) -> float:
        return _BETWEEN / 2 if self.dense(across) else _BETWEEN

    def passing(self, across: int) -> list[Link]:
        """Return the bands that pass a column without ending there, by their takers, the farthest giver first."""
        found = [one for one in self.links if self.level[one.giver] < across < self.level[one.taker]]
        order = {node.key: at for layer in self.layers for at, node in enumerate(layer.nodes)}
        return sorted(found, key=lambda one: (order[one.taker], self.level[one.giver], order[one.giver]))

    def band(self, link: Link) -> float:
        return max(link.weight * self.scale, _HAIR)

    def lane(self, across: int) -> float:
        """Return how much of a column's height the passing bands take."""
        passing = self.passing(across)
        return sum(self.band(one) + 1 for one in passing) + _BETWEEN if passing else 0.0

    def stack(self, across: int) -> float:
        boxes = sum(self.high(across, node) + self.between(across) for node in self.layers[across].nodes)
        return boxes + self.lane(across)


def chain_diagram(
    layers: Sequence[Layer], links: Sequence[Link], *, title: str, description: str, width: float = WIDTH
) -> str:
    """Draw a chain of custody: farms, elevators, crushers, refiners, and what went between them.

    No words are cut: they go on in a line below, and boxes grow with them and with their bands. With more than ten
    boxes in a layer their notes move to their tool tips. A band that skips a layer passes above that layer's boxes,
    never behind one of them.

    Returns:
        SVG text.

    Raises:
        KeyError: a link names a box that is not there.
    """
    plan = _plan(layers, links, width)
    headings = [draw.wrapped(layer.name, (plan.wide + plan.gap - 8) * _BOLD, draw.SMALL_SIZE) for layer in layers]
    top = _TOP + draw.LINE * (max(map(len, headings), default=1) - 1)
    height = max((plan.stack(across) for across in range(len(layers))), default=0.0)
    svg = draw.Svg(width, top + height + 8, title, description)
    boxes, stops = _place(plan, top, height)
    for across, lines in enumerate(headings):
        if layers[across].nodes:
            svg.lines((plan.left(across) + 1, 14), lines, fill=draw.MUTED, font_weight="600")
    _draw_links(svg, plan, boxes, stops)
    for box in boxes.values():
        _draw_box(svg, box, *plan.lines(plan.level[box.node.key], box.node))
    return svg.render()


def _plan(layers: Sequence[Layer], links: Sequence[Link], width: float) -> _Plan:
    level = {node.key: across for across, layer in enumerate(layers) for node in layer.nodes}
    out, into = _sums((one.giver, one.weight) for one in links), _sums((one.taker, one.weight) for one in links)
    weight = {key: max(out.get(key, 0.0), into.get(key, 0.0)) for key in out.keys() | into.keys()}
    count = max(len(layers), 1)
    wide = width / (count + (count - 1) * _GAP_SHARE)
    needed = _words_width(links)
    if (gap := wide * _GAP_SHARE) < needed <= width / count * _MOST_GAP:
        gap = needed
        wide = (width - (count - 1) * gap) / count
    return _Plan(layers, links, level, weight, _scale(layers, weight), wide, gap)


def _words_width(links: Sequence[Link]) -> float:
    """Return the room that the longest word on a band needs; 0 where the bands are too many to carry words."""
    words = [part for link in links for part in link.text.split()] if len(links) <= _PLENTY else []
    return max((draw.text_width(part, _WORDS) + 2 for part in words), default=0.0)


def _scale(layers: Sequence[Layer], weight: Mapping[str, float]) -> float:
    """Return units of band per unit of weight, so that all bands of a box fit its side."""
    most = max(weight.values(), default=0.0)
    dense = [node.key for layer in layers if len(layer.nodes) > _PLENTY for node in layer.nodes]
    thick = max((weight.get(key, 0.0) for key in dense), default=0.0)
    if most <= 0:
        return 0.0
    roomy = (_TALL - 4 if dense else _WIDEST) / most
    return min(roomy, (_TIGHT - 4) / thick) if thick else roomy


def _place(plan: _Plan, top: float, height: float) -> tuple[dict[str, _Box], dict[tuple[int, int], _Stop]]:
    """Return the boxes by key, and where each band that skips a column passes it, by band and column."""
    boxes: dict[str, _Box] = {}
    stops: dict[tuple[int, int], _Stop] = {}
    for across, layer in enumerate(plan.layers):
        x = plan.left(across)
        y = top + (height - plan.stack(across)) / 2
        for link in plan.passing(across):
            band = plan.band(link)
            stops[id(link), across] = _Stop(x, x + plan.wide, y + band / 2)
            y += band + 1
        y += _BETWEEN if plan.passing(across) else 0
        for node in layer.nodes:
            high = plan.high(across, node)
            boxes[node.key] = _Box(node, x + 1, y, plan.wide - 2, high)
            y += high + plan.between(across)
    return boxes, stops


def _draw_links(svg: draw.Svg, plan: _Plan, boxes: Mapping[str, _Box], stops: Mapping[tuple[int, int], _Stop]) -> None:
    """Draw bands side by side where they leave and arrive, in the order of where they go and come from."""
    ways = {
        id(link): [stops[id(link), across] for across in range(plan.level[link.giver] + 1, plan.level[link.taker])]
        for link in plan.links
    }

    def toward(link: Link) -> tuple[float, float]:
        way, taker = ways[id(link)], boxes[link.taker]
        return (way[0].y if way else taker.y, taker.y)

    def since(link: Link) -> tuple[float, float]:
        way, giver = ways[id(link)], boxes[link.giver]
        return (way[-1].y if way else giver.y, giver.y)

    starts = _ports(plan, boxes, sorted(plan.links, key=toward), giving=True)
    ends = _ports(plan, boxes, sorted(plan.links, key=since), giving=False)
    labels = []
    for link in sorted(plan.links, key=lambda one: (boxes[one.giver].y, boxes[one.taker].y)):
        giver, taker, way = boxes[link.giver], boxes[link.taker], ways[id(link)]
        leave = _Stop(giver.x, giver.x + giver.width, starts[id(link)])
        points = [leave, *way, _Stop(taker.x, taker.x, ends[id(link)])]
        svg.path(_band_path(points), fill="none", stroke=draw.ACCENT, stroke_width=plan.band(link), stroke_opacity=0.35)
        svg.tip(f"{giver.node.name} \u2192 {taker.node.name}: {link.text or draw.number(link.weight)}")
        first, second = points[0], points[1]
        x, y = (first.right + second.left) / 2, (first.y + second.y) / 2
        labels.append((x, y, link.text, second.left - first.right))
    if len(labels) <= _PLENTY and _words_width(plan.links) <= plan.gap:
        for x, y, words, room in labels:
            lines = draw.wrapped(words, room, _WORDS)
            svg.lines((x, y + 4 - (len(lines) - 1) * draw.LINE / 2), lines, halo=True, size=_WORDS, anchor="middle")


def _band_path(points: Sequence[_Stop]) -> str:
    """Return the commands of a band: bent between the columns, straight where it passes one."""
    path = f"M{draw.number(points[0].right)} {draw.number(points[0].y)}"
    for before, after in pairwise(points):
        bend = (after.left - before.right) / 2
        curve = [(before.right + bend, before.y), (after.left - bend, after.y), (after.left, after.y)]
        path += "C" + " ".join(f"{draw.number(x)} {draw.number(y)}" for x, y in curve)
        path += f"L{draw.number(after.right)} {draw.number(after.y)}" if after.right > after.left else ""
    return path


def _ports(plan: _Plan, boxes: Mapping[str, _Box], links: Sequence[Link], *, giving: bool) -> dict[int, float]:
    """Return the height at which each band leaves its giver or reaches its taker, stacked around the middle."""
    sums = _sums((one.giver if giving else one.taker, one.weight) for one in links)
    used: defaultdict[str, float] = defaultdict(float)
    found: dict[int, float] = {}
    for link in links:
        key = link.giver if giving else link.taker
        middle = boxes[key].y + boxes[key].height / 2
        found[id(link)] = middle + (used[key] + link.weight / 2 - sums[key] / 2) * plan.scale
        used[key] += link.weight
    return found


def _sums(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    sums: defaultdict[str, float] = defaultdict(float)
    for key, weight in pairs:
        sums[key] += weight
    return sums


def _draw_box(svg: draw.Svg, box: _Box, name: Sequence[str], note: Sequence[str]) -> None:
    svg.rect(box.x, box.y, box.width, box.height, rx=3, fill=draw.FAINT, stroke=draw.ACCENT, stroke_width=1.2)
    svg.tip(f"{box.node.name}{': ' if box.node.note else ''}{box.node.note}")
    y = box.y + box.height / 2 + 3.5 - (len(name) + len(note) - 1) * draw.LINE / 2
    svg.lines((box.x + 6, y), name, font_weight="600")
    svg.lines((box.x + 6, y + len(name) * draw.LINE), note, fill=draw.MUTED)


# Maps of regions given as plain coordinates: counties shaded by an amount, fields in their outline.

_MAP_WIDTH: Final = 560.0
_TALLEST: Final = 620.0

_EDGE: Final = 6.0
_KEY: Final = 40.0
_BESIDE: Final = 48.0
_LETTERS: Final = 1.25
"""How much wider than reckoned a name may be set."""
_PALE: Final = "#e3ece7"
_STEPS: Final = 5

Ring = Sequence[draw.Point]


@dataclass(frozen=True, slots=True)
class Region:
    """One shape on the map."""

    name: str  # written in the shape where it fits
    # closed rings of (longitude, latitude) in degrees, one at least; rings inside others are holes
    rings: Sequence[Ring]
    value: float  # the amount it is shaded by
    text: str  # the amount as it is printed
    more: str = ""  # what is said beside it where somebody points at the shape


@dataclass(frozen=True, slots=True)
class _View:
    """From degrees to the drawing: east and west shortened by the cosine of the middle latitude."""

    west: float
    north: float
    scale: float
    squeeze: float

    def point(self, place: draw.Point) -> draw.Point:
        x = (place[0] - self.west) * self.squeeze * self.scale + _BESIDE
        return x, (self.north - place[1]) * self.scale + _EDGE


def region_map(regions: Sequence[Region], *, title: str, description: str) -> str:
    """Draw regions, shaded in five steps from pale to dark by their amount.

    A name that does not fit into its shape stands beside or below it, where there is room.

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
    scale = min((_MAP_WIDTH - 2 * _BESIDE) / wide, _TALLEST / high)
    view = _View(west, north, scale, squeeze)
    values = sorted(region.value for region in regions)
    height = high * scale + 2 * _EDGE
    svg = draw.Svg(max(wide * scale + 2 * _BESIDE, 200.0), height + _KEY, title, description)
    for region in regions:
        _draw(svg, region, view, values)
    boxes = [_box(region, view) for region in regions]
    for region, box in zip(regions, list(boxes), strict=True):
        if not _name(svg, region, box, values):
            _name_beside(svg, region, box, boxes)
    _key(svg, height, {region.value: region.text for region in regions})
    return svg.render()


def _draw(svg: draw.Svg, region: Region, view: _View, values: Sequence[float]) -> None:
    rings = [[view.point(place) for place in ring] for ring in region.rings]
    fill = _shade(_step(region.value, values))
    svg.path(
        draw.outlines(rings), fill=fill, fill_rule="evenodd", stroke=draw.INK, stroke_width=0.8, stroke_linejoin="round"
    )
    svg.tip(f"{region.name}: {region.text}{f' ({region.more})' if region.more else ''}")


Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def _name(svg: draw.Svg, region: Region, box: Box, values: Sequence[float]) -> bool:
    """Write a region's name into it; return whether it fits."""
    left, top, right, bottom = box
    if draw.text_width(region.name, draw.SMALL_SIZE) > right - left - 4 or bottom - top < draw.SMALL_SIZE + 4:
        return False
    ink = draw.on(_shade(_step(region.value, values)))
    middle = (left + right) / 2
    two = bottom - top > 2.6 * draw.SMALL_SIZE
    y = (top + bottom) / 2 + (0 if two else 4)
    svg.text((middle, y), region.name, size=draw.SMALL_SIZE, fill=ink, anchor="middle", font_weight="600")
    if two:
        svg.text((middle, y + 13), region.text, size=draw.SMALL_SIZE, fill=ink, anchor="middle")
    return True


def _box(region: Region, view: _View) -> Box:
    corners = [view.point(place) for ring in region.rings for place in ring]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return min(xs), min(ys), max(xs), max(ys)


def _name_beside(svg: draw.Svg, region: Region, box: Box, boxes: list[Box]) -> None:
    """Write a name to the right of a shape, else below it, and keep its place free."""
    left, top, right, bottom = box
    wide = draw.text_width(region.name, draw.SMALL_SIZE) * _LETTERS
    middle = (top + bottom) / 2
    spots = (
        (right + 3, middle + 4, "start"),
        (left - wide - 3, middle + 4, "end"),
        (left, bottom + draw.SMALL_SIZE, "start"),
    )
    for x, y, anchor in spots:
        taken = (x, y - draw.SMALL_SIZE, x + wide, y + 1)
        free = all(taken[0] > b[2] or taken[2] < b[0] or taken[1] > b[3] or taken[3] < b[1] for b in boxes)
        if free and x > 0 and x + wide < svg.width:
            at = x + wide if anchor == "end" else x
            svg.text((at, y), region.name, size=draw.SMALL_SIZE, fill=draw.INK, anchor=anchor)
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
        round(int(_PALE[at : at + 2], 16) * (1 - share) + int(draw.ACCENT[at : at + 2], 16) * share) for at in (1, 3, 5)
    ]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _key(svg: draw.Svg, y: float, texts: Mapping[float, str]) -> None:
    for step in range(_STEPS):
        svg.rect(_EDGE + step * 24, y + 4, 24, 12, fill=_shade(step), stroke=draw.RULE, stroke_width=0.6)
    svg.text((_EDGE, y + 30), f"{texts[min(texts)]} to {texts[max(texts)]}", size=draw.SMALL_SIZE, fill=draw.MUTED)
