"""Time zones of counties: days are days at the place of the party (interpretation 69)."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from provender.catalog.tables import rows

OTHERWISE: Final = "America/Chicago"
"""The zone of whoever names no State: most feedstock is grown and traded in it."""
SPOKEN: Final[Mapping[str, str]] = {
    "America/Adak": "Aleutian time",
    "America/Anchorage": "Alaska time",
    "America/Chicago": "Central time",
    "America/Denver": "Mountain time",
    "America/Detroit": "Eastern time",
    "America/Indiana/Indianapolis": "Eastern time",
    "America/Los_Angeles": "Pacific time",
    "America/New_York": "Eastern time",
    "America/Phoenix": "Arizona time",
    "America/Puerto_Rico": "Atlantic time",
    "Pacific/Honolulu": "Hawaii time",
}
"""What people call a zone."""


@cache
def _zones() -> Mapping[tuple[str, str], str]:
    return {(row["state"], row["county"].casefold()): row["zone"] for row in rows("time_zones.csv")}


def zone_of(county: str, state: str) -> str:
    """Return the zone of a county, such as ``America/Chicago``.

    Args:
        county: its name, with or without the word County; unknown ones have the zone of most of their State.
        state: two letters; empty or unknown ones have the zone of most of the Corn Belt.
    """
    place, name = state.strip().upper(), county.strip().casefold().removesuffix(" county")
    zones = _zones()
    return zones.get((place, name)) or zones.get((place, ""), OTHERWISE)
