"""The diagram of a chain: bands that skip a layer, boxes beside many others, and the file that stands alone."""

import pytest

from provender.paper.charts import Layer, Link, Node, chain_diagram
from provender.paper.svg import headed
from tests.paper.drawings import NAMESPACE, numbers, parsed


def test_a_band_that_skips_a_layer_passes_above_its_boxes_and_never_behind_one() -> None:
    layers = [Layer("l", [Node("a", "A")]), Layer("m", [Node("b", "B")]), Layer("n", [Node("c", "C")])]
    links = [Link("a", "b", 10), Link("a", "c", 30)]
    root = parsed(chain_diagram(layers, links, title="t", description="d"))
    box = list(root.iter(f"{NAMESPACE}rect"))[1]
    top, left, width = (float(box.get(name, "0")) for name in ("y", "x", "width"))
    (band,) = (one for one in root.iter(f"{NAMESPACE}path") if "L" in one.get("d", ""))
    xs, ys = (numbers(band.get("d", ""))[at::2] for at in (0, 1))
    inside = [y for x, y in zip(xs, ys, strict=True) if left - 2 <= x <= left + width + 2]
    assert len(inside) == 2
    assert max(inside) + float(band.get("stroke-width", "0")) / 2 < top


def test_beside_a_layer_of_many_boxes_the_others_grow_as_high_as_their_bands_and_show_their_notes() -> None:
    farms = [Node(f"f{at}", f"Farm {at}") for at in range(20)]
    layers = [Layer("l", farms), Layer("m", [Node("e", "Prairie Cooperative Elevator", "20,000 bu")])]
    drawn = chain_diagram(layers, [Link(farm.key, "e", 1_000) for farm in farms], title="t", description="d", width=300)
    root = parsed(drawn)
    bands = [float(one.get("stroke-width", "0")) for one in root.iter(f"{NAMESPACE}path")]
    heights = [float(one.get("height", "0")) for one in root.iter(f"{NAMESPACE}rect")]
    assert sum(bands) <= heights[-1] - 4 + 0.1
    assert sum(bands) > 100
    words = ["".join(one.itertext()) for one in root.iter(f"{NAMESPACE}text")]
    assert words[-3:] == ["Cooperative", "Elevator", "20,000 bu"]


def test_a_picture_that_stands_alone_says_above_what_it_shows() -> None:
    alone = headed(chain_diagram([Layer("l", [Node("a", "A & B")])], [], title="Who & whom", description="10 < 20 bu"))
    root = parsed(alone)
    words = ["".join(one.itertext()) for one in root.iter(f"{NAMESPACE}text")]
    assert words[:2] == ["Who & whom", "10 < 20 bu"]
    assert "A & B" in words
    with pytest.raises(ValueError, match="no picture"):
        headed("<svg/>")


def test_a_long_name_takes_two_lines_above_its_note() -> None:
    layers = [Layer("l", [Node("a", "Ada")]), Layer("m", [Node("b", "Sod Renewable Diesel", "5 bu")])]
    root = parsed(chain_diagram(layers, [], title="t", description="d", width=300))
    words = ["".join(one.itertext()) for one in root.iter(f"{NAMESPACE}text")]
    assert words[-3:] == ["Sod Renewable", "Diesel", "5 bu"]
    box, last = list(root.iter(f"{NAMESPACE}rect"))[-1], list(root.iter(f"{NAMESPACE}text"))[-1]
    assert float(last.get("y", "0")) < float(box.get("y", "0")) + float(box.get("height", "0")) - 2


@pytest.mark.parametrize("width", [720, 420])
def test_a_name_among_many_boxes_is_whole_and_so_is_an_amount_between_narrow_columns(width: float) -> None:
    name = "Quartermaine and Featherstonehaugh Brothers of the Upper Creek"
    farms = [Node("f0", name), *(Node(f"f{at}", f"Farm {at}") for at in range(1, 12))]
    columns = [Layer(f"l{at}", [Node(f"n{at}", f"N {at}")]) for at in range(4)]
    links = [Link("f0", "n0", 5, "1,234,567.891 bu")]
    drawn = chain_diagram([Layer("l", farms), *columns], links, title="t", description="d", width=width)
    texts = list(parsed(drawn).iter(f"{NAMESPACE}text"))
    words = ["".join(one.itertext()) for one in texts]
    assert ("1,234,567.891" in words) is (width > 420)
    assert "1,234,567.891 bu" in drawn
    first = 5 + 4 * (width > 420)  # a halo is a text of its own
    lines = words[first:]
    assert "".join(lines).replace(" ", "").startswith(name.replace(" ", ""))
    box = next(one for one in parsed(drawn).iter(f"{NAMESPACE}rect") if name in "".join(one.itertext()))
    last = texts[first + lines.index("Farm 1") - 1]
    assert float(last.get("y", "0")) < float(box.get("y", "0")) + float(box.get("height", "0"))
