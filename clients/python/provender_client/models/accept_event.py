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


T = TypeVar("T", bound="AcceptEvent")


@_attrs_define
class AcceptEvent:
    """The buyer takes what is in transit into its stock: its incoming has this day (interpretation 43).

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        taker (str): The buyer, who answers.
        movement (str): The id of the sale or document.
        type_ (Literal['accept']):
        actor (None | str | Unset): Who entered it.
        custodian (None | str | Unset): The house where it lies, if that is not the buyer's own.
        site (None | str | Unset): Which of its sites; may be left out where there is one.
        tickets (list[TicketIn] | None | Unset): The scale tickets in.
    """

    id: str
    day: datetime.date
    taker: str
    movement: str
    type_: Literal["accept"]
    actor: None | str | Unset = UNSET
    custodian: None | str | Unset = UNSET
    site: None | str | Unset = UNSET
    tickets: list[TicketIn] | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        taker = self.taker

        movement = self.movement

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        custodian: None | str | Unset
        if isinstance(self.custodian, Unset):
            custodian = UNSET
        else:
            custodian = self.custodian

        site: None | str | Unset
        if isinstance(self.site, Unset):
            site = UNSET
        else:
            site = self.site

        tickets: list[dict[str, Any]] | None | Unset
        if isinstance(self.tickets, Unset):
            tickets = UNSET
        elif isinstance(self.tickets, list):
            tickets = []
            for tickets_type_0_item_data in self.tickets:
                tickets_type_0_item = tickets_type_0_item_data.to_dict()
                tickets.append(tickets_type_0_item)

        else:
            tickets = self.tickets

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "taker": taker,
                "movement": movement,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if custodian is not UNSET:
            field_dict["custodian"] = custodian
        if site is not UNSET:
            field_dict["site"] = site
        if tickets is not UNSET:
            field_dict["tickets"] = tickets

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.ticket_in import TicketIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        taker = d.pop("taker")

        movement = d.pop("movement")

        type_ = cast(Literal["accept"], d.pop("type"))
        if type_ != "accept":
            raise ValueError(f"type must match const 'accept', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_custodian(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        custodian = _parse_custodian(d.pop("custodian", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

        def _parse_tickets(data: object) -> list[TicketIn] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                tickets_type_0 = []
                _tickets_type_0 = data
                for tickets_type_0_item_data in _tickets_type_0:
                    tickets_type_0_item = TicketIn.from_dict(tickets_type_0_item_data)

                    tickets_type_0.append(tickets_type_0_item)

                return tickets_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[TicketIn] | None | Unset, data)

        tickets = _parse_tickets(d.pop("tickets", UNSET))

        accept_event = cls(
            id=id,
            day=day,
            taker=taker,
            movement=movement,
            type_=type_,
            actor=actor,
            custodian=custodian,
            site=site,
            tickets=tickets,
        )

        return accept_event
