"""Who handed what to whom: layers of boxes from left to right with bands as wide as their weight."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provender.paper.palette import ACCENT, FAINT, INK, MUTED
from provender.paper.svg import SMALL_SIZE, Svg, number, shorten

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


@dataclass(frozen=True, slots=True)
class Node:
    """A box.

    Attributes:
        key: what links refer to; unique in the diagram.
        name: who it is.
        note: one short line beneath, such as the bushels held.
    """

    key: str
    name: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A band from one box to another.

    Attributes:
        giver, taker: keys of the boxes; the taker stands in a later layer.
        weight: how much, in the same unit for all links, not negative.
        text: the amount as it is printed.
    """

    giver: str
    taker: str
    weight: float
    text: str = ""


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


def chain_diagram(
    layers: Sequence[Layer], links: Sequence[Link], *, title: str, description: str, width: float = WIDTH
) -> str:
    """Draw a chain of custody: farms, elevators, crushers, refiners, and what went between them.

    With more than ten boxes in a layer the boxes are one line high and the notes move to their tool tips.

    Returns:
        SVG text.

    Raises:
        KeyError: a link names a box that is not there.
    """
    most = max((len(layer.nodes) for layer in layers), default=0)
    high = _ROOMY if most <= _PLENTY else _TIGHT
    between = _BETWEEN if high == _ROOMY else _BETWEEN / 2
    height = most * (high + between)
    svg = Svg(width, _TOP + height + 8, title, description)
    boxes = _place(layers, width, height, high, between)
    for layer in layers:
        first = boxes[layer.nodes[0].key] if layer.nodes else None
        if first:
            heading = shorten(layer.name, first.width * (1 + _GAP_SHARE) - 8, SMALL_SIZE)
            svg.text((first.x, 14), heading, size=SMALL_SIZE, fill=MUTED, font_weight="600")
    _draw_links(svg, boxes, links)
    for box in boxes.values():
        _draw_box(svg, box)
    return svg.render()


def _place(layers: Sequence[Layer], width: float, height: float, high: float, between: float) -> dict[str, _Box]:
    count = max(len(layers), 1)
    wide = width / (count + (count - 1) * _GAP_SHARE)
    boxes: dict[str, _Box] = {}
    for across, layer in enumerate(layers):
        x = across * wide * (1 + _GAP_SHARE)
        free = height - len(layer.nodes) * (high + between)
        for down, node in enumerate(layer.nodes):
            y = _TOP + free / 2 + down * (high + between)
            boxes[node.key] = _Box(node, x + 1, y, wide - 2, high)
    return boxes


def _draw_links(svg: Svg, boxes: Mapping[str, _Box], links: Sequence[Link]) -> None:
    """Draw bands side by side where they leave and arrive, the widest first so that thin ones stay on top."""
    scale = _scale(boxes, links)
    left: defaultdict[str, float] = defaultdict(float)
    taken: defaultdict[str, float] = defaultdict(float)
    out = _sums((link.giver, link.weight) for link in links)
    into = _sums((link.taker, link.weight) for link in links)
    labels = []
    for link in sorted(links, key=lambda one: (boxes[one.giver].y, boxes[one.taker].y)):
        giver, taker = boxes[link.giver], boxes[link.taker]
        band = max(link.weight * scale, 0.8)
        start = giver.y + giver.height / 2 + (left[link.giver] + link.weight / 2 - out[link.giver] / 2) * scale
        end = taker.y + taker.height / 2 + (taken[link.taker] + link.weight / 2 - into[link.taker] / 2) * scale
        left[link.giver] += link.weight
        taken[link.taker] += link.weight
        x1, x2 = giver.x + giver.width, taker.x
        bend = (x2 - x1) / 2
        curve = [(x1, start), (x1 + bend, start), (x2 - bend, end), (x2, end)]
        (a, b), *rest = curve
        path = f"M{number(a)} {number(b)}C" + " ".join(f"{number(x)} {number(y)}" for x, y in rest)
        svg.path(path, fill="none", stroke=ACCENT, stroke_width=band, stroke_opacity=0.35)
        svg.tip(f"{giver.node.name} \u2192 {taker.node.name}: {link.text or number(link.weight)}")
        labels.append(((x1 + x2) / 2, (start + end) / 2, link.text, x2 - x1))
    if len(labels) <= _PLENTY:
        for x, y, words, room in labels:
            svg.halo_text((x, y + 4), shorten(words, room, SMALL_SIZE - 1), size=SMALL_SIZE - 1, anchor="middle")


def _sums(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    sums: defaultdict[str, float] = defaultdict(float)
    for key, weight in pairs:
        sums[key] += weight
    return sums


def _scale(boxes: Mapping[str, _Box], links: Sequence[Link]) -> float:
    """Return units of band per unit of weight, so that all bands of a box fit its side."""
    sides = [
        *_sums((link.giver, link.weight) for link in links).values(),
        *_sums((link.taker, link.weight) for link in links).values(),
    ]
    room = min((box.height for box in boxes.values()), default=_ROOMY) - 4
    return min(room, _WIDEST) / max(sides, default=1.0) if max(sides, default=0) > 0 else 0.0


def _draw_box(svg: Svg, box: _Box) -> None:
    svg.rect(box.x, box.y, box.width, box.height, rx=3, fill=FAINT, stroke=ACCENT, stroke_width=1.2)
    svg.tip(f"{box.node.name}{': ' if box.node.note else ''}{box.node.note}")
    two = bool(box.node.note) and box.height == _ROOMY
    middle = box.y + box.height / 2 + 4
    name = shorten(box.node.name, (box.width - 12) * _BOLD, SMALL_SIZE)
    svg.text((box.x + 6, middle - 7 if two else middle), name, size=SMALL_SIZE, fill=INK, font_weight="600")
    if two:
        note = shorten(box.node.note, box.width - 12, SMALL_SIZE)
        svg.text((box.x + 6, middle + 8), note, size=SMALL_SIZE, fill=MUTED)
