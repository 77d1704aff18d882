"""All charts by name: plain data in, SVG text out, one code for page, PDF and command line."""

from provender.paper.bar_charts import Bar, Reference, bar_chart, matrix_chart
from provender.paper.chain_diagram import Layer, Link, Node, chain_diagram
from provender.paper.lane_chart import Lane, Mark, lane_chart
from provender.paper.region_map import Region, region_map
from provender.paper.time_charts import WIDTH, Limit, Series, stacked_chart, step_chart
from provender.paper.two_widths import in_two_widths

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
