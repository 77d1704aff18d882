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

T = TypeVar("T", bound="SettleEvent")


@_attrs_define
class SettleEvent:
    """Ends a dispute: the other party agrees that the bushels went back.

    In a book of its own a party names the other's signed paper, or one of its verifier, who looked at the evidence.
    Without either they are released without claim, or the act itself is taken back.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            entity (str): Who agrees: the party that had the bushels.
            movement (str): The return, refusal or correction.
            type_ (Literal['settle']):
            actor (None | str | Unset): Who entered it.
            paper (None | str | Unset): The other party's signed paper over it, as JSON, where the other does not enter it
                itself.
    """

    id: str
    day: datetime.date
    entity: str
    movement: str
    type_: Literal["settle"]
    actor: None | str | Unset = UNSET
    paper: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        movement = self.movement

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        paper: None | str | Unset
        if isinstance(self.paper, Unset):
            paper = UNSET
        else:
            paper = self.paper

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "movement": movement,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if paper is not UNSET:
            field_dict["paper"] = paper

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        movement = d.pop("movement")

        type_ = cast(Literal["settle"], d.pop("type"))
        if type_ != "settle":
            raise ValueError(f"type must match const 'settle', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_paper(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        paper = _parse_paper(d.pop("paper", UNSET))

        settle_event = cls(
            id=id,
            day=day,
            entity=entity,
            movement=movement,
            type_=type_,
            actor=actor,
            paper=paper,
        )

        return settle_event
