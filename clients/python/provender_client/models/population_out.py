from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.population_out_detection_item import PopulationOutDetectionItem
    from ..models.population_out_rows_item import PopulationOutRowsItem


T = TypeVar("T", bound="PopulationOut")


@_attrs_define
class PopulationOut:
    """The frozen farms: a row for each farm and crop, their hash, and what the least sample can find.

    Attributes:
        rows (list[PopulationOutRowsItem]):
        sha256 (str):
        farms (int):
        minimum (int): Farms that the rule has drawn at least.
        detection (list[PopulationOutDetectionItem]): Chances with the least sample.
    """

    rows: list[PopulationOutRowsItem]
    sha256: str
    farms: int
    minimum: int
    detection: list[PopulationOutDetectionItem]

    def to_dict(self) -> dict[str, Any]:
        rows = []
        for rows_item_data in self.rows:
            rows_item = rows_item_data.to_dict()
            rows.append(rows_item)

        sha256 = self.sha256

        farms = self.farms

        minimum = self.minimum

        detection = []
        for detection_item_data in self.detection:
            detection_item = detection_item_data.to_dict()
            detection.append(detection_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "rows": rows,
                "sha256": sha256,
                "farms": farms,
                "minimum": minimum,
                "detection": detection,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.population_out_detection_item import PopulationOutDetectionItem  # noqa: PLC0415
        from ..models.population_out_rows_item import PopulationOutRowsItem  # noqa: PLC0415

        d = dict(src_dict)
        rows = []
        _rows = d.pop("rows")
        for rows_item_data in _rows:
            rows_item = PopulationOutRowsItem.from_dict(rows_item_data)

            rows.append(rows_item)

        sha256 = d.pop("sha256")

        farms = d.pop("farms")

        minimum = d.pop("minimum")

        detection = []
        _detection = d.pop("detection")
        for detection_item_data in _detection:
            detection_item = PopulationOutDetectionItem.from_dict(detection_item_data)

            detection.append(detection_item)

        population_out = cls(
            rows=rows,
            sha256=sha256,
            farms=farms,
            minimum=minimum,
            detection=detection,
        )

        return population_out
