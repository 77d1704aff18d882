from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="PendingPurchase")


@_attrs_define
class PendingPurchase:
    """A purchase that waits for the farm's report.

    Attributes:
        purchase (str):
        farm (str):
        day (datetime.date):
        crop (str):
        harvest_year (int):
        site (str):
        bushels_left (str):
    """

    purchase: str
    farm: str
    day: datetime.date
    crop: str
    harvest_year: int
    site: str
    bushels_left: str

    def to_dict(self) -> dict[str, Any]:
        purchase = self.purchase

        farm = self.farm

        day = self.day.isoformat()

        crop = self.crop

        harvest_year = self.harvest_year

        site = self.site

        bushels_left = self.bushels_left

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "purchase": purchase,
                "farm": farm,
                "day": day,
                "crop": crop,
                "harvest_year": harvest_year,
                "site": site,
                "bushels_left": bushels_left,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        purchase = d.pop("purchase")

        farm = d.pop("farm")

        day = datetime.date.fromisoformat(d.pop("day"))

        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        site = d.pop("site")

        bushels_left = d.pop("bushels_left")

        pending_purchase = cls(
            purchase=purchase,
            farm=farm,
            day=day,
            crop=crop,
            harvest_year=harvest_year,
            site=site,
            bushels_left=bushels_left,
        )

        return pending_purchase
