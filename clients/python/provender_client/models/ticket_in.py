from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="TicketIn")


@_attrs_define
class TicketIn:
    """A scale ticket as a purchase or sale names it.

    Attributes:
        number (str): Printed on the ticket, unique for the site. Example: T-1001.
        bushels (str): Net; pounds for a product. Example: 950.25.
        day (datetime.date | None | Unset): The day of the scale; the day of the event without it. Example: 2026-10-05.
        bin_ (None | str | Unset): The place inside the site, where it is known. Example: B3.
    """

    number: str
    bushels: str
    day: datetime.date | None | Unset = UNSET
    bin_: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        bushels = self.bushels

        day: None | str | Unset
        if isinstance(self.day, Unset):
            day = UNSET
        elif isinstance(self.day, datetime.date):
            day = self.day.isoformat()
        else:
            day = self.day

        bin_: None | str | Unset
        if isinstance(self.bin_, Unset):
            bin_ = UNSET
        else:
            bin_ = self.bin_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "bushels": bushels,
            }
        )
        if day is not UNSET:
            field_dict["day"] = day
        if bin_ is not UNSET:
            field_dict["bin"] = bin_

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        bushels = d.pop("bushels")

        def _parse_day(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                day_type_0 = datetime.date.fromisoformat(data)

                return day_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        day = _parse_day(d.pop("day", UNSET))

        def _parse_bin_(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        bin_ = _parse_bin_(d.pop("bin", UNSET))

        ticket_in = cls(
            number=number,
            bushels=bushels,
            day=day,
            bin_=bin_,
        )

        return ticket_in
