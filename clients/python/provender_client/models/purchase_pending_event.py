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
    from ..models.ticket_in import TicketIn


T = TypeVar("T", bound="PurchasePendingEvent")


@_attrs_define
class PurchasePendingEvent:
    """A purchase whose report comes later. It makes no claim yet; its tickets are its evidence.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        giver (str): The farm or landowner.
        taker (str):
        crop (str):
        harvest_year (int):
        bushels (str): How many.
        tickets (list[TicketIn]): The scale tickets behind it.
        type_ (Literal['purchase_pending']):
        actor (None | str | Unset): Who entered it.
        site (None | str | Unset): Where they lie.
    """

    id: str
    day: datetime.date
    giver: str
    taker: str
    crop: str
    harvest_year: int
    bushels: str
    tickets: list[TicketIn]
    type_: Literal["purchase_pending"]
    actor: None | str | Unset = UNSET
    site: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        crop = self.crop

        harvest_year = self.harvest_year

        bushels = self.bushels

        tickets = []
        for tickets_item_data in self.tickets:
            tickets_item = tickets_item_data.to_dict()
            tickets.append(tickets_item)

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

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "giver": giver,
                "taker": taker,
                "crop": crop,
                "harvest_year": harvest_year,
                "bushels": bushels,
                "tickets": tickets,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if site is not UNSET:
            field_dict["site"] = site

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.ticket_in import TicketIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        bushels = d.pop("bushels")

        tickets = []
        _tickets = d.pop("tickets")
        for tickets_item_data in _tickets:
            tickets_item = TicketIn.from_dict(tickets_item_data)

            tickets.append(tickets_item)

        type_ = cast(Literal["purchase_pending"], d.pop("type"))
        if type_ != "purchase_pending":
            raise ValueError(f"type must match const 'purchase_pending', got '{type_}'")

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

        purchase_pending_event = cls(
            id=id,
            day=day,
            giver=giver,
            taker=taker,
            crop=crop,
            harvest_year=harvest_year,
            bushels=bushels,
            tickets=tickets,
            type_=type_,
            actor=actor,
            site=site,
        )

        return purchase_pending_event
