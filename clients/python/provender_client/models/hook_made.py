from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.news_kind import NewsKind

T = TypeVar("T", bound="HookMade")


@_attrs_define
class HookMade:
    """A webhook as made; ``secret`` is shown this once and not kept.

    Attributes:
        id (int):
        address (str):
        kinds (list[NewsKind]):
        ended (bool):
        secret (str):
    """

    id: int
    address: str
    kinds: list[NewsKind]
    ended: bool
    secret: str

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        address = self.address

        kinds = []
        for kinds_item_data in self.kinds:
            kinds_item = kinds_item_data.value
            kinds.append(kinds_item)

        ended = self.ended

        secret = self.secret

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "address": address,
                "kinds": kinds,
                "ended": ended,
                "secret": secret,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        address = d.pop("address")

        kinds = []
        _kinds = d.pop("kinds")
        for kinds_item_data in _kinds:
            kinds_item = NewsKind(kinds_item_data)

            kinds.append(kinds_item)

        ended = d.pop("ended")

        secret = d.pop("secret")

        hook_made = cls(
            id=id,
            address=address,
            kinds=kinds,
            ended=ended,
            secret=secret,
        )

        return hook_made
