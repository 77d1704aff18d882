from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="FiguresIn")


@_attrs_define
class FiguresIn:
    """Of which days: a calendar year, or from a day to another; and the plant's own yield, for figures by energy.

    Attributes:
        year (int | None | Unset):
        since (datetime.date | None | Unset):
        on (datetime.date | None | Unset):
        gallons_per_bu (str | Unset):  Default: ''.
        btu_per_gallon (str | Unset):  Default: ''.
        energy_source (str | Unset):  Default: ''.
    """

    year: int | None | Unset = UNSET
    since: datetime.date | None | Unset = UNSET
    on: datetime.date | None | Unset = UNSET
    gallons_per_bu: str | Unset = ""
    btu_per_gallon: str | Unset = ""
    energy_source: str | Unset = ""

    def to_dict(self) -> dict[str, Any]:
        year: int | None | Unset
        if isinstance(self.year, Unset):
            year = UNSET
        else:
            year = self.year

        since: None | str | Unset
        if isinstance(self.since, Unset):
            since = UNSET
        elif isinstance(self.since, datetime.date):
            since = self.since.isoformat()
        else:
            since = self.since

        on: None | str | Unset
        if isinstance(self.on, Unset):
            on = UNSET
        elif isinstance(self.on, datetime.date):
            on = self.on.isoformat()
        else:
            on = self.on

        gallons_per_bu = self.gallons_per_bu

        btu_per_gallon = self.btu_per_gallon

        energy_source = self.energy_source

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if year is not UNSET:
            field_dict["year"] = year
        if since is not UNSET:
            field_dict["since"] = since
        if on is not UNSET:
            field_dict["on"] = on
        if gallons_per_bu is not UNSET:
            field_dict["gallons_per_bu"] = gallons_per_bu
        if btu_per_gallon is not UNSET:
            field_dict["btu_per_gallon"] = btu_per_gallon
        if energy_source is not UNSET:
            field_dict["energy_source"] = energy_source

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_year(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        year = _parse_year(d.pop("year", UNSET))

        def _parse_since(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                since_type_0 = datetime.date.fromisoformat(data)

                return since_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        since = _parse_since(d.pop("since", UNSET))

        def _parse_on(data: object) -> datetime.date | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                on_type_0 = datetime.date.fromisoformat(data)

                return on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.date | None | Unset, data)

        on = _parse_on(d.pop("on", UNSET))

        gallons_per_bu = d.pop("gallons_per_bu", UNSET)

        btu_per_gallon = d.pop("btu_per_gallon", UNSET)

        energy_source = d.pop("energy_source", UNSET)

        figures_in = cls(
            year=year,
            since=since,
            on=on,
            gallons_per_bu=gallons_per_bu,
            btu_per_gallon=btu_per_gallon,
            energy_source=energy_source,
        )

        return figures_in
