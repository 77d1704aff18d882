from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="SettlementLineView")


@_attrs_define
class SettlementLineView:
    """A line to settle: serials of one carbon intensity on one ticket. What came back has amounts below zero.

    Attributes:
        number (str):
        day (datetime.date):
        partner (str):
        contract (str):
        ticket (str):
        form (str):
        ci_g_per_bu (str):
        origin (str):
        start_bu (str):
        stop_bu (str):
        bushels (str): Of crop; for a product those behind it.
        premium_per_bu (str): With the points of this CI, to the nearest billionth; 0 for a CI that the contract does
            not ask for.
        premium_amount (str):
    """

    number: str
    day: datetime.date
    partner: str
    contract: str
    ticket: str
    form: str
    ci_g_per_bu: str
    origin: str
    start_bu: str
    stop_bu: str
    bushels: str
    premium_per_bu: str
    premium_amount: str

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        day = self.day.isoformat()

        partner = self.partner

        contract = self.contract

        ticket = self.ticket

        form = self.form

        ci_g_per_bu = self.ci_g_per_bu

        origin = self.origin

        start_bu = self.start_bu

        stop_bu = self.stop_bu

        bushels = self.bushels

        premium_per_bu = self.premium_per_bu

        premium_amount = self.premium_amount

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "number": number,
                "day": day,
                "partner": partner,
                "contract": contract,
                "ticket": ticket,
                "form": form,
                "ci_g_per_bu": ci_g_per_bu,
                "origin": origin,
                "start_bu": start_bu,
                "stop_bu": stop_bu,
                "bushels": bushels,
                "premium_per_bu": premium_per_bu,
                "premium_amount": premium_amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        day = datetime.date.fromisoformat(d.pop("day"))

        partner = d.pop("partner")

        contract = d.pop("contract")

        ticket = d.pop("ticket")

        form = d.pop("form")

        ci_g_per_bu = d.pop("ci_g_per_bu")

        origin = d.pop("origin")

        start_bu = d.pop("start_bu")

        stop_bu = d.pop("stop_bu")

        bushels = d.pop("bushels")

        premium_per_bu = d.pop("premium_per_bu")

        premium_amount = d.pop("premium_amount")

        settlement_line_view = cls(
            number=number,
            day=day,
            partner=partner,
            contract=contract,
            ticket=ticket,
            form=form,
            ci_g_per_bu=ci_g_per_bu,
            origin=origin,
            start_bu=start_bu,
            stop_bu=stop_bu,
            bushels=bushels,
            premium_per_bu=premium_per_bu,
            premium_amount=premium_amount,
        )

        return settlement_line_view
