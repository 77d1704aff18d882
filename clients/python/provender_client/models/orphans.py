from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Orphans")


@_attrs_define
class Orphans:
    """Rows of a kind that name the row.

    Attributes:
        kind (str):
        count (int):
    """

    kind: str
    count: int

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        count = self.count

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "count": count,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = d.pop("kind")

        count = d.pop("count")

        orphans = cls(
            kind=kind,
            count=count,
        )

        return orphans
