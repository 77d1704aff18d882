from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="StatementOut")


@_attrs_define
class StatementOut:
    """A verification statement that covers the organization, or its contract for the first audit.

    Attributes:
        number (str):
        opinion (str):
        start (datetime.date):
        end (datetime.date):
        crops (list[str]):
    """

    number: str
    opinion: str
    start: datetime.date
    end: datetime.date
    crops: list[str]

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        opinion = self.opinion

        start = self.start.isoformat()

        end = self.end.isoformat()

        crops = self.crops

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "opinion": opinion,
                "start": start,
                "end": end,
                "crops": crops,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        opinion = d.pop("opinion")

        start = datetime.date.fromisoformat(d.pop("start"))

        end = datetime.date.fromisoformat(d.pop("end"))

        crops = cast(list[str], d.pop("crops"))

        statement_out = cls(
            number=number,
            opinion=opinion,
            start=start,
            end=end,
            crops=crops,
        )

        return statement_out
