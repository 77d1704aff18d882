from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.movement_out import MovementOut


T = TypeVar("T", bound="MovementsOut")


@_attrs_define
class MovementsOut:
    """Movements, newest first; ``older`` is the mark for the next page, null at the end.

    Attributes:
        items (list[MovementOut]):
        older (None | str):
    """

    items: list[MovementOut]
    older: None | str

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        older: None | str
        older = self.older

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "older": older,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.movement_out import MovementOut  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = MovementOut.from_dict(items_item_data)

            items.append(items_item)

        def _parse_older(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        older = _parse_older(d.pop("older"))

        movements_out = cls(
            items=items,
            older=older,
        )

        return movements_out
