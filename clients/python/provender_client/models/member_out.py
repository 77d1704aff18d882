from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="MemberOut")


@_attrs_define
class MemberOut:
    """A member and what they may do.

    Attributes:
        id (int):
        name (str):
        email (str):
        right (str):
        firm (str):
        since (datetime.datetime):
    """

    id: int
    name: str
    email: str
    right: str
    firm: str
    since: datetime.datetime

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        email = self.email

        right = self.right

        firm = self.firm

        since = self.since.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "name": name,
                "email": email,
                "right": right,
                "firm": firm,
                "since": since,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        email = d.pop("email")

        right = d.pop("right")

        firm = d.pop("firm")

        since = datetime.datetime.fromisoformat(d.pop("since"))

        member_out = cls(
            id=id,
            name=name,
            email=email,
            right=right,
            firm=firm,
            since=since,
        )

        return member_out
