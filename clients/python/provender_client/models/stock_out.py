from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="StockOut")


@_attrs_define
class StockOut:
    """A sum of lots that are alike. Amounts are decimal text.

    Attributes:
        crop (str):
        harvest_year (int):
        ci_g_per_bu (str):
        form (str):
        custodian (str):
        site (str):
        state (str):
        bushels (str):
        amount (str):
        lots (int):
    """

    crop: str
    harvest_year: int
    ci_g_per_bu: str
    form: str
    custodian: str
    site: str
    state: str
    bushels: str
    amount: str
    lots: int

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        harvest_year = self.harvest_year

        ci_g_per_bu = self.ci_g_per_bu

        form = self.form

        custodian = self.custodian

        site = self.site

        state = self.state

        bushels = self.bushels

        amount = self.amount

        lots = self.lots

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "ci_g_per_bu": ci_g_per_bu,
                "form": form,
                "custodian": custodian,
                "site": site,
                "state": state,
                "bushels": bushels,
                "amount": amount,
                "lots": lots,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        ci_g_per_bu = d.pop("ci_g_per_bu")

        form = d.pop("form")

        custodian = d.pop("custodian")

        site = d.pop("site")

        state = d.pop("state")

        bushels = d.pop("bushels")

        amount = d.pop("amount")

        lots = d.pop("lots")

        stock_out = cls(
            crop=crop,
            harvest_year=harvest_year,
            ci_g_per_bu=ci_g_per_bu,
            form=form,
            custodian=custodian,
            site=site,
            state=state,
            bushels=bushels,
            amount=amount,
            lots=lots,
        )

        return stock_out
