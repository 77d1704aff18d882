from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="LogOut")


@_attrs_define
class LogOut:
    """One deed: who did what, when, by way of what, what stood before and after.

    Attributes:
        id (int):
        at (datetime.datetime):
        actor (str):
        via (str):
        deed (str):
        about (str):
        old (Any):
        new (Any):
    """

    id: int
    at: datetime.datetime
    actor: str
    via: str
    deed: str
    about: str
    old: Any
    new: Any

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        at = self.at.isoformat()

        actor = self.actor

        via = self.via

        deed = self.deed

        about = self.about

        old = self.old

        new = self.new

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "at": at,
                "actor": actor,
                "via": via,
                "deed": deed,
                "about": about,
                "old": old,
                "new": new,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        at = datetime.datetime.fromisoformat(d.pop("at"))

        actor = d.pop("actor")

        via = d.pop("via")

        deed = d.pop("deed")

        about = d.pop("about")

        old = d.pop("old")

        new = d.pop("new")

        log_out = cls(
            id=id,
            at=at,
            actor=actor,
            via=via,
            deed=deed,
            about=about,
            old=old,
            new=new,
        )

        return log_out
