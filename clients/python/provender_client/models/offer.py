from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Offer")


@_attrs_define
class Offer:
    """What is to be sold: of which report, to whom (the buyer's code), how many bushels, on which day.

    Attributes:
        crop (str):
        harvest_year (int):
        buyer (str): The buyer's code.
        bushels (str): Decimal text, such as 1000.5.
        day (datetime.date):
    """

    crop: str
    harvest_year: int
    buyer: str
    bushels: str
    day: datetime.date

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        harvest_year = self.harvest_year

        buyer = self.buyer

        bushels = self.bushels

        day = self.day.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "buyer": buyer,
                "bushels": bushels,
                "day": day,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        buyer = d.pop("buyer")

        bushels = d.pop("bushels")

        day = datetime.date.fromisoformat(d.pop("day"))

        offer = cls(
            crop=crop,
            harvest_year=harvest_year,
            buyer=buyer,
            bushels=bushels,
            day=day,
        )

        return offer
