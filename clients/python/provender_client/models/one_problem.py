from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="OneProblem")


@_attrs_define
class OneProblem:
    """One thing to fix: where, why, what to do, which paragraph.

    Attributes:
        at (str):
        cause (str):
        remedy (str):
        cite (str | Unset):  Default: ''.
        code (str | Unset):  Default: ''.
    """

    at: str
    cause: str
    remedy: str
    cite: str | Unset = ""
    code: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        at = self.at

        cause = self.cause

        remedy = self.remedy

        cite = self.cite

        code = self.code

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "cause": cause,
                "remedy": remedy,
            }
        )
        if cite is not UNSET:
            field_dict["cite"] = cite
        if code is not UNSET:
            field_dict["code"] = code

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        at = d.pop("at")

        cause = d.pop("cause")

        remedy = d.pop("remedy")

        cite = d.pop("cite", UNSET)

        code = d.pop("code", UNSET)

        one_problem = cls(
            at=at,
            cause=cause,
            remedy=remedy,
            cite=cite,
            code=code,
        )

        return one_problem
