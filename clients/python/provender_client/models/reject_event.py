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

T = TypeVar("T", bound="RejectEvent")


@_attrs_define
class RejectEvent:
    """The buyer does not take what is in transit: it goes back into the seller's stock.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        taker (str): The buyer, who answers.
        movement (str): The id of the sale or document.
        giver (str):
        type_ (Literal['reject']):
        actor (None | str | Unset): Who entered it.
        site (None | str | Unset): Where it comes back to.
        reason (None | str | Unset): In words.
        paper (None | str | Unset): The other party's signed paper over it, as JSON, where the other does not enter it
            itself.
    """

    id: str
    day: datetime.date
    taker: str
    movement: str
    giver: str
    type_: Literal["reject"]
    actor: None | str | Unset = UNSET
    site: None | str | Unset = UNSET
    reason: None | str | Unset = UNSET
    paper: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        taker = self.taker

        movement = self.movement

        giver = self.giver

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        site: None | str | Unset
        if isinstance(self.site, Unset):
            site = UNSET
        else:
            site = self.site

        reason: None | str | Unset
        if isinstance(self.reason, Unset):
            reason = UNSET
        else:
            reason = self.reason

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
                "taker": taker,
                "movement": movement,
                "giver": giver,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if site is not UNSET:
            field_dict["site"] = site
        if reason is not UNSET:
            field_dict["reason"] = reason
        if paper is not UNSET:
            field_dict["paper"] = paper

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        taker = d.pop("taker")

        movement = d.pop("movement")

        giver = d.pop("giver")

        type_ = cast(Literal["reject"], d.pop("type"))
        if type_ != "reject":
            raise ValueError(f"type must match const 'reject', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

        def _parse_reason(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        reason = _parse_reason(d.pop("reason", UNSET))

        def _parse_paper(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        paper = _parse_paper(d.pop("paper", UNSET))

        reject_event = cls(
            id=id,
            day=day,
            taker=taker,
            movement=movement,
            giver=giver,
            type_=type_,
            actor=actor,
            site=site,
            reason=reason,
            paper=paper,
        )

        return reject_event
