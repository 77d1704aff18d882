from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeVar,
    cast,
)

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.range_in import RangeIn


T = TypeVar("T", bound="ReturnEvent")


@_attrs_define
class ReturnEvent:
    """The buyer gives back crop or product of a purchase or sale: all it still has of it, or the lots named.

    Serials that it sold and has again from somebody else go back to that one, by that purchase or sale.
    What it has not accepted yet may be given back too: a part of a sale that a buyer with a book elsewhere refuses.

        Attributes:
            id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
            day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
                receipt.
            giver (str): The buyer, who gives back.
            taker (str): The seller, who gets it back.
            movement (str): The purchase or sale.
            type_ (Literal['return']):
            actor (None | str | Unset): Who entered it.
            amount (None | str | Unset): How much, in the unit of the form; 0 for all that the buyer still has.
            lots (list[RangeIn] | None | Unset): Which serials; left out, the lowest up to `amount`.
            site (None | str | Unset): Where it comes back to.
            reason (None | str | Unset): In words.
            paper (None | str | Unset): The other party's signed paper over it, as JSON, where the other does not enter it
                itself.
    """

    id: str
    day: datetime.date
    giver: str
    taker: str
    movement: str
    type_: Literal["return"]
    actor: None | str | Unset = UNSET
    amount: None | str | Unset = UNSET
    lots: list[RangeIn] | None | Unset = UNSET
    site: None | str | Unset = UNSET
    reason: None | str | Unset = UNSET
    paper: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        movement = self.movement

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        amount: None | str | Unset
        if isinstance(self.amount, Unset):
            amount = UNSET
        else:
            amount = self.amount

        lots: list[dict[str, Any]] | None | Unset
        if isinstance(self.lots, Unset):
            lots = UNSET
        elif isinstance(self.lots, list):
            lots = []
            for lots_type_0_item_data in self.lots:
                lots_type_0_item = lots_type_0_item_data.to_dict()
                lots.append(lots_type_0_item)

        else:
            lots = self.lots

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
                "giver": giver,
                "taker": taker,
                "movement": movement,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if amount is not UNSET:
            field_dict["amount"] = amount
        if lots is not UNSET:
            field_dict["lots"] = lots
        if site is not UNSET:
            field_dict["site"] = site
        if reason is not UNSET:
            field_dict["reason"] = reason
        if paper is not UNSET:
            field_dict["paper"] = paper

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.range_in import RangeIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        movement = d.pop("movement")

        type_ = cast(Literal["return"], d.pop("type"))
        if type_ != "return":
            raise ValueError(f"type must match const 'return', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_amount(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        amount = _parse_amount(d.pop("amount", UNSET))

        def _parse_lots(data: object) -> list[RangeIn] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                lots_type_0 = []
                _lots_type_0 = data
                for lots_type_0_item_data in _lots_type_0:
                    lots_type_0_item = RangeIn.from_dict(lots_type_0_item_data)

                    lots_type_0.append(lots_type_0_item)

                return lots_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[RangeIn] | None | Unset, data)

        lots = _parse_lots(d.pop("lots", UNSET))

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

        return_event = cls(
            id=id,
            day=day,
            giver=giver,
            taker=taker,
            movement=movement,
            type_=type_,
            actor=actor,
            amount=amount,
            lots=lots,
            site=site,
            reason=reason,
            paper=paper,
        )

        return return_event
