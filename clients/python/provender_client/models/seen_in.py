from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.way import Way
from ..types import UNSET, Unset

T = TypeVar("T", bound="SeenIn")


@_attrs_define
class SeenIn:
    """A site of the party, or a drawn farm by its code, that was audited.

    Attributes:
        way (Way): How a place was audited.
        on (datetime.date):
        by (str):
        seen (str):
        site (str | Unset):  Default: ''.
        farm (str | Unset):  Default: ''.
    """

    way: Way
    on: datetime.date
    by: str
    seen: str
    site: str | Unset = ""
    farm: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        way = self.way.value

        on = self.on.isoformat()

        by = self.by

        seen = self.seen

        site = self.site

        farm = self.farm

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "way": way,
                "on": on,
                "by": by,
                "seen": seen,
            }
        )
        if site is not UNSET:
            field_dict["site"] = site
        if farm is not UNSET:
            field_dict["farm"] = farm

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        way = Way(d.pop("way"))

        on = datetime.date.fromisoformat(d.pop("on"))

        by = d.pop("by")

        seen = d.pop("seen")

        site = d.pop("site", UNSET)

        farm = d.pop("farm", UNSET)

        seen_in = cls(
            way=way,
            on=on,
            by=by,
            seen=seen,
            site=site,
            farm=farm,
        )

        return seen_in
