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

from ..models.statement_event_opinion import StatementEventOpinion
from ..types import UNSET, Unset

T = TypeVar("T", bound="StatementEvent")


@_attrs_define
class StatementEvent:
    """Enters a verification statement, or the contract for the first audit (2100.032(b)(2), interpretation 46).

    A statement that its verifier took back is entered again under its number as ``adverse``.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            entity (str): Who was verified.
            verifier (str): By whom.
            number (str): The statement's number.
            start_day (datetime.date): First day covered.
            end_day (datetime.date): Last day covered.
            crops (list[str]): The crops in scope.
            opinion (StatementEventOpinion): The conclusion.
            type_ (Literal['statement']):
            actor (None | str | Unset): Who entered it.
            scope (None | str | Unset): In the verifier's words.
    """

    id: str
    day: datetime.date
    entity: str
    verifier: str
    number: str
    start_day: datetime.date
    end_day: datetime.date
    crops: list[str]
    opinion: StatementEventOpinion
    type_: Literal["statement"]
    actor: None | str | Unset = UNSET
    scope: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        verifier = self.verifier

        number = self.number

        start_day = self.start_day.isoformat()

        end_day = self.end_day.isoformat()

        crops = self.crops

        opinion = self.opinion.value

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        scope: None | str | Unset
        if isinstance(self.scope, Unset):
            scope = UNSET
        else:
            scope = self.scope

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "verifier": verifier,
                "number": number,
                "start_day": start_day,
                "end_day": end_day,
                "crops": crops,
                "opinion": opinion,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if scope is not UNSET:
            field_dict["scope"] = scope

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        verifier = d.pop("verifier")

        number = d.pop("number")

        start_day = datetime.date.fromisoformat(d.pop("start_day"))

        end_day = datetime.date.fromisoformat(d.pop("end_day"))

        crops = cast(list[str], d.pop("crops"))

        opinion = StatementEventOpinion(d.pop("opinion"))

        type_ = cast(Literal["statement"], d.pop("type"))
        if type_ != "statement":
            raise ValueError(f"type must match const 'statement', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_scope(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        scope = _parse_scope(d.pop("scope", UNSET))

        statement_event = cls(
            id=id,
            day=day,
            entity=entity,
            verifier=verifier,
            number=number,
            start_day=start_day,
            end_day=end_day,
            crops=crops,
            opinion=opinion,
            type_=type_,
            actor=actor,
            scope=scope,
        )

        return statement_event
