"""What went on: each product with its part of the work, by the times of its allocation."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Final

from provender.exact import show
from provender.formats.isoxml.log_sums import Crew, Day
from provender.formats.isoxml.tasks import APPLIED_TOTALS, RATES, Allocation, Ddi, Machine, Product, Task, rate_of
from provender.formats.isoxml.time_log import EPOCH, HOUR_MS
from provender.formats.work import is_greenwich

_BEGIN: Final = datetime(EPOCH.year, EPOCH.month, EPOCH.day, tzinfo=UTC)
_CENTURY: Final = 2000
"""Before it no terminal logged."""


@dataclass(frozen=True, slots=True)
class Applied:
    """A product that went on; rates in thousandths of their unit, over the area worked.

    The inhibitor that went on with it is empty where the file names none.
    """

    product: str
    rate: int  # zero where nothing tells it
    unit: str  # empty where nothing tells the rate
    inhibitor: str = ""
    inhibitor_rate: int = 0
    inhibitor_unit: str = ""
    acres: int | None = None  # thousandths, where it went on a part of the pass
    part: int = 0  # which part of the pass
    is_shared: bool = False  # the rate is that of all products of the part together
    is_seed: bool = False  # the file says so


@dataclass(frozen=True, slots=True)
class Timed:
    """An allocation with its moments, milliseconds since 1980-01-01; none where it has no end to that side."""

    what: Allocation
    start: int | None
    end: int | None


def timed_allocations(allocations: Sequence[Allocation], ahead: int | None) -> list[Timed]:
    """Return allocations with their moments; one without an end ends where the next one of its element begins."""
    begun = [(each, moment_of(each.start, ahead)) for each in allocations]
    found = []
    for each, start in begun:
        later = [
            other
            for one, other in begun
            if one.element == each.element and other is not None and start is not None and other > start
        ]
        end = moment_of(each.end, ahead)
        found.append(Timed(each, start, min(later, default=None) if end is None else end))
    return found


def borders_of(timed: Iterable[Timed]) -> list[int]:
    """Return the moments at which what goes on may change."""
    return sorted({moment for each in timed for moment in (each.start, each.end) if moment is not None})


def in_force(timed: Iterable[Timed], since: int | None, until: int | None) -> list[Allocation]:
    """Return the allocations that hold all through a part of the work."""
    return [
        each.what
        for each in timed
        if (each.start is None or (since is not None and each.start <= since))
        and (each.end is None or (until is not None and until <= each.end))
    ]


def moment_of(text: str, ahead: int | None) -> int | None:
    """Return a moment by the terminal's clock, milliseconds since 1980-01-01; none where it is none of the century.

    Args:
        text: ISO day and time; one that ends in Z is of Greenwich.
        ahead: by how much the terminal's clock is ahead of Greenwich's, milliseconds; none where nothing tells.
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    since = (found.replace(tzinfo=UTC) - _BEGIN) // timedelta(milliseconds=1)
    return None if found.year < _CENTURY else since + (ahead or 0) * is_greenwich(text)


def ahead_by(task: Task, first: int, by_the_sun: int | None) -> tuple[int | None, bool]:
    """Return by how much a log's clock is ahead of Greenwich's, and whether that is sure.

    Work of the task that begins with the log tells it; summer time and zones may lie between the clock and the sun.
    """
    begun = [moment_of(each.start, 0) for each in task.intervals if is_greenwich(each.start)]
    near = [first - each for each in begun if each is not None and abs(first - each - (by_the_sun or 0)) <= 2 * HOUR_MS]
    if not near or by_the_sun is None:
        return by_the_sun, False
    return round(min(near, key=lambda each: abs(each - by_the_sun)) / HOUR_MS) * HOUR_MS, True


def _products_of(element: str, allocations: Sequence[Allocation], machine: Machine | None) -> tuple[Product, ...]:
    """Return what an element applies: its own, else that of what it is part of, of any, of its parts, else the only."""
    over = machine.above(element) if machine else []
    under = [each for each in (machine.kinds if machine else ()) if machine and element in machine.above(each)]
    for wanted in ([element], *([each] for each in over), [""], under):
        found = tuple(dict.fromkeys(each.product for each in allocations if each.element in wanted))
        if found:
            return found
    rest = tuple(dict.fromkeys(each.product for each in allocations))
    return rest if len(rest) == 1 else ()


def _rates(found: Day, crew: Crew) -> dict[str, tuple[Ddi, Fraction]]:
    """Return the rate that each element measured, by one measure."""
    rates: dict[str, tuple[Ddi, Fraction]] = {}
    for ddi in RATES:
        for (mine, element), mean in sorted(found.means.items()):
            if mine == ddi and element in crew.own and mean.mean is not None:
                rates.setdefault(element, (ddi, mean.mean))
    return rates


def _rates_by_totals(found: Day, crew: Crew) -> dict[str, tuple[Ddi, Fraction]]:
    """Return the rate that each element's total makes over the area; a whole counts its parts."""
    area = found.square_metres(crew)
    rates: dict[str, tuple[Ddi, Fraction]] = {}
    for (mine, element), total in sorted(found.totals.items()):
        if area and total and mine in APPLIED_TOTALS and element in crew.own:
            ddi, parts = APPLIED_TOTALS[Ddi(mine)]
            rates.setdefault(element, (ddi, Fraction(total * parts) / area))
    above = crew.machine.above if crew.machine else lambda _: []
    return {element: rate for element, rate in rates.items() if not rates.keys() & above(element)}


def products_applied(found: Day, crew: Crew, allocations: Sequence[Allocation], told: list[str]) -> list[Applied]:
    """Return the products of a part of the work.

    Sections that apply the same share the mean of their rates; what several totalled adds up.
    """
    by_product: dict[tuple[Product, ...], list[tuple[Ddi, Fraction]]] = {}
    measured = _rates(found, crew)
    for element, rate in (measured or _rates_by_totals(found, crew)).items():
        by_product.setdefault(_products_of(element, allocations, crew.machine), []).append(rate)
    made: list[Applied] = []
    for together, rates in by_product.items():
        first = rates[0][0]
        alike = [rate for ddi, rate in rates if ddi == first]
        whole = sum(alike, Fraction()) / (len(alike) if measured else 1)
        made += _composed(together, *rate_of(first, whole), told)
    rated = {product for together in by_product for product in together}
    mine = [
        each
        for each in allocations
        if not each.element or each.element in crew.own or (crew.machine and each.element in crew.machine.kinds)
    ]
    silent = dict.fromkeys(each.product for each in mine if each.product not in rated)
    return [*made, *(Applied(each.name, 0, "", is_seed=each.is_seed) for each in silent)]


def _composed(together: tuple[Product, ...], rate: int, unit: str, told: list[str]) -> list[Applied]:
    """Return what one rate is of: a product, the parts of a mixture, or several without shares, told."""
    if not together:
        return [Applied("", rate, unit)]
    (first, *more) = together
    if not more and not first.parts:
        return [Applied(first.name, rate, unit, is_seed=first.is_seed)]
    parts = (
        first.parts if not more else tuple(part for each in together for part in (each.parts or ((each.name, None),)))
    )
    shares = [share for _, share in parts if share is not None]
    is_told = len(shares) == len(parts) and sum(shares) <= 1 and not more
    if is_told:
        return [Applied(name, round(rate * share), unit) for (name, _), share in zip(parts, shares, strict=True)]
    names = [name or "a product without a name" for name, _ in parts]
    told.append(
        f"{' and '.join(names)} went on together at {show(rate)} {unit}; the log does not tell how much of each"
    )
    return [Applied(name, rate, unit, is_shared=True) for name, _ in parts]
