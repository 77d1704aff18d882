from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="WriteIn")


@_attrs_define
class WriteIn:
    """The nod: which attempt was seen, and that what is to be confirmed was looked at.

    Attributes:
        attempt (int): The attempt you have seen.
        looked (bool | Unset):  Default: False.
    """

    attempt: int
    looked: bool | Unset = False

    def to_dict(self) -> dict[str, Any]:
        attempt = self.attempt

        looked = self.looked

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "attempt": attempt,
            }
        )
        if looked is not UNSET:
            field_dict["looked"] = looked

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        attempt = d.pop("attempt")

        looked = d.pop("looked", UNSET)

        write_in = cls(
            attempt=attempt,
            looked=looked,
        )

        return write_in
