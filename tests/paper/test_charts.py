"""Charts: well-formed, escaped, the same every time, nothing outside the picture, nothing by colour alone."""

import re
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element

import pytest
from defusedxml.ElementTree import fromstring
from hypothesis import given
from hypothesis import strategies as st

from provender.paper import charts
from provender.paper.diagrams import Layer, Link, Node, Region, chain_diagram, region_map
from provender.paper.pdf import qr_svg, render
from provender.paper.svg import Svg, day_ticks, headed, number, shown, text_width, ticks, wrapped

NAMESPACE: Final = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> Element:
    root: Element = fromstring(svg)
    return root


def words_in(root: Element) -> list[str]:
    return ["".join(one.itertext()) for one in root.iter(f"{NAMESPACE}text")]


def numbers(text: str) -> list[float]:
    return [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", text)]


def steps(name: str = "N 40") -> str:
    points = [(date(2025, 10, 20), 0.0), (date(2025, 11, 2), 7.23), (date(2026, 4, 18), 16.2), (date(2026, 5, 3), 20.0)]
    notes = ["Harvest of soybeans", "Strip tillage, STIR 7.23", "Injection, STIR 8.97", "Planting, STIR 3.80"]
    other = [(date(2025, 10, 20), 0.0), (date(2025, 11, 9), 26.0), (date(2026, 4, 25), 52.0), (date(2026, 10, 3), 52.5)]
    return charts.step_chart(
        [charts.Series(name, points, notes), charts.Series("S 80", other)],
        title="STIR over the crop interval",
        description="STIR builds up pass by pass; N 40 ends at 20, on the no-till limit.",
        unit="STIR",
        limits=[charts.Reference("no-till: at most 20", 20), charts.Reference("reduced till: at most 80", 80)],
    )


def stock(name: str = "CI 27,310.55") -> str:
    days = [date(2026, 10, 1), date(2026, 11, 15), date(2027, 1, 10), date(2027, 3, 1)]
    return charts.stacked_chart(
        [
            charts.Series(name, list(zip(days, [0, 120_000, 90_000, 20_000], strict=True))),
            charts.Series("CI 28,004.10", list(zip(days[1:], [60_000, 45_000, 45_000], strict=True))),
            charts.Series("CI 26,199.00", list(zip(days[:3], [30_000, 80_000, 0], strict=True))),
            charts.Series("conventional", list(zip(days, [50_000, 210_000, 160_000, 90_000], strict=True))),
        ],
        title="Stock by carbon intensity",
        description="Four layers of stock from October to March.",
        unit="bushels",
        until=date(2027, 3, 31),
    )


def bars(name: str = "Bluestem Farm, corn 2026") -> str:
    return charts.bar_chart(
        [
            charts.Bar(name, 27310.55, "27,310.55"),
            charts.Bar("Field N 40, no-till and cover crop", 22104.0, "22,104.00"),
            charts.Bar("Field S 80, conventional", 29150.37, "29,150.37", pale=True),
        ],
        title="Carbon intensity against the national average",
        description="The farm lies 6.3 % below the national average.",
        unit="g CO\u2082e/bu",
        reference=charts.Reference("national average 29,150.37", 29150.37),
    )


def matrix(name: str = "N 40") -> str:
    rows = [name, "S 80", "West bottom", "Home quarter, north of the creek"]
    columns = ["No-till", "Reduced till", "Cover crop", "Nitrification inhibitor", "No fall N", "Split in-season N"]
    verdicts = ["met", "not met", "not shown", ""]
    cells = {
        (row, column): verdicts[(down * 2 + across) % 4]
        for down, row in enumerate(rows)
        for across, column in enumerate(columns)
    }
    return charts.matrix_chart(rows, columns, cells, title="Practices by unit", description="Verdicts of four units.")


def chain(name: str = "Farm 1") -> str:
    farms = [Node(f"f{number}", f"Farm {number}" if number > 1 else name, "12,000 bu") for number in range(1, 7)]
    layers = [
        Layer("Farms", farms),
        Layer("First point of aggregation", [Node("e1", "Prairie Elevator", "60,000 bu"), Node("e2", "River site")]),
        Layer("Crusher", [Node("c", "Crushing plant", "660,000 lb oil")]),
        Layer("Refiner", [Node("r", "Refiner", "84,000 gal")]),
    ]
    links = [Link(farm.key, "e1" if at % 3 else "e2", 10_000 + at * 4_000) for at, farm in enumerate(farms)]
    links += [
        Link("e1", "c", 80_000, "80,000 bu"),
        Link("e2", "c", 30_000, "30,000 bu"),
        Link("c", "r", 110_000, "oil"),
    ]
    return chain_diagram(layers, links, title="From farms to refiner", description="Six farms, two sites, one refiner.")


def counties(name: str = "Story") -> str:
    def box(west: float, south: float) -> list[tuple[float, float]]:
        return [(west, south), (west + 0.5, south), (west + 0.55, south + 0.35), (west, south + 0.35), (west, south)]

    hole = [(-93.6, 42.1), (-93.5, 42.1), (-93.5, 42.2), (-93.6, 42.1)]
    return region_map(
        [
            Region(name, [box(-93.7, 42.0), hole], 27310.55, "27,310.55"),
            Region("Boone", [box(-94.2, 42.0)], 29004.0, "29,004.00"),
            Region("Polk", [box(-93.7, 41.65)], 26100.0, "26,100.00"),
        ],
        title="Mean carbon intensity by county",
        description="Three counties with farms.",
    )


CHARTS: Final[dict[str, Callable[..., str]]] = {
    draw.__name__: draw for draw in (steps, stock, bars, matrix, chain, counties)
}


HERE = Path(__file__).parent
NASTY = """</text><script>alert(1)</script> "' onload=x & \u202e\x00 \U0001f69c"""
DAY = date(2026, 1, 1)


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_has_a_title_is_the_same_every_time_and_stays_inside_the_picture(name: str) -> None:
    root = parsed(CHARTS[name]())
    assert root.get("role") == "img"
    assert root.get("aria-label") == root.findtext(f"{NAMESPACE}title")
    assert root.findtext(f"{NAMESPACE}desc")
    assert CHARTS[name]() == CHARTS[name]()
    _, _, width, height = numbers(root.get("viewBox", ""))
    for one in root:
        if one.tag.endswith("rect"):
            x, y = float(one.get("x", "0")), float(one.get("y", "0"))
            assert 0 <= x <= x + float(one.get("width", "0")) <= width + 0.5
            assert 0 <= y <= y + float(one.get("height", "0")) <= height + 0.5
        if one.tag.endswith("text"):
            assert 0 <= float(one.get("x", "0")) <= width
            assert 0 <= float(one.get("y", "0")) <= height


@pytest.mark.parametrize("name", CHARTS)
def test_hostile_names_stay_text(name: str) -> None:
    svg = CHARTS[name](NASTY)
    root = parsed(svg)
    allowed = {"svg", "title", "desc", "defs", "pattern", "rect", "line", "path", "circle", "text"}
    assert {one.tag.removeprefix(NAMESPACE) for one in root.iter()} <= allowed
    assert not any(key.lower().startswith("on") or "href" in key for one in root.iter() for key in one.attrib)
    assert "\u202e" not in svg
    assert "\x00" not in svg


@pytest.mark.slow
@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_prints_in_a_document(name: str) -> None:
    data: dict[str, object] = dict.fromkeys(("title", "subtitle", "notice", "watermark", "hash", "remark"), "x")
    data |= {"figures": [{"label": "a", "value": "1"}], "facts": [], "rows": [], "total": None, "fingerprint": ""}
    images = {"qr.svg": qr_svg("x"), "chart.svg": CHARTS[name](NASTY)}
    assert render(HERE / "data" / "sample.typ", {**data, "chart": "c"}, as_of=DAY, images=images).startswith(b"%PDF")


def test_nothing_is_told_by_color_alone_and_no_name_of_a_bar_is_cut() -> None:
    patterns = list(parsed(CHARTS["stock"]()).iter(f"{NAMESPACE}pattern"))
    marks = [one.find(f"{NAMESPACE}path").get("d") for one in patterns]  # type: ignore[union-attr]
    assert len(patterns) == len(set(marks)) == 3
    lines = list(parsed(CHARTS["steps"]()).iter(f"{NAMESPACE}path"))
    assert len({one.get("stroke-dasharray") for one in lines}) == 2
    words = "".join(one.text or "" for one in parsed(CHARTS["matrix"]()).iter(f"{NAMESPACE}text"))
    assert {"\u2713", "\u2717", "?"} <= set(words)
    name = "N40: No-till, Cover crop, Nitrification inhibitor, No fall application and Split in-season application"
    bars = [charts.Bar(name, 1, "1"), charts.Bar("B", 2, "2")]
    labels = words_in(parsed(charts.bar_chart(bars, title="CI of corn", description="", unit="g")))
    assert not any("\u2026" in word for word in labels)
    assert all(any(part in word for word in labels) for part in name.split())


LONG = "The home quarter north of the creek, rented from the estate of Ada Featherstonehaugh since 2019"


@pytest.mark.parametrize("name", [one for one in CHARTS if one != "counties"])
def test_no_label_is_cut_and_none_leaves_the_drawing(name: str) -> None:
    root = parsed(CHARTS[name](LONG))
    words = [one for one in root.iter(f"{NAMESPACE}text") if one.text]
    assert LONG.replace(" ", "") in "".join(one.text or "" for one in words).replace(" ", "")
    left, top, wide, high = numbers(str(root.get("viewBox")))
    for one in words:
        y, x, anchor = float(one.get("y", 0)), float(one.get("x", 0)), one.get("text-anchor", "start")
        width = text_width(one.text or "", float(one.get("font-size", 12)))
        start = {"start": x, "middle": x - width / 2, "end": x - width}[anchor]
        assert top <= y <= top + high, one.text
        if not one.get("transform"):
            assert left - 1 <= start
            assert start + width <= left + wide + 1, one.text


def test_a_value_on_the_limit_stands_on_its_line_and_little_or_nothing_is_drawn() -> None:
    root = parsed(CHARTS["steps"]())
    limit = next(one for one in root.iter(f"{NAMESPACE}line") if one.get("stroke-dasharray") == "6 4")
    last = [one for one in root.iter(f"{NAMESPACE}circle") if "3.80" in (one.findtext(f"{NAMESPACE}title") or "")]
    assert [one.get("cy") for one in last] == [limit.get("y1")]
    svg = charts.step_chart(
        [charts.Series("a", [(DAY, 10), (DAY + timedelta(days=50), 5)])], title="t", description="d", unit="u"
    )
    points = numbers(next(one for one in parsed(svg).iter(f"{NAMESPACE}path")).get("d", ""))
    assert points[1] == points[3]
    assert points[2] == points[4]
    for draw in (charts.step_chart, charts.stacked_chart):
        assert parsed(draw([charts.Series("a", [(DAY, 0)])], title="t", description="d", unit="u")) is not None
    with pytest.raises(ValueError, match="at least one day"):
        charts.step_chart([charts.Series("a", [])], title="t", description="d", unit="u")
    with pytest.raises(ValueError, match="at least one point"):
        region_map([Region("a", [], 1, "1")], title="t", description="d")
    with pytest.raises(KeyError):
        chain_diagram([Layer("l", [Node("a", "A")])], [Link("a", "b", 1)], title="t", description="d")
    assert parsed(chain_diagram([], [], title="t", description="d")) is not None
    layers = [Layer("l", [Node("a", "A")]), Layer("m", [Node("b", "B")])]
    assert parsed(chain_diagram(layers, [Link("a", "b", 0)], title="t", description="d")) is not None


def test_north_is_up_a_degree_east_shorter_and_a_picture_alone_says_what_it_shows() -> None:
    square = [(0.0, 60.0), (1.0, 60.0), (1.0, 61.0), (0.0, 61.0), (0.0, 60.0)]
    root = parsed(region_map([Region("a", [square], 1, "1")], title="t", description="d"))
    path = numbers(next(one for one in root.iter(f"{NAMESPACE}path")).get("d", ""))
    xs, ys = path[::2], path[1::2]
    assert ys[0] > ys[2]
    assert (max(xs) - min(xs)) / (max(ys) - min(ys)) == pytest.approx(0.492, abs=0.01)
    alone = headed(chain_diagram([Layer("l", [Node("a", "A & B")])], [], title="Who & whom", description="10 < 20 bu"))
    root = parsed(alone)
    words = words_in(root)
    assert words[:2] == ["Who & whom", "10 < 20 bu"]
    assert "A & B" in words
    with pytest.raises(ValueError, match="no picture"):
        headed("<svg/>")


@given(st.floats(1e-6, 1e12))
def test_axis_numbers_reach_the_top_in_few_even_steps(top: float) -> None:
    levels = ticks(top)
    assert levels[0] == 0
    assert levels[-1] >= top * (1 - 1e-9)
    assert 2 <= len(levels) <= 6


@given(st.dates(date(1990, 1, 1), date(2060, 1, 1)), st.integers(0, 5000))
def test_days_on_an_axis_lie_in_its_span_and_are_few(first: date, length: int) -> None:
    found = day_ticks(first, first + timedelta(days=length))
    assert len(found) <= 9
    assert all(first <= day <= first + timedelta(days=length) for day, _ in found)


def test_numbers_texts_and_tool_tips_are_written_as_they_are_measured() -> None:
    assert [number(one) for one in (1.0, -0.001, 2.346, 1e9)] == ["1", "0", "2.35", "1000000000"]
    lines = wrapped("a" * 100, 60)
    assert "".join(lines) == "a" * 100
    assert max(map(text_width, lines)) <= 60
    assert wrapped("short", 100) == ["short"]
    assert ticks(0) == [0.0, 1.0]
    assert [shown(one) for one in (0, 0.25, 12.5, 1234567)] == ["0", "0.25", "12.5", "1,234,567"]
    svg = Svg(10, 10, "t", "d")
    svg.rect(0, 0, 1, 1)
    svg.tip("<tip>")
    assert parsed(svg.render()).findtext(f"{NAMESPACE}rect/{NAMESPACE}title") == "<tip>"
