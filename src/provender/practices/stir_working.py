"""The STIR of a pass written out, so that whoever holds the paper alone can compute it (2100.002)."""

from collections.abc import Sequence
from typing import Final

from provender.catalog.operations import TYPE_LABELS, FieldOperation
from provender.exact import STIR_SCALE, show
from provender.practices.stir import NO_DISTURBANCE, PassStir, Tool

_FACTOR: Final = "1.625"
"""0.5 x 3.25, the two constants of the formula."""
_HUNDREDTHS: Final = 2
SEVERAL: Final = "several tools"


def working(listed: FieldOperation | None, used: PassStir, tools: Sequence[Tool] = ()) -> str:
    """Return a product with its units, such as ``1.625 x 5 mph x 0.80 x 7 in x 100 %``; empty where it is unknown.

    The factor between speed and depth is the tillage type's; a tool that disturbs nothing has 0.
    """
    if used.value is None:
        return ""
    if used.how == "tools" and used.speed_mph:
        gangs = " + ".join(_gang(one.tillage_type, one.depth_in, one.surface_pct) for one in tools)
        return f"{_FACTOR} x {show(used.speed_mph)} mph x ({gangs})"
    if used.how == "formula" and used.speed_mph and listed is not None and listed.tillage_type:
        gang = _gang(listed.tillage_type, used.depth_in, used.surface_pct)
        return f"{_FACTOR} x {show(used.speed_mph)} mph x {gang}"
    return "" if listed is None else _published(listed, used)


def tillage_type(listed: FieldOperation | None, tools: Sequence[Tool]) -> str:
    """Return the tillage type of a pass as people read it; empty where the list has none."""
    kinds = list(dict.fromkeys(one.tillage_type for one in tools))
    if kinds:
        return "; ".join(TYPE_LABELS.get(kind, "no disturbance") for kind in kinds)
    if listed is None or listed.tillage_type is None:
        return ""
    return SEVERAL if listed.several_tools else TYPE_LABELS[listed.tillage_type]


def _gang(kind: str, depth_in: int | None, surface_pct: int | None) -> str:
    factor = show(NO_DISTURBANCE[kind], _HUNDREDTHS, places=_HUNDREDTHS)
    return f"{factor} x {show(depth_in or 0)} in x {show(surface_pct or 0)} %"


def _published(listed: FieldOperation, used: PassStir) -> str:
    """Write the published value, moved to the recorded depth of the deepest gang and to the recorded speed."""
    text = show(listed.published_stir, STIR_SCALE)
    if used.depth_in and listed.depth_in and listed.gang_stir:
        part, depth = show(listed.gang_stir, STIR_SCALE), show(listed.depth_in)
        text = f"({text} + {part} x ({show(used.depth_in)} in - {depth} in) / {depth} in)"
    if used.how == "published, scaled by speed" and used.speed_mph and listed.speed_mph:
        text = f"{text} x {show(used.speed_mph)} mph / {show(listed.speed_mph)} mph"
    return f"published {text}"
