from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ImportProblem")


@_attrs_define
class ImportProblem:
    """What was said of the files; ``remains`` marks what the book would have and does not have now.

    Attributes:
        at (str):
        cause (str):
        remedy (str):
        cite (str):
        code (str):
        weight (str):
        remains (bool):
    """

    at: str
    cause: str
    remedy: str
    cite: str
    code: str
    weight: str
    remains: bool

    def to_dict(self) -> dict[str, Any]:
        at = self.at

        cause = self.cause

        remedy = self.remedy

        cite = self.cite

        code = self.code

        weight = self.weight

        remains = self.remains

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "at": at,
                "cause": cause,
                "remedy": remedy,
                "cite": cite,
                "code": code,
                "weight": weight,
                "remains": remains,
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

        weight = d.pop("weight")

        remains = d.pop("remains")

        import_problem = cls(
            at=at,
            cause=cause,
            remedy=remedy,
            cite=cite,
            code=code,
            weight=weight,
            remains=remains,
        )

        return import_problem
