"""One drawing for a desk and one for a phone, so that neither is shrunk nor slid sideways: the page shows one."""

from collections.abc import Callable
from typing import Final

from provender.paper.time_charts import WIDTH

NARROW: Final = 336.0
"""What a telephone of 390 points leaves for a drawing, so that its letters keep their size."""


def in_two_widths(draw: Callable[[float], str]) -> str:
    """Return both drawings of a chart, each in an element that says which it is; empty where nothing is drawn.

    Args:
        draw: makes the drawing in a width.
    """
    wide = draw(WIDTH)
    return wide and f'<div class="wide">{wide}</div><div class="narrow">{draw(NARROW)}</div>'
