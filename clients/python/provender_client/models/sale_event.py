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

from ..models.sale_event_order_type_0 import SaleEventOrderType0
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.range_in import RangeIn
    from ..models.ticket_in import TicketIn


T = TypeVar("T", bound="SaleEvent")


@_attrs_define
class SaleEvent:
    """A sale on the day title passes. The claims leave the seller's stock and are in transit until accepted.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        crop (str): The crop behind the claims.
        giver (str):
        taker (str):
        type_ (Literal['sale']):
        actor (None | str | Unset): Who entered it.
        form (None | str | Unset): The crop itself (left out) or a product.
        bushels (None | str | Unset): How much, for a crop.
        pounds (None | str | Unset): How much, for a product.
        harvest_year (int | None | Unset): Only this year; 0 for any.
        site (None | str | Unset): Only from this site of the giver; empty for any.
        lots (list[RangeIn] | None | Unset): Exactly these serials, in this order; the policy is not asked.
        ci_min (None | str | Unset): Nothing below this carbon intensity.
        ci_max (None | str | Unset): Nothing above it; empty for any.
        contract (None | str | Unset): Which of the seller's contracts it fills; only claims that it asks for go.
        tickets (list[TicketIn] | None | Unset): The shipments, if they are known: entries of the site's grain book,
            which stands beside the claims.
        destination (list[TicketIn] | None | Unset): The buyer's scale tickets for grain that went there straight from
            the farm: the grain behind these claims, which the seller's own sites never saw.
        order (None | SaleEventOrderType0 | Unset): By the period's policy unless chosen. With the lowest or the highest
            carbon intensity first the sale names its lots in that order.
    """

    id: str
    day: datetime.date
    crop: str
    giver: str
    taker: str
    type_: Literal["sale"]
    actor: None | str | Unset = UNSET
    form: None | str | Unset = UNSET
    bushels: None | str | Unset = UNSET
    pounds: None | str | Unset = UNSET
    harvest_year: int | None | Unset = UNSET
    site: None | str | Unset = UNSET
    lots: list[RangeIn] | None | Unset = UNSET
    ci_min: None | str | Unset = UNSET
    ci_max: None | str | Unset = UNSET
    contract: None | str | Unset = UNSET
    tickets: list[TicketIn] | None | Unset = UNSET
    destination: list[TicketIn] | None | Unset = UNSET
    order: None | SaleEventOrderType0 | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        crop = self.crop

        giver = self.giver

        taker = self.taker

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        form: None | str | Unset
        if isinstance(self.form, Unset):
            form = UNSET
        else:
            form = self.form

        bushels: None | str | Unset
        if isinstance(self.bushels, Unset):
            bushels = UNSET
        else:
            bushels = self.bushels

        pounds: None | str | Unset
        if isinstance(self.pounds, Unset):
            pounds = UNSET
        else:
            pounds = self.pounds

        harvest_year: int | None | Unset
        if isinstance(self.harvest_year, Unset):
            harvest_year = UNSET
        else:
            harvest_year = self.harvest_year

        site: None | str | Unset
        if isinstance(self.site, Unset):
            site = UNSET
        else:
            site = self.site

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

        ci_min: None | str | Unset
        if isinstance(self.ci_min, Unset):
            ci_min = UNSET
        else:
            ci_min = self.ci_min

        ci_max: None | str | Unset
        if isinstance(self.ci_max, Unset):
            ci_max = UNSET
        else:
            ci_max = self.ci_max

        contract: None | str | Unset
        if isinstance(self.contract, Unset):
            contract = UNSET
        else:
            contract = self.contract

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

        destination: list[dict[str, Any]] | None | Unset
        if isinstance(self.destination, Unset):
            destination = UNSET
        elif isinstance(self.destination, list):
            destination = []
            for destination_type_0_item_data in self.destination:
                destination_type_0_item = destination_type_0_item_data.to_dict()
                destination.append(destination_type_0_item)

        else:
            destination = self.destination

        order: None | str | Unset
        if isinstance(self.order, Unset):
            order = UNSET
        elif isinstance(self.order, SaleEventOrderType0):
            order = self.order.value
        else:
            order = self.order

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "crop": crop,
                "giver": giver,
                "taker": taker,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if form is not UNSET:
            field_dict["form"] = form
        if bushels is not UNSET:
            field_dict["bushels"] = bushels
        if pounds is not UNSET:
            field_dict["pounds"] = pounds
        if harvest_year is not UNSET:
            field_dict["harvest_year"] = harvest_year
        if site is not UNSET:
            field_dict["site"] = site
        if lots is not UNSET:
            field_dict["lots"] = lots
        if ci_min is not UNSET:
            field_dict["ci_min"] = ci_min
        if ci_max is not UNSET:
            field_dict["ci_max"] = ci_max
        if contract is not UNSET:
            field_dict["contract"] = contract
        if tickets is not UNSET:
            field_dict["tickets"] = tickets
        if destination is not UNSET:
            field_dict["destination"] = destination
        if order is not UNSET:
            field_dict["order"] = order

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.range_in import RangeIn  # noqa: PLC0415
        from ..models.ticket_in import TicketIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        crop = d.pop("crop")

        giver = d.pop("giver")

        taker = d.pop("taker")

        type_ = cast(Literal["sale"], d.pop("type"))
        if type_ != "sale":
            raise ValueError(f"type must match const 'sale', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_form(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        form = _parse_form(d.pop("form", UNSET))

        def _parse_bushels(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        bushels = _parse_bushels(d.pop("bushels", UNSET))

        def _parse_pounds(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pounds = _parse_pounds(d.pop("pounds", UNSET))

        def _parse_harvest_year(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        harvest_year = _parse_harvest_year(d.pop("harvest_year", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

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

        def _parse_ci_min(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        ci_min = _parse_ci_min(d.pop("ci_min", UNSET))

        def _parse_ci_max(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        ci_max = _parse_ci_max(d.pop("ci_max", UNSET))

        def _parse_contract(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        contract = _parse_contract(d.pop("contract", UNSET))

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

        def _parse_destination(data: object) -> list[TicketIn] | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, list):
                    raise TypeError()
                destination_type_0 = []
                _destination_type_0 = data
                for destination_type_0_item_data in _destination_type_0:
                    destination_type_0_item = TicketIn.from_dict(destination_type_0_item_data)

                    destination_type_0.append(destination_type_0_item)

                return destination_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(list[TicketIn] | None | Unset, data)

        destination = _parse_destination(d.pop("destination", UNSET))

        def _parse_order(data: object) -> None | SaleEventOrderType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                order_type_0 = SaleEventOrderType0(data)

                return order_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | SaleEventOrderType0 | Unset, data)

        order = _parse_order(d.pop("order", UNSET))

        sale_event = cls(
            id=id,
            day=day,
            crop=crop,
            giver=giver,
            taker=taker,
            type_=type_,
            actor=actor,
            form=form,
            bushels=bushels,
            pounds=pounds,
            harvest_year=harvest_year,
            site=site,
            lots=lots,
            ci_min=ci_min,
            ci_max=ci_max,
            contract=contract,
            tickets=tickets,
            destination=destination,
            order=order,
        )

        return sale_event
