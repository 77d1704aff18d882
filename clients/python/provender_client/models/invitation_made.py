from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="InvitationMade")


@_attrs_define
class InvitationMade:
    """An invitation as made; ``path`` is shown this once.

    Attributes:
        id (int):
        label (str):
        right (str):
        expires_at (datetime.datetime):
        path (str):
    """

    id: int
    label: str
    right: str
    expires_at: datetime.datetime
    path: str

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        label = self.label

        right = self.right

        expires_at = self.expires_at.isoformat()

        path = self.path

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "label": label,
                "right": right,
                "expires_at": expires_at,
                "path": path,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        label = d.pop("label")

        right = d.pop("right")

        expires_at = datetime.datetime.fromisoformat(d.pop("expires_at"))

        path = d.pop("path")

        invitation_made = cls(
            id=id,
            label=label,
            right=right,
            expires_at=expires_at,
            path=path,
        )

        return invitation_made
