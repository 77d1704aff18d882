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
    from ..models.ticket_in import TicketIn


T = TypeVar("T", bound="StorageEvent")


@_attrs_define
class StorageEvent:
    """Puts an owner's own crop into somebody's house without title: open storage or a warehouse receipt.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        owner (str): Whose crop it stays.
        custodian (str): Who stores it.
        lots (list[RangeIn]): Which serials.
        type_ (Literal['storage']):
        actor (None | str | Unset): Who entered it.
        site (None | str | Unset): Where; may be left out by a house with one site.
        form (None | str | Unset): The crop itself (left out) or a product.
        tickets (list[TicketIn] | None | Unset): The scale tickets in.
    """

    id: str
    day: datetime.date
    owner: str
    custodian: str
    lots: list[RangeIn]
    type_: Literal["storage"]
    actor: None | str | Unset = UNSET
    site: None | str | Unset = UNSET
    form: None | str | Unset = UNSET
    tickets: list[TicketIn] | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        owner = self.owner

        custodian = self.custodian

        lots = []
        for lots_item_data in self.lots:
            lots_item = lots_item_data.to_dict()
            lots.append(lots_item)

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

        form: None | str | Unset
        if isinstance(self.form, Unset):
            form = UNSET
        else:
            form = self.form

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
                "owner": owner,
                "custodian": custodian,
                "lots": lots,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if site is not UNSET:
            field_dict["site"] = site
        if form is not UNSET:
            field_dict["form"] = form
        if tickets is not UNSET:
            field_dict["tickets"] = tickets

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.range_in import RangeIn  # noqa: PLC0415
        from ..models.ticket_in import TicketIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        owner = d.pop("owner")

        custodian = d.pop("custodian")

        lots = []
        _lots = d.pop("lots")
        for lots_item_data in _lots:
            lots_item = RangeIn.from_dict(lots_item_data)

            lots.append(lots_item)

        type_ = cast(Literal["storage"], d.pop("type"))
        if type_ != "storage":
            raise ValueError(f"type must match const 'storage', got '{type_}'")

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

        def _parse_form(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        form = _parse_form(d.pop("form", UNSET))

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

        storage_event = cls(
            id=id,
            day=day,
            owner=owner,
            custodian=custodian,
            lots=lots,
            type_=type_,
            actor=actor,
            site=site,
            form=form,
            tickets=tickets,
        )

        return storage_event
