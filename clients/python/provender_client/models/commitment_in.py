from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="CommitmentIn")


@_attrs_define
class CommitmentIn:
    """A side's own commitment to its part of the seed, as ``provender audit seed`` shows it.

    Attributes:
        commitment (str):
    """

    commitment: str

    def to_dict(self) -> dict[str, Any]:
        commitment = self.commitment

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "commitment": commitment,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        commitment = d.pop("commitment")

        commitment_in = cls(
            commitment=commitment,
        )

        return commitment_in
