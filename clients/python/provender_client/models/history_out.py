from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.point_out import PointOut


T = TypeVar("T", bound="HistoryOut")


@_attrs_define
class HistoryOut:
    """Stock of one crop, harvest year and carbon intensity from day to day, the first day first.

    Attributes:
        crop (str):
        harvest_year (int):
        ci_g_per_bu (str):
        days (list[PointOut]):
    """

    crop: str
    harvest_year: int
    ci_g_per_bu: str
    days: list[PointOut]

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        harvest_year = self.harvest_year

        ci_g_per_bu = self.ci_g_per_bu

        days = []
        for days_item_data in self.days:
            days_item = days_item_data.to_dict()
            days.append(days_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "ci_g_per_bu": ci_g_per_bu,
                "days": days,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.point_out import PointOut  # noqa: PLC0415

        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        ci_g_per_bu = d.pop("ci_g_per_bu")

        days = []
        _days = d.pop("days")
        for days_item_data in _days:
            days_item = PointOut.from_dict(days_item_data)

            days.append(days_item)

        history_out = cls(
            crop=crop,
            harvest_year=harvest_year,
            ci_g_per_bu=ci_g_per_bu,
            days=days,
        )

        return history_out
