"""Task data (ISO 11783-10): logs, totals, outlines and products, also as another program (isoxml) writes them.

That one writes no binary logs: their header needs attributes that stand there empty, and it leaves such attributes out.
Logs are held against another reader (``test_against_another_reader``).
"""

import json
import struct
import zipfile
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import isoxml.models.base.v3 as iso3
import isoxml.models.base.v4 as iso4
import pytest
import shapely
from isoxml.converter.shapely_geom import ShapelyConverterV3, ShapelyConverterV4
from isoxml.util.isoxml_io import isoxml_to_dir, isoxml_to_zip
from xsdata.models.datatype import XmlDateTime

from provender.exact import parse
from provender.formats.isoxml.passes import MachineData, MachinePass, read_isoxml
from provender.formats.isoxml.tasks import (
    Ddi,
    Practice,
    TaskData,
    machines,
    outlines,
    parse_xml,
    practice_of_name,
    rate_of,
    task_data,
    tasks,
)
from provender.formats.isoxml.time_log import MOST_AT_ONCE, Layout, blocks, layout_of, records_of
from provender.formats.parsed import Parsed, Problems
from provender.problem import Place

DATA: Final = Path(__file__).parent / "data" / "isoxml"
ORACLE: Final[dict[str, Any]] = json.loads((DATA / "oracle.json").read_text())
KEPT: Final = sorted(path.name for path in DATA.glob("*.zip"))
TWO_SETS: Final = "MultiplyTaskdataXML.zip"
"""The other program reads the first TASKDATA.XML only."""


def logs_of(path: Path) -> tuple[int, int, list[tuple[int, dict[str, list[int]]]]]:
    """Return fields, tasks, and of each log its records and the range of each channel that is read here."""
    data = task_data(path, Problems(Place(path.name)))[0]
    found = []
    for task in tasks(data.root):
        for name in task.logs:
            layout = layout_of(parse_xml(data.files(f"{name}.XML") or b"", name)) or Layout((), ())
            ranges: dict[str, list[int]] = {}
            count = 0
            content = data.files(f"{name}.BIN") or b""
            for block in blocks(content, layout, records_of(content, layout)):
                count += len(block.milliseconds)
                for channel in set(block.channel.tolist()):
                    values = block.value[block.channel == channel]
                    least, most = int(values.min()), int(values.max())
                    ddi, element = layout.channels[channel]
                    span = ranges.setdefault(f"{ddi} {element}", [least, most])
                    span[:] = min(span[0], least), max(span[1], most)
            found.append((count, ranges))
    return len(data.root.findall("PFD")), len(tasks(data.root)), found


def assert_alike(path: Path) -> None:
    expected = ORACLE[path.name]
    fields, count, logs = logs_of(path)
    assert (fields, count) == (expected["fields"], expected["tasks"])
    assert [records for records, _ in logs] == [log["records"] for log in expected["logs"]]
    for (_, ranges), log in zip(logs, expected["logs"], strict=True):
        assert {name: ranges.get(name) for name in log["values"]} == log["values"]


@pytest.mark.parametrize("name", KEPT)
def test_fields_tasks_and_logs_are_those_that_another_reader_finds_or_the_zip_is_refused(name: str) -> None:
    parsed = read_isoxml(DATA / name, name)
    assert (parsed.result is None) == (ORACLE[name] is None)
    if parsed.result is None:
        assert [problem.code for problem in parsed.problems] == ["no_task_data"]
    else:
        assert_alike(DATA / name)


@pytest.mark.samples
def test_the_logs_of_a_forage_harvester_are_those_that_another_reader_finds(samples: Path, tmp_path: Path) -> None:
    folder = samples / "isoxml" / "dev4ag" / "ValidTimeLogs"
    path = tmp_path / "ValidTimeLogs.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for file in folder.iterdir():
            packed.write(file, file.name)
    assert_alike(path)


def test_two_sets_of_task_data_are_both_read_and_a_tillage_log_takes_a_zero_for_no_depth() -> None:
    parsed = read_isoxml(DATA / TWO_SETS, TWO_SETS)
    assert parsed.result is not None
    sets = task_data(DATA / TWO_SETS, Problems(Place(TWO_SETS)))
    assert sum(len(tasks(each.root)) for each in sets) == 2 * ORACLE[TWO_SETS]["tasks"]
    assert "several_task_data" in [problem.code for problem in parsed.problems]
    name = "AllFieldsMoved_Or_Simplified_Out.zip"
    parsed = read_isoxml(DATA / name, name)
    assert parsed.result is not None
    first = parsed.result.passes[0]
    assert (first.machine, first.practice) == ("True-Tandem 335VT - 34 ft", "tillage")
    assert (first.points, first.depth_in) == (8599, None)
    assert (first.acres, first.width_ft, first.speed_mph) == (19_930, 32_808, 5_959)


TILLAGE_TOOL: Final = "A00484000BC8AA52"
STEP_MS: Final = 1000
NORTH: Final = 420_000_000
METRE_NORTH: Final = 1e7 / 111_195
DAY: Final = 16_000

Values = Sequence[tuple[int, int]]


def task_xml(*, allocations: str = "", device: str = TILLAGE_TOOL, name: str = "Disk") -> str:
    return f"""<?xml version="1.0"?>
<ISO11783_TaskData VersionMajor="4" VersionMinor="0" DataTransferOrigin="2">
<PDT A="PDT1" B="UAN 32"/><PFD A="PFD1" C="Home 80"/>
<DVC A="DVC1" B="Case 335" D="{device}"><DET A="DET1" B="1" C="1" D="whole" E="0" F="0"/></DVC>
<TSK A="TSK1" B="{name}" E="PFD1" G="4">{allocations}<TLG A="TLG00001"/></TSK>
</ISO11783_TaskData>"""


def header(channels: Sequence[int]) -> str:
    values = "".join(f'<DLV A="{ddi:04X}" B="" C="DET1"/>' for ddi in channels)
    return f'<TIM A="" D="4"><PTN A="" B="" D=""/>{values}</TIM>'


def record(number: int, values: Values, *, metres: float, day: int = DAY, status: int = 4) -> bytes:
    north = NORTH + round(metres * METRE_NORTH)
    body = struct.pack("<IHiiBB", number * STEP_MS, day, north, -930_000_000, status, len(values))
    return body + b"".join(struct.pack("<Bi", index, value) for index, value in values)


def packed(folder: Path, log: bytes, channels: Sequence[int], xml: str) -> Path:
    path = folder / "card.zip"
    with zipfile.ZipFile(path, "w") as card:
        card.writestr("TaskData/taskdata.xml", xml)
        card.writestr("TaskData/TLG00001.xml", header(channels))
        card.writestr("TaskData/tlg00001.BIN", log)
    return path


def read(folder: Path, log: bytes, channels: Sequence[int], xml: str = "") -> Parsed[MachineData]:
    return read_isoxml(packed(folder, log, channels, xml or task_xml()), "card.zip")


def passes(folder: Path, log: bytes, channels: Sequence[int], xml: str = "") -> tuple[MachinePass, ...]:
    result = read(folder, log, channels, xml).result
    assert result is not None
    return result.passes


def test_area_is_way_times_width_while_it_works_and_depth_is_meant_over_it(tmp_path: Path) -> None:
    channels = [Ddi.ACTUAL_WIDTH, Ddi.TILLAGE_DEPTH, Ddi.WORK_STATE]
    log = record(0, [(0, 10_000), (1, 50), (2, 1)], metres=0)
    log += b"".join(record(number, [], metres=2.0 * number) for number in range(1, 101))
    log += record(101, [(1, 100)], metres=202)
    log += b"".join(record(number, [], metres=2.0 * number) for number in range(102, 202))
    log += record(202, [(2, 0)], metres=404)
    log += b"".join(record(number, [], metres=2.0 * number) for number in range(203, 300))
    (found,) = passes(tmp_path, log, channels)
    assert (found.field, found.machine, found.practice) == ("Home 80", "Case 335", "tillage")
    assert found.day == date(2023, 10, 22)
    # 202 steps of 2 m, 10 m wide: 4,040 m2. 101 of them at 50 mm, 101 at 100 mm.
    assert found.acres == pytest.approx(4_040 / 4_046.8564 * 1000, abs=2)
    assert found.depth_in == pytest.approx(75 / 25.4 * 1000, abs=1)
    assert found.speed_mph == pytest.approx(2 / 0.44704 * 1000, abs=8)
    assert found.width_ft == 32_808


def test_the_terminals_own_total_counts_first_and_a_depth_of_zero_is_not_recorded(tmp_path: Path) -> None:
    log = record(0, [(0, 10_000), (1, 0)], metres=0) + record(1, [], metres=2) + record(2, [(1, 80)], metres=4)
    log += record(3, [], metres=6)
    (found,) = passes(tmp_path, log, [Ddi.ACTUAL_WIDTH, Ddi.TILLAGE_DEPTH])
    assert found.depth_in == 3_150
    (none,) = passes(tmp_path, record(0, [(0, 10_000), (1, 0)], metres=0), [Ddi.ACTUAL_WIDTH, Ddi.TILLAGE_DEPTH])
    assert none.depth_in is None
    totals = [5_000, 6_000, 8_000, 100, 1_100]
    log = b"".join(record(at, [(0, total)], metres=at) for at, total in enumerate(totals))
    (found,) = passes(tmp_path, log, [Ddi.TOTAL_AREA])
    assert found.acres == round((1_000 + 2_000 + 1_000) / 4_046.8564224 * 1000)


def test_each_day_is_a_pass_a_gap_is_not_worked_and_an_index_without_a_name_left_out(tmp_path: Path) -> None:
    log = record(0, [(0, 9_000)], metres=0) + record(1, [], metres=2)
    log += record(0, [], metres=0, day=DAY + 1) + record(1, [], metres=2, day=DAY + 1)
    assert [each.day.day for each in passes(tmp_path, log, [Ddi.ACTUAL_WIDTH])] == [22, 23]
    log = record(0, [(0, 10_000)], metres=0) + record(1, [], metres=2) + record(60, [], metres=500)
    (found,) = passes(tmp_path, log, [Ddi.ACTUAL_WIDTH])
    assert found.acres == pytest.approx(20 / 4_046.8564 * 1000, abs=1)
    log = record(0, [(0, 10_000), (9, 5)], metres=0) + record(1, [], metres=2)
    assert found.width_ft == 32_808


def test_products_carry_their_rate_exactly_and_names_tell_classes(tmp_path: Path) -> None:
    # 150 litres a hectare is 15 ml on a square metre: 1,500,000 in hundredths of a cubic millimetre.
    log = record(0, [(0, 12_000), (1, 1_500_000)], metres=0) + record(1, [], metres=3) + record(2, [], metres=6)
    xml = task_xml(allocations='<PAN A="PDT1" E="DET1"/>', device="A00A84000BC8AA52")
    (found,) = passes(tmp_path, log, [Ddi.ACTUAL_WIDTH, Ddi.VOLUME_PER_AREA], xml)
    (applied,) = found.applied
    said = found.practice, applied.product, applied.rate, applied.unit
    assert said == ("fertilizing", "UAN 32", 16_036, "gal/ac")
    assert rate_of(Ddi.MASS_PER_AREA, Fraction(11_208)) == (99_995, "lb/ac")
    assert rate_of(Ddi.COUNT_PER_AREA, Fraction(8_000)) == (32_374_851, "seeds/ac")
    assert rate_of(Ddi.VOLUME_PER_AREA, Fraction(935_396)) == (10_000, "gal/ac")
    classes = {"A00484000BC8AA52": "tillage", "A00884000BC8AA52": "seeding", "A00E84000BC8AA52": "harvest", "": "other"}
    assert {name: practice_of_name(name) for name in classes} == classes


@pytest.mark.parametrize(("content", "code", "found"), [
    (task_xml(), "missing_log", ()), ("<ISO11783_TaskData", "bad_xml", None), ("<kml/>", "not_task_data", None),
    ('<!DOCTYPE x [<!ENTITY a "b">]><ISO11783_TaskData>&a;</ISO11783_TaskData>', "bad_xml", None),
], ids=["a missing log", "damaged", "of another kind", "hostile"])  # fmt: skip
def test_a_missing_log_is_asked_about_bad_xml_refused(tmp_path: Path, content: str, code: str, found: object) -> None:
    path = tmp_path / "card.zip"
    with zipfile.ZipFile(path, "w") as card:
        card.writestr("TASKDATA.XML", content)
    parsed = read_isoxml(path, "card.zip")
    assert (parsed.result and parsed.result.passes) == found
    assert code in [problem.code for problem in parsed.problems]


def test_a_log_of_many_blocks_is_summed_as_one(tmp_path: Path) -> None:
    count = 2 * MOST_AT_ONCE + 7
    log = record(0, [(0, 10_000), (1, 50), (2, 100)], metres=0)
    for number in range(1, count):
        said = [(1, 100)] if number == MOST_AT_ONCE else [(2, 100 + number)]
        log += record(number % 86_400, said, metres=2.0 * (number % 86_400))
    (found,) = passes(tmp_path, log, [Ddi.ACTUAL_WIDTH, Ddi.TILLAGE_DEPTH, Ddi.YIELD_MASS])
    assert found.points == count
    assert found.acres == pytest.approx(2 * (count - 1) * 10 / 4_046.8564 * 1000, abs=1)
    shares = (MOST_AT_ONCE * 50 + (count - 1 - MOST_AT_ONCE) * 100) / (count - 1)
    assert found.depth_in == pytest.approx(shares / 25.4 * 1000, abs=1)
    assert found.harvest_kg == count - 1


@pytest.mark.parametrize("width", [2**31 - 1, 200_001, -5])
def test_a_width_that_no_machine_has_is_no_width(tmp_path: Path, width: int) -> None:
    log = record(0, [(0, width)], metres=0) + b"".join(record(at, [], metres=9.0 * at) for at in range(1, 9))
    assert passes(tmp_path, log, [Ddi.ACTUAL_WIDTH])[0].acres is None
    wide = record(0, [(0, 200_000)], metres=0) + b"".join(record(at, [], metres=9.0 * at) for at in range(1, 9))
    assert passes(tmp_path, wide, [Ddi.ACTUAL_WIDTH])[0].acres == pytest.approx(8 * 9 * 200 / 4.0468564, abs=1)


def test_a_log_cut_off_at_any_byte_gives_its_sound_records_and_says_so(tmp_path: Path) -> None:
    whole = [record(at, [(0, at), (1, 1)], metres=at) for at in range(3)]
    log, size = b"".join(whole), len(whole[0])
    for cut in range(1, len(log)):
        parsed = read(tmp_path, log[:cut], [Ddi.TOTAL_AREA, Ddi.WORK_STATE])
        assert parsed.result is not None
        assert sum(each.points for each in parsed.result.passes) == cut // size
        said = [each.cause for each in parsed.problems if each.code == "bad_log"]
        assert bool(said) == bool(cut % size)
        assert all(f"within record {cut // size + 1};" in each for each in said)


Version = tuple[ModuleType, type]
VERSIONS: Final[dict[str, Version]] = {"3": (iso3, ShapelyConverterV3), "4": (iso4, ShapelyConverterV4)}
TILLS: Final = bytes.fromhex("A00484000BC8AA52")
TOTAL_AREA: Final = 0x74
SQUARE_METRES_IN_AN_ACRE: Final = Decimal("4046.8564224")
FIELD: Final = shapely.Polygon(
    [(-93.0, 42.0), (-92.99, 42.0), (-92.99, 42.008), (-93.0, 42.008)],
    [[(-92.996, 42.003), (-92.994, 42.003), (-92.994, 42.005)]],
)


NAMES: Final = {"field": "Home  80 \u00e9", "tool": 'Disk <&> "2"', "task": "Tillage", "product": "UAN 32"}
AREA: Final = 400_001


def written(version: Version) -> Any:  # noqa: ANN401
    """Return task data of one field, tool, product and task."""
    iso, converter = version
    border = converter().to_iso_polygon(FIELD, iso.PolygonType.PartfieldBoundary)
    done = iso.Time(
        start=XmlDateTime(2025, 5, 3, 8, 0, 0), stop=XmlDateTime(2025, 5, 3, 9, 0, 0), type=iso.TimeType.Effective,
        data_log_values=[iso.DataLogValue(
            process_data_ddi=TOTAL_AREA.to_bytes(2), process_data_value=AREA, device_element_id_ref="DET1")],
    )  # fmt: skip
    master = "working_set_master_name" if iso is iso3 else "client_name"
    tool = iso.Device(
        id="DVC1", designator=NAMES["tool"], **{master: TILLS},
        structure_label=bytes(7), localization_label=bytes(7),
        elements=[iso.DeviceElement(id="DET1", object_id=1, type=iso.DeviceElementType.Device, designator="whole",
                                    number=0, parent_object_id=0)],
    )  # fmt: skip
    task = iso.Task(
        id="TSK1", designator=NAMES["task"], partfield_id_ref="PFD1", status=iso.TaskStatus("4"),
        times=[done], product_allocations=[iso.ProductAllocation(product_id_ref="PDT1", device_element_id_ref="DET1")],
        oper_tech_practices=[iso.OperTechPractice(cultural_practice_id_ref="CPC1", operation_technique_id_ref="OTQ1")],
    )  # fmt: skip
    return iso.Iso11783TaskData(
        management_software_manufacturer="test", management_software_version="1",
        data_transfer_origin=iso.Iso11783TaskDataDataTransferOrigin.FMIS,
        partfields=[iso.Partfield(id="PFD1", designator=NAMES["field"], area=AREA, polygons=[border])],
        products=[iso.Product(id="PDT1", designator=NAMES["product"])],
        cultural_practices=[iso.CulturalPractice(id="CPC1", designator="Tillage")],
        operation_techniques=[iso.OperationTechnique(id="OTQ1", designator="Deep")],
        devices=[tool], tasks=[task],
    )  # fmt: skip


def sound(path: Path) -> TaskData:
    (found,) = task_data(path, Problems(Place(path.name)))
    assert found.problems.found == []
    return found


def assert_as_written(root: Any) -> None:  # noqa: ANN401 - XML
    plain = {key: " ".join(text.split()) for key, text in NAMES.items()}
    (task,) = tasks(root)
    assert (task.name, task.field, task.operation) == (plain["task"], plain["field"], "Deep, Tillage")
    assert [(each.element, each.product.name) for each in task.allocations] == [("DET1", plain["product"])]
    (interval,) = task.intervals
    assert interval.start.startswith("2025-05-03T08:00:00")
    assert interval.totals == {(TOTAL_AREA, "DET1"): AREA}
    assert (machines(root)["DET1"].name, machines(root)["DET1"].practice) == (plain["tool"], Practice.TILLAGE)
    (outline,) = outlines(root, Problems(Place("card")))
    assert outline.properties["name"] == plain["field"]
    acres = Decimal(parse(outline.properties["acres"])) / 1000
    assert abs(acres - AREA / SQUARE_METRES_IN_AN_ACRE) <= Decimal("0.0005")
    ((shell, hole),) = outline.polygons
    assert shapely.Polygon(shell, [hole]).symmetric_difference(FIELD).area < 1e-12


@pytest.mark.parametrize("version", VERSIONS)
def test_what_another_program_writes_is_read_whole_or_joined_in(tmp_path: Path, version: str) -> None:
    iso, _ = VERSIONS[version]
    data = written(VERSIONS[version])
    isoxml_to_zip(tmp_path / "card.zip", data, {})
    assert_as_written(sound(tmp_path / "card.zip").root)
    result = read_isoxml(tmp_path / "card.zip", "card.zip").result
    assert result is not None
    assert len(result.boundaries.fields) == 1
    beside = iso.ExternalFileContents(partfields=data.partfields)
    data.partfields = []
    data.external_file_references = [
        iso.ExternalFileReference(filename="PFD00001", filetype=iso.ExternalFileReferenceType.XML)
    ]
    (tmp_path / "folder").mkdir()
    isoxml_to_dir(tmp_path / "folder", data, {"PFD00001": beside})
    isoxml_to_zip(tmp_path / "two.zip", data, {"PFD00001": beside})
    for path in (tmp_path / "two.zip", tmp_path / "folder" / "TASKDATA.XML"):
        assert_as_written(sound(path).root)
