from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="AlertOut")


@_attrs_define
class AlertOut:
    """Something to look at that is no refusal.

    Attributes:
        kind (str):
        said (str):
        bushels (str):
    """

    kind: str
    said: str
    bushels: str

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind

        said = self.said

        bushels = self.bushels

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "kind": kind,
                "said": said,
                "bushels": bushels,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = d.pop("kind")

        said = d.pop("said")

        bushels = d.pop("bushels")

        alert_out = cls(
            kind=kind,
            said=said,
            bushels=bushels,
        )

        return alert_out
