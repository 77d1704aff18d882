from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.ticket_out_way import TicketOutWay

T = TypeVar("T", bound="TicketOut")


@_attrs_define
class TicketOut:
    """A ticket as a file would enter it; ``printed_bu`` is the file's figure, ``ours_bu`` what follows by weight.

    Attributes:
        number (str):
        day (datetime.date):
        site (str):
        crop (str):
        customer (str):
        farm (str):
        way (TicketOutWay):
        printed_bu (None | str):
        ours_bu (None | str):
    """

    number: str
    day: datetime.date
    site: str
    crop: str
    customer: str
    farm: str
    way: TicketOutWay
    printed_bu: None | str
    ours_bu: None | str

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        day = self.day.isoformat()

        site = self.site

        crop = self.crop

        customer = self.customer

        farm = self.farm

        way = self.way.value

        printed_bu: None | str
        printed_bu = self.printed_bu

        ours_bu: None | str
        ours_bu = self.ours_bu

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "day": day,
                "site": site,
                "crop": crop,
                "customer": customer,
                "farm": farm,
                "way": way,
                "printed_bu": printed_bu,
                "ours_bu": ours_bu,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        day = datetime.date.fromisoformat(d.pop("day"))

        site = d.pop("site")

        crop = d.pop("crop")

        customer = d.pop("customer")

        farm = d.pop("farm")

        way = TicketOutWay(d.pop("way"))

        def _parse_printed_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        printed_bu = _parse_printed_bu(d.pop("printed_bu"))

        def _parse_ours_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        ours_bu = _parse_ours_bu(d.pop("ours_bu"))

        ticket_out = cls(
            number=number,
            day=day,
            site=site,
            crop=crop,
            customer=customer,
            farm=farm,
            way=way,
            printed_bu=printed_bu,
            ours_bu=ours_bu,
        )

        return ticket_out
