"""The ground to look at first, as a table for a screen."""

from typing import TYPE_CHECKING, Final

from rich.table import Table
from rich.text import Text

from provender.quantity import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provender.audit.findings.field_priorities import FieldPriority

NO_BREAK: Final = "\u00a0"
PLACES: Final = 12
"""Units named on the screen; a farm of forty fields has more than anybody reads there."""


def places_table(places: "Sequence[FieldPriority]") -> Table:
    """Return the ground to look at first, as many lines as a screen bears."""
    table = Table("Where to look first", "Practices", "At stake", "What to see", show_lines=True)
    for one in places[:PLACES]:
        at = one.at.replace(" ", NO_BREAK)
        spot = "\n".join(filter(None, (f"{one.farm or one.farm_id}, unit {one.unit}", one.county, at)))
        bushels = "" if one.bushels is None else f"{show(one.bushels, group=True)} bu"
        tonnes = one.tonnes and f"{one.tonnes} t CO2e"
        practices = "\n".join(name.replace("_", " ") for name in one.practices)
        stake = "\n".join(filter(None, (bushels, tonnes)))
        table.add_row(Text(spot), Text(practices), Text(stake), Text("\n".join(one.see)))
    more = len(places) - PLACES
    table.caption = f"and {more} more units with less at stake; --json names them all" if more > 0 else None
    return table
