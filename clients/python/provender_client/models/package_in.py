from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.part import Part
from ..types import UNSET, Unset

T = TypeVar("T", bound="PackageIn")


@_attrs_define
class PackageIn:
    """A package to ask for; ``absent`` parts may be missing from it, for the reason given.

    Attributes:
        what (str):
        recompute (bool | Unset): Recompute it here; else it is made to be downloaded. Default: False.
        absent (list[Part] | Unset): Of evidence, reports, documents, statements, keys.
        reason (str | Unset):  Default: ''.
    """

    what: str
    recompute: bool | Unset = False
    absent: list[Part] | Unset = UNSET
    reason: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        what = self.what

        recompute = self.recompute

        absent: list[str] | Unset = UNSET
        if not isinstance(self.absent, Unset):
            absent = []
            for absent_item_data in self.absent:
                absent_item = absent_item_data.value
                absent.append(absent_item)

        reason = self.reason

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "what": what,
            }
        )
        if recompute is not UNSET:
            field_dict["recompute"] = recompute
        if absent is not UNSET:
            field_dict["absent"] = absent
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        what = d.pop("what")

        recompute = d.pop("recompute", UNSET)

        _absent = d.pop("absent", UNSET)
        absent: list[Part] | Unset = UNSET
        if _absent is not UNSET:
            absent = []
            for absent_item_data in _absent:
                absent_item = Part(absent_item_data)

                absent.append(absent_item)

        reason = d.pop("reason", UNSET)

        package_in = cls(
            what=what,
            recompute=recompute,
            absent=absent,
            reason=reason,
        )

        return package_in
