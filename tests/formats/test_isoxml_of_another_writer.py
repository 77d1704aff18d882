"""Task data that another program (isoxml) writes, read here: fields, outlines, products, machines, tasks, their totals.

It writes no binary logs: their header needs attributes that stand there empty, and it leaves such attributes out. Logs
are held against another reader (``test_against_another_reader``).
"""

from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import isoxml.models.base.v3 as iso3
import isoxml.models.base.v4 as iso4
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from isoxml.converter.shapely_geom import ShapelyConverterV3, ShapelyConverterV4
from isoxml.util.isoxml_io import isoxml_to_dir, isoxml_to_zip
from xsdata.models.datatype import XmlDateTime

from provender.exact import parse
from provender.formats.isoxml.passes import read_isoxml
from provender.formats.isoxml.tasks import Practice, TaskData, machines, outlines, task_data, tasks

Version = tuple[ModuleType, type]
VERSIONS: Final[dict[str, Version]] = {"3": (iso3, ShapelyConverterV3), "4": (iso4, ShapelyConverterV4)}
TILLAGE_TOOL: Final = bytes.fromhex("A00484000BC8AA52")
TOTAL_AREA: Final = 0x74
SQUARE_METRES_IN_AN_ACRE: Final = Decimal("4046.8564224")
FIELD: Final = shapely.Polygon(
    [(-93.0, 42.0), (-92.99, 42.0), (-92.99, 42.008), (-93.0, 42.008)],
    [[(-92.996, 42.003), (-92.994, 42.003), (-92.994, 42.005)]],
)
name = st.text(st.characters(min_codepoint=32, exclude_categories=["C"]), min_size=1, max_size=32).filter(str.strip)


def written(version: Version, names: dict[str, str] | None = None, area: int = 400_000) -> Any:  # noqa: ANN401
    """Return task data of one field, tool, product and task, with its names as told."""
    iso, converter = version
    said = {"field": "Home 80", "tool": "Disk", "task": "Tillage", "product": "UAN 32", **(names or {})}
    border = converter().to_iso_polygon(FIELD, iso.PolygonType.PartfieldBoundary)
    done = iso.Time(
        start=XmlDateTime(2025, 5, 3, 8, 0, 0), stop=XmlDateTime(2025, 5, 3, 9, 0, 0), type=iso.TimeType.Effective,
        data_log_values=[iso.DataLogValue(
            process_data_ddi=TOTAL_AREA.to_bytes(2), process_data_value=area, device_element_id_ref="DET1")],
    )  # fmt: skip
    master = "working_set_master_name" if iso is iso3 else "client_name"
    tool = iso.Device(
        id="DVC1", designator=said["tool"], **{master: TILLAGE_TOOL},
        structure_label=bytes(7), localization_label=bytes(7),
        elements=[iso.DeviceElement(id="DET1", object_id=1, type=iso.DeviceElementType.Device, designator="whole",
                                    number=0, parent_object_id=0)],
    )  # fmt: skip
    task = iso.Task(
        id="TSK1", designator=said["task"], partfield_id_ref="PFD1", status=iso.TaskStatus("4"),
        times=[done], product_allocations=[iso.ProductAllocation(product_id_ref="PDT1", device_element_id_ref="DET1")],
        oper_tech_practices=[iso.OperTechPractice(cultural_practice_id_ref="CPC1", operation_technique_id_ref="OTQ1")],
    )  # fmt: skip
    return iso.Iso11783TaskData(
        management_software_manufacturer="test", management_software_version="1",
        data_transfer_origin=iso.Iso11783TaskDataDataTransferOrigin.FMIS,
        partfields=[iso.Partfield(id="PFD1", designator=said["field"], area=area, polygons=[border])],
        products=[iso.Product(id="PDT1", designator=said["product"])],
        cultural_practices=[iso.CulturalPractice(id="CPC1", designator="Tillage")],
        operation_techniques=[iso.OperationTechnique(id="OTQ1", designator="Deep")],
        devices=[tool], tasks=[task],
    )  # fmt: skip


def packed(folder: Path, data: object, **parts: object) -> Path:
    target = folder / "card.zip"
    isoxml_to_zip(target, data, parts)
    return target


def read(path: Path) -> TaskData:
    (found,) = task_data(path, path.name)
    assert found.problems == []
    return found


@pytest.mark.parametrize("version", VERSIONS)
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(names=st.fixed_dictionaries(dict.fromkeys(("field", "tool", "task", "product"), name)),
       area=st.integers(1, 10**9))  # fmt: skip
def test_names_and_totals_are_those_that_were_written(
    tmp_path: Path, version: str, names: dict[str, str], area: int
) -> None:
    root = read(packed(tmp_path, written(VERSIONS[version], names, area))).root
    plain = {key: " ".join(text.split()) for key, text in names.items()}
    (task,) = tasks(root)
    assert (task.name, task.field, task.operation) == (plain["task"], plain["field"], "Deep, Tillage")
    assert task.products == {"DET1": plain["product"]}
    (interval,) = task.intervals
    assert interval.start.startswith("2025-05-03T08:00:00")
    assert interval.totals == {(TOTAL_AREA, "DET1"): area}
    assert (machines(root)["DET1"].name, machines(root)["DET1"].practice) == (plain["tool"], Practice.TILLAGE)
    (outline,) = outlines(root, "card")
    assert outline.properties["name"] == plain["field"]
    acres = Decimal(parse(outline.properties["acres"])) / 1000
    assert abs(acres - area / SQUARE_METRES_IN_AN_ACRE) <= Decimal("0.0005")


@pytest.mark.parametrize("version", VERSIONS)
def test_an_outline_with_a_hole_has_the_area_that_shapely_gives_it(tmp_path: Path, version: str) -> None:
    (outline,) = outlines(read(packed(tmp_path, written(VERSIONS[version]))).root, "card")
    ((shell, hole),) = outline.polygons
    assert shapely.Polygon(shell, [hole]).symmetric_difference(FIELD).area < 1e-12
    result = read_isoxml(tmp_path / "card.zip", "card.zip").result
    assert result is not None
    assert (len(result.boundaries.fields), result.tasks) == (1, 1)


@pytest.mark.parametrize("version", VERSIONS)
def test_what_stands_in_a_file_beside_is_joined_in_from_zip_and_folder(tmp_path: Path, version: str) -> None:
    iso, _ = VERSIONS[version]
    data = written(VERSIONS[version])
    beside = iso.ExternalFileContents(partfields=data.partfields)
    data.partfields = []
    data.external_file_references = [
        iso.ExternalFileReference(filename="PFD00001", filetype=iso.ExternalFileReferenceType.XML)
    ]
    (tmp_path / "folder").mkdir()
    isoxml_to_dir(tmp_path / "folder", data, {"PFD00001": beside})
    for path in (packed(tmp_path, data, PFD00001=beside), tmp_path / "folder" / "TASKDATA.XML"):
        found = read(path)
        assert [task.field for task in tasks(found.root)] == ["Home 80"]
        assert len(outlines(found.root, "card")) == 1
