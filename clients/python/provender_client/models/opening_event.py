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

T = TypeVar("T", bound="OpeningEvent")


@_attrs_define
class OpeningEvent:
    """Declares stock with claims at the start of the first period, with evidence, audited once (interpretation 51).

    Attributes:
        id (str): The event's own name, unique in the book; a repeat of the same event changes nothing.
        day (datetime.date): The day it took place: title date for a purchase or sale, the day of acceptance for a
            receipt.
        entity (str): Whose stock.
        crop (str):
        harvest_year (int):
        ci (str): Its carbon intensity.
        bushels (str): Crop, or crop used for the product.
        number (str): The declaration's number.
        evidence (str): What it rests on.
        type_ (Literal['opening']):
        actor (None | str | Unset): Who entered it.
        form (None | str | Unset): The crop itself (left out) or a product.
        pounds (None | str | Unset): How much product.
        rate (None | str | Unset): Its yield; pounds over bushels without.
        site (None | str | Unset): Where it lies.
    """

    id: str
    day: datetime.date
    entity: str
    crop: str
    harvest_year: int
    ci: str
    bushels: str
    number: str
    evidence: str
    type_: Literal["opening"]
    actor: None | str | Unset = UNSET
    form: None | str | Unset = UNSET
    pounds: None | str | Unset = UNSET
    rate: None | str | Unset = UNSET
    site: None | str | Unset = UNSET

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        day = self.day.isoformat()

        entity = self.entity

        crop = self.crop

        harvest_year = self.harvest_year

        ci = self.ci

        bushels = self.bushels

        number = self.number

        evidence = self.evidence

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

        pounds: None | str | Unset
        if isinstance(self.pounds, Unset):
            pounds = UNSET
        else:
            pounds = self.pounds

        rate: None | str | Unset
        if isinstance(self.rate, Unset):
            rate = UNSET
        else:
            rate = self.rate

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
                "entity": entity,
                "crop": crop,
                "harvest_year": harvest_year,
                "ci": ci,
                "bushels": bushels,
                "number": number,
                "evidence": evidence,
                "type": type_,
            }
        )
        if actor is not UNSET:
            field_dict["actor"] = actor
        if form is not UNSET:
            field_dict["form"] = form
        if pounds is not UNSET:
            field_dict["pounds"] = pounds
        if rate is not UNSET:
            field_dict["rate"] = rate
        if site is not UNSET:
            field_dict["site"] = site

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        day = datetime.date.fromisoformat(d.pop("day"))

        entity = d.pop("entity")

        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        ci = d.pop("ci")

        bushels = d.pop("bushels")

        number = d.pop("number")

        evidence = d.pop("evidence")

        type_ = cast(Literal["opening"], d.pop("type"))
        if type_ != "opening":
            raise ValueError(f"type must match const 'opening', got '{type_}'")

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

        def _parse_pounds(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        pounds = _parse_pounds(d.pop("pounds", UNSET))

        def _parse_rate(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        rate = _parse_rate(d.pop("rate", UNSET))

        def _parse_site(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        site = _parse_site(d.pop("site", UNSET))

        opening_event = cls(
            id=id,
            day=day,
            entity=entity,
            crop=crop,
            harvest_year=harvest_year,
            ci=ci,
            bushels=bushels,
            number=number,
            evidence=evidence,
            type_=type_,
            actor=actor,
            form=form,
            pounds=pounds,
            rate=rate,
            site=site,
        )

        return opening_event
