"""One chart of each kind from made-up data."""

from collections.abc import Callable
from datetime import date
from typing import Final

from provender.paper.charts import (
    Bar,
    Lane,
    Limit,
    Mark,
    Reference,
    Series,
    bar_chart,
    lane_chart,
    matrix_chart,
    stacked_chart,
    step_chart,
)
from provender.paper.diagrams import Layer, Link, Node, Region, chain_diagram, region_map


def steps(name: str = "N 40") -> str:
    points = [(date(2025, 10, 20), 0.0), (date(2025, 11, 2), 7.23), (date(2026, 4, 18), 16.2), (date(2026, 5, 3), 20.0)]
    notes = ["Harvest of soybeans", "Strip tillage, STIR 7.23", "Injection, STIR 8.97", "Planting, STIR 3.80"]
    other = [(date(2025, 10, 20), 0.0), (date(2025, 11, 9), 26.0), (date(2026, 4, 25), 52.0), (date(2026, 10, 3), 52.5)]
    return step_chart(
        [Series(name, points, notes), Series("S 80", other)],
        title="STIR over the crop interval",
        description="STIR builds up pass by pass; N 40 ends at 20, on the no-till limit.",
        unit="STIR",
        limits=[Limit("no-till: at most 20", 20), Limit("reduced till: at most 80", 80)],
    )


def stock(name: str = "CI 27,310.55") -> str:
    days = [date(2026, 10, 1), date(2026, 11, 15), date(2027, 1, 10), date(2027, 3, 1)]
    return stacked_chart(
        [
            Series(name, list(zip(days, [0, 120_000, 90_000, 20_000], strict=True))),
            Series("CI 28,004.10", list(zip(days[1:], [60_000, 45_000, 45_000], strict=True))),
            Series("CI 26,199.00", list(zip(days[:3], [30_000, 80_000, 0], strict=True))),
            Series("conventional", list(zip(days, [50_000, 210_000, 160_000, 90_000], strict=True))),
        ],
        title="Stock by carbon intensity",
        description="Four layers of stock from October to March.",
        unit="bushels",
        until=date(2027, 3, 31),
    )


def bars(name: str = "Bluestem Farm, corn 2026") -> str:
    return bar_chart(
        [
            Bar(name, 27310.55, "27,310.55"),
            Bar("Field N 40, no-till and cover crop", 22104.0, "22,104.00"),
            Bar("Field S 80, conventional", 29150.37, "29,150.37", pale=True),
        ],
        title="Carbon intensity against the national average",
        description="The farm lies 6.3 % below the national average.",
        unit="g CO\u2082e/bu",
        reference=Reference("national average 29,150.37", 29150.37),
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
    return matrix_chart(rows, columns, cells, title="Practices by unit", description="Verdicts of four units.")


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
            Region("Dallas", [box(-94.2, 41.65)]),
        ],
        title="Mean carbon intensity by county",
        description="Three counties with farms, one without.",
        unit="g CO\u2082e/bu",
    )


def lanes(name: str = "Home quarter") -> str:
    day = date(2026, 4, 18)
    season = [Lane(name, [Mark(day, "Strip tillage"), Mark(day, "Cover", date(2026, 5, 2))])]
    return lane_chart([*season, Lane("S 80", [Mark(date(2026, 5, 3), "Planting")])], title="Season", description="Two.")


CHARTS: Final[dict[str, Callable[..., str]]] = {
    draw.__name__: draw for draw in (lanes, steps, stock, bars, matrix, chain, counties)
}
