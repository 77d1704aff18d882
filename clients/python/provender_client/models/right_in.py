from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.right import Right

T = TypeVar("T", bound="RightIn")


@_attrs_define
class RightIn:
    """What a member may do from now on.

    Attributes:
        right (Right): What a member may do. Each right holds those before it.
    """

    right: Right

    def to_dict(self) -> dict[str, Any]:
        right = self.right.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "right": right,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        right = Right(d.pop("right"))

        right_in = cls(
            right=right,
        )

        return right_in
