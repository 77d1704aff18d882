from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ChosenLotView")


@_attrs_define
class ChosenLotView:
    """Serials to name in a sale.

    Attributes:
        origin (str):
        start_bu (str):
        stop_bu (str):
        pounds (str): 0 for the crop itself.
        ci_g_per_bu (str):
        site (str):
    """

    origin: str
    start_bu: str
    stop_bu: str
    pounds: str
    ci_g_per_bu: str
    site: str

    def to_dict(self) -> dict[str, Any]:
        origin = self.origin

        start_bu = self.start_bu

        stop_bu = self.stop_bu

        pounds = self.pounds

        ci_g_per_bu = self.ci_g_per_bu

        site = self.site

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "origin": origin,
                "start_bu": start_bu,
                "stop_bu": stop_bu,
                "pounds": pounds,
                "ci_g_per_bu": ci_g_per_bu,
                "site": site,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        origin = d.pop("origin")

        start_bu = d.pop("start_bu")

        stop_bu = d.pop("stop_bu")

        pounds = d.pop("pounds")

        ci_g_per_bu = d.pop("ci_g_per_bu")

        site = d.pop("site")

        chosen_lot_view = cls(
            origin=origin,
            start_bu=start_bu,
            stop_bu=stop_bu,
            pounds=pounds,
            ci_g_per_bu=ci_g_per_bu,
            site=site,
        )

        return chosen_lot_view
