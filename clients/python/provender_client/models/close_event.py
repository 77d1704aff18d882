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

from ..models.close_event_surplus_type_0 import CloseEventSurplusType0
from ..types import UNSET, Unset

T = TypeVar("T", bound="CloseEvent")


@_attrs_define
class CloseEvent:
    """Closes the period that ends on ``day``. Its claims are then held against the grain at every site.

    A site with claims must have an entry of grain by then, if only a measurement of nothing. What is released there is
    spread over the carbon intensities by what is in stock of each, the oldest first within them.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The period ends on it, such as 2026-03-31.
            entity (str): Whose period.
            closed_on (datetime.date): Not before its last day, and not a day to come.
            type_ (Literal['close']):
            actor (None | str | Unset): Who entered it.
            surplus (CloseEventSurplusType0 | None | Unset): What becomes of claims beyond the grain.
    """

    id: str
    day: datetime.date
    entity: str
    closed_on: datetime.date
    type_: Literal["close"]
    actor: None | str | Unset = UNSET
    surplus: CloseEventSurplusType0 | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        closed_on = self.closed_on.isoformat()

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        surplus: None | str | Unset
        if isinstance(self.surplus, Unset):
            surplus = UNSET
        elif isinstance(self.surplus, CloseEventSurplusType0):
            surplus = self.surplus.value
        else:
            surplus = self.surplus

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "closed_on": closed_on,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if surplus is not UNSET:
            field_dict["surplus"] = surplus

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        closed_on = datetime.date.fromisoformat(d.pop("closed_on"))

        type_ = cast(Literal["close"], d.pop("type"))
        if type_ != "close":
            raise ValueError(f"type must match const 'close', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_surplus(data: object) -> CloseEventSurplusType0 | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                surplus_type_0 = CloseEventSurplusType0(data)

                return surplus_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(CloseEventSurplusType0 | None | Unset, data)

        surplus = _parse_surplus(d.pop("surplus", UNSET))

        close_event = cls(
            id=id,
            day=day,
            entity=entity,
            closed_on=closed_on,
            type_=type_,
            actor=actor,
            surplus=surplus,
        )

        return close_event
