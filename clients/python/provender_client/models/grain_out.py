from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="GrainOut")


@_attrs_define
class GrainOut:
    """An entry of a site's grain book: a ticket, a shipment or a measurement.

    Attributes:
        number (str):
        day (datetime.date):
        direction (str):
        amount (str):
        claim (str):
        void (bool):
        name (str):
        party (str): By code, who stands on the other side of the entry behind it; empty without one.
    """

    number: str
    day: datetime.date
    direction: str
    amount: str
    claim: str
    void: bool
    name: str
    party: str

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        day = self.day.isoformat()

        direction = self.direction

        amount = self.amount

        claim = self.claim

        void = self.void

        name = self.name

        party = self.party

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "day": day,
                "direction": direction,
                "amount": amount,
                "claim": claim,
                "void": void,
                "name": name,
                "party": party,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        day = datetime.date.fromisoformat(d.pop("day"))

        direction = d.pop("direction")

        amount = d.pop("amount")

        claim = d.pop("claim")

        void = d.pop("void")

        name = d.pop("name")

        party = d.pop("party")

        grain_out = cls(
            number=number,
            day=day,
            direction=direction,
            amount=amount,
            claim=claim,
            void=void,
            name=name,
            party=party,
        )

        return grain_out
