"""A figure that a source prints as one number or as a range."""

import re
from typing import Final, NamedTuple

from provender.quantity import SCALE, parse

_SPAN: Final = re.compile(r"(?P<least>\d+(?:\.\d+)?)(?:\s*-\s*(?P<most>\d+(?:\.\d+)?))?")


class Span(NamedTuple):
    """The least and the most a source gives, in thousandths; equal where it gives one number."""

    least: int
    most: int


def span(cell: str, scale: int = SCALE) -> Span | None:
    """Read a cell such as ``0.37`` or ``50-100``; None where it is blank or says it in words."""
    found = _SPAN.fullmatch(cell.strip())
    if found is None:
        return None
    least = parse(found["least"], scale)
    return Span(least, parse(found["most"], scale) if found["most"] else least)
