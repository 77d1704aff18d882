from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="GrantHeld")


@_attrs_define
class GrantHeld:
    """An organization that lets this verifier read, from the first day to the last, or until it took that back.

    Attributes:
        id (int):
        audited (str):
        code (str):
        purpose (str):
        first_day (datetime.date):
        last_day (datetime.date):
        revoked (bool):
    """

    id: int
    audited: str
    code: str
    purpose: str
    first_day: datetime.date
    last_day: datetime.date
    revoked: bool

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        audited = self.audited

        code = self.code

        purpose = self.purpose

        first_day = self.first_day.isoformat()

        last_day = self.last_day.isoformat()

        revoked = self.revoked

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "audited": audited,
                "code": code,
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

        audited = d.pop("audited")

        code = d.pop("code")

        purpose = d.pop("purpose")

        first_day = datetime.date.fromisoformat(d.pop("first_day"))

        last_day = datetime.date.fromisoformat(d.pop("last_day"))

        revoked = d.pop("revoked")

        grant_held = cls(
            id=id,
            audited=audited,
            code=code,
            purpose=purpose,
            first_day=first_day,
            last_day=last_day,
            revoked=revoked,
        )

        return grant_held
