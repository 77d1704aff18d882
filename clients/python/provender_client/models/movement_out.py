from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="MovementOut")


@_attrs_define
class MovementOut:
    """A movement of the organization.

    Attributes:
        event (str):
        type_ (str):
        day (datetime.date):
        giver (str):
        taker (str): Empty, as the giver is, of what an owner did with its own, such as a loss.
        form (str):
        amount (str):
        corrected (bool):
        house (str): Of what an owner did with its own, by code; empty otherwise.
        site (str): At which site of that house.
    """

    event: str
    type_: str
    day: datetime.date
    giver: str
    taker: str
    form: str
    amount: str
    corrected: bool
    house: str
    site: str

    def to_dict(self) -> dict[str, Any]:
        event = self.event

        type_ = self.type_

        day = self.day.isoformat()

        giver = self.giver

        taker = self.taker

        form = self.form

        amount = self.amount

        corrected = self.corrected

        house = self.house

        site = self.site

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "event": event,
                "type": type_,
                "day": day,
                "giver": giver,
                "taker": taker,
                "form": form,
                "amount": amount,
                "corrected": corrected,
                "house": house,
                "site": site,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        event = d.pop("event")

        type_ = d.pop("type")

        day = datetime.date.fromisoformat(d.pop("day"))

        giver = d.pop("giver")

        taker = d.pop("taker")

        form = d.pop("form")

        amount = d.pop("amount")

        corrected = d.pop("corrected")

        house = d.pop("house")

        site = d.pop("site")

        movement_out = cls(
            event=event,
            type_=type_,
            day=day,
            giver=giver,
            taker=taker,
            form=form,
            amount=amount,
            corrected=corrected,
            house=house,
            site=site,
        )

        return movement_out
