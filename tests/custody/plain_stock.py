"""The grain of a site by reading every entry of its book: what the sums by day are held against."""

from collections.abc import Iterable
from datetime import date

from provender.custody.model.grain import Direction, GrainEntry


def stock_on(entries: Iterable[GrainEntry], day: date) -> int | None:
    """Return the stock at the end of a day, in thousandths; None when there is no entry up to it."""
    known = [one for one in entries if not one.void and one.day <= day]
    if not known:
        return None
    measured = [one for one in known if one.direction is Direction.MEASURED]
    # Of two measurements of one day the later entry counts: max keeps the first of equals, so look from the end.
    base = max(reversed(measured), key=lambda one: one.day, default=None)
    total = base.amount if base else 0
    for one in known:
        if one.direction is Direction.MEASURED or (base and one.day <= base.day):
            continue
        total += one.amount if one.direction is Direction.IN else -one.amount
    return total


def book_stock_before(entries: Iterable[GrainEntry], measurement: GrainEntry) -> int | None:
    """Return what the book said on the day of a measurement, without that measurement."""
    return stock_on((one for one in entries if one.number != measurement.number), measurement.day)
