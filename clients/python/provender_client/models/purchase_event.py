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

from ..models.purchase_event_terms_type_0 import PurchaseEventTermsType0
from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.ticket_in import TicketIn


T = TypeVar("T", bound="PurchaseEvent")


@_attrs_define
class PurchaseEvent:
    """A purchase from a grower on the day title passes, of serials that a slip assigned.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        giver (str): The farm or landowner.
        taker (str):
        slip (str): The id of the slip.
        type_ (Literal['purchase']):
        actor (None | str | Unset): Who entered it.
        bushels (None | str | Unset): How many of it, lowest serials first; all that is left of it without.
        site (None | str | Unset): Where they lie; may be left out by a buyer with one site.
        tickets (list[TicketIn] | None | Unset): The scale tickets behind it, which enter the site's grain book.
        contract (None | str | Unset): Which of the buyer's contracts it fills.
        terms (None | PurchaseEventTermsType0 | Unset): When title passes.
        delivered (datetime.date | None | Unset): The day of delivery, which under delayed price is the title date.
    """

    id: str
    day: datetime.date
    giver: str
    taker: str
    slip: str
    type_: Literal["purchase"]
    actor: None | str | Unset = UNSET
    bushels: None | str | Unset = UNSET
    site: None | str | Unset = UNSET
    tickets: list[TicketIn] | None | Unset = UNSET
    contract: None | str | Unset = UNSET
    terms: None | PurchaseEventTermsType0 | Unset = UNSET
    delivered: datetime.date | None | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        slip = self.slip

        type_ = self.type_

        actor: None | str | Unset
        if isinstance(self.actor, Unset):
            actor = UNSET
        else:
            actor = self.actor

        bushels: None | str | Unset
        if isinstance(self.bushels, Unset):
            bushels = UNSET
        else:
            bushels = self.bushels

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

        contract: None | str | Unset
        if isinstance(self.contract, Unset):
            contract = UNSET
        else:
            contract = self.contract

        terms: None | str | Unset
        if isinstance(self.terms, Unset):
            terms = UNSET
        elif isinstance(self.terms, PurchaseEventTermsType0):
            terms = self.terms.value
        else:
            terms = self.terms

        delivered: None | str | Unset
        if isinstance(self.delivered, Unset):
            delivered = UNSET
        elif isinstance(self.delivered, datetime.date):
            delivered = self.delivered.isoformat()
        else:
            delivered = self.delivered

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "giver": giver,
                "taker": taker,
                "slip": slip,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if bushels is not UNSET:
            field_dict["bushels"] = bushels
        if site is not UNSET:
            field_dict["site"] = site
        if tickets is not UNSET:
            field_dict["tickets"] = tickets
        if contract is not UNSET:
            field_dict["contract"] = contract
        if terms is not UNSET:
            field_dict["terms"] = terms
        if delivered is not UNSET:
            field_dict["delivered"] = delivered

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.ticket_in import TicketIn  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        slip = d.pop("slip")

        type_ = cast(Literal["purchase"], d.pop("type"))
        if type_ != "purchase":
            raise ValueError(f"type must match const 'purchase', got '{type_}'")

        def _parse_actor(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        actor = _parse_actor(d.pop("actor", UNSET))

        def _parse_bushels(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        bushels = _parse_bushels(d.pop("bushels", UNSET))

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

        def _parse_contract(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        contract = _parse_contract(d.pop("contract", UNSET))

        def _parse_terms(data: object) -> None | PurchaseEventTermsType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                terms_type_0 = PurchaseEventTermsType0(data)

                return terms_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | PurchaseEventTermsType0 | Unset, data)

        terms = _parse_terms(d.pop("terms", UNSET))

        def _parse_delivered(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivered_type_0 = datetime.date.fromisoformat(data)

                return delivered_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        delivered = _parse_delivered(d.pop("delivered", UNSET))

        purchase_event = cls(
            id=id,
            day=day,
            giver=giver,
            taker=taker,
            slip=slip,
            type_=type_,
            actor=actor,
            bushels=bushels,
            site=site,
            tickets=tickets,
            contract=contract,
            terms=terms,
            delivered=delivered,
        )

        return purchase_event
