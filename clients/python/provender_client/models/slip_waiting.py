from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="SlipWaiting")


@_attrs_define
class SlipWaiting:
    """A farm's sale slip whose serials are not all bought yet; crop, year and CI are null without its report.

    Attributes:
        slip (str):
        farm (str):
        day (datetime.date):
        origin (str):
        crop (None | str):
        harvest_year (int | None):
        ci_g_per_bu (None | str):
        bushels_left (str):
    """

    slip: str
    farm: str
    day: datetime.date
    origin: str
    crop: None | str
    harvest_year: int | None
    ci_g_per_bu: None | str
    bushels_left: str

    def to_dict(self) -> dict[str, Any]:
        slip = self.slip

        farm = self.farm

        day = self.day.isoformat()

        origin = self.origin

        crop: None | str
        crop = self.crop

        harvest_year: int | None
        harvest_year = self.harvest_year

        ci_g_per_bu: None | str
        ci_g_per_bu = self.ci_g_per_bu

        bushels_left = self.bushels_left

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "slip": slip,
                "farm": farm,
                "day": day,
                "origin": origin,
                "crop": crop,
                "harvest_year": harvest_year,
                "ci_g_per_bu": ci_g_per_bu,
                "bushels_left": bushels_left,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        slip = d.pop("slip")

        farm = d.pop("farm")

        day = datetime.date.fromisoformat(d.pop("day"))

        origin = d.pop("origin")

        def _parse_crop(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        crop = _parse_crop(d.pop("crop"))

        def _parse_harvest_year(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        harvest_year = _parse_harvest_year(d.pop("harvest_year"))

        def _parse_ci_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        ci_g_per_bu = _parse_ci_g_per_bu(d.pop("ci_g_per_bu"))

        bushels_left = d.pop("bushels_left")

        slip_waiting = cls(
            slip=slip,
            farm=farm,
            day=day,
            origin=origin,
            crop=crop,
            harvest_year=harvest_year,
            ci_g_per_bu=ci_g_per_bu,
            bushels_left=bushels_left,
        )

        return slip_waiting
