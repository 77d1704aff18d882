from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="PageQuery")


@_attrs_define
class PageQuery:
    """What a caller may say about pages.

    Attributes:
        limit (int | Unset): Items on a page. Default: 100.
        after (int | Unset): The mark `next` of the page before. Default: 0.
    """

    limit: int | Unset = 100
    after: int | Unset = 0

    def to_dict(self) -> dict[str, Any]:
        limit = self.limit

        after = self.after

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if limit is not UNSET:
            field_dict["limit"] = limit
        if after is not UNSET:
            field_dict["after"] = after

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        limit = d.pop("limit", UNSET)

        after = d.pop("after", UNSET)

        page_query = cls(
            limit=limit,
            after=after,
        )

        return page_query
