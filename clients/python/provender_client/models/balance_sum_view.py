from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

T = TypeVar("T", bound="BalanceSumView")


@_attrs_define
class BalanceSumView:
    """A balance by crop and harvest year, all carbon intensities together, bushels of crop.

    Attributes:
        crop (str):
        harvest_year (int):
        band (str): Against the national default; empty for the whole crop.
        beginning_bu (str):
        incoming_bu (str):
        retired_bu (str):
        otherwise_bu (str):
        ending_bu (str):
        mean_ci_g_per_bu (None | str): Of what is on hand; none without any.
        retired_mean_ci_g_per_bu (None | str): Of what was retired into fuel; none without.
        intensities (int):
    """

    crop: str
    harvest_year: int
    band: str
    beginning_bu: str
    incoming_bu: str
    retired_bu: str
    otherwise_bu: str
    ending_bu: str
    mean_ci_g_per_bu: None | str
    retired_mean_ci_g_per_bu: None | str
    intensities: int

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        harvest_year = self.harvest_year

        band = self.band

        beginning_bu = self.beginning_bu

        incoming_bu = self.incoming_bu

        retired_bu = self.retired_bu

        otherwise_bu = self.otherwise_bu

        ending_bu = self.ending_bu

        mean_ci_g_per_bu: None | str
        mean_ci_g_per_bu = self.mean_ci_g_per_bu

        retired_mean_ci_g_per_bu: None | str
        retired_mean_ci_g_per_bu = self.retired_mean_ci_g_per_bu

        intensities = self.intensities

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "crop": crop,
                "harvest_year": harvest_year,
                "band": band,
                "beginning_bu": beginning_bu,
                "incoming_bu": incoming_bu,
                "retired_bu": retired_bu,
                "otherwise_bu": otherwise_bu,
                "ending_bu": ending_bu,
                "mean_ci_g_per_bu": mean_ci_g_per_bu,
                "retired_mean_ci_g_per_bu": retired_mean_ci_g_per_bu,
                "intensities": intensities,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop")

        harvest_year = d.pop("harvest_year")

        band = d.pop("band")

        beginning_bu = d.pop("beginning_bu")

        incoming_bu = d.pop("incoming_bu")

        retired_bu = d.pop("retired_bu")

        otherwise_bu = d.pop("otherwise_bu")

        ending_bu = d.pop("ending_bu")

        def _parse_mean_ci_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        mean_ci_g_per_bu = _parse_mean_ci_g_per_bu(d.pop("mean_ci_g_per_bu"))

        def _parse_retired_mean_ci_g_per_bu(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        retired_mean_ci_g_per_bu = _parse_retired_mean_ci_g_per_bu(d.pop("retired_mean_ci_g_per_bu"))

        intensities = d.pop("intensities")

        balance_sum_view = cls(
            crop=crop,
            harvest_year=harvest_year,
            band=band,
            beginning_bu=beginning_bu,
            incoming_bu=incoming_bu,
            retired_bu=retired_bu,
            otherwise_bu=otherwise_bu,
            ending_bu=ending_bu,
            mean_ci_g_per_bu=mean_ci_g_per_bu,
            retired_mean_ci_g_per_bu=retired_mean_ci_g_per_bu,
            intensities=intensities,
        )

        return balance_sum_view
