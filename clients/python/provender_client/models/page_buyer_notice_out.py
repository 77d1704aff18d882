from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, cast

from attrs import define as _attrs_define

if TYPE_CHECKING:
    from ..models.buyer_notice_out import BuyerNoticeOut


T = TypeVar("T", bound="PageBuyerNoticeOut")


@_attrs_define
class PageBuyerNoticeOut:
    """
    Attributes:
        items (list[BuyerNoticeOut]):
        next_ (int | None):
    """

    items: list[BuyerNoticeOut]
    next_: int | None

    def to_dict(self) -> dict[str, Any]:
        items = []
        for items_item_data in self.items:
            items_item = items_item_data.to_dict()
            items.append(items_item)

        next_: int | None
        next_ = self.next_

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "items": items,
                "next": next_,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.buyer_notice_out import BuyerNoticeOut  # noqa: PLC0415

        d = dict(src_dict)
        items = []
        _items = d.pop("items")
        for items_item_data in _items:
            items_item = BuyerNoticeOut.from_dict(items_item_data)

            items.append(items_item)

        def _parse_next_(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        next_ = _parse_next_(d.pop("next"))

        page_buyer_notice_out = cls(
            items=items,
            next_=next_,
        )

        return page_buyer_notice_out
