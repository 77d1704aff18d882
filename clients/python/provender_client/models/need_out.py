from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..models.weight import Weight

T = TypeVar("T", bound="NeedOut")


@_attrs_define
class NeedOut:
    """A problem, with how much it weighs.

    Attributes:
        at (str):
        cause (str):
        remedy (str):
        cite (str):
        code (str):
        weight (Weight): How much a problem matters.
    """

    at: str
    cause: str
    remedy: str
    cite: str
    code: str
    weight: Weight

    def to_dict(self) -> dict[str, Any]:
        at = self.at

        cause = self.cause

        remedy = self.remedy

        cite = self.cite

        code = self.code

        weight = self.weight.value

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "cause": cause,
                "remedy": remedy,
                "cite": cite,
                "code": code,
                "weight": weight,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = d.pop("at")

        cause = d.pop("cause")

        remedy = d.pop("remedy")

        cite = d.pop("cite")

        code = d.pop("code")

        weight = Weight(d.pop("weight"))

        need_out = cls(
            at=at,
            cause=cause,
            remedy=remedy,
            cite=cite,
            code=code,
            weight=weight,
        )

        return need_out
