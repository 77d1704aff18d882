"""Task data read whole: fields with outlines, and the passes that its logs show."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from provender.formats.boundaries import Boundaries, build
from provender.formats.isoxml.devices import Machine, machines
from provender.formats.isoxml.parts import TaskData, parse_xml, task_data
from provender.formats.isoxml.passes import MachinePass, passes_of
from provender.formats.isoxml.sums import LogSum
from provender.formats.isoxml.tasks import Task, outlines, tasks
from provender.formats.isoxml.time_log import DamagedLogError, blocks, layout_of
from provender.formats.mapped_table import MappedRow
from provender.formats.parsed import Parsed, doubt, note, refused
from provender.problem import Place, Problem, ProblemsError

_AGAIN: Final = "Copy the card again and hand in the whole TASKDATA folder as a zip."


@dataclass(frozen=True, slots=True)
class MachineData:
    """What task data holds.

    Attributes:
        boundaries: fields that have an outline.
        passes: work that logs show, in the order of the file.
        tasks: how many tasks there are, logged or not.
        soil_tests: rows of soil tests, whose unit is called as the file calls its field.
    """

    boundaries: Boundaries
    passes: tuple[MachinePass, ...]
    tasks: int
    soil_tests: tuple[MappedRow, ...] = ()


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
