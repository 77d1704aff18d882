from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="CloseSiteEvent")


@_attrs_define
class CloseSiteEvent:
    """Closes a site: nothing is stored there, sold from there, moved there or made there from the day on.

    No grain and no claims may lie there, but where it is for a coming day: until then it is open as before. Its book is
    kept: tickets and plant figures of earlier days can still be entered, and tickets taken out. To take back an entry
    whose claims lay there, or to open the site again, take this entry back first.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            entity (str): Whose site.
            site (str): Which of its sites.
            type_ (Literal['close_site']):
            actor (None | str | Unset): Who entered it.
            reason (None | str | Unset): In words.
            ahead (bool | None | Unset): The site is open until the day; what lies there then must be moved or released.
    """

    id: str
    day: datetime.date
    entity: str
    site: str
    type_: Literal["close_site"]
    actor: None | str | Unset = UNSET
    reason: None | str | Unset = UNSET
    ahead: bool | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        site = self.site

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

        ahead: bool | None | Unset
        if isinstance(self.ahead, Unset):
            ahead = UNSET
        else:
            ahead = self.ahead

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "site": site,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if reason is not UNSET:
            field_dict["reason"] = reason
        if ahead is not UNSET:
            field_dict["ahead"] = ahead

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        site = d.pop("site")

        type_ = cast(Literal["close_site"], d.pop("type"))
        if type_ != "close_site":
            raise ValueError(f"type must match const 'close_site', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        def _parse_ahead(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        ahead = _parse_ahead(d.pop("ahead", UNSET))

        close_site_event = cls(
            id=id,
            day=day,
            entity=entity,
            site=site,
            type_=type_,
            actor=actor,
            reason=reason,
            ahead=ahead,
        )

        return close_site_event
