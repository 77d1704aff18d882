from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ReopeningIn")


@_attrs_define
class ReopeningIn:
    """Why a finding goes on, and until when.

    Attributes:
        text (str):
        due (datetime.date):
    """

    text: str
    due: datetime.date

    def to_dict(self) -> dict[str, Any]:
        text = self.text

        due = self.due.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "text": text,
                "due": due,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        text = d.pop("text")

        due = datetime.date.fromisoformat(d.pop("due"))

        reopening_in = cls(
            text=text,
            due=due,
        )

        return reopening_in
