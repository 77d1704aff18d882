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

T = TypeVar("T", bound="MeasurementEvent")


@_attrs_define
class MeasurementEvent:
    """The whole stock of a site as measured at the end of a day. May be nothing at all.

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        entity (str): Whose site.
        form (str): What moved, conventional or not.
        amount (str): Net, at most three decimals, such as 952.3.
        number (str): The ticket's number, unique at the site; what replaces a void ticket may have its number.
        type_ (Literal['measurement']):
        actor (None | str | Unset): Who entered it.
        site (None | str | Unset): Which site; may be left out by an entity with one.
        void (bool | None | Unset): Takes the entry with this number back; amount and day are those of the entry.
        name (None | str | Unset): Whose grain the ticket says it is.
    """

    id: str
    day: datetime.date
    entity: str
    form: str
    amount: str
    number: str
    type_: Literal["measurement"]
    actor: None | str | Unset = UNSET
    site: None | str | Unset = UNSET
    void: bool | None | Unset = UNSET
    name: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        form = self.form

        amount = self.amount

        number = self.number

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

        void: bool | None | Unset
        if isinstance(self.void, Unset):
            void = UNSET
        else:
            void = self.void

        name: None | str | Unset
        if isinstance(self.name, Unset):
            name = UNSET
        else:
            name = self.name

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "id": id,
                "day": day,
                "entity": entity,
                "form": form,
                "amount": amount,
                "number": number,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if site is not UNSET:
            field_dict["site"] = site
        if void is not UNSET:
            field_dict["void"] = void
        if name is not UNSET:
            field_dict["name"] = name

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        form = d.pop("form")

        amount = d.pop("amount")

        number = d.pop("number")

        type_ = cast(Literal["measurement"], d.pop("type"))
        if type_ != "measurement":
            raise ValueError(f"type must match const 'measurement', got '{type_}'")

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

        def _parse_void(data: object) -> bool | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(bool | None | Unset, data)

        void = _parse_void(d.pop("void", UNSET))

        def _parse_name(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        name = _parse_name(d.pop("name", UNSET))

        measurement_event = cls(
            id=id,
            day=day,
            entity=entity,
            form=form,
            amount=amount,
            number=number,
            type_=type_,
            actor=actor,
            site=site,
            void=void,
            name=name,
        )

        return measurement_event
