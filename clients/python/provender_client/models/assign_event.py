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

T = TypeVar("T", bound="AssignEvent")


@_attrs_define
class AssignEvent:
    """Accepts the claim of a pending purchase once the farm's slip is there: incoming on this day.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        giver (str): The farm or landowner.
        taker (str):
        pending (str): The id of the pending purchase.
        slip (str): The id of the slip.
        type_ (Literal['assign']):
        actor (None | str | Unset): Who entered it.
        bushels (None | str | Unset): How many; as many as both have left without.
    """

    id: str
    day: datetime.date
    giver: str
    taker: str
    pending: str
    slip: str
    type_: Literal["assign"]
    actor: None | str | Unset = UNSET
    bushels: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        pending = self.pending

        slip = self.slip

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        bushels: None | str | Unset
        if isinstance(self.bushels, Unset):
            bushels = UNSET
        else:
            bushels = self.bushels

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "giver": giver,
                "taker": taker,
                "pending": pending,
                "slip": slip,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if bushels is not UNSET:
            field_dict["bushels"] = bushels

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        pending = d.pop("pending")

        slip = d.pop("slip")

        type_ = cast(Literal["assign"], d.pop("type"))
        if type_ != "assign":
            raise ValueError(f"type must match const 'assign', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_bushels(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        bushels = _parse_bushels(d.pop("bushels", UNSET))

        assign_event = cls(
            id=id,
            day=day,
            giver=giver,
            taker=taker,
            pending=pending,
            slip=slip,
            type_=type_,
            actor=actor,
            bushels=bushels,
        )

        return assign_event
