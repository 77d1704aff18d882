"""All charts by name: plain data in, SVG text out, one code for page, PDF and command line.

A page shows one of two drawings, for a desk and for a phone, so that neither is shrunk nor slid sideways.
"""

from collections.abc import Callable
from typing import Final

from provender.paper.bar_charts import Bar, Reference, bar_chart, matrix_chart
from provender.paper.chain_diagram import Layer, Link, Node, chain_diagram
from provender.paper.lane_chart import Lane, Mark, lane_chart
from provender.paper.region_map import Region, region_map
from provender.paper.time_charts import WIDTH, Limit, Series, stacked_chart, step_chart

NARROW: Final = 336.0
"""What a telephone of 390 points leaves for a drawing, so that its letters keep their size."""


def in_two_widths(draw: Callable[[float], str]) -> str:
    """Return both drawings of a chart, each in an element that says which it is; empty where nothing is drawn.

    Args:
        draw: makes the drawing in a width.
    """
    wide = draw(WIDTH)
    return wide and f'<div class="wide">{wide}</div><div class="narrow">{draw(NARROW)}</div>'


__all__ = [
    "WIDTH",
    "Bar",
    "Lane",
    "Layer",
    "Limit",
    "Link",
    "Mark",
    "Node",
    "Reference",
    "Region",
    "Series",
    "bar_chart",
    "chain_diagram",
    "in_two_widths",
    "lane_chart",
    "matrix_chart",
    "region_map",
    "stacked_chart",
    "step_chart",
]
