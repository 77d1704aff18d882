"""The work that logs show, one pass for each task, day and machine: area, width, speed, depth, rates, harvest."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Final

from provender.formats.isoxml.amounts import (
    DEPTHS,
    RATES,
    Ddi,
    acres_of_m2,
    feet_of_mm,
    inches_of_mm,
    mph_of_mm_per_s,
    rate_of,
)
from provender.formats.isoxml.devices import Machine, Practice, practice_of_value
from provender.formats.isoxml.tasks import Task
from provender.formats.isoxml.time_log import Channel, LogRecord

_LONGEST_STEP_MS: Final = 10_000
"""What lies between two records further apart was not logged."""
_METRES_PER_DEGREE: Final = 111_195
_FASTEST_M_PER_S: Final = 20
_TOTALS: Final = (Ddi.TOTAL_AREA, Ddi.DISTANCE, Ddi.EFFECTIVE_TIME, Ddi.YIELD_MASS)
_WIDTHS: Final = (Ddi.ACTUAL_WIDTH, Ddi.MAXIMUM_WIDTH, Ddi.DEFAULT_WIDTH)
_MOISTURES: Final = (Ddi.MOISTURE, Ddi.AVERAGE_MOISTURE)
_KNOWN: Final = frozenset(Ddi)
_MEANT: Final = frozenset({*DEPTHS, *RATES, *_WIDTHS, *_MOISTURES, Ddi.YIELD_MASS_PER_AREA, Ddi.SPEED})
"""What is averaged over the ground that was worked."""
_STEERING: Final = frozenset({*_WIDTHS, Ddi.WORK_STATE, Ddi.SPEED})


@dataclass(frozen=True, slots=True)
class Applied:
    """A product that went on; the rate in thousandths of its unit, over the area worked."""

    product: str
    rate: int
    unit: str


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


@dataclass(slots=True)
class _Mean:
    """A mean over what was worked: values without weight count for nothing."""

    total: float = 0.0
    weight: float = 0.0

    def add(self, value: int, weight: float) -> None:
        self.total += value * weight
        self.weight += weight

    @property
    def mean(self) -> Fraction | None:
        return Fraction(self.total / self.weight) if self.weight else None


@dataclass(slots=True)
class Day:
    """What a log shows of one day."""

    points: int = 0
    worked_ms: int = 0
    worked_m: float = 0.0
    covered_m2: float = 0.0
    totals: dict[Channel, int] = field(default_factory=dict)
    means: dict[Channel, _Mean] = field(default_factory=dict)
    practices: set[int] = field(default_factory=set)


class LogSum:
    """A log summed up by day.

    A value holds until the log states another: it is weighed when it changes, with what was worked meanwhile, so a
    record costs only what it states.

    Attributes:
        days: what was worked on each; also what a damaged log holds before its damage.
    """

    def __init__(self, channels: Sequence[Channel]) -> None:
        self.days: dict[date, Day] = {}
        self._day = Day()
        self._channels = [(ddi if ddi in _KNOWN else 0, element) for ddi, element in channels]
        self._now: dict[Channel, int] = {}
        self._since: dict[Channel, float] = {}
        self._worked = 0.0
        self._has_states = any(ddi == Ddi.WORK_STATE for ddi, _ in self._channels)
        self._works = not self._has_states
        self._width = 0
        self._speed = 0

    def run(self, records: Iterator[LogRecord]) -> None:
        """Take records; the error of a damaged log passes on."""
        before: LogRecord | None = None
        try:
            for record in records:
                if before is None or record.day != before.day:
                    self._settle_all()
                    self._day = self.days.setdefault(record.date, Day())
                elif self._works and 0 < (step := record.milliseconds - before.milliseconds) <= _LONGEST_STEP_MS:
                    self._step(before, record, step)
                self._day.points += 1
                if record.values:
                    self._take(record.values)
                before = record
        finally:
            self._settle_all()

    def _take(self, values: tuple[int, ...]) -> None:
        """Take over the values that a record states."""
        now, day = self._now, self._day
        for place in range(0, len(values), 2):
            if values[place] >= len(self._channels):
                continue
            channel, value = self._channels[values[place]], values[place + 1]
            ddi = channel[0]
            old = now.get(channel)
            if not ddi or (value == old and ddi not in _TOTALS):
                continue
            if ddi in _TOTALS:
                day.totals[channel] = day.totals.get(channel, 0) + max(0, value - (value if old is None else old))
            elif ddi == Ddi.CULTURAL_PRACTICE:
                day.practices.add(value)
            elif ddi in _MEANT:
                self._settle(channel)
            now[channel] = value
            if ddi in _STEERING:
                self._steer(ddi)

    def _steer(self, ddi: int) -> None:
        """Take over what decides whether and how widely the machine works."""
        if ddi == Ddi.WORK_STATE:
            self._works = any(value == 1 for channel, value in self._now.items() if channel[0] == ddi)
        elif ddi == Ddi.SPEED:
            self._speed = self._largest((Ddi.SPEED,))
        else:
            self._width = self._largest(_WIDTHS)

    def _step(self, before: LogRecord, record: LogRecord, step: int) -> None:
        """Count the stretch between two records with the values that hold on it."""
        metres = _metres(before, record)
        if metres is None or metres > _FASTEST_M_PER_S * step / 1000:
            metres = self._speed * step / 1e6
        elif metres:
            self._day.worked_m += metres
            self._day.worked_ms += step
        covered = metres * self._width / 1000
        self._day.covered_m2 += covered
        self._worked += covered or step / 1000

    def _settle(self, channel: Channel) -> None:
        """Weigh the value of a channel with what was worked since it was stated."""
        value = self._now.get(channel, 0)
        if value > 0 and self._worked > self._since.get(channel, 0.0):
            mean = self._day.means.setdefault(channel, _Mean())
            mean.add(value, self._worked - self._since.get(channel, 0.0))
        self._since[channel] = self._worked

    def _settle_all(self) -> None:
        for channel in self._now:
            if channel[0] in _MEANT:
                self._settle(channel)

    def _largest(self, ddis: Sequence[Ddi]) -> int:
        """Return the largest value of the first kind that has one: a whole implement is wider than its sections."""
        for ddi in ddis:
            found = max((value for channel, value in self._now.items() if channel[0] == ddi), default=0)
            if found > 0:
                return found
        return 0


def _metres(before: LogRecord, after: LogRecord) -> float | None:
    """Return how far two positions lie apart; None without two fixes. Steps are short: the ground is flat on them."""
    if before.north is None or after.north is None or before.east is None or after.east is None:
        return None
    north = (after.north - before.north) / 1e7 * _METRES_PER_DEGREE
    cosine = math.cos(math.radians(after.north / 1e7))
    return math.hypot(north, (after.east - before.east) / 1e7 * _METRES_PER_DEGREE * cosine)


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
    square_metres = _total(found, Ddi.TOTAL_AREA) or found.covered_m2
    width = _mean(found, _WIDTHS)
    depth = _mean(found, DEPTHS)
    moisture = _mean(found, _MOISTURES)
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
        acres=acres_of_m2(Fraction(square_metres)) if square_metres else None,
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
    if found.worked_ms:
        return mph_of_mm_per_s(Fraction(found.worked_m) * 1_000_000 / found.worked_ms)
    logged = _mean(found, (Ddi.SPEED,))
    return None if logged is None else mph_of_mm_per_s(logged)


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


def _harvested(found: Day, square_metres: float) -> int | None:
    total = _total(found, Ddi.YIELD_MASS)
    rate = _mean(found, (Ddi.YIELD_MASS_PER_AREA,))
    if total or rate is None:
        return total or None
    return round(rate / 10**6 * Fraction(square_metres)) or None
