from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="BinOut")


@_attrs_define
class BinOut:
    """What lies in a bin of one crop year and carbon intensity, commingled with the rest of it: an estimate.

    Grain goes out of everything in proportion. No claim lies in a bin, and no bushel here is that of one farm.

        Attributes:
            site (str):
            bin_ (str):
            form (str):
            unit (str):
            harvest_year (int | None): Of the claims its tickets stand behind; empty for other grain.
            ci_g_per_bu (None | str): Of those claims, as they came in; empty for grain without a claim.
            amount (str): By proportion, commingled.
            share (int): In thousandths of the bin.
            short_amount (str): Tickets into this bin are missing.
    """

    site: str
    bin_: str
    form: str
    unit: str
    harvest_year: int | None
    ci_g_per_bu: None | str
    amount: str
    share: int
    short_amount: str

    def to_dict(self) -> dict[str, Any]:
        site = self.site

        bin_ = self.bin_

        form = self.form

        unit = self.unit

        harvest_year: int | None
        harvest_year = self.harvest_year

        ci_g_per_bu: None | str
        ci_g_per_bu = self.ci_g_per_bu

        amount = self.amount

        share = self.share

        short_amount = self.short_amount

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "site": site,
                "bin": bin_,
                "form": form,
                "unit": unit,
                "harvest_year": harvest_year,
                "ci_g_per_bu": ci_g_per_bu,
                "amount": amount,
                "share": share,
                "short_amount": short_amount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        site = d.pop("site")

        bin_ = d.pop("bin")

        form = d.pop("form")

        unit = d.pop("unit")

        def _parse_harvest_year(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        harvest_year = _parse_harvest_year(d.pop("harvest_year"))

        def _parse_ci_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        ci_g_per_bu = _parse_ci_g_per_bu(d.pop("ci_g_per_bu"))

        amount = d.pop("amount")

        share = d.pop("share")

        short_amount = d.pop("short_amount")

        bin_out = cls(
            site=site,
            bin_=bin_,
            form=form,
            unit=unit,
            harvest_year=harvest_year,
            ci_g_per_bu=ci_g_per_bu,
            amount=amount,
            share=share,
            short_amount=short_amount,
        )

        return bin_out
