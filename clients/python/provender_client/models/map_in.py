from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

from ..models.map_in_target import MapInTarget

if TYPE_CHECKING:
    from ..models.map_in_map import MapInMap


T = TypeVar("T", bound="MapIn")


@_attrs_define
class MapIn:
    """A column map that somebody looked at: as a reading gave it, or corrected.

    Attributes:
        target (MapInTarget):
        map_ (MapInMap):
    """

    target: MapInTarget
    map_: MapInMap

    def to_dict(self) -> dict[str, Any]:
        target = self.target.value

        map_ = self.map_.to_dict()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "target": target,
                "map": map_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.map_in_map import MapInMap  # noqa: PLC0415

        d = dict(src_dict)
        target = MapInTarget(d.pop("target"))

        map_ = MapInMap.from_dict(d.pop("map"))

        map_in = cls(
            target=target,
            map_=map_,
        )

        return map_in
