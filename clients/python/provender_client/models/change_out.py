from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ChangeOut")


@_attrs_define
class ChangeOut:
    """A change as written.

    Attributes:
        version (int):
        hash_ (str):
        previous (str):
        at (str):
    """

    version: int
    hash_: str
    previous: str
    at: str

    def to_dict(self) -> dict[str, Any]:
        version = self.version

        hash_ = self.hash_

        previous = self.previous

        at = self.at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "version": version,
                "hash": hash_,
                "previous": previous,
                "at": at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        version = d.pop("version")

        hash_ = d.pop("hash")

        previous = d.pop("previous")

        at = d.pop("at")

        change_out = cls(
            version=version,
            hash_=hash_,
            previous=previous,
            at=at,
        )

        return change_out
