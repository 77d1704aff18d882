from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="NextStep")


@_attrs_define
class NextStep:
    """One thing to do next: what, why, and on which page.

    Attributes:
        what (str):
        why (str):
        page (str):
    """

    what: str
    why: str
    page: str

    def to_dict(self) -> dict[str, Any]:
        what = self.what

        why = self.why

        page = self.page

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "what": what,
                "why": why,
                "page": page,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        what = d.pop("what")

        why = d.pop("why")

        page = d.pop("page")

        next_step = cls(
            what=what,
            why=why,
            page=page,
        )

        return next_step
