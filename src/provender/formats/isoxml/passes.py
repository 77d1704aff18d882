"""The work that logs and totals show, a pass for each task, day and machine: area, width, depth, rates, harvest."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Final

from provender.days import hours_by_sun
from provender.exact import show
from provender.formats.boundaries import Boundaries, build
from provender.formats.isoxml import tasks, time_log
from provender.formats.isoxml.log_sums import TOTALS, Crew, Day, LogSum
from provender.formats.isoxml.tasks import Allocation, Ddi, Interval, Machine, Practice, Product, Task, TaskData
from provender.formats.isoxml.time_log import DAY_MS, EPOCH, HOUR_MS, Channel, Layout, Records, Spans
from provender.formats.parsed import MappedRow, Problems, doubt, reader
from provender.formats.work import amount, ask_day, is_greenwich
from provender.problem import Place, ProblemsError, listed


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
class MachinePass:
    """A day's work of one machine on one task."""

    task: str  # the task's name
    field: str  # its field's name; empty where the task names none
    operation: str  # technique and practice as the task names them
    machine: str  # what the terminal calls the machine
    practice: Practice  # what the machine does, by its class or its log
    day: date  # by the terminal's clock
    log: str  # which log, or which task where totals alone tell the work
    points: int  # records of the day; none where totals alone tell it
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
    rides_along: bool = False  # its machine goes with another that is a pass of its own, as a cart with a cultivator


_GROUND: Final = (Practice.TILLAGE, Practice.SEEDING)
_CARRIED: Final = (Practice.FERTILIZING, Practice.SPRAYING, Practice.MANURE)
_SHOWS: Final = {
    Ddi.TILLAGE_DEPTH: Practice.TILLAGE,
    Ddi.SEEDING_DEPTH: Practice.SEEDING,
    Ddi.YIELD_MASS: Practice.HARVEST,
    Ddi.YIELD_MASS_PER_AREA: Practice.HARVEST,
}
"""What a machine does whose class does not say it, by what it measures."""


def _crews(channels: Iterable[Channel], of_element: Mapping[str, Machine]) -> list[Crew]:
    """Return the machines of a log that do something there by themselves; one crew of all where there is but one."""
    elements = frozenset(element for _, element in channels)
    measured = {
        of_element[element].id for ddi, element in channels if element in of_element and ddi in (*_SHOWS, *tasks.RATES)
    }
    known = {of_element[element].id: of_element[element] for element in sorted(elements) if element in of_element}
    working = [each for each in known.values() if each.practice is not Practice.OTHER or each.id in measured]
    if len(working) < 2:  # noqa: PLR2004 - two machines are two passes
        return [Crew(next(iter(working or known.values()), None), elements)]
    own = {each.id: frozenset(element for element in elements if element in each.kinds) for each in working}
    shared = elements.difference(*own.values())
    return [Crew(each, own[each.id], shared) for each in working]


def _practice(found: Day, crew: Crew) -> Practice:
    practice = crew.machine.practice if crew.machine else Practice.OTHER
    if practice is not Practice.OTHER:
        return practice
    said = (tasks.OF_CULTURAL_PRACTICE.get(value, Practice.OTHER) for value in sorted(found.practices))
    shown = (
        _SHOWS[Ddi(ddi)]
        for ddi, _ in (*found.means, *(each for each, value in found.totals.items() if value))
        if ddi in _SHOWS
    )
    return next((each for each in (*said, *shown) if each is not Practice.OTHER), practice)


Parts = Sequence[tuple[Sequence[Allocation], Day]]
"""Parts of a day's work, each with what it put on."""


def _pass(task: Task, log: str, day: date, found: Day, crew: Crew, parts: Parts, problems: Problems) -> MachinePass:
    square_metres = found.square_metres(crew)
    width, depth, moisture = (found.mean(each, crew) for each in (tasks.WIDTHS, tasks.DEPTHS, tasks.MOISTURES))
    speed = found.speed_mm_per_s or found.mean((Ddi.SPEED,), crew)
    rate = found.mean((Ddi.YIELD_MASS_PER_AREA,), crew)
    harvested = found.total(Ddi.YIELD_MASS, crew) or round((rate or 0) * square_metres / 10**6)
    acres = [amount(of.square_metres(crew), "m2", "acres") if len(parts) > 1 else None for _, of in parts]
    return MachinePass(
        task=task.name,
        field=task.field,
        operation=task.operation,
        machine=crew.machine.name if crew.machine else "",
        practice=_practice(found, crew),
        day=day,
        log=log,
        points=found.points,
        acres=amount(square_metres or None, "m2", "acres"),
        width_ft=amount(width, "mm", "ft"),
        speed_mph=amount(speed and speed / 1000, "m/s", "mph"),
        depth_in=amount(depth, "mm", "in"),
        applied=tuple(
            replace(each, part=part, acres=acres[part])
            for part, (what, of) in enumerate(parts)
            for each in _products_applied(of, crew, what, problems)
        ),
        harvest_kg=harvested or None,
        moisture_pct=amount(moisture, "ppm", "pct"),
    )


def together(passes: Sequence[MachinePass], *, by_machine: bool = False) -> list[MachinePass]:
    """Mark what rides along: a cart behind a tool of the same field and day is no pass of its own.

    ``by_machine`` holds for several sets of machines; one that works the soil and puts something on has one name.
    """

    def key(each: MachinePass) -> tuple[str, date, str]:
        return each.field, each.day, each.machine if by_machine else ""

    works = {key(each) for each in passes if each.practice in _GROUND and (each.machine or not by_machine)}
    return [
        replace(each, rides_along=key(each) in works and each.practice in _CARRIED and not each.depth_in)
        for each in passes
    ]


# What went on: each product with its part of the work, by the times of its allocation.

_BEGIN: Final = datetime(EPOCH.year, EPOCH.month, EPOCH.day, tzinfo=UTC)
_CENTURY: Final = 2000
"""Before it no terminal logged."""


@dataclass(frozen=True, slots=True)
class Timed:
    """An allocation with its moments, milliseconds since 1980-01-01; none where it has no end to that side."""

    what: Allocation
    start: int | None
    end: int | None


def _timed_allocations(allocations: Sequence[Allocation], ahead: int | None) -> list[Timed]:
    """Return allocations with their moments; one without an end ends where the next one of its element begins."""
    begun = [(each, _moment_of(each.start, ahead)) for each in allocations]
    found = []
    for each, start in begun:
        later = [
            other
            for one, other in begun
            if one.element == each.element and other is not None and start is not None and other > start
        ]
        end = _moment_of(each.end, ahead)
        found.append(Timed(each, start, min(later, default=None) if end is None else end))
    return found


def in_force(timed: Iterable[Timed], since: int | None, until: int | None) -> list[Allocation]:
    """Return the allocations that hold all through a part of the work."""
    return [
        each.what
        for each in timed
        if (each.start is None or (since is not None and each.start <= since))
        and (each.end is None or (until is not None and until <= each.end))
    ]


def _moment_of(text: str, ahead: int | None) -> int | None:
    """Return a moment by the terminal's clock, milliseconds since 1980-01-01; none where it is none of the century.

    A text that ends in Z is of Greenwich, of which the clock is ``ahead`` by so many milliseconds.
    """
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    since = (found.replace(tzinfo=UTC) - _BEGIN) // timedelta(milliseconds=1)
    return None if found.year < _CENTURY else since + (ahead or 0) * is_greenwich(text)


def _ahead_by(task: Task, first: int, by_the_sun: int | None) -> tuple[int | None, bool]:
    """Return by how much a log's clock is ahead of Greenwich's, and whether that is sure.

    Work of the task that begins with the log tells it; summer time and zones may lie between the clock and the sun.
    """
    begun = [_moment_of(each.start, 0) for each in task.intervals if is_greenwich(each.start)]
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
    for ddi in tasks.RATES:
        for (mine, element), mean in sorted(found.means.items()):
            if mine == ddi and element in crew.own and mean.mean is not None:
                rates.setdefault(element, (ddi, mean.mean))
    return rates


def _rates_by_totals(found: Day, crew: Crew) -> dict[str, tuple[Ddi, Fraction]]:
    """Return the rate that each element's total makes over the area; a whole counts its parts."""
    area = found.square_metres(crew)
    rates: dict[str, tuple[Ddi, Fraction]] = {}
    for (mine, element), total in sorted(found.totals.items()):
        if area and total and mine in tasks.APPLIED_TOTALS and element in crew.own:
            ddi, parts = tasks.APPLIED_TOTALS[Ddi(mine)]
            rates.setdefault(element, (ddi, Fraction(total * parts) / area))
    above = crew.machine.above if crew.machine else lambda _: []
    return {element: rate for element, rate in rates.items() if not rates.keys() & above(element)}


def _products_applied(found: Day, crew: Crew, allocations: Sequence[Allocation], problems: Problems) -> list[Applied]:
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
        made += _composed(together, *tasks.rate_of(first, whole), problems)
    rated = {product for together in by_product for product in together}
    mine = [
        each
        for each in allocations
        if not each.element or each.element in crew.own or (crew.machine and each.element in crew.machine.kinds)
    ]
    silent = dict.fromkeys(each.product for each in mine if each.product not in rated)
    return [*made, *(Applied(each.name, 0, "", is_seed=each.is_seed) for each in silent)]


def _composed(together: tuple[Product, ...], rate: int, unit: str, problems: Problems) -> list[Applied]:
    """Return what one rate is of: a product, the parts of a mixture, or several without shares, told."""
    if not together:
        return [Applied("", rate, unit)]
    (first, *more) = together
    if not more and not first.parts:
        return [Applied(first.name, rate, unit, is_seed=first.is_seed)]
    parts = tuple(part for each in together for part in (each.parts or ((each.name, None),)))
    shares = [share for _, share in parts if share is not None]
    is_told = len(shares) == len(parts) and sum(shares) <= 1 and not more
    if is_told:
        return [Applied(name, round(rate * share), unit) for (name, _), share in zip(parts, shares, strict=True)]
    names = [name or "a product without a name" for name, _ in parts]
    cause = f"{' and '.join(names)} went on together at {show(rate)} {unit}; the log does not tell how much of each."
    remedy = "Confirm the rate, or type that of each product where it stands."
    asked = doubt(problems.place, cause, remedy, "products_together")
    if asked not in problems.found:
        problems.found.append(asked)
    return [Applied(name, rate, unit, is_shared=True) for name, _ in parts]


# Task data read whole: fields with outlines, and the passes that its logs show.

_AGAIN: Final = "Copy the card again and hand in the whole TASKDATA folder as a zip."
_TYPE_IT: Final = "Type the pass where it was done."


@dataclass(frozen=True, slots=True)
class MachineData:
    """What task data holds."""

    passes: tuple[MachinePass, ...]  # work that logs or totals show, in the order of the file
    boundaries: Boundaries = field(default_factory=Boundaries)  # fields that have an outline
    soil_tests: tuple[MappedRow, ...] = ()  # rows of soil tests, whose unit is called as the file calls its field


@dataclass(frozen=True, slots=True)
class _Card:
    """Task data being read."""

    data: TaskData
    of_element: Mapping[str, Machine]
    longitudes: Mapping[str, float]  # of fields with an outline, by their ids
    areas: Mapping[str, int]  # square metres that the file states of fields, by their ids

    def told(self, task: Task, log: str = "") -> Problems:
        return self.data.problems.at(Place(f"{self.data.problems.place.file}/{log or task.id}"))

    def by_the_sun(self, task: Task) -> int | None:
        """Return by how much a clock of the task's field, or of any of the file, is ahead of Greenwich's."""
        longitude = self.longitudes.get(task.field_id, next(iter(self.longitudes.values()), None))
        return None if longitude is None else hours_by_sun(longitude) * HOUR_MS


@reader
def read_isoxml(path: Path, problems: Problems) -> MachineData | None:
    """Read task data: a zip of its folder, or TASKDATA.XML with its files beside it."""
    found = tasks.task_data(path, problems)
    if not found:
        remedy = "Hand in the whole TASKDATA folder as a zip."
        raise problems.refusal("the zip holds no TASKDATA.XML.", remedy, "no_task_data")
    drawn = [list(tasks.outlines(each.root, each.problems)) for each in found]
    boundaries = build([outline for shapes in drawn for outline in shapes], problems)
    passes: list[MachinePass] = []
    for data, shapes in zip(found, drawn, strict=True):
        fields = data.root.findall("PFD")
        longitudes = {fields[each.place.row - 1].get("A", ""): each.polygons[0][0][0][0] for each in shapes}
        stated = {each.get("A", ""): int(each.get("D", "")) for each in fields if each.get("D", "").isdecimal()}
        card = _Card(data, tasks.machines(data.root), longitudes, stated)
        done = tasks.tasks(data.root)
        for task in done:
            passes += _work(task, card)
        _tell_unused(done, data)
    if len(found) > 1:
        cause = f"the zip holds {len(found)} sets of task data; all were read."
        problems.note(cause, "Check that none is an old copy of another.", "several_task_data")
    return MachineData(tuple(passes), boundaries)


def _work(task: Task, card: _Card) -> list[MachinePass]:
    """Return the work of a task, by its logs and, on days without one, by its totals."""
    problems = card.told(task)
    logged = [each for log in task.logs for each in _logged(task, log, card)]
    told = list(_passes_from_totals(task, {each.day for each in logged}, card))
    if not logged and not told and not task.logs and (task.intervals or not task.is_open):
        days = sorted({each.start[:10] for each in task.intervals if each.start})
        cause = f"task {task.name!r} has no log and no totals, though it was worked on {listed(days)}."
        if not days:
            cause = f"task {task.name!r} has no log and no totals: the file does not say whether it was done."
        problems.doubt(cause, _TYPE_IT, "task_without_log")
    shown = {each.machine for each in (*logged, *told)}
    for each in {one.id: one for one in card.of_element.values() if one.id in task.devices}.values():
        if shown and each.name not in shown and each.practice is not Practice.OTHER:
            cause = f"task {task.name!r} names {each.name!r} too, of which its logs show no work."
            problems.doubt(cause, _TYPE_IT, "machine_without_log")
    return [*logged, *told]


def _logged(task: Task, log: str, card: _Card) -> Iterator[MachinePass]:
    """Yield the passes that a log shows."""
    problems = card.told(task, log)
    content, header = card.data.files(f"{log}.BIN"), card.data.files(f"{log}.XML")
    if content is None or header is None:
        missing = f"{log}.BIN" if content is None else f"{log}.XML"
        cause = f"task {task.name!r} refers to {missing}, which is not there; its work was not read."
        problems.doubt(cause, _AGAIN, "missing_log")
        return
    try:
        layout = time_log.layout_of(tasks.parse_xml(header, problems.place.file))
    except ProblemsError as trouble:
        problems.found.extend(trouble.problems)
        return
    if layout is None:
        problems.error("the log cannot be read: the XML beside it tells no layout.", _AGAIN, "bad_log")
        return
    ahead = card.by_the_sun(task)
    records = time_log.records_of(content, layout, _spans(task, ahead))
    for each in records.damage:
        problems.error(f"the log is damaged: {each}.", _AGAIN, "bad_log")
    for each in records.clock:
        if not records.is_dated:
            cause = f"{each}; the work of task {task.name!r} was not read."
            problems.error(cause, "Type the pass with its day.", "clock_wrong")
            return
        problems.doubt(f"{each}.", "Confirm the day, or type it where the pass stands.", "clock_wrong")
    if not len(records.starts):
        problems.doubt(f"the log of task {task.name!r} holds no record; its work was not read.", _AGAIN, "empty_log")
        return
    ahead, is_sure = _ahead_by(task, int(records.moments[0]), ahead)
    timed = _timed_allocations(task.allocations, ahead)
    names = {each.product.name for each in task.allocations}
    if not is_sure and len(names) > 1 and any(is_greenwich(each.start) for each in task.allocations):
        cause = f"the times of {listed(sorted(names))} are Greenwich's; an hour of summer time may lie between."
        problems.doubt(cause, "Confirm the acres of each product.", "products_at_greenwich")
    yield from _passes(task, log, content, layout, records, timed, card)


def _spans(task: Task, ahead: int | None) -> Spans:
    """Return the work that a task itself names, from its first moment to its last."""
    ends = [(_moment_of(each.start, ahead), _moment_of(each.end or each.start, ahead)) for each in task.intervals]
    return tuple((first, last) for first, last in ends if first is not None and last is not None)


def _passes(
    task: Task, log: str, content: bytes, layout: Layout, records: Records, timed: Sequence[Timed], card: _Card
) -> Iterator[MachinePass]:
    """Yield the passes of a log, day by day."""
    problems = card.told(task, log)
    borders = sorted({moment for each in timed for moment in (each.start, each.end) if moment is not None})
    crews = [_named(crew, task, card) for crew in _crews(layout.channels, card.of_element)]
    sums = [LogSum(layout.channels, crew, borders) for crew in crews]
    for one in sums:
        one.run(time_log.blocks(content, layout, records))
    for day in sorted({day for one in sums for day, _ in one.days}):
        made = []
        for crew, one in zip(crews, sums, strict=True):
            parts = {part: found for (of, part), found in one.days.items() if of == day}
            whole = Day.of(parts.values())
            if whole.points and (len(crews) == 1 or whole.worked_ms or whole.covered or any(whole.totals.values())):
                by_products = _by_products(parts, borders, timed)
                made.append(_pass(task, log, day, whole, crew, by_products, problems))
        yield from together(made)


def _by_products(
    parts: Mapping[int, Day], borders: Sequence[int], timed: Sequence[Timed]
) -> list[tuple[list[Allocation], Day]]:
    """Return the parts of a day's work with what they put on; those of the same products are one."""
    edges = [None, *borders, None]
    found: dict[frozenset[tuple[Product, str]], tuple[list[Allocation], list[Day]]] = {}
    for part, day in sorted(parts.items()):
        what = in_force(timed, edges[part], edges[part + 1])
        if day.worked_ms or day.covered or day.totals or len(parts) == 1:
            key = frozenset((each.product, each.element) for each in what)
            found.setdefault(key, (what, []))[1].append(day)
    return [(what, Day.of(days)) for what, days in found.values()]


# Work without a log: what the terminal totalled.


def _passes_from_totals(task: Task, logged: Iterable[date], card: _Card) -> Iterator[MachinePass]:
    """Yield the work that totals alone tell, on days of which no log does."""
    ahead, problems = card.by_the_sun(task), card.told(task)
    timed = _timed_allocations(task.allocations, ahead)
    by_day: dict[date, Day] = {}
    for interval, totals in _gained(task, card):
        moment = _moment_of(interval.start, ahead)
        if moment is None:
            cause = f"task {task.name!r} states totals, but no day of them; they were not read."
            problems.error(cause, _TYPE_IT, "no_day")
            continue
        day = EPOCH + timedelta(moment // DAY_MS)
        by_greenwich = is_greenwich(interval.start) and ahead is None
        if any(abs((day - other).days) <= by_greenwich for other in logged):
            continue
        if by_greenwich:
            ask_day(problems, day)
        by_day.setdefault(day, Day()).add(Day(totals=dict(totals)))
    for day, whole in sorted(by_day.items()):
        since = (day - EPOCH).days * DAY_MS
        what = [
            each.what
            for each in timed
            if (each.start is None or each.start < since + DAY_MS) and (each.end is None or each.end > since)
        ]
        crews = [_named(crew, task, card) for crew in _crews(whole.totals, card.of_element)]
        made = [
            _pass(task, task.id, day, whole, crew, [(what, whole)], problems)
            for crew in crews
            if any(value for (_, element), value in whole.totals.items() if element in crew.own)
        ]
        yield from together(made)


def _named(crew: Crew, task: Task, card: _Card) -> Crew:
    """Return a crew under the machine that the task names, where a tractor or nobody measured."""
    if crew.machine is not None and crew.machine.practice is not Practice.OTHER:
        return crew
    named = {each.id: each for each in card.of_element.values() if each.id in task.devices}
    works = [each for each in named.values() if each.practice is not Practice.OTHER]
    return replace(crew, machine=works[0]) if len(works) == 1 else crew


def _gained(task: Task, card: _Card) -> list[tuple[Interval, dict[Channel, int]]]:
    """Return what each stretch of work added: terminals begin anew with each, or count on over the whole task.

    Totals that fall began anew. Where they rise, the time that they state, or the area of the field, may tell; it is
    asked.
    """
    stretches = [
        (each, {channel: value for channel, value in each.totals.items() if channel[0] in TOTALS and value > 0})
        for each in sorted(task.intervals, key=lambda each: each.start)
    ]
    stretches = [(each, totals) for each, totals in stretches if totals]
    pairs = [
        (one[channel], value)
        for (_, one), (_, two) in pairwise(stretches)
        for channel, value in two.items()
        if channel in one
    ]
    if not pairs or any(before > after for before, after in pairs):
        return stretches
    areas = [max((v for (ddi, _), v in totals.items() if ddi == Ddi.TOTAL_AREA), default=0) for _, totals in stretches]
    field_m2 = card.areas.get(task.field_id, 0)
    longer = [
        each
        for each, totals in stretches[1:]
        for (ddi, _), value in totals.items()
        if ddi == Ddi.EFFECTIVE_TIME and 10 * value > 11 * (_seconds(each) or value)
    ]
    is_past_field = sum(areas) * 20 > field_m2 * 21 > 0
    counts_on = is_past_field or bool(longer) or any(before == after for before, after in pairs)
    read = "the later ones as counted on from the earlier" if counts_on else "each as that of its own stretch"
    cause = f"the totals of task {task.name!r} rise from one stretch of work to the next; they were read {read}."
    card.told(task).doubt(cause, "Hold the acres against the field, and confirm or correct them.", "totals_rise")
    if not counts_on:
        return stretches
    befores: list[dict[Channel, int]] = [{}, *(totals for _, totals in stretches[:-1])]
    return [
        (each, {channel: value - before.get(channel, 0) for channel, value in totals.items()})
        for (each, totals), before in zip(stretches, befores, strict=True)
        if totals != before
    ]


def _seconds(stretch: Interval) -> int | None:
    first, last = _moment_of(stretch.start, None), _moment_of(stretch.end, None)
    return None if first is None or last is None or last <= first else (last - first) // 1000


def _tell_unused(done: Iterable[Task], data: TaskData) -> None:
    """Tell which tasks were not begun, and which products no task puts on."""
    waiting = [each.name or each.id for each in done if each.is_open and not each.logs and not each.intervals]
    if waiting:
        cause = f"tasks that are planned, templates or canceled were not read as work: {listed(waiting)}."
        data.problems.note(cause, "Nothing, if they were not done.", "planned_task")
    products = [one.product for each in done for one in each.allocations]
    used = {each.name for each in products} | {name for each in products for name, _ in each.parts}
    unused = [each.name for each in tasks.products(data.root).values() if each.name not in used]
    if unused:
        cause = f"no task of the file puts on these of its products: {listed(unused)}."
        data.problems.note(
            cause, "Nothing, if they were not put on; else type the applications.", "product_without_task"
        )
