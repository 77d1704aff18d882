from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="IntensityChange")


@_attrs_define
class IntensityChange:
    """The farm's carbon intensity of a crop before and after: by the calculator's runs, else the estimate.

    None where it is not shown.

        Attributes:
            crop (str):
            before (None | str): g CO2e/bu
            after (None | str): g CO2e/bu
    """

    crop: str
    before: None | str
    after: None | str

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        before: None | str
        before = self.before

        after: None | str
        after = self.after

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "before": before,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop")

        def _parse_before(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        before = _parse_before(d.pop("before"))

        def _parse_after(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        after = _parse_after(d.pop("after"))

        intensity_change = cls(
            crop=crop,
            before=before,
            after=after,
        )

        return intensity_change
