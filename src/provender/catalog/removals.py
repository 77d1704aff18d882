"""Nutrients that a harvest takes away, per unit of crop, by several sources that differ.

No source is the right one everywhere, so the source is a setting: a farm names it, and the budget prints it.
"""

from dataclasses import dataclass
from functools import cache

from provender.catalog.names import fold
from provender.catalog.spans import Span, span
from provender.catalog.tables import number, rows


@dataclass(frozen=True, slots=True)
class Removal:
    """One line of one source.

    Attributes:
        crop: as listed, such as ``Corn``.
        part: what leaves the field, such as ``grain``.
        unit: bu, ton or lb.
        moisture_pct: at which the unit is measured, thousandths of a percent, or None.
        n_lb, p2o5_lb, k2o_lb: pounds per unit, thousandths; None where the source has none.
        source: the publication.
        status: what of the line was checked.
    """

    crop: str
    part: str
    unit: str
    moisture_pct: int | None
    n_lb: Span | None
    p2o5_lb: Span | None
    k2o_lb: Span | None
    source: str
    status: str

    @property
    def checked(self) -> bool:
        """Whether the whole line was seen in its source."""
        return self.status.startswith("checked") and "unverified" not in self.status


@cache
def removals() -> tuple[Removal, ...]:
    """Return every line that holds a figure, in the order of the table."""
    found = [
        Removal(
            crop=row["crop"],
            part=row["harvested_part"],
            unit=row["unit"],
            moisture_pct=number(row["moisture_pct"]),
            n_lb=span(row["n_lb"]),
            p2o5_lb=span(row["p2o5_lb"]),
            k2o_lb=span(row["k2o_lb"]),
            source=row["source"],
            status=row["status"].strip(),
        )
        for row in rows("npk_removal.csv")
    ]
    return tuple(one for one in found if one.n_lb or one.p2o5_lb or one.k2o_lb)


def removals_of(crop: str, part: str = "grain") -> tuple[Removal, ...]:
    """Return the lines of every source for one crop, without regard to case; empty where there is none."""
    return tuple(one for one in removals() if fold(one.crop) == fold(crop) and fold(one.part) == fold(part))


def removal(crop: str, source: str, part: str = "grain") -> Removal | None:
    """Return what one source says of one crop, or None; the source is named in full or by its beginning."""
    return next((one for one in removals_of(crop, part) if fold(one.source).startswith(fold(source))), None)
