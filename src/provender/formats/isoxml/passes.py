"""The work that logs show, one pass for each task, day and machine: area, width, speed, depth, rates, harvest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from provender.formats.isoxml.amounts import (
    DEPTHS,
    MOISTURES,
    RATES,
    WIDTHS,
    Ddi,
    acres_of_m2,
    feet_of_mm,
    inches_of_mm,
    mph_of_mm_per_s,
    rate_of,
)
from provender.formats.isoxml.devices import Machine, Practice, practice_of_value
from provender.formats.isoxml.sums import Day
from provender.formats.isoxml.tasks import Task


@dataclass(frozen=True, slots=True)
class Applied:
    """A product that went on; rates in thousandths of their unit, over the area worked.

    The inhibitor that went on with it is empty where the file names none.
    """

    product: str
    rate: int
    unit: str
    inhibitor: str = ""
    inhibitor_rate: int = 0
    inhibitor_unit: str = ""


@dataclass(frozen=True, slots=True)
class MachinePass:
    """A day's work of one machine on one task.

    Attributes:
        task: the task's name.
        field: its field's name; empty where the task names none.
        operation: technique and practice as the task names them.
        machine: what the terminal calls the machine.
        practice: what the machine does, by its class or its log.
        day: by the terminal's clock.
        log: which log.
        points: records of the day.
        acres: thousandths; None where nothing tells.
        width_ft: thousandths of a foot; None where nothing tells.
        speed_mph: thousandths, the mean while it worked.
        depth_in: thousandths, the mean while it worked; None where only zeros were logged.
        applied: products with their rates.
        harvest_kg: kilograms harvested; None where nothing tells.
        moisture_pct: thousandths of a percent, the mean while it worked.
        crop: what was harvested or planted, where the file says it apart from the task's name.
        last_day: of a harvest of several days; None where it is the first one.
        place: longitude and latitude of some point worked; None where nothing tells.
        bushels: thousandths, where the file states bushels and no weight.
        by_machine: a machine logged it; a person typed it into another program otherwise.
        method: how a product went on, in the words of the file; empty where it does not say so.
    """

    task: str
    field: str
    operation: str
    machine: str
    practice: Practice
    day: date
    log: str
    points: int
    acres: int | None
    width_ft: int | None
    speed_mph: int | None
    depth_in: int | None
    applied: tuple[Applied, ...] = ()
    harvest_kg: int | None = None
    moisture_pct: int | None = None
    crop: str = ""
    last_day: date | None = None
    place: tuple[float, float] | None = None
    bushels: int | None = None
    by_machine: bool = True
    method: str = ""


def passes_of(task: Task, log: str, days: Mapping[date, Day], machines: Mapping[str, Machine]) -> list[MachinePass]:
    """Return the passes that a log shows."""
    return [_pass(task, log, day, found, machines) for day, found in sorted(days.items()) if found.points]


def _pass(task: Task, log: str, day: date, found: Day, machines: Mapping[str, Machine]) -> MachinePass:
    machine = _machine(found, machines)
    practice = machine.practice if machine else Practice.OTHER
    if practice is Practice.OTHER:
        practice = next(
            (said for value in sorted(found.practices) if (said := practice_of_value(value)) is not Practice.OTHER),
            practice,
        )
    square_metres = Fraction(_total(found, Ddi.TOTAL_AREA)) or found.covered_m2
    width = _mean(found, WIDTHS)
    depth = _mean(found, DEPTHS)
    moisture = _mean(found, MOISTURES)
    harvested = _harvested(found, square_metres)
    if practice is Practice.OTHER and harvested:
        practice = Practice.HARVEST
    return MachinePass(
        task=task.name,
        field=task.field,
        operation=task.operation,
        machine=machine.name if machine else "",
        practice=practice,
        day=day,
        log=log,
        points=found.points,
        acres=acres_of_m2(square_metres) if square_metres else None,
        width_ft=None if width is None else feet_of_mm(width),
        speed_mph=_speed(found),
        depth_in=None if depth is None else inches_of_mm(depth),
        applied=_applied(task, found),
        harvest_kg=harvested,
        moisture_pct=None if moisture is None else round(moisture / 10),
    )


def _machine(found: Day, machines: Mapping[str, Machine]) -> Machine | None:
    """Return the machine that measured most of what is known here, one that works the field before a tractor."""
    counts: dict[str, int] = {}
    for _, element in (*found.means, *found.totals):
        counts[element] = counts.get(element, 0) + 1
    known = [(machines[element], count) for element, count in counts.items() if element in machines]
    ranked = sorted(known, key=lambda each: (each[0].practice is Practice.OTHER, -each[1], each[0].id))
    return ranked[0][0] if ranked else None


def _total(found: Day, ddi: Ddi) -> int:
    return max((value for channel, value in found.totals.items() if channel[0] == ddi), default=0)


def _mean(found: Day, ddis: Sequence[Ddi]) -> Fraction | None:
    """Return the largest mean of the first kind that has one."""
    for ddi in ddis:
        means = [mean.mean for channel, mean in found.means.items() if channel[0] == ddi]
        known = [mean for mean in means if mean is not None]
        if known:
            return max(known)
    return None


def _speed(found: Day) -> int | None:
    speed = found.speed_mm_per_s or _mean(found, (Ddi.SPEED,))
    return None if speed is None else mph_of_mm_per_s(speed)


def _applied(task: Task, found: Day) -> tuple[Applied, ...]:
    """Return the products with their mean rates; sections that apply the same product share one."""
    rates: dict[tuple[str, Ddi], list[Fraction]] = {}
    for (ddi, element), mean in sorted(found.means.items()):
        if ddi in RATES and mean.mean is not None:
            product = task.products.get(element) or task.products.get("") or _only(task.products)
            rates.setdefault((product, Ddi(ddi)), []).append(mean.mean)
    return tuple(
        Applied(product, *rate_of(ddi, sum(means, Fraction()) / len(means))) for (product, ddi), means in rates.items()
    )


def _only(products: Mapping[str, str]) -> str:
    names = set(products.values())
    return names.pop() if len(names) == 1 else ""


def _harvested(found: Day, square_metres: Fraction) -> int | None:
    total = _total(found, Ddi.YIELD_MASS)
    rate = _mean(found, (Ddi.YIELD_MASS_PER_AREA,))
    if total or rate is None:
        return total or None
    return round(rate / 10**6 * square_metres) or None
