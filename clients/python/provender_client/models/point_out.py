from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="PointOut")


@_attrs_define
class PointOut:
    """Stock from a day on, until the next one says otherwise.

    Attributes:
        day (datetime.date):
        bushels (str):
    """

    day: datetime.date
    bushels: str

    def to_dict(self) -> dict[str, Any]:
        day = self.day.isoformat()

        bushels = self.bushels

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "day": day,
                "bushels": bushels,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        day = datetime.date.fromisoformat(d.pop("day"))

        bushels = d.pop("bushels")

        point_out = cls(
            day=day,
            bushels=bushels,
        )

        return point_out
