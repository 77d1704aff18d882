from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="GrantOut")


@_attrs_define
class GrantOut:
    """The access of a verifier, from the first day to the last, or until it was taken back.

    Attributes:
        id (int):
        verifier (str):
        purpose (str):
        first_day (datetime.date):
        last_day (datetime.date):
        revoked (bool):
    """

    id: int
    verifier: str
    purpose: str
    first_day: datetime.date
    last_day: datetime.date
    revoked: bool

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        verifier = self.verifier

        purpose = self.purpose

        first_day = self.first_day.isoformat()

        last_day = self.last_day.isoformat()

        revoked = self.revoked

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "verifier": verifier,
                "purpose": purpose,
                "first_day": first_day,
                "last_day": last_day,
                "revoked": revoked,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        verifier = d.pop("verifier")

        purpose = d.pop("purpose")

        first_day = datetime.date.fromisoformat(d.pop("first_day"))

        last_day = datetime.date.fromisoformat(d.pop("last_day"))

        revoked = d.pop("revoked")

        grant_out = cls(
            id=id,
            verifier=verifier,
            purpose=purpose,
            first_day=first_day,
            last_day=last_day,
            revoked=revoked,
        )

        return grant_out
