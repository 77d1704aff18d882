from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.news_kind import NewsKind

T = TypeVar("T", bound="HookIn")


@_attrs_define
class HookIn:
    """Where to send what. The address is https and leads out of the server's own network.

    Attributes:
        address (str):
        kinds (list[NewsKind]):
    """

    address: str
    kinds: list[NewsKind]

    def to_dict(self) -> dict[str, Any]:
        address = self.address

        kinds = []
        for kinds_item_data in self.kinds:
            kinds_item = kinds_item_data.value
            kinds.append(kinds_item)

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "address": address,
                "kinds": kinds,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        address = d.pop("address")

        kinds = []
        _kinds = d.pop("kinds")
        for kinds_item_data in _kinds:
            kinds_item = NewsKind(kinds_item_data)

            kinds.append(kinds_item)

        hook_in = cls(
            address=address,
            kinds=kinds,
        )

        return hook_in
