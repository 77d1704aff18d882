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

T = TypeVar("T", bound="CorrectEvent")


@_attrs_define
class CorrectEvent:
    """Takes a movement back as entered in error. To correct a correction, take that one back.

    All of it must still be where the movement put it: of a sale, in transit or as its buyer accepted it. When an answer
    is taken back, the sale is in transit again and its buyer answers anew. What was released, lost or retired in a
    period that is closed stays so.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            entity (str): Who corrects: a party of the movement.
            movement (str): The event taken back.
            reason (str): In words.
            type_ (Literal['correct']):
            actor (None | str | Unset): Who entered it.
            accepted (bool | None | Unset): The buyer had taken it into its stock, though this book shows it on its way:
                then both must agree.
            paper (None | str | Unset): The other party's signed paper over it, as JSON, where the other does not enter it
                itself.
    """

    id: str
    day: datetime.date
    entity: str
    movement: str
    reason: str
    type_: Literal["correct"]
    actor: None | str | Unset = UNSET
    accepted: bool | None | Unset = UNSET
    paper: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        movement = self.movement

        reason = self.reason

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        accepted: bool | None | Unset
        if isinstance(self.accepted, Unset):
            accepted = UNSET
        else:
            accepted = self.accepted

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
                "reason": reason,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if accepted is not UNSET:
            field_dict["accepted"] = accepted
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

        reason = d.pop("reason")

        type_ = cast(Literal["correct"], d.pop("type"))
        if type_ != "correct":
            raise ValueError(f"type must match const 'correct', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_accepted(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        accepted = _parse_accepted(d.pop("accepted", UNSET))

        def _parse_paper(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        paper = _parse_paper(d.pop("paper", UNSET))

        correct_event = cls(
            id=id,
            day=day,
            entity=entity,
            movement=movement,
            reason=reason,
            type_=type_,
            actor=actor,
            accepted=accepted,
            paper=paper,
        )

        return correct_event
