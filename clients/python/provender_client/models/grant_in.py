from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="GrantIn")


@_attrs_define
class GrantIn:
    """Which verifier may read, for how long and what for.

    Attributes:
        verifier (str): Code of an organization here.
        purpose (str):
        first_day (datetime.date):
        last_day (datetime.date):
    """

    verifier: str
    purpose: str
    first_day: datetime.date
    last_day: datetime.date

    def to_dict(self) -> dict[str, Any]:
        verifier = self.verifier

        purpose = self.purpose

        first_day = self.first_day.isoformat()

        last_day = self.last_day.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "verifier": verifier,
                "purpose": purpose,
                "first_day": first_day,
                "last_day": last_day,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        verifier = d.pop("verifier")

        purpose = d.pop("purpose")

        first_day = datetime.date.fromisoformat(d.pop("first_day"))

        last_day = datetime.date.fromisoformat(d.pop("last_day"))

        grant_in = cls(
            verifier=verifier,
            purpose=purpose,
            first_day=first_day,
            last_day=last_day,
        )

        return grant_in
