from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

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
        ci_g_per_bu (None | str): Null where that did not change.
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
    ci_g_per_bu: None | str
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

        ci_g_per_bu: None | str
        ci_g_per_bu = self.ci_g_per_bu

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
                "ci_g_per_bu": ci_g_per_bu,
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

        def _parse_ci_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        ci_g_per_bu = _parse_ci_g_per_bu(d.pop("ci_g_per_bu"))

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
            ci_g_per_bu=ci_g_per_bu,
            bushels=bushels,
            signed=signed,
        )

        return buyer_notice_out
