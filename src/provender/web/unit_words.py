"""Units of measure as people write them beside a label."""

from typing import Final

from provender.records.field import Field

SIGNS: Final[dict[str, str]] = {"pct": "%", "g CO2e/bu": "g CO₂e/bu", "amount": "", "rate": "", "ph": ""}
"""Where the sign is another than the unit's name; the last three are no units, the label says it all."""


def sign(unit: str) -> str:
    """Return a unit as people write it: ``pct`` is %."""
    return SIGNS.get(unit, unit)


def heading(found: Field) -> str:
    """Return the label of a column with its unit."""
    unit = sign(found.unit)
    return f"{found.label} ({unit})" if unit and unit != found.label.lower() else found.label
