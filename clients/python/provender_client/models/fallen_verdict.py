from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="FallenVerdict")


@_attrs_define
class FallenVerdict:
    """A practice of a crop on a unit that would be judged otherwise.

    Attributes:
        where (str):
        practice (str):
        before (str):
        after (str):
    """

    where: str
    practice: str
    before: str
    after: str

    def to_dict(self) -> dict[str, Any]:
        where = self.where

        practice = self.practice

        before = self.before

        after = self.after

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "where": where,
                "practice": practice,
                "before": before,
                "after": after,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        where = d.pop("where")

        practice = d.pop("practice")

        before = d.pop("before")

        after = d.pop("after")

        fallen_verdict = cls(
            where=where,
            practice=practice,
            before=before,
            after=after,
        )

        return fallen_verdict
