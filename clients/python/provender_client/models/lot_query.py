from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..models.lot_state import LotState
from ..types import UNSET, Unset

T = TypeVar("T", bound="LotQuery")


@_attrs_define
class LotQuery:
    """Which lots; what is left out chooses nothing.

    Attributes:
        crop (str | Unset):  Default: ''.
        form (str | Unset):  Default: ''.
        site (str | Unset):  Default: ''.
        state (LotState | None | Unset): `unverified` names those held unverified.
        harvest_year (int | None | Unset):
        ci_g_per_bu (str | Unset): As the stock says. Default: ''.
    """

    crop: str | Unset = ""
    form: str | Unset = ""
    site: str | Unset = ""
    state: LotState | None | Unset = UNSET
    harvest_year: int | None | Unset = UNSET
    ci_g_per_bu: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        crop = self.crop

        form = self.form

        site = self.site

        state: None | str | Unset
        if isinstance(self.state, Unset):
            state = UNSET
        elif isinstance(self.state, LotState):
            state = self.state.value
        else:
            state = self.state

        harvest_year: int | None | Unset
        if isinstance(self.harvest_year, Unset):
            harvest_year = UNSET
        else:
            harvest_year = self.harvest_year

        ci_g_per_bu = self.ci_g_per_bu

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if crop is not UNSET:
            field_dict["crop"] = crop
        if form is not UNSET:
            field_dict["form"] = form
        if site is not UNSET:
            field_dict["site"] = site
        if state is not UNSET:
            field_dict["state"] = state
        if harvest_year is not UNSET:
            field_dict["harvest_year"] = harvest_year
        if ci_g_per_bu is not UNSET:
            field_dict["ci_g_per_bu"] = ci_g_per_bu

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        crop = d.pop("crop", UNSET)

        form = d.pop("form", UNSET)

        site = d.pop("site", UNSET)

        def _parse_state(data: object) -> LotState | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                state_type_0 = LotState(data)

                return state_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(LotState | None | Unset, data)

        state = _parse_state(d.pop("state", UNSET))

        def _parse_harvest_year(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        harvest_year = _parse_harvest_year(d.pop("harvest_year", UNSET))

        ci_g_per_bu = d.pop("ci_g_per_bu", UNSET)

        lot_query = cls(
            crop=crop,
            form=form,
            site=site,
            state=state,
            harvest_year=harvest_year,
            ci_g_per_bu=ci_g_per_bu,
        )

        return lot_query
