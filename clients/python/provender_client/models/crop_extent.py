from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.crop_extent_crop import CropExtentCrop

if TYPE_CHECKING:
    from ..models.practice_extent import PracticeExtent


T = TypeVar("T", bound="CropExtent")


@_attrs_define
class CropExtent:
    """How much of one crop stands under a practice.

    Attributes:
        crop (CropExtentCrop):
        label (str):
        extent (PracticeExtent): How much stands under a practice. An amount is null where a crop on a unit lacks it:
            the total is not known.
    """

    crop: CropExtentCrop
    label: str
    extent: PracticeExtent

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop.value

        label = self.label

        extent = self.extent.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "label": label,
                "extent": extent,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.practice_extent import PracticeExtent  # noqa: PLC0415

        d = dict(src_dict)
        crop = CropExtentCrop(d.pop("crop"))

        label = d.pop("label")

        extent = PracticeExtent.from_dict(d.pop("extent"))

        crop_extent = cls(
            crop=crop,
            label=label,
            extent=extent,
        )

        return crop_extent
