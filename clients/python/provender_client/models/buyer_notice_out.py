from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="BuyerNoticeOut")


@_attrs_define
class BuyerNoticeOut:
    """A partner to be told that a report behind bushels it bought changed.

    Attributes:
        number (str): Of the notice, as a document.
        day (datetime.date):
        buyer (str):
        name (str):
        crop (str):
        harvest_year (int):
        said (str):
        bushels (str):
        signed (bool):
    """

    number: str
    day: datetime.date
    buyer: str
    name: str
    crop: str
    harvest_year: int
    said: str
    bushels: str
    signed: bool

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        day = self.day.isoformat()

        buyer = self.buyer

        name = self.name

        crop = self.crop

        harvest_year = self.harvest_year

        said = self.said

        bushels = self.bushels

        signed = self.signed

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "day": day,
                "buyer": buyer,
                "name": name,
                "crop": crop,
                "harvest_year": harvest_year,
                "said": said,
                "bushels": bushels,
                "signed": signed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        day = datetime.date.fromisoformat(d.pop("day"))

        buyer = d.pop("buyer")

        name = d.pop("name")

        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        said = d.pop("said")

        bushels = d.pop("bushels")

        signed = d.pop("signed")

        buyer_notice_out = cls(
            number=number,
            day=day,
            buyer=buyer,
            name=name,
            crop=crop,
            harvest_year=harvest_year,
            said=said,
            bushels=bushels,
            signed=signed,
        )

        return buyer_notice_out
