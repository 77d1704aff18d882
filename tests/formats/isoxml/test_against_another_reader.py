"""Task data of real terminals, held against what another program (npm isoxml) reads of the same files."""

import json
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest

from provender.formats.isoxml.parts import parse_xml, task_data
from provender.formats.isoxml.reader import read_isoxml
from provender.formats.isoxml.tasks import tasks
from provender.formats.isoxml.time_log import blocks, layout_of

DATA: Final = Path(__file__).parents[1] / "data" / "isoxml"
ORACLE: Final[dict[str, Any]] = json.loads((DATA / "oracle.json").read_text())
KEPT: Final = sorted(path.name for path in DATA.glob("*.zip"))
TWO_SETS: Final = "MultiplyTaskdataXML.zip"
"""The other program reads the first TASKDATA.XML only."""


def logs_of(path: Path) -> tuple[int, int, list[tuple[int, dict[str, list[int]]]]]:
    """Return fields, tasks, and of each log its records and the range of each channel that is read here."""
    data = task_data(path, path.name)[0]
    found = []
    for task in tasks(data.root):
        for name in task.logs:
            layout = layout_of(parse_xml(data.logs[f"{name}.XML"], name))
            ranges: dict[str, list[int]] = {}
            count = 0
            for block in blocks(data.logs[f"{name}.BIN"], layout):
                count += len(block.milliseconds)
                for channel, value in zip(block.channel.tolist(), block.value.tolist(), strict=True):
                    ddi, element = layout.channels[channel]
                    span = ranges.setdefault(f"{ddi} {element}", [value] * 2)
                    span[:] = min(span[0], value), max(span[1], value)
            found.append((count, ranges))
    return len(data.root.findall("PFD")), len(tasks(data.root)), found


def assert_alike(path: Path) -> None:
    expected = ORACLE[path.name]
    fields, count, logs = logs_of(path)
    assert (fields, count) == (expected["fields"], expected["tasks"])
    assert [records for records, _ in logs] == [log["records"] for log in expected["logs"]]
    for (_, ranges), log in zip(logs, expected["logs"], strict=True):
        assert {name: ranges.get(name) for name in log["values"]} == log["values"]


@pytest.mark.parametrize("name", [each for each in KEPT if ORACLE[each]])
def test_fields_tasks_and_logs_are_those_that_another_reader_finds(name: str) -> None:
    assert_alike(DATA / name)


@pytest.mark.samples
def test_the_logs_of_a_forage_harvester_are_those_that_another_reader_finds(samples: Path, tmp_path: Path) -> None:
    folder = samples / "isoxml" / "dev4ag" / "ValidTimeLogs"
    path = tmp_path / "ValidTimeLogs.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for file in folder.iterdir():
            packed.write(file, file.name)
    assert_alike(path)


@pytest.mark.parametrize("name", KEPT)
def test_a_zip_is_refused_only_where_it_holds_no_task_data(name: str) -> None:
    parsed = read_isoxml(DATA / name, name)
    assert (parsed.result is None) == (ORACLE[name] is None)
    if parsed.result is None:
        assert [problem.code for problem in parsed.problems] == ["no_task_data"]


def test_two_sets_of_task_data_in_one_zip_are_both_read_and_told() -> None:
    parsed = read_isoxml(DATA / TWO_SETS, TWO_SETS)
    assert parsed.result is not None
    assert parsed.result.tasks == 2 * ORACLE[TWO_SETS]["tasks"]
    assert "several_task_data" in [problem.code for problem in parsed.problems]


def test_a_tillage_log_gives_area_width_and_speed_and_takes_a_zero_for_no_depth() -> None:
    name = "AllFieldsMoved_Or_Simplified_Out.zip"
    parsed = read_isoxml(DATA / name, name)
    assert parsed.result is not None
    first = parsed.result.passes[0]
    assert (first.machine, first.practice) == ("True-Tandem 335VT - 34 ft", "tillage")
    assert (first.points, first.depth_in) == (8599, None)
    assert (first.acres, first.width_ft, first.speed_mph) == (19_930, 32_808, 5_959)
