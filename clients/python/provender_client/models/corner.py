from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Corner")


@_attrs_define
class Corner:
    """A corner of a field, in degrees (WGS 84).

    Attributes:
        longitude (float):
        latitude (float):
    """

    longitude: float
    latitude: float

    def to_dict(self) -> dict[str, Any]:
        longitude = self.longitude

        latitude = self.latitude

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "longitude": longitude,
                "latitude": latitude,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        longitude = d.pop("longitude")

        latitude = d.pop("latitude")

        corner = cls(
            longitude=longitude,
            latitude=latitude,
        )

        return corner
