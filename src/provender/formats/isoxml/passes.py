"""The work that logs show, one pass for each task, day and machine: area, width, speed, depth, rates, harvest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Final

from provender.formats.boundaries import Boundaries, build
from provender.formats.isoxml.tasks import (
    DEPTHS,
    MOISTURES,
    RATES,
    WIDTHS,
    Ddi,
    Machine,
    Practice,
    Task,
    TaskData,
    acres_of_m2,
    feet_of_mm,
    inches_of_mm,
    machines,
    mph_of_mm_per_s,
    outlines,
    parse_xml,
    practice_of_value,
    rate_of,
    task_data,
    tasks,
)
from provender.formats.isoxml.time_log import DamagedLogError, Day, LogSum, blocks, layout_of
from provender.formats.mapped_table import MappedRow
from provender.formats.parsed import Parsed, doubt, note, refused
from provender.problem import Place, Problem, ProblemsError


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
    """A day's work of one machine on one task."""

    task: str  # the task's name
    field: str  # its field's name; empty where the task names none
    operation: str  # technique and practice as the task names them
    machine: str  # what the terminal calls the machine
    practice: Practice  # what the machine does, by its class or its log
    day: date  # by the terminal's clock
    log: str  # which log
    points: int  # records of the day
    acres: int | None  # thousandths; None where nothing tells
    width_ft: int | None  # thousandths of a foot; None where nothing tells
    speed_mph: int | None  # thousandths, the mean while it worked
    depth_in: int | None  # thousandths, the mean while it worked; None where only zeros were logged
    applied: tuple[Applied, ...] = ()  # products with their rates
    harvest_kg: int | None = None  # kilograms harvested; None where nothing tells
    moisture_pct: int | None = None  # thousandths of a percent, the mean while it worked
    crop: str = ""  # what was harvested or planted, where the file says it apart from the task's name
    last_day: date | None = None  # of a harvest of several days; None where it is the first one
    place: tuple[float, float] | None = None  # longitude and latitude of some point worked; None where nothing tells
    bushels: int | None = None  # thousandths, where the file states bushels and no weight
    by_machine: bool = True  # a machine logged it; a person typed it into another program otherwise
    method: str = ""  # how a product went on, in the words of the file; empty where it does not say so


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


# Task data read whole: fields with outlines, and the passes that its logs show.

_AGAIN: Final = "Copy the card again and hand in the whole TASKDATA folder as a zip."


@dataclass(frozen=True, slots=True)
class MachineData:
    """What task data holds."""

    boundaries: Boundaries  # fields that have an outline
    passes: tuple[MachinePass, ...]  # work that logs show, in the order of the file
    tasks: int  # how many tasks there are, logged or not
    soil_tests: tuple[MappedRow, ...] = ()  # rows of soil tests, whose unit is called as the file calls its field


def read_isoxml(path: Path, name: str) -> Parsed[MachineData]:
    """Read task data: a zip of its folder, or TASKDATA.XML with its files beside it.

    Args:
        path: the file.
        name: the name people know it by.
    """
    try:
        found = task_data(path, name)
    except ProblemsError as trouble:
        return Parsed(None, trouble.problems)
    if not found:
        cause = "the zip holds no TASKDATA.XML."
        return refused(Place(name), cause, "Hand in the whole TASKDATA folder as a zip.", "no_task_data")
    problems = [problem for each in found for problem in each.problems]
    drawn = build([outline for each in found for outline in outlines(each.root, each.name)], name)
    problems += drawn.problems
    passes: list[MachinePass] = []
    count = 0
    for data in found:
        of_element = machines(data.root)
        for task in tasks(data.root):
            count += 1
            for log in task.logs:
                passes += _passes(data, task, log, of_element, problems)
    if len(found) > 1:
        cause = f"the zip holds {len(found)} sets of task data; all were read."
        problems.append(note(Place(name), cause, "Check that none is an old copy of another.", "several_task_data"))
    return Parsed(MachineData(drawn.result or Boundaries(()), tuple(passes), count), tuple(problems))


def _passes(
    data: TaskData, task: Task, log: str, of_element: Mapping[str, Machine], problems: list[Problem]
) -> list[MachinePass]:
    place = Place(f"{data.name}/{log}")
    content, header = data.logs.get(f"{log}.BIN"), data.logs.get(f"{log}.XML")
    if content is None or header is None:
        missing = f"{log}.BIN" if content is None else f"{log}.XML"
        cause = f"task {task.name!r} refers to {missing}, which is not there; its work was not read."
        problems.append(doubt(place, cause, _AGAIN, "missing_log"))
        return []
    try:
        layout = layout_of(parse_xml(header, place.file))
    except ProblemsError as trouble:
        problems += trouble.problems
        return []
    except DamagedLogError as trouble:
        problems.append(Problem(place, f"the log cannot be read: {trouble}.", _AGAIN, code="bad_log"))
        return []
    sums = LogSum(layout.channels)
    try:
        sums.run(blocks(content, layout))
    except DamagedLogError as trouble:
        cause = f"the log is cut short: {trouble}; {trouble.records} sound records before it were read."
        problems.append(Problem(place, cause, _AGAIN, code="bad_log"))
    return passes_of(task, log, sums.days, of_element)
