from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.practice_total_out_practice import PracticeTotalOutPractice

if TYPE_CHECKING:
    from ..models.crop_extent import CropExtent
    from ..models.practice_extent import PracticeExtent


T = TypeVar("T", bound="PracticeTotalOut")


@_attrs_define
class PracticeTotalOut:
    """One practice in one harvest year, across the operation; a practice that no crop meets has none.

    A crop that meets several standards counts under each of them: practices do not add up.

        Attributes:
            farm_id (str):
            harvest_year (int):
            practice (PracticeTotalOutPractice):
            label (str):
            cite (str): Those that ask for these totals; empty for tillage.
            extent (PracticeExtent): How much stands under a practice. An amount is null where a crop on a unit lacks it:
                the total is not known.
            crops (list[CropExtent]): A crop that never meets it is left out.
    """

    farm_id: str
    harvest_year: int
    practice: PracticeTotalOutPractice
    label: str
    cite: str
    extent: PracticeExtent
    crops: list[CropExtent]

    def to_dict(self) -> dict[str, Any]:
        farm_id = self.farm_id

        harvest_year = self.harvest_year

        practice = self.practice.value

        label = self.label

        cite = self.cite

        extent = self.extent.to_dict()

        crops = []
        for crops_item_data in self.crops:
            crops_item = crops_item_data.to_dict()
            crops.append(crops_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "farm_id": farm_id,
                "harvest_year": harvest_year,
                "practice": practice,
                "label": label,
                "cite": cite,
                "extent": extent,
                "crops": crops,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.crop_extent import CropExtent  # noqa: PLC0415
        from ..models.practice_extent import PracticeExtent  # noqa: PLC0415

        d = dict(src_dict)
        farm_id = d.pop("farm_id")

        harvest_year = d.pop("harvest_year")

        practice = PracticeTotalOutPractice(d.pop("practice"))

        label = d.pop("label")

        cite = d.pop("cite")

        extent = PracticeExtent.from_dict(d.pop("extent"))

        crops = []
        _crops = d.pop("crops")
        for crops_item_data in _crops:
            crops_item = CropExtent.from_dict(crops_item_data)

            crops.append(crops_item)

        practice_total_out = cls(
            farm_id=farm_id,
            harvest_year=harvest_year,
            practice=practice,
            label=label,
            cite=cite,
            extent=extent,
            crops=crops,
        )

        return practice_total_out
