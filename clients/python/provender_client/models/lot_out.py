from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="LotOut")


@_attrs_define
class LotOut:
    """A lot: serials of one origin, half open. Amounts are decimal text; ``amount`` is in ``unit``, bu or lb.

    Attributes:
        lot (str):
        origin (str):
        start_bu (str):
        stop_bu (str):
        crop (str):
        harvest_year (int):
        ci_g_per_bu (str):
        form (str):
        amount (str):
        unit (str):
        custodian (str):
        site (str):
        supplier (str):
        state (str):
        titled (datetime.date):
    """

    lot: str
    origin: str
    start_bu: str
    stop_bu: str
    crop: str
    harvest_year: int
    ci_g_per_bu: str
    form: str
    amount: str
    unit: str
    custodian: str
    site: str
    supplier: str
    state: str
    titled: datetime.date

    def to_dict(self) -> dict[str, Any]:
        lot = self.lot

        origin = self.origin

        start_bu = self.start_bu

        stop_bu = self.stop_bu

        crop = self.crop

        harvest_year = self.harvest_year

        ci_g_per_bu = self.ci_g_per_bu

        form = self.form

        amount = self.amount

        unit = self.unit

        custodian = self.custodian

        site = self.site

        supplier = self.supplier

        state = self.state

        titled = self.titled.isoformat()

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "lot": lot,
                "origin": origin,
                "start_bu": start_bu,
                "stop_bu": stop_bu,
                "crop": crop,
                "harvest_year": harvest_year,
                "ci_g_per_bu": ci_g_per_bu,
                "form": form,
                "amount": amount,
                "unit": unit,
                "custodian": custodian,
                "site": site,
                "supplier": supplier,
                "state": state,
                "titled": titled,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        lot = d.pop("lot")

        origin = d.pop("origin")

        start_bu = d.pop("start_bu")

        stop_bu = d.pop("stop_bu")

        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        ci_g_per_bu = d.pop("ci_g_per_bu")

        form = d.pop("form")

        amount = d.pop("amount")

        unit = d.pop("unit")

        custodian = d.pop("custodian")

        site = d.pop("site")

        supplier = d.pop("supplier")

        state = d.pop("state")

        titled = datetime.date.fromisoformat(d.pop("titled"))

        lot_out = cls(
            lot=lot,
            origin=origin,
            start_bu=start_bu,
            stop_bu=stop_bu,
            crop=crop,
            harvest_year=harvest_year,
            ci_g_per_bu=ci_g_per_bu,
            form=form,
            amount=amount,
            unit=unit,
            custodian=custodian,
            site=site,
            supplier=supplier,
            state=state,
            titled=titled,
        )

        return lot_out
