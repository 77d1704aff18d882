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

T = TypeVar("T", bound="WithdrawEvent")


@_attrs_define
class WithdrawEvent:
    """Withdraws a report: every claim on it that can still move ends.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        origin (str): The origin's id.
        type_ (Literal['withdraw']):
        actor (None | str | Unset): Who entered it.
        reason (None | str | Unset): In words.
    """

    id: str
    day: datetime.date
    origin: str
    type_: Literal["withdraw"]
    actor: None | str | Unset = UNSET
    reason: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        origin = self.origin

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

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "origin": origin,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if reason is not UNSET:
            field_dict["reason"] = reason

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        origin = d.pop("origin")

        type_ = cast(Literal["withdraw"], d.pop("type"))
        if type_ != "withdraw":
            raise ValueError(f"type must match const 'withdraw', got '{type_}'")

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

        withdraw_event = cls(
            id=id,
            day=day,
            origin=origin,
            type_=type_,
            actor=actor,
            reason=reason,
        )

        return withdraw_event
