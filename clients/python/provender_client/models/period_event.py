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

from ..models.period_event_policy import PeriodEventPolicy
from ..types import UNSET, Unset

T = TypeVar("T", bound="PeriodEvent")


@_attrs_define
class PeriodEvent:
    """Declares the next mass balance time period and its sale policy (2100.034(b), interpretations 43 and 44).

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        entity (str): Whose period.
        start_day (datetime.date): First day, the day after the last period ends.
        end_day (datetime.date): Last day, three months on at the latest.
        policy (PeriodEventPolicy): Which claims a sale takes when none are named.
        type_ (Literal['period']):
        actor (None | str | Unset): Who entered it.
    """

    id: str
    day: datetime.date
    entity: str
    start_day: datetime.date
    end_day: datetime.date
    policy: PeriodEventPolicy
    type_: Literal["period"]
    actor: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        start_day = self.start_day.isoformat()

        end_day = self.end_day.isoformat()

        policy = self.policy.value

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "start_day": start_day,
                "end_day": end_day,
                "policy": policy,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        start_day = datetime.date.fromisoformat(d.pop("start_day"))

        end_day = datetime.date.fromisoformat(d.pop("end_day"))

        policy = PeriodEventPolicy(d.pop("policy"))

        type_ = cast(Literal["period"], d.pop("type"))
        if type_ != "period":
            raise ValueError(f"type must match const 'period', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        period_event = cls(
            id=id,
            day=day,
            entity=entity,
            start_day=start_day,
            end_day=end_day,
            policy=policy,
            type_=type_,
            actor=actor,
        )

        return period_event
