from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="ChoiceIn")


@_attrs_define
class ChoiceIn:
    """What a sale by mean carbon intensity is to hold.

    Attributes:
        mean (str): At most, g CO2e/bu.
        crop (str | Unset): Without a product the crop itself. Default: ''.
        form (str | Unset): A product instead of a crop. Default: ''.
        bushels (str | Unset): Of a crop. Default: '0'.
        pounds (str | Unset): Of a product. Default: '0'.
        mean_from (str | Unset): At least. Default: '0'.
        ci_min (None | str | Unset):
        ci_max (None | str | Unset):
        site (str | Unset):  Default: ''.
    """

    mean: str
    crop: str | Unset = ""
    form: str | Unset = ""
    bushels: str | Unset = "0"
    pounds: str | Unset = "0"
    mean_from: str | Unset = "0"
    ci_min: None | str | Unset = UNSET
    ci_max: None | str | Unset = UNSET
    site: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        mean = self.mean

        crop = self.crop

        form = self.form

        bushels = self.bushels

        pounds = self.pounds

        mean_from = self.mean_from

        ci_min: None | str | Unset
        if isinstance(self.ci_min, Unset):
            ci_min = UNSET
        else:
            ci_min = self.ci_min

        ci_max: None | str | Unset
        if isinstance(self.ci_max, Unset):
            ci_max = UNSET
        else:
            ci_max = self.ci_max

        site = self.site

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "mean": mean,
            }
        )
        if crop is not UNSET:
            field_dict["crop"] = crop
        if form is not UNSET:
            field_dict["form"] = form
        if bushels is not UNSET:
            field_dict["bushels"] = bushels
        if pounds is not UNSET:
            field_dict["pounds"] = pounds
        if mean_from is not UNSET:
            field_dict["mean_from"] = mean_from
        if ci_min is not UNSET:
            field_dict["ci_min"] = ci_min
        if ci_max is not UNSET:
            field_dict["ci_max"] = ci_max
        if site is not UNSET:
            field_dict["site"] = site

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        mean = d.pop("mean")

        crop = d.pop("crop", UNSET)

        form = d.pop("form", UNSET)

        bushels = d.pop("bushels", UNSET)

        pounds = d.pop("pounds", UNSET)

        mean_from = d.pop("mean_from", UNSET)

        def _parse_ci_min(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        ci_min = _parse_ci_min(d.pop("ci_min", UNSET))

        def _parse_ci_max(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        ci_max = _parse_ci_max(d.pop("ci_max", UNSET))

        site = d.pop("site", UNSET)

        choice_in = cls(
            mean=mean,
            crop=crop,
            form=form,
            bushels=bushels,
            pounds=pounds,
            mean_from=mean_from,
            ci_min=ci_min,
            ci_max=ci_max,
            site=site,
        )

        return choice_in
