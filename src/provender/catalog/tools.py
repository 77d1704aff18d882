"""Which tools a composite implement carries, where a published database names them.

From the RUSLE2 operation database of about 2013. Their sum gives the published STIR for a third of the composites only,
so the list explains an implement; the published value counts unless a farm records the tools of its own implement.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from provender.catalog.names import fold
from provender.catalog.tables import text
from provender.quantity import parse


@dataclass(frozen=True, slots=True)
class CompositeTools:
    """The tools of one composite implement.

    Attributes:
        name: of the implement.
        speed_mph, speed_mph_min, speed_mph_max: recommended speeds, thousandths.
        tools: names of the tools from front to back; most of them are operations of the list themselves.
    """

    name: str
    speed_mph: int
    speed_mph_min: int
    speed_mph_max: int
    tools: tuple[str, ...]


def tools_of(name: str) -> CompositeTools | None:
    """Return the tools of an implement by its name, without regard to case or spacing."""
    return _by_key().get(fold(name))


@cache
def _by_key() -> Mapping[str, CompositeTools]:
    found: dict[str, CompositeTools] = {}
    for row in json.loads(text("stir_composite_tools.json"), parse_float=str, parse_int=str):
        speed, least, most = (parse(one) for one in row["speed"])
        composite = CompositeTools(row["operation"], speed, least, most, tuple(row["components"]))
        found.setdefault(fold(composite.name), composite)
    return found
