from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SeenOut")


@_attrs_define
class SeenOut:
    """A site or a drawn farm that was audited.

    Attributes:
        number (int):
        site (str): Empty for a farm of the sample.
        farm (str): Code of a drawn farm; empty for a site.
        way (str):
        on (datetime.date):
        by (str):
        seen (str):
    """

    number: int
    site: str
    farm: str
    way: str
    on: datetime.date
    by: str
    seen: str

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        site = self.site

        farm = self.farm

        way = self.way

        on = self.on.isoformat()

        by = self.by

        seen = self.seen

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "site": site,
                "farm": farm,
                "way": way,
                "on": on,
                "by": by,
                "seen": seen,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        site = d.pop("site")

        farm = d.pop("farm")

        way = d.pop("way")

        on = datetime.date.fromisoformat(d.pop("on"))

        by = d.pop("by")

        seen = d.pop("seen")

        seen_out = cls(
            number=number,
            site=site,
            farm=farm,
            way=way,
            on=on,
            by=by,
            seen=seen,
        )

        return seen_out
