from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.corner import Corner


T = TypeVar("T", bound="BoundaryIn")


@_attrs_define
class BoundaryIn:
    """A boundary to draw: a unit of the book or the name of a new one, and its corners in order around the field.

    Attributes:
        unit_id (str): One line of text.
        corners (list[Corner]):
    """

    unit_id: str
    corners: list[Corner]

    def to_dict(self) -> dict[str, Any]:
        unit_id = self.unit_id

        corners = []
        for corners_item_data in self.corners:
            corners_item = corners_item_data.to_dict()
            corners.append(corners_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "unit_id": unit_id,
                "corners": corners,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.corner import Corner  # noqa: PLC0415

        d = dict(src_dict)
        unit_id = d.pop("unit_id")

        corners = []
        _corners = d.pop("corners")
        for corners_item_data in _corners:
            corners_item = Corner.from_dict(corners_item_data)

            corners.append(corners_item)

        boundary_in = cls(
            unit_id=unit_id,
            corners=corners,
        )

        return boundary_in
