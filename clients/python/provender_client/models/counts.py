from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Counts")


@_attrs_define
class Counts:
    """What a read import holds; the parts have lists of their own.

    Attributes:
        rows (int):
        same (int):
        problems (int):
        sheets (int):
        rejected (int):
    """

    rows: int
    same: int
    problems: int
    sheets: int
    rejected: int

    def to_dict(self) -> dict[str, Any]:
        rows = self.rows

        same = self.same

        problems = self.problems

        sheets = self.sheets

        rejected = self.rejected

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "rows": rows,
                "same": same,
                "problems": problems,
                "sheets": sheets,
                "rejected": rejected,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        rows = d.pop("rows")

        same = d.pop("same")

        problems = d.pop("problems")

        sheets = d.pop("sheets")

        rejected = d.pop("rejected")

        counts = cls(
            rows=rows,
            same=same,
            problems=problems,
            sheets=sheets,
            rejected=rejected,
        )

        return counts
